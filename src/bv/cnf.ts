/**
 * Clauses for an and-inverter graph, made when a node is first needed and only in the polarity that is needed
 * (Plaisted and Greenbaum, 1986). If-then-else and exclusive-or are recognised and get their own clauses, and
 * conjunctions that nothing else uses are merged into the one above them.
 *
 * Because of the polarities, the SAT solver's value of an inner node may differ from what its inputs say: a model
 * is read off the inputs (see `evaluate`).
 */
import { grownInts, IntStack } from '../sat/int-stack.ts';
import { type Lit, NO_LIT, negate } from '../sat/literals.ts';
import { type Aig, complement, type Edge, FALSE, isComplemented, nodeOf, TRUE } from './aig.ts';
import type { SatBackEnd } from './back-end.ts';

const POSITIVE = 1; // node → its definition has been said
const NEGATIVE = 2; // definition → node has been said

const NODES_BETWEEN_CHECKPOINTS = 4096;

export class Cnf {
  clauseCount = 0;
  private readonly aig: Aig;
  private readonly sat: SatBackEnd;
  private readonly checkpoint: () => void;
  private defined = 0; // nodes
  private variables = new Int32Array(1024); // SAT variable + 1 of each node, or 0
  private said = new Uint8Array(1024); // polarities of each node that have clauses
  private readonly pending = new IntStack(); // edges whose node needs clauses so that the edge implies its meaning
  private readonly clause: Lit[] = []; // the one in the making
  private readonly conjuncts: Edge[] = []; // what `collectConjuncts` found
  private readonly stack: number[] = []; // what it has yet to look at
  private readonly inputs: number[] = []; // inputs that have a SAT variable

  /** `checkpoint` is called now and then while clauses are made, where stopping does no harm; it may throw. */
  constructor(aig: Aig, sat: SatBackEnd, checkpoint: () => void = () => {}) {
    this.aig = aig;
    this.sat = sat;
    this.checkpoint = checkpoint;
  }

  /** A literal that, when true, makes the edge true. */
  literal(e: Edge): Lit {
    const isNew = nodeOf(e) === 0 && !this.isKnown(0);
    const lit = this.use(e);
    if (isNew) {
      this.begin(negate(this.literalOf(0))); // the constant false
      this.end();
    }
    this.flush();
    return lit;
  }

  /** From now on the edge holds, or it holds whenever the guard does. */
  assert(root: Edge, guard?: Lit): void {
    const { aig } = this;
    const seen = new Set<Edge>([TRUE]);
    const conjuncts = [root];
    for (let e = conjuncts.pop(); e !== undefined; e = conjuncts.pop()) {
      if (seen.has(e)) continue;
      seen.add(e);
      const n = nodeOf(e);
      const isInner = n !== 0 && !aig.isInput(n);
      if (isInner && !isComplemented(e)) {
        conjuncts.push(aig.right[n] as Edge, aig.left[n] as Edge);
        continue;
      }
      const head = guard === undefined ? NO_LIT : negate(guard);
      if (e === FALSE) {
        this.begin(head);
        this.end();
      } else if (isInner && this.isChoice(n)) {
        this.addChoice(head, 1);
      } else if (isInner) {
        this.collectConjuncts(n);
        this.begin(head);
        for (const c of this.conjuncts) this.clause.push(this.use(complement(c)));
        this.end();
      } else {
        this.begin(head);
        this.clause.push(this.use(e));
        this.end();
      }
    }
    this.flush();
  }

  /** After `sat`: the value of every node (1 or 0), as the values of the inputs determine it. */
  evaluate(): Uint8Array {
    const { aig, sat } = this;
    const values = new Uint8Array(aig.count);
    for (const n of this.inputs) values[n] = sat.value(((this.variables[n] - 1) << 1) as Lit) ? 1 : 0;
    const { left, right } = aig;
    for (let n = 1; n < aig.count; n++) {
      const l = left[n];
      if (l < 0) continue;
      const r = right[n];
      values[n] = (values[l >> 1] ^ (l & 1)) & (values[r >> 1] ^ (r & 1));
    }
    return values;
  }

  /** The literal of an edge; what makes it imply the edge's meaning is left to `flush`. */
  private use(e: Edge): Lit {
    const n = nodeOf(e);
    if (this.variables.length <= n) {
      const size = Math.max(2 * this.variables.length, this.aig.left.length);
      this.variables = grownInts(this.variables, size);
      const said = new Uint8Array(size);
      said.set(this.said);
      this.said = said;
    }
    if (this.variables[n] === 0) {
      this.variables[n] = this.sat.newVar() + 1;
      if (this.aig.isInput(n)) this.inputs.push(n);
    }
    const polarity = isComplemented(e) ? NEGATIVE : POSITIVE;
    if ((this.said[n] & polarity) === 0) {
      this.said[n] |= polarity;
      if (!this.aig.isInput(n)) this.pending.push(e);
    }
    return (((this.variables[n] - 1) << 1) | (e & 1)) as Lit;
  }

  /** Makes the clauses that are still owed: an encoding that was interrupted leaves some. */
  flush(): void {
    const { pending } = this;
    while (pending.size > 0) {
      if (++this.defined % NODES_BETWEEN_CHECKPOINTS === 0) this.checkpoint();
      const e = pending.data[--pending.size] as Edge;
      const sign = isComplemented(e) ? 1 : 0;
      const n = nodeOf(e);
      const head = (this.literalOf(n) ^ 1 ^ sign) as Lit;
      if (this.isChoice(n)) this.addChoice(head, sign);
      else this.defineConjunction(n, head, isComplemented(e));
    }
  }

  /** Says what the node, or its negation, implies; the head is the negation of that. */
  private defineConjunction(n: number, head: Lit, isNegated: boolean): void {
    this.collectConjuncts(n);
    if (isNegated) {
      this.begin(head);
      for (const c of this.conjuncts) this.clause.push(this.use(complement(c)));
      this.end();
      return;
    }
    for (const c of this.conjuncts) {
      this.begin(head);
      this.clause.push(this.use(c));
      this.end();
    }
  }

  private condition = 0; // of the last node that was found to be a choice: if this
  private consequent = 0; // then this
  private alternative = 0; // else this

  /** Is node n of the form ¬(c ∧ ¬a) ∧ ¬(¬c ∧ ¬b), which says: if c then a, else b? So is an exclusive-or. */
  private isChoice(n: number): boolean {
    const { aig } = this;
    const { left, right } = aig;
    const x = left[n];
    const y = right[n];
    if ((x & y & 1) === 0) return false;
    const p = x >> 1;
    const q = y >> 1;
    if (aig.isInput(p) || aig.isInput(q)) return false;
    const pl = left[p];
    const pr = right[p];
    const ql = left[q];
    const qr = right[q];
    if (pl === (ql ^ 1)) return this.foundChoice(pl, pr, qr);
    if (pl === (qr ^ 1)) return this.foundChoice(pl, pr, ql);
    if (pr === (ql ^ 1)) return this.foundChoice(pr, pl, qr);
    return pr === (qr ^ 1) ? this.foundChoice(pr, pl, ql) : false;
  }

  private foundChoice(condition: number, notA: number, notB: number): true {
    this.condition = condition;
    this.consequent = notA ^ 1;
    this.alternative = notB ^ 1;
    return true;
  }

  /** Says the choice that was found last, or its negation (sign 1), unless the head is true. */
  private addChoice(head: Lit, sign: number): void {
    const c = this.condition as Edge;
    const a = (this.consequent ^ sign) as Edge;
    const b = (this.alternative ^ sign) as Edge;
    this.addTernary(head, complement(c), a);
    this.addTernary(head, c, b);
    // What follows from the two, so that a and b alone decide when they agree.
    if (a !== complement(b)) this.addTernary(head, a, b);
  }

  private addTernary(head: Lit, a: Edge, b: Edge): void {
    this.begin(head);
    this.clause.push(this.use(a), this.use(b));
    this.end();
  }

  /** Collects the edges whose conjunction a node is, through conjunctions that are used nowhere else. */
  private collectConjuncts(n: number): void {
    const { aig, conjuncts, stack } = this;
    conjuncts.length = 0;
    stack.push(aig.right[n], aig.left[n]);
    for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
      const m = e >> 1;
      const isShared = aig.isInput(m) || aig.parents[m] !== 1 || this.isKnown(m);
      if ((e & 1) === 0 && !isShared && !this.isChoice(m)) stack.push(aig.right[m], aig.left[m]);
      else conjuncts.push(e as Edge);
    }
  }

  private isKnown(n: number): boolean {
    return n < this.variables.length && this.variables[n] !== 0;
  }

  private literalOf(n: number): Lit {
    return ((this.variables[n] - 1) << 1) as Lit;
  }

  private begin(head: Lit): void {
    this.clause.length = 0;
    if (head !== NO_LIT) this.clause.push(head);
  }

  private end(): void {
    this.clauseCount++;
    this.sat.addClause(this.clause);
  }
}
