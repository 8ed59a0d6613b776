/** The WebAssembly SAT solver for a call: its code is a file of its own, and so are its bytes if the caller has none. */
import { HeavyBackEnd } from '../bv/tiered.ts';
import type { LimitOptions, Surroundings } from './options.ts';

export function heavyBackEnd({ wasm, onWarning }: Surroundings & LimitOptions): HeavyBackEnd {
  return new HeavyBackEnd(
    async () => {
      const { loadCadical } = await import('../bv/cadical.ts');
      return loadCadical(await wasm?.());
    },
    message => onWarning?.(message),
  );
}

/** Lets the event loop turn. */
export function turn(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0));
}
