/**
 * Does a proof prove the property? Its lemmas must be valid, bit by bit, and the conditions must hold given the lemmas. A
 * condition is tried with operators uninterpreted first, which is how the engine found the proof and what makes wide
 * multipliers easy; and bit by bit at last, because a model that somebody else found need not hold abstractly. The first
 * attempt that refutes it settles it.
 */
import type { UnknownReason } from '../../sat/unknown.ts';
import { ready, type Work } from '../../sat/work.ts';
import type { Evaluator } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import { printTerm } from '../../term/printer.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { valueText } from '../../term/value-text.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  isLinear,
  isQuery,
  type Problem,
  placesOf,
} from '../problem/problem.ts';
import { boundOf, type Proof, type Quantified, type Witnessed } from '../problem/proof.ts';
import { type Condition, conditionsOf } from './conditions.ts';
import { type PlainOptions, refute } from './plain/refute.ts';
import { type Attempt, refuteSomehow } from './refute.ts';

export type ProofCheck =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly text: string }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason; readonly text: string };

export interface CheckOptions extends PlainOptions {
  /** What an edge is called in complaints. */
  readonly nameOf: (edge: Edge) => string;
}

const VALID: ProofCheck = { kind: 'valid' };

/** Formulas in a complaint are cut off here. */
const SHOWN_LENGTH = 200;

/** All of it is looked at, also where some of it cannot be decided: what is invalid is worth more than what is open. */
export function* checkProof(problem: Problem, proof: Proof, options: CheckOptions): Work<ProofCheck> {
  const malformed = complaintAboutForm(problem, proof);
  if (malformed !== undefined) return { kind: 'invalid', text: malformed };
  let result: ProofCheck = VALID;
  for (const check of checksOf(problem, proof, options)) {
    const outcome = yield* check();
    if (outcome.kind === 'invalid') return outcome;
    if (result.kind === 'valid') result = outcome;
  }
  return result;
}

function checksOf(problem: Problem, proof: Proof, options: CheckOptions): (() => Work<ProofCheck>)[] {
  const lemmas = [...new Set([...proof.lemmas.values()].flat())];
  return [
    ...lemmas.map((lemma, i) => () => checkLemma(problem.terms, lemma, i, options)),
    ...conditionsOf(problem, proof).map(c => () => checkCondition(problem.terms, c, options)),
  ];
}

function complaintAboutForm(problem: Problem, proof: Proof): string | undefined {
  const { terms, locations } = problem;
  const { model, forAll, exists, lemmas, k } = proof;
  if (k !== 0 && !(Number.isInteger(k) && k > 0)) return 'k must be a natural number';
  if (k > 0 && locations.length !== 1) return 'a k-inductive proof is about one location';
  if (k > 0 && !isLinear(problem)) return 'a k-inductive proof is about runs';
  if ([...lemmas.values()].flat().some(f => terms.sort(f) !== terms.sorts.bool))
    return 'a lemma is not Boolean';
  for (const location of locations) {
    const { name, places } = location;
    const formula = model.get(location);
    if (formula === undefined) return `the model says nothing about ${name}`;
    if (terms.sort(formula) !== terms.sorts.bool) return `the model of ${name} is not Boolean`;
    const own = new Set([...places, ...boundOf(proof, location)]);
    const foreign = terms.postorder([formula]).find(t => terms.isVariable(t) && !own.has(t));
    if (foreign !== undefined) {
      const mentioned = terms.nameOf(foreign);
      return `the model of ${name} mentions '${mentioned}', which is no place of it`;
    }
  }
  if (forAll === undefined && exists === undefined) return undefined;
  if (k > 0) return 'a k-inductive proof has no bound variables';
  if (forAll !== undefined && exists !== undefined) return 'bound variables are of two kinds';
  for (const l of locations) {
    const own = boundOf(proof, l);
    const known = new Set(l.places);
    const strange = own.find((v, i) => !terms.isVariable(v) || known.has(v) || own.indexOf(v) !== i);
    if (strange !== undefined) return `what is bound in ${l.name} is not new there`;
  }
  if (forAll !== undefined) return complaintAboutInstances(problem, forAll);
  return exists && complaintAboutWitnesses(problem, exists);
}

/**
 * A bound variable must also be new to all edges that lead to its location, which show something for any value of it. Instances must
 * have the form of instances.
 */
function complaintAboutInstances(
  { terms, edges }: Problem,
  { bound, instances }: Quantified,
): string | undefined {
  for (const edge of edges) {
    const head = headOf(edge);
    const known = new Set([...placesOf(edge), ...inputsOf(terms, edge)]);
    const captured = head && bound.get(head)?.find(v => known.has(v));
    if (captured !== undefined)
      return `'${terms.nameOf(captured)}' is bound and used by an edge that leads there`;
    for (const { source, values } of instances.get(edge) ?? []) {
      const location = edge.sources[source]?.location;
      const wanted = (location && bound.get(location)) ?? [];
      if (!fit(terms, values, wanted)) return 'an instance does not fit what is bound';
    }
  }
  return undefined;
}

/** What stands for some values in an edge must be new to it and be there once: nothing else is known of such values. */
function complaintAboutWitnesses(
  { terms, edges }: Problem,
  { bound, assumed, witnesses }: Witnessed,
): string | undefined {
  for (const edge of edges) {
    const known = new Set([...placesOf(edge), ...inputsOf(terms, edge)]);
    for (const [i, { location }] of edge.sources.entries()) {
      const wanted = bound.get(location) ?? [];
      const own = assumed.get(edge)?.[i] ?? [];
      if (!fit(terms, own, wanted)) return 'what is assumed of a source does not fit what is bound there';
      for (const v of own) {
        if (!terms.isVariable(v) || known.has(v))
          return `what is assumed of a source is not new to an edge from ${location.name}`;
        known.add(v);
      }
    }
    const head = headOf(edge);
    const wanted = (head && bound.get(head)) ?? [];
    if (!fit(terms, witnesses.get(edge) ?? [], wanted)) return 'witnesses do not fit what is bound';
  }
  return undefined;
}

/** One value for each variable, of its sort? */
function fit(terms: TermStore, values: readonly TermId[], wanted: readonly TermId[]): boolean {
  return values.length === wanted.length && values.every((t, i) => terms.sort(t) === terms.sort(wanted[i]));
}

function* checkLemma(terms: TermStore, lemma: TermId, i: number, options: CheckOptions): Work<ProofCheck> {
  const answer = yield* refute(terms, [terms.not(lemma)], 'bits', options);
  const shown = `lemma ${i + 1}: ${shortened(printTerm(terms, lemma))}`;
  switch (answer.kind) {
    case 'unsat':
      return VALID;
    case 'sat':
      return { kind: 'invalid', text: `this is not valid, ${shown}` };
    case 'unknown':
      return { ...answer, text: `whether this is valid is not known, since ${answer.text}, ${shown}` };
  }
}

function* checkCondition(terms: TermStore, condition: Condition, options: CheckOptions): Work<ProofCheck> {
  const answer = yield* refuteSomehow(terms, attemptsAt(terms, condition), options);
  const what = describe(condition, options);
  switch (answer.kind) {
    case 'unsat':
      return VALID;
    case 'sat':
      return { kind: 'invalid', text: `${what.complaint}${exampleOf(terms, condition, answer.model)}` };
    case 'unknown':
      return { ...answer, text: `${what.question} is not known, since ${answer.text}` };
  }
}

function attemptsAt(terms: TermStore, { ofProblem, ofModel, ofHead, lemmas }: Condition): Attempt[] {
  const formulas = [...ofProblem, ...ofModel, ...ofHead];
  const bits: Attempt = { reading: 'bits', formulas: () => ready(formulas) };
  // A model that speaks of single bits was found on bits.
  if (lemmas.length === 0 && speaksOfBits(terms, ofModel)) return [bits];
  return [{ reading: 'abstract', formulas: () => ready([...lemmas, ...formulas]) }, bits];
}

/** Are single bits taken out of vectors? */
function speaksOfBits(terms: TermStore, formulas: readonly TermId[]): boolean {
  return terms.postorder(formulas).some(t => terms.op(t) === Op.EXTRACT && terms.width(t) === 1);
}

function describe(
  { kind, edge }: Condition,
  { nameOf }: CheckOptions,
): { readonly complaint: string; readonly question: string } {
  if (edge === undefined) {
    return kind === 'base'
      ? {
          complaint: 'there is a violation within the first k steps',
          question: 'whether there is a violation within the first k steps',
        }
      : {
          complaint: 'k steps without a violation may be followed by one',
          question: 'whether k steps without a violation may be followed by one',
        };
  }
  const name = nameOf(edge);
  if (isQuery(edge.head))
    return {
      complaint: `the model does not exclude ${name}`,
      question: `whether the model excludes ${name}`,
    };
  return { complaint: `${name} leads out of the model`, question: `whether ${name} leads out of the model` };
}

/** Values of what the edge speaks of that show what is wrong with it. */
function exampleOf(terms: TermStore, { edge }: Condition, model: Evaluator | undefined): string {
  if (edge === undefined || model === undefined) return '';
  const values = [...placesOf(edge), ...inputsOf(terms, edge)].map(
    v => `${printTerm(terms, v)} = ${valueText(terms.sorts, terms.sort(v), model.value(v))}`,
  );
  return values.length === 0 ? '' : shortened(`: ${values.join(', ')}`);
}

function shortened(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
