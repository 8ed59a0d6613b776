/**
 * Does a proof prove the property? Its lemmas must be valid, bit by bit, and the three conditions of an inductive
 * invariant must hold given the lemmas. The conditions are tried with operators uninterpreted first, which is how the
 * engine found the proof and what makes wide multipliers easy: on the system in normal form, which is what the engine
 * works on, with invariant and lemmas as they are; then on all formulas as they are, and all in normal form; and bit
 * by bit at last, because an invariant that somebody else found need not hold abstractly. The first attempt that
 * refutes the negated condition settles it. A proof without lemmas is tried bit by bit first, if bits are what it is about.
 */
import type { BackEndInterrupt } from '../../bv/back-end.ts';
import type { ConcreteModel } from '../../bv/model.ts';
import { Op } from '../../term/operators.ts';
import { printTerm } from '../../term/printer.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { type Condition, conditionsOf, foreignVariables, type Proof } from '../system/proof.ts';
import type { Property, System } from '../system/system.ts';
import { valueText } from '../system/value-text.ts';
import {
  type Answer,
  type Budget,
  type CheckOptions,
  refuteAbstractly,
  refuteConcretely,
} from './unsatisfiable.ts';

export type { Proof } from '../system/proof.ts';
export type { CheckOptions } from './unsatisfiable.ts';

export type ProofCheck =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly reason: string }
  | {
      readonly kind: 'open';
      readonly reason: string;
      /** `load`: ask again when the heavy back end is loaded. */
      readonly interrupt: BackEndInterrupt | undefined;
    };

/** Is the check open only until the heavy back end is loaded? */
export function isWaiting(check: ProofCheck): boolean {
  return check.kind === 'open' && check.interrupt === 'load';
}

const VALID: ProofCheck = { kind: 'valid' };

const COMPLAINTS: Readonly<Record<Condition['name'], string>> = {
  init: 'some initial state is outside the invariant',
  step: 'the invariant is not inductive, for a step leads out of it',
  property: 'the invariant does not imply the property',
};

const QUESTIONS: Readonly<Record<Condition['name'], string>> = {
  init: 'whether the invariant holds initially',
  step: 'whether the invariant is inductive',
  property: 'whether the invariant implies the property',
};

/** Values and formulas in a complaint are cut off here. */
const SHOWN_LENGTH = 200;

export function checkProof(
  system: System,
  property: Property,
  proof: Proof,
  options: CheckOptions,
): ProofCheck {
  const malformed = checkForm(system, proof);
  if (malformed !== undefined) return { kind: 'invalid', reason: malformed };
  const checks = [
    ...proof.lemmas.map((_, i) => () => checkLemma(system, proof, i, options)),
    ...conditionsOf(system, property, proof).map(c => () => checkCondition(system, proof, c, options)),
  ];
  let result = VALID;
  for (const check of checks) {
    const outcome = check();
    if (outcome.kind === 'valid') continue;
    if (outcome.kind === 'invalid' || isWaiting(outcome)) return outcome;
    if (result.kind === 'valid') result = outcome;
  }
  return result;
}

function checkForm(system: System, { invariant, lemmas }: Proof): string | undefined {
  const { terms } = system;
  if ([invariant, ...lemmas].some(f => terms.sort(f) !== terms.sorts.bool))
    return 'the invariant and the lemmas must be Boolean';
  const [foreign] = foreignVariables(system, invariant);
  if (foreign === undefined) return undefined;
  return `the invariant mentions '${printTerm(terms, foreign)}', which is not a current state variable`;
}

function checkLemma({ terms }: System, { lemmas }: Proof, i: number, options: CheckOptions): ProofCheck {
  const answer = refuteConcretely(terms, [terms.not(lemmas[i])], options);
  const shown = `lemma ${i + 1}: ${shortened(printTerm(terms, lemmas[i]))}`;
  switch (answer.kind) {
    case 'unsat':
      return VALID;
    case 'sat':
      return { kind: 'invalid', reason: `this is not valid, ${shown}` };
    case 'open':
      return { ...answer, reason: `whether this is valid is not known, since ${answer.reason}, ${shown}` };
  }
}

function checkCondition(
  system: System,
  { lemmas }: Proof,
  { name, ofSystem, ofInvariant }: Condition,
  options: CheckOptions,
): ProofCheck {
  const { terms } = system;
  let example = '';
  const rewriter = new Rewriter(terms);
  const normal = (all: readonly TermId[]) => all.map(f => rewriter.rewrite(f));
  const formulas = [...ofSystem, ...ofInvariant];
  const half = () => ({ ...options, ...halfOf(options.budget) });
  const concretely = () =>
    refuteConcretely(terms, formulas, options, model => {
      example = exampleOf(system, formulas, model);
    });
  const abstractly: readonly (() => Answer)[] = [
    () => refuteAbstractly(terms, [...lemmas, ...normal(ofSystem), ...ofInvariant], half()),
    () => refuteAbstractly(terms, [...lemmas, ...formulas], half()),
    () => refuteAbstractly(terms, normal([...lemmas, ...formulas]), half()),
  ];
  const attempts =
    lemmas.length === 0 && speaksOfBits(terms, ofInvariant) ? [concretely] : [...abstractly, concretely];
  let answer: Answer = { kind: 'sat' };
  for (const attempt of attempts) {
    answer = attempt();
    if (answer.kind === 'unsat') return VALID;
    if (answer.kind === 'open' && answer.interrupt === 'load') break;
  }
  if (answer.kind === 'open')
    return { ...answer, reason: `${QUESTIONS[name]} is not known, since ${answer.reason}` };
  return { kind: 'invalid', reason: `${COMPLAINTS[name]}${example}` };
}

/** Are single bits taken out of vectors? */
function speaksOfBits(terms: TermStore, formulas: readonly TermId[]): boolean {
  return terms.postorder(formulas).some(t => terms.op(t) === Op.EXTRACT && terms.width(t) === 1);
}

/** The time that is left is shared: an attempt may use half of it. */
function halfOf(budget: Budget | undefined): { budget?: Budget } {
  if (budget?.deadline === undefined) return {};
  const now = Date.now();
  return { budget: { ...budget, deadline: now + (budget.deadline - now) / 2 } };
}

/** Values of the system's variables that show why a condition fails. */
function exampleOf(
  { terms, states, inputs }: System,
  formulas: readonly TermId[],
  model: ConcreteModel,
): string {
  const mentioned = new Set(terms.postorder(formulas));
  const variables = [...states.map(s => s.current), ...inputs, ...states.map(s => s.next)];
  const values = variables
    .filter(v => mentioned.has(v))
    .map(v => `${printTerm(terms, v)} = ${valueText(terms.sorts, terms.sort(v), model.value(v))}`);
  return values.length === 0 ? '' : shortened(`: ${values.join(', ')}`);
}

function shortened(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
