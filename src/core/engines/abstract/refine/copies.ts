/** Copies of the variables for the steps of a path: x@0, x@1, … for each state variable and input. */
import type { TermId } from '../../../../term/store.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Signature } from '../signature.ts';

export class Copies {
  private readonly signature: Signature;
  private readonly variables: Map<TermId, TermId>[] = []; // for each step, the copy of each current variable and input
  private readonly renamings: Renaming[] = [];

  constructor(signature: Signature) {
    this.signature = signature;
  }

  /** The copy of a current state variable or input in a step. */
  variable(v: TermId, step: number): TermId {
    return this.step(step).get(v) as TermId;
  }

  /** A formula over current variables, inputs and next variables, about the given step. */
  at(formula: TermId, step: number): TermId {
    const { signature, renamings } = this;
    while (renamings.length <= step) {
      const i = renamings.length;
      const [now, next] = [this.step(i), this.step(i + 1)];
      const pairs: [TermId, TermId][] = [...now];
      for (const v of signature.current) pairs.push([signature.next.of(v), next.get(v) as TermId]);
      renamings.push(new Renaming(signature.terms, pairs));
    }
    return renamings[step].apply(formula);
  }

  private step(i: number): Map<TermId, TermId> {
    const { variables, signature } = this;
    const { terms } = signature;
    while (variables.length <= i) {
      const number = variables.length;
      const copy = (v: TermId) => terms.variable(`${terms.nameOf(v)}@${number}`, terms.sort(v));
      variables.push(new Map([...signature.current, ...signature.inputs].map(v => [v, copy(v)])));
    }
    return variables[i];
  }
}
