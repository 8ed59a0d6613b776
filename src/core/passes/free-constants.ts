/**
 * Limits that may be anything. A loop that goes up to 100000 invites the search to go back from there, 99999, 99998, and so on, though
 * most proofs hold for any smaller limit n, too; and with n in its place there is nothing to go back from. So large constants that something
 * is compared with by an order become places that start with any value up to their own and keep it, of which no more is known than how
 * they are ordered; a constant that is near to another one, as 99999 is to 100000, is that one plus a number. The problem as it was is
 * the case in which they have their values: there are more runs than before, and only proofs find their way back, with the
 * constants in the place of the places.
 */
import { Op } from '../../term/operators.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import { freshNames } from '../problem/fresh-names.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  isLinear,
  type Location,
  type Problem,
} from '../problem/problem.ts';
import { lemmasBack, type Pass, unchanged } from './pass.ts';

/** A loop of fewer rounds can as well be unrolled. */
const LEAST = 8n;

/** Constants that differ by no more go together. */
const NEAR = 2n;

/** With more limits than these there would be little left that proofs could rest on. */
const MOST = 4;

const SIGNED: ReadonlySet<Op> = new Set([Op.BVSLT, Op.BVSLE, Op.BVSGT, Op.BVSGE]);
const UNSIGNED: ReadonlySet<Op> = new Set([Op.BVULT, Op.BVULE, Op.BVUGT, Op.BVUGE]);

/** The constants that would become places; `least`: the smallest of them, whatever its sign. */
export function limitsOf({ terms, edges, locations }: Problem, least = LEAST): TermId[] {
  if (locations.some(l => l.constraints.length > 0)) return [];
  const counts = new Map<TermId, number>();
  for (const edge of edges) {
    const own = terms.postorder(conditionsOf(edge)).flatMap(t => limitOf(terms, t, least) ?? []);
    for (const limit of new Set(own)) counts.set(limit, (counts.get(limit) ?? 0) + 1);
  }
  const found = [...counts.keys()].sort((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
  const apart: TermId[] = [];
  for (const c of found) if (!apart.some(d => isNear(terms, c, d))) apart.push(c);
  return apart.slice(0, MOST);
}

/** Are two constants of one sort, and hardly different? */
function isNear(terms: TermStore, a: TermId, b: TermId): boolean {
  if (terms.sort(a) !== terms.sort(b)) return false;
  const apart = numberOf(terms, a, true) - numberOf(terms, b, true);
  return apart <= NEAR && -apart <= NEAR;
}

/** The large constant in a comparison of it with something else. */
function limitOf(terms: TermStore, t: TermId, least: bigint): TermId | undefined {
  if (!SIGNED.has(terms.op(t)) && !UNSIGNED.has(terms.op(t))) return undefined;
  const [constants, others] = [true, false].map(is => terms.args(t).filter(a => terms.isConstant(a) === is));
  if (others.length !== 1) return undefined;
  const value = numberOf(terms, constants[0], true);
  return value >= least || value <= -least ? constants[0] : undefined;
}

function numberOf(terms: TermStore, constant: TermId, isSigned: boolean): bigint {
  const value = BigInt(terms.bvValue(constant));
  return isSigned ? BigInt.asIntN(terms.width(constant), value) : value;
}

/** For proofs only. */
export function freeConstants(problem: Problem, least = LEAST): Pass {
  const limits = isLinear(problem) ? limitsOf(problem, least) : [];
  return limits.length === 0 ? unchanged(problem) : new Freeing(problem, limits).pass();
}

class Freeing {
  private readonly problem: Problem;
  private readonly places: ReadonlyMap<TermId, TermId>; // by constant
  private readonly images: ReadonlyMap<TermId, TermId>; // of these constants and those near to them
  private readonly lifted: ReadonlyMap<Location, Location>;
  private readonly rewriter: Rewriter;

  constructor(problem: Problem, limits: readonly TermId[]) {
    const { terms, locations } = problem;
    this.problem = problem;
    const names = freshNames(
      problem,
      limits.map(() => 'limit'),
    );
    this.places = new Map(limits.map((c, i) => [c, terms.variable(names[i], terms.sort(c))]));
    this.images = this.withNeighbours();
    const own = [...this.places.values()];
    this.lifted = new Map(locations.map(l => [l, { ...l, places: [...l.places, ...own] }]));
    this.rewriter = new Rewriter(terms);
  }

  pass(): Pass {
    const { problem, places, lifted } = this;
    const { terms, next } = problem;
    const origins = new Map(problem.edges.map(e => [this.edge(e), e]));
    const constants = new Map([...places].flatMap(([c, n]) => [[n, c] as const, [next.of(n), c] as const]));
    return {
      problem: { ...problem, locations: [...lifted.values()], edges: [...origins.keys()] },
      back: {
        proof: proof => {
          const formulas = [...lifted.values()].map(l => proof.model.get(l) as TermId);
          const images = substituteAll(terms, formulas, constants);
          return {
            ...proof,
            model: new Map([...lifted.keys()].map((l, i) => [l, images[i]])),
            lemmas: lemmasBack(terms, proof.lemmas, e => [
              { edge: origins.get(e) as Edge, names: constants },
            ]),
          };
        },
        derivation: () => {
          throw new RangeError('runs with other limits are none of the problem');
        },
        keepsSteps: true,
      },
    };
  }

  private edge(edge: Edge): Edge {
    const { problem, places, images, lifted, rewriter } = this;
    const head = headOf(edge);
    const all = substituteAll(problem.terms, [edge.guard, ...edge.values], images);
    const [guard, ...values] = all.map(t => rewriter.rewrite(t));
    const source = edge.sources[0]?.location;
    const to = source && (lifted.get(source) as Location);
    return {
      sources: to === undefined ? [] : [{ location: to, places: to.places }],
      guard: to === undefined ? problem.terms.and([guard, ...this.orders(), ...this.bounds()]) : guard,
      head: head === undefined ? edge.head : (lifted.get(head) as Location),
      values: head === undefined ? [] : [...values, ...places.values()],
    };
  }

  private withNeighbours(): Map<TermId, TermId> {
    const { problem, places } = this;
    const { terms, edges } = problem;
    const images = new Map(places);
    for (const t of terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values]))) {
      if (!terms.isConstant(t) || terms.width(t) <= 1 || images.has(t)) continue;
      const near = [...places].find(([c]) => isNear(terms, t, c));
      if (near === undefined) continue;
      const apart = numberOf(terms, t, true) - numberOf(terms, near[0], true);
      const width = terms.width(t);
      images.set(t, terms.app(Op.BVADD, [terms.bv(width, BigInt.asUintN(width, apart)), near[1]]));
    }
    return images;
  }

  /** Limits that are positive are no greater than they are. */
  private bounds(): TermId[] {
    const { problem, places } = this;
    const { terms } = problem;
    return [...places]
      .filter(([c]) => numberOf(terms, c, true) > 0n)
      .map(([c, place]) => terms.not(terms.app(Op.BVULT, [c, place])));
  }

  /** How the limits, and zero, are ordered. */
  private orders(): TermId[] {
    const { problem, places } = this;
    const { terms } = problem;
    const used = new Set(terms.postorder(problem.edges.flatMap(e => conditionsOf(e))).map(t => terms.op(t)));
    const widths = new Set([...places.keys()].map(c => terms.width(c)));
    return [...widths].flatMap(width => {
      const own = [terms.bv(width, 0), ...[...places.keys()].filter(c => terms.width(c) === width)];
      return [Op.BVSLT, Op.BVULT].flatMap(less => {
        const isSigned = less === Op.BVSLT;
        if (![...(isSigned ? SIGNED : UNSIGNED)].some(op => used.has(op))) return [];
        const rank = (c: TermId) => numberOf(terms, c, isSigned);
        const sorted = own.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).map(c => places.get(c) ?? c);
        return sorted.slice(1).map((c, i) => terms.app(less, [sorted[i], c]));
      });
    });
  }
}
