/** Terms that are evaluated again and again, compiled where that is possible: declared functions are for the evaluator. */
import { Op } from '../../term/operators.ts';
import { Program } from '../../term/program.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, type FunctionValue } from '../problem/derivation.ts';

export class Formulas {
  private readonly terms: TermStore;
  private readonly variables: readonly TermId[];
  private readonly roots: readonly TermId[];
  private readonly functionValue: FunctionValue;
  private readonly program: Program | undefined;
  private readonly slots: readonly number[]; // of the roots

  constructor(
    terms: TermStore,
    variables: readonly TermId[],
    roots: readonly TermId[],
    functionValue: FunctionValue,
  ) {
    this.terms = terms;
    this.variables = variables;
    this.roots = roots;
    this.functionValue = functionValue;
    const isCompiled = terms.postorder(roots).every(t => terms.op(t) !== Op.APPLY || terms.isVariable(t));
    this.program = isCompiled ? new Program(terms, variables) : undefined;
    this.program?.add(roots);
    this.slots = roots.map(t => this.program?.slot(t) ?? 0);
  }

  /** The values of the terms, given those of the variables. */
  values(given: readonly Value[]): Value[] {
    const { program, slots, terms, roots, functionValue } = this;
    if (program !== undefined) {
      const all = program.run(given);
      return slots.map(slot => all[slot]);
    }
    const values = new Map(this.variables.map((v, i) => [v, given[i]]));
    const evaluator = evaluatorOf(terms, values, functionValue);
    return roots.map(t => evaluator.value(t));
  }
}
