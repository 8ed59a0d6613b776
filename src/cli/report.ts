/** What `check` prints: verdict and evidence for people, for programs, or in the words of a competition. */
import type { PropertyCheck, Verdict } from '../check.ts';
import {
  type Competition,
  type CompetitionAnswer,
  type PropertyName,
  type Question,
  violatedBy,
} from '../formats/question.ts';
import { plural } from '../term/plural.ts';
import { printTerm } from '../term/printer.ts';
import { durationText, phaseTimes, profileLines } from './profile-text.ts';

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

/** Safe if all are, unsafe if one is, unknown otherwise. */
export function overall(reports: readonly Report[]): Verdict['kind'] {
  const kinds = reports.map(r => r.verdict.kind);
  if (kinds.includes('unsafe')) return 'unsafe';
  return kinds.includes('unknown') ? 'unknown' : 'safe';
}

export function plainText(question: Question, reports: readonly Report[], options: ReportOptions): string {
  const lines: string[] = [overall(reports)];
  for (const report of reports) {
    const { property, verdict } = report;
    if (!options.quiet) {
      if (reports.length > 1) lines.push('', `property ${property.index}: ${verdict.kind}`);
      lines.push(evidenceText(question, report));
    }
    if (options.stats) lines.push(...statsLines(report));
    if (options.profile) lines.push(...costLines(report));
  }
  return `${lines.join('\n').trimEnd()}\n`;
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

export function jsonText(question: Question, reports: readonly Report[]): string {
  const properties = reports.map(report => {
    const { property, verdict, check } = report;
    return {
      index: property.index,
      name: property.name,
      verdict: verdict.kind,
      ...(verdict.kind === 'unknown' ? { reason: verdict.text, cause: verdict.reason } : {}),
      ...(verdict.kind === 'safe'
        ? { invariant: evidenceText(question, report), ...inductionOf(verdict) }
        : {}),
      ...(verdict.kind === 'unsafe' ? violationOf(question, property, verdict) : {}),
      ...(verdict.kind === 'unknown' ? {} : { foundBy: check.foundBy }),
      engines: check.shares.map(({ name, spent, obstacle, stats }) => ({
        name,
        spent,
        ...(obstacle === undefined ? {} : { obstacle }),
        ...stats,
      })),
      milliseconds: Object.fromEntries(phaseTimes(check.profile.root)),
    };
  });
  return `${JSON.stringify({ verdict: overall(reports), properties }, undefined, 2)}\n`;
}

/** The run, and where properties are asked about together the one that it violates. */
function violationOf(
  question: Question,
  property: PropertyName,
  { derivation }: Extract<Verdict, { kind: 'unsafe' }>,
) {
  const violated = violatedBy(question, derivation) ?? property;
  return {
    ...(violated === property ? {} : { violated: { index: violated.index, name: violated.name } }),
    trace: JSON.parse(question.words.json(violated, derivation)),
  };
}

function inductionOf({ proof }: Extract<Verdict, { kind: 'safe' }>): { k?: number } {
  return proof.k === 0 ? {} : { k: proof.k };
}

/** As `jsonText`, where a limit was reached before the properties were known. */
export function unreadJson(reason: string): string {
  return `${JSON.stringify({ verdict: 'unknown', reason, properties: [] }, undefined, 2)}\n`;
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
