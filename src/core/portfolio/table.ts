/**
 * Which engines run, from when on, at which rate, and why. Time is virtual: an engine that has spent so much effort, in its
 * own units, is at
 *
 *   start + spent / rate
 *
 * and the scheduler lets the one go on that is furthest behind. So rates are what engines may spend for each unit of the
 * abstract search, whose rate is 1; its units are propagations, as are those of bounded search and bits, which cost
 * less, and walks count the nodes that they evaluate, which cost less still. Nothing here is about the clock.
 */
import { ABSTRACT } from '../engines/abstract/engine.ts';
import { BITS } from '../engines/bits/engine.ts';
import { bitObstacle } from '../engines/bits/words.ts';
import { BOUNDED } from '../engines/bounded/engine.ts';
import { BOUNDED_TREES } from '../engines/bounded-trees/engine.ts';
import { CONJECTURES } from '../engines/conjectures/engine.ts';
import type { EngineKind, Views } from '../engines/engine.ts';
import { EXECUTIONS } from '../engines/executions/engine.ts';
import { K_INDUCTION } from '../engines/k-induction/engine.ts';
import { PREDICATES } from '../engines/predicates/engine.ts';
import { WALKS } from '../engines/walks/engine.ts';
import type { EngineOptions } from '../env/options.ts';
import { accelerated, hasUntoldLoops, withLeaps } from '../passes/accelerate/nested.ts';
import { waitForCalls } from '../passes/calls/wait.ts';
import { freeConstants, limitsOf } from '../passes/free-constants.ts';
import { composed, unchanged } from '../passes/pass.ts';
import { preparedToRun } from '../passes/prepared-to-run.ts';
import { orderFacts } from '../passes/prophecy/order-facts.ts';
import { prophesy, prophesyCells } from '../passes/prophecy/prophecy.ts';
import { hasFewerCallsUnfolded, unfoldAll } from '../passes/unfold/unfold-all.ts';
import { conditionsOf, isLinear, type Problem } from '../problem/problem.ts';
import type { TransitionSystem } from '../problem/transition-system.ts';
import type { VariantKind } from './variants.ts';

export interface Row {
  readonly kind: EngineKind;
  /** What it runs on, if that is not the problem as it is. */
  readonly variant?: VariantKind;
  /** When it starts, in virtual time. */
  readonly start: number;
  /** What a turn is worth, in its own units: less would not be worth the while. */
  readonly portion: number;
  /** What it may spend for each unit of virtual time, by the shape of the problem. */
  readonly rate: Readonly<Record<Shape, number>>;
  readonly why: string;
}

/**
 *   few words  a small program: few places, and little that is said of them
 *   words      control, or data that are words: what the abstraction is good at
 *   few bits   one location, and a state of few bits of which more is said than of words: the abstraction has little to
 *              abstract from
 */
export type Shape = 'few words' | 'words' | 'few bits';

export const PORTFOLIO: readonly Row[] = [
  {
    kind: ABSTRACT,
    start: 0,
    portion: 10_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why: 'it is the clock: the other rates are relative to it. A portion is about a hundredth of a second',
  },
  {
    kind: BOUNDED,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why:
      'near violations are found before the abstraction has its first lemma. Skipping depths, and more of it on few bits, ' +
      'took BTOR2 from 291 to 302 of 387 solved in 20 s; on programs it costs 3 % of the time, hence the small rate',
  },
  {
    kind: BOUNDED_TREES,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why:
      'what can be derived soon is found without a lemma: two squares, by additions, whose sum is 100 take 0.14 s, and the ' +
      'abstract search gives up after 10 s; McCarthy at 90 takes 0.2 instead of 1.3 s. Where a function calls itself twice, trees ' +
      'double with each call, and fibo_15-2 becomes too large: hence the rate of bounded search, and no more',
  },
  {
    kind: K_INDUCTION,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.2, words: 0.2, 'few bits': 0.2 },
    why:
      'a shallow proof takes it a tenth of a second where IC3 learns hundreds of lemmas, and what it does not settle soon ' +
      'it hardly ever settles: so it has a fifth of the effort, whatever the shape',
  },
  {
    kind: WALKS,
    start: 200_000,
    portion: 300_000,
    rate: { 'few words': 3, words: 3, 'few bits': 5 },
    why:
      'only long runs find what others do not, so they are of no use before the others have tried. They took BTOR2 from ' +
      '302 to 311 of 387; on programs they cost 3 to 7 % of the time, hence the late start',
  },
  {
    kind: BITS,
    start: 100_000,
    portion: 320_000,
    rate: { 'few words': 1, words: 1, 'few bits': 12 },
    why:
      'what hangs on arithmetic needs thousands of lemmas in the abstraction. Where the state is few bits it may have most ' +
      'of the effort; given that by width alone it starved the abstract search on data paths, and eq_sdp_v4 was lost',
  },
  {
    kind: PREDICATES,
    start: 600_000,
    portion: 160_000,
    rate: { 'few words': 4, words: 0.02, 'few bits': 0.02 },
    why:
      'orders, differences and parities between variables of small programs are beyond the abstraction; large ones it never ' +
      'solved where others did not, so there it has next to nothing. See docs/performance.md for what it is measured by',
  },
  {
    kind: CONJECTURES,
    start: 100_000,
    portion: 100_000,
    rate: { 'few words': 2, words: 0.3, 'few bits': 0.1 },
    why:
      'equations, orders and bounds that hold together are found at once, where a search finds one after the other or none: ' +
      'of 13 loops of loop-lit and loop-new four are solved by it alone, in a second each. It gives up soon on all others',
  },
];

/** A bound counts the user's steps, and a step of an accelerated loop may be any number of them. */
const isAccelerated = ({ accelerate, bound }: EngineOptions) => accelerate && bound === 0;

/** With loops that count taken as steps. */
const ACCELERATED: VariantKind = {
  name: 'accelerated',
  make: ({ problem, settled, options }, checkpoint) =>
    isAccelerated(options) ? accelerated(problem, settled, 'told', checkpoint) : undefined,
};

/** The same with those too of which no proof can be told. */
const ALL_ACCELERATED: VariantKind = {
  name: 'all loops accelerated',
  serves: 'unsafe',
  make: ({ problem, settled, options }, checkpoint) =>
    isAccelerated(options) && hasUntoldLoops(settled.problem, checkpoint)
      ? accelerated(problem, settled, 'all', checkpoint)
      : undefined,
};

/** With any number of rounds as a step where a loop has several ways round. */
const LEAPS: VariantKind = {
  name: 'leaps',
  make: ({ problem, settled, options }, checkpoint) =>
    isAccelerated(options) ? withLeaps(problem, settled, checkpoint) : undefined,
};

/** With indices that are known from the beginning. */
const PROPHECY: VariantKind = {
  name: 'prophecy',
  make: ({ problem, options }, checkpoint) => (options.prophecy ? prophesy(problem, checkpoint) : undefined),
  last: orderFacts,
};

/** And with nothing left of arrays but the elements there, and limits that may be anything, of which proofs may be enough. */
const CELLS: VariantKind = {
  name: 'cells',
  serves: 'safe',
  make: ({ problem, options }, checkpoint) =>
    options.prophecy ? prophesyCells(problem, checkpoint) : undefined,
  last: (problem, checkpoint) => {
    const free = freeConstants(problem);
    return composed(problem, [free, orderFacts(free.problem)], checkpoint);
  },
};

/** Those without what is added about orders: bits know that, and have less to look at. */
const BARE_CELLS: VariantKind = { ...CELLS, name: 'bare cells', last: problem => freeConstants(problem) };

/** Cells with the limits that there are. */
const CELLS_WITHIN_LIMITS: VariantKind = {
  name: 'cells within limits',
  serves: 'safe',
  make: ({ problem, options }, checkpoint) =>
    options.prophecy && limitsOf(problem).length > 0 ? prophesyCells(problem, checkpoint) : undefined,
  last: orderFacts,
};

const BARE_CELLS_WITHIN_LIMITS: VariantKind = {
  name: 'bare cells within limits',
  serves: 'safe',
  make: CELLS_WITHIN_LIMITS.make,
};

/** Step by step as it was written. */
const AS_WRITTEN: VariantKind = {
  name: 'as written',
  make: ({ problem, options }) => (options.bound === 0 && isLinear(problem) ? unchanged(problem) : undefined),
  prepare: preparedToRun,
};

/** With callers that wait for what they call, where nothing calls itself. */
const WAITING: VariantKind = {
  name: 'waiting',
  make: ({ problem, options }, checkpoint) =>
    options.waiting ? waitForCalls(problem, checkpoint) : undefined,
};

/**
 * With whatever does not derive itself unfolded, where passes that know no quantifiers have left calls that go away by it. A bound
 * counts steps that are not unfolded.
 */
const UNFOLDED: VariantKind = {
  name: 'unfolded',
  make: ({ problem, settled, plain, options }, checkpoint) => {
    if (options.bound > 0 || isLinear(plain)) return undefined;
    return hasFewerCallsUnfolded(settled.problem, checkpoint) ? unfoldAll(problem, checkpoint) : undefined;
  },
};

/** What else runs, on variants of a problem, where there are such. */
export const ON_VARIANTS: readonly Row[] = [
  {
    kind: EXECUTIONS,
    variant: AS_WRITTEN,
    start: 30_000,
    portion: 400_000,
    rate: { 'few words': 25, words: 25, 'few bits': 25 },
    why: 'what is hundreds of thousands of steps away, behind loops that fill arrays, is there to be executed',
  },
  {
    kind: ABSTRACT,
    variant: WAITING,
    start: 0,
    portion: 10_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why: 'where derivations can be runs, they are found and excluded as runs are',
  },
  {
    kind: BOUNDED,
    variant: WAITING,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why: 'a violation behind a few calls is near',
  },
  {
    kind: ABSTRACT,
    variant: ACCELERATED,
    start: 0,
    portion: 10_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why:
      'sums over loops that cancel or wrap are proved in seconds where the loops are steps, and never where they are rounds; ' +
      'what is easy round by round can be hard as a sum, so neither goes without the other',
  },
  {
    kind: BOUNDED,
    variant: ACCELERATED,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why: 'a violation behind a thousand rounds is near where they are a step',
  },
  {
    kind: BOUNDED,
    variant: ALL_ACCELERATED,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why: 'the same, behind loops of whose rounds no proof can be told',
  },
  {
    kind: BOUNDED,
    variant: LEAPS,
    start: 100_000,
    portion: 40_000,
    rate: { 'few words': 0.2, words: 0.2, 'few bits': 0.2 },
    why:
      'a violation behind many rounds of one way round a loop, where there are others: reve/026 and 026b have theirs after ' +
      '2^31 rounds. Most violations are found before it starts',
  },
  {
    kind: CONJECTURES,
    variant: BARE_CELLS,
    start: 50_000,
    portion: 100_000,
    rate: { 'few words': 4, words: 4, 'few bits': 4 },
    why: 'facts about elements have the shape of its conjectures',
  },
  {
    kind: CONJECTURES,
    variant: BARE_CELLS_WITHIN_LIMITS,
    start: 200_000,
    portion: 100_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why: 'some facts hang on the limit, such as that addresses do not wrap',
  },
  {
    kind: ABSTRACT,
    variant: CELLS,
    start: 50_000,
    portion: 10_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why:
      'of 19 safe tasks of test/core/prophecy it proves 15 in 15 s, most of them with two seconds of search. It starts when ' +
      'what is easy has been solved',
  },
  {
    kind: PREDICATES,
    variant: BARE_CELLS,
    start: 100_000,
    portion: 160_000,
    rate: { 'few words': 2, words: 2, 'few bits': 1 },
    why: 'what is said of elements are orders: of 29 safe programs of array-examples it is the first on five',
  },
  {
    kind: ABSTRACT,
    variant: CELLS_WITHIN_LIMITS,
    start: 200_000,
    portion: 10_000,
    rate: { 'few words': 0.3, words: 0.3, 'few bits': 0.3 },
    why: 'some proofs hang on the limit; but with a constant for it, the search goes back from there, round by round',
  },
  {
    kind: BITS,
    variant: BARE_CELLS,
    start: 200_000,
    portion: 320_000,
    rate: { 'few words': 0.5, words: 0.5, 'few bits': 1 },
    why: 'without arrays it can be asked at all; what the abstraction says of orders is enough most of the time',
  },
  {
    kind: ABSTRACT,
    variant: PROPHECY,
    start: 200_000,
    portion: 10_000,
    rate: { 'few words': 0.5, words: 0.5, 'few bits': 0.5 },
    why:
      'where an element is computed from its neighbour, cells are not enough; otherwise it is the same search once more, on ' +
      'a larger problem',
  },
  {
    kind: ABSTRACT,
    variant: UNFOLDED,
    start: 0,
    portion: 10_000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why: 'what is linear once it is unfolded has runs for derivations, and where something derives itself besides, trees are narrower',
  },
  {
    kind: BOUNDED,
    variant: UNFOLDED,
    start: 0,
    portion: 40_000,
    rate: { 'few words': 0.4, words: 0.4, 'few bits': 3 },
    why: 'a violation is nearer than where it has to be derived step by step',
  },
];

/** When all engines that can prove anything have given up, each of the others may spend so much more. */
export const LAST_RESORT = 24_000_000;

const FEW_BITS = 600;
const FEW_BITS_A_VARIABLE = 8;

const FEW_PLACES = 10;
const FEW_TERMS = 500;

/** Throws an Unknown where there is one location and no flat view. */
export function shapeOf(views: Views): Shape {
  const words = hasFewWords(views.problem) ? 'few words' : 'words';
  if (views.problem.locations.length > 1) return words;
  const { system } = views.flat;
  return bitObstacle(system) === undefined && hasFewBits(system) ? 'few bits' : words;
}

function hasFewWords({ terms, locations, edges }: Problem): boolean {
  if (locations.some(l => l.places.length > FEW_PLACES)) return false;
  return terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values])).length <= FEW_TERMS;
}

function hasFewBits(system: TransitionSystem): boolean {
  const { terms, states, definitions, relations, constraints, property } = system;
  const bits = states.reduce((sum, s) => sum + Math.max(1, terms.width(s.current)), 0);
  if (bits > Math.min(FEW_BITS, FEW_BITS_A_VARIABLE * states.length)) return false;
  const all = terms.postorder([...definitions.values(), ...relations, ...constraints, property]);
  const words = all.filter(t => terms.width(t) > 1);
  return 2 * words.length <= all.length;
}
