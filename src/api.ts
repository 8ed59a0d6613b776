/**
 * The library's front door: one call that takes a transition system as text and says whether it is safe, with evidence. It
 * needs nothing of node and runs in a browser as it is; where the WebAssembly SAT solver is to be used, the caller hands
 * over its bytes, because only the caller knows where they are.
 */

import { type Answer, answerOf, certificateFiles, evidenceText } from './answer.ts';
import type { BackEndModule } from './bv/back-end.ts';
import { HeavyBackEnd } from './bv/tiered.ts';
import { Checker, type CheckerProgress, type CheckerStats } from './core/checker.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './core/env/options.ts';
import { traceJson } from './output/trace-json.ts';
import { traceVcd } from './output/vcd.ts';
import { LimitReached } from './sat/checkpoint.ts';
import { readTask, selectProperties, type Task } from './task.ts';

export type { EngineOptions } from './core/env/options.ts';
export { InputError } from './input/diagnostic.ts';

export interface CheckOptions extends Partial<EngineOptions> {
  /** What messages call the text. */
  readonly file?: string;
  /** The number of the property; the first one of the file otherwise. */
  readonly property?: number;
  /** Seconds after which the answer is unknown. */
  readonly timeout?: number;
  /** Ends the search with the answer unknown. */
  readonly signal?: { readonly aborted: boolean };
  /** Hears of progress, about ten times a second; the event loop turns as often. */
  readonly onProgress?: (progress: CheckerProgress) => void;
  /** Hears of what is odd about the text and of a WebAssembly solver that cannot be loaded. */
  readonly onWarning?: (message: string) => void;
  /** The bytes of `cadical.wasm` (package `cadical-wasm`), asked for when a question is hard. */
  readonly wasm?: () => Promise<Uint8Array>;
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict?: boolean;
}

export interface Safe {
  readonly property: number;
  readonly stats: CheckerStats;
  readonly verdict: 'safe';
  /** An SMT-LIB file with the invariant and the lemmas it rests on; for Horn clauses, a model of the relations. */
  readonly invariant: string;
  /** SMT-LIB scripts, each to be answered `unsat`, that prove the verdict. */
  readonly certificate: readonly { readonly name: string; readonly text: string }[];
}

export interface Unsafe {
  readonly property: number;
  readonly stats: CheckerStats;
  readonly verdict: 'unsafe';
  /** The run as a table for people (for Horn clauses, a derivation), as JSON, and for a waveform viewer. */
  readonly table: string;
  readonly trace: string;
  readonly vcd: string;
}

export interface Unknown {
  readonly property: number;
  /** Undefined if a limit was reached while the text was being read. */
  readonly stats: CheckerStats | undefined;
  readonly verdict: 'unknown';
  readonly reason: string;
}

export type CheckResult = Safe | Unsafe | Unknown;

const TURN_INTERVAL = 100; // ms between turns of the event loop

/** Checks a property of a system in VMT, BTOR2 or Horn clauses. Throws an InputError, with line and column, if the text cannot be read. */
export async function check(text: string, options: CheckOptions = {}): Promise<CheckResult> {
  const file = options.file ?? 'input.vmt';
  const warn = options.onWarning ?? (() => {});
  const deadline = options.timeout === undefined ? undefined : Date.now() + 1000 * options.timeout;
  const budget = {
    ...(deadline === undefined ? {} : { deadline }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  let task: Task;
  try {
    task = readTask(file, text, { strict: options.strict === true, warn, budget });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return { verdict: 'unknown', property: options.property ?? 0, reason: error.reason, stats: undefined };
  }
  const [property] = selectProperties(task, options.property);
  const heavy = new HeavyBackEnd(() => load(options.wasm), warn);
  const onProgress = turning(options.onProgress);
  const checker = new Checker(task.system, property, { ...engineOf(options), budget, heavy, onProgress });
  const answer = await answerOf(task, property, await checker.run(), heavy, budget);
  return result(task, answer, checker.stats);
}

/** The engine's options among the caller's; an undefined one is as good as none. */
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

/** Passes progress on now and then, and lets the event loop turn. */
function turning(hear: CheckOptions['onProgress']): (progress: CheckerProgress) => Promise<void> | undefined {
  let last = Date.now();
  return progress => {
    if (Date.now() - last < TURN_INTERVAL) return undefined;
    hear?.(progress);
    last = Date.now();
    return new Promise(resolve => setTimeout(resolve, 0));
  };
}

function result(task: Task, answer: Answer, stats: CheckerStats): CheckResult {
  const { property, verdict } = answer;
  const common = { property: property.index, stats };
  switch (verdict.kind) {
    case 'safe':
      return {
        ...common,
        verdict: 'safe',
        invariant: evidenceText(task, answer),
        certificate: certificateFiles(task, answer),
      };
    case 'unsafe':
      return {
        ...common,
        verdict: 'unsafe',
        table: evidenceText(task, answer),
        trace: traceJson(task.system, property, verdict.trace),
        vcd: traceVcd(task.system, verdict.trace),
      };
    case 'unknown':
      return { ...common, verdict: 'unknown', reason: verdict.reason };
  }
}
