/**
 * Laws of operators: valid formulas that say about some terms all that a law has to say about them. A lemma is what
 * one counterexample needed; where laws about the lemma's own terms imply it, these are learnt in its place, because
 * they exclude its neighbours, too (x < y and y < x cannot both be; one of x < y, y < x, x = y must).
 */
import { EufSolver } from '../../euf/solver.ts';
import type { Budget } from '../../sat/budget.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';

/** More instances than this, and the lemma is learnt as it is. */
const MAX_INSTANCES = 120;

export class Laws {
  private readonly terms: TermStore;
  private readonly evaluateConstants: boolean;
  private readonly budget: Budget;

  constructor(terms: TermStore, evaluateConstants: boolean, budget: Budget) {
    this.terms = terms;
    this.evaluateConstants = evaluateConstants;
    this.budget = budget;
  }

  /** Instances of laws that imply the lemma by equality reasoning; nothing if there are none. */
  implying(lemma: TermId): TermId[] | undefined {
    const { terms } = this;
    const instances = instancesAbout(terms, lemma);
    if (instances.length === 0 || instances.length > MAX_INSTANCES) return undefined;
    const solver = new EufSolver(terms, { evaluateConstants: this.evaluateConstants });
    const guards = instances.map((_, i) => terms.variable(`law${i}`, terms.sorts.bool));
    for (const [i, f] of instances.entries()) solver.assert(f, guards[i]);
    solver.assert(terms.not(lemma));
    let needed: readonly TermId[] = guards;
    if (solver.solve(needed, this.budget) !== 'unsat') return undefined;
    needed = solver.core();
    for (const guard of needed) {
      const fewer = needed.filter(g => g !== guard);
      if (needed.length > 1 && solver.solve(fewer, this.budget) === 'unsat') needed = solver.core();
    }
    return needed.length === 0 ? undefined : needed.map(g => instances[guards.indexOf(g)]);
  }
}

/** All instances of laws about the terms of a formula. */
export function instancesAbout(terms: TermStore, formula: TermId): TermId[] {
  const subject = new Subject(terms, formula);
  return [...new Set(LAWS.flatMap(law => law(subject)))].filter(f => f !== terms.true);
}

/** The terms of a formula by operator. */
class Subject {
  readonly terms: TermStore;
  private readonly byOperator = new Map<Op, TermId[]>();

  constructor(terms: TermStore, formula: TermId) {
    this.terms = terms;
    for (const t of terms.postorder([formula])) {
      const op = terms.op(t);
      const same = this.byOperator.get(op);
      if (same === undefined) this.byOperator.set(op, [t]);
      else same.push(t);
    }
  }

  of(op: Op): readonly TermId[] {
    return this.byOperator.get(op) ?? [];
  }

  /** Sums of a constant and something else. */
  increments(): { sum: TermId; constant: TermId; rest: TermId }[] {
    const { terms } = this;
    return this.of(Op.BVADD).flatMap(sum => {
      const [a, b] = terms.args(sum);
      if (terms.isConstant(a)) return [{ sum, constant: a, rest: b }];
      return terms.isConstant(b) ? [{ sum, constant: b, rest: a }] : [];
    });
  }
}

type Law = (subject: Subject) => TermId[];

const ORDERS = [Op.BVULT, Op.BVSLT] as const;

/** Of two compared terms, either one is less than the other or they are equal, and only one of the three. */
const trichotomy: Law = subject => {
  const { terms } = subject;
  return ORDERS.flatMap(less =>
    subject.of(less).map(atom => {
      const [a, b] = terms.args(atom);
      const [below, above, same] = [atom, terms.app(less, [b, a]), terms.eq(a, b)];
      return terms.and([
        terms.or([below, above, same]),
        terms.or([terms.not(below), terms.not(above)]),
        terms.or([terms.not(below), terms.not(same)]),
        terms.or([terms.not(above), terms.not(same)]),
      ]);
    }),
  );
};

/** Three terms of which two pairs are compared are not in a circle. */
const transitivity: Law = subject => {
  const { terms } = subject;
  return ORDERS.flatMap(less => {
    const pairs = subject.of(less).map(atom => terms.args(atom));
    const found: TermId[] = [];
    for (const [i, p] of pairs.entries()) {
      for (const q of pairs.slice(i + 1)) {
        const three = [...new Set([...p, ...q])];
        if (three.length !== 3) continue;
        const [a, b, c] = three;
        found.push(noCircle(terms, less, a, b, c), noCircle(terms, less, c, b, a));
      }
    }
    return found;
  });
};

function noCircle(terms: TermStore, less: Op, a: TermId, b: TermId, c: TermId): TermId {
  const links = [terms.app(less, [a, b]), terms.app(less, [b, c]), terms.app(less, [c, a])];
  return terms.or(links.map(l => terms.not(l)));
}

/** Constants that are compared through other terms are compared with each other. */
const constantOrder: Law = subject => {
  const { terms } = subject;
  return ORDERS.flatMap(less => {
    const constants = subject
      .of(less)
      .flatMap(atom => terms.args(atom))
      .filter(t => terms.isConstant(t));
    const found: TermId[] = [];
    for (const a of new Set(constants)) {
      for (const b of new Set(constants)) {
        if (a === b || terms.sort(a) !== terms.sort(b)) continue;
        const atom = terms.app(less, [a, b]);
        found.push(isLess(terms, less, a, b) ? atom : terms.not(atom));
      }
    }
    return found;
  });
};

function isLess(terms: TermStore, less: Op, a: TermId, b: TermId): boolean {
  const [x, y] = [terms.bvValue(a), terms.bvValue(b)].map(v => BigInt(v));
  if (less === Op.BVULT) return x < y;
  const signed = (v: bigint) => BigInt.asIntN(terms.width(a), v);
  return signed(x) < signed(y);
}

/** x + c is not x, and it is above x just if it does not wrap around. */
const increment: Law = subject => {
  const { terms } = subject;
  return subject.increments().flatMap(({ sum, constant, rest }) => {
    const width = terms.width(sum);
    const c = BigInt(terms.bvValue(constant));
    if (c === 0n) return [];
    const limit = terms.bv(width, (1n << BigInt(width)) - c);
    return [
      terms.not(terms.eq(sum, rest)),
      terms.eq(terms.app(Op.BVULT, [rest, sum]), terms.app(Op.BVULT, [rest, limit])),
      terms.eq(terms.app(Op.BVULT, [sum, rest]), terms.not(terms.app(Op.BVULT, [rest, limit]))),
      terms.eq(terms.eq(sum, terms.bv(width, 0)), terms.eq(rest, limit)),
    ];
  });
};

/** Nothing lies between x and x + 1. */
const successor: Law = subject => {
  const { terms } = subject;
  return subject.increments().flatMap(({ sum, constant, rest }) => {
    const isOne = constant === terms.bv(terms.width(sum), 1);
    const isMinusOne = constant === terms.bv(terms.width(sum), -1);
    if (!isOne && !isMinusOne) return [];
    const [lower, upper] = isOne ? [rest, sum] : [sum, rest];
    return ORDERS.flatMap(less => {
      const others = new Set(subject.of(less).flatMap(atom => terms.args(atom)));
      return [...others]
        .filter(y => terms.sort(y) === terms.sort(sum) && y !== sum && y !== rest)
        .flatMap(y => [noneBetween(terms, less, lower, y, upper)]);
    });
  });
};

function noneBetween(terms: TermStore, less: Op, lower: TermId, y: TermId, upper: TermId): TermId {
  return terms.or([terms.not(terms.app(less, [lower, y])), terms.not(terms.app(less, [y, upper]))]);
}

/** Sums with a common summand are equal just if the other summands are. */
const cancellation: Law = subject => {
  const { terms } = subject;
  const sums = subject.of(Op.BVADD);
  const found: TermId[] = [];
  for (const [i, s] of sums.entries()) {
    for (const t of sums.slice(i + 1)) {
      for (const common of terms.args(s)) {
        if (!terms.args(t).includes(common)) continue;
        found.push(terms.eq(terms.eq(s, t), terms.eq(other(terms, s, common), other(terms, t, common))));
      }
    }
  }
  return found;
};

function other(terms: TermStore, sum: TermId, one: TermId): TermId {
  return terms.arg(sum, 0) === one ? terms.arg(sum, 1) : terms.arg(sum, 0);
}

/** c + x where x is d + y is (c + d) + y. */
const association: Law = subject => {
  const { terms } = subject;
  const sums = subject.increments();
  return sums.flatMap(outer =>
    sums
      .filter(inner => inner.sum !== outer.sum && terms.sort(inner.sum) === terms.sort(outer.sum))
      .map(inner => {
        const width = terms.width(outer.sum);
        const c = BigInt(terms.bvValue(outer.constant)) + BigInt(terms.bvValue(inner.constant));
        const constant = terms.bv(width, BigInt.asUintN(width, c));
        const total =
          constant === terms.bv(width, 0) ? inner.rest : terms.app(Op.BVADD, [constant, inner.rest]);
        return terms.or([terms.not(terms.eq(outer.rest, inner.sum)), terms.eq(outer.sum, total)]);
      }),
  );
};

/** Read over write: at the place written there is what was written, elsewhere what was there before. */
const readOverWrite: Law = subject => {
  const { terms } = subject;
  const reads = subject.of(Op.SELECT);
  return subject.of(Op.STORE).flatMap(store => {
    const [array, place, value] = terms.args(store);
    const indices = new Set([place]);
    for (const r of reads)
      if (terms.sort(terms.arg(r, 0)) === terms.sort(store)) indices.add(terms.arg(r, 1));
    return [...indices].map(i => {
      const read = terms.app(Op.SELECT, [store, i]);
      if (i === place) return terms.eq(read, value);
      return terms.and([
        terms.or([terms.not(terms.eq(place, i)), terms.eq(read, value)]),
        terms.or([terms.eq(place, i), terms.eq(read, terms.app(Op.SELECT, [array, i]))]),
      ]);
    });
  });
};

/** A constant array has its value everywhere. */
const readConstant: Law = subject => {
  const { terms } = subject;
  return subject.of(Op.CONST_ARRAY).flatMap(array =>
    subject
      .of(Op.SELECT)
      .filter(r => terms.sort(terms.arg(r, 0)) === terms.sort(array))
      .map(r => terms.eq(terms.app(Op.SELECT, [array, terms.arg(r, 1)]), terms.arg(array, 0))),
  );
};

/** What the result of an operator cannot exceed, or fall below. */
const bounds: Law = subject => {
  const { terms } = subject;
  const notLess = (a: TermId, b: TermId) => terms.not(terms.app(Op.BVULT, [a, b]));
  const isZero = (t: TermId) => terms.eq(t, terms.bv(terms.width(t), 0));
  return [
    ...subject.of(Op.BVAND).flatMap(t => terms.args(t).map(a => notLess(a, t))),
    ...subject.of(Op.BVOR).flatMap(t => terms.args(t).map(a => notLess(t, a))),
    ...subject.of(Op.BVLSHR).map(t => notLess(terms.arg(t, 0), t)),
    ...subject.of(Op.BVUREM).flatMap(t => {
      const [a, b] = terms.args(t);
      return [notLess(a, t), terms.or([isZero(b), terms.app(Op.BVULT, [t, b])])];
    }),
    ...subject.of(Op.BVUDIV).map(t => {
      const [a, b] = terms.args(t);
      return terms.or([isZero(b), notLess(a, t)]);
    }),
  ];
};

/** The parts of a concatenation are its parts. */
const parts: Law = subject => {
  const { terms } = subject;
  return subject.of(Op.CONCAT).flatMap(t => {
    const [high, low] = terms.args(t);
    const [width, split] = [terms.width(t), terms.width(low)];
    return [
      terms.eq(terms.app(Op.EXTRACT, [t], [width - 1, split]), high),
      terms.eq(terms.app(Op.EXTRACT, [t], [split - 1, 0]), low),
    ];
  });
};

const LAWS: readonly Law[] = [
  trichotomy,
  transitivity,
  constantOrder,
  increment,
  successor,
  cancellation,
  association,
  readOverWrite,
  readConstant,
  bounds,
  parts,
];
