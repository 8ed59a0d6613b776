/**
 * The library's front door: one call that takes a transition system as text and says whether it is safe, with evidence. It
 * needs nothing of node and runs in a browser as it is; where the WebAssembly SAT solver is to be used, the caller hands
 * over its bytes, because only the caller knows where they are.
 */
import type { BackEndModule } from './bv/back-end.ts';
import { HeavyBackEnd } from './bv/tiered.ts';
import { Checker, type CheckerProgress, type CheckerStats, type Verdict } from './core/checker.ts';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './core/env/options.ts';
import type { Property, System } from './core/system/system.ts';
import { InputError } from './input/diagnostic.ts';
import { readVmt } from './input/vmt.ts';
import { certificateScripts } from './output/certificate.ts';
import { invariantText } from './output/invariant.ts';
import { traceJson } from './output/trace-json.ts';
import { traceTable } from './output/trace-table.ts';
import { traceVcd } from './output/vcd.ts';
import { TermStore } from './term/store.ts';

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

interface Common {
  readonly property: number;
  readonly stats: CheckerStats;
}

export interface Safe extends Common {
  readonly verdict: 'safe';
  /** An SMT-LIB file with the invariant and the lemmas it rests on. */
  readonly invariant: string;
  /** SMT-LIB scripts, each to be answered `unsat`, that prove the verdict. */
  readonly certificate: readonly { readonly name: string; readonly text: string }[];
}

export interface Unsafe extends Common {
  readonly verdict: 'unsafe';
  /** The run as a table for people, as JSON, and as a value change dump for a waveform viewer. */
  readonly table: string;
  readonly trace: string;
  readonly vcd: string;
}

export interface Unknown extends Common {
  readonly verdict: 'unknown';
  readonly reason: string;
}

export type CheckResult = Safe | Unsafe | Unknown;

const TURN_INTERVAL = 100; // ms between turns of the event loop

/** Checks a property of a system in VMT. Throws an InputError, with line and column, if the text cannot be read. */
export async function check(text: string, options: CheckOptions = {}): Promise<CheckResult> {
  const file = options.file ?? 'input.vmt';
  const warn = options.onWarning ?? (() => {});
  const deadline = options.timeout === undefined ? undefined : Date.now() + 1000 * options.timeout;
  const system = readVmt(new TermStore(), file, text, { strict: options.strict === true, warn });
  const property = selectProperty(file, system, options.property);
  const checker = new Checker(system, property, {
    ...engineOf(options),
    budget: {
      ...(deadline === undefined ? {} : { deadline }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
    heavy: new HeavyBackEnd(() => load(options.wasm), warn),
    onProgress: turning(options.onProgress),
  });
  return result(system, property, await checker.run(), checker.stats);
}

/** The engine's options among the caller's; an undefined one is as good as none. */
function engineOf(options: CheckOptions): EngineOptions {
  const keys = Object.keys(DEFAULT_ENGINE_OPTIONS) as (keyof EngineOptions)[];
  const entries = keys.map(key => [key, options[key] ?? DEFAULT_ENGINE_OPTIONS[key]]);
  return Object.fromEntries(entries) as EngineOptions;
}

function selectProperty(file: string, system: System, index: number | undefined): Property {
  const chosen = index === undefined ? system.properties[0] : system.properties.find(p => p.index === index);
  if (chosen !== undefined) return chosen;
  throw new InputError(file, 1, 1, `there is no property ${index}`);
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

function result(system: System, property: Property, verdict: Verdict, stats: CheckerStats): CheckResult {
  const common = { property: property.index, stats };
  switch (verdict.kind) {
    case 'safe':
      return {
        ...common,
        verdict: 'safe',
        invariant: invariantText(system, property, verdict.proof),
        certificate: certificateScripts(system, property, verdict.proof),
      };
    case 'unsafe':
      return {
        ...common,
        verdict: 'unsafe',
        table: traceTable(system, property, verdict.trace),
        trace: traceJson(system, property, verdict.trace),
        vcd: traceVcd(system, verdict.trace),
      };
    case 'unknown':
      return { ...common, verdict: 'unknown', reason: verdict.reason };
  }
}
