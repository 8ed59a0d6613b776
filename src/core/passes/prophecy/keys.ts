/**
 * What to foretell of an edge that reads arrays: the keys of its indices. The index of an element is often computed, as the
 * address `base + 4 · i` is, and what a loop counts is i; so the keys of an index are the variables that it is computed from,
 * if these are few, and otherwise the index itself, as it is where a place is among them that has the same value from the
 * beginning on: such a place is known already and no key, and neither is a constant.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { frozenPlaces } from '../../problem/frozen-places.ts';
import { conditionsOf, type Edge, isQuery, type Location, type Problem } from '../../problem/problem.ts';

/** An index that is computed from more is a key itself. */
export const MAX_PARTS = 2;

/** What indices are computed with. */
const ARITHMETIC: ReadonlySet<Op> = new Set([
  Op.BVADD,
  Op.BVSUB,
  Op.BVMUL,
  Op.BVNEG,
  Op.BVSHL,
  Op.CONCAT,
  Op.EXTRACT,
  Op.ZERO_EXTEND,
  Op.SIGN_EXTEND,
]);

export class Keys {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly frozen: ReadonlyMap<Location, ReadonlySet<TermId>>;

  constructor(problem: Problem) {
    this.problem = problem;
    this.terms = problem.terms;
    this.frozen = frozenPlaces(problem);
  }

  /** Are there edges besides queries that read or write at an index which is no constant? Otherwise all elements have names. */
  get areElementsUsed(): boolean {
    const { terms, problem } = this;
    const formulas = problem.edges.filter(e => !isQuery(e.head)).flatMap(e => [e.guard, ...e.values]);
    return terms.postorder(formulas).some(t => {
      const op = terms.op(t);
      return (op === Op.STORE || op === Op.SELECT) && !terms.isConstant(terms.arg(t, 1));
    });
  }

  /** The keys of the indices that an edge reads at, in the order in which they are met. */
  of(edge: Edge): TermId[] {
    const { terms } = this;
    const frozen = new Set(edge.sources.flatMap(s => this.frozenOf(s.location, s.places)));
    const reads = terms
      .postorder([...conditionsOf(edge), ...edge.values])
      .filter(t => terms.op(t) === Op.SELECT);
    const keys = new Set<TermId>();
    for (const read of reads) {
      const index = terms.arg(read, 1);
      const parts = partsOf(terms, index);
      const isAKey = parts.length > MAX_PARTS || (parts.length > 1 && parts.some(p => frozen.has(p)));
      for (const key of isAKey ? [index] : parts) if (!frozen.has(key)) keys.add(key);
    }
    return [...keys];
  }

  private frozenOf(location: Location, names: readonly TermId[]): TermId[] {
    const own = this.frozen.get(location);
    return names.filter((_, i) => own?.has(location.places[i]));
  }
}

/** What an index is computed from, other than constants. */
export function partsOf(terms: TermStore, index: TermId): TermId[] {
  const parts = new Set<TermId>();
  const waiting = [index];
  for (let t = waiting.pop(); t !== undefined; t = waiting.pop()) {
    if (terms.isConstant(t)) continue;
    if (ARITHMETIC.has(terms.op(t))) waiting.push(...terms.args(t));
    else parts.add(t);
  }
  return [...parts];
}
