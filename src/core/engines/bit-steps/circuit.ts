/**
 * Formulas as bits, made once and shared by all solvers: about the state before a step, and about the state after it, which
 * is what the values of the edge say that is taken.
 */
import { Aig, type Edge as AigEdge } from '../../../bv/aig.ts';
import { Blaster } from '../../../bv/blaster.ts';
import type { Bits } from '../../../bv/circuits.ts';
import { Polynomials } from '../../../bv/preprocess/polynomials.ts';
import { Unknown } from '../../../sat/unknown.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import { SortKind } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  type Location,
  type Problem,
  placesTo,
} from '../../problem/problem.ts';

/** A circuit with more nodes than this is not worth the memory. */
const MAX_NODES = 3_000_000;

/** A bit of a place. */
export interface PlaceBit {
  readonly place: TermId;
  readonly bit: number;
  readonly isSet: boolean;
}

export class Circuit {
  readonly terms: TermStore;
  readonly aig: Aig;
  private readonly blaster: Blaster;
  private readonly rewriter: Rewriter;
  private readonly polynomials: Polynomials;

  constructor(rewriter: Rewriter, checkpoint: () => void) {
    const { terms } = rewriter;
    this.rewriter = rewriter;
    this.terms = terms;
    this.polynomials = new Polynomials(rewriter);
    this.aig = new Aig();
    this.blaster = new Blaster(
      terms,
      this.aig,
      () => false,
      () => {
        checkpoint();
        if (this.aig.count > MAX_NODES) throw new Unknown('size', 'the circuit is too large');
      },
    );
  }

  /** The bits of a term, least significant first. */
  bits(term: TermId): Bits {
    return this.blaster.blast(term);
  }

  edge(formula: TermId): AigEdge {
    return this.blaster.edge(this.polynomials.withEarlierEquations(formula));
  }

  /** The bits of a place of the head after an edge. */
  valueAfter(edge: Edge, place: TermId): Bits {
    return this.bits(edge.values[(headOf(edge)?.places ?? []).indexOf(place)]);
  }

  /** A formula over the places of the head, about the values of an edge. */
  edgeAfter(edge: Edge, formula: TermId): AigEdge {
    return this.edge(this.before(edge, formula));
  }

  /** What a formula over the places of an edge's head says of the state and the inputs before. */
  before(edge: Edge, formula: TermId): TermId {
    const values = placesTo(headOf(edge) as Location, edge.values);
    return this.rewriter.rewrite(substitute(this.terms, formula, values));
  }

  /** The value of a term whose bits are given. */
  value(term: TermId, bits: readonly boolean[]): Value {
    const { terms } = this;
    if (terms.sort(term) === terms.sorts.bool) return bits[0];
    if (bits.length > 32) return bits.reduceRight((sum, b) => 2n * sum + (b ? 1n : 0n), 0n);
    return bits.reduceRight((sum, b) => 2 * sum + (b ? 1 : 0), 0);
  }

  /** A bit of a value. */
  bit(value: Value, bit: number): boolean {
    if (typeof value === 'boolean') return value;
    return ((BigInt(value as number | bigint) >> BigInt(bit)) & 1n) === 1n;
  }

  /** All bits of places with these values. */
  bitsOf(places: readonly TermId[], values: ReadonlyMap<TermId, Value>): PlaceBit[] {
    return places.flatMap(place => {
      const value = values.get(place) as Value;
      return this.bits(place).map((_, bit) => ({ place, bit, isSet: this.bit(value, bit) }));
    });
  }
}

/** Why the problem cannot be read bit by bit, if it cannot. */
export function bitObstacle({ terms, locations, edges }: Problem): string | undefined {
  const formulas = edges.flatMap(e => [...conditionsOf(e), ...e.values]);
  for (const t of terms.postorder([...locations.flatMap(l => l.places), ...formulas])) {
    if (terms.op(t) === Op.APPLY && terms.arity(t) > 0) return `the function ${terms.nameOf(t)} has no bits`;
    const kind = terms.sorts.kind(terms.sort(t));
    if (kind !== SortKind.BOOL && kind !== SortKind.BITVEC)
      return `it takes no terms of the sort ${terms.sorts.name(terms.sort(t))}`;
  }
  return undefined;
}
