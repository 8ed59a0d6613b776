/**
 * How Clang is asked for LLVM IR. It is the parser and the type checker, and no more: no pass of LLVM runs, because passes take
 * undefined behaviour for impossible and delete the error that is looked for. The driver of the compiler is passed by, since it
 * would run the compiler twice, so what the driver adds is spelled out here.
 */

import { type Check, sanitizersOf } from '../checks.ts';
import { baseName } from './paths.ts';

export const DATA_MODELS = ['ilp32', 'lp64'] as const;
/** Sizes of `int`, `long` and pointers: all 32 bits, or the latter two 64. */
export type DataModel = (typeof DATA_MODELS)[number];

const TARGETS: Readonly<Record<DataModel, readonly string[]>> = {
  // Without the processor, sums of doubles would be computed with 80 bits.
  ilp32: ['-triple', 'i386-unknown-linux-gnu', '-target-cpu', 'pentium4'],
  lp64: ['-triple', 'x86_64-unknown-linux-gnu', '-target-cpu', 'x86-64'],
};

/** What old C allows, and what Clang makes errors of otherwise. */
const OLD_C = [
  'implicit-function-declaration',
  'implicit-int',
  'int-conversion',
  'incompatible-pointer-types',
  'incompatible-function-pointer-types',
  'return-type',
  'return-mismatch',
  'invalid-gnu-asm-cast',
];

/** Errors after which the compiler stops. */
const MOST_ERRORS = 20;

const COMMON: readonly string[] = [
  // At -O0 bodies of C99's `inline` functions are missing.
  ...['-O1', '-disable-llvm-passes', '-emit-llvm'],
  ...['-std=gnu17', '-fgnuc-version=4.2.1'],
  // Each operation is rounded by itself.
  '-ffp-contract=off',
  // Aliasing is found out without the types.
  '-relaxed-aliasing',
  // Stores that say where a local begins to have any value at all.
  '-ftrivial-auto-var-init=zero',
  // Each instruction has its line and column, each local its name.
  ...['-debug-info-kind=constructor', '-dwarf-version=5'],
  ...['-fno-caret-diagnostics', '-ferror-limit', String(MOST_ERRORS)],
  ...OLD_C.map(name => `-Wno-error=${name}`),
];

/** The arguments for one file, to the output. */
export function compilerArgs(
  file: string,
  dataModel: DataModel,
  defines: readonly string[],
  layout: readonly string[],
  checks: ReadonlySet<Check> = new Set(),
): string[] {
  // In what the preprocessor has left, names such as `linux` are no macros.
  const language = /\.i$/i.test(file) ? 'cpp-output' : 'c';
  return [
    ...['clang', '-cc1', ...TARGETS[dataModel], ...COMMON, ...arithmetic(checks), ...layout],
    ...defines.flatMap(define => ['-D', define]),
    ...['-main-file-name', baseName(file), '-x', language, '-o', '-', file],
  ];
}

/** Arithmetic wraps, or its overflows are reported where they happen and it goes on as if it wrapped. */
function arithmetic(checks: ReadonlySet<Check>): string[] {
  const sanitizers = sanitizersOf(checks).join(',');
  return sanitizers === '' ? ['-fwrapv'] : [`-fsanitize=${sanitizers}`, `-fsanitize-recover=${sanitizers}`];
}
