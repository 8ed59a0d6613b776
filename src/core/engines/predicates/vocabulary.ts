/**
 * What predicates may speak of at each location: the atoms and the terms over its places that edges which leave it mention,
 * and pairs of places that are compared there, or that some edge into it gives the same value.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { conditionsOf, type Edge, isOver, type Location, type Problem } from '../../problem/problem.ts';

/** More terms, or pairs, of one location would make refinement slow. */
const MAX_TERMS = 40;
const MAX_PAIRS = 40;

type Pair = readonly [TermId, TermId];

export interface Words {
  /** Booleans that are no connectives. */
  readonly atoms: readonly TermId[];
  /** Bit-vectors: places first, then what is made of them. */
  readonly terms: readonly TermId[];
  /** Places of one sort, those first that are compared or get the same value. */
  readonly pairs: readonly Pair[];
  /** How many of the pairs these are. */
  readonly related: number;
}

export class Vocabulary {
  /** Does the problem compare signed numbers, or unsigned ones? */
  readonly comparesSigned: boolean;
  readonly comparesUnsigned: boolean;
  /** The constants of the problem, and their neighbours. */
  readonly constants: readonly bigint[];
  private readonly terms: TermStore;
  private readonly edges: EdgeTable;
  private readonly words = new Map<Location, Words>();

  constructor({ terms, edges }: Problem) {
    this.terms = terms;
    this.edges = new EdgeTable(edges);
    const all = terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values]));
    const constants = all
      .filter(t => terms.isConstant(t) && terms.width(t) > 1)
      .map(t => BigInt(terms.bvValue(t)));
    this.constants = [...new Set([0n, 1n, ...constants, ...constants.flatMap(c => [c + 1n, c - 1n])])];
    const ops = new Set(
      terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values])).map(t => terms.op(t)),
    );
    this.comparesSigned = SIGNED.some(op => ops.has(op));
    this.comparesUnsigned = UNSIGNED.some(op => ops.has(op)) || !this.comparesSigned;
  }

  of(location: Location): Words {
    let found = this.words.get(location);
    if (found === undefined) {
      found = this.wordsOf(location);
      this.words.set(location, found);
    }
    return found;
  }

  /** To begin with: atoms, x = y and x < y. */
  initial(location: Location): TermId[] {
    const { atoms, pairs, related } = this.of(location);
    return [
      ...atoms,
      ...pairs.slice(0, related).flatMap(([x, y]) => [this.terms.eq(x, y), ...this.orders(x, y)]),
    ];
  }

  /** x < y as the problem compares. */
  orders(x: TermId, y: TermId): TermId[] {
    const { terms } = this;
    const signed = this.comparesSigned ? [terms.app(Op.BVSLT, [x, y])] : [];
    return this.comparesUnsigned ? [...signed, terms.app(Op.BVULT, [x, y])] : signed;
  }

  private wordsOf(location: Location): Words {
    const { terms } = this;
    const own = new Set(location.places);
    const out = this.edges.outOf(location);
    const mentioned = terms.postorder(out.flatMap(e => [...conditionsOf(e), ...e.values]));
    const here = mentioned.filter(t => !terms.isConstant(t) && isOver(terms, t, own));
    const isBoolean = (t: TermId) => terms.sort(t) === terms.sorts.bool;
    const atoms = here.filter(t => isBoolean(t) && !isConnective(terms, t));
    const words = [...location.places.filter(p => !isBoolean(p)), ...here.filter(t => !isBoolean(t))];
    const bits = location.places.filter(isBoolean);
    return {
      atoms: [...new Set([...atoms, ...bits])],
      terms: [...new Set(words)].slice(0, Math.max(MAX_TERMS, location.places.length)),
      ...this.pairsOf(location, mentioned),
    };
  }

  private pairsOf(location: Location, mentioned: readonly TermId[]): Pick<Words, 'pairs' | 'related'> {
    const { terms } = this;
    const places = location.places.filter(p => terms.width(p) > 1);
    const compared = mentioned
      .filter(t => terms.sort(t) === terms.sorts.bool && !isConnective(terms, t))
      .map(t => new Set(terms.postorder([t])));
    const into = this.edges.into(location);
    const pairs = places.flatMap((y, i) => places.slice(0, i).map(x => [x, y] as const));
    const ofOneSort = pairs.filter(([x, y]) => terms.sort(x) === terms.sort(y));
    const isCompared = ([x, y]: Pair) => compared.some(set => set.has(x) && set.has(y));
    const isAlike = ([x, y]: Pair) => into.some(e => valueFor(e, location, x) === valueFor(e, location, y));
    const related = ofOneSort.filter(p => isCompared(p) || isAlike(p)).slice(0, MAX_PAIRS);
    const others = ofOneSort.filter(p => !related.includes(p));
    return { pairs: [...related, ...others].slice(0, MAX_PAIRS), related: related.length };
  }
}

const SIGNED = [Op.BVSLT, Op.BVSLE, Op.BVSGT, Op.BVSGE];
const UNSIGNED = [Op.BVULT, Op.BVULE, Op.BVUGT, Op.BVUGE];

function valueFor({ values }: Edge, { places }: Location, place: TermId): TermId {
  return values[places.indexOf(place)];
}

function isConnective(terms: TermStore, t: TermId): boolean {
  switch (terms.op(t)) {
    case Op.NOT:
    case Op.AND:
    case Op.OR:
    case Op.XOR:
    case Op.IMPLIES:
      return true;
    case Op.ITE:
      return terms.sort(t) === terms.sorts.bool;
    case Op.EQ:
    case Op.DISTINCT:
      return terms.sort(terms.arg(t, 0)) === terms.sorts.bool;
    default:
      return false;
  }
}
