/**
 * A system as an and-inverter graph: the bits of its state variables, what they are after a step, and edges for what
 * the system says. The graph's inputs are the bits of current state variables, of inputs, and of next state variables
 * that have no definition: those are chosen anew in each step, as inputs are.
 */
import { Aig, type Edge } from '../../../bv/aig.ts';
import { Blaster } from '../../../bv/blaster.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { TermId } from '../../../term/store.ts';
import { substituteAll } from '../../../term/substitute.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';
import { Words } from './words.ts';

/** A circuit with more nodes than this is not worth the memory. */
const MAX_NODES = 3_000_000;

/** One bit of a state variable, or of an element of one. */
export interface StateBit {
  readonly word: TermId;
  readonly bit: number;
  readonly now: Edge;
  readonly next: Edge;
}

export class SystemBits {
  readonly aig = new Aig();
  readonly states: readonly StateBit[];
  readonly init: readonly Edge[];
  readonly constraints: readonly Edge[];
  readonly relations: readonly Edge[];
  readonly bad: Edge;
  private readonly words: Words;
  private readonly blaster: Blaster;

  /** `checkpoint` is called now and then; it may throw. */
  constructor(system: TransitionSystem, checkpoint: () => void) {
    const { terms, definitions } = system;
    const { aig } = this;
    this.words = new Words(terms);
    this.blaster = new Blaster(
      terms,
      aig,
      () => false,
      () => {
        checkpoint();
        if (aig.count > MAX_NODES) throw new Unknown('size', 'the circuit is too large');
      },
    );
    this.states = system.states.flatMap(({ current, next }) => {
      const after = this.words.of(definitions.get(next) ?? next);
      return this.words.of(current).flatMap((word, i) => {
        const nextBits = this.blaster.blast(after[i]);
        return this.blaster.blast(word).map((now, bit) => ({ word, bit, now, next: nextBits[bit] }));
      });
    });
    const edges = (formulas: readonly TermId[]) => formulas.map(f => this.edge(f));
    this.init = edges(system.init);
    this.constraints = edges(system.constraints);
    this.relations = edges(substituteAll(terms, system.relations, definitions));
    this.bad = this.edge(terms.not(system.property));
  }

  private edge(formula: TermId): Edge {
    return this.blaster.edge(this.words.formula(formula));
  }

  /** The bits of each word of a variable. */
  bitsOf(variable: TermId): readonly (readonly Edge[])[] {
    return this.words.of(variable).map(w => this.blaster.blast(w));
  }
}
