/**
 * From terms to literals, clauses and e-nodes.
 *
 * Boolean connectives become clauses by Tseitin's encoding, each direction only where it is needed
 * (Plaisted and Greenbaum, 1986): a subformula that occurs only positively gets the clauses that let it be
 * true only if its definition is. Atoms (equalities, predicates) become e-nodes with a variable. An `ite`
 * between terms becomes a node with two clauses that make it equal to one branch or the other.
 *
 * Definitions hold for good and are made once per term and direction, at any time and decision level. Work
 * is kept on an explicit list, so deep terms are safe.
 */

import { grownInts, IntStack } from '../sat/int-stack.ts';
import { type Lit, literal, negate, positive, type Var } from '../sat/literals.ts';
import type { Solver } from '../sat/solver.ts';
import type { TheoryPort } from '../sat/theory.ts';
import { applyOperator, termOfValue } from '../term/evaluator.ts';
import { Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';
import type { Value } from '../term/value.ts';
import { encodeRepeated } from './distinct.ts';
import { NONE, NodeKind } from './egraph.ts';
import { EufTheory } from './theory.ts';

/** Directions of a definition, as bits: what the literal implies when it is true, and when it is false. */
const WHEN_TRUE = 1;
const WHEN_FALSE = 2;
const BOTH = WHEN_TRUE | WHEN_FALSE;

/** Up to so many arguments, `distinct` is spelled out pair by pair. */
const PAIRWISE_LIMIT = 6;

export class Encoder {
  readonly terms: TermStore;
  readonly theory: EufTheory;
  private readonly solver: Solver;
  private readonly port: TheoryPort;
  private readonly evaluateConstants: boolean;
  private readonly onFreeVariable: (v: number) => void;
  private literals = new Int32Array(256); // by term: its literal + 1, or 0
  private nodes = new Int32Array(256); // by term: its node + 1, or 0
  private defined = new Uint8Array(256); // by term: directions that are defined
  private readonly termOfNode: (TermId | undefined)[] = []; // by node
  private readonly termOfVar: (TermId | undefined)[] = []; // by variable
  private readonly symbols = new Map<string, number>(); // function symbols of the e-graph
  private readonly todo = new IntStack(); // pairs (term, directions) to be defined
  private readonly truth: Lit; // always true

  constructor(
    terms: TermStore,
    solver: Solver,
    evaluateConstants: boolean,
    onFreeVariable: (v: number) => void,
  ) {
    this.onFreeVariable = onFreeVariable;
    this.terms = terms;
    this.solver = solver;
    this.evaluateConstants = evaluateConstants;
    this.theory = new EufTheory(
      (p, values) => this.evaluate(p, values),
      (a, b) => this.addEquality(a, b),
    );
    this.port = solver.connectTheory(this.theory);
    this.truth = positive(solver.newVar());
    solver.addClause([this.truth]);
    const { graph } = this.theory;
    this.setNode(terms.true, graph.true);
    this.setNode(terms.false, graph.false);
  }

  /** Makes a formula hold whenever `guard` does (always, without one). A disjunction becomes one clause. */
  assert(formula: TermId, guard?: Lit): void {
    const { terms } = this;
    const disjuncts = terms.op(formula) === Op.OR ? terms.args(formula) : [formula];
    const clause = disjuncts.map(d => this.use(d, WHEN_TRUE));
    this.solver.addClause(guard === undefined ? clause : [negate(guard), ...clause]);
    this.define();
  }

  /** The literal of a formula, defined so that assuming it means assuming the formula. */
  assumption(formula: TermId): Lit {
    const lit = this.use(formula, WHEN_TRUE);
    this.define();
    return lit;
  }

  /** A new variable that is not part of any term; every question must decide it. */
  newVar(): Var {
    const v = this.solver.newVar();
    this.onFreeVariable(v);
    return v;
  }

  /** The node of a term if it has one, or NONE. */
  existingNode(t: TermId): number {
    return t < this.nodes.length ? this.nodes[t] - 1 : NONE;
  }

  /** The literal of a term if it has one, or NONE. */
  existingLiteral(t: TermId): number {
    return t < this.literals.length ? this.literals[t] - 1 : NONE;
  }

  /** The term of a node; internal nodes have none. */
  termOf(node: number): TermId | undefined {
    return this.termOfNode[node];
  }

  /** Has nothing that was asserted or assumed so far contained the term? */
  isNew(t: TermId): boolean {
    return this.existingNode(t) < 0 && this.existingLiteral(t) < 0;
  }

  /** The SAT variables that stand for a term: of its literal, of its node, of the pairs it was spelled out in. */
  variablesOf(t: TermId, use: (v: number) => void): void {
    if (t >= this.literals.length) return;
    if (this.literals[t] !== 0) use((this.literals[t] - 1) >> 1);
    if (this.nodes[t] !== 0) {
      const v = this.theory.varOf(this.nodes[t] - 1);
      if (v !== NONE) use(v);
    }
    if (this.terms.op(t) !== Op.DISTINCT || this.terms.arity(t) > PAIRWISE_LIMIT) return;
    for (const pair of this.pairs(this.terms.args(t))) {
      const lit = this.existingLiteral(pair);
      if (lit !== NONE) use(lit >> 1);
    }
  }

  /** What a literal says, if its variable stands for a term. */
  formulaOf(lit: Lit): TermId | undefined {
    const t = this.termOfVar[lit >> 1];
    return t === undefined || (lit & 1) === 0 ? t : this.terms.not(t);
  }

  // ---- Boolean structure ----

  /** The literal of a formula, whose definition in the given directions is put on the list. */
  private use(formula: TermId, directions: number): Lit {
    const { terms } = this;
    let t = formula;
    let isNegated = false;
    while (terms.op(t) === Op.NOT) {
      t = terms.arg(t, 0);
      isNegated = !isNegated;
    }
    if (t === terms.true || t === terms.false) {
      return (t === terms.true) !== isNegated ? this.truth : negate(this.truth);
    }
    const lit = this.literalOf(t);
    const wanted = isNegated ? flip(directions) : directions;
    if ((this.defined[t] & wanted) !== wanted) {
      this.todo.push(t);
      this.todo.push(wanted & ~this.defined[t]);
      this.defined[t] |= wanted;
    }
    return isNegated ? negate(lit) : lit;
  }

  private literalOf(t: TermId): Lit {
    this.makeRoom(t);
    if (this.literals[t] !== 0) return (this.literals[t] - 1) as Lit;
    const v = this.solver.newVar();
    this.literals[t] = positive(v) + 1;
    this.termOfVar[v] = t;
    return positive(v);
  }

  /** Works off the list of definitions. */
  private define(): void {
    const { todo } = this;
    while (todo.size > 0) {
      const directions = todo.data[--todo.size];
      const t = todo.data[--todo.size] as TermId;
      if (this.terms.sort(t) === this.terms.sorts.bool) this.defineFormula(t, directions);
      else this.defineChoice(t);
    }
  }

  private defineFormula(t: TermId, directions: number): void {
    const { terms } = this;
    const args = terms.args(t);
    const lit = this.literalOf(t);
    const whenTrue = (directions & WHEN_TRUE) !== 0;
    const whenFalse = (directions & WHEN_FALSE) !== 0;
    switch (terms.op(t)) {
      case Op.AND:
        this.defineJunction(
          lit,
          args.map(a => this.use(a, directions)),
          whenTrue,
          whenFalse,
        );
        return;
      case Op.OR:
        // a or b is not (not a and not b), with the directions the other way round.
        this.defineJunction(
          negate(lit),
          args.map(a => negate(this.use(a, directions))),
          whenFalse,
          whenTrue,
        );
        return;
      case Op.IMPLIES: {
        const [a, b] = [this.use(args[0], flip(directions)), this.use(args[1], directions)];
        this.defineJunction(negate(lit), [a, negate(b)], whenFalse, whenTrue);
        return;
      }
      case Op.XOR:
        this.defineEquivalence(negate(lit), args, whenFalse, whenTrue);
        return;
      case Op.ITE:
        this.defineBooleanChoice(lit, args, directions);
        return;
      case Op.DISTINCT:
        this.defineDistinct(t, lit, args, whenTrue, whenFalse);
        return;
      case Op.EQ:
        if (terms.sort(args[0]) === terms.sorts.bool) {
          this.defineEquivalence(lit, args, whenTrue, whenFalse);
          return;
        }
        this.node(t);
        return;
      case Op.APPLY:
        if (args.length > 0) this.node(t);
        return;
      default:
        this.node(t);
    }
  }

  /** lit ↔ conjunction, in the directions asked for. */
  private defineJunction(lit: Lit, args: readonly Lit[], whenTrue: boolean, whenFalse: boolean): void {
    const { solver } = this;
    if (whenTrue) for (const a of args) solver.addClause([negate(lit), a]);
    if (whenFalse) solver.addClause([lit, ...args.map(negate)]);
  }

  private defineEquivalence(lit: Lit, args: readonly TermId[], whenTrue: boolean, whenFalse: boolean): void {
    const { solver } = this;
    const [a, b] = args.map(arg => this.use(arg, BOTH));
    if (whenTrue) {
      solver.addClause([negate(lit), negate(a), b]);
      solver.addClause([negate(lit), a, negate(b)]);
    }
    if (whenFalse) {
      solver.addClause([lit, a, b]);
      solver.addClause([lit, negate(a), negate(b)]);
    }
  }

  private defineBooleanChoice(lit: Lit, [condition, yes, no]: readonly TermId[], directions: number): void {
    const { solver } = this;
    const c = this.use(condition, BOTH);
    const [a, b] = [this.use(yes, directions), this.use(no, directions)];
    if ((directions & WHEN_TRUE) !== 0) {
      solver.addClause([negate(lit), negate(c), a]);
      solver.addClause([negate(lit), c, b]);
    }
    if ((directions & WHEN_FALSE) !== 0) {
      solver.addClause([lit, negate(c), negate(a)]);
      solver.addClause([lit, c, negate(b)]);
    }
  }

  /** An ite between terms equals one branch or the other. */
  private defineChoice(t: TermId): void {
    const { solver, terms } = this;
    const [condition, yes, no] = terms.args(t);
    const c = this.use(condition, BOTH);
    solver.addClause([negate(c), this.use(terms.eq(t, yes), WHEN_TRUE)]);
    solver.addClause([c, this.use(terms.eq(t, no), WHEN_TRUE)]);
  }

  private defineDistinct(
    t: TermId,
    lit: Lit,
    args: readonly TermId[],
    whenTrue: boolean,
    whenFalse: boolean,
  ): void {
    const { terms, solver, theory } = this;
    const { graph } = theory;
    if (args.length <= PAIRWISE_LIMIT) {
      const directions = (whenTrue ? WHEN_FALSE : 0) | (whenFalse ? WHEN_TRUE : 0);
      const apart = this.pairs(args).map(p => negate(this.use(p, directions)));
      this.defineJunction(lit, apart, whenTrue, whenFalse);
      return;
    }
    if (whenTrue) {
      // A function that maps the arguments to different values exists exactly if they are different.
      const numbering = this.symbol(`distinct ${t}`);
      const pairs = args.flatMap(a => [
        graph.addApplication(numbering, [this.node(a)], NodeKind.PLAIN),
        graph.addValue(),
      ]);
      theory.mergeWhen(lit, pairs);
      this.port.observe((lit >> 1) as Var);
    }
    if (whenFalse) {
      const witness = terms.variable('repeated', terms.sort(args[0]));
      const isWitness = args.map(a => this.use(terms.eq(a, witness), WHEN_TRUE));
      encodeRepeated(
        () => this.newVar(),
        clause => solver.addClause(clause),
        lit,
        isWitness,
      );
    }
  }

  /** The equalities between any two of some terms. */
  private pairs(args: readonly TermId[]): TermId[] {
    return args.flatMap((a, i) => args.slice(i + 1).map(b => this.terms.eq(a, b)));
  }

  // ---- terms ----

  /** The node of a term; makes it and what it needs. */
  private node(root: TermId): number {
    const { terms } = this;
    this.makeRoom(root);
    if (this.nodes[root] !== 0) return this.nodes[root] - 1;
    const stack = [root];
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      let ready = true;
      if (this.hasArguments(t)) {
        for (let i = terms.arity(t) - 1; i >= 0; i--) {
          const a = terms.arg(t, i);
          this.makeRoom(a);
          if (this.nodes[a] !== 0) continue;
          stack.push(a);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop();
      if (this.nodes[t] === 0) this.makeNode(t);
    }
    return this.nodes[root] - 1;
  }

  /** Are the term's arguments nodes too? Connectives and choices are opaque to the e-graph. */
  private hasArguments(t: TermId): boolean {
    const { terms } = this;
    switch (terms.op(t)) {
      case Op.NOT:
      case Op.AND:
      case Op.OR:
      case Op.XOR:
      case Op.IMPLIES:
      case Op.DISTINCT:
      case Op.ITE:
        return false;
      case Op.EQ:
        return terms.sort(terms.arg(t, 0)) !== terms.sorts.bool;
      default:
        return true;
    }
  }

  private makeNode(t: TermId): void {
    const { terms, theory } = this;
    const { graph } = theory;
    if (terms.op(t) === Op.BV_CONST) {
      this.setNode(t, graph.addValue());
      return;
    }
    const isApplication = this.hasArguments(t) && terms.arity(t) > 0;
    const n = isApplication ? this.makeApplication(t) : graph.addLeaf();
    this.setNode(t, n);
    if (terms.sort(t) === terms.sorts.bool) {
      this.attach(t, n);
    } else if (terms.op(t) === Op.ITE) {
      this.todo.push(t);
      this.todo.push(BOTH);
    }
  }

  private makeApplication(t: TermId): number {
    const { terms, theory } = this;
    const args = terms.args(t).map(a => this.nodes[a] - 1);
    if (terms.op(t) === Op.EQ) {
      return theory.graph.addApplication(this.symbol('='), args, NodeKind.EQUALITY | NodeKind.EVALUABLE);
    }
    const kind = this.evaluateConstants && isEvaluable(terms.op(t)) ? NodeKind.EVALUABLE : NodeKind.PLAIN;
    const name = `${terms.op(t)} ${terms.payload(t)} ${terms.sort(t)}`;
    return theory.graph.addApplication(this.symbol(name), args, kind);
  }

  /** Ties a Boolean node to a variable of its own that is equivalent to the formula. */
  private attach(t: TermId, n: number): void {
    const { solver, theory } = this;
    const isAtom = this.hasArguments(t);
    const lit = isAtom ? this.literalOf(t) : this.use(t, BOTH);
    let v = (lit >> 1) as Var;
    if (lit !== positive(v) || theory.nodeOf(v) !== NONE) {
      v = solver.newVar();
      solver.addClause([negate(lit), positive(v)]);
      solver.addClause([lit, literal(v, true)]);
      this.termOfVar[v] = t;
    }
    theory.attach(v, n);
    this.port.observe(v);
  }

  private setNode(t: TermId, n: number): void {
    this.makeRoom(t);
    this.nodes[t] = n + 1;
    this.termOfNode[n] = t;
  }

  private symbol(name: string): number {
    let id = this.symbols.get(name);
    if (id === undefined) {
      id = this.symbols.size;
      this.symbols.set(name, id);
    }
    return id;
  }

  /** The value of an operator on values, as a node; it may be a constant that no term has mentioned yet. */
  private evaluate(application: number, values: ArrayLike<number>): number {
    const { terms } = this;
    const t = this.termOfNode[application] as TermId;
    const args: Value[] = [];
    for (let i = 0; i < terms.arity(t); i++) {
      const constant = this.termOfNode[values[i]] as TermId;
      args.push(terms.op(constant) === Op.BV_CONST ? terms.bvValue(constant) : constant === terms.true);
    }
    return this.node(termOfValue(terms, terms.sort(t), applyOperator(terms, t, args)));
  }

  /** An atom for two nodes of the e-graph, in the middle of the search: it needs no clauses. */
  private addEquality(a: number, b: number): number {
    const [s, t] = [this.termOfNode[a], this.termOfNode[b]];
    if (s === undefined || t === undefined || this.terms.sort(s) === this.terms.sorts.bool) return NONE;
    return this.node(this.terms.eq(s, t));
  }

  private makeRoom(t: TermId): void {
    if (t < this.literals.length) return;
    const size = Math.max(2 * this.literals.length, t + 1);
    this.literals = grownInts(this.literals, size);
    this.nodes = grownInts(this.nodes, size);
    const defined = new Uint8Array(size);
    defined.set(this.defined);
    this.defined = defined;
  }
}

function flip(directions: number): number {
  return ((directions & WHEN_TRUE) << 1) | ((directions & WHEN_FALSE) >> 1);
}

/** Operators that map constants to constants. */
function isEvaluable(op: Op): boolean {
  return op !== Op.APPLY && op !== Op.SELECT && op !== Op.STORE && op !== Op.CONST_ARRAY;
}
