/**
 * The formulas of a derivation tree as one question, with a copy of the variables for each use of an edge. The next variables
 * of a use are the places of the source, in the use above, that it derives; so what one says of them is said to the other.
 */
import type { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute } from '../../../../term/substitute.ts';
import { truthsOf } from '../../../problem/literals.ts';
import type { NextVariables } from '../../../problem/next-variables.ts';
import { headOf, inputsOf, type Problem, placesOf, type Source } from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Tree } from './tree.ts';

/** A use of an edge in a tree that is asked about. */
export interface Node {
  readonly tree: Tree;
  readonly number: number;
  readonly children: readonly Node[];
  /** What is said of it: over the variables of its edge, and the next variables of its head. */
  readonly literals: TermId[];
  /** From these to their copies. */
  readonly copied: Renaming;
  /** Pairs of a variable of the edge and its copy. */
  readonly own: readonly (readonly [TermId, TermId])[];
  /** The copies that stand for the places of its head. */
  readonly derived: readonly TermId[];
}

export class TreeCopies {
  private readonly terms: TermStore;
  private readonly next: NextVariables;
  private readonly rewriter: Rewriter;
  private readonly variables: Map<TermId, TermId>[] = []; // by the number of a use
  private count = 0;

  constructor({ terms, next }: Problem, rewriter: Rewriter) {
    this.terms = terms;
    this.next = next;
    this.rewriter = rewriter;
  }

  /** The nodes of a tree, the root's at the end of all below it. */
  nodes(tree: Tree): Node[] {
    this.count = 0;
    const all: Node[] = [];
    this.add(tree, undefined, all);
    // From the root down: what is added to a use may speak of other places of its sources.
    for (const { tree: above, children, literals } of [...all].reverse()) {
      children.forEach((c, j) => {
        this.connect(c, above.edge.sources[j], literals);
      });
    }
    return all;
  }

  private add(tree: Tree, above: readonly TermId[] | undefined, all: Node[]): Node {
    const { terms, next } = this;
    const { edge, children } = tree;
    const number = this.count++;
    const places = headOf(edge)?.places ?? [];
    const derived = above ?? places.map(p => this.variable(next.of(p), number));
    const after = new Map(places.map((p, i) => [next.of(p), derived[i]] as const));
    const own = [...placesOf(edge), ...inputsOf(terms, edge)]
      .filter(v => !after.has(v))
      .map(v => [v, this.variable(v, number)] as const);
    const copies = new Map(own);
    const nodes = children.map((c, j) => {
      const source = edge.sources[j].places.map(p => copies.get(p) as TermId);
      return this.add(c, source, all);
    });
    const node: Node = {
      tree,
      number,
      children: nodes,
      literals: this.literals(tree),
      copied: new Renaming(terms, [...own, ...after]),
      own,
      derived,
    };
    all.push(node);
    return node;
  }

  private literals({ edge, cube, justification, asked }: Tree): TermId[] {
    const { terms } = this;
    const ofSources = edge.sources.flatMap(({ location, places }, j) => {
      const images = new Map(location.places.map((p, i) => [p, places[i]]));
      return asked[j].map(l => substitute(terms, l, images));
    });
    return [...new Set([...ofSources, ...justification, ...this.primed(edge, cube)])];
  }

  private primed(edge: Tree['edge'], cube: readonly TermId[]): TermId[] {
    const { terms, next } = this;
    const images = new Map((headOf(edge)?.places ?? []).map(p => [p, next.of(p)]));
    return cube.map(l => substitute(terms, l, images));
  }

  /** Adds to a use what becomes of the places that the use above speaks of, where it is silent about them. */
  private connect({ tree, literals }: Node, source: Source, above: readonly TermId[]): void {
    const { terms, next } = this;
    const used = new Set(terms.postorder(above));
    const said = new Set(terms.postorder(literals));
    const truths = truthsOf(terms, literals);
    source.location.places.forEach((p, i) => {
      const variable = next.of(p);
      const value = tree.edge.values[i];
      if (!used.has(source.places[i]) || said.has(variable) || value === variable) return;
      // Under the literals of the use, only a part of the definition counts.
      const part = this.rewriter.rewrite(substitute(terms, value, truths));
      const equation = terms.eq(variable, part);
      literals.push(terms.isConstant(part) ? this.rewriter.rewrite(equation) : equation);
    });
  }

  private variable(v: TermId, number: number): TermId {
    const { terms, variables } = this;
    while (variables.length <= number) variables.push(new Map());
    let copy = variables[number].get(v);
    if (copy === undefined) {
      copy = terms.variable(`${terms.nameOf(v)}@${number}`, terms.sort(v));
      variables[number].set(v, copy);
    }
    return copy;
  }
}
