/**
 * Evidence held against the clauses as the user wrote them, whatever transformations it went through.
 *
 * A model must make every clause true: body and constraint without the head have no model. As with invariants, this is
 * asked with operators uninterpreted first, given the lemmas of the proof, and then bit by bit. The lemmas are valid
 * formulas (the checker of proofs has seen to that), so any instance of them may be used: here those about the
 * arguments of a clause's body and head.
 *
 * A derivation is replayed by the evaluator.
 */
import type { ProofCheck } from '../core/check/invariant.ts';
import {
  type Answer,
  type CheckOptions,
  refuteAbstractly,
  refuteConcretely,
} from '../core/check/unsatisfiable.ts';
import { isValueOf } from '../core/system/value-text.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { substitute } from '../term/substitute.ts';
import { sameValue, type Value } from '../term/value.ts';
import { evaluatorOf, placesTo, WORK_OF_A_STEP } from './graph.ts';
import {
  type Atom,
  type Clause,
  type ClauseDerivation,
  type ClauseInstance,
  type HornProblem,
  isQuery,
  type Model,
  type Relation,
} from './problem.ts';

/** Valid formulas that may help with a clause. */
export type LemmasOf = (clause: Clause) => readonly TermId[];

/** Is it a model of all clauses, those of other queries left aside? */
export function checkModel(
  problem: HornProblem,
  query: number,
  model: Model,
  lemmasOf: LemmasOf,
  options: CheckOptions,
): ProofCheck {
  const malformed = problem.relations
    .map(r => complaintAbout(problem.terms, r, model))
    .find(c => c !== undefined);
  if (malformed !== undefined) return { kind: 'invalid', reason: malformed };
  for (const clause of problem.clauses) {
    if (isQuery(clause.head) && clause.head.query !== query) continue;
    const answer = refute(problem.terms, clause, model, lemmasOf, options);
    const place = `the clause in line ${clause.line}`;
    if (answer.kind === 'sat') return { kind: 'invalid', reason: `the model makes ${place} false` };
    if (answer.kind === 'unsat') continue;
    return { ...answer, reason: `whether the model satisfies ${place} is not known, since ${answer.reason}` };
  }
  return { kind: 'valid' };
}

function complaintAbout(terms: TermStore, relation: Relation, model: Model): string | undefined {
  const formula = model.get(relation);
  if (formula === undefined) return `the model says nothing about ${relation.name}`;
  const own = new Set(relation.places);
  const foreign = terms.postorder([formula]).find(t => terms.isVariable(t) && !own.has(t));
  if (foreign === undefined) return undefined;
  const { name } = terms.symbol(terms.functionOf(foreign));
  return `the model of ${relation.name} mentions '${name}', which is none of its arguments`;
}

function refute(
  terms: TermStore,
  clause: Clause,
  model: Model,
  lemmasOf: LemmasOf,
  options: CheckOptions,
): Answer {
  const { body, constraint, head } = clause;
  const rewriter = new Rewriter(terms);
  const applied = (atom: Atom) =>
    substitute(terms, model.get(atom.relation) as TermId, placesTo(atom.relation, atom.args));
  const formulas = [
    ...(body === undefined ? [] : [applied(body)]),
    constraint,
    ...(isQuery(head) ? [] : [terms.not(applied(head))]),
  ].map(f => rewriter.rewrite(f));
  const lemmas = lemmasOf(clause).map(f => rewriter.rewrite(f));
  const abstract = refuteAbstractly(terms, [...lemmas, ...formulas], options);
  return abstract.kind === 'unsat' ? abstract : refuteConcretely(terms, formulas, options);
}

/** What is wrong with a derivation of the query, in one sentence; undefined if nothing is. */
export function checkDerivation(
  { terms }: HornProblem,
  query: number,
  derivation: ClauseDerivation,
  checkpoint: Checkpoint = new Checkpoint(),
): string | undefined {
  if (derivation.length === 0) return 'the derivation is empty';
  let before: Fact | undefined;
  for (const [i, instance] of derivation.entries()) {
    checkpoint.pass(WORK_OF_A_STEP);
    const complain = (reason: string) =>
      `step ${i}, by the clause in line ${instance.clause.line}: ${reason}`;
    const wrong = wrongValue(terms, instance);
    if (wrong !== undefined) return complain(wrong);
    const { clause, values } = instance;
    const evaluator = evaluatorOf(terms, values);
    const fact = ({ relation, args }: Atom): Fact => ({ relation, args: args.map(a => evaluator.value(a)) });
    if (i > 0 && before === undefined) return complain('there is nothing to start from');
    if (!isSameFact(clause.body === undefined ? undefined : fact(clause.body), before)) {
      return complain('its body is not what the step before derived');
    }
    if (evaluator.value(clause.constraint) !== true) return complain('its constraint is false');
    before = isQuery(clause.head) ? undefined : fact(clause.head);
  }
  const { head } = derivation[derivation.length - 1].clause;
  return isQuery(head) && head.query === query ? undefined : 'the last step does not derive the query';
}

/** A relation that holds of some values. */
interface Fact {
  readonly relation: Relation;
  readonly args: readonly Value[];
}

function isSameFact(a: Fact | undefined, b: Fact | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.relation === b.relation && a.args.every((v, i) => sameValue(v, b.args[i]));
}

function wrongValue(terms: TermStore, { clause, values }: ClauseInstance): string | undefined {
  for (const v of clause.variables) {
    const value = values.get(v);
    const { name } = terms.symbol(terms.functionOf(v));
    if (value === undefined) return `'${name}' has no value`;
    if (!isValueOf(terms.sorts, terms.sort(v), value)) return `the value of '${name}' is not of its sort`;
  }
  return undefined;
}
