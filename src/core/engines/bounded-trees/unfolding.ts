/**
 * Derivation trees, unfolded from the query down into a concrete solver as far as anybody has asked for. A node stands for
 * a fact about its location; it is used by edges above it, and once it is expanded, to be used means to be derived by one of the
 * edges that lead to its location, whose sources are nodes below. A node that is not expanded is open: under the assumption that no
 * open node is used, what is satisfiable is a derivation.
 *
 * A node is derived by one edge only, so nodes that different edges need are never needed together, and need not be different.
 * Where they have the same place in the tree (slot), one node of each location is enough: a place is said by the one above, by
 * the family of locations (outline.ts), and by how many of that family come before. So a function without calls is unrolled
 * as a graph is, step by step, and only calls make branches. Such nodes are merged also in A. Lal and S. Qadeer, "DAG
 * Inlining: A Decision Procedure for Reachability-Modulo-Theories in Hierarchical Programs", PLDI 2015.
 *
 * Invariant: in every derivation tree, those of its nodes that are unfolded are used, and the solver knows nothing else; so
 * if there is no model in which no open node is used, every derivation needs one of those in the core.
 */
import type { ConcreteModel } from '../../../bv/model.ts';
import { OwnEngine } from '../../../bv/own-engine.ts';
import { ConcreteSolver } from '../../../bv/solver.ts';
import type { Budget } from '../../../sat/budget.ts';
import type { TermId } from '../../../term/store.ts';
import type { Derivation } from '../../problem/derivation.ts';
import type { Edge, Location, Problem } from '../../problem/problem.ts';
import { EdgeCopies } from './edge-copies.ts';
import { Outline } from './outline.ts';
import { derivationBy, type Use } from './use.ts';

/** What work other than the SAT engine's costs, in propagations: to make a clause, to copy and simplify a term, to ask. */
const COST_OF_A_CLAUSE = 6;
const COST_OF_A_TERM = 20;
const COST_OF_A_ROUND = 1000;

/** A place in the tree: nodes that are never used together, one for each location. */
interface Slot {
  /** So many edges are above it. */
  readonly depth: number;
  readonly nodes: Map<Location, Node>;
  readonly below: Map<string, Slot>;
}

/** A fact that a derivation may need. */
export interface Node {
  /** None: it is the query. */
  readonly location: Location | undefined;
  readonly slot: Slot;
  /** No tree in which it is used is less high. */
  readonly height: number;
  readonly isUsed: TermId;
  /** What stands for the location's places. */
  readonly places: readonly TermId[];
}

/** One of the ways to derive a node. */
interface Way {
  readonly edge: Edge;
  readonly isTaken: TermId;
  readonly inputs: ReadonlyMap<TermId, TermId>;
  readonly premises: readonly Node[];
}

export class Unfolding {
  readonly solver: ConcreteSolver;
  private readonly problem: Problem;
  private readonly sat = new OwnEngine();
  private readonly copies: EdgeCopies;
  private readonly outline: Outline;
  private readonly root: Node;
  private readonly ways = new Map<Node, Way[]>(); // of nodes that are expanded
  private readonly openNodes = new Set<Node>();
  private count = 0; // of nodes and ways, which have variables of their own
  private termsLookedAt = 0; // for lemmas, in rounds after the first of a question

  constructor(problem: Problem) {
    this.problem = problem;
    this.copies = new EdgeCopies(problem.terms);
    this.outline = new Outline(problem);
    this.solver = new ConcreteSolver(this.copies.terms, { backEnd: () => this.sat });
    this.root = {
      location: undefined,
      slot: slotAt(0),
      height: this.outline.height(undefined),
      isUsed: this.copies.terms.true,
      places: [],
    };
    this.openNodes.add(this.root);
  }

  /** No derivation of the query is less high; infinite if there is none. */
  get leastHeight(): number {
    return this.root.height;
  }

  /** The nodes that are not expanded. */
  get open(): Node[] {
    return [...this.openNodes];
  }

  get expanded(): number {
    return this.ways.size;
  }

  get propagations(): number {
    return this.sat.propagations;
  }

  /** How many terms have been copied. */
  get terms(): number {
    return this.copies.size;
  }

  /** What has been done so far, in propagations. */
  get work(): number {
    const { solver, copies } = this;
    return (
      this.sat.propagations +
      COST_OF_A_CLAUSE * solver.clauseCount +
      COST_OF_A_TERM * (copies.size + this.termsLookedAt) +
      COST_OF_A_ROUND * solver.roundCount
    );
  }

  /** Says how an open node is derived. */
  expand(node: Node): void {
    const { solver, outline } = this;
    const { terms } = this.copies;
    this.openNodes.delete(node);
    const edges = outline.into(node.location);
    const ways = edges.map(edge => this.way(node, edge, edges.length === 1));
    this.ways.set(node, ways);
    if (ways.length > 1) solver.assert(terms.or(ways.map(w => w.isTaken)), node.isUsed);
  }

  /** Is there a derivation in which open nodes up to a height may be used, and are taken for granted? */
  ask(height: number, budget: Budget): ReturnType<ConcreteSolver['solve']> {
    const { solver } = this;
    const { terms } = this.copies;
    // The highest are assumed first, so that they are preferred in cores.
    const unused = this.open.filter(n => n.height > height).sort((a, b) => b.height - a.height);
    const rounds = solver.roundCount;
    const answer = solver.solve(
      unused.map(n => terms.not(n.isUsed)),
      budget,
    );
    this.termsLookedAt += Math.max(0, solver.roundCount - rounds - 1) * this.terms;
    return answer;
  }

  /** After `unsat`: open nodes one of which every derivation needs. */
  core(): Node[] {
    const { solver } = this;
    const { terms } = this.copies;
    const core = new Set(solver.core());
    const needed = this.open.filter(n => core.has(terms.not(n.isUsed)));
    solver.assert(terms.or(needed.map(n => n.isUsed)));
    return needed;
  }

  /** After `sat`: the open nodes that the model takes for granted. */
  openInModel(): Node[] {
    const model = this.solver.model();
    const found = new Set<Node>();
    const look = (node: Node): void => {
      if (this.openNodes.has(node)) found.add(node);
      else for (const n of this.taken(node, model).premises) look(n);
    };
    look(this.root);
    return [...found];
  }

  /** After `sat`, if the model takes none for granted: its derivation. */
  derivation(): Derivation {
    const { problem, solver, copies } = this;
    const model = solver.model();
    const useOf = (node: Node): Use => {
      const { edge, inputs, premises } = (this.ways.get(node) as Way[]).find(w =>
        model.isTrue(w.isTaken),
      ) as Way;
      const values = [...inputs].map(([v, copy]) => [v, model.value(copy)] as const);
      return { edge, inputs: new Map(values), premises: premises.map(useOf) };
    };
    return derivationBy(problem.terms, useOf(this.root), (f, args) => model.apply(copies.function(f), args));
  }

  private taken(node: Node, model: ConcreteModel): Way {
    return (this.ways.get(node) as Way[]).find(w => model.isTrue(w.isTaken)) as Way;
  }

  /** By an edge, which is taken whenever the node is used if there is no other. */
  private way(node: Node, edge: Edge, isOnly: boolean): Way {
    const { copies, solver } = this;
    const { terms } = copies;
    const number = this.count++;
    const premises = this.premises(node.slot, edge);
    const places = edge.sources.flatMap((s, j) =>
      s.places.map((p, i) => [p, premises[j].places[i]] as const),
    );
    const { conditions, values, inputs } = copies.copy(edge, new Map(places), number);
    const isTaken = isOnly ? node.isUsed : terms.variable(`taken@${number}`, terms.sorts.bool);
    for (const f of conditions) solver.assert(f, isTaken);
    values.forEach((value, i) => {
      solver.assert(terms.eq(node.places[i], value), isTaken);
    });
    for (const { isUsed } of premises) solver.assert(isUsed, isTaken);
    return { edge, isTaken, inputs, premises };
  }

  /** The nodes below a slot that an edge needs, one for each source. */
  private premises(above: Slot, { sources }: Edge): Node[] {
    const { outline } = this;
    const before = new Map<number, number>(); // sources of a family so far
    return sources.map(({ location }) => {
      const family = outline.family(location);
      const rank = before.get(family) ?? 0;
      before.set(family, rank + 1);
      const key = `${family} ${rank}`;
      const slot = above.below.get(key) ?? slotAt(above.depth + 1);
      above.below.set(key, slot);
      const node = slot.nodes.get(location) ?? this.node(location, slot);
      slot.nodes.set(location, node);
      return node;
    });
  }

  private node(location: Location, slot: Slot): Node {
    const { copies, outline } = this;
    const { terms } = copies;
    const number = this.count++;
    const node = {
      location,
      slot,
      height: slot.depth + outline.height(location),
      isUsed: terms.variable(`used@${number}`, terms.sorts.bool),
      places: location.places.map(p => copies.variable(p, number)),
    };
    this.openNodes.add(node);
    return node;
  }
}

function slotAt(depth: number): Slot {
  return { depth, nodes: new Map(), below: new Map() };
}
