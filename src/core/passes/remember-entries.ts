/**
 * What held when a loop was entered, said of any state of the loop. A loop is a location with edges to itself. Where each
 * of these adds a constant to an argument, or leaves it as it is, the value that the argument had at first can be told
 * from another one that counts the rounds:
 *
 *   up(n, k)   ∧ n ≤ k         ⇒ down(n, k, 0)
 *   down(n, k, j) ∧ j < n      ⇒ down(n, k - 1, j + 1)          k was k + j, so n ≤ k + j all the time
 *
 * These are consequences of the edges into the loop and follow by induction, and no guard of the program speaks of such sums:
 * the search would have to find them by refinement, one round of the loop after the other. They are added to the guards
 * of the edges that leave the location. Locations are looked at in the order in which they are declared, so that what is
 * known of one loop can be told of the next.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import { inverseModulo } from '../../term/bitvector.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { EdgeTable } from '../problem/edge-table.ts';
import { type Edge, type Location, type Problem, sourceOf } from '../problem/problem.ts';
import { edgeByEdge, type Pass, unchanged, WORK_OF_A_LOCATION } from './pass.ts';
import { postCondition } from './post-image.ts';

/** A loop that can be entered in more ways has nothing in common that could be said in short. */
const MAX_ENTRIES = 3;

/** A fact with more terms than this costs more than it helps. */
const MAX_SIZE = 60;

export function rememberEntries(problem: Problem, solver: EquationSolver): Pass {
  const { terms } = problem;
  const facts = new Map<Location, TermId>();
  const table = new EdgeTable(problem.edges);
  const known = (edge: Edge): Edge => {
    const own = edge.sources.length > 1 ? [] : edge.sources.flatMap(s => facts.get(s.location) ?? []);
    return own.length === 0 ? edge : { ...edge, guard: terms.and([edge.guard, ...own]) };
  };
  for (const location of problem.locations) {
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    const edges = table.into(location);
    if (edges.some(e => e.sources.length > 1)) continue;
    const loop = new Loop(
      solver,
      location,
      edges.filter(e => sourceOf(e) === location),
    );
    const entries = edges.filter(e => sourceOf(e) !== location).map(known);
    const fact = loop.fact(entries);
    if (fact !== terms.true) facts.set(location, fact);
  }
  if (facts.size === 0) return unchanged(problem);
  const origins = new Map(problem.edges.map(e => [known(e), e]));
  const withFacts = (l: Location, formula: TermId) => {
    const fact = facts.get(l);
    return fact === undefined ? formula : terms.and([formula, fact]);
  };
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: edgeByEdge(terms, origins, model => new Map([...model].map(([l, f]) => [l, withFacts(l, f)]))),
  };
}

class Loop {
  private readonly terms: TermStore;
  private readonly solver: EquationSolver;
  private readonly rewriter: Rewriter;
  private readonly location: Location;
  /** What each round, by its edge, adds to a place, if that is a constant: 0 for what is no vector. */
  private readonly increments = new Map<TermId, readonly bigint[]>();
  private readonly isLoop: boolean;

  constructor(solver: EquationSolver, location: Location, rounds: readonly Edge[]) {
    this.solver = solver;
    this.rewriter = solver.rewriter;
    this.terms = solver.rewriter.terms;
    this.location = location;
    this.isLoop = rounds.length > 0;
    location.places.forEach((place, i) => {
      const all = rounds.map(e => this.increment(place, this.rewriter.rewrite(e.values[i])));
      if (all.every(n => n !== undefined)) this.increments.set(place, all);
    });
  }

  private increment(place: TermId, value: TermId): bigint | undefined {
    const { terms } = this;
    if (value === place) return 0n;
    if (terms.op(value) !== Op.BVADD) return undefined;
    const [constant, other] = terms.args(value); // constants come first in normal forms
    return other === place && terms.isConstant(constant) ? BigInt(terms.bvValue(constant)) : undefined;
  }

  /** What holds in all states of the loop if it is entered by these edges. */
  fact(entries: readonly Edge[]): TermId {
    const { terms, isLoop } = this;
    if (!isLoop || entries.length === 0 || entries.length > MAX_ENTRIES) return terms.true;
    const fact = this.rewriter.rewrite(terms.or(entries.map(e => this.factOfEntry(e))));
    return terms.postorder([fact]).length > MAX_SIZE ? terms.true : fact;
  }

  private factOfEntry(entry: Edge): TermId {
    const { terms, rewriter, solver, location } = this;
    const conditions = conjunctsOf(rewriter, postCondition(location, entry, solver));
    const values = this.entryValues(conditions);
    const told = conditions.flatMap(c => {
      const variables = terms.postorder([c]).filter(t => terms.isVariable(t));
      if (!variables.every(v => values.has(v))) return [];
      const said = rewriter.rewrite(substitute(terms, c, values));
      return said === c ? [] : [said];
    });
    return terms.and(told);
  }

  /** The value that a place had at the entry, for those of which it can be told. */
  private entryValues(conditions: readonly TermId[]): Map<TermId, TermId> {
    const { terms, increments } = this;
    const values = new Map<TermId, TermId>();
    for (const [place, all] of increments) if (all.every(n => n === 0n)) values.set(place, place);
    const counters = new Map<TermId, TermId>(); // that have the value of a term at first which does not change
    for (const c of conditions) {
      if (terms.op(c) !== Op.EQ) continue;
      const [a, b] = terms.args(c);
      for (const [counter, first] of [
        [a, b],
        [b, a],
      ]) {
        if (values.has(counter) || counters.has(counter) || !increments.has(counter)) continue;
        if (terms.postorder([first]).every(t => !terms.isVariable(t) || values.has(t)))
          counters.set(counter, first);
      }
    }
    // Of two that count the rounds, one tells of the other and not the other of it: that would say the same again.
    const telling = new Set<TermId>();
    for (const [place, added] of increments) {
      if (values.has(place) || telling.has(place)) continue;
      for (const [counter, first] of counters) {
        if (counter === place || values.has(counter) || terms.sort(counter) !== terms.sort(place)) continue;
        const factor = ratio(added, increments.get(counter) as readonly bigint[], terms.width(place));
        if (factor === undefined) continue;
        values.set(place, this.before(place, factor, counter, first));
        telling.add(counter);
        break;
      }
    }
    for (const [counter, first] of counters) if (!values.has(counter)) values.set(counter, first);
    return values;
  }

  /** place - factor · (counter - first) */
  private before(place: TermId, factor: bigint, counter: TermId, first: TermId): TermId {
    const { terms, rewriter } = this;
    const width = terms.width(place);
    const rounds = rewriter.mk(Op.BVSUB, [counter, first]);
    if (factor === 1n) return rewriter.mk(Op.BVSUB, [place, rounds]);
    const product = rewriter.mk(Op.BVMUL, [terms.bv(width, -factor), rounds]);
    return rewriter.mk(Op.BVADD, [place, product]);
  }
}

/** The m with a = m · b modulo 2^width for all pairs, if some b has an inverse. */
function ratio(as: readonly bigint[], bs: readonly bigint[], width: number): bigint | undefined {
  const odd = bs.findIndex(b => b % 2n !== 0n);
  if (odd < 0) return undefined;
  const modulo = (n: bigint) => BigInt.asUintN(width, n);
  const m = modulo(as[odd] * inverseModulo(bs[odd], width));
  return as.every((a, i) => modulo(m * bs[i]) === modulo(a)) ? m : undefined;
}
