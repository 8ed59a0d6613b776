/** Why it is safe: the invariant formula by formula, each with what it says in plain words when one points at it. */
import { type Child, h, isNarrow } from '../dom.ts';
import { indented } from '../text/indent.ts';
import { infix, ruleOf } from '../text/infix.ts';
import { readInvariant, type Section } from '../text/invariant.ts';
import { isList, type Tree } from '../text/tree.ts';

/** Columns of a formula, on a phone and elsewhere. */
const NARROW = 40;
const WIDE = 72;

/** More formulas than this are for programs to read. */
const MOST_FORMULAS = 300;

export function invariantView(text: string): HTMLElement {
  const invariant = readInvariant(text);
  if (invariant === undefined) return h('pre', { class: 'plain', tabindex: 0 }, text);
  const { sections, k, notes } = invariant;
  const states = sections.filter(section => section.kind === 'state');
  const lemmas = sections.filter(section => section.kind === 'lemma');
  return h(
    'div',
    { class: 'invariant' },
    h('p', { class: 'lead' }, leadText(states.length, k)),
    ...states.map(stateSection),
    lemmas.length === 0 ? undefined : h('h3', {}, `Lemmas (${lemmas.length})`),
    lemmas.length === 0
      ? undefined
      : h(
          'p',
          { class: 'lead' },
          'The search takes operators for unknown functions. Where that was too coarse, it learnt a fact: true of all values.',
        ),
    list(lemmas.map(section => formulaItem(section.formulas[0], lemmaWords(section), section.name))),
    ...notes.map(note => h('p', { class: 'lead' }, `Assumed: ${note}`)),
  );
}

function leadText(places: number, k: number): string {
  if (k > 0) return `Proved by induction over ${k} steps, with this about the states.`;
  if (places === 0) return 'Nothing need be said of any state: no step leads to a violation.';
  return 'This holds at the start, every step keeps it, and it rules out the violation. Point at a formula, or tap it, to have it explained.';
}

function stateSection({ title, formulas }: Section): HTMLElement {
  const shown = formulas.slice(0, MOST_FORMULAS);
  const where = title === undefined ? 'in every state that can be reached' : `whenever a run is at ${title}`;
  return h(
    'section',
    {},
    title === undefined ? undefined : h('h3', {}, title),
    list(shown.map(formula => formulaItem(formula, stateWords(formula, where)))),
    shown.length < formulas.length
      ? h('p', { class: 'lead' }, `… and ${formulas.length - shown.length} more: the download has them.`)
      : undefined,
  );
}

function list(items: readonly HTMLElement[]): HTMLElement {
  return h('ul', { class: 'formulas' }, ...items);
}

function formulaItem(formula: Tree, words: readonly Child[], name?: string): HTMLElement {
  return h(
    'li',
    { class: 'formula', tabindex: 0 },
    name === undefined ? undefined : h('span', { class: 'formula-name' }, name),
    h('pre', {}, indented(formula, isNarrow() ? NARROW : WIDE)),
    h('div', { class: 'explanation', role: 'note' }, ...words),
  );
}

function stateWords(formula: Tree, where: string): Child[] {
  return [h('p', {}, `Always, ${where}:`), h('p', { class: 'words' }, ...said(formula))];
}

function lemmaWords({ name, formulas: [formula] }: Section): Child[] {
  const operators = [...operatorsIn(formula)];
  const about = operators.length === 0 ? '' : ` It is about ${operators.join(', ')}.`;
  return [
    h('p', { class: 'words' }, ...said(formula)),
    h('p', {}, `True whatever the values are.${about} The script ${name}.smt2 of the certificate proves it.`),
  ];
}

/** A formula in plain words, as a rule if it is one. */
function said(formula: Tree): Child[] {
  const code = (tree: Tree) => h('code', {}, infix(tree));
  const listed = (trees: readonly Tree[], word: string) =>
    trees.flatMap((tree, i): Child[] => (i === 0 ? [code(tree)] : [` ${word} `, code(tree)]));
  const rule = ruleOf(formula);
  if (rule === undefined || rule.when.length === 0) return [code(formula)];
  if (rule.follows.length === 0) return ['never ', ...listed(rule.when, 'and'), ' at once'];
  return ['if ', ...listed(rule.when, 'and'), ', then ', ...listed(rule.follows, 'or')];
}

/** What the operators of words are called; those of logic are known to the search anyway. */
const OPERATOR_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^bv(add|sub|neg)$/, 'addition and subtraction'],
  [/^bvmul$/, 'multiplication'],
  [/^bv[us](div|rem|mod)$/, 'division'],
  [/^bv[us](lt|le|gt|ge)$/, 'order'],
  [/^bv(and|or|xor|not)$/, 'single bits'],
  [/^bv(shl|lshr|ashr)$/, 'shifts'],
  [/^(extract|concat|zero_extend|sign_extend)$/, 'parts of words'],
  [/^(select|store)$/, 'arrays'],
];

function operatorsIn(tree: Tree, found = new Set<string>()): Set<string> {
  if (isList(tree)) for (const part of tree) operatorsIn(part, found);
  else for (const [pattern, word] of OPERATOR_WORDS) if (pattern.test(tree)) found.add(word);
  return found;
}
