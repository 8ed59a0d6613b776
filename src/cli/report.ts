/** What `check` prints: verdict and evidence for people, for programs, or in the words of a competition. */
import { type Answer, evidenceText } from '../answer.ts';
import type { CheckerStats, LearntLemma, Verdict } from '../core/checker.ts';
import type { Profile } from '../core/env/profile.ts';
import { btor2Witness } from '../output/btor2-witness.ts';
import { chcCompText } from '../output/chc-comp.ts';
import { durationText, phaseTimes, profileLines } from '../output/profile.ts';
import { traceJson } from '../output/trace-json.ts';
import type { Task } from '../task.ts';
import { plural } from '../term/plural.ts';
import { printTerm } from '../term/printer.ts';

/** An answer and how it was found. */
export interface Report extends Answer {
  readonly stats: CheckerStats;
  readonly profile: Profile;
  readonly lemmas: readonly LearntLemma[];
}

export interface ReportOptions {
  readonly quiet: boolean;
  readonly stats: boolean;
  readonly profile: boolean;
}

/** Safe if all are, unsafe if one is, unknown otherwise. */
export function overall(reports: readonly Answer[]): Verdict['kind'] {
  const kinds = reports.map(r => r.verdict.kind);
  if (kinds.includes('unsafe')) return 'unsafe';
  return kinds.includes('unknown') ? 'unknown' : 'safe';
}

export function plainText(task: Task, reports: readonly Report[], options: ReportOptions): string {
  const lines: string[] = [overall(reports)];
  for (const report of reports) {
    const { property, verdict } = report;
    if (!options.quiet) {
      if (reports.length > 1) lines.push('', `property ${property.index}: ${verdict.kind}`);
      lines.push(evidenceText(task, report));
    }
    if (options.stats) lines.push(...statsLines(report));
    if (options.profile) lines.push(...costLines(task, report));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** As HWMCC has it: `sat` is a violation, with a witness; of several properties, the first violated one. */
export function hwmccText({ system }: Task, reports: readonly Report[]): string {
  for (const { property, verdict } of reports) {
    if (verdict.kind === 'unsafe') return btor2Witness(system, property, verdict.trace);
  }
  return overall(reports) === 'safe' ? 'unsat\n' : 'unknown\n';
}

/** As CHC-COMP has it, one answer for each query. */
export function chcText({ clauses }: Task, reports: readonly Report[]): string {
  if (clauses === undefined) throw new Error('there are no clauses to speak of');
  return reports.map(r => (r.clauses === undefined ? '' : chcCompText(clauses.problem, r.clauses))).join('');
}

export function jsonText(task: Task, reports: readonly Report[]): string {
  const properties = reports.map(report => {
    const { property, verdict, stats, profile } = report;
    return {
      index: property.index,
      name: property.name,
      verdict: verdict.kind,
      ...(verdict.kind === 'unknown' ? { reason: verdict.reason } : {}),
      ...(verdict.kind === 'safe' ? { invariant: evidenceText(task, report) } : {}),
      ...(verdict.kind === 'unsafe'
        ? { trace: JSON.parse(traceJson(task.system, property, verdict.trace)) }
        : {}),
      stats,
      milliseconds: Object.fromEntries(phaseTimes(profile.root)),
    };
  });
  return `${JSON.stringify({ verdict: overall(reports), properties }, undefined, 2)}\n`;
}

/** As `jsonText`, where a limit was reached before the properties were known. */
export function unreadJson(reason: string): string {
  return `${JSON.stringify({ verdict: 'unknown', reason, properties: [] }, undefined, 2)}\n`;
}

function statsLines({ stats, profile }: Report): string[] {
  const rows: [string, string][] = Object.entries(stats).map(([name, value]) => [
    name.replace(/[A-Z]/g, c => ` ${c.toLowerCase()}`),
    String(value),
  ]);
  for (const [phase, time] of phaseTimes(profile.root)) rows.push([`time of ${phase}`, durationText(time)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `; ${name.padEnd(width)}  ${value}`);
}

/** Lemmas that a profile shows. */
const DEAREST = 10;
const SHOWN_LENGTH = 160; // of a lemma's text

function costLines({ system }: Task, { profile, lemmas }: Report): string[] {
  const lines = profileLines(profile.root);
  if (lemmas.length > 0) lines.push('', `the most expensive of ${plural(lemmas.length, 'lemma')}:`);
  const dearest = [...lemmas].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, DEAREST);
  for (const { formula, kind, content, stage, origin, milliseconds } of dearest) {
    const text = printTerm(system.terms, formula);
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    lines.push(
      `${durationText(milliseconds).padStart(8)}  ${stage}, ${kind}, ${content}, ${origin}: ${shown}`,
    );
  }
  return lines.map(l => `; ${l}`.trimEnd());
}
