/** Exit statuses of `check`, and which of several counts. */
import type { Verdict } from '../check.ts';

export const EXIT_CODES: Readonly<Record<Verdict['kind'], number>> = { safe: 0, unsafe: 10, unknown: 20 };

/** As shells have it for a command that was ended by Ctrl-C. */
export const INTERRUPTED = 130;

/** The worst first: input that is wrong, a failure of this program, a violation, no answer. */
const ORDER: readonly number[] = [2, 3, EXIT_CODES.unsafe, EXIT_CODES.unknown];

export function worst(statuses: readonly number[]): number {
  return ORDER.find(status => statuses.includes(status)) ?? 0;
}
