/** Writes a transition system in any of the formats that there are writers for. */
import type { System } from '../core/problem/system.ts';
import { writeBtor2 } from './btor2/writer.ts';
import { writeHorn } from './horn/writer.ts';
import { writeSmt2Bmc } from './smt2-bmc/writer.ts';
import type { Target } from './targets.ts';
import { writeVmt } from './vmt/writer.ts';

/** Throws a NotExpressible if the format has no words for the system. */
export function written(system: System, target: Target, steps: number): string {
  switch (target) {
    case 'vmt':
      return writeVmt(system);
    case 'chc':
      return writeHorn(system);
    case 'btor2':
      return writeBtor2(system);
    case 'smt2-bmc':
      return writeSmt2Bmc(system, steps);
  }
}
