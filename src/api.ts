/**
 * The library's front door: one call that takes a transition system or a program as text and says whether it is safe, with
 * evidence. It needs nothing of node and runs in a browser as it is; where the WebAssembly SAT solver or the C compiler is to be
 * used, the caller hands it over, because only the caller knows where it is.
 */
import type { BackEndModule } from './bv/back-end.ts';
import { HeavyBackEnd } from './bv/tiered.ts';
import { type Progress, PropertyCheck, type Verdict } from './check.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './core/env/options.ts';
import type { Share } from './core/portfolio/scheduler.ts';
import type { ClangPackage } from './formats/c/clang.ts';
import { DATA_MODELS, type DataModel } from './formats/c/flags.ts';
import { type Check, checksOf } from './formats/checks.ts';
import { type ControlGraph, controlGraph } from './formats/control-graph.ts';
import { InputError } from './formats/diagnostic.ts';
import { isC } from './formats/format.ts';
import { type PropertyName, type Question, violatedBy } from './formats/question.ts';
import type { ReadOptions } from './formats/read-options.ts';
import { selectProperties } from './formats/select.ts';
import { readSystem } from './formats/systems.ts';
import { isFinal, Unknown as Stopped } from './sat/unknown.ts';
import { drive } from './sat/work.ts';

export type { Progress } from './check.ts';
export type { EngineOptions } from './core/env/options.ts';
export type { ClangPackage } from './formats/c/clang.ts';
export { CompileError } from './formats/c/messages.ts';
export type { Check } from './formats/checks.ts';
export type { ControlEdge, ControlGraph } from './formats/control-graph.ts';
export { InputError };

export interface CheckOptions extends Partial<EngineOptions> {
  /** What messages call the text; a program in C is known by this name (`.c`, or `.i` if it is preprocessed). */
  readonly file?: string;
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string;
  /** Seconds after which the answer is unknown. */
  readonly timeout?: number;
  /** Ends the search with the answer unknown. */
  readonly signal?: { readonly aborted: boolean };
  /** Hears of progress, about ten times a second; the event loop turns as often. */
  readonly onProgress?: (progress: Progress) => void;
  /** The names of the engines that may run; all of them otherwise. */
  readonly engines?: readonly string[];
  /** Hears of what is odd about the text and of a WebAssembly solver that cannot be loaded. */
  readonly onWarning?: (message: string) => void;
  /** The bytes of `cadical.wasm` (package `cadical-wasm`), asked for when a question is hard. */
  readonly wasm?: () => Promise<Uint8Array>;
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict?: boolean;
  /**
   * For C: the package `@yowasp/clang` as it is imported. Its first call loads 100 MB. Compiling cannot be interrupted: limits of
   * time are looked at before and after.
   */
  readonly compiler?: ClangPackage;
  /** For C: whether `long` and pointers have 32 bits or 64. */
  readonly dataModel?: DataModel;
  /** For C: macros, `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
  /** For C: folders where included files are looked for, after the one of the file that includes them. */
  readonly includeFolders?: readonly string[];
  /** For C: the text of a file that is included, if there is such a file. */
  readonly lookUp?: (path: string) => string | undefined;
  /** For programs: the function that they start with, `main` unless said otherwise. */
  readonly entry?: string;
  /** For programs: what of undefined behaviour is an error too, `['all']` for all of it. Checks of arithmetic need C. */
  readonly checks?: readonly (Check | 'all')[];
  /** For programs: do functions without a body leave memory alone (`pure`), or write whatever they can reach? */
  readonly externals?: 'pure' | 'havoc';
  /** For programs: does `malloc` succeed, or may it return null? */
  readonly malloc?: 'succeeds' | 'may-fail';
  /** For programs: is floating-point arithmetic computed, or does it give any result? */
  readonly floats?: 'exact' | 'any';
}

export interface Safe {
  readonly property: number;
  readonly engines: readonly Share[];
  readonly verdict: 'safe';
  /** An SMT-LIB file with the invariant and the lemmas it rests on; for Horn clauses, a model of the relations. */
  readonly invariant: string;
  /** SMT-LIB scripts, each to be answered `unsat`, that prove the verdict. */
  readonly certificate: readonly { readonly name: string; readonly text: string }[];
  /** The control of what was checked, to be drawn. */
  readonly graph: ControlGraph;
}

export interface Unsafe {
  readonly property: number;
  readonly engines: readonly Share[];
  readonly verdict: 'unsafe';
  /** The property that the run violates: of programs, the error in their text. */
  readonly violated: { readonly index: number; readonly name: string | undefined };
  /** The run as a table for people (for Horn clauses, a derivation), as JSON, and for a waveform viewer. */
  readonly table: string;
  readonly trace: string;
  readonly vcd: string;
  /** The control of what was checked, with the way of the run marked. */
  readonly graph: ControlGraph;
}

export interface Unknown {
  readonly property: number;
  /** None if a limit was reached while the text was being read. */
  readonly engines: readonly Share[];
  readonly verdict: 'unknown';
  readonly reason: string;
}

export type PropertyResult = Safe | Unsafe | Unknown;

/**
 * What is true of all properties asked about: unsafe if one is violated, unknown if not all are known to hold, safe otherwise. The
 * evidence is that of the first property with that verdict; each has its own in `properties`.
 */
export type CheckResult = PropertyResult & { readonly properties: readonly PropertyResult[] };

/** What is asked of a text, in its order. Throws an InputError, with line and column, if it cannot be read. */
export async function properties(
  text: string,
  options: CheckOptions = {},
): Promise<readonly { readonly index: number; readonly name: string | undefined }[]> {
  const { file, warn, budget } = common(options);
  const question = await read(file, text, options, { strict: options.strict === true, warn, budget });
  return question.properties.map(({ index, name }) => ({ index, name }));
}

/**
 * Checks the properties of a system in VMT, BTOR2 or Horn clauses, or of a program in C or LLVM IR. Throws an InputError, with line
 * and column, if the text cannot be read.
 */
export async function check(text: string, options: CheckOptions = {}): Promise<CheckResult> {
  const { file, warn, budget } = common(options);
  let question: Question;
  try {
    question = await read(file, text, options, { strict: options.strict === true, warn, budget });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const property = typeof options.property === 'number' ? options.property : 0;
    const unread: Unknown = { verdict: 'unknown', property, reason: error.reason, engines: [] };
    return { ...unread, properties: [unread] };
  }
  const heavy = new HeavyBackEnd(() => load(options.wasm), warn);
  const results: PropertyResult[] = [];
  for (const property of selectProperties(question, options.property)) {
    const { engines } = options;
    const run = new PropertyCheck(question, property, { budget, heavy, engine: engineOf(options), engines });
    const verdict = await drive(run.run(), {
      load: () => heavy.load(),
      turn: () => {
        options.onProgress?.(run.progress);
        return new Promise(resolve => setTimeout(resolve, 0));
      },
    });
    results.push(result(question, property, verdict, run.shares));
  }
  const first = (kind: PropertyResult['verdict']) => results.find(r => r.verdict === kind);
  return { ...(first('unsafe') ?? first('unknown') ?? results[0]), properties: results };
}

/** What a call has in common with others. */
function common(options: CheckOptions) {
  const file = options.file ?? 'input.vmt';
  const warn = options.onWarning ?? (() => {});
  const deadline = options.timeout === undefined ? undefined : Date.now() + 1000 * options.timeout;
  const budget = {
    ...(deadline === undefined ? {} : { deadline }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  return { file, warn, budget };
}

async function read(
  file: string,
  text: string,
  options: CheckOptions,
  common: ReadOptions,
): Promise<Question> {
  const { compiler, entry, externals, malloc, floats } = options;
  const checks = checksOf(options.checks ?? []);
  const program = {
    ...(entry === undefined ? {} : { entry }),
    ...(externals === undefined ? {} : { externals }),
    ...(malloc === undefined ? {} : { malloc }),
    ...(floats === undefined ? {} : { floats }),
    checks,
  };
  const all = { ...common, program };
  const system = isC(file) ? undefined : readSystem(file, text, all);
  if (system !== undefined) return system;
  const source = { name: file, text };
  if (!isC(file)) return (await programs()).readModule(source, all);
  if (compiler === undefined)
    throw new InputError(file, 1, 1, 'C needs a compiler: hand over the package @yowasp/clang as `compiler`');
  const how = {
    dataModel: options.dataModel ?? DATA_MODELS[0],
    defines: options.defines ?? [],
    folders: options.includeFolders ?? [],
    lookUp: options.lookUp ?? (() => undefined),
    checks,
  };
  return (await programs()).readC(source, compiler, how, all);
}

/** A quarter of the library, which only programs need. */
function programs() {
  return import('./formats/programs.ts');
}

/** The engines' options among the caller's; an undefined one is as good as none. */
function engineOf(options: CheckOptions): EngineOptions {
  const keys = Object.keys(DEFAULT_ENGINE_OPTIONS) as (keyof EngineOptions)[];
  const entries = keys.map(key => [key, options[key] ?? DEFAULT_ENGINE_OPTIONS[key]]);
  return Object.fromEntries(entries) as EngineOptions;
}

async function load(bytes: CheckOptions['wasm']): Promise<BackEndModule> {
  if (bytes === undefined) throw new Error('its bytes were not given');
  const { loadCadical } = await import('./bv/cadical.ts');
  return loadCadical(await bytes());
}

function result(
  question: Question,
  property: PropertyName,
  verdict: Verdict,
  engines: readonly Share[],
): PropertyResult {
  const { words } = question;
  const common = { property: property.index, engines };
  switch (verdict.kind) {
    case 'safe':
      return {
        ...common,
        verdict: 'safe',
        invariant: words.proof(property, verdict.proof),
        certificate: words.certificate(property, verdict.proof),
        graph: controlGraph(question, property),
      };
    case 'unsafe': {
      const violated = violatedBy(question, verdict.derivation) ?? property;
      return {
        ...common,
        verdict: 'unsafe',
        violated: { index: violated.index, name: violated.name },
        table: words.derivation(violated, verdict.derivation),
        trace: words.json(violated, verdict.derivation),
        vcd: words.vcd(verdict.derivation),
        graph: controlGraph(question, property, verdict.derivation),
      };
    }
    case 'unknown':
      return {
        ...common,
        verdict: 'unknown',
        reason: isFinal(verdict.reason) ? verdict.reason : verdict.text,
      };
  }
}
