/**
 * A model of the formulas, made from a solution that violates nothing: what variables and functions are, as the evaluator
 * wants it. Variables that are defined have the value of their definition; what the claims do not rest on may be anything.
 * The model is handed out only if the evaluator finds every formula true.
 */
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { SMALL_WIDTH } from '../../../term/bitvector.ts';
import { applyByDefinition, Evaluator } from '../../../term/evaluator.ts';
import { Op } from '../../../term/operators.ts';
import { type SortId, SortKind, type SortStore } from '../../../term/sort.ts';
import type { FunctionId, TermId } from '../../../term/store.ts';
import { ArrayValue, domain, type Value, valueKey } from '../../../term/value.ts';
import type { ArrayContents, Arrays } from './arrays.ts';
import type { Encoding } from './encoding.ts';
import { VISIT } from './pace.ts';
import type { Solution } from './solution.ts';

export function* modelOf(
  encoding: Encoding,
  arrays: Arrays,
  solution: Solution,
  formulas: readonly TermId[],
): Work<Evaluator> {
  const { graph, pace } = encoding;
  const { terms } = graph;
  const values = new NodeValues(encoding, solution, yield* arrays.contents(solution));
  const tables = new Map<FunctionId, Map<string, Value>>();
  const enter = (f: FunctionId, args: readonly Value[], value: Value) => {
    const table = tables.get(f) ?? new Map<string, Value>();
    tables.set(f, table.set(keyOf(args), value));
  };
  for (let n = 0; n < graph.count; n++) {
    if (graph.isNeeded[n] === 0 || graph.op(n) !== Op.APPLY) continue;
    const args = Array.from({ length: graph.arity(n) }, (_, i) => values.value(graph.arg(n, i)));
    enter(terms.functionOf(graph.term(n)), args, values.value(n));
    if (pace.spend(encoding.width(n) + 8)) yield* pace.pause();
  }
  const evaluator = new Evaluator(
    terms,
    (f, args) => tables.get(f)?.get(keyOf(args)) ?? anyValue(terms.sorts, terms.symbol(f).result),
    applyByDefinition,
  );
  for (const v of graph.defined) {
    enter(terms.functionOf(v), [], evaluator.value(graph.body(v)));
    if (pace.spend(VISIT)) yield* pace.pause();
  }
  for (let n = 0; n < graph.count; n++) {
    evaluator.value(graph.term(n)); // the formulas are made of these
    if (pace.spend(VISIT)) yield* pace.pause();
  }
  if (formulas.some(f => evaluator.value(f) !== true))
    throw new Unknown('incomplete', 'the model of the SAT solver does not satisfy the formulas');
  return evaluator;
}

/** The values of nodes in a solution. */
class NodeValues {
  private readonly encoding: Encoding;
  private readonly solution: Solution;
  private readonly contents: ReadonlyMap<number, ArrayContents>;

  constructor(encoding: Encoding, solution: Solution, contents: ReadonlyMap<number, ArrayContents>) {
    this.encoding = encoding;
    this.solution = solution;
    this.contents = contents;
  }

  value(n: number): Value {
    const { encoding, contents } = this;
    const { graph } = encoding;
    const { sorts } = graph.terms;
    const sort = graph.sort(n);
    if (!sorts.isArray(sort)) return this.wordValue(encoding.word[n], sort);
    const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
    const content = contents.get(n);
    const elsewhere = content?.elsewhere;
    let value = ArrayValue.constant(
      elsewhere === undefined ? anyValue(sorts, element) : this.wordValue(elsewhere, element),
      domain(sorts, index),
    );
    for (const [i, e] of content?.entries ?? [])
      value = value.store(this.wordValue(i, index), this.wordValue(e, element));
    return value;
  }

  private wordValue(word: number, sort: SortId): Value {
    return this.solution.value(word, sort, this.encoding);
  }
}

function keyOf(args: readonly Value[]): string {
  return args.map(valueKey).join(' ');
}

/** Some value of a sort. */
function anyValue(sorts: SortStore, sort: SortId): Value {
  switch (sorts.kind(sort)) {
    case SortKind.BOOL:
      return false;
    case SortKind.BITVEC:
      return sorts.width(sort) <= SMALL_WIDTH ? 0 : 0n;
    case SortKind.UNINTERPRETED:
      return 0;
    case SortKind.ARRAY:
      return ArrayValue.constant(
        anyValue(sorts, sorts.elementSort(sort)),
        domain(sorts, sorts.indexSort(sort)),
      );
  }
}
