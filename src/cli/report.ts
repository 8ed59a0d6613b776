/** What `check` prints: verdict and evidence for people, for programs, or in the words of a competition. */
import type { PropertyCheck, Verdict } from '../check.ts';
import { QUESTIONS } from '../core/env/profile.ts';
import {
  type Competition,
  type CompetitionAnswer,
  type PropertyName,
  type Question,
  violatedBy,
} from '../formats/question.ts';
import { plural } from '../term/plural.ts';
import { printTerm } from '../term/printer.ts';
import type { Paint } from './colour.ts';
import { durationText, phaseTimes, profileLines, sharesOf } from './profile-text.ts';
import { VerdictTable } from './verdict-table.ts';

/** A verdict about a property and how it was found. */
export interface Report {
  readonly property: PropertyName;
  readonly verdict: Verdict;
  readonly check: PropertyCheck;
}

export interface ReportOptions {
  readonly quiet: boolean;
  readonly stats: boolean;
  readonly profile: boolean;
}

/** What there is to say of a property, as plain data, since threads send it. */
export interface Told {
  readonly property: { readonly index: number; readonly name: string | undefined };
  readonly word: Verdict['kind'];
  readonly milliseconds: number;
  /** The engine that found it, or why there is no answer. */
  readonly by: string;
  /** The evidence and whatever else was asked for. */
  readonly text: string;
}

/** Safe if all are, unsafe if one is, unknown otherwise. */
export function overall(words: readonly Verdict['kind'][]): Verdict['kind'] {
  if (words.includes('unsafe')) return 'unsafe';
  return words.includes('unknown') ? 'unknown' : 'safe';
}

export function tell(question: Question, report: Report, options: ReportOptions): Told {
  const { property, verdict, check } = report;
  const lines = options.quiet ? [] : [evidenceText(question, report)];
  if (options.stats) lines.push(...statsLines(report));
  if (options.profile) lines.push(...costLines(report));
  const spent = phaseTimes(check.profile.root).filter(([phase]) => phase !== READING);
  return {
    property: { index: property.index, name: property.name },
    word: verdict.kind,
    milliseconds: spent.reduce((sum, [, time]) => sum + time, 0),
    by: verdict.kind === 'unknown' ? `(${verdict.text})` : (check.foundBy ?? ''),
    text: lines.join('\n').trimEnd(),
  };
}

/** The phase that all properties of a file have in common. */
export const READING = 'reading';

/** A property as people call it. */
export function called({ index, name }: Told['property']): string {
  return name === undefined ? String(index) : `${index} (${name})`;
}

/** The verdict, then property by property, and where there are several a table of them. */
export function plainText(told: readonly Told[], { quiet }: ReportOptions, paint: Paint): string {
  const lines: string[] = [paint(overall(told.map(t => t.word)))];
  const areSeveral = told.length > 1 && !quiet;
  for (const { property, word, text } of told) {
    if (areSeveral) lines.push('', `property ${called(property)}: ${paint(word)}`);
    if (text !== '') lines.push(text);
  }
  if (areSeveral) lines.push('', ...summaryLines(told, paint));
  return `${lines.join('\n')}\n`;
}

function summaryLines(told: readonly Told[], paint: Paint): string[] {
  const names = told.map(t => called(t.property));
  const table = new VerdictTable({ one: 'property', many: 'properties' }, names, paint);
  return [table.head, ...told.map((t, i) => table.row({ ...t, name: names[i] })), table.totals];
}

/** The evidence as text: an invariant or a model, a run or a derivation, or the reason why there is none. */
export function evidenceText(question: Question, { property, verdict }: Report): string {
  const { words } = question;
  switch (verdict.kind) {
    case 'safe':
      return words.proof(property, verdict.proof);
    case 'unsafe':
      return words.derivation(violatedBy(question, verdict.derivation) ?? property, verdict.derivation);
    case 'unknown':
      return `reason: ${verdict.text}\n`;
  }
}

export function competitionText({ text }: Competition, reports: readonly Report[]): string {
  return text(reports.map(({ property, verdict }): CompetitionAnswer => ({ property, ...verdict })));
}

/** What each engine has done, and how long each phase took. */
function statsLines({ check, verdict }: Report): string[] {
  const rows: [string, string][] = verdict.kind === 'unknown' ? [] : [['found by', check.foundBy ?? '']];
  for (const { name, spent, stats, obstacle } of check.shares) {
    if (obstacle !== undefined) rows.push([name, obstacle]);
    if (spent > 0) rows.push([`${name} effort`, String(Math.round(spent))]);
    for (const [key, value] of Object.entries(stats)) {
      rows.push([`${name} ${key.replace(/[A-Z]/g, c => ` ${c.toLowerCase()}`)}`, String(value)]);
    }
  }
  for (const [phase, time] of phaseTimes(check.profile.root))
    rows.push([`time of ${phase}`, durationText(time)]);
  for (const [phase, share] of sharesOf(QUESTIONS, check.profile.root))
    rows.push([`share of questions in ${phase}`, `${(100 * share).toFixed(1)} %`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `; ${name.padEnd(width)}  ${value}`);
}

/** Lemmas that a profile shows. */
const DEAREST = 10;
const SHOWN_LENGTH = 160; // of a lemma's text

function costLines({ check }: Report): string[] {
  const { profile, lemmas } = check;
  const lines = profileLines(profile.root);
  if (lemmas.length > 0) lines.push('', `the most expensive of ${plural(lemmas.length, 'lemma')}:`);
  const dearest = [...lemmas].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, DEAREST);
  for (const { terms, formula, kind, milliseconds } of dearest) {
    const text = printTerm(terms, formula);
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    lines.push(`${durationText(milliseconds).padStart(8)}  ${kind}: ${shown}`);
  }
  return lines.map(l => `; ${l}`.trimEnd());
}
