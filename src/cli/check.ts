/**
 * `euforia check FILE`: is the system safe? The first line of the output is the verdict: safe if all the properties asked
 * about are, unsafe if one is violated, unknown otherwise. Then comes the evidence, property by property.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Checker, type CheckerStats, type LearntLemma, type Verdict } from '../core/checker.ts';
import type { EngineOptions } from '../core/env/options.ts';
import { Profile } from '../core/env/profile.ts';
import type { Property, System } from '../core/system/system.ts';
import { certificateScripts } from '../output/certificate.ts';
import { invariantText } from '../output/invariant.ts';
import { durationText, phaseTimes, profileLines } from '../output/profile.ts';
import { traceJson } from '../output/trace-json.ts';
import { traceTable } from '../output/trace-table.ts';
import { traceVcd } from '../output/vcd.ts';
import { plural } from '../term/plural.ts';
import { printTerm } from '../term/printer.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { ProgressLine } from './progress.ts';
import { readSystem, selectProperties } from './read-system.ts';

export interface CheckOptions {
  readonly property: number | undefined;
  readonly timeout: number | undefined;
  readonly memory: number | undefined;
  readonly trace: string | undefined;
  readonly vcd: string | undefined;
  readonly invariant: string | undefined;
  readonly certificate: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly stats: boolean;
  readonly exitCode: boolean;
  readonly profile: boolean;
  readonly engine: EngineOptions;
  readonly strict: boolean;
}

interface Answer {
  readonly property: Property;
  readonly verdict: Verdict;
  readonly stats: CheckerStats;
  readonly profile: Profile;
  readonly lemmas: readonly LearntLemma[];
}

const EXIT_CODES: Readonly<Record<Verdict['kind'], number>> = { safe: 20, unsafe: 10, unknown: 0 };

export async function checkCommand(path: string, options: CheckOptions): Promise<number> {
  const limits = new Limits(options.timeout, options.memory);
  const start = performance.now();
  const system = readSystem(path, options.strict);
  const reading = performance.now() - start;
  const progress = new ProgressLine(options.quiet);
  const onInterrupt = () => limits.abort('interrupted');
  process.on('SIGINT', onInterrupt);
  const answers: Answer[] = [];
  for (const property of selectProperties(path, system, options.property)) {
    answers.push(await answer(system, property, options, limits, progress, reading));
  }
  process.off('SIGINT', onInterrupt);
  progress.clear();
  const kind = overall(answers.map(a => a.verdict.kind));
  process.stdout.write(
    options.json ? jsonText(system, kind, answers) : plainText(system, kind, answers, options),
  );
  writeFiles(system, answers, options);
  return options.exitCode ? EXIT_CODES[kind] : 0;
}

async function answer(
  system: System,
  property: Property,
  options: CheckOptions,
  limits: Limits,
  progress: ProgressLine,
  reading: number,
): Promise<Answer> {
  const profile = new Profile();
  profile.add('reading', reading);
  const checker = new Checker(system, property, {
    ...options.engine,
    profile,
    budget: limits.budget,
    heavy: heavyBackEnd(line => void process.stderr.write(`${line}\n`)),
    onProgress: p => progress.show(p),
  });
  const found = await checker.run();
  const verdict = found.kind === 'unknown' ? { ...found, reason: spelt(found.reason, limits) } : found;
  return { property, verdict, stats: checker.stats, profile, lemmas: checker.lemmas };
}

/** Limits as a person would name them. */
function spelt(reason: string, limits: Limits): string {
  if (reason === 'deadline') return 'the time limit was reached';
  return reason === 'aborted' ? (limits.reason ?? reason) : reason;
}

function overall(kinds: readonly Verdict['kind'][]): Verdict['kind'] {
  if (kinds.includes('unsafe')) return 'unsafe';
  return kinds.includes('unknown') ? 'unknown' : 'safe';
}

function plainText(
  system: System,
  kind: Verdict['kind'],
  answers: readonly Answer[],
  options: CheckOptions,
): string {
  const lines: string[] = [kind];
  for (const answer of answers) {
    const { property, verdict } = answer;
    if (!options.quiet) {
      if (answers.length > 1) lines.push('', `property ${property.index}: ${verdict.kind}`);
      lines.push(evidence(system, property, verdict));
    }
    if (options.stats) lines.push(...statsLines(answer));
    if (options.profile) lines.push(...costLines(system, answer));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function evidence(system: System, property: Property, verdict: Verdict): string {
  switch (verdict.kind) {
    case 'safe':
      return invariantText(system, property, verdict.proof);
    case 'unsafe':
      return traceTable(system, property, verdict.trace);
    case 'unknown':
      return `reason: ${verdict.reason}`;
  }
}

function statsLines({ stats, profile }: Answer): string[] {
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

function costLines({ terms }: System, { profile, lemmas }: Answer): string[] {
  const lines = profileLines(profile.root);
  if (lemmas.length > 0) lines.push('', `the most expensive of ${plural(lemmas.length, 'lemma')}:`);
  const dearest = [...lemmas].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, DEAREST);
  for (const { formula, kind, content, stage, origin, milliseconds } of dearest) {
    const text = printTerm(terms, formula);
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    lines.push(
      `${durationText(milliseconds).padStart(8)}  ${stage}, ${kind}, ${content}, ${origin}: ${shown}`,
    );
  }
  return lines.map(l => `; ${l}`.trimEnd());
}

function jsonText(system: System, kind: Verdict['kind'], answers: readonly Answer[]): string {
  const properties = answers.map(({ property, verdict, stats, profile }) => ({
    index: property.index,
    name: property.name,
    verdict: verdict.kind,
    ...(verdict.kind === 'unknown' ? { reason: verdict.reason } : {}),
    ...(verdict.kind === 'safe' ? { invariant: invariantText(system, property, verdict.proof) } : {}),
    ...(verdict.kind === 'unsafe' ? { trace: JSON.parse(traceJson(system, property, verdict.trace)) } : {}),
    stats,
    milliseconds: Object.fromEntries(phaseTimes(profile.root)),
  }));
  return `${JSON.stringify({ verdict: kind, properties }, undefined, 2)}\n`;
}

/** Evidence goes to the files that were asked for; with several properties, that of the first with such a verdict. */
function writeFiles(system: System, answers: readonly Answer[], options: CheckOptions): void {
  for (const { property, verdict } of [...answers].reverse()) {
    if (verdict.kind === 'unsafe') {
      if (options.trace !== undefined)
        writeFileSync(options.trace, traceJson(system, property, verdict.trace));
      if (options.vcd !== undefined) writeFileSync(options.vcd, traceVcd(system, verdict.trace));
    }
    if (verdict.kind === 'safe') {
      if (options.invariant !== undefined) {
        writeFileSync(options.invariant, invariantText(system, property, verdict.proof));
      }
      if (options.certificate !== undefined)
        writeScripts(options.certificate, system, property, verdict.proof);
    }
  }
}

function writeScripts(
  folder: string,
  system: System,
  property: Property,
  proof: Parameters<typeof certificateScripts>[2],
): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of certificateScripts(system, property, proof))
    writeFileSync(join(folder, name), text);
}
