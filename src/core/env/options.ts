/**
 * The options of the engines: one table with each option's name, values, default and meaning. The command line, its help,
 * the library and the documentation are made from it.
 */
export interface EngineOptions {
  /** Operators on constants have their value in the abstraction. */
  readonly evaluateConstants: boolean;
  /** Arrays are uninterpreted, or their axioms are instantiated inside the abstract questions (EUFORIA_NAA). */
  readonly arrays: 'abstract' | 'lazy';
  /** Drop literals from blocked cubes beyond what cores drop. */
  readonly generalize: boolean;
  /** Loops that count are also taken as one step. */
  readonly accelerate: boolean;
  /** Properties of arrays are also searched with indices that are known from the beginning. */
  readonly prophecy: boolean;
  /** Callers also wait for what they call, where that makes derivations runs. */
  readonly waiting: boolean;
  /** Facts that analyses know of all that is derivable are added to the problem: all kinds, none, or one of the kinds. */
  readonly facts: boolean | 'intervals' | 'equations';
  /** IC3 over predicates blocks counterexamples to generalisation. */
  readonly ctg: boolean;
  /** It looks for equations through states that it had to refine. */
  readonly mining: boolean;
  /** A spurious step waits for refinement until a run needs it; later: in a second search, if the first takes long. */
  readonly lazy: boolean | 'later';
  /** Literals that cannot be dropped make way for weaker ones. */
  readonly geometric: boolean;
  /** Bounded search goes up to this depth; 0: as far as it gets. */
  readonly bound: number;
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
    key: 'accelerate',
    name: 'accelerate',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'loops that count are also searched as one step',
  },
  {
    key: 'prophecy',
    name: 'prophecy',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'what holds of all elements of an array is also searched for, one element at a time',
  },
  {
    key: 'waiting',
    name: 'waiting',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'clauses: callers also wait for what they call, so that derivations are runs',
  },
  {
    key: 'facts',
    name: 'facts',
    type: 'choice',
    choices: [...ON_OFF, 'intervals', 'equations'],
    initial: 'on',
    help: 'passes add what they know of values: intervals, affine equations, or both',
  },
  {
    key: 'ctg',
    name: 'ctg',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'predicates: block states that keep a cube from growing',
  },
  {
    key: 'mining',
    name: 'mining',
    type: 'choice',
    choices: ON_OFF,
    initial: 'on',
    help: 'predicates: equations through states that were refined',
  },
  {
    key: 'lazy',
    name: 'lazy',
    type: 'choice',
    choices: ['on', 'off', 'later'],
    initial: 'later',
    help: 'predicates: refine a spurious step only when a run needs it',
  },
  {
    key: 'geometric',
    name: 'geometric',
    type: 'choice',
    choices: ON_OFF,
    initial: 'off',
    help: 'predicates: weaken literals that cannot be dropped',
  },
  {
    key: 'bound',
    name: 'bound',
    type: 'index',
    initial: 0,
    help: 'bounded search looks no further than so many steps; 0 is no bound',
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
