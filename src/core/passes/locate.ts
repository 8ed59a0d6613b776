/**
 * Makes the control flow of a program explicit that is hidden in places. A program written as one relation, or as one
 * transition relation, has a program counter among its places: a bit-vector or some Booleans (`control.ts` finds them). Each
 * combination of values that derivations can reach becomes a location of its own, and an edge leads from one to another for
 * each edge that can be used there, and each value that it may give to the program counter. Later passes then see loops and
 * straight lines: locations that are passed through are eliminated, and each keeps only the places that matter there.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { Evaluator } from '../../term/evaluator.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute, substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import {
  type Edge,
  headOf,
  isLinear,
  type Location,
  type Problem,
  sourceOf,
  step,
} from '../problem/problem.ts';
import { type Alternative, type Control, controlThatIsComputed, controlThatIsSet } from './control.ts';
import { lemmasBack, type Pass } from './pass.ts';
import { under } from './under.ts';

/** More locations than this are no longer control flow that somebody wrote. */
const MAX_LOCATIONS = 400;

/** Edges may become so many times as many, for those that several locations use. */
const MAX_COPIES = 3;

/**
 * Where the next location is computed, each location gets its own version of the edge. In a program these are parts of the
 * whole, but a circuit with a state machine in it would be there once for each state. So all edges together may have so many
 * times as many terms as before, or a few more if there are not many.
 */
const MAX_GROWTH = 1.5;
const MAX_GROWTH_OF_FEW = 4;
const FEW_TERMS = 4000;

/** A location at one combination of values of its control places. */
interface Point {
  readonly origin: Location;
  readonly location: Location;
  /** By control place, a constant, and what it stands for. */
  readonly control: ReadonlyMap<TermId, TermId>;
  readonly values: ReadonlyMap<TermId, Value>;
  /** From the origin's other places to the location's. */
  readonly places: ReadonlyMap<TermId, TermId>;
}

interface Followed {
  readonly edge: Edge;
  readonly from: Point | undefined;
  readonly to: Point | undefined;
}

/** Undefined if no location has control, or too many combinations of values. */
export function locate(problem: Problem, rewriter: Rewriter, checkpoint: Checkpoint): Pass | undefined {
  if (!isLinear(problem)) return undefined;
  const set = controlThatIsSet(problem, rewriter);
  if (set.length > 0) return new Locator(problem, rewriter, set).pass();
  const computed = controlThatIsComputed(problem, checkpoint);
  if (computed.length === 0) return undefined;
  const pass = new Locator(problem, rewriter, computed).pass();
  if (pass === undefined) return undefined;
  const [before, after] = [sizeOf(problem), sizeOf(pass.problem)];
  return after <= Math.max(MAX_GROWTH * before, Math.min(MAX_GROWTH_OF_FEW * before, FEW_TERMS))
    ? pass
    : undefined;
}

/** The terms of all edges, those that several have counted for each. */
function sizeOf({ terms, edges }: Problem): number {
  return edges.reduce((sum, e) => sum + terms.postorder([e.guard, ...e.values]).length, 0);
}

class Locator {
  private readonly terms: TermStore;
  private readonly problem: Problem;
  private readonly rewriter: Rewriter;
  private readonly control: readonly Control[];
  private readonly isControl: ReadonlySet<TermId>;
  private readonly numbers: ReadonlyMap<Location, number>;
  private readonly constants: Evaluator;
  private readonly points = new Map<string, Point>(); // by the number of the location, and values
  private readonly origins = new Map<Edge, Followed>();

  constructor(problem: Problem, rewriter: Rewriter, control: readonly Control[]) {
    this.terms = problem.terms;
    this.problem = problem;
    this.rewriter = rewriter;
    this.control = control;
    this.isControl = new Set(control.flatMap(c => c.places));
    this.constants = evaluatorOf(problem.terms, new Map());
    this.numbers = new Map(problem.locations.map((l, i) => [l, i]));
  }

  pass(): Pass | undefined {
    if (!this.explore()) return undefined;
    const { terms, problem, origins } = this;
    const points = [...this.points.values()];
    const of = new Map<Location, Point[]>(problem.locations.map(l => [l, []]));
    for (const p of points) of.get(p.origin)?.push(p);
    return {
      problem: { ...problem, locations: points.map(p => p.location), edges: [...origins.keys()] },
      back: {
        proof: proof => ({
          ...proof,
          model: new Map(
            [...of].map(([origin, all]) => [
              origin,
              terms.or(
                all.map(p => {
                  const back = new Map([...p.places].map(([from, to]) => [to, from]));
                  const equations = [...p.control].map(([place, value]) => terms.eq(place, value));
                  const formula = proof.model.get(p.location) as TermId;
                  return terms.and([...equations, substitute(terms, formula, back)]);
                }),
              ),
            ]),
          ),
          lemmas: lemmasBack(terms, proof.lemmas, e => [this.origin(e)]),
        }),
        derivation: derivation =>
          mapped(derivation, ({ edge, values }) => {
            const { edge: origin, from } = origins.get(edge) as Followed;
            return { edge: origin, values: from === undefined ? values : this.before(from, values) };
          }),
        keepsSteps: true,
      },
    };
  }

  /** The edge that was followed, and what the places of its ends are called there. */
  private origin(edge: Edge): { edge: Edge; names: Map<TermId, TermId> } {
    const { next } = this.problem;
    const { edge: origin, from, to } = this.origins.get(edge) as Followed;
    const names = new Map<TermId, TermId>();
    for (const [old, place] of from?.places ?? []) names.set(place, old);
    for (const [old, place] of to?.places ?? []) names.set(next.of(place), next.of(old));
    return { edge: origin, names };
  }

  /** The values of a step as the origin of the point had them. */
  private before(
    { values: control, places }: Point,
    values: ReadonlyMap<TermId, Value>,
  ): ReadonlyMap<TermId, Value> {
    const all = new Map([...values, ...control]);
    for (const [p, q] of places) {
      const value = values.get(q);
      if (value !== undefined) all.set(p, value);
    }
    return all;
  }

  /** Follows the edges from the starts on; false if there is too much to follow. */
  private explore(): boolean {
    const { problem, points, origins } = this;
    const out = new Map<Location | undefined, Edge[]>([undefined, ...problem.locations].map(l => [l, []]));
    for (const edge of problem.edges) out.get(sourceOf(edge))?.push(edge);
    const most = MAX_COPIES * problem.edges.length + MAX_LOCATIONS;
    const followAll = (from: Point | undefined) =>
      (out.get(from?.origin) as Edge[]).every(edge => this.follow(edge, from));
    if (!followAll(undefined)) return false;
    for (const point of points.values()) {
      if (!followAll(point)) return false;
      if (points.size > MAX_LOCATIONS || origins.size > most) return false;
    }
    return true;
  }

  /** False if it leads to too many points. */
  private follow(edge: Edge, from: Point | undefined): boolean {
    const { terms, rewriter, isControl, origins } = this;
    const roots = [edge.guard, ...edge.values];
    const [guard, ...values] = substituteAll(terms, roots, imagesAt(from)).map(t => rewriter.rewrite(t));
    if (guard === terms.false) return true;
    const sources = from === undefined ? [] : step(from.location);
    const head = headOf(edge);
    if (head === undefined) {
      origins.set({ sources, guard, head: edge.head, values }, { edge, from, to: undefined });
      return true;
    }
    const alternatives = this.alternatives(head, values);
    if (alternatives.length > MAX_LOCATIONS) return false;
    for (const { control, condition } of alternatives) {
      const whole = rewriter.rewrite(terms.and([guard, condition]));
      if (whole === terms.false) continue;
      const to = this.point(head, control);
      const kept = values.filter((_, i) => !isControl.has(head.places[i]));
      const changed = { sources, guard: whole, head: to.location, values: under(rewriter, whole, kept) };
      origins.set(changed, { edge, from, to });
    }
    return true;
  }

  /** The combinations of values that control may have where an edge leads, and when; not all of them if there are too many. */
  private alternatives(head: Location, values: readonly TermId[]): Alternative[] {
    const { terms, rewriter } = this;
    const valueAt = new Map(head.places.map((p, i) => [p, values[i]]));
    let all: Alternative[] = [{ control: new Map(), condition: terms.true }];
    for (const component of this.control) {
      if (!component.places.every(p => valueAt.has(p))) continue;
      const own = component.alternatives(rewriter, p => valueAt.get(p) as TermId);
      const both: Alternative[] = [];
      for (const { control, condition } of all) {
        for (const a of own) {
          const whole = rewriter.mk(Op.AND, [condition, a.condition]);
          if (whole !== terms.false)
            both.push({ control: new Map([...control, ...a.control]), condition: whole });
        }
      }
      all = both;
      if (all.length > MAX_LOCATIONS) break;
    }
    return all;
  }

  private point(origin: Location, fixed: ReadonlyMap<TermId, TermId>): Point {
    const { terms, isControl, points, rewriter } = this;
    const key = [this.numbers.get(origin), ...fixed.values()].join(' ');
    const known = points.get(key);
    if (known !== undefined) return known;
    const places = new Map(origin.places.filter(p => !isControl.has(p)).map(p => [p, terms.another(p)]));
    const constraints = substituteAll(terms, origin.constraints, new Map([...fixed, ...places]));
    const location: Location = {
      name: `${origin.name}@${points.size}`,
      places: [...places.values()],
      constraints: conjunctsOf(
        rewriter,
        constraints.map(c => rewriter.rewrite(c)),
      ),
    };
    const constants = new Map([...fixed].map(([p, c]) => [p, this.constants.value(c)]));
    const point = { origin, location, control: fixed, values: constants, places };
    points.set(key, point);
    return point;
  }
}

/** What the places of a point's origin are there. */
function imagesAt(point: Point | undefined): Map<TermId, TermId> {
  return point === undefined ? new Map() : new Map([...point.control, ...point.places]);
}
