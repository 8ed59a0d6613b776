/**
 * Generalisation of unreachable cubes (dissertation Algorithm 4; Bradley 2011; Eén, Mishchenko and Brayton 2011): the
 * unsatisfiable core first, then literals are dropped one by one, those first that were seldom part of blocked cubes, and
 * each answer's core may drop more. Additions that engines choose:
 *
 *   counterexamples to generalisation (Hassan, Bradley and Somenzi, "Better Generalization in IC3", FMCAD 2013): a state
 *   that keeps a literal from being dropped is itself blocked, if it can be with little effort. On bits they were tried,
 *   up to three for each literal, at depth one, with joins: 18 tasks of 34 from hardware and BEEM were solved with them and
 *   23 without, in 5 s each
 *
 *   the cube is pushed on to the last frame that it is unreachable in
 *
 *   a literal that cannot be dropped makes way for a weaker one (Birgmeier's thesis on IC3-CEGAR, section 3.5)
 */
import type { Work } from '../../../sat/work.ts';
import type { Frames } from './frames.ts';
import { FOREVER } from './frames.ts';
import type { State } from './obligations.ts';
import type { CubeOperations, Queries, Unreachable } from './queries.ts';

export interface GeneralizeOptions {
  /** Drop literals beyond what cores drop. */
  readonly dropLiterals: boolean;
  /** Counterexamples to the generalisation by one literal that may be blocked. */
  readonly counterexamples: number;
  /** Push a blocked cube forward at once. */
  readonly pushFurther: boolean;
}

/** How deep counterexamples to the generalisation of counterexamples are looked at. */
const MAX_DEPTH = 1;

export class Generalizer<Cube extends object, Literal, S extends State<Cube>> {
  private readonly queries: Queries<Cube, S>;
  private readonly frames: Frames<Cube>;
  private readonly cubes: CubeOperations<Cube, Literal>;
  private readonly options: GeneralizeOptions;

  constructor(
    queries: Queries<Cube, S>,
    frames: Frames<Cube>,
    cubes: CubeOperations<Cube, Literal>,
    options: GeneralizeOptions,
  ) {
    this.queries = queries;
    this.frames = frames;
    this.cubes = cubes;
    this.options = options;
  }

  /**
   * Blocks a cube, or more than it, that was found unreachable at a level and has no initial state; the level up to which
   * it is blocked. If s' cannot be reached from outside of s, then the core c' of s' cannot be reached from outside of c,
   * which is less: so the core needs no question of its own.
   */
  *block(cube: Cube, unreachable: Unreachable<Cube>, depth = 0): Work<number> {
    const { cubes, options, frames, queries } = this;
    let best = yield* this.keepOutInitial(cube, unreachable.core);
    let { level } = unreachable;
    if (options.dropLiterals) {
      for (const literal of cubes.ascending(best)) {
        if (cubes.size(best) <= 1) break;
        if (!cubes.has(best, literal)) continue;
        const less =
          (yield* this.drop(best, literal, level, depth)) ?? (yield* this.weaken(best, literal, level));
        if (less !== undefined) ({ core: best, level } = less);
      }
    }
    while (options.pushFurther && level < frames.depth) {
      const further = yield* queries.relative(best, level + 1, false);
      if ('state' in further) break;
      best = yield* this.keepOutInitial(best, further.core);
      level = further.level;
    }
    cubes.bump(best);
    const to = frames.add(best, level);
    queries.exclude(best, to);
    return to;
  }

  /** A part of the cube with the core in it that has no initial state. */
  *keepOutInitial(cube: Cube, core: Cube): Work<Cube> {
    const { cubes, queries } = this;
    if (cubes.size(core) === cubes.size(cube)) return core;
    if (cubes.size(core) > 0 && (yield* queries.initialCore(core)) !== undefined) return core;
    const initial = yield* queries.initialCore(cube);
    if (initial === undefined) throw new Error('an unreachable cube has an initial state');
    return cubes.union(core, initial);
  }

  /** The cube without a literal, and perhaps others, if it stays unreachable. */
  private *drop(
    cube: Cube,
    literal: Literal,
    level: number,
    depth: number,
  ): Work<Unreachable<Cube> | undefined> {
    const { queries, cubes, options } = this;
    const smaller = cubes.without(cube, literal);
    for (let tries = 0; ; tries++) {
      if ((yield* queries.initialCore(smaller)) === undefined) return undefined;
      const answer = yield* queries.relative(smaller, level, false);
      if (!('state' in answer))
        return { core: yield* this.keepOutInitial(smaller, answer.core), level: answer.level };
      const isHopeless = depth >= MAX_DEPTH || level <= 1 || level === FOREVER;
      if (isHopeless || tries >= options.counterexamples) return undefined;
      if (!(yield* this.blockCounterexample((yield* answer.state()).cube, level - 1, depth)))
        return undefined;
    }
  }

  /** The cube with a literal weakened as far as it stays unreachable, if it does at all. */
  private *weaken(cube: Cube, literal: Literal, level: number): Work<Unreachable<Cube> | undefined> {
    const { queries, cubes } = this;
    let found: Unreachable<Cube> | undefined;
    for (let next = cubes.weakened?.(cube, literal); next !== undefined; ) {
      if ((yield* queries.initialCore(next.cube)) === undefined) return found;
      const answer = yield* queries.relative(next.cube, level, false);
      if ('state' in answer) return found;
      found = { core: yield* this.keepOutInitial(next.cube, answer.core), level: answer.level };
      if (!cubes.has(found.core, next.literal)) return found;
      next = cubes.weakened?.(found.core, next.literal);
    }
    return found;
  }

  /** Blocks a counterexample to generalisation at a level, if it is unreachable there by itself. */
  private *blockCounterexample(cube: Cube, level: number, depth: number): Work<boolean> {
    if ((yield* this.queries.initialCore(cube)) === undefined) return false;
    const answer = yield* this.queries.relative(cube, level, false);
    if ('state' in answer) return false;
    yield* this.block(cube, answer, depth + 1);
    return true;
  }
}
