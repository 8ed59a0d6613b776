/**
 * Property directed reachability on derivation trees (Hoder and Bjørner, "Generalized Property Directed Reachability", SAT
 * 2012; Komuravelli, Gurfinkel and Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014). Frames over-approximate
 * what trees of at most i edges' height derive. To derive a state of a cube, an edge is looked for that does so from facts of
 * the frame before, and its sources are derived one after the other: each is excluded from its frame, and then the edge is
 * looked for again, or is a fact. When all sources are facts, bits are asked about the whole: then this is a fact, too, or
 * the abstraction is refined. So every tree that is asked about has real subtrees, and facts are never taken back.
 */
import type { Work } from '../../../../sat/work.ts';
import type { TermId } from '../../../../term/store.ts';
import { evaluatorOf } from '../../../problem/derivation.ts';
import type { Location, Problem } from '../../../problem/problem.ts';
import type { Effort } from '../../effort.ts';
import type { Frames } from '../../ic3/frames.ts';
import type { Generalizer } from '../../ic3/generalize.ts';
import type { Cube } from '../cube.ts';
import type { Fact, Tree } from './tree.ts';
import type { AbstractUse, TreeQueries } from './tree-queries.ts';
import type { TreeRefinement } from './tree-refiner.ts';
import type { TreeSolvers } from './tree-solvers.ts';

export type TreeResult =
  | { readonly kind: 'fixpoint'; readonly level: number }
  | { readonly kind: 'violation'; readonly fact: Fact };

export interface TreeSearchParts {
  readonly problem: Problem;
  readonly queries: TreeQueries;
  readonly solvers: TreeSolvers;
  readonly frames: Frames<Cube>;
  readonly generalizer: Generalizer<Cube, TermId, AbstractUse>;
  readonly effort: Effort;
  /** Is a tree with these facts below it real? If not, what has been learnt is known everywhere. */
  readonly refine: (tree: Tree, premises: readonly Fact[]) => Work<TreeRefinement>;
}

export class TreeSearch {
  private readonly parts: TreeSearchParts;
  private readonly facts = new Map<Location, Fact[]>();

  constructor(parts: TreeSearchParts) {
    this.parts = parts;
    for (const l of parts.problem.locations) this.facts.set(l, []);
  }

  get factCount(): number {
    return [...this.facts.values()].reduce((sum, f) => sum + f.length, 0);
  }

  *run(): Work<TreeResult> {
    const { frames } = this.parts;
    for (;;) {
      const fact = yield* this.violation();
      if (fact !== undefined) return { kind: 'violation', fact };
      frames.newFrame();
      const fixpoint = yield* this.propagate();
      if (fixpoint !== undefined) return { kind: 'fixpoint', level: fixpoint + 1 };
    }
  }

  /** A violation by facts of the last frame, or nothing, and that frame has none. */
  private *violation(): Work<Fact | undefined> {
    const { frames, queries } = this.parts;
    const level = frames.depth;
    for (;;) {
      const bad = yield* queries.bad(level);
      if (bad === undefined) return undefined;
      const fact = yield* this.use(yield* bad.state(), [], level);
      if (fact !== undefined) return fact;
    }
  }

  /** A fact of a cube, by trees of at most this height; or nothing, and the cube is excluded from the frame. */
  private *derive(cube: Cube, level: number): Work<Fact | undefined> {
    const { frames, queries, generalizer, solvers } = this.parts;
    const states = solvers.states(cube);
    const known = this.known(solvers.location(cube), states, level);
    if (known !== undefined) return known;
    for (;;) {
      if (frames.blockedAt(cube, level) !== undefined) return undefined;
      const answer = yield* queries.relative(cube, level, false);
      if (!('state' in answer)) {
        yield* generalizer.block(cube, answer);
        return undefined;
      }
      const fact = yield* this.use(yield* answer.state(), states, level - 1);
      if (fact === undefined) continue;
      this.facts.get(solvers.location(cube))?.push(fact);
      return fact;
    }
  }

  /** What a use of an edge derives from facts of a frame; nothing if that is not possible, by what is known now. */
  private *use(found: AbstractUse, states: readonly TermId[], level: number): Work<Fact | undefined> {
    const { solvers, refine } = this.parts;
    const { edge, cubes, justification } = found;
    const premises: Fact[] = [];
    for (const cube of cubes) {
      const premise = yield* this.derive(cube, level);
      if (premise === undefined) return undefined;
      premises.push(premise);
    }
    const tree: Tree = {
      edge,
      cube: states,
      justification,
      asked: cubes.map(c => solvers.states(c)),
      children: premises.map(p => p.tree),
    };
    const refinement = yield* refine(tree, premises);
    return refinement.kind === 'real' ? refinement.fact : undefined;
  }

  /** A fact in these states that is known already. */
  private known(location: Location, states: readonly TermId[], level: number): Fact | undefined {
    const { terms } = this.parts.problem;
    this.parts.effort.checkpoint();
    return this.facts.get(location)?.find(({ derived, height }) => {
      const evaluator = evaluatorOf(terms, derived);
      return height <= level && states.every(l => evaluator.value(l) === true);
    });
  }

  /** Pushes cubes forward; the number of a frame that ran empty, if there is one. */
  private *propagate(): Work<number | undefined> {
    const { frames, queries } = this.parts;
    for (let i = 1; i < frames.depth; i++) {
      for (const cube of [...frames.at(i)]) {
        if (frames.isSuperseded(cube)) continue;
        const answer = yield* queries.relative(cube, i + 1, true);
        if (!('state' in answer)) queries.exclude(cube, frames.add(cube, answer.level));
      }
      if (frames.at(i).length === 0) return i;
    }
    return undefined;
  }
}
