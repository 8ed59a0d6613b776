/**
 * Is a derivation one? Decided by the evaluator alone, with operators as the standard defines them: the guard of every step
 * and the constraints of its sources are evaluated, and what its premises derive is what its sources have. No derivation is
 * shown to anybody that has not passed here. Where rounds of a loop are left out, what they lead to is taken as the derivation
 * says it, and the rounds themselves are for `check-rounds.ts`.
 */
import { Checkpoint } from '../../sat/checkpoint.ts';
import { applyByDefinition } from '../../term/evaluator.ts';
import { printTerm } from '../../term/printer.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { sameValue, type Value } from '../../term/value.ts';
import { conjuncts } from '../problem/conjuncts.ts';
import { type Derivation, evaluatorOf, type Step } from '../problem/derivation.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  inputsOf,
  isQueryOf,
  type Location,
  type Problem,
  placesOf,
  type QueriesOf,
} from '../problem/problem.ts';

import { extrapolated, LISTED_ROUNDS, listedRounds } from '../problem/repetition.ts';
import { complaintAboutRounds } from './check-rounds.ts';
import { isOfSort } from './of-sort.ts';

/** A formula in a complaint is cut off here. */
const SHOWN_LENGTH = 120;

/** Against that of reading a token. */
const WORK_OF_A_STEP = 50;

/** What a step derives. */
interface Fact {
  readonly location: Location;
  readonly values: readonly Value[];
}

/** What is wrong with a derivation of a query of the property, in one sentence; undefined if nothing is. */
export function checkDerivation(
  problem: Problem,
  queries: QueriesOf,
  { steps, functionValue }: Derivation,
  nameOf: (edge: Edge) => string,
  checkpoint = new Checkpoint(),
): string | undefined {
  const complaint = checkSteps(problem, { steps, functionValue }, nameOf, checkpoint);
  if (complaint !== undefined) return complaint;
  const last = steps.at(-1)?.edge.head;
  if (last === undefined) return 'the derivation is empty';
  return isQueryOf(last, queries) ? undefined : 'the last step does not derive the query';
}

/** The same of a derivation that need not derive a query. */
export function checkSteps(
  problem: Problem,
  { steps, functionValue }: Derivation,
  nameOf: (edge: Edge) => string,
  checkpoint = new Checkpoint(),
): string | undefined {
  const { terms } = problem;
  const edges = new Set(problem.edges);
  const facts: (Fact | undefined)[] = [];
  for (const [i, step] of steps.entries()) {
    checkpoint.pass(WORK_OF_A_STEP);
    const { edge, values } = step;
    const complaint = edges.has(edge)
      ? (missingValue(terms, step) ??
        wrongPremise(facts, i, step, reached(terms, facts, steps, i)) ??
        wrongInput(terms, step) ??
        falseCondition(terms, step, functionValue))
      : 'the problem has no such edge';
    if (complaint !== undefined) return `step ${i}, by ${nameOf(edge)}: ${complaint}`;
    const evaluator = evaluatorOf(terms, values, functionValue, applyByDefinition);
    const head = headOf(edge);
    facts.push(head && { location: head, values: edge.values.map(v => evaluator.value(v)) });
  }
  return undefined;
}

function missingValue(terms: TermStore, { edge, values }: Step): string | undefined {
  const missing = [...placesOf(edge), ...inputsOf(terms, edge)].find(v => !values.has(v));
  return missing === undefined ? undefined : `'${terms.nameOf(missing)}' has no value`;
}

/** Of a step whose places have the values that were derived for them: these are of their sorts. */
function wrongInput(terms: TermStore, { edge, values }: Step): string | undefined {
  const places = [...placesOf(edge)];
  const valueAt = (v: TermId) => values.get(v) as Value;
  const wrong = inputsOf(terms, edge).find(v => !isOfSort(terms, v, valueAt(v), places, valueAt));
  return wrong === undefined ? undefined : `the value of '${terms.nameOf(wrong)}' is not of its sort`;
}

/** What the rounds that are left out before a step lead to, or what is wrong with them; undefined if there are none. */
function reached(
  terms: TermStore,
  facts: readonly (Fact | undefined)[],
  steps: readonly Step[],
  i: number,
): Fact | string | undefined {
  const starts = listedRounds(steps, i);
  if (starts === undefined) return undefined;
  const complaint = complaintAboutRounds(steps, i);
  if (complaint !== undefined) return complaint;
  const [first, ...others] = starts.map(start => facts[start - 1] as Fact);
  const rounds = LISTED_ROUNDS + (steps[i].skipped ?? 0n);
  const values = first.location.places.map((p, n) => {
    const listed = [first, ...others].map(f => f.values[n]);
    return extrapolated(terms.sorts, terms.sort(p), listed, rounds) ?? first.values[n];
  });
  return { location: first.location, values };
}

function wrongPremise(
  facts: readonly (Fact | undefined)[],
  i: number,
  { edge, values, premises }: Step,
  skippedTo: Fact | string | undefined,
) {
  if (premises.length !== edge.sources.length) return 'it has not one premise for each source';
  if (typeof skippedTo === 'string') return skippedTo;
  for (const [j, { location, places }] of edge.sources.entries()) {
    const fact = skippedTo ?? (premises[j] < i ? facts[premises[j]] : undefined);
    const isDerived =
      fact?.location === location &&
      places.every((p, n) => sameValue(values.get(p) as Value, fact.values[n]));
    if (!isDerived) return `its premise ${j + 1} is not what an earlier step derived`;
  }
  return undefined;
}

function falseCondition(
  terms: TermStore,
  { edge, values }: Step,
  functionValue: Derivation['functionValue'],
) {
  const evaluator = evaluatorOf(terms, values, functionValue, applyByDefinition);
  const isFalse = (f: TermId) => evaluator.value(f) !== true;
  const culprit = conditionsOf(edge)
    .filter(isFalse)
    .flatMap(f => conjuncts(terms, f).find(isFalse) ?? f)[0];
  if (culprit === undefined) return undefined;
  const text = printTerm(terms, culprit);
  return `this is false: ${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}`;
}
