/**
 * Arrays with extensionality, constant arrays and uninterpreted functions by lemmas on demand (Brummayer and
 * Biere, "Lemmas on Demand for the Extensional Theory of Arrays", JSAT 6, 2009).
 *
 * The solver reads selects, applications and equalities of arrays as unknowns of their own. This checks what
 * it made of them against the axioms: `check` returns formulas that are valid, given the witnesses, and that
 * the reading violates, or nothing if the reading extends to a model. Every lemma speaks of terms that occur
 * and of equalities between them, so there are finitely many, and the loop of solver and check ends.
 *
 *   occurrences.ts     what it looks at            equal-arrays.ts  classes of equal arrays, and why
 *   graph.ts           classes and stores          descent.ts       accesses travel down
 *   constant-pairs.ts  two constant arrays         spread.ts        accesses travel everywhere
 *   functions.ts       congruence of functions     array-model.ts   what the arrays are
 */
import { Op } from '../../term/operators.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import type { ArrayValue, Value } from '../../term/value.ts';
import { ArrayModel } from './array-model.ts';
import { Conflicts, type LemmaCounts } from './conflicts.ts';
import { ConstantPairs } from './constant-pairs.ts';
import { Descent } from './descent.ts';
import { type FunctionEntry, FunctionTables } from './functions.ts';
import { ArrayGraph } from './graph.ts';
import { collectOccurrences, isArrayEquality, type Occurrences } from './occurrences.ts';
import type { Reading } from './reading.ts';
import { Spread } from './spread.ts';

export type { Reading } from './reading.ts';

export class Lemmas {
  private readonly terms: TermStore;
  private readonly conflicts: Conflicts;
  private readonly witnesses = new Map<TermId, TermId>(); // the witness formula of an equality
  private arrays: ArrayModel | undefined;
  private functions: FunctionTables;

  constructor(terms: TermStore) {
    this.terms = terms;
    this.conflicts = new Conflicts(terms);
    this.functions = new FunctionTables(terms);
  }

  /** How many lemmas of each kind all checks together have found. */
  get stats(): Readonly<LemmaCounts> {
    return this.conflicts.counts;
  }

  /**
   * For an equality of arrays a = b, the formula (a = b) ∨ select(a, w) ≠ select(b, w), with an index w of
   * its own. It must hold from the moment the equality may be false; a check that finds an equality false
   * without it returns it as a lemma.
   */
  witness(equality: TermId): TermId {
    const { terms, witnesses } = this;
    let formula = witnesses.get(equality);
    if (formula === undefined) {
      if (!isArrayEquality(terms, equality)) throw new TypeError('a witness is for an equality of arrays');
      const [a, b] = terms.args(equality);
      const w = terms.variable(`witness!${witnesses.size}`, terms.sorts.indexSort(terms.sort(a)));
      const [x, y] = [a, b].map(array => terms.app(Op.SELECT, [array, w]));
      formula = terms.or([equality, terms.not(terms.eq(x, y))]);
      witnesses.set(equality, formula);
    }
    return formula;
  }

  /**
   * The lemmas that a reading violates. `relevant` has all terms that occur in the question, or at least
   * those that concern the lemmas, each once and after its arguments.
   */
  check(relevant: readonly TermId[], value: Reading): TermId[] {
    const { terms, conflicts } = this;
    const occurrences = collectOccurrences(terms, relevant);
    conflicts.startRound();
    this.addWitnesses(occurrences, value);
    const arrays = this.checkArrays(occurrences, value);
    this.functions = new FunctionTables(terms);
    this.functions.enter(occurrences.applications, value, conflicts);
    if (conflicts.isEmpty) {
      this.functions.enterArrays(occurrences.arrayApplications, value, arrays, conflicts);
    }
    this.arrays = conflicts.isEmpty ? arrays : undefined;
    return conflicts.lemmas();
  }

  /** After a check without lemmas: the value of an array that occurs, or of a variable that does not. */
  arrayValue(t: TermId): ArrayValue {
    if (this.arrays === undefined) throw new Error('there is no model: the last check found lemmas');
    return this.arrays.value(t);
  }

  /** After a check without lemmas: the value of a function, or of an array variable, for given arguments. */
  apply(f: FunctionId, args: readonly Value[]): Value {
    const { result } = this.terms.symbol(f);
    if (args.length === 0 && this.terms.sorts.isArray(result))
      return this.arrayValue(this.terms.apply(f, []));
    return this.functions.apply(f, args);
  }

  /** After a check without lemmas: what the applications say of a function. */
  entries(f: FunctionId): FunctionEntry[] {
    return this.functions.entries(f);
  }

  /** The value of a function for arguments that `entries` does not have. */
  defaultOf(f: FunctionId): Value {
    return this.functions.defaultOf(f);
  }

  private addWitnesses({ equalities }: Occurrences, value: Reading): void {
    for (const t of equalities) {
      if (value(t) === true || this.witnesses.has(t)) continue;
      this.conflicts.addFormula('extensionality', this.witness(t));
    }
  }

  private checkArrays(occurrences: Occurrences, value: Reading): ArrayModel {
    const { terms, conflicts } = this;
    const graph = new ArrayGraph(terms, occurrences, value);
    const descent = new Descent(graph, conflicts);
    const pairs = new ConstantPairs(terms, graph, conflicts);
    const spread = new Spread(graph, descent, pairs.accesses, conflicts);
    return new ArrayModel(terms, graph, descent, pairs, spread);
  }
}
