/**
 * IC3 (Bradley, "SAT-Based Model Checking without Unrolling", VMCAI 2011; Eén, Mishchenko and Brayton, "Efficient
 * Implementation of Property Directed Reachability", FMCAD 2011; dissertation, Figures 2.1 and 2.2), whatever cubes are
 * made of. Frames over-approximate the states reachable in at most i steps; states of the last frame that violate the
 * property are traced back step by step and excluded, or lead to an initial state: then there is a counterexample. Excluded
 * cubes are pushed forward; when a frame runs empty, the one after it is an inductive invariant.
 *
 * The search can be continued after a counterexample that turned out not to be real: frames stay.
 *
 * A step may need several states to begin from (a call needs the state of the caller and what the callee returns); then counterexamples
 * are trees. An obligation is about one of these states, and when it is reached, the next one has its turn
 * (Hoder and Bjørner, "Generalized Property Directed Reachability", SAT 2012).
 */
import type { Work } from '../../../sat/work.ts';
import { FOREVER, type Frames } from './frames.ts';
import { type GeneralizeOptions, Generalizer } from './generalize.ts';
import { type Obligation, Obligations, type State } from './obligations.ts';
import type { CubeOperations, Queries, Reached, Resolution } from './queries.ts';

export interface SearchOptions<Cube> extends GeneralizeOptions {
  /** What has been blocked is asked about again at the next level, so that violations far away are found soon. */
  readonly looksAhead: boolean;
  /** A blocked obligation is asked about again one level further on, even if a known cube blocks it. */
  readonly requeueBlocked: boolean;
  /** Push what the proof needed of a cube, not the cube. */
  readonly pushCores: boolean;
  /** Cubes that are known to be unreachable for good by other means, those that are new since the last time. */
  readonly unreachable?: () => Iterable<Cube>;
}

export type SearchResult<S> =
  | { readonly kind: 'fixpoint'; readonly level: number } // R_level is inductive and implies the property
  | { readonly kind: 'counterexample'; readonly path: readonly S[] }; // from initial states to a violation, by one of its branches

export class Search<Cube extends object, Literal, S extends State<Cube>> {
  readonly frames: Frames<Cube>;
  private readonly queries: Queries<Cube, S>;
  private readonly options: SearchOptions<Cube>;
  private readonly generalizer: Generalizer<Cube, Literal, S>;

  constructor(
    queries: Queries<Cube, S>,
    frames: Frames<Cube>,
    cubes: CubeOperations<Cube, Literal>,
    options: SearchOptions<Cube>,
  ) {
    this.queries = queries;
    this.frames = frames;
    this.options = options;
    this.generalizer = new Generalizer(queries, frames, cubes, options);
  }

  *run(): Work<SearchResult<S>> {
    const { frames, queries } = this;
    for (;;) {
      this.takeUnreachable();
      const level = frames.depth;
      const bad = yield* queries.bad(level);
      if (bad !== undefined) {
        const path = yield* this.block({ state: yield* bad.state(), level, successor: undefined });
        if (path !== undefined) return { kind: 'counterexample', path };
        continue;
      }
      frames.newFrame();
      const fixpoint = yield* this.propagate();
      if (fixpoint !== undefined) return { kind: 'fixpoint', level: fixpoint + 1 };
    }
  }

  private takeUnreachable(): void {
    const { frames, queries, options } = this;
    for (const cube of options.unreachable?.() ?? [])
      if (frames.blockedAt(cube, FOREVER) !== FOREVER) queries.exclude(cube, frames.add(cube, FOREVER));
  }

  /** Blocks an obligation and all that lead to it; or the way from an initial state to it. */
  private *block(first: Obligation<S>): Work<S[] | undefined> {
    const { frames, queries, options } = this;
    const queue = new Obligations<S>();
    queue.push(first);
    const met = new Set<S>(); // obligations whose states are reached, by their state
    for (let o = queue.pop(); o !== undefined; o = queue.pop()) {
      const { level } = o;
      const { cube } = o.state;
      if (met.has(o.state)) continue;
      if (level === 0) {
        if (yield* this.isViolated(o, queue, met)) return pathFrom(o);
        continue;
      }
      const known = frames.blockedAt(cube, level);
      if (known !== undefined) {
        if (options.requeueBlocked && known < frames.depth) queue.push({ ...o, level: known + 1 });
        continue;
      }
      if ((yield* queries.initialCore(cube)) === undefined) {
        if (yield* this.isViolated(o, queue, met)) return pathFrom(o);
        continue;
      }
      const answer = yield* queries.derive?.(cube, level) ?? queries.relative(cube, level, false);
      if ('state' in answer) {
        const { kind, state } = yield* this.resolve(o, answer);
        queue.push(kind === 'instead' ? { ...o, state } : o);
        if (kind === 'before') queue.push({ state, level: level - 1, successor: o });
        continue;
      }
      const to = yield* this.generalizer.block(cube, answer);
      if (options.looksAhead && to < frames.depth) queue.push({ ...o, level: Math.max(to, level) + 1 });
    }
    return undefined;
  }

  /** Initial states reach the obligation's: do they reach the violation? If not, what is missing for that goes into the queue. */
  private *isViolated(reached: Obligation<S>, queue: Obligations<S>, met: Set<S>): Work<boolean> {
    const { queries } = this;
    if (queries.complete === undefined) return true;
    for (let o = reached; o.successor !== undefined; o = o.successor) {
      const completion = yield* queries.complete(o);
      if (completion.kind === 'again') return false;
      met.add(o.successor.state);
      if (completion.kind === 'complete') continue;
      if (completion.kind === 'open') queue.push({ ...o.successor, state: completion.state });
      return false;
    }
    return true;
  }

  private *resolve({ state, level }: Obligation<S>, reached: Reached<S>): Work<Resolution<S>> {
    const { queries } = this;
    if (queries.resolve !== undefined) return yield* queries.resolve(state, level, reached);
    return { kind: 'before', state: yield* reached.state() };
  }

  /** Pushes cubes forward; the number of a frame that ran empty, if there is one. */
  private *propagate(): Work<number | undefined> {
    const { frames, queries, options, generalizer } = this;
    for (let i = 1; i < frames.depth; i++) {
      for (const cube of [...frames.at(i)]) {
        if (frames.isSuperseded(cube)) continue;
        const answer = yield* queries.relative(cube, i + 1, true);
        if ('state' in answer) continue;
        const pushed = options.pushCores ? yield* generalizer.keepOutInitial(cube, answer.core) : cube;
        queries.exclude(pushed, frames.add(pushed, answer.level));
      }
      if (frames.at(i).length === 0) return i;
    }
    return undefined;
  }
}

function pathFrom<S>(first: Obligation<S>): S[] {
  const path: S[] = [];
  for (let o: Obligation<S> | undefined = first; o !== undefined; o = o.successor) path.push(o.state);
  return path;
}
