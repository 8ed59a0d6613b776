/** How many steps of a derivation are one above the other, the start and the query included. */
import type { Derivation } from '../../../src/core/problem/derivation.ts';

export function heightOf({ steps }: Derivation): number {
  const heights: number[] = [];
  for (const { premises } of steps) heights.push(1 + Math.max(0, ...premises.map(p => heights[p])));
  return heights[steps.length - 1];
}
