/**
 * The cone of a question: the variables that a search must decide to answer it. A definition v = t of
 * a variable that nothing else mentions can always be satisfied, whatever v's value must be, so it matters
 * only when the question reaches v. A transition relation consists of such definitions, one for each
 * next-state variable, while a question of IC3 mentions a few of them: the rest need not be decided, and the
 * model gives them the values that follow (compare the restricted decisions of Su et al., "The rIC3 Hardware
 * Model Checker", 2025).
 *
 * What is asserted otherwise is in every cone. Marks are kept by variable: the number of the last question
 * that needed it, or ALWAYS.
 */

import { grownInts, IntStack } from '../sat/int-stack.ts';
import type { TermId, TermStore } from '../term/store.ts';

export const ALWAYS = 2 ** 31 - 1;

export class Cone {
  private readonly terms: TermStore;
  private readonly variablesOf: (t: TermId, use: (v: number) => void) => void;
  private readonly definitions = new Map<TermId, TermId>();
  private visited = new Int32Array(256); // by term: the last question that reached it, or ALWAYS
  /** By SAT variable: the last question that needs it, or ALWAYS. */
  needed = new Int32Array(256);
  /** The number of the current question. */
  question = 0;
  private readonly stack = new IntStack();
  private readonly everywhere = new IntStack(); // variables that are marked ALWAYS
  /** The variables of the current question: its own first, then those of every question. */
  readonly candidates = new IntStack();

  /** `variablesOf` tells the SAT variables that stand for a term. */
  constructor(terms: TermStore, variablesOf: (t: TermId, use: (v: number) => void) => void) {
    this.terms = terms;
    this.variablesOf = variablesOf;
  }

  get hasDefinitions(): boolean {
    return this.definitions.size > 0;
  }

  define(variable: TermId, body: TermId): void {
    this.definitions.set(variable, body);
  }

  definitionOf(variable: TermId): TermId | undefined {
    return this.definitions.get(variable);
  }

  /** Puts a formula into every cone from now on. */
  always(formula: TermId): void {
    this.reach([formula], ALWAYS);
  }

  /** Begins a question about some formulas. */
  ask(formulas: readonly TermId[]): void {
    this.candidates.clear();
    this.reach(formulas, ++this.question);
    const { everywhere, candidates } = this;
    for (let i = 0; i < everywhere.size; i++) candidates.push(everywhere.data[i]);
  }

  /** A SAT variable without a term is needed by whoever made it. */
  need(v: number): void {
    this.mark(v, ALWAYS);
  }

  private reach(roots: readonly TermId[], stamp: number): void {
    const { terms, stack, definitions } = this;
    const use = (v: number) => this.mark(v, stamp);
    const visit = (t: TermId) => {
      if (t >= this.visited.length)
        this.visited = grownInts(this.visited, Math.max(t + 1, 2 * this.visited.length));
      if (this.visited[t] >= stamp) return;
      this.visited[t] = stamp;
      stack.push(t);
    };
    for (const root of roots) visit(root);
    while (stack.size > 0) {
      const t = stack.data[--stack.size] as TermId;
      this.variablesOf(t, use);
      const arity = terms.arity(t);
      for (let i = 0; i < arity; i++) visit(terms.arg(t, i));
      if (arity > 0) continue;
      const body = definitions.get(t);
      if (body !== undefined) visit(body);
    }
  }

  private mark(v: number, stamp: number): void {
    if (v >= this.needed.length)
      this.needed = grownInts(this.needed, Math.max(v + 1, 2 * this.needed.length));
    if (this.needed[v] >= stamp) return;
    this.needed[v] = stamp;
    (stamp === ALWAYS ? this.everywhere : this.candidates).push(v);
  }
}
