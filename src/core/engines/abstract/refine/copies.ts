/**
 * A derivation as one question: each use of an edge has a copy of the variables for itself. The next variables of a use are
 * the places of the source, in the use above, that it derives; so what one says of them is said to the other. On a run this is the
 * unrolling of its steps.
 */
import { Op } from '../../../../term/operators.ts';
import type { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute } from '../../../../term/substitute.ts';
import { truthsOf } from '../../../problem/literals.ts';
import { headOf, inputsOf, placesOf, type Source } from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import { type Fact, knownOf } from '../fact.ts';
import type { Signature } from '../signature.ts';

/** A use of an edge in a derivation that is asked about. */
export interface Node {
  readonly fact: Fact;
  /** For each premise its use, if that is asked about, too. */
  readonly premises: readonly (Node | undefined)[];
  /** What the abstraction says of it: over the variables of its edge, and the next variables of its head. */
  readonly said: readonly TermId[];
  /** From these variables to their copies. */
  readonly copied: Renaming;
  /** Pairs of a variable of the edge and its copy. */
  readonly own: readonly (readonly [TermId, TermId])[];
  /** The copies that stand for the places of its head. */
  readonly derived: readonly TermId[];
  /** From the places of its head to these. */
  readonly here: Renaming;
}

/** What is said of each use. */
export type Saying = ReadonlyMap<Node, readonly TermId[]>;

export class Copies {
  private readonly signature: Signature;
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly init: readonly TermId[];
  private readonly variables: Map<TermId, TermId>[] = []; // by the number of a use

  /** `init`: what states satisfy that nothing derives. */
  constructor(signature: Signature, init: readonly TermId[], rewriter: Rewriter) {
    this.signature = signature;
    this.terms = signature.terms;
    this.init = init;
    this.rewriter = rewriter;
  }

  /** The uses of a derivation, each after all below it; `isOpen`: is a premise asked about, too? */
  nodes(root: Fact, isOpen: (premise: Fact) => boolean): Node[] {
    const all: Node[] = []; // each before all below it
    const waiting: { fact: Fact; derived: readonly TermId[] | undefined; enter: (node: Node) => void }[] = [
      { fact: root, derived: undefined, enter: () => {} },
    ];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { fact, derived, enter } = next;
      const premises: (Node | undefined)[] = fact.premises.map(() => undefined);
      const node = this.node(fact, all.length, derived, premises);
      all.push(node);
      enter(node);
      for (const [j, premise] of fact.premises.entries()) {
        if (premise === undefined || !isOpen(premise)) continue;
        const places = fact.edge.sources[j].places.map(p => node.copied.apply(p));
        waiting.push({ fact: premise, derived: places, enter: below => (premises[j] = below) });
      }
    }
    return all.reverse();
  }

  private node(
    fact: Fact,
    number: number,
    above: readonly TermId[] | undefined,
    premises: readonly (Node | undefined)[],
  ): Node {
    const { terms, signature } = this;
    const { edge } = fact;
    const places = headOf(edge)?.places ?? [];
    const derived = above ?? places.map(p => this.variable(signature.next.of(p), number));
    const after = places.map((p, i) => [signature.next.of(p), derived[i]] as const);
    const isAfter = new Set(after.map(([v]) => v));
    const own = [...placesOf(edge), ...inputsOf(terms, edge)]
      .filter(v => !isAfter.has(v))
      .map(v => [v, this.variable(v, number)] as const);
    return {
      fact,
      premises,
      said: this.said(fact),
      copied: new Renaming(terms, [...own, ...after]),
      own,
      derived,
      here: new Renaming(
        terms,
        places.map((p, i) => [p, derived[i]] as const),
      ),
    };
  }

  private said({ edge, cube, justification, asked, premises }: Fact): TermId[] {
    const { init, signature } = this;
    const ofSources = edge.sources.flatMap((source, j) => {
      const images = asked[j].map(l => atSource(this.terms, source, l));
      return premises[j] === undefined ? [...init, ...images] : images;
    });
    const target = cube.map(l => signature.prime.apply(l));
    return [...new Set([...ofSources, ...justification, ...target])];
  }

  /** That sources are ground facts which are not asked about themselves, in copies. */
  known({ fact, premises, copied }: Node): TermId[] {
    return fact.edge.sources.flatMap((source, j) =>
      premises[j] === undefined
        ? knownOf(this.terms, source, fact.premises[j]).map(l => copied.apply(l))
        : [],
    );
  }

  // ---- what ties uses together ----

  /**
   * What uses say so that they fit together: one may use a place, beside an input, that nothing was asked about, so that nothing
   * ties it to the use below. What that one makes of the place does.
   */
  connected(nodes: readonly Node[]): Map<Node, TermId[]> {
    return this.tied(
      nodes,
      new Map(nodes.map(n => [n, n.said])),
      said => new Set(this.terms.postorder(said)),
    );
  }

  /** The same with a definition of whatever the use above uses; undefined if there are such of all of it. */
  defined(nodes: readonly Node[], given: Saying): Saying | undefined {
    const { terms } = this;
    const more = this.tied(nodes, given, said => {
      const equations = said.filter(l => terms.op(l) === Op.EQ);
      return new Set(equations.flatMap(l => terms.args(l)));
    });
    return nodes.some(n => (more.get(n)?.length ?? 0) > (given.get(n)?.length ?? 0)) ? more : undefined;
  }

  /** `settled`: the variables of which a use says enough. */
  private tied(
    nodes: readonly Node[],
    given: Saying,
    settled: (said: readonly TermId[]) => ReadonlySet<TermId>,
  ): Map<Node, TermId[]> {
    const all = new Map(nodes.map(n => [n, [...(given.get(n) as readonly TermId[])]]));
    // From the root down: what is added to a use may speak of other places of its sources.
    for (const node of [...nodes].reverse()) {
      const used = new Set(this.terms.postorder(all.get(node) as TermId[]));
      node.premises.forEach((below, j) => {
        if (below === undefined) return;
        const said = all.get(below) as TermId[];
        this.connect(said, below.fact, node.fact.edge.sources[j], used, settled(said));
      });
    }
    return all;
  }

  /** Adds what becomes of the places of a source that the use above speaks of. */
  private connect(
    said: TermId[],
    { edge }: Fact,
    source: Source,
    used: ReadonlySet<TermId>,
    settled: ReadonlySet<TermId>,
  ): void {
    const { terms, signature } = this;
    const truths = truthsOf(terms, said);
    headOf(edge)?.places.forEach((p, i) => {
      const variable = signature.next.of(p);
      const value = edge.values[i];
      if (!used.has(source.places[i]) || settled.has(variable) || value === variable) return;
      // Under the literals of the use, only a part of the definition counts.
      const part = this.rewriter.rewrite(substitute(terms, value, truths));
      const isTruth = part === terms.true || part === terms.false;
      const equation = terms.eq(variable, part);
      said.push(isTruth ? this.rewriter.rewrite(equation) : equation);
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

/** A formula over the places of a source's location, said of the source. */
export function atSource(terms: TermStore, { location, places }: Source, formula: TermId): TermId {
  if (location.places === places) return formula;
  return substitute(terms, formula, new Map(location.places.map((p, i) => [p, places[i]])));
}
