/**
 * The options of the engine: one table with each option's name, values, default and meaning. The command line, its help,
 * the library and the documentation are made from it.
 */
export interface EngineOptions {
  /** Operators on constants have their value in the abstraction. */
  readonly evaluateConstants: boolean;
  /** Arrays are uninterpreted, or their axioms are instantiated inside the abstract questions (EUFORIA_NAA). */
  readonly arrays: 'abstract' | 'lazy';
  /** Drop literals from blocked cubes beyond what cores drop. */
  readonly generalize: boolean;
  /** What to do with a path whose states and steps are possible: ask about it as a whole, or simulate it. */
  readonly refine: 'path' | 'forward';
  /** Learn laws of operators where they imply a lemma. */
  readonly laws: boolean;
  /** An operation that so many lemmas speak of is read bit by bit from then on; 0: never. */
  readonly concretize: number;
  /** Beside the main search, look for violations by bounded model checking. */
  readonly bounded: boolean;
  /** Beside the main search, look for violations by random walks. */
  readonly walks: boolean;
  /** Beside the main search, run IC3 on single bits. */
  readonly bits: boolean;
  /** Perturbs the search: another seed, another order of the same kind of run. */
  readonly seed: number;
}

interface OptionBase {
  readonly key: keyof EngineOptions;
  /** As the command line spells it. */
  readonly name: string;
  readonly help: string;
}

/** How an option's value is spelt: one of some words, or a whole number. */
export type EngineOption = OptionBase &
  (
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly initial: string }
    | { readonly type: 'index'; readonly initial: number }
  );

const ON_OFF = ['on', 'off'] as const;

export const ENGINE_OPTIONS: readonly EngineOption[] = [
  {
    key: 'evaluateConstants',
    name: 'evaluate-constants',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'operators on constants have their value in the abstraction',
  },
  {
    key: 'arrays',
    name: 'arrays',
    type: 'choice',
    choices: ['abstract', 'lazy'],
    initial: 'abstract',
    help: 'lazy: abstract questions know the axioms of arrays',
  },
  {
    key: 'generalize',
    name: 'generalize',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'drop literals of unreachable cubes beyond what cores drop',
  },
  {
    key: 'refine',
    name: 'refine',
    type: 'choice',
    choices: ['path', 'forward'],
    initial: 'path',
    help: 'ask about a spurious path as a whole, or simulate it forward',
  },
  {
    key: 'laws',
    name: 'laws',
    type: 'choice',
    choices: ON_OFF,
    initial: 'off',
    help: 'learn laws of operators in place of lemmas that they imply',
  },
  {
    key: 'concretize',
    name: 'concretize',
    type: 'index',
    initial: 0,
    help: 'read an operation bit by bit after so many lemmas; 0 is never',
  },
  {
    key: 'bounded',
    name: 'bounded',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'beside the search, look for short violations by unrolling',
  },
  {
    key: 'walks',
    name: 'walks',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'beside the search, look for deep violations by random walks',
  },
  {
    key: 'bits',
    name: 'bits',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'beside the search, run IC3 on single bits',
  },
  { key: 'seed', name: 'seed', type: 'index', initial: 0, help: 'perturb the search' },
];

/** The options that words and numbers stand for; what is not mentioned has its initial value. */
export function engineOptions(values: Readonly<Record<string, string | number | undefined>>): EngineOptions {
  const entries = ENGINE_OPTIONS.map(option => {
    const value = values[option.name] ?? option.initial;
    return [option.key, value === 'on' ? true : value === 'off' ? false : value];
  });
  return Object.fromEntries(entries) as EngineOptions;
}

export const DEFAULT_ENGINE_OPTIONS: EngineOptions = engineOptions({});
