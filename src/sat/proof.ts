/**
 * The proof log, in the order of events: input clauses, axioms of the theory, derived clauses (each implied by
 * reverse unit propagation, RUP), deletions. The derived clauses and deletions alone are a DRUP proof (Heule,
 * Hunt, Wetzler, "Trimming while checking clausal proofs", FMCAD 2013).
 *
 * All unit clauses found at the root level are logged as derived clauses, so the deletion of a clause that was
 * once the reason of a root literal is harmless for every checker.
 */
import { type Lit, toDimacs } from './literals.ts';

export const INPUT = 0;
export const AXIOM = 1;
export const DERIVED = 2;
export const DELETED = 3;
export type StepKind = typeof INPUT | typeof AXIOM | typeof DERIVED | typeof DELETED;

export interface ProofLog {
  /** Records one step; the literals are `source[from .. to)` and must be copied if kept. */
  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void;
}

/** A proof kept in memory: records of kind, size, literals in one growing array. */
export class MemoryProof implements ProofLog {
  private data = new Int32Array(1 << 12);
  private top = 0;

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    const end = this.top + 2 + to - from;
    if (end > this.data.length) {
      const bigger = new Int32Array(Math.max(end, this.data.length * 2));
      bigger.set(this.data);
      this.data = bigger;
    }
    const { data } = this;
    data[this.top++] = kind;
    data[this.top++] = to - from;
    for (let i = from; i < to; i++) data[this.top++] = source[i];
  }

  /** Where the next step will be recorded. */
  get size(): number {
    return this.top;
  }

  /** Plays the recorded steps from `start` on, or so many of them, into another log; returns where to continue next time. */
  replay(log: ProofLog, start = 0, steps = Number.POSITIVE_INFINITY): number {
    let at = start;
    for (let i = 0; i < steps && at < this.top; i++) {
      const size = this.data[at + 1];
      log.step(this.data[at] as StepKind, this.data, at + 2, at + 2 + size);
      at += 2 + size;
    }
    return at;
  }

  /** The DRUP text of the derived clauses and deletions. */
  toText(): string {
    const text = new TextProof();
    this.replay(text);
    return text.take();
  }
}

/** A proof as DRUP text, to be taken away piece by piece. */
export class TextProof implements ProofLog {
  private lines: string[] = [];

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    if (kind === INPUT || kind === AXIOM) return;
    let line = kind === DELETED ? 'd ' : '';
    for (let i = from; i < to; i++) line += `${toDimacs(source[i] as Lit)} `;
    this.lines.push(`${line}0\n`);
  }

  /** Number of lines that wait. */
  get pending(): number {
    return this.lines.length;
  }

  /** Removes and returns the text collected so far. */
  take(): string {
    const text = this.lines.join('');
    this.lines = [];
    return text;
  }
}
