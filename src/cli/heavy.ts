/** The WebAssembly SAT solver as node finds it: the bytes lie in the package `cadical-wasm`. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { HeavyBackEnd } from '../bv/tiered.ts';
import { importCadical } from './import-cadical.ts';

export function heavyBackEnd(warn: (message: string) => void): HeavyBackEnd {
  return new HeavyBackEnd(async () => {
    const path = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
    const [{ loadCadical }, bytes] = await Promise.all([importCadical(), readFile(path)]);
    return loadCadical(bytes);
  }, warn);
}
