/** Which variables stand for what in the formulas of a search: states now, states after a step, and inputs. */
import type { TermId, TermStore } from '../../../term/store.ts';
import { FreeOf } from '../../problem/literals.ts';
import type { NextVariables } from '../../problem/next-variables.ts';
import { inputsOf, type Problem } from '../../problem/problem.ts';
import { Renaming } from '../../problem/renaming.ts';

export class Signature {
  readonly terms: TermStore;
  readonly next: NextVariables;
  /** The places of all locations, each once. */
  readonly current: ReadonlySet<TermId>;
  /** Their next variables. */
  readonly after: ReadonlySet<TermId>;
  readonly inputs: ReadonlySet<TermId>;
  /** What stands for places in edges with several sources. */
  readonly copies: ReadonlySet<TermId>;
  /** From now to after a step, and back. */
  readonly prime: Renaming;
  readonly unprime: Renaming;
  /** Terms over current state variables only. */
  readonly ofNow: FreeOf;

  constructor({ terms, next, locations, edges }: Problem) {
    this.terms = terms;
    this.next = next;
    this.current = new Set(locations.flatMap(l => l.places));
    const pairs = [...this.current].map(p => [p, next.of(p)] as const);
    this.after = new Set(pairs.map(([, n]) => n));
    const calls = edges.filter(e => e.sources.length > 1);
    const copies = calls.flatMap(e => e.sources.flatMap(s => s.places));
    this.copies = new Set(copies.filter(v => !this.current.has(v)));
    this.inputs = new Set(edges.flatMap(e => inputsOf(terms, e)).filter(v => !this.after.has(v)));
    this.prime = new Renaming(terms, pairs);
    this.unprime = new Renaming(
      terms,
      pairs.map(([p, n]) => [n, p] as const),
    );
    this.ofNow = new FreeOf(terms, new Set([...this.inputs, ...this.after, ...this.copies]));
  }

  /** Is it the value of a place, now or after a step? */
  standsForPlace(v: TermId): boolean {
    return this.current.has(v) || this.after.has(v) || this.copies.has(v);
  }
}
