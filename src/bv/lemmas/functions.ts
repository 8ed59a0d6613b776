/**
 * Uninterpreted functions by congruence on demand: two applications of one function to equal arguments must
 * have equal results. The applications are hashed by the values of their arguments, and each is held against
 * the first with the same.
 *
 * Arguments and results may be arrays, whose values are known once the arrays themselves violate no lemma.
 * A lemma may then state an equality of arrays that was not there before; if it turns out false, its witness
 * makes the two arrays different.
 */
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { sameValue, type Value, type ValueKey, valueKey } from '../../term/value.ts';
import { type ArrayModel, anyArray } from './array-model.ts';
import type { Clause } from './clause.ts';
import type { Conflicts } from './conflicts.ts';
import { isArrayTerm } from './occurrences.ts';
import { anyScalar, type Reading } from './reading.ts';

export interface FunctionEntry {
  readonly args: Value[];
  readonly result: Value;
}

interface Application extends FunctionEntry {
  readonly term: TermId;
}

export class FunctionTables {
  private readonly terms: TermStore;
  private readonly tables = new Map<FunctionId, Map<ValueKey, Application>>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** Enters applications of functions without arrays. */
  enter(applications: readonly TermId[], value: Reading, conflicts: Conflicts): void {
    this.enterAll(applications, value, conflicts, () => false);
  }

  /** Enters applications of functions with arrays among arguments or result. */
  enterArrays(
    applications: readonly TermId[],
    value: Reading,
    arrays: ArrayModel,
    conflicts: Conflicts,
  ): void {
    const { terms } = this;
    const { equal } = arrays.graph;
    const areEqual = (clause: Clause, a: TermId, b: TermId) => {
      if (!isArrayTerm(terms, a)) return false;
      const [m, n] = [equal.number(a), equal.number(b)];
      if (equal.classOf[m] !== equal.classOf[n]) return false;
      equal.explain(clause, m, n);
      return true;
    };
    const read = (t: TermId) => (isArrayTerm(terms, t) ? arrays.value(t) : value(t));
    this.enterAll(applications, read, conflicts, areEqual);
  }

  entries(f: FunctionId): FunctionEntry[] {
    return [...(this.tables.get(f)?.values() ?? [])].map(({ args, result }) => ({ args, result }));
  }

  apply(f: FunctionId, args: readonly Value[]): Value {
    return this.tables.get(f)?.get(keyOf(args))?.result ?? this.defaultOf(f);
  }

  /** The value for arguments that no application has. */
  defaultOf(f: FunctionId): Value {
    const { terms } = this;
    const { result } = terms.symbol(f);
    return terms.sorts.isArray(result) ? anyArray(terms, result) : anyScalar(terms.sorts, result);
  }

  private enterAll(
    applications: readonly TermId[],
    value: Reading,
    conflicts: Conflicts,
    /** Adds why two arguments are equal, if more is known than that their values are. */
    explainEqual: (clause: Clause, a: TermId, b: TermId) => boolean,
  ): void {
    const { terms } = this;
    for (const t of applications) {
      const table = this.tableOf(terms.functionOf(t));
      const args = terms.args(t).map(value);
      const key = keyOf(args);
      const result = value(t);
      const first = table.get(key);
      if (first === undefined) {
        table.set(key, { args, result, term: t });
        continue;
      }
      if (sameValue(first.result, result)) continue;
      conflicts.add('functionCongruence', clause => {
        terms.args(t).forEach((a, i) => {
          const b = terms.arg(first.term, i);
          if (!explainEqual(clause, a, b)) clause.givenEqual(a, b);
        });
        clause.concludeEqual(t, first.term);
      });
    }
  }

  private tableOf(f: FunctionId): Map<ValueKey, Application> {
    let table = this.tables.get(f);
    if (table === undefined) {
      table = new Map();
      this.tables.set(f, table);
    }
    return table;
  }
}

/** One key for several values; the values at one place are of one sort, so their texts tell them apart. */
function keyOf(args: readonly Value[]): ValueKey {
  return args.length === 1 ? valueKey(args[0]) : args.map(a => String(valueKey(a))).join(' ');
}
