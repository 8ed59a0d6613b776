/**
 * What `check --json` prints, for other programs: a document for each input, which `docs/schema/result.json` describes. With several
 * inputs each document is a line.
 */
import type { Verdict } from '../check.ts';
import { type PropertyName, type Question, violatedBy } from '../formats/question.ts';
import type { Failure } from './failure.ts';
import { phaseTimes } from './profile-text.ts';
import { evidenceText, overall, type Report } from './report.ts';

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
  return document({ file: question.file, verdict: overall(reports.map(r => r.verdict.kind)), properties });
}

/** Documents of `jsonText` about every so manieth of the properties, put together as one about all of them. */
export function jointJson(texts: readonly string[]): string {
  type Result = { readonly verdict: Verdict['kind']; readonly properties: readonly object[] };
  const parts: readonly Result[] = texts.map(text => JSON.parse(text));
  const count = parts.reduce((sum, p) => sum + p.properties.length, 0);
  const properties = Array.from(
    { length: count },
    (_, i) => parts[i % parts.length].properties[Math.floor(i / parts.length)],
  );
  const verdict = overall(parts.map(p => p.verdict));
  return document({ ...parts[0], verdict, properties });
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

/** Where a limit was reached before the properties were known. */
export function unreadJson(file: string, reason: string): string {
  return document({ file, verdict: 'unknown', reason, properties: [] });
}

/** Where there is no answer because something is wrong with the input, or with this program. */
export function failureJson(file: string | undefined, { status, messages }: Failure): string {
  return document({ ...(file === undefined ? {} : { file }), error: { status, messages } });
}

/** The version grows when the meaning of a field changes. */
function document(fields: object): string {
  return `${JSON.stringify({ format: 'euforia-result', version: 1, ...fields }, undefined, 2)}\n`;
}

/** A document on a line of its own. */
export function onOneLine(text: string): string {
  return JSON.stringify(JSON.parse(text));
}
