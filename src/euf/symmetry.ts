/**
 * Symmetry breaking (Déharbe, Fontaine, Merz and Woltzenlogel Paleo, "Exploiting symmetry in SMT problems",
 * CADE 2011). Finite-model problems say of many terms that each equals one of the constants c0 … cn. Where
 * the whole formula stays the same when these are exchanged, a model may be renamed so that the first term
 * equals c0, the second c0 or c1, and so on: clauses that say so keep a satisfiable formula satisfiable and
 * spare the search all the other orders.
 *
 * The clauses hold only for the formula as a whole: whoever adds them must take them back when more is
 * asserted, and must not read a core from an answer that used them.
 */
import { OPERATORS, Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { substitute } from '../term/substitute.ts';

/** Checking an exchange walks the formula once; so many steps in all, and what is left is left alone. */
const MAX_WORK = 2_000_000;

/** A set of constants and the terms that are said to equal one of them. */
interface Range {
  readonly constants: readonly TermId[];
  readonly members: TermId[];
}

/** Clauses that break the symmetries of the conjunction of some formulas. */
export function symmetryBreakers(terms: TermStore, formulas: readonly TermId[]): TermId[] {
  const conjuncts = flattened(terms, Op.AND, formulas);
  const ranges = findRanges(terms, conjuncts);
  if (ranges.length === 0) return [];
  const orderless = new Orderless(terms);
  const formula = orderless.form(terms.and(conjuncts));
  const isExchangeable = (a: TermId, b: TermId) => {
    const exchange = new Map([
      [a, b],
      [b, a],
    ]);
    return formula !== undefined && orderless.form(substitute(terms, formula, exchange)) === formula;
  };
  const clauses: TermId[] = [];
  for (const range of ranges) {
    for (const exchangeable of classes(range.constants, isExchangeable)) {
      if (exchangeable.length > 1) clauses.push(...breakers(terms, range, exchangeable));
    }
    // What breaks one symmetry may break those of the next range too, so one range is all there is.
    if (clauses.length > 0) break;
  }
  return clauses;
}

/** The conjuncts (or (= t c0) … (= t cn)) over variables c0 … cn, by the set of these, largest group first. */
function findRanges(terms: TermStore, conjuncts: readonly TermId[]): Range[] {
  const ranges = new Map<string, Range>();
  for (const f of conjuncts) {
    const range = terms.op(f) === Op.OR ? rangeClause(terms, flattened(terms, Op.OR, [f])) : undefined;
    if (range === undefined) continue;
    const key = range.constants.join(' ');
    const known = ranges.get(key);
    if (known === undefined) ranges.set(key, { constants: range.constants, members: [range.term] });
    else known.members.push(range.term);
  }
  return [...ranges.values()].sort((a, b) => b.members.length - a.members.length);
}

/** The arguments of nested conjunctions (or disjunctions), from left to right. */
function flattened(terms: TermStore, op: Op, formulas: readonly TermId[]): TermId[] {
  const result: TermId[] = [];
  const stack = [...formulas].reverse();
  for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
    if (terms.op(f) === op) stack.push(...terms.args(f).reverse());
    else result.push(f);
  }
  return result;
}

/**
 * Formulas up to the order and nesting of their conjunctions and disjunctions, and the order of equalities:
 * two that differ in nothing else get one form.
 */
class Orderless {
  private readonly terms: TermStore;
  private readonly forms = new Map<TermId, TermId>();
  private readonly junctions = new Map<TermId, TermId[]>(); // what a conjunction or disjunction is made of
  private work = 0;

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** The form of a formula, or nothing when the work is getting too much. */
  form(formula: TermId): TermId | undefined {
    for (const t of this.terms.postorder([formula], this.forms)) {
      if (++this.work > MAX_WORK) return undefined;
      this.forms.set(t, this.step(t));
    }
    return this.forms.get(formula);
  }

  private step(t: TermId): TermId {
    const { terms, forms } = this;
    const op = terms.op(t);
    const args = terms.args(t).map(a => forms.get(a) as TermId);
    if (op !== Op.AND && op !== Op.OR) {
      const isOrdered = !OPERATORS[op].commutative;
      return terms.withArgs(t, isOrdered ? args : args.sort((a, b) => a - b));
    }
    const parts = args.flatMap(a => (terms.op(a) === op ? (this.junctions.get(a) ?? [a]) : [a]));
    this.work += parts.length;
    const sorted = [...new Set(parts)].sort((a, b) => a - b);
    const form = sorted.length === 1 ? sorted[0] : terms.app(op, sorted);
    this.junctions.set(form, sorted);
    return form;
  }
}

function rangeClause(
  terms: TermStore,
  disjuncts: readonly TermId[],
): { term: TermId; constants: TermId[] } | undefined {
  if (disjuncts.length < 2 || !disjuncts.every(d => terms.op(d) === Op.EQ)) return undefined;
  const [first, second] = disjuncts.slice(0, 2).map(d => terms.args(d));
  const term = first.find(t => second.includes(t));
  if (term === undefined) return undefined;
  const constants: TermId[] = [];
  for (const d of disjuncts) {
    const [a, b] = terms.args(d);
    if (a !== term && b !== term) return undefined;
    const constant = a === term ? b : a;
    if (!terms.isVariable(constant)) return undefined;
    constants.push(constant);
  }
  return { term, constants: [...new Set(constants)].sort((a, b) => a - b) };
}

/** Groups of constants of which any two can be exchanged. */
function classes(
  constants: readonly TermId[],
  isExchangeable: (a: TermId, b: TermId) => boolean,
): TermId[][] {
  const groups: TermId[][] = [];
  for (const c of constants) {
    const group = groups.find(([representative]) => isExchangeable(representative, c));
    if (group === undefined) groups.push([c]);
    else group.push(c);
  }
  return groups;
}

/** The clauses of the paper: each term uses constants that occurred before, or the next new one. */
function breakers(
  terms: TermStore,
  { constants, members }: Range,
  exchangeable: readonly TermId[],
): TermId[] {
  const used = new Set<TermId>();
  const waiting = new Map(members.map(t => [t, constantsIn(terms, t, exchangeable)]));
  for (const c of exchangeable) waiting.delete(c);
  const clauses: TermId[] = [];
  while (waiting.size > 0 && used.size < exchangeable.length) {
    const term = mostPromising(waiting, used);
    for (const c of waiting.get(term) ?? []) used.add(c);
    waiting.delete(term);
    const next = exchangeable.find(c => !used.has(c));
    if (next !== undefined) used.add(next);
    if (used.size === exchangeable.length) break;
    const allowed = constants.filter(c => !exchangeable.includes(c) || used.has(c));
    clauses.push(terms.or(allowed.map(c => terms.eq(term, c))));
  }
  return clauses;
}

/** The term that brings the fewest new constants into play; of equals, the first. */
function mostPromising(waiting: ReadonlyMap<TermId, readonly TermId[]>, used: ReadonlySet<TermId>): TermId {
  let best: TermId | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [term, constants] of waiting) {
    const fresh = constants.filter(c => !used.has(c)).length;
    if (fresh >= fewest) continue;
    best = term;
    fewest = fresh;
  }
  return best as TermId;
}

function constantsIn(terms: TermStore, t: TermId, constants: readonly TermId[]): TermId[] {
  return terms.postorder([t]).filter(s => constants.includes(s));
}
