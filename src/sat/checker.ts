/**
 * A forward checker for DRUP proofs. It shares no code with the solver and is deliberately plain: each derived
 * clause must follow by reverse unit propagation from the clauses present at that point. It keeps its root literals
 * between steps and watches two literals of each clause, so that checking costs about as much as solving.
 *
 * Deletions are honoured, with the convention of other checkers that root literals found so far stay, even if the
 * clause they came from goes. The deletion of a clause that is not there is an error.
 *
 * A clause is a place in one array, where its size is written, or NO_CLAUSE once it is deleted; its literals follow,
 * without duplicates, the two watched ones first.
 */
import { grownInts, IntStack } from './int-stack.ts';
import { type Lit, toDimacs } from './literals.ts';
import { AXIOM, DELETED, INPUT, type ProofLog, type StepKind } from './proof.ts';

export class ProofError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProofError';
  }
}

const NO_CLAUSE = -1;

export class ProofChecker implements ProofLog {
  private clauses: Int32Array = new Int32Array(1 << 10); // see above
  private top = 0; // where the next clause will be
  private value: Int8Array = new Int8Array(128); // by literal: 1 true, -1 false
  private stamps: Int32Array = new Int32Array(128); // by literal: the last step that mentions it
  private readonly trail = new IntStack(); // literals that are true, the root ones first
  private propagated = 0; // trail literals whose watches have been visited
  private readonly watches: number[][] = []; // by literal: clauses
  private index: Map<number, number[]> | undefined; // clauses by hash of their literals; made for the first deletion
  private isContradictory = false; // unit propagation alone refutes the clauses
  private steps = 0; // steps seen, for error messages
  visits = 0; // of watched clauses: the work done so far

  /** Has the empty clause been derived (or does it follow by unit propagation)? */
  get isRefuted(): boolean {
    return this.isContradictory;
  }

  step(kind: StepKind, source: ArrayLike<number>, from: number, to: number): void {
    this.steps++;
    const clause = this.write(source, from, to);
    if (kind === DELETED) {
      this.remove(clause);
      this.top = clause;
      return;
    }
    if (kind !== INPUT && kind !== AXIOM && !this.follows(this.literals(clause))) {
      throw new ProofError(
        `step ${this.steps}: clause ${show(this.literals(clause))} does not follow by unit propagation`,
      );
    }
    this.add(clause);
  }

  /** Does the clause follow from the present clauses by unit propagation? Nothing is changed. */
  follows(clause: ArrayLike<number>): boolean {
    if (this.isContradictory) return true;
    const { trail } = this;
    const rootSize = trail.size;
    let holds = false;
    for (let i = 0; i < clause.length && !holds; i++) {
      this.ensure(clause[i]);
      const value = this.value[clause[i]];
      if (value > 0) holds = true;
      else if (value === 0) this.makeTrue(clause[i] ^ 1);
    }
    holds ||= !this.propagate();
    for (let i = trail.size - 1; i >= rootSize; i--) {
      this.value[trail.data[i]] = 0;
      this.value[trail.data[i] ^ 1] = 0;
    }
    trail.size = rootSize;
    this.propagated = rootSize;
    return holds;
  }

  /** Writes the literals of a step, each once, after the last clause. */
  private write(source: ArrayLike<number>, from: number, to: number): number {
    const clause = this.top;
    const end = clause + 1 + to - from;
    if (end > this.clauses.length) this.clauses = grownInts(this.clauses, 2 * end);
    let at = clause + 1;
    for (let i = from; i < to; i++) {
      const lit = source[i];
      this.ensure(lit);
      if (this.stamps[lit] === this.steps) continue;
      this.stamps[lit] = this.steps;
      this.clauses[at++] = lit;
    }
    this.clauses[clause] = at - clause - 1;
    this.top = at;
    return clause;
  }

  private literals(clause: number): Int32Array {
    return this.clauses.subarray(clause + 1, clause + 1 + this.clauses[clause]);
  }

  private add(clause: number): void {
    const { clauses, value } = this;
    const size = clauses[clause];
    const first = clause + 1;
    if (this.index !== undefined) this.enter(this.index, clause);
    if (this.isContradictory) return;
    // Non-false literals first, so that the watches are right under the root literals.
    let free = 0;
    for (let i = 0; i < size && free < 2; i++) {
      if (value[clauses[first + i]] < 0) continue;
      swap(clauses, first + i, first + free++);
    }
    if (size > 1) {
      this.watches[clauses[first]].push(clause);
      this.watches[clauses[first + 1]].push(clause);
    }
    if (free === 0) this.isContradictory = true;
    else if (free === 1 && value[clauses[first]] === 0) {
      this.makeTrue(clauses[first]);
      if (!this.propagate()) this.isContradictory = true;
    }
  }

  /** Deletes a clause with the same literals as the one written last. */
  private remove(wanted: number): void {
    if (this.index === undefined) this.index = this.makeIndex(wanted);
    const literals = this.literals(wanted);
    const key = hash(literals);
    const bucket = this.index.get(key) ?? [];
    const at = bucket.findIndex(clause => sameLiterals(this.literals(clause), literals));
    if (at < 0) throw new ProofError(`step ${this.steps}: there is no clause ${show(literals)} to delete`);
    this.clauses[bucket[at]] = NO_CLAUSE; // leaves the watch lists when they are next visited
    bucket.splice(at, 1);
    if (bucket.length === 0) this.index.delete(key);
  }

  /** Of all clauses before one. None has been deleted so far, so they lie one after the other. */
  private makeIndex(end: number): Map<number, number[]> {
    const index = new Map<number, number[]>();
    for (let clause = 0; clause < end; clause += 1 + this.clauses[clause]) this.enter(index, clause);
    return index;
  }

  private enter(index: Map<number, number[]>, clause: number): void {
    const key = hash(this.literals(clause));
    const bucket = index.get(key);
    if (bucket === undefined) index.set(key, [clause]);
    else bucket.push(clause);
  }

  private makeTrue(lit: number): void {
    this.value[lit] = 1;
    this.value[lit ^ 1] = -1;
    this.trail.push(lit);
  }

  /** False on a conflict. */
  private propagate(): boolean {
    const { trail, value, clauses } = this;
    while (this.propagated < trail.size) {
      const falseLit = trail.data[this.propagated++] ^ 1;
      const list = this.watches[falseLit];
      this.visits += list.length + 1;
      let kept = 0;
      for (let i = 0; i < list.length; i++) {
        const clause = list[i];
        if (clauses[clause] === NO_CLAUSE) continue;
        const first = clause + 1;
        if (clauses[first] === falseLit) swap(clauses, first, first + 1);
        if (value[clauses[first]] <= 0 && this.rewatch(clause)) continue;
        list[kept++] = clause;
        if (value[clauses[first]] > 0) continue;
        if (value[clauses[first]] < 0) {
          for (i++; i < list.length; i++) list[kept++] = list[i];
          if (kept < list.length) list.length = kept;
          return false;
        }
        this.makeTrue(clauses[first]);
      }
      if (kept < list.length) list.length = kept;
    }
    return true;
  }

  /** Finds another literal to watch than the second one, which became false. */
  private rewatch(clause: number): boolean {
    const { clauses, value } = this;
    const end = clause + 1 + clauses[clause];
    for (let k = clause + 3; k < end; k++) {
      if (value[clauses[k]] < 0) continue;
      swap(clauses, clause + 2, k);
      this.watches[clauses[clause + 2]].push(clause);
      return true;
    }
    return false;
  }

  private ensure(lit: number): void {
    while (this.watches.length <= (lit | 1)) this.watches.push([]);
    if ((lit | 1) < this.value.length) return;
    const size = Math.max((lit | 1) + 1, this.value.length * 2);
    const bigger = new Int8Array(size);
    bigger.set(this.value);
    this.value = bigger;
    this.stamps = grownInts(this.stamps, size);
  }
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
