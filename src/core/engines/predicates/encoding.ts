/**
 * A SAT solver about steps that knows predicates. Each has two labels, b ↔ p(X) and b' ↔ p(X'), which hold in both ways: a label may be
 * assumed, denied and read off a model.
 */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { TermId } from '../../../term/store.ts';
import type { PlaceBit } from '../bit-steps/circuit.ts';
import * as bits from '../bit-steps/encoding.ts';
import type { Domain } from './domain.ts';

/** Some of a location's states: literals of its predicates, and bits of its places. */
export interface Region {
  readonly labels: readonly number[];
  readonly bits: readonly PlaceBit[];
}

/** What solvers share. */
export interface Shared extends bits.Shared {
  readonly domain: Domain;
}

export class Encoding extends bits.Encoding {
  private readonly domain: Domain;
  private readonly labels = new Map<number, Lit>(); // by predicate: it holds before the step
  private readonly labelsAfter = new Map<number, Lit>();

  constructor(shared: Shared) {
    super(shared);
    this.domain = shared.domain;
  }

  /** The literals that say that the state before a step, or after it, is in a region. */
  of({ labels, bits: own }: Region): Lit[] {
    return [...labels.map(l => this.label(l)), ...own.map(b => this.bit(b))];
  }

  into({ labels, bits: own }: Region): Lit[] {
    return [...labels.map(l => this.labelAfter(l)), ...own.map(b => this.bitAfter(b))];
  }

  private label(literal: number): Lit {
    return this.labelIn(this.labels, literal, f => this.literal(f));
  }

  private labelAfter(literal: number): Lit {
    return this.labelIn(this.labelsAfter, literal, f => this.literalAfter(f));
  }

  private labelIn(table: Map<number, Lit>, literal: number, make: (formula: TermId) => Lit): Lit {
    const { domain } = this;
    const k = domain.predicateOf(literal);
    let lit = table.get(k);
    if (lit === undefined) {
      lit = make(domain.predicates[k].formula);
      table.set(k, lit);
    }
    return (literal & 1) === 0 ? lit : negate(lit);
  }
}
