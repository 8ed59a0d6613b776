/**
 * The other road to EUF, which shares nothing with the solver under test: every pair of terms of one sort
 * gets a variable "equal", with transitivity for all triples, every pair of applications of one function
 * a clause "equal arguments, equal results" (Ackermann), constants are apart, operators on constants have
 * their value, and CaDiCaL decides the rest. Cubic in the terms, so for small formulas only.
 */
import { Cadical, type CadicalModule } from 'cadical-wasm';
import { applyOperator, termOfValue } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { allValues, type Value } from '../../src/term/value.ts';

const CONNECTIVES: ReadonlySet<Op> = new Set([
  Op.NOT,
  Op.AND,
  Op.OR,
  Op.XOR,
  Op.IMPLIES,
  Op.ITE,
  Op.DISTINCT,
]);

export class Ackermann {
  private readonly terms: TermStore;
  private readonly cadical: Cadical;
  private readonly truth = new Map<TermId, number>(); // literal of each Boolean term
  private readonly equalities = new Map<string, number>();
  private readonly bySort = new Map<number, TermId[]>();
  private readonly applications: TermId[] = [];
  private variables = 0;

  constructor(terms: TermStore, module: CadicalModule, evaluateConstants: boolean, roots: readonly TermId[]) {
    this.terms = terms;
    this.cadical = new Cadical(module, { quiet: true });
    for (const t of this.universe(roots, evaluateConstants)) this.add(t, evaluateConstants);
  }

  isSatisfiable(formulas: readonly TermId[]): boolean {
    const assumptions = formulas.map(f => this.truth.get(f) as number);
    return this.cadical.solve({ assumptions }) === 'satisfiable';
  }

  dispose(): void {
    this.cadical.dispose();
  }

  /** All subterms; with evaluation also every constant of the widths that occur, so that values are there. */
  private universe(roots: readonly TermId[], evaluateConstants: boolean): TermId[] {
    const { terms } = this;
    const subterms = terms.postorder(roots);
    if (!evaluateConstants) return subterms;
    const sorts = new Set(subterms.map(t => terms.sort(t)).filter(s => terms.sorts.width(s) > 0));
    const constants = [...sorts].flatMap(s =>
      [...allValues(terms.sorts, s)].map(v => termOfValue(terms, s, v)),
    );
    return terms.postorder([...constants, ...roots]);
  }

  private add(t: TermId, evaluateConstants: boolean): void {
    const { terms } = this;
    if (terms.sort(t) === terms.sorts.bool) this.addBoolean(t);
    else this.addTerm(t);
    const isUninterpreted = !CONNECTIVES.has(terms.op(t)) && terms.op(t) !== Op.EQ && terms.arity(t) > 0;
    if (!isUninterpreted) return;
    this.addCongruence(t);
    const evaluable =
      terms.op(t) !== Op.APPLY && !terms.args(t).some(a => terms.sorts.isArray(terms.sort(a)));
    if (evaluateConstants && evaluable && !terms.sorts.isArray(terms.sort(t))) this.addValues(t);
  }

  private newVariable(): number {
    return ++this.variables;
  }

  private addBoolean(t: TermId): void {
    const v = this.newVariable();
    this.truth.set(t, v);
    for (const clause of this.definition(t, v)) this.cadical.addClause(clause);
  }

  /** Clauses that make variable v equivalent to the formula t over its arguments. */
  private definition(t: TermId, v: number): number[][] {
    const { terms } = this;
    const args = terms.args(t).map(a => this.truth.get(a) as number);
    switch (terms.op(t)) {
      case Op.TRUE:
        return [[v]];
      case Op.FALSE:
        return [[-v]];
      case Op.NOT:
        return iff(v, -args[0]);
      case Op.AND:
        return [...args.map(a => [-v, a]), [v, ...args.map(a => -a)]];
      case Op.OR:
        return [...args.map(a => [v, -a]), [-v, ...args]];
      case Op.IMPLIES:
        return [
          [-v, -args[0], args[1]],
          [v, args[0]],
          [v, -args[1]],
        ];
      case Op.XOR:
        return equivalence(-v, args[0], args[1]);
      case Op.ITE:
        return [
          [-v, -args[0], args[1]],
          [-v, args[0], args[2]],
          [v, -args[0], -args[1]],
          [v, args[0], -args[2]],
        ];
      case Op.EQ:
        return iff(v, this.equal(terms.arg(t, 0), terms.arg(t, 1)));
      case Op.DISTINCT: {
        const all = terms.args(t);
        const pairs = all.flatMap((a, i) => all.slice(i + 1).map(b => this.equal(a, b)));
        return [...pairs.map(e => [-v, -e]), [v, ...pairs]];
      }
      default:
        return [];
    }
  }

  private addTerm(t: TermId): void {
    const { terms, cadical } = this;
    const sort = terms.sort(t);
    const others = this.bySort.get(sort) ?? [];
    this.bySort.set(sort, others);
    for (const u of others) {
      this.equalities.set(`${u} ${t}`, this.newVariable());
      if (terms.isConstant(t) && terms.isConstant(u)) cadical.addClause([-this.equal(t, u)]);
    }
    others.forEach((u, i) => {
      for (const w of others.slice(i + 1)) {
        const [a, b, c] = [this.equal(t, u), this.equal(u, w), this.equal(t, w)];
        cadical.addClause([-a, -b, c]);
        cadical.addClause([-a, -c, b]);
        cadical.addClause([-b, -c, a]);
      }
    });
    others.push(t);
    if (terms.op(t) !== Op.ITE) return;
    const [c, yes, no] = terms.args(t);
    const condition = this.truth.get(c) as number;
    cadical.addClause([-condition, this.equal(t, yes)]);
    cadical.addClause([condition, this.equal(t, no)]);
  }

  /** A literal that says that two terms are equal. */
  private equal(a: TermId, b: TermId): number {
    const { terms } = this;
    if (terms.sort(a) === terms.sorts.bool) {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      let e = this.equalities.get(key);
      if (e === undefined) {
        e = this.newVariable();
        this.equalities.set(key, e);
        const [p, q] = [this.truth.get(a) as number, this.truth.get(b) as number];
        for (const clause of equivalence(e, p, q)) this.cadical.addClause(clause);
      }
      return e;
    }
    if (a === b) {
      let e = this.equalities.get('same');
      if (e === undefined) {
        e = this.newVariable();
        this.equalities.set('same', e);
        this.cadical.addClause([e]);
      }
      return e;
    }
    return (this.equalities.get(`${a} ${b}`) ?? this.equalities.get(`${b} ${a}`)) as number;
  }

  private addCongruence(t: TermId): void {
    const { terms, cadical } = this;
    for (const u of this.applications) {
      const isSameFunction =
        terms.op(u) === terms.op(t) &&
        terms.payload(u) === terms.payload(t) &&
        terms.sort(u) === terms.sort(t) &&
        terms.arity(u) === terms.arity(t) &&
        terms.args(u).every((a, i) => terms.sort(a) === terms.sort(terms.arg(t, i)));
      if (!isSameFunction) continue;
      const premises = terms.args(t).map((a, i) => -this.equal(a, terms.arg(u, i)));
      cadical.addClause([...premises, this.equal(t, u)]);
    }
    this.applications.push(t);
  }

  /** Whenever the arguments equal constants, the application equals the operator's value on them. */
  private addValues(t: TermId): void {
    const { terms, cadical } = this;
    let rows: { premises: number[]; values: Value[] }[] = [{ premises: [], values: [] }];
    for (const a of terms.args(t)) {
      const sort = terms.sort(a);
      rows = rows.flatMap(row =>
        [...allValues(terms.sorts, sort)].map(v => ({
          premises: [...row.premises, -this.isValue(a, v)],
          values: [...row.values, v],
        })),
      );
    }
    for (const { premises, values } of rows) {
      const result = applyOperator(terms, t, values);
      cadical.addClause([...premises, this.isValue(t, result)]);
    }
  }

  private isValue(t: TermId, value: Value): number {
    const { terms } = this;
    if (typeof value === 'boolean') return (this.truth.get(t) as number) * (value ? 1 : -1);
    return this.equal(t, termOfValue(terms, terms.sort(t), value));
  }
}

function iff(x: number, y: number): number[][] {
  return [
    [-x, y],
    [x, -y],
  ];
}

/** x ↔ (a ↔ b) */
function equivalence(x: number, a: number, b: number): number[][] {
  return [
    [-x, -a, b],
    [-x, a, -b],
    [x, a, b],
    [x, -a, -b],
  ];
}
