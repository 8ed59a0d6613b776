/**
 * The e-graph as a theory of the SAT engine. A Boolean node has a variable; an assigned variable becomes
 * a merge, and a node that comes into the class of TRUE or FALSE becomes an implied literal, whose reason is
 * worked out only if a conflict asks for it.
 */

import { grownInts, IntStack } from '../sat/int-stack.ts';
import { type Lit, literal, negate, type Var } from '../sat/literals.ts';
import type { ReasonClause, Theory, TheoryPort } from '../sat/theory.ts';
import { EGraph, type Evaluate, justify, NONE, NodeKind, Reason } from './egraph.ts';
import { Explainer } from './explain.ts';
import { Shortcuts } from './shortcuts.ts';

export class EufTheory implements Theory {
  readonly graph: EGraph;
  private readonly explainer: Explainer;
  private readonly shortcuts: Shortcuts;
  private readonly addEquality: (a: number, b: number) => number;
  private nodeOfVar = new Int32Array(64).fill(NONE);
  private varOfNode = new Int32Array(64).fill(NONE);
  private readonly merges = new Map<number, IntStack>(); // by literal: pairs of nodes it makes equal
  private readonly conflict: Lit[] = [];
  conflicts = 0; // statistics: theory conflicts
  conflictLiterals = 0; // statistics: literals in them

  /** `addEquality` makes the node of an atom that says that two nodes are equal, or answers NONE. */
  constructor(evaluate: Evaluate, addEquality: (a: number, b: number) => number) {
    this.graph = new EGraph(evaluate);
    this.shortcuts = new Shortcuts();
    this.explainer = new Explainer(this.graph, this.shortcuts);
    this.addEquality = addEquality;
  }

  /** Makes a Boolean node and a variable mean the same. The port must observe the variable. */
  attach(v: Var, node: number): void {
    this.nodeOfVar = withRoom(this.nodeOfVar, v);
    this.varOfNode = withRoom(this.varOfNode, node);
    this.nodeOfVar[v] = node;
    this.varOfNode[node] = v;
  }

  nodeOf(v: Var): number {
    return v < this.nodeOfVar.length ? this.nodeOfVar[v] : NONE;
  }

  /** The variable of a Boolean node, or NONE. */
  varOf(node: number): number {
    return node < this.varOfNode.length ? this.varOfNode[node] : NONE;
  }

  /** A literal that, when true, makes pairs of nodes equal. Its variable must be observed. */
  mergeWhen(lit: Lit, pairs: ArrayLike<number>): void {
    const list = this.merges.get(lit) ?? new IntStack();
    for (let i = 0; i < pairs.length; i++) list.push(pairs[i]);
    this.merges.set(lit, list);
  }

  // ---- the port's callbacks ----

  assigned(lit: Lit): void {
    const { graph } = this;
    const n = this.nodeOf((lit >> 1) as Var);
    const reason = justify(Reason.ASSERTED, lit);
    if (n >= 0) {
      if ((lit & 1) !== 0) graph.merge(n, graph.false, reason);
      else if ((graph.kind[n] & NodeKind.EQUALITY) === 0) graph.merge(n, graph.true, reason);
      else graph.merge(graph.args[graph.firstArg[n]], graph.args[graph.firstArg[n] + 1], reason);
    }
    if (this.merges.size > 0) this.assignedGroup(lit, reason);
  }

  private assignedGroup(lit: Lit, reason: number): void {
    const pairs = this.merges.get(lit);
    if (pairs === undefined) return;
    for (let i = 0; i < pairs.size; i += 2) this.graph.merge(pairs.data[i], pairs.data[i + 1], reason);
  }

  newLevel(): void {
    this.graph.newLevel();
  }

  backtrack(level: number): void {
    this.graph.backtrack(level);
  }

  propagate(port: TheoryPort): void {
    const { graph } = this;
    const ends = this.shortcuts.take();
    for (let i = 0; i < ends.length; i += 2) {
      const [a, b] = [ends[i], ends[i + 1]];
      const atom = this.addEquality(a, b);
      if (atom !== NONE) this.shortcuts.setLiteral(a, b, literal(this.varOf(atom) as Var, false));
    }
    if (!graph.propagate()) {
      port.addClause(this.conflictClause(port), true);
      return;
    }
    const { decided } = graph;
    for (let i = 0; i < decided.size; i++) {
      const n = decided.data[i];
      const v = this.varOf(n);
      if (v < 0) continue;
      const isFalse = graph.root[n] === graph.root[graph.false];
      if (!port.imply(literal(v as Var, isFalse))) break;
    }
    decided.clear();
  }

  explain(lit: Lit, reason: ReasonClause): void {
    const { explainer, graph } = this;
    const n = this.nodeOf((lit >> 1) as Var);
    explainer.begin();
    explainer.explain(n, (lit & 1) !== 0 ? graph.false : graph.true);
    const { literals } = explainer;
    for (let i = 0; i < literals.size; i++) reason.push(negate(literals.data[i] as Lit));
  }

  checkModel(): boolean {
    return true;
  }

  /** Two values would have to be equal: the literals that led to this cannot all be true. */
  private conflictClause(port: TheoryPort): readonly Lit[] {
    const { graph, explainer, conflict } = this;
    const { a, b, reason } = graph.clash;
    explainer.beginConflict(lit => port.value(lit as Lit) === true);
    explainer.explain(a, graph.value[graph.root[a]]);
    explainer.explain(b, graph.value[graph.root[b]]);
    explainer.explainStep(a, b, reason);
    const { literals } = explainer;
    conflict.length = 0;
    for (let i = 0; i < literals.size; i++) conflict.push(negate(literals.data[i] as Lit));
    this.conflicts++;
    this.conflictLiterals += conflict.length;
    return conflict;
  }
}

function withRoom(column: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> {
  if (index < column.length) return column;
  const size = Math.max(2 * column.length, index + 1);
  const larger = grownInts(column, size);
  larger.fill(NONE, column.length);
  return larger;
}
