/** The WebAssembly SAT solver for the commands, imported when a question is hard. */
import { HeavyBackEnd } from '../bv/tiered.ts';
import { importCadical } from './import-cadical.ts';

export function heavyBackEnd(warn: (message: string) => void): HeavyBackEnd {
  return new HeavyBackEnd(async () => (await importCadical()).loadCadical(), warn);
}
