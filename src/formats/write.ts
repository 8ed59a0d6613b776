/**
 * Writes what a question asks in any of the formats that there are writers for: as it was read, or as the passes leave it. Clauses and
 * programs are graphs, and stay graphs as Horn clauses; in the other formats they become one transition system.
 */
import type { System } from '../core/problem/system.ts';
import type { Checkpoint } from '../sat/checkpoint.ts';
import { about, asSystem, preprocessed } from './as-system.ts';
import { writeBtor2 } from './btor2/writer.ts';
import { writeClauses, writeHorn } from './horn/writer.ts';
import type { PropertyName, Question } from './question.ts';
import { selectProperties } from './select.ts';
import { writeSmt2Bmc } from './smt2-bmc/writer.ts';
import { DEFAULT_STEPS, type Target } from './targets.ts';
import { writeVmt } from './vmt/writer.ts';

export interface WriteOptions {
  readonly to: Target;
  /** How many steps an unrolling has. */
  readonly steps?: number | undefined;
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string | undefined;
  /** Is it what the passes leave that is written? */
  readonly isPreprocessed?: boolean;
  readonly checkpoint?: Checkpoint;
}

/** Throws a NotExpressible if the format has no words for it. */
export function written(question: Question, options: WriteOptions): string {
  const { to, steps = DEFAULT_STEPS, isPreprocessed = false, checkpoint } = options;
  const { problem, format } = question;
  const properties = selectProperties(question, options.property);
  const isSystem = format === 'vmt' || format === 'btor2';
  if (isSystem && !isPreprocessed)
    return writtenSystem(withProperties(question.system(), properties), to, steps);
  if (to !== 'chc')
    return writtenSystem(asSystem(problem, properties, isPreprocessed, checkpoint), to, steps);
  if (isPreprocessed) return writeClauses(preprocessed(problem, properties, checkpoint));
  return writeClauses(about(problem, properties), edge => {
    const trap = question.traps?.get(edge);
    return trap === undefined ? undefined : `not supported, and an error here: ${trap.replace(/\s+/g, ' ')}`;
  });
}

export function writtenSystem(system: System, to: Target, steps: number): string {
  switch (to) {
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

function withProperties(system: System, properties: readonly PropertyName[]): System {
  const wanted = new Set(properties.map(p => p.index));
  return { ...system, properties: system.properties.filter(p => wanted.has(p.index)) };
}
