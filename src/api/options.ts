/**
 * What callers of the library may ask for. The names are those of the command line in camel case. Every option may be undefined,
 * which is as good as leaving it out, so that callers under `exactOptionalPropertyTypes` can pass on what they were given.
 * rules.ts has a rule for each of them.
 */
import type { EngineOptions } from '../core/env/options.ts';
import type { Progress } from '../core/portfolio/share.ts';
import type { ClangPackage } from '../formats/c/clang-package.ts';
import type { Check } from '../formats/checks.ts';
import type { Target } from '../formats/targets.ts';

/** What is around the library: every function takes these, so that one object may serve for all calls. */
export interface Surroundings {
  /** The bytes of `cadical.wasm` (package `cadical-wasm`), asked for when a question is hard, in place of those built in. */
  readonly wasm?: (() => Promise<Uint8Array>) | undefined;
  /**
   * For C: the package `@yowasp/clang` as it is imported. Its first call loads 100 MB. Compiling cannot be interrupted: limits of
   * time are looked at before and after.
   */
  readonly compiler?: ClangPackage | undefined;
  /** For C: the text of a file that is included, if there is such a file. */
  readonly lookUp?: ((path: string) => string | undefined) | undefined;
}

/** When a call ends without an answer, and who hears of what is no answer. */
export interface LimitOptions {
  /** Seconds after which the answer is unknown. */
  readonly timeout?: number | undefined;
  /** Megabytes of memory beyond which the answer is unknown: of the process, or in a browser of what the page's code has. */
  readonly memory?: number | undefined;
  /** Ends the search with the answer unknown. */
  readonly signal?: { readonly aborted: boolean } | undefined;
  /** Hears of what is odd about the text and of a WebAssembly solver that cannot be loaded. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** How a text is read as a system or a program. */
export interface ReadOptions extends Surroundings, LimitOptions {
  /**
   * What messages call the text. Its ending says what it is, as in `.vmt` or `.c`; without a name or a known ending, the text
   * itself tells.
   */
  readonly file?: string | undefined;
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict?: boolean | undefined;
  /** For C: whether `long` and pointers have 32 bits or 64. */
  readonly dataModel?: 'ilp32' | 'lp64' | undefined;
  /** For C: macros, `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[] | undefined;
  /** For C: folders where included files are looked for, after the one of the file that includes them. */
  readonly includeFolders?: readonly string[] | undefined;
  /** For programs: the function that they start with, `main` unless said otherwise. */
  readonly entry?: string | undefined;
  /** For programs: what of undefined behaviour is an error too, `['all']` for all of it. Checks of arithmetic need C. */
  readonly checks?: readonly (Check | 'all')[] | undefined;
  /** For programs: do functions without a body leave memory alone (`pure`), or write whatever they can reach? */
  readonly externals?: 'pure' | 'havoc' | undefined;
  /** For programs: does `malloc` succeed, or may it return null? */
  readonly malloc?: 'succeeds' | 'may-fail' | undefined;
  /** For programs: is floating-point arithmetic computed, or does it give any result? */
  readonly floats?: 'exact' | 'any' | undefined;
  /** For programs: is what has no bearing on errors left out? `auto`: of large ones. */
  readonly slice?: 'auto' | 'on' | 'off' | undefined;
  /** For programs: are edges paths, or all that is between two loop heads? */
  readonly blocks?: 'small' | 'large' | undefined;
  /** For programs: are all functions copied to where they are called, or are those relations that call themselves, or with `wait` those with loops, too? */
  readonly calls?: 'inline' | 'wait' | 'summaries' | undefined;
}

export interface CheckOptions extends ReadOptions, Optional<EngineOptions> {
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string | undefined;
  /** Hears of progress, about ten times a second; the event loop turns as often. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The names of the engines that may run; all of them otherwise. */
  readonly engines?: readonly string[] | undefined;
  /** Locations as one functional or relational system, or sliced, which they are unless said otherwise. */
  readonly encoding?: 'sliced' | 'functional' | 'relational' | undefined;
}

export interface CertifyOptions extends ReadOptions {
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string | undefined;
}

export interface ConvertOptions extends ReadOptions {
  /** The format to be written, `vmt` unless said otherwise. */
  readonly to?: Target | undefined;
  /** How many steps an unrolling to `smt2-bmc` has. */
  readonly steps?: number | undefined;
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string | undefined;
  /** Is it what is left when the passes before the search are done that is written, and not what was read? */
  readonly isPreprocessed?: boolean | undefined;
}

export interface SolveOptions extends Surroundings, LimitOptions {
  /** What messages call the script. */
  readonly file?: string | undefined;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
