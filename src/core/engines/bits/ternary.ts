/**
 * Three-valued simulation of an and-inverter graph: 0, 1, and UNKNOWN for either (Bryant, "Boolean Analysis of MOS
 * Circuits", 1987; in this use Eén, Mishchenko and Brayton 2011).
 */
import type { Aig } from '../../../bv/aig.ts';

export const UNKNOWN = 2;

/** Sets the value of every node, given those of some inputs; all others are unknown. */
export function simulate(aig: Aig, inputs: ReadonlyMap<number, number>, values: Uint8Array): void {
  const { left, right, count } = aig;
  values[0] = 0;
  for (let n = 1; n < count; n++) {
    if (aig.isInput(n)) {
      values[n] = inputs.get(n) ?? UNKNOWN;
      continue;
    }
    const l = left[n];
    const r = right[n];
    // UNKNOWN has a bit of its own, which complements leave alone.
    const a = values[l >> 1] === UNKNOWN ? UNKNOWN : values[l >> 1] ^ (l & 1);
    const b = values[r >> 1] === UNKNOWN ? UNKNOWN : values[r >> 1] ^ (r & 1);
    values[n] = a === 0 || b === 0 ? 0 : a === 1 && b === 1 ? 1 : UNKNOWN;
  }
}
