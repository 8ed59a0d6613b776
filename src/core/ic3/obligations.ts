/** Proof obligations ⟨cube, level⟩, lowest level first and of one level the latest first. */
import type { TermId } from '../../term/store.ts';
import type { Cube } from './cube.ts';

export interface Obligation {
  readonly cube: Cube;
  readonly level: number;
  /** The cube that this one leads to, and the literals that justify the abstract step there. */
  readonly successor: Obligation | undefined;
  /** Over current state variables, inputs and next state variables; for the last cube, that the property fails. */
  readonly justification: readonly TermId[];
}

export class Obligations {
  private readonly buckets: Obligation[][] = [];

  push(obligation: Obligation): void {
    while (this.buckets.length <= obligation.level) this.buckets.push([]);
    this.buckets[obligation.level].push(obligation);
  }

  pop(): Obligation | undefined {
    return this.buckets.find(b => b.length > 0)?.pop();
  }
}
