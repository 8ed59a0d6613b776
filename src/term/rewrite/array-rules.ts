/** Rules for arrays: reads over writes that are decided by the indices alone, and writes without effect. */
import { Op } from '../operators.ts';
import type { Rule } from './rule.ts';

export const arrayRules: readonly Rule[] = [
  {
    name: 'read-over-write',
    ops: [Op.SELECT],
    rewrite: (r, { args: [array, index] }) => {
      const { terms } = r;
      let below = array;
      // A loop, since a chain of writes may be very long.
      while (terms.op(below) === Op.STORE) {
        const written = terms.arg(below, 1);
        if (written === index) return terms.arg(below, 2);
        if (!terms.isConstant(written) || !terms.isConstant(index)) break;
        below = terms.arg(below, 0);
      }
      if (terms.op(below) === Op.CONST_ARRAY) return terms.arg(below, 0);
      return below === array ? undefined : r.mk(Op.SELECT, [below, index]);
    },
  },
  {
    name: 'write-again',
    ops: [Op.STORE],
    rewrite: (r, { args: [array, index, element] }) => {
      const { terms } = r;
      const overwritten = terms.op(array) === Op.STORE && terms.arg(array, 1) === index;
      return overwritten ? r.mk(Op.STORE, [terms.arg(array, 0), index, element]) : undefined;
    },
  },
  {
    name: 'write-what-is-there',
    ops: [Op.STORE],
    rewrite: ({ terms }, { args: [array, index, element] }) => {
      const { op, arg } = { op: terms.op(element), arg: (i: number) => terms.arg(element, i) };
      if (op === Op.SELECT && arg(0) === array && arg(1) === index) return array;
      return terms.op(array) === Op.CONST_ARRAY && terms.arg(array, 0) === element ? array : undefined;
    },
  },
];
