/**
 * Bounded search for derivation trees, where edges have several sources (non-linear clauses: calls and their returns): is the
 * query derived by a tree of at most some height, for larger and larger heights? It is to such problems what bounded model
 * checking is to those whose derivations are runs: bit-precise, and for violations only.
 *
 * Trees are unfolded from the query down, and only as far as it takes: stratified inlining (A. Lal, S. Qadeer and S. K. Lahiri,
 * "A Solver for Reachability Modulo Theories", CAV 2012). There are two questions in turn. Is there a derivation among what is
 * unfolded? If not, every derivation needs one of the open nodes in the core; if only higher trees have these, the height is settled,
 * and the next one is the least that they allow. Otherwise: is there a derivation if open nodes that the height allows are taken for
 * granted? The open nodes in that are expanded, all at once; to expand what is in cores took a question a node where functions
 * call themselves twice. If there is none, the height is settled as well. So what contradicts itself above a call is
 * never looked into, and no height is skipped in which there might be a derivation.
 *
 * To settle a height may be harder than to find a derivation that is higher. So a question may use a limited effort; then all
 * nodes that the height allows are expanded, core or not, and if there are none, the height grows.
 */
import { isPause, Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { plural } from '../../../term/plural.ts';
import { isLinear, type Problem } from '../../problem/problem.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import { type Node, Unfolding } from './unfolding.ts';

export const BOUNDED_TREES: EngineKind = {
  name: 'bounded-trees',
  help: 'bounded search for derivation trees, for violations that are near',
  proves: false,
  refutes: true,
  obstacle: ({ problem }) => obstacleOf(problem),
  start: (views, env) => new BoundedTrees(views, env),
};

function obstacleOf(problem: Problem): string | undefined {
  if (isLinear(problem)) return 'derivations are runs here, which bounded search takes';
  // Constraints speak of the places of their location, and in such edges others stand for these.
  const isConstrained = problem.edges.some(
    ({ sources }) => sources.length > 1 && sources.some(s => s.location.constraints.length > 0),
  );
  return isConstrained
    ? 'it takes no locations with constraints where edges have several sources'
    : undefined;
}

/** The start and the query are edges of a tree, too, and no steps. */
const EDGES_BESIDE_STEPS = 2;
/** No node has this height. */
const NO_OPEN_NODE = 0;
/** What a question may cost at first, in propagations: numbers and not times, so that runs can be repeated. */
const FIRST_EFFORT = 1_000_000;
/** So much more each time that one was left open. */
const GROWTH = 1.5;
/** With more clauses or terms than this, nothing is unfolded any further. */
const MAX_CLAUSES = 2_000_000;
const MAX_TERMS = 5_000_000;

export class BoundedTrees implements Engine {
  private readonly problem: Problem;
  private readonly env: Pick<Env, 'budget' | 'options'>;
  private readonly unfolding: Unfolding;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly last: number; // height of all
  private height: number; // of the trees that are asked about
  private settled = 0; // no derivation is of this height or less
  private mayUse = NO_OPEN_NODE; // the present question allows open nodes up to this height
  private perQuestion = FIRST_EFFORT;
  private rest = FIRST_EFFORT; // of it, for the present question

  constructor({ problem }: Pick<Views, 'problem'>, env: Pick<Env, 'budget' | 'options'>) {
    this.problem = problem;
    this.env = env;
    this.unfolding = new Unfolding(problem);
    this.effort = new Effort(env.budget);
    this.portions = new Portions(this.effort, this.search());
    const { bound } = env.options;
    this.last = bound === 0 ? Number.POSITIVE_INFINITY : bound + EDGES_BESIDE_STEPS;
    this.height = this.unfolding.leastHeight;
  }

  run(effort: number): Outcome {
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { unfolding, settled } = this;
    return {
      depth: settled,
      nodes: unfolding.expanded,
      open: unfolding.open.length,
      clauses: unfolding.solver.clauseCount,
      propagations: unfolding.propagations,
    };
  }

  private *search(): Work<Outcome> {
    const { unfolding, problem } = this;
    this.turnTo(unfolding.leastHeight);
    yield* this.expand(this.allowed());
    while (!(yield* this.ask())) this.effort.checkpoint();
    return { about: problem, kind: 'unsafe', derivation: unfolding.derivation() };
  }

  /** Counts what was done since the last time, and pauses if it is time to. */
  private *pause(): Work<void> {
    this.effort.spend(this.unfolding.work - this.effort.spent);
    if (this.effort.left <= 0) yield 'turn';
  }

  /** Asks the present question, or goes on with it, and expands what it takes. Has it found a derivation? */
  private *ask(): Work<boolean> {
    const { unfolding, env } = this;
    yield* this.pause();
    const { solver } = unfolding;
    const start = unfolding.propagations;
    // The search starts anew after a pause, so it must get somewhere before the next one.
    const propagations = Math.min(this.rest, Math.max(this.effort.left, solver.clauseCount));
    const answer = unfolding.ask(this.mayUse, { ...env.budget, propagations });
    this.rest -= unfolding.propagations - start;
    if (answer === 'sat') {
      const open = unfolding.openInModel();
      yield* this.expand(open);
      return open.length === 0;
    }
    if (answer === 'unsat') yield* this.learn(unfolding.core());
    else if (!isPause(solver.unknownReason)) throw new Unknown(solver.unknownReason ?? 'incomplete');
    else if (this.rest <= 0) yield* this.leave();
    return false;
  }

  /** Every derivation needs one of these nodes. */
  private *learn(core: readonly Node[]): Work<void> {
    const least = Math.min(Number.POSITIVE_INFINITY, ...core.map(n => n.height));
    if (least <= this.height) this.mayUse = this.height;
    else {
      this.turnTo(least);
      this.settled = least - 1;
      yield* this.expand(core.filter(n => n.height <= least));
    }
  }

  /** The present question is left open. */
  private *leave(): Work<void> {
    this.perQuestion *= GROWTH;
    if (this.allowed().length === 0 && this.height < this.last) this.turnTo(this.height + 1);
    yield* this.expand(this.allowed());
  }

  private allowed(): Node[] {
    return this.unfolding.open.filter(n => n.height <= this.height);
  }

  private turnTo(height: number): void {
    const { last, env } = this;
    if (height === Number.POSITIVE_INFINITY)
      throw new Unknown('incomplete', 'there is no violation, but this is no proof that could be shown');
    if (height > last) {
      const steps = plural(env.options.bound, 'step');
      throw new Unknown(
        'incomplete',
        `there is no violation within ${steps}, and further on nothing is known`,
      );
    }
    this.height = height;
  }

  private *expand(nodes: readonly Node[]): Work<void> {
    const { unfolding } = this;
    for (const node of nodes) {
      const isFull = unfolding.solver.clauseCount > MAX_CLAUSES || unfolding.terms > MAX_TERMS;
      if (isFull) throw new Unknown('size', `trees of height ${this.height} are too large to be looked at`);
      unfolding.expand(node);
      yield* this.pause();
    }
    this.mayUse = NO_OPEN_NODE;
    this.rest = Math.max(this.perQuestion, unfolding.solver.clauseCount);
  }
}
