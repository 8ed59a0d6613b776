/**
 * Why two nodes of a class are equal: the asserted literals along the path between them in the proof forest,
 * found by their lowest common ancestor, with the reasons of congruent and evaluated steps explained in turn.
 * Each edge is explained once per explanation, which keeps it short and linear in the forest.
 *
 * The path between two nodes does not change as long as they stay in one class: later merges add edges
 * between trees and turn others around, but never within. So an explanation asked for late uses only what
 * was known when the two became equal.
 */

import { grownInts, IntStack } from '../sat/int-stack.ts';
import { type EGraph, NONE, Reason } from './egraph.ts';
import type { Shortcuts } from './shortcuts.ts';

export class Explainer {
  private readonly graph: EGraph;
  private readonly shortcuts: Shortcuts;
  private isTrue: ((literal: number) => boolean) | undefined; // set while a conflict is explained
  /** The literals of the explanation under way. */
  readonly literals = new IntStack();
  private readonly path = new IntStack(); // the path that is being shortened
  private readonly pairs = new IntStack(); // equalities still to be explained
  private ancestor = new Int32Array(64); // by node: the search for a common ancestor that met it last
  private explained = new Int32Array(64); // by node: the explanation that has the edge from it
  private search = 0;
  private epoch = 0;

  constructor(graph: EGraph, shortcuts: Shortcuts) {
    this.graph = graph;
    this.shortcuts = shortcuts;
  }

  /** Begins an explanation; what is explained from here on is collected in `literals`. */
  begin(): void {
    this.literals.clear();
    this.isTrue = undefined;
    this.epoch++;
    if (this.ancestor.length < this.graph.count) {
      this.ancestor = grownInts(this.ancestor, this.graph.kind.length);
      this.explained = grownInts(this.explained, this.graph.kind.length);
    }
  }

  /** Begins the explanation of a conflict, which may use shortcuts whose literal is true by now. */
  beginConflict(isTrue: (literal: number) => boolean): void {
    this.begin();
    this.isTrue = isTrue;
    this.shortcuts.countConflict();
  }

  /** Adds the literals that make two nodes of one class equal. */
  explain(a: number, b: number): void {
    const { pairs } = this;
    pairs.push(a);
    pairs.push(b);
    this.drain();
  }

  /** Adds the literals that justify one step between nodes a and b. */
  explainStep(a: number, b: number, reason: number): void {
    this.addReason(a, b, reason);
    this.drain();
  }

  private drain(): void {
    const { pairs } = this;
    while (pairs.size > 0) {
      const b = pairs.data[--pairs.size];
      const a = pairs.data[--pairs.size];
      if (a === b) continue;
      const meeting = this.commonAncestor(a, b);
      if (this.isTrue === undefined) {
        this.addPath(a, meeting);
        this.addPath(b, meeting);
      } else {
        this.addShortened(a, b, meeting, this.isTrue);
      }
    }
  }

  private commonAncestor(a: number, b: number): number {
    const { target } = this.graph;
    const { ancestor } = this;
    const search = ++this.search;
    for (let n = a; n !== NONE; n = target[n]) ancestor[n] = search;
    let n = b;
    while (n !== NONE && ancestor[n] !== search) n = target[n];
    if (n === NONE) throw new Error(`nodes ${a} and ${b} are not equal, so there is nothing to explain`);
    return n;
  }

  private addPath(from: number, to: number): void {
    const { target } = this.graph;
    for (let n = from; n !== to; n = target[n]) this.addEdge(n);
  }

  private addEdge(n: number): void {
    if (this.explained[n] === this.epoch) return;
    this.explained[n] = this.epoch;
    this.addReason(n, this.graph.target[n], this.graph.reason[n]);
  }

  /** Adds the path from a to b by way of their common ancestor, two steps at once where an atom allows it. */
  private addShortened(a: number, b: number, meeting: number, isTrue: (literal: number) => boolean): void {
    const { graph, shortcuts, path } = this;
    const { target, reason } = graph;
    path.clear();
    for (let n = b; n !== meeting; n = target[n]) path.push(n);
    const half = path.size;
    for (let n = a; n !== meeting; n = target[n]) path.push(n);
    path.push(meeting);
    // So far: b … last before meeting, a … meeting. The first half belongs at the end, the other way round.
    const size = path.size;
    const at = (i: number) => path.data[i < size - half ? half + i : size - 1 - i];
    const edge = (i: number) => (target[at(i)] === at(i + 1) ? at(i) : at(i + 1));
    const isAsserted = (n: number) => (reason[n] & 3) === Reason.ASSERTED;
    for (let i = 0; i + 1 < size; i++) {
      if (i + 2 < size && isAsserted(edge(i)) && isAsserted(edge(i + 1))) {
        const literal = shortcuts.literalOf(at(i), at(i + 2));
        if (literal === NONE) {
          shortcuts.countPair(at(i), at(i + 2));
        } else if (isTrue(literal)) {
          this.literals.push(literal);
          i++;
          continue;
        }
      }
      this.addEdge(edge(i));
    }
  }

  private addReason(a: number, b: number, reason: number): void {
    const { graph, pairs } = this;
    const { args, firstArg } = graph;
    const payload = reason >> 2;
    switch (reason & 3) {
      case Reason.ASSERTED:
        this.literals.push(payload);
        return;
      case Reason.CONGRUENT: {
        const arity = firstArg[a + 1] - firstArg[a];
        for (let k = 0; k < arity; k++) {
          const other = payload === 0 ? k : 1 - k;
          pairs.push(args[firstArg[a] + k]);
          pairs.push(args[firstArg[b] + other]);
        }
        return;
      }
      case Reason.EVALUATED:
        for (let i = firstArg[payload]; i < firstArg[payload + 1]; i++) {
          pairs.push(args[i]);
          pairs.push(graph.value[graph.root[args[i]]]);
        }
        return;
      case Reason.REFLEXIVE:
        pairs.push(args[firstArg[payload]]);
        pairs.push(args[firstArg[payload] + 1]);
    }
  }
}
