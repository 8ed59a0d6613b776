/**
 * Streams of questions, as a model checker asks its solver: formulas are asserted and questions asked under
 * assumptions, and a core is wanted after each `unsat`. The steps do not depend on the answers, so all solvers get the
 * same. Here are a stream's run in this process, its text as one script for another solver, and the comparison.
 */
import type { Budget } from '../../src/sat/budget.ts';
import type { Result } from '../../src/sat/solver.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { declarations } from './script.ts';
import { ratio, seconds } from './table.ts';

export type Step =
  | { readonly kind: 'assert'; readonly formula: TermId; readonly guard?: TermId }
  | { readonly kind: 'ask'; readonly assumptions: readonly TermId[] };

export interface Stream {
  readonly terms: TermStore;
  readonly termCount: number; // of the transition relation
  readonly steps: readonly Step[];
}

/** What a worker reports. */
export interface Measured {
  readonly ms: number;
  readonly answers: readonly string[];
  readonly coreLiterals: number;
  readonly stats: Readonly<Record<string, number>>;
}

/** A solver as a stream needs it. */
export interface StreamSolver {
  assert(formula: TermId, guard?: TermId): void;
  solve(assumptions: readonly TermId[], budget?: Budget): Result | Promise<Result>;
  core(): TermId[];
  readonly stats: Readonly<Record<string, number>>;
}

/** Runs a stream; after the time limit it stops with the answers it has. Making the solver counts. */
export async function runStream(
  { steps }: Stream,
  make: () => StreamSolver | Promise<StreamSolver>,
  limitMs: number,
): Promise<Measured> {
  const answers: string[] = [];
  let coreLiterals = 0;
  const start = performance.now();
  const deadline = Date.now() + limitMs;
  const solver = await make();
  for (const step of steps) {
    if (step.kind === 'assert') {
      solver.assert(step.formula, step.guard);
      continue;
    }
    const result = solver.solve(step.assumptions, { deadline });
    const answer = typeof result === 'string' ? result : await result;
    if (Date.now() >= deadline) break;
    answers.push(answer);
    if (answer === 'unsat') coreLiterals += solver.core().length;
  }
  return { ms: performance.now() - start, answers, coreLiterals, stats: solver.stats };
}

/** The stream as one script; a core is asked for after each question that is known to have the answer `unsat`. */
export function streamScript(logic: string, { terms, steps }: Stream, answers: readonly string[]): string {
  const formulas = steps.flatMap(step =>
    step.kind === 'ask'
      ? step.assumptions
      : [step.formula, ...(step.guard === undefined ? [] : [step.guard])],
  );
  const names = new Map<TermId, string>(); // of atoms that are not variables: assumptions have to be literals
  const literal = (t: TermId): string => {
    if (terms.isVariable(t)) return printTerm(terms, t);
    const name = names.get(t);
    return name ?? `(not ${literal(terms.arg(t, 0))})`;
  };
  const lines = ['(set-option :produce-unsat-assumptions true)', `(set-logic ${logic})`];
  lines.push(...declarations(terms, formulas));
  for (const step of steps) {
    if (step.kind === 'assert') continue;
    for (const assumption of step.assumptions) {
      const atom = atomOf(terms, assumption);
      if (terms.isVariable(atom) || names.has(atom)) continue;
      const name = `atom${names.size}`;
      names.set(atom, name);
      lines.push(`(declare-const ${name} Bool)`, `(assert (= ${name} ${printTerm(terms, atom)}))`);
    }
  }
  let asked = 0;
  for (const step of steps) {
    if (step.kind === 'ask') {
      lines.push(`(check-sat-assuming (${step.assumptions.map(literal).join(' ')}))`);
      if (answers[asked++] === 'unsat') lines.push('(get-unsat-assumptions)');
    } else {
      const formula = printTerm(terms, step.formula);
      const guard = step.guard === undefined ? undefined : printTerm(terms, step.guard);
      lines.push(guard === undefined ? `(assert ${formula})` : `(assert (or (not ${guard}) ${formula}))`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The formula under at most one negation: literals are made with no more. */
function atomOf(terms: TermStore, t: TermId): TermId {
  return terms.op(t) === Op.NOT ? terms.arg(t, 0) : t;
}

// ---- the comparison ----

/** What one solver did on a stream. */
export interface Peer {
  readonly name: string;
  readonly ms: number;
  readonly answers: readonly string[];
}

export const PEER_HEADS: readonly string[] = ['answered', 's', 'questions/s'];

export function peerCells(peer: Peer | undefined): string[] {
  if (peer === undefined) return PEER_HEADS.map(() => '');
  return [String(peer.answers.length), seconds(peer.ms), rate(peer).toFixed(0)];
}

export function rateRatio(a: Peer | undefined, b: Peer | undefined): string {
  return a === undefined || b === undefined ? '' : ratio(rate(a), rate(b));
}

function rate(peer: Peer): number {
  return peer.answers.length / (peer.ms / 1000);
}

/** A line for each answer of one of the two that is the opposite of the other's; the benchmark has then failed. */
export function differences(a: Peer, b: Peer): string[] {
  const compared = Math.min(a.answers.length, b.answers.length);
  const lines: string[] = [];
  for (let i = 0; i < compared; i++) {
    const [x, y] = [a.answers[i], b.answers[i]];
    if (x !== y && x !== 'unknown' && y !== 'unknown')
      lines.push(`WRONG: question ${i} of the stream: ${a.name} says ${x}, ${b.name} says ${y}`);
  }
  if (lines.length > 0) process.exitCode = 1;
  return lines;
}
