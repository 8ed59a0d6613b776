/**
 * Bit-blasting: the bits of each Boolean and bit-vector term as edges of an and-inverter graph, made once. What
 * bits cannot say is read as an unknown, that is as fresh inputs: variables, reads of arrays, equalities between
 * arrays, applications of declared functions, and the operators that `isAbstract` names; lemmas (see lemmas/ and
 * abstraction.ts) tell what is needed about those.
 *
 * An element of an uninterpreted sort is the number of the element in the order in which unknowns of that sort take
 * new values: the first unknown is 0, the next is 0 or 1, the one after it at most 2, and so on. Any model can be
 * numbered so. Vectors of such a sort grow with the number of unknowns; a shorter one has zeros on top.
 */
import { Op } from '../term/operators.ts';
import { type SortId, SortKind } from '../term/sort.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { type Aig, complement, type Edge, FALSE, TRUE } from './aig.ts';
import { type Bits, Circuits } from './circuits.ts';
import { arrayEqualities } from './relevance.ts';

export class Blaster {
  private readonly terms: TermStore;
  private readonly aig: Aig;
  private readonly circuits: Circuits;
  private readonly isAbstract: (t: TermId) => boolean;
  private readonly checkpoint: () => void;
  private readonly bits = new Map<TermId, Bits>();
  private readonly unknownCounts = new Map<SortId, number>(); // of each uninterpreted sort
  private readonly dividers = new Map<string, { quotient: Bits; remainder: Bits }>();

  /** `checkpoint` is called before each term, since some take long; it may throw. */
  constructor(terms: TermStore, aig: Aig, isAbstract: (t: TermId) => boolean, checkpoint: () => void) {
    this.terms = terms;
    this.aig = aig;
    this.circuits = new Circuits(aig, checkpoint);
    this.isAbstract = isAbstract;
    this.checkpoint = checkpoint;
  }

  /**
   * Takes variables of an uninterpreted sort to be its first elements, one after another, unless it is too late because
   * some unknown of that sort has bits.
   */
  number(sort: SortId, variables: readonly TermId[]): void {
    if (this.unknownCounts.has(sort)) return;
    this.unknownCounts.set(sort, variables.length);
    variables.forEach((v, i) => {
      this.bits.set(v, this.circuits.constant(32 - Math.clz32(i), i));
    });
  }

  /** The bits of a term, if they have been made. */
  known(t: TermId): Bits | undefined {
    return this.bits.get(t);
  }

  /** The bits of a term, least significant first; one bit for a Boolean, none for an array. */
  blast(term: TermId): Bits {
    const known = this.bits.get(term);
    if (known !== undefined) return known;
    for (const t of this.terms.postorder([term], this.bits)) {
      this.checkpoint();
      this.bits.set(t, this.step(t));
    }
    return this.bits.get(term) as Bits;
  }

  edge(formula: TermId): Edge {
    return this.blast(formula)[0];
  }

  /** The bits of an operator whose term is read as an unknown: what the unknown would have to be. */
  meaning(t: TermId): Bits {
    return this.operator(t);
  }

  /** How many bits the next unknown of a sort has. */
  private widthOfUnknown(sort: SortId): number {
    const { sorts } = this.terms;
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return 1;
      case SortKind.BITVEC:
        return sorts.width(sort);
      default: {
        const count = this.unknownCounts.get(sort) ?? 0;
        this.unknownCounts.set(sort, count + 1);
        return count === 0 ? 0 : 32 - Math.clz32(count);
      }
    }
  }

  private step(t: TermId): Bits {
    const { terms } = this;
    if (terms.sorts.isArray(terms.sort(t))) return [];
    const op = terms.op(t);
    const isUnknown =
      op === Op.APPLY ||
      op === Op.SELECT ||
      (op === Op.EQ && terms.sorts.isArray(terms.sort(terms.arg(t, 0)))) ||
      this.isAbstract(t);
    if (!isUnknown) return this.operator(t);
    return Array.from({ length: this.widthOfUnknown(terms.sort(t)) }, () => this.aig.input());
  }

  private operator(t: TermId): Bits {
    const { terms, aig, circuits } = this;
    const arg = (i: number) => this.bits.get(terms.arg(t, i)) as Bits;
    const bit = (i: number) => arg(i)[0];
    const each = (gate: (a: Edge, b: Edge) => Edge) => arg(0).map((e, i) => gate.call(aig, e, arg(1)[i]));
    switch (terms.op(t)) {
      case Op.TRUE:
        return [TRUE];
      case Op.FALSE:
        return [FALSE];
      case Op.BV_CONST:
        return circuits.constant(terms.width(t), terms.bvValue(t));
      case Op.NOT:
      case Op.BVNOT:
        return circuits.not(arg(0));
      case Op.AND:
        return [aig.all(terms.args(t).map(a => (this.bits.get(a) as Bits)[0]))];
      case Op.OR:
        return [aig.any(terms.args(t).map(a => (this.bits.get(a) as Bits)[0]))];
      case Op.IMPLIES:
        return [aig.or(complement(bit(0)), bit(1))];
      case Op.XOR:
      case Op.BVXOR:
        return each(aig.xor);
      case Op.BVAND:
        return each(aig.and);
      case Op.BVOR:
        return each(aig.or);
      case Op.BVNAND:
        return circuits.not(each(aig.and));
      case Op.BVNOR:
        return circuits.not(each(aig.or));
      case Op.BVXNOR:
        return circuits.not(each(aig.xor));
      case Op.EQ:
      case Op.BVCOMP:
        return [this.equal(arg(0), arg(1))];
      case Op.DISTINCT:
        return [this.distinct(t)];
      case Op.ITE:
        return this.choice(bit(0), arg(1), arg(2));
      case Op.BVREDAND:
        return [aig.all(arg(0))];
      case Op.BVREDOR:
        return [aig.any(arg(0))];
      case Op.BVSHL:
        return circuits.shift(arg(0), arg(1), 'left', FALSE);
      case Op.BVLSHR:
        return circuits.shift(arg(0), arg(1), 'right', FALSE);
      case Op.BVASHR:
        return circuits.shift(arg(0), arg(1), 'right', last(arg(0)));
      default:
        return this.wiring(t, arg(0)) ?? this.arithmetic(t) ?? [this.predicate(t)];
    }
  }

  /** Operators that only arrange bits. */
  private wiring(t: TermId, a: Bits): Bits | undefined {
    const { terms } = this;
    const width = terms.width(t);
    const index = terms.payload(t);
    switch (terms.op(t)) {
      case Op.CONCAT:
        return [...(this.bits.get(terms.arg(t, 1)) as Bits), ...a];
      case Op.EXTRACT:
        return a.slice(index, index + width);
      case Op.ZERO_EXTEND:
        return extended(a, width, FALSE);
      case Op.SIGN_EXTEND:
        return extended(a, width, last(a));
      case Op.REPEAT:
        return Array.from({ length: width }, (_, i) => a[i % a.length]);
      case Op.ROTATE_LEFT:
        return a.map((_, i) => a[(((i - index) % width) + width) % width]);
      case Op.ROTATE_RIGHT:
        return a.map((_, i) => a[(i + index) % width]);
      default:
        return undefined;
    }
  }

  private arithmetic(t: TermId): Bits | undefined {
    const { terms, circuits } = this;
    const a = this.bits.get(terms.arg(t, 0)) as Bits;
    if (terms.op(t) === Op.BVNEG) return circuits.negate(a);
    if (terms.arity(t) < 2) return undefined;
    const b = this.bits.get(terms.arg(t, 1)) as Bits;
    switch (terms.op(t)) {
      case Op.BVADD:
        return circuits.add(a, b);
      case Op.BVSUB:
        return circuits.subtract(a, b);
      case Op.BVMUL:
        return circuits.multiply(a, b);
      case Op.BVUDIV:
        return this.divide(a, b).quotient;
      case Op.BVUREM:
        return this.divide(a, b).remainder;
      case Op.BVSDIV: {
        const { quotient } = this.divide(circuits.absolute(a), circuits.absolute(b));
        return circuits.ite(this.aig.xor(last(a), last(b)), circuits.negate(quotient), quotient);
      }
      case Op.BVSREM:
        return this.signedRemainder(a, b);
      case Op.BVSMOD:
        return this.signedModulus(a, b);
      default:
        return undefined;
    }
  }

  /** The remainder with the sign of the dividend. */
  private signedRemainder(a: Bits, b: Bits): Bits {
    const { circuits } = this;
    const { remainder } = this.divide(circuits.absolute(a), circuits.absolute(b));
    return circuits.ite(last(a), circuits.negate(remainder), remainder);
  }

  /** The remainder with the sign of the divisor: unless it is zero or has that sign already, b is added. */
  private signedModulus(a: Bits, b: Bits): Bits {
    const { aig, circuits } = this;
    const remainder = this.signedRemainder(a, b);
    const keep = aig.or(circuits.isZero(remainder), aig.iff(last(a), last(b)));
    return circuits.ite(keep, remainder, circuits.add(remainder, b));
  }

  private predicate(t: TermId): Edge {
    const { terms, aig, circuits } = this;
    const a = this.bits.get(terms.arg(t, 0)) as Bits;
    if (terms.op(t) === Op.BVNEGO) return aig.and(last(a), circuits.isZero(a.slice(0, -1)));
    const b = this.bits.get(terms.arg(t, 1)) as Bits;
    switch (terms.op(t)) {
      case Op.BVULT:
        return circuits.less(a, b, false);
      case Op.BVULE:
        return circuits.less(a, b, true);
      case Op.BVUGT:
        return circuits.less(b, a, false);
      case Op.BVUGE:
        return circuits.less(b, a, true);
      case Op.BVSLT:
        return circuits.signedLess(a, b, false);
      case Op.BVSLE:
        return circuits.signedLess(a, b, true);
      case Op.BVSGT:
        return circuits.signedLess(b, a, false);
      case Op.BVSGE:
        return circuits.signedLess(b, a, true);
      case Op.BVUADDO:
        return circuits.sum(a, b, FALSE).carry;
      case Op.BVUSUBO:
        return circuits.less(a, b, false);
      case Op.BVSADDO:
        return this.signedOverflow(a, b, circuits.add(a, b));
      case Op.BVSSUBO:
        return this.signedOverflow(a, circuits.not(b), circuits.subtract(a, b));
      case Op.BVUMULO:
        return aig.any(this.doubleProduct(a, b, FALSE, FALSE).slice(a.length));
      case Op.BVSMULO: {
        const product = this.doubleProduct(a, b, last(a), last(b));
        const sign = product[a.length - 1];
        return aig.any(product.slice(a.length).map(e => aig.xor(e, sign)));
      }
      case Op.BVSDIVO:
        return aig.and(aig.and(last(a), circuits.isZero(a.slice(0, -1))), aig.all(b));
      default:
        throw new Error(`no circuit for operator ${terms.op(t)}`);
    }
  }

  /** A sum of two numbers of one sign that has the other sign is wrong. */
  private signedOverflow(a: Bits, b: Bits, sum: Bits): Edge {
    const { aig } = this;
    return aig.and(aig.iff(last(a), last(b)), aig.xor(last(a), last(sum)));
  }

  private doubleProduct(a: Bits, b: Bits, fillA: Edge, fillB: Edge): Bits {
    return this.circuits.multiply(extended(a, 2 * a.length, fillA), extended(b, 2 * a.length, fillB));
  }

  private equal(a: Bits, b: Bits): Edge {
    const width = Math.max(a.length, b.length);
    return this.circuits.equal(extended(a, width, FALSE), extended(b, width, FALSE));
  }

  private choice(c: Edge, a: Bits, b: Bits): Bits {
    const width = Math.max(a.length, b.length);
    return this.circuits.ite(c, extended(a, width, FALSE), extended(b, width, FALSE));
  }

  private distinct(t: TermId): Edge {
    const { terms, aig } = this;
    const equalities = arrayEqualities(terms, t).map(e => this.edge(e));
    if (equalities.length > 0) return complement(aig.any(equalities));
    const vectors = terms.args(t).map(a => this.bits.get(a) as Bits);
    let result = TRUE;
    for (let i = 0; i < vectors.length; i++) {
      this.checkpoint();
      for (let j = 0; j < i; j++) result = aig.and(result, complement(this.equal(vectors[i], vectors[j])));
    }
    return result;
  }

  /** A divider is large, and quotient and remainder want the same one. */
  private divide(a: Bits, b: Bits): { quotient: Bits; remainder: Bits } {
    const key = `${a.join(' ')}/${b.join(' ')}`;
    let divider = this.dividers.get(key);
    if (divider === undefined) {
      divider = this.circuits.divide(a, b);
      this.dividers.set(key, divider);
    }
    return divider;
  }
}

function last(bits: Bits): Edge {
  return bits[bits.length - 1];
}

function extended(a: Bits, width: number, fill: Edge): Bits {
  if (a.length === width) return a;
  return Array.from({ length: width }, (_, i) => (i < a.length ? a[i] : fill));
}
