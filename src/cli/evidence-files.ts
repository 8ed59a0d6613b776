/**
 * The files that `check` writes its evidence to, as far as they were asked for. Where several properties are asked about, each has
 * files of its own, with its number in their names: `run.json` becomes `run.p1.json`, and a folder gets a folder `p1`.
 */
import { readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Verdict } from '../check.ts';
import { correctnessWitness, violationWitness } from '../formats/c/witness.ts';
import { NotExpressible } from '../formats/not-expressible.ts';
import { CERTIFICATE_NAMES } from '../formats/proof/certificate.ts';
import { type PropertyName, type Question, violatedBy } from '../formats/question.ts';
import { expectFolder, expectWritable, makeFolder, writeText } from './files.ts';
import { evidenceText, type Report } from './report.ts';
import { witnessTask } from './witness-task.ts';

/** Where evidence is to go. */
export interface EvidencePaths {
  readonly trace: string | undefined;
  readonly vcd: string | undefined;
  readonly invariant: string | undefined;
  readonly certificate: string | undefined;
  readonly harness: string | undefined;
  readonly witness: string | undefined;
}

/** Complains about paths that cannot be written later on. */
export function expectEvidencePaths(paths: EvidencePaths): void {
  for (const file of [paths.trace, paths.vcd, paths.invariant, paths.harness, paths.witness])
    expectWritable(file);
  expectFolder(paths.certificate);
}

/** `files` are what was checked, `dataModel` is how C was read, and `areSeveral` whether there are other properties. */
export function writeEvidence(
  question: Question,
  files: readonly string[],
  dataModel: Parameters<typeof witnessTask>[1],
  reports: readonly Report[],
  areSeveral: boolean,
  paths: EvidencePaths,
): void {
  for (const report of reports) {
    const own = areSeveral ? pathsOf(paths, report.property) : paths;
    if (own.certificate !== undefined) dropCertificate(own.certificate);
    write(own.witness, 'witness', () => witness(question, files, dataModel, report));
    if (report.verdict.kind === 'unsafe') writeRun(question, report, own);
    if (report.verdict.kind === 'safe') writeProof(question, report, own);
  }
}

function pathsOf(paths: EvidencePaths, { index }: PropertyName): EvidencePaths {
  const own = (path: string | undefined) => {
    if (path === undefined) return undefined;
    const extension = extname(path);
    return `${path.slice(0, path.length - extension.length)}.p${index}${extension}`;
  };
  const { certificate } = paths;
  return {
    trace: own(paths.trace),
    vcd: own(paths.vcd),
    invariant: own(paths.invariant),
    harness: own(paths.harness),
    witness: own(paths.witness),
    certificate: certificate && join(certificate, `p${index}`),
  };
}

function writeRun(question: Question, { property, verdict }: Report, paths: EvidencePaths): void {
  if (verdict.kind !== 'unsafe') return;
  const { words } = question;
  const { derivation } = verdict;
  if (paths.trace !== undefined)
    writeText(paths.trace, words.json(violatedBy(question, derivation) ?? property, derivation));
  const { program } = words;
  write(paths.vcd, 'waveform', () => words.vcd(derivation));
  if (program !== undefined) write(paths.harness, 'harness', () => program.harness(derivation));
}

/** Writes a file that was asked for, or says why there is none. */
function write(path: string | undefined, what: string, text: () => string | undefined): void {
  if (path === undefined) return;
  try {
    const written = text();
    if (written !== undefined) writeText(path, written);
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    rmSync(path, { force: true }); // nobody must take an earlier one for this one's
    process.stderr.write(`no ${what} was written, since ${error.message}\n`);
  }
}

function writeProof(question: Question, report: Report, paths: EvidencePaths): void {
  const { property, verdict } = report;
  if (verdict.kind !== 'safe') return;
  if (paths.invariant !== undefined) writeText(paths.invariant, evidenceText(question, report));
  const folder = paths.certificate;
  if (folder === undefined) return;
  makeFolder(folder);
  for (const file of question.words.certificate(property, verdict.proof))
    writeText(join(folder, file.name), file.text);
}

/** Nobody must take the scripts of an earlier answer for some of this one's. */
function dropCertificate(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return; // there is none
  }
  for (const name of names) if (CERTIFICATE_NAMES.test(name)) rmSync(join(folder, name));
}

function witness(
  { words: { program } }: Question,
  files: readonly string[],
  dataModel: Parameters<typeof witnessTask>[1],
  { verdict }: Report,
): string | undefined {
  if (program === undefined) return undefined;
  switch (verdict.kind) {
    case 'unsafe':
      return violationWitness(witnessTask(files, dataModel), program.violation(verdict.derivation));
    case 'safe': {
      const loops = program.loops(verdict.proof);
      return correctnessWitness(witnessTask(files, dataModel), loops, program.errorName);
    }
    case 'unknown':
      return undefined;
  }
}

/** Says which of the files that were asked for there is nothing to write to. */
export function remark(kinds: readonly Verdict['kind'][], paths: EvidencePaths): void {
  const { trace, vcd, harness, invariant, certificate } = paths;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  if (paths.witness !== undefined && kinds.every(k => k === 'unknown'))
    say('no witness was written, since the answer is not known');
  if (!kinds.includes('unsafe') && [trace, vcd, harness].some(f => f !== undefined))
    say('no run was written, since no property was found to be violated');
  if (!kinds.includes('safe') && (invariant !== undefined || certificate !== undefined))
    say('no proof was written, since no property was found to hold');
}
