/**
 * Generalisation of unreachable cubes: the core first, then literals are dropped one by one, those first that were seldom
 * part of blocked cubes. A state that keeps a literal from being dropped, a counterexample to generalisation, is itself
 * blocked if that is easy; otherwise the cube is joined with it, that is reduced to the literals that hold there, too
 * (Hassan, Bradley and Somenzi, "Better Generalization in IC3", FMCAD 2013).
 */
import type { Activity } from './activity.ts';
import type { Work } from './budget.ts';
import { type Cube, cubeOf, without } from './cube.ts';
import { FOREVER, type Frames } from './frames.ts';
import type { Lifter } from './lift.ts';
import type { Queries, Unreachable } from './queries.ts';

const MAX_COUNTEREXAMPLES = 3; // to the generalisation by one literal
const MAX_DEPTH = 1; // of generalising the counterexamples themselves

export class Generalizer {
  private readonly queries: Queries;
  private readonly frames: Frames;
  private readonly lifter: Lifter;
  private readonly activity: Activity;

  constructor(queries: Queries, frames: Frames, lifter: Lifter, activity: Activity) {
    this.queries = queries;
    this.frames = frames;
    this.lifter = lifter;
    this.activity = activity;
  }

  /**
   * Blocks a cube, or more than it, that was found unreachable at a level and has no initial state; the level up to which
   * it is blocked. If s' cannot be reached from outside of s, then the core c' of s' cannot be reached from outside of c,
   * which is less: so the core needs no question of its own.
   */
  *block(cube: Cube, unreachable: Unreachable, depth = 0): Work<number> {
    let best = yield* this.keepOutInitial(cube, unreachable.core);
    let { level } = unreachable;
    const kept = new Set<number>();
    for (const literal of this.activity.ascending(best)) {
      if (best.literals.length <= 1) break;
      if (!best.literals.includes(literal)) continue;
      const dropped = yield* this.drop(best, literal, level, depth, kept);
      if (dropped === undefined) kept.add(literal);
      else ({ core: best, level } = dropped);
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
  private *drop(
    cube: Cube,
    literal: number,
    level: number,
    depth: number,
    kept: ReadonlySet<number>,
  ): Work<Unreachable | undefined> {
    const { queries } = this;
    let smaller = without(cube, literal);
    for (let tries = 0; ; ) {
      if ((yield* queries.initialCore(smaller)) === undefined) return undefined;
      const answer = yield* queries.relative(smaller, level);
      if (answer !== undefined) {
        return { core: yield* this.keepOutInitial(smaller, answer.core), level: answer.level };
      }
      if (depth >= MAX_DEPTH) return undefined;
      const joined = smaller.literals.filter(l => queries.values[l >> 1] === 1 - (l & 1));
      if (tries < MAX_COUNTEREXAMPLES && level > 1 && level < FOREVER) {
        tries++;
        if (yield* this.blockCounterexample(this.state(), level - 1, depth)) continue;
      }
      tries = 0;
      if (joined.length === 0 || smaller.literals.some(l => kept.has(l) && !joined.includes(l)))
        return undefined;
      smaller = cubeOf(joined);
    }
  }

  /** What the last model's step rests on. */
  state(): Cube {
    const { cone, values, goals } = this.queries;
    return this.lifter.lift(cone, values, goals, this.activity.score);
  }

  /** Blocks a counterexample to generalisation at a level, if it is unreachable there by itself. */
  private *blockCounterexample(state: Cube, level: number, depth: number): Work<boolean> {
    if ((yield* this.queries.initialCore(state)) === undefined) return false;
    const answer = yield* this.queries.relative(state, level);
    if (answer === undefined) return false;
    yield* this.block(state, answer, depth + 1);
    return true;
  }
}
