/**
 * Generalisation of unreachable cubes (dissertation Algorithm 4, after Bradley): the unsatisfiable core first, then
 * dropping literals one by one, with counterexamples to generalisation (Hassan, Bradley and Somenzi, "Better
 * Generalization in IC3", FMCAD 2013): a state that keeps a literal from being dropped is itself blocked, if it can be
 * with little effort.
 */
import type { EufModel } from '../../euf/model.ts';
import type { TermId } from '../../term/store.ts';
import { type Cube, cubeOf } from './cube.ts';
import type { Frames } from './frames.ts';
import { INFINITY } from './part.ts';
import type { Queries, Unreachable } from './queries.ts';

const MAX_COUNTEREXAMPLES = 3; // to the generalisation by one literal
const MAX_DEPTH = 1; // of generalising the counterexamples themselves

export interface Blocked {
  readonly cube: Cube;
  readonly level: number;
}

export class Generalizer {
  private readonly queries: Queries;
  private readonly frames: Frames;
  private readonly isOn: boolean;
  /** The pre-state of a step, as a cube. */
  private readonly stateOf: (model: EufModel, successor: Cube) => Cube;
  private readonly activity = new Map<TermId, number>(); // how often a literal was needed

  constructor(
    queries: Queries,
    frames: Frames,
    isOn: boolean,
    stateOf: (model: EufModel, successor: Cube) => Cube,
  ) {
    this.queries = queries;
    this.frames = frames;
    this.isOn = isOn;
    this.stateOf = stateOf;
  }

  /**
   * Makes a cube smaller that was found unreachable at a level and has no initial state. If s' cannot be reached from
   * outside of s, then the core c' of s' cannot be reached from outside of c, which is less: so the core needs no
   * question of its own.
   */
  generalize(cube: Cube, unreachable: Unreachable, depth = 0): Blocked {
    let best = this.keepOutInitial(cube, unreachable.core);
    let { level } = unreachable;
    if (this.isOn) {
      for (const literal of this.inOrder(best)) {
        if (best.length === 1) break;
        if (!best.includes(literal)) continue;
        const dropped = this.drop(best, literal, level, depth);
        if (dropped !== undefined) ({ cube: best, level } = dropped);
      }
    }
    for (const l of best) this.activity.set(l, (this.activity.get(l) ?? 0) + 1);
    return { cube: best, level };
  }

  /** A part of the cube with the core in it that has no initial state. */
  private keepOutInitial(cube: Cube, core: Cube): Cube {
    if (core.length > 0 && this.queries.initialCore(core) !== undefined) return core;
    const initial = this.queries.initialCore(cube);
    if (initial === undefined) throw new Error('an unreachable cube has an initial state');
    return cubeOf([...core, ...initial]);
  }

  private inOrder(cube: Cube): TermId[] {
    const rank = (l: TermId) => this.activity.get(l) ?? 0;
    return [...cube].sort((a, b) => rank(a) - rank(b) || b - a);
  }

  /** The cube without a literal, and perhaps others, if it stays unreachable. */
  private drop(cube: Cube, literal: TermId, level: number, depth: number): Blocked | undefined {
    const smaller = cube.filter(l => l !== literal);
    for (let tries = 0; ; tries++) {
      if (this.queries.initialCore(smaller) === undefined) return undefined;
      const answer = this.queries.relative(smaller, level);
      if ('core' in answer) return { cube: this.keepOutInitial(smaller, answer.core), level: answer.level };
      if (depth >= MAX_DEPTH || tries >= MAX_COUNTEREXAMPLES || level <= 1 || level === INFINITY)
        return undefined;
      if (!this.blockCounterexample(this.stateOf(answer, smaller), level - 1, depth)) return undefined;
    }
  }

  /** Blocks a counterexample to generalisation at a level, if it is unreachable there by itself. */
  private blockCounterexample(state: Cube, level: number, depth: number): boolean {
    if (this.queries.initialCore(state) === undefined) return false;
    const answer = this.queries.relative(state, level);
    if (!('core' in answer)) return false;
    const { cube, level: to } = this.generalize(state, answer, depth + 1);
    this.frames.add(cube, to);
    return true;
  }
}
