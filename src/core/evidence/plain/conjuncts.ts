/**
 * What a list of formulas says one by one, through conjunctions, negated disjunctions and negated implications; and which
 * of it are definitions: `v = t` where v is a variable that has no definition yet, and Boolean variables that must be true
 * or false. Whether definitions go round in a circle is not asked here.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { type Pace, VISIT } from './pace.ts';

/** A formula that is said to hold, 2t, or not to hold, 2t + 1. */
export type Claim = number;

export interface Definition {
  readonly body: TermId;
  readonly claim: Claim; // what it was read off
}

export interface Conjuncts {
  /** All but the definitions. */
  readonly claims: readonly Claim[];
  readonly definitions: Map<TermId, Definition>;
}

export function* conjunctsOf(terms: TermStore, formulas: readonly TermId[], pace: Pace): Work<Conjuncts> {
  const claims: Claim[] = [];
  const definitions = new Map<TermId, Definition>();
  const seen = new Set<Claim>();
  const stack = new IntStack();
  for (let i = formulas.length - 1; i >= 0; i--) stack.push(2 * formulas[i]);
  while (stack.size > 0) {
    if (pace.spend(VISIT)) yield* pace.pause();
    const claim = stack.data[--stack.size];
    if (seen.has(claim)) continue;
    seen.add(claim);
    const t = (claim >> 1) as TermId;
    const sign = claim & 1;
    const op = terms.op(t);
    if (op === Op.NOT) {
      stack.push((2 * terms.arg(t, 0)) | (sign ^ 1));
    } else if ((op === Op.AND && sign === 0) || (op === Op.OR && sign === 1)) {
      for (let i = terms.arity(t) - 1; i >= 0; i--) stack.push((2 * terms.arg(t, i)) | sign);
    } else if (op === Op.IMPLIES && sign === 1) {
      stack.push((2 * terms.arg(t, 1)) | 1);
      stack.push(2 * terms.arg(t, 0));
    } else if (!define(terms, definitions, t, claim)) {
      claims.push(claim);
    }
  }
  return { claims, definitions };
}

/** Takes a claim for a definition, if it has that form. */
function define(terms: TermStore, definitions: Map<TermId, Definition>, t: TermId, claim: Claim): boolean {
  const enter = (v: TermId, body: TermId): boolean => {
    if (!terms.isVariable(v) || v === body || definitions.has(v)) return false;
    definitions.set(v, { body, claim });
    return true;
  };
  const isTrue = (claim & 1) === 0;
  if (terms.isVariable(t)) return enter(t, terms.bool(isTrue));
  if (!isTrue || terms.op(t) !== Op.EQ) return false;
  const [a, b] = [terms.arg(t, 0), terms.arg(t, 1)];
  return enter(a, b) || enter(b, a);
}
