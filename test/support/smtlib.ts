/** Small helpers to write terms as SMT-LIB text in tests. */
import { ScriptReader } from '../../src/formats/smtlib/script.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import type { FunctionId, TermId, TermStore } from '../../src/term/store.ts';
import { allValues, type Value } from '../../src/term/value.ts';

/** The assertions of a script. */
export function assertionsOf(terms: TermStore, text: string): TermId[] {
  const reader = new ScriptReader(terms, 'test.smt2', text);
  const assertions: TermId[] = [];
  for (let c = reader.next(); c !== undefined; c = reader.next()) {
    if (c.kind === 'assert') assertions.push(c.term);
  }
  return assertions;
}

export function variablesOf(terms: TermStore, roots: readonly TermId[]): TermId[] {
  return terms.postorder(roots).filter(t => terms.isVariable(t));
}

/** An evaluator for every assignment of values to the variables. */
export function* allEvaluators(terms: TermStore, variables: readonly TermId[]): Generator<Evaluator> {
  const domains = variables.map(v => [...allValues(terms.sorts, terms.sort(v))]);
  const choice = variables.map(() => 0);
  const slot = new Map<FunctionId, number>(variables.map((v, i) => [terms.functionOf(v), i]));
  for (;;) {
    yield new Evaluator(terms, f => {
      const i = slot.get(f) as number;
      return domains[i][choice[i]] as Value;
    });
    let i = 0;
    while (i < choice.length && ++choice[i] === domains[i].length) choice[i++] = 0;
    if (i === choice.length) return;
  }
}

/** Is the formula true under every assignment of its variables? */
export function isValid(terms: TermStore, formula: TermId): boolean {
  for (const evaluator of allEvaluators(terms, variablesOf(terms, [formula]))) {
    if (evaluator.value(formula) !== true) return false;
  }
  return true;
}

/** Do two terms have the same value under every assignment? */
export function sameMeaning(terms: TermStore, a: TermId, b: TermId): boolean {
  return a === b || isValid(terms, terms.app(Op.EQ, [a, b]));
}
