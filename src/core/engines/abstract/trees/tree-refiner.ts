/**
 * Refinement on derivation trees: do bits confirm an abstract tree whose subtrees they have confirmed? From local to global:
 * is the use of the edge at its root possible, is it with the facts that are known of its sources, and is it with any that their
 * trees derive? What bits confirm becomes a fact. If they do not, a set of literals about one use of an edge that cannot hold
 * together is a lemma; where only the tree as a whole is impossible, interpolants are found bottom-up (McMillan and
 * Rybalchenko, "Solving Constrained Horn Clauses using Interpolation", 2013): what a subtree derives, the rest being everything
 * outside of it, with what is known already in the place of the subtrees that are done.
 */
import type { ConcreteModel } from '../../../../bv/model.ts';
import { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import { Unknown } from '../../../../sat/unknown.ts';
import type { Work } from '../../../../sat/work.ts';
import { Rewriter } from '../../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute } from '../../../../term/substitute.ts';
import type { Value } from '../../../../term/value.ts';
import { evaluatorOf } from '../../../problem/derivation.ts';
import { onlyOver } from '../../../problem/literals.ts';
import { headOf, type Location, type Problem, placesTo } from '../../../problem/problem.ts';
import { Renaming } from '../../../problem/renaming.ts';
import type { Effort } from '../../effort.ts';
import type { Env } from '../../engine.ts';
import { Classifier } from '../refine/classify.ts';
import { ConcreteQueries } from '../refine/concrete-queries.ts';
import { Copies } from '../refine/copies.ts';
import { Interpolation, type InterpolationContext } from '../refine/interpolants.ts';
import { LemmaMaker } from '../refine/lemma.ts';
import { Orders } from '../refine/orders.ts';
import type { Lemma, Stage } from '../refine/refiner.ts';
import type { Signature } from '../signature.ts';
import { type Fact, heightAbove, sizeOf, type Tree, valueLiteral } from './tree.ts';
import { type Node, TreeCopies } from './tree-copies.ts';

/** Larger trees are not asked about as a whole: that their facts do not fit together is all that is learnt then. */
const MAX_NODES = 300;

export type TreeRefinement =
  | { readonly kind: 'lemmas'; readonly lemmas: readonly Lemma[] }
  | { readonly kind: 'real'; readonly fact: Fact };

type Sets = readonly (readonly TermId[])[];

export class TreeRefiner {
  readonly counts: Record<Stage, number> = { state: 0, step: 0, path: 0 };
  private readonly problem: Problem;
  private readonly signature: Signature;
  private readonly terms: TermStore;
  private readonly env: Env;
  private readonly concrete: ConcreteQueries;
  private readonly solver: EquationSolver;
  private readonly copies: TreeCopies;
  private readonly maker: LemmaMaker;
  private readonly classifier: Classifier;
  private readonly contexts = new Map<Location, InterpolationContext>();
  private readonly families: readonly Family[];
  private readonly known = new Set<TermId>();

  constructor(problem: Problem, signature: Signature, env: Env, effort: Effort) {
    const { terms } = problem;
    this.problem = problem;
    this.signature = signature;
    this.terms = terms;
    this.env = env;
    this.concrete = new ConcreteQueries(terms, env, effort);
    const rewriter = new Rewriter(terms);
    this.solver = new EquationSolver(rewriter);
    this.copies = new TreeCopies(problem, rewriter);
    this.maker = new LemmaMaker(signature);
    this.classifier = new Classifier(signature, problem);
    this.families = familiesOf(problem);
  }

  /** Throws an Unknown where nothing can be told, or no lemma is found. */
  *refine(tree: Tree, premises: readonly Fact[]): Work<TreeRefinement> {
    const { profile } = this.env;
    try {
      const local = yield* profile.during('uses of edges', this.localStages(tree, premises));
      if (local !== undefined) return local;
      const whole = yield* profile.during('whole tree', this.wholeTree(tree));
      return whole ?? (yield* this.ofFacts(tree, premises));
    } finally {
      this.concrete.dispose();
    }
  }

  private *localStages(tree: Tree, premises: readonly Fact[]): Work<TreeRefinement | undefined> {
    const { concrete } = this;
    const [root] = this.copies.nodes({ ...tree, children: [] });
    const { literals } = root;
    const known = this.valuesOf(tree, premises);
    const copied = [...literals, ...known].map(l => root.copied.apply(l));
    if ((yield* concrete.check(copied)) === 'sat')
      return { kind: 'real', fact: { ...this.fact(root, premises, concrete.model()), tree } };
    const step = yield* concrete.core(literals);
    if (step === undefined) return undefined;
    for (const cube of [tree.cube, ...tree.asked]) {
      const state = yield* concrete.core(cube);
      if (state !== undefined) return this.learn([state], 'state');
    }
    return this.learn([step], 'step');
  }

  /** That the places of the sources have the values of facts. */
  private valuesOf({ edge }: Tree, premises: readonly Fact[]): TermId[] {
    return edge.sources.flatMap(({ location, places }, j) =>
      location.places.map((p, i) => valueLiteral(this.terms, places[i], premises[j].derived.get(p) as Value)),
    );
  }

  /** What excludes a use of an edge with the facts that are known of its sources, if nothing else does. */
  private *ofFacts(tree: Tree, premises: readonly Fact[]): Work<TreeRefinement> {
    const [{ literals }] = this.copies.nodes({ ...tree, children: [] });
    const core = yield* this.concrete.core([...literals, ...this.valuesOf(tree, premises)]);
    return this.learn(core === undefined ? [] : [core], 'step');
  }

  /** Undefined if it is too large to be asked about, or nothing new is learnt. */
  private *wholeTree(tree: Tree): Work<TreeRefinement | undefined> {
    const { concrete } = this;
    if (sizeOf(tree) > MAX_NODES) return undefined;
    const nodes = this.copies.nodes(tree);
    const copied = nodes.map(n => n.literals.map(l => n.copied.apply(l)));
    const core = yield* concrete.core(copied.flat());
    if (core === undefined) return { kind: 'real', fact: this.facts(nodes, concrete.model()) };
    const needed = new Set(core);
    const parts = new Map(nodes.map((n, i) => [n, copied[i].filter(l => needed.has(l))]));
    const sets = yield* this.env.profile.during('interpolants', this.impossibleSets(nodes, parts));
    return this.areNew(sets) ? this.learn(sets, 'path') : undefined;
  }

  // ---- facts ----

  /** The facts of all nodes, by a model of the whole tree; the root's. */
  private facts(nodes: readonly Node[], model: ConcreteModel): Fact {
    const facts = new Map<Node, Fact>();
    for (const node of nodes) {
      const premises = node.children.map(c => facts.get(c) as Fact);
      facts.set(node, this.fact(node, premises, model));
    }
    return facts.get(nodes[nodes.length - 1]) as Fact;
  }

  /** What the premises and a model's inputs derive. */
  private fact({ tree, own, derived }: Node, premises: readonly Fact[], model: ConcreteModel): Fact {
    const { terms, signature } = this;
    const { edge } = tree;
    const values = new Map<TermId, Value>();
    const head = headOf(edge)?.places ?? [];
    edge.sources.forEach(({ location, places }, j) => {
      for (const [i, p] of location.places.entries())
        values.set(places[i], premises[j].derived.get(p) as Value);
    });
    for (const [v, copy] of own) if (!values.has(v)) values.set(v, model.value(copy));
    head.forEach((p, i) => {
      const variable = signature.next.of(p);
      if (edge.values[i] === variable) values.set(variable, model.value(derived[i]));
    });
    const evaluator = evaluatorOf(terms, values);
    const result = new Map(head.map((p, i) => [p, evaluator.value(edge.values[i])]));
    return { tree, values, derived: result, premises, height: heightAbove(premises) };
  }

  // ---- interpolants ----

  /** Sets of formulas about one use of an edge each that cannot hold together, and exclude the tree if all is well. */
  private *impossibleSets(nodes: readonly Node[], parts: ReadonlyMap<Node, readonly TermId[]>): Work<Sets> {
    const found: (readonly TermId[])[] = [];
    const said = new Map(parts); // by node: of what is done, what is known of it; of the rest, its own literals
    const root = nodes[nodes.length - 1];
    for (const node of nodes) {
      const children = node.children.flatMap(c => said.get(c) as readonly TermId[]);
      const body = [...children, ...(parts.get(node) as readonly TermId[])];
      const back = this.back(node);
      if (node === root) {
        const last = yield* this.concrete.core(body);
        if (last !== undefined) found.push(last.map(l => back.apply(l)));
        break;
      }
      for (const c of node.children) said.delete(c);
      said.delete(node);
      const between = yield* this.between(node, body, [...said.values()].flat());
      if (between === undefined) break;
      found.push(...between.sets.map(set => set.map(l => back.apply(l))));
      const head = headOf(node.tree.edge) as Location;
      const images = placesTo(head, node.derived);
      said.set(
        node,
        between.formulas.map(f => substitute(this.terms, f, images)),
      );
    }
    return found;
  }

  /** From the copies of a use's variables to these. */
  private back({ tree, own, derived }: Node): Renaming {
    const places = headOf(tree.edge)?.places ?? [];
    return new Renaming(this.terms, [
      ...own.map(([v, copy]) => [copy, v] as const),
      ...places.map((p, i) => [derived[i], this.signature.next.of(p)] as const),
    ]);
  }

  /** What a subtree derives that the rest contradicts: over the places of its head. */
  private between(node: Node, body: readonly TermId[], rest: readonly TermId[]) {
    const { terms, signature } = this;
    const head = headOf(node.tree.edge) as Location;
    const pairs = node.derived.map((copy, i) => [copy, head.places[i]] as const);
    const now = new Renaming(terms, pairs);
    const after = new Renaming(
      terms,
      pairs.map(([copy, p]) => [copy, signature.next.of(p)] as const),
    );
    const steps = [body.map(l => after.apply(l)), rest.map(l => now.apply(l))];
    return new Interpolation(
      this.context(head),
      steps.map(literals => ({ literals })),
    ).between();
  }

  /** For interpolants over the places of one location; all other variables are unknowns. */
  private context(location: Location): InterpolationContext {
    const known = this.contexts.get(location);
    if (known !== undefined) return known;
    const { terms, problem, solver, concrete } = this;
    const { next, prime, unprime } = this.signature;
    const current = new Set(location.places);
    const signature: Signature = {
      terms,
      next,
      current,
      after: new Set(location.places.map(p => next.of(p))),
      inputs: new Set(),
      prime,
      unprime,
      ofNow: onlyOver(terms, current),
    };
    const orders = new Orders(problem, signature);
    const context = { signature, orders, solver, concrete, copies: new Copies(signature), heard: [] };
    this.contexts.set(location, context);
    return context;
  }

  // ---- lemmas ----

  private areNew(impossible: Sets): boolean {
    return impossible.some(set => !this.known.has(this.maker.lemma(set)));
  }

  private learn(impossible: Sets, stage: Stage): TreeRefinement {
    this.counts[stage]++;
    const { classifier, maker, known } = this;
    const lemmas: Lemma[] = [];
    for (const set of impossible) {
      for (const formula of this.everywhere(maker.lemma(set))) {
        if (known.has(formula)) continue;
        known.add(formula);
        lemmas.push({ formula, stage, kind: classifier.kind(formula), content: classifier.content(formula) });
      }
    }
    if (lemmas.length === 0) throw new Unknown('incomplete', 'refinement found no new lemma');
    return { kind: 'lemmas', lemmas };
  }

  /** A lemma, and if it is about one state only, the same of all copies of that state. */
  private everywhere(lemma: TermId): TermId[] {
    const { terms, families } = this;
    const spoken = terms.postorder([lemma]).filter(t => terms.isVariable(t));
    const all = new Set([lemma]);
    for (const location of this.problem.locations) {
      const own = families.filter(f => f.location === location);
      const family = own.find(f => spoken.every(v => f.index.has(v)));
      if (family === undefined || spoken.length === 0) continue;
      for (const other of own) {
        const images = new Map(spoken.map(v => [v, other.variables[family.index.get(v) as number]] as const));
        all.add(substitute(terms, lemma, images));
      }
    }
    return [...all];
  }
}

/** Variables that stand for the places of a location: now, in an edge, or after one. */
interface Family {
  readonly location: Location;
  readonly variables: readonly TermId[];
  readonly index: ReadonlyMap<TermId, number>;
}

function familiesOf({ locations, edges, next }: Problem): Family[] {
  const family = (location: Location, variables: readonly TermId[]): Family => ({
    location,
    variables,
    index: new Map(variables.map((v, i) => [v, i])),
  });
  const own = locations.flatMap(l => [
    family(l, l.places),
    family(
      l,
      l.places.map(p => next.of(p)),
    ),
  ]);
  const copies = edges.flatMap(e => e.sources.map(s => family(s.location, s.places)));
  const seen = new Set<string>();
  return [...own, ...copies].filter(f => {
    const key = `${locations.indexOf(f.location)} ${f.variables.join(' ')}`;
    return !seen.has(key) && seen.add(key);
  });
}
