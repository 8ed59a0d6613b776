/**
 * Unfolds whatever can be unfolded (resolution.ts), also what has no strongest model without quantifiers. The model of an unfolded location
 * says what its edges say, one of them for some values of the variables that equations do not tell,
 *
 *   f(z) ⇐ g(y), z = y · y      has the model      ∃y. g's model at y ∧ z = y · y
 *
 * and where g is unfolded as well, its bound variables are bound here once more, under names of their own in each use. The given
 * edges are what models are made of, and not resolvents; so whatever edge derives a fact, its own variables are the witnesses.
 *
 * Only a variant of a problem as it was given is made so: then no other pass needs to know of such models.
 */
import { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, headOf, isLinear, type Location, type Problem, placesTo } from '../../problem/problem.ts';
import type { Proof } from '../../problem/proof.ts';
import { lemmasBack, type Origin, type Pass, WORK_OF_A_LOCATION } from '../pass.ts';
import { hiddenSolved, type Solved } from '../post-image.ts';
import { type Expansion, Resolution, type Unfolding } from './resolution.ts';

/** An unfolding may add so many terms: see `unfold-calls.ts`. */
const MAX_GROWTH = 200;

/** And so many edges, where the location is derived from nothing else: then edges have fewer sources for it. */
const MORE_EDGES = 32;

/** A model may have so many parts, those of the models in it counted each time that they are used. */
const MAX_PARTS = 300;

/** Of the rewriter, against that of reading a token. */
const WORK_OF_A_TERM = 10;

/** What an edge says in the model of its head. */
interface Part {
  readonly formula: TermId;
  /** What the edge's variables are there. */
  readonly images: ReadonlyMap<TermId, TermId>;
  /** By source, what stands there for the variables that are bound in its model. */
  readonly assumed: readonly (readonly TermId[])[];
  /** What of the edge a bound variable stands for. */
  readonly standFor: ReadonlyMap<TermId, TermId>;
}

interface UnfoldedModel {
  readonly formula: TermId;
  readonly bound: readonly TermId[];
  readonly parts: ReadonlyMap<Edge, Part>;
}

/** Undefined if nothing can be unfolded. */
export function unfoldAll(problem: Problem, checkpoint: Checkpoint): Pass | undefined {
  if (isLinear(problem)) return undefined;
  const rewriter = new Rewriter(problem.terms, undefined, () => checkpoint.pass(WORK_OF_A_TERM));
  return new UnfoldedAll(problem, new EquationSolver(rewriter, checkpoint)).pass();
}

/** Would fewer edges have several sources? Otherwise there is little to gain. */
export function hasFewerCallsUnfolded(problem: Problem, checkpoint: Checkpoint): boolean {
  const calls = ({ edges }: Problem) => edges.filter(e => e.sources.length > 1).length;
  const pass = unfoldAll(problem, checkpoint);
  return pass !== undefined && calls(pass.problem) < calls(problem);
}

class UnfoldedAll {
  private readonly problem: Problem;
  private readonly solver: EquationSolver;
  private readonly given: EdgeTable;
  private readonly resolution: Resolution;
  private readonly unfolded = new Set<Location>();
  private readonly parts = new Map<Location, number>(); // of the models of unfolded ones, as far as they have been counted

  constructor(problem: Problem, solver: EquationSolver) {
    this.problem = problem;
    this.solver = solver;
    this.given = new EdgeTable(problem.edges);
    this.resolution = new Resolution(problem);
  }

  pass(): Pass | undefined {
    const { problem, resolution, unfolded } = this;
    this.unfold();
    if (unfolded.size === 0) return undefined;
    return {
      problem: {
        ...problem,
        locations: problem.locations.filter(l => !unfolded.has(l)),
        edges: [...resolution.edges.all],
      },
      back: {
        proof: proof => new WitnessedModel(problem, resolution, unfolded, this.solver).proof(proof),
        derivation: derivation => resolution.derivation(derivation),
        keepsSteps: false,
      },
    };
  }

  /** First what is derived from nothing else, on the way to a source beside others: so bodies become small before they are copied. */
  private unfold(): void {
    const leading = leadingToCalls(this.problem);
    const [small, others] = [new Set(leading), new Set(leading)];
    const next = (): Unfolding | undefined => {
      for (const location of small) {
        small.delete(location);
        const unfolding = this.isFromNothing(location) ? this.unfolding(location) : undefined;
        if (unfolding !== undefined) return unfolding;
      }
      for (const location of others) {
        others.delete(location);
        const unfolding = this.resolution.isBesideOthers(location) ? this.unfolding(location) : undefined;
        if (unfolding !== undefined) return unfolding;
      }
      return undefined;
    };
    for (let unfolding = next(); unfolding !== undefined; unfolding = next()) {
      this.unfolded.add(unfolding.location);
      this.resolution.apply(unfolding);
      for (const edge of unfolding.edges) {
        for (const location of [headOf(edge), ...edge.sources.map(s => s.location)]) {
          if (location === undefined || !leading.has(location)) continue;
          small.add(location);
          others.add(location);
        }
      }
    }
  }

  private isFromNothing(location: Location): boolean {
    return this.resolution.edges.into(location).every(e => e.sources.length === 0);
  }

  private unfolding(location: Location): Unfolding | undefined {
    const { resolution, solver } = this;
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    // Without edges into it what it is a source of would go, and locations could seem to depend on themselves no more.
    if (resolution.edges.into(location).length === 0) return undefined;
    const more = this.isFromNothing(location) && resolution.isBesideOthers(location) ? MORE_EDGES : 0;
    if (!resolution.mayUnfold(location, more)) return undefined;
    const unfolding = resolution.unfolding(location, MAX_GROWTH);
    return unfolding !== undefined && this.hasFewParts(location) ? unfolding : undefined;
  }

  /** Would no model have too many parts if the location were unfolded as well? */
  private hasFewParts(location: Location): boolean {
    const { given, unfolded, parts } = this;
    // Only where it is a part of other models are they counted anew.
    const isPart = given.outOf(location).some(e => unfolded.has(headOf(e) as Location));
    if (isPart) parts.clear();
    const count = (l: Location): number => {
      if (l !== location && !unfolded.has(l)) return 0;
      const known = parts.get(l);
      if (known !== undefined) return known;
      const edges = given.into(l);
      const ofSources = edges.flatMap(e => e.sources.map(s => count(s.location)));
      const sum = ofSources.reduce((n, m) => n + m, edges.length);
      parts.set(l, sum);
      return sum;
    };
    const isSmall = [location, ...(isPart ? unfolded : [])].every(l => count(l) <= MAX_PARTS);
    if (!isSmall) parts.clear();
    return isSmall;
  }
}

/** Sources beside others, and whatever leads to them. */
function leadingToCalls({ edges }: Problem): Set<Location> {
  const table = new EdgeTable(edges);
  const calls = edges.filter(e => e.sources.length > 1);
  const found = new Set(calls.flatMap(e => e.sources.map(s => s.location)));
  for (const l of found)
    for (const { sources } of table.into(l)) for (const s of sources) found.add(s.location);
  return found;
}

/** The way back of a proof. */
class WitnessedModel {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly given: EdgeTable;
  private readonly resolution: Resolution;
  private readonly unfolded: ReadonlySet<Location>;
  private readonly solver: EquationSolver;
  private readonly models = new Map<Location, UnfoldedModel>();
  private readonly assumed = new Map<Edge, readonly (readonly TermId[])[]>();
  private model: Proof['model'] = new Map();

  constructor(
    problem: Problem,
    resolution: Resolution,
    unfolded: ReadonlySet<Location>,
    solver: EquationSolver,
  ) {
    this.problem = problem;
    this.terms = problem.terms;
    this.given = new EdgeTable(problem.edges);
    this.resolution = resolution;
    this.unfolded = unfolded;
    this.solver = solver;
  }

  proof(proof: Proof): Proof {
    const { problem, terms, unfolded, assumed } = this;
    this.model = proof.model;
    const bound = new Map([...unfolded].map(l => [l, this.modelOf(l).bound]));
    for (const { sources } of problem.edges)
      for (const { location } of sources) if (!bound.has(location)) bound.set(location, []);
    for (const edge of problem.edges) {
      const another = (v: TermId) => terms.another(v);
      assumed.set(
        edge,
        edge.sources.map(s => (bound.get(s.location) ?? []).map(another)),
      );
    }
    return {
      ...proof,
      model: new Map([...proof.model, ...[...unfolded].map(l => [l, this.modelOf(l).formula] as const)]),
      exists: {
        bound,
        assumed,
        witnesses: new Map(problem.edges.map(edge => [edge, this.witnesses(edge)])),
      },
      lemmas: lemmasBack(terms, proof.lemmas, edge => [this.origin(edge)]),
    };
  }

  // ---- models ----

  private modelOf(location: Location): UnfoldedModel {
    const known = this.models.get(location);
    if (known !== undefined) return known;
    const bound = new BoundVariables(this.terms);
    const parts = new Map(this.given.into(location).map(edge => [edge, this.part(location, edge, bound)]));
    const formula = this.terms.or([...parts.values()].map(p => p.formula));
    const mentioned = new Set(this.terms.postorder([formula]));
    const model: UnfoldedModel = { formula, bound: bound.all.filter(v => mentioned.has(v)), parts };
    this.models.set(location, model);
    return model;
  }

  private part(location: Location, edge: Edge, bound: BoundVariables): Part {
    const { terms } = this;
    const solved = hiddenSolved(location, edge, this.solver);
    const models = edge.sources.map(s =>
      this.unfolded.has(s.location) ? this.modelOf(s.location) : undefined,
    );
    bound.begin();
    const standFor = new Map<TermId, TermId>();
    const names = this.namesOfHidden(edge, solved, bound, standFor);
    const images = renamedValues(terms, solved.images, names);
    const assumed = models.map(m => (m?.bound ?? []).map(v => bound.next(v)));
    const ofSources = edge.sources.map(({ location: source, places }, i) => {
      const own = placesTo(
        source,
        places.map(p => images.get(p) as TermId),
      );
      const model = models[i];
      model?.bound.forEach((v, j) => void own.set(v, assumed[i][j]));
      return substitute(terms, model?.formula ?? (this.model.get(source) as TermId), own);
    });
    const formula = terms.and([...substituteAll(terms, solved.formulas, names), ...ofSources]);
    return { formula, images, assumed, standFor };
  }

  /** Bound variables for what is still said of variables that equations do not tell. */
  private namesOfHidden(
    edge: Edge,
    { formulas, images, standFor }: Solved,
    bound: BoundVariables,
    theirs: Map<TermId, TermId>,
  ): Map<TermId, TermId> {
    const { terms } = this;
    const said = [...formulas, ...edge.sources.flatMap(s => s.places.map(p => images.get(p) as TermId))];
    const names = new Map<TermId, TermId>();
    for (const t of terms.postorder(said)) {
      const v = standFor.get(t);
      if (v === undefined) continue;
      const name = bound.next(v);
      names.set(t, name);
      theirs.set(name, v);
    }
    return names;
  }

  /** The values of the variables that are bound in an edge's head, where it is this edge that derives the fact. */
  private witnesses(edge: Edge): readonly TermId[] {
    const head = headOf(edge);
    if (head === undefined || !this.unfolded.has(head)) return [];
    const { bound, parts } = this.modelOf(head);
    const { standFor, assumed } = parts.get(edge) as Part;
    const values = new Map(standFor);
    const here = this.assumed.get(edge) ?? [];
    assumed.forEach((own, i) => void own.forEach((v, j) => void values.set(v, here[i][j])));
    // What only other edges speak of may be anything.
    return bound.map(v => values.get(v) ?? v);
  }

  // ---- lemmas ----

  /** What a lemma about a new edge says of the one that it was made of: facts of unfolded locations tell how they were derived. */
  private origin(edge: Edge): Origin {
    const { terms } = this;
    const names = new Map<TermId, TermId>();
    const visit = (
      { edge: own, names: here, calls }: Expansion,
      images: ReadonlyMap<TermId, TermId>,
      assumed: readonly (readonly TermId[])[],
    ): void => {
      for (const [v, name] of here) if (terms.isVariable(name)) names.set(name, images.get(v) as TermId);
      own.sources.forEach(({ location, places }, i) => {
        const call = calls[i];
        if (call === undefined) return;
        const { bound, parts } = this.modelOf(location);
        const part = parts.get(call.edge) as Part;
        const told = placesTo(
          location,
          places.map(p => images.get(p) as TermId),
        );
        bound.forEach((v, j) => void told.set(v, assumed[i][j]));
        const inner = part.assumed.map(all => all.map(v => told.get(v) as TermId));
        visit(call, renamedValues(terms, part.images, told), inner);
      });
    };
    const whole = this.resolution.expansion(edge);
    const own = new Map([...whole.names.keys()].map(v => [v, v]));
    visit(whole, own, this.assumed.get(whole.edge) ?? []);
    return { edge: whole.edge, names };
  }
}

/** A location's bound variables, of which its edges use the same ones, since one of them derives a fact. */
class BoundVariables {
  readonly all: TermId[] = [];
  private readonly terms: TermStore;
  private used = new Set<TermId>(); // by the edge at hand

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** For another edge. */
  begin(): void {
    this.used = new Set();
  }

  /** One for a variable of this sort, which the edge has not used. */
  next(like: TermId): TermId {
    const { terms, used, all } = this;
    const known = all.find(v => !used.has(v) && terms.sort(v) === terms.sort(like));
    const variable = known ?? terms.another(like);
    if (known === undefined) all.push(variable);
    used.add(variable);
    return variable;
  }
}

function renamedValues(
  terms: TermStore,
  values: ReadonlyMap<TermId, TermId>,
  names: ReadonlyMap<TermId, TermId>,
): Map<TermId, TermId> {
  const images = substituteAll(terms, [...values.values()], names);
  return new Map([...values.keys()].map((v, i) => [v, images[i]]));
}
