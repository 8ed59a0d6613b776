/**
 * The library's front door: takes a transition system or a program as text and says whether it is safe, with evidence; checks
 * somebody's invariant, writes systems in other formats, answers SMT-LIB scripts. It needs nothing of node and runs in a browser as
 * it is; the C compiler is handed over by the caller, because only the caller knows where it is. What few need is loaded when it
 * is first asked for.
 */
import { checkText, propertiesOf } from './api/check.ts';
import type { CertifyOptions, CheckOptions, ConvertOptions, SolveOptions } from './api/options.ts';
import type { CertifyResult, CheckResult, Property, SolveResult } from './api/results.ts';
import { expectCall } from './api/rules.ts';

export type {
  CertifyOptions,
  CheckOptions,
  ConvertOptions,
  LimitOptions,
  ReadOptions,
  SolveOptions,
  Surroundings,
} from './api/options.ts';
export type {
  CertifyResult,
  CheckResult,
  Property,
  PropertyCertified,
  PropertyResult,
  Safe,
  SolveResult,
  Unknown,
  Unsafe,
} from './api/results.ts';
export type { EngineOptions } from './core/env/options.ts';
export type { Progress, Share } from './core/portfolio/share.ts';
export type { ClangPackage } from './formats/c/clang-package.ts';
export { CompileError } from './formats/c/messages.ts';
export type { Check } from './formats/checks.ts';
export type { ControlEdge, ControlGraph } from './formats/control-graph-data.ts';
export { InputError } from './formats/diagnostic.ts';
export { NotExpressible } from './formats/not-expressible.ts';
export type { Target } from './formats/targets.ts';
export { Unknown as LimitReached } from './sat/unknown.ts';

/**
 * What is asked of a text, in its order. Throws an InputError, with line and column, if it cannot be read, and a LimitReached if
 * not within the limits.
 */
export async function properties(text: string, options: CheckOptions = {}): Promise<readonly Property[]> {
  expectCall('properties', { text }, options);
  return propertiesOf(text, options);
}

/**
 * Checks the properties of a system in VMT, BTOR2 or Horn clauses, or of a program in C or LLVM IR. Throws an InputError, with line
 * and column, if the text cannot be read.
 */
export async function check(text: string, options: CheckOptions = {}): Promise<CheckResult> {
  expectCall('check', { text }, options);
  return checkText(text, options);
}

/**
 * Checks somebody's invariant of a transition system, as the result of `check` has it or as others write it. Throws an InputError,
 * with line and column, if one of the texts cannot be read.
 */
export async function certify(
  text: string,
  invariant: string,
  options: CertifyOptions = {},
): Promise<CertifyResult> {
  expectCall('certify', { text, invariant }, options);
  const { certifyText } = await seldom();
  return certifyText(text, invariant, options);
}

/**
 * A transition system in another format. Throws an InputError if the text cannot be read, a NotExpressible if the format has no
 * words for it, and a LimitReached if it cannot be read within the limits.
 */
export async function convert(text: string, options: ConvertOptions = {}): Promise<string> {
  expectCall('convert', { text }, options);
  const { convertText } = await seldom();
  return convertText(text, options);
}

/** Answers an SMT-LIB script. Beyond the limits questions are answered `unknown`; what is wrong with the script is a reply. */
export async function solve(script: string, options: SolveOptions = {}): Promise<SolveResult> {
  expectCall('solve', { script }, options);
  const { solveScript } = await seldom();
  return solveScript(script, options);
}

function seldom() {
  return import('./api/seldom.ts');
}
