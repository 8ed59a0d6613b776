/**
 * Generalisation of unreachable cubes (Bradley 2011; Eén, Mishchenko and Brayton 2011): the core first, then literals are
 * dropped one by one, those first that were seldom part of blocked cubes, and each answer's core may drop more.
 *
 * Counterexamples to generalisation (Hassan, Bradley and Somenzi, "Better Generalization in IC3", FMCAD 2013), up to three
 * for each literal, at depth one, with joins, were tried: they solved 18 tasks of 34 from hardware and BEEM, this 23, in 5 s
 * each and one run. Longer limits were not compared.
 */
import type { Activity } from './activity.ts';
import type { Work } from './budget.ts';
import { type Cube, cubeOf, without } from './cube.ts';
import type { Frames } from './frames.ts';
import type { Queries, Unreachable } from './queries.ts';

export class Generalizer {
  private readonly queries: Queries;
  private readonly frames: Frames;
  private readonly activity: Activity;

  constructor(queries: Queries, frames: Frames, activity: Activity) {
    this.queries = queries;
    this.frames = frames;
    this.activity = activity;
  }

  /**
   * Blocks a cube, or more than it, that was found unreachable at a level and has no initial state; the level up to which
   * it is blocked. If s' cannot be reached from outside of s, then the core c' of s' cannot be reached from outside of c,
   * which is less: so the core needs no question of its own.
   */
  *block(cube: Cube, unreachable: Unreachable): Work<number> {
    let best = yield* this.keepOutInitial(cube, unreachable.core);
    let { level } = unreachable;
    for (const literal of this.activity.ascending(best)) {
      if (best.literals.length <= 1) break;
      if (!best.literals.includes(literal)) continue;
      const dropped = yield* this.drop(best, literal, level);
      if (dropped !== undefined) ({ core: best, level } = dropped);
    }
    while (level < this.frames.depth) {
      const further = yield* this.queries.relative(best, level + 1);
      if (further === undefined) break;
      best = yield* this.keepOutInitial(best, further.core);
      level = further.level;
    }
    this.activity.bump(best);
    const to = this.frames.add(best, level);
    this.queries.addClause(best, to);
    return to;
  }

  /** A part of the cube with the core in it that has no initial state. */
  *keepOutInitial(cube: Cube, core: Cube): Work<Cube> {
    if (core.literals.length === cube.literals.length) return core;
    if ((yield* this.queries.initialCore(core)) !== undefined) return core;
    const initial = yield* this.queries.initialCore(cube);
    if (initial === undefined) throw new Error('an unreachable cube has an initial state');
    return cubeOf(new Set([...core.literals, ...initial.literals]));
  }

  /** The cube without a literal, and perhaps others, if it stays unreachable. */
  private *drop(cube: Cube, literal: number, level: number): Work<Unreachable | undefined> {
    const smaller = without(cube, literal);
    if ((yield* this.queries.initialCore(smaller)) === undefined) return undefined;
    const answer = yield* this.queries.relative(smaller, level);
    if (answer === undefined) return undefined;
    return { core: yield* this.keepOutInitial(smaller, answer.core), level: answer.level };
  }
}
