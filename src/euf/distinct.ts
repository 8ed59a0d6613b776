/**
 * The negation of a large `distinct`: some two of n terms are equal. Pair by pair this takes n²/2 equalities;
 * here it takes n, for a witness w that two different terms must equal: with first[i] and second[i]
 * choosing the two, a chain of variables `open[i]` (a first one was chosen among the terms before i) keeps
 * the second choice behind the first.
 */
import { type Lit, negate, positive, type Var } from '../sat/literals.ts';

/** Clauses for: if `lit` is false, then at least two of the literals `isWitness` are true. */
export function encodeRepeated(
  newVar: () => Var,
  addClause: (clause: readonly Lit[]) => void,
  lit: Lit,
  isWitness: readonly Lit[],
): void {
  const first: Lit[] = [lit];
  const second: Lit[] = [lit];
  let open = positive(newVar());
  addClause([negate(open)]);
  for (const w of isWitness) {
    const [f, s, after] = [newVar(), newVar(), newVar()].map(positive);
    addClause([negate(f), w]);
    addClause([negate(s), w]);
    addClause([negate(s), open]);
    addClause([negate(after), open, f]);
    first.push(f);
    second.push(s);
    open = after;
  }
  addClause(first);
  addClause(second);
}
