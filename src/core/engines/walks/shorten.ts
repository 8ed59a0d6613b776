/**
 * Makes a run that was found by chance shorter: parts of it are left out, larger ones first, as long as what is left still
 * ends in a violation (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002).
 * Before that, its last steps alone are tried: what led up to them is often of no importance.
 */
import type { Work } from '../../../sat/work.ts';

/** How many of the steps there are up to a violation; undefined if there is none, or a step is not allowed. */
export type Follow<T> = (path: readonly T[]) => number | undefined;

/** Pauses between attempts; `isOver` says when the rest of them may be left out. */
export function* shortened<T>(
  path: readonly T[],
  follow: Follow<T>,
  isOver: () => boolean,
): Work<readonly T[]> {
  let best = path;
  const attempt = (candidate: readonly T[]): boolean => {
    const length = follow(candidate);
    if (length === undefined) return false;
    best = candidate.slice(0, length);
    return true;
  };
  for (let length = 1; length < path.length && !isOver(); length *= 2) {
    yield 'turn';
    if (attempt(path.slice(-length))) break;
  }
  for (let part = Math.floor(best.length / 2); part > 0; part = Math.floor(part / 2)) {
    for (let i = 0; i < best.length; ) {
      if (isOver()) return best;
      yield 'turn';
      if (!attempt([...best.slice(0, i), ...best.slice(i + part)])) i += part;
    }
  }
  return best;
}
