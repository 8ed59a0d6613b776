/**
 * Geometric generalisation (thesis, section 3.5): where a literal cannot be dropped, a weaker one may do. Of the lattice of
 * predicates only the chains are used that cost nothing to know: bounds of one term by constants, in their order.
 */
import { bigSigned } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId } from '../../../term/store.ts';
import type { Domain } from './domain.ts';

/** A bound of a term; all values above are in it (a lower bound), or all below. */
interface Link {
  readonly predicate: number;
  readonly value: bigint;
}

export class Chains {
  private readonly domain: Domain;
  private readonly chains = new Map<string, Link[]>(); // in ascending order of values
  private readonly chainOf = new Map<number, string>(); // by predicate
  private seen = 0; // predicates that are in the table

  constructor(domain: Domain) {
    this.domain = domain;
  }

  /** The next literal that a literal implies. */
  weaker(literal: number): number | undefined {
    const { domain } = this;
    if (domain.isLocation(literal)) return undefined;
    this.update();
    const predicate = domain.predicateOf(literal);
    const key = this.chainOf.get(predicate);
    if (key === undefined) return undefined;
    const chain = this.chains.get(key) as Link[];
    const isTrue = (literal & 1) === 0;
    // t < c grows with c, c < t shrinks; what does not hold, the other way round.
    const grows = key.endsWith('<') === isTrue;
    const next = chain[chain.findIndex(l => l.predicate === predicate) + (grows ? 1 : -1)];
    return next && domain.literalOf(next.predicate, isTrue);
  }

  private update(): void {
    const { predicates } = this.domain;
    for (; this.seen < predicates.length; this.seen++) this.enter(this.seen);
  }

  private enter(predicate: number): void {
    const { domain, chains } = this;
    const { terms } = domain;
    const { location, formula } = domain.predicates[predicate];
    const op = terms.op(formula);
    if (op !== Op.BVULT && op !== Op.BVSLT) return;
    const [a, b] = terms.args(formula);
    const [term, constant, side] = terms.isConstant(b) ? [a, b, '<'] : [b, a, '>'];
    if (terms.isConstant(term) || !terms.isConstant(constant)) return;
    const key = `${domain.at(location)} ${term} ${op} ${side}`;
    const chain = chains.get(key) ?? [];
    chains.set(key, chain);
    this.chainOf.set(predicate, key);
    chain.push({ predicate, value: this.valueOf(constant, op) });
    chain.sort((x, y) => (x.value < y.value ? -1 : 1));
  }

  private valueOf(constant: TermId, op: Op): bigint {
    const { terms } = this.domain;
    const value = BigInt(terms.bvValue(constant));
    return op === Op.BVSLT ? bigSigned(value, terms.width(constant)) : value;
  }
}
