/**
 * What operators are on wrapped intervals: for each application of a bit-vector operator an arc that contains its value,
 * whatever numbers of the arcs its arguments have. A Boolean is an arc of one bit. An argument's arc is never empty.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { type Range, WrappedInterval } from './wrapped-interval.ts';

const TRUE = WrappedInterval.of(1, 1n);
const FALSE = WrappedInterval.of(1, 0n);
const EITHER = WrappedInterval.all(1);

export function truth(value: boolean | undefined): WrappedInterval {
  return value === undefined ? EITHER : value ? TRUE : FALSE;
}

/** The bits of a term that has an arc: one for a Boolean, none for an array. */
export function bitsOf(terms: TermStore, t: TermId): number {
  return terms.sort(t) === terms.sorts.bool ? 1 : terms.width(t);
}

/** Is one less than the other: always, never, or both? */
export function isLess([, a]: Range, [b]: Range, [c]: Range, [, d]: Range): boolean | undefined {
  return a < b ? true : c >= d ? false : undefined;
}

/** The arc of an application whose arguments have arcs; undefined stands for a term without one. */
export function application(
  terms: TermStore,
  t: TermId,
  args: readonly (WrappedInterval | undefined)[],
): WrappedInterval {
  const width = bitsOf(terms, t);
  if (args.some(a => a === undefined)) return WrappedInterval.all(width);
  const [a, b, c] = args as readonly WrappedInterval[];
  switch (terms.op(t)) {
    case Op.TRUE:
      return TRUE;
    case Op.FALSE:
      return FALSE;
    case Op.BV_CONST:
      return WrappedInterval.of(width, BigInt(terms.bvValue(t)));
    case Op.NOT:
      return a.not();
    case Op.AND:
      return truth(
        args.some(x => x?.constant === 0n) ? false : args.every(x => x?.constant === 1n) || undefined,
      );
    case Op.OR:
      return truth(
        args.some(x => x?.constant === 1n) || (args.every(x => x?.constant === 0n) ? false : undefined),
      );
    case Op.EQ:
      return truth(a.meet(b).isEmpty ? false : a.constant !== undefined && a.equals(b) ? true : undefined);
    case Op.ITE:
      return a.constant === undefined ? b.join(c) : a.constant === 1n ? b : c;
    case Op.BVULT:
      return truth(isLess(a.unsigned, b.unsigned, a.unsigned, b.unsigned));
    case Op.BVSLT:
      return truth(isLess(a.signed, b.signed, a.signed, b.signed));
    case Op.BVADD:
      return a.add(b);
    case Op.BVSUB:
      return a.sub(b);
    case Op.BVNEG:
      return a.neg();
    case Op.BVNOT:
      return a.not();
    case Op.BVMUL:
      return a.mul(b);
    case Op.ZERO_EXTEND:
      return a.zeroExtend(width);
    case Op.SIGN_EXTEND:
      return a.signExtend(width);
    case Op.EXTRACT:
      return extract(a, terms.indices(t)[1], width);
    case Op.CONCAT:
      return a
        .zeroExtend(width)
        .mul(WrappedInterval.of(width, 1n << BigInt(b.width)))
        .add(b.zeroExtend(width));
    default:
      return unsignedOperation(terms.op(t), width, a, b) ?? WrappedInterval.all(width);
  }
}

function extract(a: WrappedInterval, from: number, width: number): WrappedInterval {
  if (from === 0) return a.truncate(width);
  const [least, greatest] = a.unsigned;
  const shift = BigInt(from);
  return WrappedInterval.range(a.width, [least >> shift, greatest >> shift]).truncate(width);
}

/** Operators on bits, division and shifts, as unsigned numbers tell. */
function unsignedOperation(
  op: Op,
  width: number,
  a: WrappedInterval,
  b: WrappedInterval,
): WrappedInterval | undefined {
  if (b === undefined) return undefined;
  const [[aLeast, aGreatest], [bLeast, bGreatest]] = [a.unsigned, b.unsigned];
  const range = (least: bigint, greatest: bigint) => WrappedInterval.range(width, [least, greatest]);
  const bits = (greatest: bigint) => (1n << BigInt(greatest === 0n ? 0 : greatest.toString(2).length)) - 1n;
  const larger = aGreatest > bGreatest ? aGreatest : bGreatest;
  switch (op) {
    case Op.BVAND:
      return range(0n, aGreatest < bGreatest ? aGreatest : bGreatest);
    case Op.BVOR:
      return range(aLeast > bLeast ? aLeast : bLeast, bits(larger));
    case Op.BVXOR:
      return range(0n, bits(larger));
    case Op.BVUDIV:
      return bLeast === 0n ? undefined : range(aLeast / bGreatest, aGreatest / bLeast);
    case Op.BVUREM:
      if (aGreatest < bLeast) return a;
      return bLeast === 0n
        ? range(0n, aGreatest)
        : range(0n, aGreatest < bGreatest ? aGreatest : bGreatest - 1n);
    case Op.BVLSHR:
      return bGreatest > BigInt(width)
        ? range(0n, aGreatest)
        : range(aLeast >> bGreatest, aGreatest >> bLeast);
    case Op.BVSHL:
      return b.constant === undefined || b.constant > BigInt(width)
        ? undefined
        : a.mul(WrappedInterval.of(width, 1n << b.constant));
    case Op.BVASHR: {
      if (b.constant === undefined || b.constant > BigInt(width)) return undefined;
      const [least, greatest] = a.signed;
      return range(least >> b.constant, greatest >> b.constant);
    }
    default:
      return undefined;
  }
}
