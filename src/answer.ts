/**
 * A verdict with its evidence in the terms of the file that was asked about. Evidence about Horn clauses is carried back
 * from the system to the clauses and checked there once more; if that fails, the verdict is unknown.
 */
import type { HeavyBackEnd } from './bv/tiered.ts';
import type { Verdict } from './core/checker.ts';
import type { Property } from './core/system/system.ts';
import { type HornAnswer, hornAnswer } from './horn/answer.ts';
import { btor2Certificate } from './output/btor2.ts';
import { type CertificateScript, certificateScripts } from './output/certificate.ts';
import { derivationText, modelText } from './output/chc-comp.ts';
import { invariantText } from './output/invariant.ts';
import { NotExpressible } from './output/not-expressible.ts';
import { traceTable } from './output/trace-table.ts';
import type { Budget } from './sat/budget.ts';
import type { Task } from './task.ts';

export interface Answer {
  readonly property: Property;
  readonly verdict: Verdict;
  /** The same about the clauses, if the system comes from clauses. */
  readonly clauses: HornAnswer | undefined;
}

export async function answerOf(
  task: Task,
  property: Property,
  verdict: Verdict,
  heavy: HeavyBackEnd,
  budget: Budget,
): Promise<Answer> {
  if (task.clauses === undefined) return { property, verdict, clauses: undefined };
  const { problem, horn } = task.clauses;
  const clauses = await hornAnswer(problem, horn, property.index, verdict, heavy, budget);
  return { property, verdict: clauses.kind === 'unknown' ? clauses : verdict, clauses };
}

/** The evidence as text: an invariant or a model, a run or a derivation, or the reason why there is none. */
export function evidenceText(task: Task, { property, verdict, clauses }: Answer): string {
  if (task.clauses !== undefined && clauses?.kind === 'safe')
    return modelText(task.clauses.problem, clauses.model);
  if (task.clauses !== undefined && clauses?.kind === 'unsafe')
    return derivationText(task.clauses.problem, clauses.derivation);
  switch (verdict.kind) {
    case 'safe':
      return invariantText(task.system, property, verdict.proof);
    case 'unsafe':
      return traceTable(task.system, property, verdict.trace);
    case 'unknown':
      return `reason: ${verdict.reason}\n`;
  }
}

/**
 * Files that prove a safe verdict: SMT-LIB scripts about the system, and for hardware its witness circuit, where BTOR2 can
 * say it.
 */
export function certificateFiles(task: Task, { property, verdict }: Answer): CertificateScript[] {
  if (verdict.kind !== 'safe') return [];
  const scripts = certificateScripts(task.system, property, verdict.proof);
  if (task.format !== 'btor2') return scripts;
  try {
    return [
      ...scripts,
      { name: 'witness.btor2', text: btor2Certificate(task.system, property, verdict.proof) },
    ];
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    return scripts;
  }
}
