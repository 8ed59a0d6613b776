/**
 * What a call may say: a rule for each option of each function. Types say the same to those who have them; a misspelt option that
 * is silently ignored, or a number of seconds that is a text, would otherwise be found out late, by a wrong answer or a wrong limit.
 */

import { ENGINE_OPTIONS, type EngineOption, type EngineOptions } from '../core/env/options.ts';
import { ENCODINGS } from '../core/passes/pipeline.ts';
import { ENGINE_NAMES } from '../core/portfolio/engine-names.ts';
import { DATA_MODELS } from '../formats/c/flags.ts';
import { ALL_CHECKS, CHECKS } from '../formats/checks.ts';
import { TARGETS } from '../formats/targets.ts';
import { nearest } from './nearest.ts';
import type {
  CertifyOptions,
  CheckOptions,
  ConvertOptions,
  LimitOptions,
  ReadOptions,
  SolveOptions,
  Surroundings,
} from './options.ts';

/** What values an option takes. */
interface Rule {
  readonly takes: string;
  readonly allows: (value: unknown) => boolean;
}

type Rules<T> = Readonly<Record<keyof T, Rule>>;

const TEXT: Rule = { takes: 'a string', allows: v => typeof v === 'string' };
const BOOLEAN: Rule = { takes: 'true or false', allows: v => typeof v === 'boolean' };
const FUNCTION: Rule = { takes: 'a function', allows: v => typeof v === 'function' };
const INDEX: Rule = { takes: 'a whole number from 0', allows: isIndex };
const PROPERTY: Rule = {
  takes: 'the number or the name of a property',
  allows: v => typeof v === 'string' || isIndex(v),
};

const SURROUNDINGS: Rules<Surroundings> = {
  wasm: FUNCTION,
  compiler: {
    takes: 'the package @yowasp/clang, as it is imported',
    allows: v => isObject(v) && typeof v.runLLVM === 'function',
  },
  lookUp: FUNCTION,
};

const LIMITS: Rules<LimitOptions> = {
  timeout: { takes: 'a number of seconds', allows: v => typeof v === 'number' && v >= 0 },
  memory: { takes: 'a number of megabytes above 0', allows: v => typeof v === 'number' && v > 0 },
  signal: { takes: 'an AbortSignal', allows: v => isObject(v) && typeof v.aborted === 'boolean' },
  onWarning: FUNCTION,
};

const READING: Rules<ReadOptions> = {
  ...SURROUNDINGS,
  ...LIMITS,
  file: TEXT,
  strict: BOOLEAN,
  dataModel: oneOf(DATA_MODELS),
  defines: listOf(TEXT, 'strings'),
  includeFolders: listOf(TEXT, 'strings'),
  entry: TEXT,
  checks: someOf([...CHECKS, ALL_CHECKS]),
  externals: oneOf(['pure', 'havoc']),
  malloc: oneOf(['succeeds', 'may-fail']),
  floats: oneOf(['exact', 'any']),
  slice: oneOf(['auto', 'on', 'off']),
  blocks: oneOf(['small', 'large']),
  calls: oneOf(['inline', 'wait', 'summaries']),
};

const ENGINES = Object.fromEntries(ENGINE_OPTIONS.map(o => [o.key, ruleOf(o)])) as Rules<EngineOptions>;

const CHECKING: Rules<CheckOptions> = {
  ...READING,
  ...ENGINES,
  property: PROPERTY,
  onProgress: FUNCTION,
  engines: someOf(ENGINE_NAMES),
  encoding: oneOf(ENCODINGS),
};
const CERTIFYING: Rules<CertifyOptions> = { ...READING, property: PROPERTY };
const CONVERTING: Rules<ConvertOptions> = {
  ...READING,
  to: oneOf(TARGETS),
  steps: INDEX,
  property: PROPERTY,
  isPreprocessed: BOOLEAN,
};
const SOLVING: Rules<SolveOptions> = { ...SURROUNDINGS, ...LIMITS, file: TEXT };

const RULES = {
  check: CHECKING,
  properties: CHECKING,
  certify: CERTIFYING,
  convert: CONVERTING,
  solve: SOLVING,
} as const;

/** Throws a TypeError that says what is wrong with a call, if anything is: its texts by what they are called, and its options. */
export function expectCall(
  name: keyof typeof RULES,
  texts: Readonly<Record<string, unknown>>,
  options: unknown,
): void {
  for (const [what, text] of Object.entries(texts))
    if (typeof text !== 'string')
      throw new TypeError(`${name}: the ${what} must be a string, not ${shown(text)}`);
  if (!isObject(options) || Array.isArray(options))
    throw new TypeError(`${name}: the options must be an object, not ${shown(options)}`);
  const rules = new Map<string, Rule>(Object.entries(RULES[name]));
  for (const [key, value] of Object.entries(options)) {
    const rule = rules.get(key);
    if (rule === undefined) throw new TypeError(`${name}: ${strange(key, [...rules.keys()])}`);
    if (value !== undefined && !rule.allows(value))
      throw new TypeError(`${name}: the option ${key} takes ${rule.takes}, not ${shown(value)}`);
  }
}

function strange(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const help = meant === undefined ? `there are ${[...known].sort().join(', ')}` : `did you mean ${meant}?`;
  return `there is no option ${key}: ${help}`;
}

function ruleOf(option: EngineOption): Rule {
  if (option.type === 'index') return INDEX;
  return option.choices.includes('on') ? BOOLEAN : oneOf(option.choices);
}

function oneOf(choices: readonly string[]): Rule {
  const takes = choices.map(c => `'${c}'`).join(' or ');
  return { takes, allows: v => typeof v === 'string' && choices.includes(v) };
}

function someOf(choices: readonly string[]): Rule {
  return listOf(oneOf(choices), choices.map(c => `'${c}'`).join(', '));
}

function listOf({ allows }: Rule, what: string): Rule {
  return { takes: `a list of ${what}`, allows: v => Array.isArray(v) && v.every(allows) };
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A value as a message may quote it. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 40)}'`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return `[${value.map(shown).join(', ').slice(0, 40)}]`;
  return isObject(value) ? `an object (${value.constructor?.name ?? 'without a class'})` : String(value);
}
