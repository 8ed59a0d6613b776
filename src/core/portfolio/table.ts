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
import type { EngineKind, Views } from '../engines/engine.ts';
import { K_INDUCTION } from '../engines/k-induction/engine.ts';
import { WALKS } from '../engines/walks/engine.ts';
import type { TransitionSystem } from '../problem/transition-system.ts';

export interface Row {
  readonly kind: EngineKind;
  /** When it starts, in virtual time. */
  readonly start: number;
  /** What a turn is worth, in its own units: less would not be worth the while. */
  readonly portion: number;
  /** What it may spend for each unit of virtual time, by the shape of the problem. */
  readonly rate: Readonly<Record<Shape, number>>;
  readonly why: string;
}

/**
 *   words      control, or data that are words: what the abstraction is good at
 *   few bits   one location, and a state of few bits of which more is said than of words: the abstraction has little to
 *              abstract from
 */
export type Shape = 'words' | 'few bits';

export const PORTFOLIO: readonly Row[] = [
  {
    kind: ABSTRACT,
    start: 0,
    portion: 10_000,
    rate: { words: 1, 'few bits': 1 },
    why: 'it is the clock: the other rates are relative to it. A portion is about a hundredth of a second',
  },
  {
    kind: BOUNDED,
    start: 0,
    portion: 40_000,
    rate: { words: 0.4, 'few bits': 3 },
    why:
      'near violations are found before the abstraction has its first lemma. Skipping depths, and more of it on few bits, ' +
      'took BTOR2 from 291 to 302 of 387 solved in 20 s; on programs it costs 3 % of the time, hence the small rate',
  },
  {
    kind: K_INDUCTION,
    start: 0,
    portion: 40_000,
    rate: { words: 0.2, 'few bits': 0.2 },
    why:
      'a shallow proof takes it a tenth of a second where IC3 learns hundreds of lemmas, and what it does not settle soon ' +
      'it hardly ever settles: so it has a fifth of the effort, whatever the shape',
  },
  {
    kind: WALKS,
    start: 200_000,
    portion: 300_000,
    rate: { words: 3, 'few bits': 5 },
    why:
      'only long runs find what others do not, so they are of no use before the others have tried. They took BTOR2 from ' +
      '302 to 311 of 387; on programs they cost 3 to 7 % of the time, hence the late start',
  },
  {
    kind: BITS,
    start: 100_000,
    portion: 320_000,
    rate: { words: 1, 'few bits': 12 },
    why:
      'what hangs on arithmetic needs thousands of lemmas in the abstraction. Where the state is few bits it may have most ' +
      'of the effort; given that by width alone it starved the abstract search on data paths, and eq_sdp_v4 was lost',
  },
];

/** When all engines that can prove anything have given up, each of the others may spend so much more. */
export const LAST_RESORT = 24_000_000;

const FEW_BITS = 600;
const FEW_BITS_A_VARIABLE = 8;

/** Throws an Unknown where there is no flat view. */
export function shapeOf(views: Views): Shape {
  if (views.problem.locations.length > 1) return 'words';
  const { system } = views.flat;
  return bitObstacle(system) === undefined && hasFewBits(system) ? 'few bits' : 'words';
}

function hasFewBits(system: TransitionSystem): boolean {
  const { terms, states, definitions, relations, constraints, property } = system;
  const bits = states.reduce((sum, s) => sum + Math.max(1, terms.width(s.current)), 0);
  if (bits > Math.min(FEW_BITS, FEW_BITS_A_VARIABLE * states.length)) return false;
  const all = terms.postorder([...definitions.values(), ...relations, ...constraints, property]);
  const words = all.filter(t => terms.width(t) > 1);
  return 2 * words.length <= all.length;
}
