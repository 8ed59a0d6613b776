/**
 * A forward checker for DRUP proofs. It shares no code with the solver and is deliberately plain: each derived
 * clause must follow by reverse unit propagation from the clauses present at that point. It keeps its root literals
 * between steps and watches two literals of each clause, so that checking costs about as much as solving.
 *
 * Deletions are honoured, with the convention of other checkers that root literals found so far stay, even if the
 * clause they came from goes. The deletion of a clause that is not there is an error.
 */
import { type Lit, toDimacs } from './literals.ts';
import { AXIOM, DELETED, INPUT, type ProofLog, type StepKind } from './proof.ts';

export class ProofError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProofError';
  }
}

interface CheckedClause {
  readonly literals: Int32Array; // without duplicates; the first two are watched, if there are two
  isDeleted: boolean;
}

export class ProofChecker implements ProofLog {
  private value: Int8Array = new Int8Array(128); // by literal: 1 true, -1 false
  private readonly trail: number[] = []; // literals that are true, the root ones first
  private propagated = 0; // trail literals whose watches have been visited
  private readonly watches: CheckedClause[][] = []; // by literal
  private readonly index = new Map<number, CheckedClause[]>(); // by hash of the literals, for deletion
  private isContradictory = false; // unit propagation alone refutes the clauses
  private steps = 0; // steps seen, for error messages

  /** Has the empty clause been derived (or does it follow by unit propagation)? */
  get isRefuted(): boolean {
    return this.isContradictory;
  }

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    this.steps++;
    const literals = normalize(source, from, to);
    for (const lit of literals) this.ensure(lit);
    if (kind === DELETED) {
      this.remove(literals);
      return;
    }
    if (kind !== INPUT && kind !== AXIOM && !this.follows(literals)) {
      throw new ProofError(
        `step ${this.steps}: clause ${show(literals)} does not follow by unit propagation`,
      );
    }
    this.add(literals);
  }

  /** Does the clause follow from the present clauses by unit propagation? Nothing is changed. */
  follows(clause: ArrayLike<number>): boolean {
    if (this.isContradictory) return true;
    const rootSize = this.trail.length;
    let holds = false;
    for (let i = 0; i < clause.length && !holds; i++) {
      this.ensure(clause[i]);
      const value = this.value[clause[i]];
      if (value > 0) holds = true;
      else if (value === 0) this.makeTrue(clause[i] ^ 1);
    }
    holds ||= !this.propagate();
    for (let i = this.trail.length - 1; i >= rootSize; i--) {
      this.value[this.trail[i]] = 0;
      this.value[this.trail[i] ^ 1] = 0;
    }
    this.trail.length = rootSize;
    this.propagated = rootSize;
    return holds;
  }

  private add(literals: Int32Array): void {
    const clause: CheckedClause = { literals, isDeleted: false };
    const key = hash(literals);
    const bucket = this.index.get(key);
    if (bucket === undefined) this.index.set(key, [clause]);
    else bucket.push(clause);
    if (this.isContradictory) return;
    // Non-false literals first, so that the watches are right under the root literals.
    let free = 0;
    for (let i = 0; i < literals.length && free < 2; i++) {
      if (this.value[literals[i]] < 0) continue;
      swap(literals, i, free++);
    }
    if (literals.length > 1) {
      this.watches[literals[0]].push(clause);
      this.watches[literals[1]].push(clause);
    }
    if (free === 0) this.isContradictory = true;
    else if (free === 1 && this.value[literals[0]] === 0) {
      this.makeTrue(literals[0]);
      if (!this.propagate()) this.isContradictory = true;
    }
  }

  private remove(literals: Int32Array): void {
    const key = hash(literals);
    const bucket = this.index.get(key) ?? [];
    const at = bucket.findIndex(clause => sameLiterals(clause.literals, literals));
    if (at < 0) throw new ProofError(`step ${this.steps}: there is no clause ${show(literals)} to delete`);
    bucket[at].isDeleted = true; // leaves the watch lists when they are next visited
    bucket.splice(at, 1);
    if (bucket.length === 0) this.index.delete(key);
  }

  private makeTrue(lit: number): void {
    this.value[lit] = 1;
    this.value[lit ^ 1] = -1;
    this.trail.push(lit);
  }

  /** False on a conflict. */
  private propagate(): boolean {
    const { trail, value } = this;
    while (this.propagated < trail.length) {
      const falseLit = trail[this.propagated++] ^ 1;
      const list = this.watches[falseLit];
      let kept = 0;
      for (let i = 0; i < list.length; i++) {
        const clause = list[i];
        if (clause.isDeleted) continue;
        const { literals } = clause;
        if (literals[0] === falseLit) swap(literals, 0, 1);
        if (value[literals[0]] <= 0 && this.rewatch(clause)) continue;
        list[kept++] = clause;
        if (value[literals[0]] > 0) continue;
        if (value[literals[0]] < 0) {
          for (i++; i < list.length; i++) list[kept++] = list[i];
          list.length = kept;
          return false;
        }
        this.makeTrue(literals[0]);
      }
      list.length = kept;
    }
    return true;
  }

  /** Finds another literal to watch than the second one, which became false. */
  private rewatch(clause: CheckedClause): boolean {
    const { literals } = clause;
    for (let k = 2; k < literals.length; k++) {
      if (this.value[literals[k]] < 0) continue;
      swap(literals, 1, k);
      this.watches[literals[1]].push(clause);
      return true;
    }
    return false;
  }

  private ensure(lit: number): void {
    while (this.watches.length <= (lit | 1)) this.watches.push([]);
    if ((lit | 1) < this.value.length) return;
    const bigger = new Int8Array(Math.max((lit | 1) + 1, this.value.length * 2));
    bigger.set(this.value);
    this.value = bigger;
  }
}

function normalize(source: ArrayLike<number>, from: number, to: number): Int32Array {
  const literals = new Int32Array(to - from);
  let size = 0;
  for (let i = from; i < to; i++) {
    let isNew = true;
    if (to - from <= 8) for (let k = 0; k < size; k++) isNew &&= literals[k] !== source[i];
    if (isNew) literals[size++] = source[i];
  }
  return to - from <= 8 ? literals.subarray(0, size) : Int32Array.from(new Set(literals));
}

/** Does not depend on the order of the literals. */
function hash(literals: Int32Array): number {
  let sum = 0;
  let product = 1;
  for (const lit of literals) {
    sum = (sum + Math.imul(lit + 1, 0x9e3779b1)) | 0;
    product = Math.imul(product, 2 * lit + 1);
  }
  return (sum ^ product) | 0;
}

function sameLiterals(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  const left = a.slice().sort();
  const right = b.slice().sort();
  return left.every((lit, i) => lit === right[i]);
}

function swap(literals: Int32Array, i: number, j: number): void {
  const lit = literals[i];
  literals[i] = literals[j];
  literals[j] = lit;
}

function show(literals: Int32Array): string {
  return literals.length === 0 ? '(empty)' : Array.from(literals, lit => toDimacs(lit as Lit)).join(' ');
}
