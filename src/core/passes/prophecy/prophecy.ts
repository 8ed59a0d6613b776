/**
 * Facts about all elements of an array, without quantifiers: prophecy (Mann, Irfan, Griggio, Padon, Barrett: Counterexample-guided
 * prophecy for model checking modulo the theory of arrays, TACAS 2021). A query reads arrays at an index that is
 * chosen at the end,
 *
 *   L(A, i, n) ∧ n ≤ i ∧ j < n ∧ A[j] ≠ 0 ⇒ false
 *
 * and nothing that can be said of L without quantifiers excludes it. But if j were known from the beginning, A[j] would be an
 * element like any other. So every location with arrays has another place p, which starts with any value and keeps it, and
 * the query is about runs in which the value was that of its index:
 *
 *   L(A, i, n, p) ∧ n ≤ i ∧ j < n ∧ A[j] ≠ 0 ∧ p = j ⇒ false
 *
 * Each run has a twin here, in which p has been right, so both problems ask the same; and a model M of this one is the
 * model ∀p. M of the other: M is kept by steps whatever p is, and the query excludes the instance at its index.
 *
 * Where intervals say within what the index is, p need not be anything else (ranges.ts).
 *
 * There is a p for each key of an index (keys.ts). Locations without arrays have none: an edge that leads to one is instantiated as
 * a query is. So an error location behind the one that reads makes no difference.
 */
import { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { mapped } from '../../problem/derivation.ts';
import { freshNames } from '../../problem/fresh-names.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  isQuery,
  type Location,
  type Problem,
  type Source,
} from '../../problem/problem.ts';
import type { Instance, Proof } from '../../problem/proof.ts';
import type { WrappedInterval } from '../facts/wrapped-interval.ts';
import { composed, lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_STEP } from '../pass.ts';
import { propagateEqualities } from '../propagate-equalities.ts';
import { simplifyEdges } from '../simplify-edges.ts';
import { arraysToCells } from './cells.ts';
import { Keys } from './keys.ts';
import { Ranges } from './ranges.ts';
import { Shapes } from './shapes.ts';

/** Each of them doubles what there is to say about elements. */
const MAX_PROPHECIES = 3;

/** With arrays as they are; undefined where there is nothing to foretell. */
export function prophesy(problem: Problem, checkpoint: Checkpoint): Pass | undefined {
  const plain = withPlainIndices(problem, checkpoint);
  if (plain === undefined) return undefined;
  const lifted = foretold(plain.problem, checkpoint);
  return lifted && composed(problem, [plain, lifted.pass], checkpoint);
}

/** With elements at foretold indices, and at constant ones, in the place of arrays: for proofs only. */
export function prophesyCells(problem: Problem, checkpoint: Checkpoint): Pass | undefined {
  const plain = withPlainIndices(problem, checkpoint);
  if (plain === undefined) return undefined;
  const lifted = foretold(plain.problem, checkpoint);
  if (lifted === undefined && !new Shapes(plain.problem).haveConstants) return undefined;
  const { pass, prophecies } = lifted ?? { pass: unchanged(plain.problem), prophecies: [] };
  return composed(problem, [plain, pass, arraysToCells(pass.problem, new Set(prophecies))], checkpoint);
}

/** Simplified as far as it takes to see how indices are computed; undefined if no elements but those at constant ones are used. */
function withPlainIndices(given: Problem, checkpoint: Checkpoint): Pass | undefined {
  // Arrays that are other names of what is written would hide it.
  const solver = new EquationSolver(new Rewriter(given.terms), checkpoint);
  const solved = simplifyEdges(given, solver);
  // Where a base is a constant, an index is computed from a counter alone.
  const propagated = propagateEqualities(solved.problem, solver.rewriter);
  if (!new Keys(propagated.problem).areElementsUsed) return undefined;
  return composed(given, [solved, propagated], checkpoint);
}

interface Foretold {
  readonly pass: Pass;
  readonly prophecies: readonly TermId[];
}

function foretold(problem: Problem, checkpoint: Checkpoint): Foretold | undefined {
  const { terms, edges, locations } = problem;
  const withArrays = new Set(locations.filter(l => l.places.some(p => terms.sorts.isArray(terms.sort(p)))));
  if (withArrays.size === 0) return undefined;
  const keys = new Keys(problem);
  const ends = edges.filter(e => isEnd(e, withArrays));
  const wanted = new Map(
    ends.map(e => {
      checkpoint.pass(WORK_OF_A_STEP);
      return [e, keys.of(e).slice(0, MAX_PROPHECIES)];
    }),
  );
  const prophecies = propheciesFor(problem, [...wanted.values()]);
  if (prophecies.length === 0) return undefined;
  const ranges = Ranges.of(problem, checkpoint);
  return { pass: new Lifting(problem, withArrays, prophecies, wanted, ranges).pass(), prophecies };
}

/** Does it come from where there are prophecies, and lead to where there are none? */
function isEnd({ sources, head }: Edge, withArrays: ReadonlySet<Location>): boolean {
  return sources.some(s => withArrays.has(s.location)) && (isQuery(head) || !withArrays.has(head));
}

/** Of each sort as many variables as the edge that needs most of them. */
function propheciesFor(problem: Problem, wanted: readonly (readonly TermId[])[]): TermId[] {
  const { terms } = problem;
  const sorts = new Map<number, number>();
  for (const keys of wanted) {
    for (const [sort, number] of countedBySort(terms, keys))
      sorts.set(sort, Math.max(number, sorts.get(sort) ?? 0));
  }
  const all = [...sorts]
    .flatMap(([sort, number]) => Array.from({ length: number }, () => sort))
    .slice(0, MAX_PROPHECIES);
  const names = freshNames(problem, ['p', 'q', 'r']);
  return all.map((sort, i) => terms.variable(names[i], sort as ReturnType<TermStore['sort']>));
}

function countedBySort(terms: TermStore, keys: readonly TermId[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(terms.sort(key), (counts.get(terms.sort(key)) ?? 0) + 1);
  return counts;
}

class Lifting {
  private readonly given: Problem;
  private readonly withArrays: ReadonlySet<Location>;
  private readonly prophecies: readonly TermId[];
  private readonly wanted: ReadonlyMap<Edge, readonly TermId[]>;
  private readonly lifted = new Map<Location, Location>();
  private readonly origins = new Map<Edge, Origin>(); // of each new edge; its prophecies are its instances
  private readonly instances = new Map<Edge, readonly Instance[]>(); // of each old edge
  private readonly range: TermId; // what is known of the prophecies
  private readonly ranges: Ranges | undefined; // if that is anything
  private others: readonly TermId[]; // values for prophecies that an edge has no key for

  constructor(
    given: Problem,
    withArrays: ReadonlySet<Location>,
    prophecies: readonly TermId[],
    wanted: ReadonlyMap<Edge, readonly TermId[]>,
    ranges: Ranges | undefined,
  ) {
    this.given = given;
    this.withArrays = withArrays;
    this.prophecies = prophecies;
    this.wanted = wanted;
    this.others = prophecies;
    for (const l of given.locations)
      this.lifted.set(l, withArrays.has(l) ? { ...l, places: [...l.places, ...prophecies] } : l);
    const arcs = prophecies.map((p, k) => (ranges === undefined ? undefined : this.arcOf(p, k, ranges)));
    const within = prophecies.flatMap((p, k) => ranges?.within(p, arcs[k]) ?? []);
    this.range = given.terms.and(within);
    this.ranges = within.length === 0 ? undefined : ranges;
    // Where nothing is read any value would do, but it must be one within the range.
    this.others = prophecies.map((p, k) => (ranges === undefined ? p : ranges.first(p, arcs[k])));
  }

  /** Within what a prophecy is if it is right; undefined if that is not known. */
  private arcOf(p: TermId, k: number, ranges: Ranges): WrappedInterval | undefined {
    let arc: WrappedInterval | undefined;
    for (const edge of this.wanted.keys()) {
      const value = this.instanceAt(edge)[k];
      if (value === p) continue;
      const own = ranges.arcOf(edge, value);
      arc = arc === undefined ? own : arc.join(own);
    }
    return arc?.isAll || arc?.isEmpty ? undefined : arc;
  }

  pass(): Pass {
    const { given } = this;
    const edges = given.edges.map(e => this.edge(e));
    const locations = given.locations.map(l => this.lifted.get(l) as Location);
    return {
      problem: { ...given, locations, edges },
      back: {
        proof: proof => this.proof(proof),
        derivation: derivation =>
          mapped(derivation, ({ edge, values }) => {
            const old = this.originOf(edge).edge;
            const known = new Set([...old.sources.flatMap(s => s.places), ...inputsOf(given.terms, old)]);
            return { edge: old, values: new Map([...values].filter(([v]) => known.has(v))) };
          }),
        keepsSteps: true,
        joinsStates: false,
      },
    };
  }

  private edge(edge: Edge): Edge {
    const { prophecies, withArrays, given } = this;
    const { terms, next } = given;
    const head = headOf(edge);
    const isForetold = head !== undefined && withArrays.has(head);
    // What the prophecies of the sources are: the head's, or what the edge reads at.
    const instance = isForetold ? prophecies : this.instanceAt(edge);
    const ties: TermId[] = [];
    const names = new Map<TermId, TermId>();
    const instances: Instance[] = [];
    const sources = edge.sources.map(({ location, places }, i): Source => {
      const to = this.lifted.get(location) as Location;
      if (to === location) return { location, places };
      const isOnly = edge.sources.length === 1;
      const own = isOnly ? prophecies : prophecies.map(p => this.copyOf(p, i));
      instances.push({ source: i, values: instance });
      for (const [k, p] of own.entries()) {
        names.set(p, instance[k]);
        if (p !== instance[k]) ties.push(terms.eq(p, instance[k]));
      }
      return { location: to, places: [...places, ...own] };
    });
    if (isForetold) for (const p of prophecies) names.set(next.of(p), p);
    // Here they begin.
    if (isForetold && instances.length === 0) ties.push(this.range);
    const lifted: Edge = {
      sources,
      guard: ties.length === 0 ? edge.guard : terms.and([edge.guard, ...ties]),
      head: head === undefined ? edge.head : (this.lifted.get(head) as Location),
      values: isForetold ? [...edge.values, ...prophecies] : edge.values,
    };
    this.origins.set(lifted, { edge, names });
    this.instances.set(edge, instances);
    return lifted;
  }

  /** A value for each prophecy: the keys of its sort in order, and the last of these for those that are too many. */
  private instanceAt(edge: Edge): TermId[] {
    const { terms } = this.given;
    const keys = [...(this.wanted.get(edge) ?? [])];
    const last = new Map<number, TermId>();
    return this.prophecies.map((p, i) => {
      const at = keys.findIndex(k => terms.sort(k) === terms.sort(p));
      const [key] = at < 0 ? [last.get(terms.sort(p)) ?? this.others[i]] : keys.splice(at, 1);
      last.set(terms.sort(p), key);
      return key;
    });
  }

  private copyOf(p: TermId, i: number): TermId {
    const { terms } = this.given;
    return terms.variable(`${terms.nameOf(p)}@${i + 1}`, terms.sort(p));
  }

  private originOf(edge: Edge): Origin {
    return this.origins.get(edge) as Origin;
  }

  private proof(proof: Proof): Proof {
    const { given, lifted, withArrays, prophecies, instances } = this;
    return {
      ...proof,
      model: new Map([...lifted].map(([l, to]) => [l, this.formula(l, proof.model.get(to) as TermId)])),
      forAll: { bound: new Map([...withArrays].map(l => [l, prophecies])), instances },
      lemmas: lemmasBack(given.terms, proof.lemmas, e => [this.originOf(e)]),
    };
  }

  private formula(location: Location, found: TermId): TermId {
    const { ranges, range, given, withArrays } = this;
    if (ranges === undefined) return found;
    const { terms } = given;
    const own = withArrays.has(location) ? terms.or([terms.not(range), found]) : found;
    return terms.and([...ranges.facts(location), own]);
  }
}
