/**
 * The negation of a large `distinct`: some two of n terms are equal. Pair by pair this takes n²/2 equalities;
 * here it takes n, for a witness w that two different terms must equal: with first[i] and second[i]
 * choosing the two, a chain of variables `open[i]` (a first one was chosen among the terms before i) keeps
 * the second choice behind the first.
 */
import { type Lit, negate, positive } from '../sat/literals.ts';
import type { Solver } from '../sat/solver.ts';

/** Clauses for: if `lit` is false, then at least two of the literals `isWitness` are true. */
export function encodeRepeated(solver: Solver, lit: Lit, isWitness: readonly Lit[]): void {
  const first: Lit[] = [lit];
  const second: Lit[] = [lit];
  let open = positive(solver.newVar());
  solver.addClause([negate(open)]);
  for (const w of isWitness) {
    const [f, s, after] = [solver.newVar(), solver.newVar(), solver.newVar()].map(positive);
    solver.addClause([negate(f), w]);
    solver.addClause([negate(s), w]);
    solver.addClause([negate(s), open]);
    solver.addClause([negate(after), open, f]);
    first.push(f);
    second.push(s);
    open = after;
  }
  solver.addClause(first);
  solver.addClause(second);
}
