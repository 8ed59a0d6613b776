/**
 * One step of solving an equation `node = value` for an argument of the node, for the operators that are
 * one-to-one in that argument (Ganesh and Dill, "A decision procedure for bit-vectors and arrays", CAV 2007,
 * and the `solve-eqs` of other solvers). The step is an equivalence: `node = value` holds exactly when
 * `argument = inverse` and all residuals hold. Residuals arise where an operator does not reach all values,
 * such as zero_extend; they are equations narrower than the one they come from.
 */
import { inverseModulo } from '../../term/bitvector.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';

const NONE: readonly number[] = [];
const FIRST: readonly number[] = [0];
const SECOND: readonly number[] = [1];
const BOTH: readonly number[] = [0, 1];

/** The arguments of a node for which an equation `node = value` can be solved; `isTrue`: the value is true. */
export function invertibleArguments(terms: TermStore, node: TermId, isTrue: boolean): readonly number[] {
  switch (terms.op(node)) {
    case Op.NOT:
    case Op.BVNOT:
    case Op.BVNEG:
    case Op.ROTATE_LEFT:
    case Op.ROTATE_RIGHT:
    case Op.ZERO_EXTEND:
    case Op.SIGN_EXTEND:
    case Op.REPEAT:
      return FIRST;
    case Op.BVADD:
    case Op.BVSUB:
    case Op.BVXOR:
    case Op.CONCAT:
      return BOTH;
    case Op.EQ: {
      const side = terms.arg(node, 0);
      const twoValued = terms.sort(side) === terms.sorts.bool || terms.width(side) === 1;
      return isTrue || twoValued ? BOTH : NONE;
    }
    case Op.ITE:
      return isDisguise(terms, node) ? FIRST : NONE;
    case Op.BVMUL:
      return isOdd(terms, terms.arg(node, 0)) ? SECOND : isOdd(terms, terms.arg(node, 1)) ? FIRST : NONE;
    default:
      return NONE;
  }
}

/** What argument `i` of the node must be for the node to have the value. Adds to `residuals`. */
export function invert(r: Rewriter, node: TermId, i: number, value: TermId, residuals: TermId[]): TermId {
  const { terms } = r;
  const op = terms.op(node);
  const other = terms.arity(node) === 2 ? terms.arg(node, 1 - i) : node;
  switch (op) {
    case Op.NOT:
    case Op.BVNOT:
    case Op.BVNEG:
      return r.mk(op, [value]);
    case Op.ROTATE_LEFT:
      return r.mk(Op.ROTATE_RIGHT, [value], terms.indices(node));
    case Op.ROTATE_RIGHT:
      return r.mk(Op.ROTATE_LEFT, [value], terms.indices(node));
    case Op.BVADD:
      return r.mk(Op.BVSUB, [value, other]);
    case Op.BVSUB:
      return i === 0 ? r.mk(Op.BVADD, [value, other]) : r.mk(Op.BVSUB, [other, value]);
    case Op.BVXOR:
      return r.mk(Op.BVXOR, [value, other]);
    case Op.BVMUL:
      return r.mk(Op.BVMUL, [inverseOf(terms, other), value]);
    case Op.EQ:
      return invertEquality(r, other, value);
    case Op.ITE:
      return r.mk(Op.EQ, [value, terms.arg(node, 1)]);
    default:
      return invertWidening(r, node, i, value, residuals);
  }
}

/** The side of an equality, given the other one and whether they are equal. */
function invertEquality(r: Rewriter, other: TermId, areEqual: TermId): TermId {
  const { terms } = r;
  if (areEqual === terms.true) return other;
  if (terms.sort(other) === terms.sorts.bool) return r.mk(Op.EQ, [other, areEqual]);
  return r.mk(Op.ITE, [areEqual, other, r.mk(Op.BVNOT, [other])]);
}

/** Operators whose argument is some of the result's bits; the other bits must be what they have to be. */
function invertWidening(r: Rewriter, node: TermId, i: number, value: TermId, residuals: TermId[]): TermId {
  const { terms } = r;
  const bits = (high: number, low: number) => r.mk(Op.EXTRACT, [value], [high, low]);
  const [whole, width] = [terms.width(node), terms.width(terms.arg(node, i))];
  const low = bits(width - 1, 0);
  switch (terms.op(node)) {
    case Op.CONCAT: {
      const other = terms.arg(node, 1 - i);
      const rest = i === 1 ? bits(whole - 1, width) : bits(whole - width - 1, 0);
      residuals.push(r.mk(Op.EQ, [other, rest]));
      return i === 1 ? low : bits(whole - 1, whole - width);
    }
    case Op.ZERO_EXTEND:
      if (whole > width) residuals.push(r.mk(Op.EQ, [terms.bv(whole - width, 0), bits(whole - 1, width)]));
      return low;
    case Op.SIGN_EXTEND:
      if (whole > width) {
        const copies = r.mk(Op.SIGN_EXTEND, [bits(width - 1, width - 1)], [whole - width - 1]);
        residuals.push(r.mk(Op.EQ, [copies, bits(whole - 1, width)]));
      }
      return low;
    case Op.REPEAT: // every copy equals the next one
      if (whole > width) residuals.push(r.mk(Op.EQ, [bits(whole - 1, width), bits(whole - width - 1, 0)]));
      return low;
    default:
      throw new TypeError('an operator that cannot be inverted');
  }
}

/** Is it (ite p #b1 #b0) or (ite p #b0 #b1), a Boolean in the disguise of a bit? */
function isDisguise(terms: TermStore, node: TermId): boolean {
  if (terms.width(node) !== 1) return false;
  const [yes, no] = [terms.arg(node, 1), terms.arg(node, 2)];
  return terms.isConstant(yes) && terms.isConstant(no) && yes !== no;
}

function isOdd(terms: TermStore, t: TermId): boolean {
  return terms.op(t) === Op.BV_CONST && (BigInt(terms.bvValue(t)) & 1n) === 1n;
}

function inverseOf(terms: TermStore, odd: TermId): TermId {
  const width = terms.width(odd);
  return terms.bv(width, inverseModulo(BigInt(terms.bvValue(odd)), width));
}
