/**
 * What of undefined behaviour may be checked in programs, besides their own assertions. Clang's sanitizers instrument the
 * arithmetic, because they know the types of the source; what concerns memory is instrumented in the program's flow.
 */
import { InputError } from './diagnostic.ts';

export const CHECKS = ['overflow', 'div', 'shift', 'null', 'bounds', 'free', 'leak'] as const;
export type Check = (typeof CHECKS)[number];

/** What stands for all of them. */
export const ALL_CHECKS = 'all';

/** The sanitizers that a check needs; one whose check is off reports what nobody wants to hear of. */
const SANITIZERS: Partial<Record<Check, readonly string[]>> = {
  overflow: ['signed-integer-overflow'],
  // That the least number divided by -1 is too large belongs to the sanitizer of overflows.
  div: ['integer-divide-by-zero', 'signed-integer-overflow'],
  shift: ['shift-base', 'shift-exponent'],
};

export function checksOf(names: readonly string[]): ReadonlySet<Check> {
  return new Set(CHECKS.filter(c => names.includes(c) || names.includes(ALL_CHECKS)));
}

export function sanitizersOf(checks: ReadonlySet<Check>): readonly string[] {
  return [...new Set([...checks].flatMap(c => SANITIZERS[c] ?? []))];
}

/** A text that is compiled already cannot be instrumented by the compiler any more. */
export function refuseSanitizers(file: string, checks: ReadonlySet<Check>): void {
  const late = [...checks].filter(c => SANITIZERS[c] !== undefined);
  if (late.length > 0)
    throw new InputError(
      file,
      1,
      1,
      `the C compiler makes the checks ${late.join(', ')}, and this is compiled already`,
    );
}
