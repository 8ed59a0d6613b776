/**
 * A proof as an SMT-LIB file: declarations, the lemmas as definitions with the attribute `:lemma true`, and as the
 * last definition the invariant over the system's current state variables. `src/formats/proof/reader.ts` reads it back.
 * An invariant about all elements of arrays is `(forall (…) …)`; its variables are declared as well, since lemmas may mention
 * them. A k-inductive proof says so with `(set-info :k-induction k)`.
 */
import { conjuncts } from '../../core/problem/conjuncts.ts';
import type { Property, System } from '../../core/problem/system.ts';
import type { SystemProof } from '../../core/problem/system-proof.ts';
import { printTerm } from '../../term/printer.ts';
import { quoteSymbol } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { quantifiedText } from '../smtlib/quantified.ts';
import { declarations, freeName, nameApart, namesIn } from '../smtlib/script-text.ts';

/** Conjuncts are written line by line unless that makes the text so many times as long, for what they share. */
const REPETITION = 3;

export function invariantText(system: System, property: Property, proof: SystemProof): string {
  const { terms, states } = system;
  const variables = states.map(s => s.current);
  const formulas = [proof.invariant, ...proof.lemmas];
  // State variables first: they keep their names.
  const variablesOfProof = proof.bound ?? [];
  const named = nameApart(terms, [...variables, ...variablesOfProof, ...formulas]).slice(variables.length);
  const bound = named.slice(0, variablesOfProof.length);
  const [invariant, ...lemmas] = named.slice(variablesOfProof.length);
  const taken = namesIn(terms, [...variables, invariant, ...lemmas]);
  const name = (wanted: string) => quoteSymbol(freeName(wanted, taken));
  const lines = [
    ...headline(property, proof),
    ...declarations(terms, [invariant, ...lemmas]),
    ...lemmas.map((lemma, i) => {
      return `(define-fun ${name(`lemma-${i + 1}`)} () Bool (! ${printTerm(terms, lemma)} :lemma true))`;
    }),
    `(define-fun ${name('inv')} () Bool${body(terms, invariant, bound)})`,
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ index }: Property, { k }: SystemProof): string[] {
  const holds = 'it holds in all initial states, and no step';
  if (k === 0)
    return [
      `; An inductive invariant that implies property ${index}: ${holds}`,
      '; leads out of it. Lemmas are formulas that are true whatever their variables are.',
    ];
  return [
    `; An inductive invariant: ${holds} leads out of it.`,
    `; Property ${index} is ${k}-inductive there: it holds in the first ${k} states of every run, and in every state`,
    `; after ${k} different ones in which it holds.`,
    `(set-info :k-induction ${k})`,
  ];
}

function body(terms: TermStore, invariant: TermId, bound: readonly TermId[]): string {
  const parts = conjuncts(terms, invariant);
  const size = (t: TermId) => terms.postorder([t]).length;
  const total = parts.reduce((sum, part) => sum + size(part), 0);
  if (parts.length < 2 || total > REPETITION * size(invariant))
    return `\n  ${quantifiedText(terms, 'forall', bound, invariant)}`;
  const text = (f: TermId) =>
    `(and\n${conjuncts(terms, f)
      .map(part => `  ${printTerm(terms, part)}`)
      .join('\n')})`;
  return ` ${quantifiedText(terms, 'forall', bound, invariant, text)}`;
}
