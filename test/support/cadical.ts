/** CaDiCaL for tests, loaded from the package's bytes as a user would. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BackEndModule } from '../../src/bv/back-end.ts';
import { loadCadical } from '../../src/bv/cadical.ts';

export async function loadCadicalForTests(): Promise<BackEndModule> {
  return loadCadical(await readFile(createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm')));
}
