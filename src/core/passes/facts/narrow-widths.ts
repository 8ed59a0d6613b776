/**
 * Narrow places: where arcs show that all values of a place fit into fewer bits, as unsigned or as signed numbers, it is
 * kept in that many. What reads the place reads the extension of it, and what is given to it are the lower bits.
 *
 * Arcs are inductive for all places of all locations together, but the bits alone are not: that a place is at most 7 does not
 * follow from its having been at most 7 before, where it is at most 5. So a model of the narrow problem comes back with all
 * that the arcs say: of places that are as wide as they were, too, and of locations to which nothing leads.
 */
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import { type Derivation, evaluatorOf, mapped } from '../../problem/derivation.ts';
import { type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';
import type { EdgeLemmas, Model } from '../../problem/proof.ts';
import { lemmasBack, type Pass, unchanged } from '../pass.ts';
import { isTooLarge } from './add-facts.ts';
import { IntervalAnalysis } from './interval-analysis.ts';
import { UsedOrders } from './interval-facts.ts';
import { ALL_PLACES } from './ordered-places.ts';
import { Truncation } from './truncation.ts';
import type { WrappedInterval } from './wrapped-interval.ts';

/**
 * A place that would keep more of its bits is left alone. Of 24 programs with places that lack little more than the sign, bits
 * solved the same 10 with and without it; it only made easy searches 15 times as long in one case, a quarter in another.
 */
const MOST_KEPT = 7 / 8;

/** How the values of a place are kept. */
interface Form {
  readonly extension: typeof Op.SIGN_EXTEND | typeof Op.ZERO_EXTEND;
  readonly width: number;
}

/** A variable that stood for a place, the one that does now, and the term over this that has the value of the other. */
interface Kept {
  readonly wide: TermId;
  readonly narrow: TermId;
  readonly extended: TermId;
}

export function narrowWidths(problem: Problem, rewriter: Rewriter, checkpoint: Checkpoint): Pass {
  if (isTooLarge(problem)) return unchanged(problem);
  const intervals = new IntervalAnalysis(problem, rewriter, checkpoint, ALL_PLACES);
  const forms = formsOf(problem, intervals);
  return forms.size === 0 ? unchanged(problem) : new Narrowing(problem, rewriter, intervals, forms).pass();
}

class Narrowing {
  private readonly problem: Problem;
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly intervals: IntervalAnalysis;
  private readonly forms: ReadonlyMap<TermId, Form>;
  private readonly truncation: Truncation;
  private readonly variables: ReadonlyMap<TermId, TermId>; // by place
  private readonly locations: ReadonlyMap<Location, Location>;
  private readonly origins = new Map<Edge, { readonly edge: Edge; readonly kept: readonly Kept[] }>();

  constructor(
    problem: Problem,
    rewriter: Rewriter,
    intervals: IntervalAnalysis,
    forms: ReadonlyMap<TermId, Form>,
  ) {
    this.problem = problem;
    this.terms = problem.terms;
    this.rewriter = rewriter;
    this.intervals = intervals;
    this.forms = forms;
    this.truncation = new Truncation(rewriter);
    this.variables = new Map([...forms].map(([place, form]) => [place, this.newVariable(place, form)]));
    this.locations = new Map(problem.locations.map(l => [l, this.narrowLocation(l)]));
    for (const edge of problem.edges) if (intervals.along(edge) !== undefined) this.addEdge(edge);
  }

  pass(): Pass {
    const { problem, locations, origins } = this;
    return {
      problem: { ...problem, locations: [...locations.values()], edges: [...origins.keys()] },
      back: {
        proof: proof => ({
          ...proof,
          model: this.wideModel(proof.model),
          lemmas: this.wideLemmas(proof.lemmas),
        }),
        derivation: derivation => this.wideDerivation(derivation),
        keepsSteps: true,
      },
    };
  }

  private narrowLocation(location: Location): Location {
    const kept = this.keptAt(location);
    return {
      name: location.name,
      places: kept.map(k => k.narrow),
      constraints: this.narrowed(location.constraints, kept),
    };
  }

  private addEdge(edge: Edge): void {
    const { locations, forms, truncation, origins } = this;
    const head = headOf(edge);
    const keptOf = edge.sources.map(({ location, places }) => this.keptAt(location, places));
    const kept = keptOf.flat();
    const [guard, ...values] = this.narrowed([edge.guard, ...edge.values], kept);
    const narrow: Edge = {
      sources: edge.sources.map(({ location }, i) => ({
        location: locations.get(location) as Location,
        places: keptOf[i].map(k => k.narrow),
      })),
      guard,
      head: head === undefined ? edge.head : (locations.get(head) as Location),
      values: values.map((value, i) => {
        const form = head && forms.get(head.places[i]);
        return form === undefined ? value : truncation.of(value, form.width);
      }),
    };
    origins.set(narrow, { edge, kept });
  }

  private narrowed(formulas: readonly TermId[], kept: readonly Kept[]): TermId[] {
    const names = new Map(kept.map(k => [k.wide, k.extended]));
    return substituteAll(this.terms, formulas, names).map(f => this.rewriter.rewrite(f));
  }

  /** What becomes of the variables that stand for the places of a location. */
  private keptAt({ places }: Location, variables = places): Kept[] {
    const { terms, forms } = this;
    return places.map((place, i): Kept => {
      const form = forms.get(place);
      const wide = variables[i];
      if (form === undefined) return { wide, narrow: wide, extended: wide };
      const narrow = wide === place ? (this.variables.get(place) as TermId) : this.newVariable(wide, form);
      return {
        wide,
        narrow,
        extended: terms.app(form.extension, [narrow], [terms.width(wide) - form.width]),
      };
    });
  }

  private newVariable(wide: TermId, { width }: Form): TermId {
    const { terms } = this;
    return terms.variable(terms.nameOf(wide), terms.sorts.bitVec(width));
  }

  // ---- the way back ----

  private wideModel(model: Model): Model {
    const { problem, terms, rewriter, intervals, locations } = this;
    const guards = problem.edges.map(e => rewriter.rewrite(e.guard));
    const orders = new UsedOrders(terms, guards);
    return new Map(
      problem.locations.map(l => {
        const arcs = intervals.at(l);
        if (arcs === undefined) return [l, terms.false];
        const formula = model.get(locations.get(l) as Location) as TermId;
        const names = this.lowerBits(this.keptAt(l));
        return [l, terms.and([substitute(terms, formula, names), ...orders.facts(l, arcs)])];
      }),
    );
  }

  private wideLemmas(lemmas: EdgeLemmas): EdgeLemmas {
    const { terms, next } = this.problem;
    return lemmasBack(terms, lemmas, e => {
      const { edge, kept } = this.originOf(e);
      const head = headOf(edge);
      const after = head === undefined ? [] : this.keptAt(head);
      const names = [
        ...this.lowerBits(kept),
        ...this.lowerBits(after.map(k => ({ wide: next.of(k.wide), narrow: next.of(k.narrow) }))),
      ];
      return [{ edge, names: new Map(names) }];
    });
  }

  private wideDerivation(derivation: Derivation): Derivation {
    return mapped(derivation, ({ edge: narrow, values }) => {
      const { edge, kept } = this.originOf(narrow);
      const evaluator = evaluatorOf(this.terms, values, derivation.functionValue);
      const all = new Map<TermId, Value>(values);
      for (const { wide, extended } of kept) all.set(wide, evaluator.value(extended));
      return { edge, values: all };
    });
  }

  private originOf(edge: Edge): { readonly edge: Edge; readonly kept: readonly Kept[] } {
    return this.origins.get(edge) as { edge: Edge; kept: readonly Kept[] };
  }

  /** What narrow variables are in terms of wide ones. */
  private lowerBits(kept: readonly Pick<Kept, 'wide' | 'narrow'>[]): Map<TermId, TermId> {
    const { terms } = this;
    return new Map(
      kept
        .filter(({ wide, narrow }) => narrow !== wide)
        .map(({ wide, narrow }) => [narrow, terms.app(Op.EXTRACT, [wide], [terms.width(narrow) - 1, 0])]),
    );
  }
}

/** The forms of places that need not be as wide as they are. A place that locations share stays the same one. */
function formsOf({ terms, locations }: Problem, intervals: IntervalAnalysis): Map<TermId, Form> {
  const arcs = new Map<TermId, WrappedInterval>();
  for (const location of locations) {
    for (const [i, arc] of (intervals.at(location) ?? []).entries()) {
      const place = location.places[i];
      if (arc !== undefined) arcs.set(place, arcs.get(place)?.join(arc) ?? arc);
    }
  }
  const forms = new Map<TermId, Form>();
  for (const [place, arc] of arcs) {
    const form = formOf(arc);
    if (form.width <= MOST_KEPT * terms.width(place)) forms.set(place, form);
  }
  return forms;
}

function formOf(arc: WrappedInterval): Form {
  const [unsigned, signed] = [unsignedWidth(arc), signedWidth(arc)];
  return unsigned <= signed
    ? { extension: Op.ZERO_EXTEND, width: unsigned }
    : { extension: Op.SIGN_EXTEND, width: signed };
}

/** How many bits hold all numbers of an arc that is not empty. */
function unsignedWidth({ unsigned: [, greatest] }: WrappedInterval): number {
  return greatest.toString(2).length;
}

/** The same of signed numbers. */
function signedWidth({ signed: [least, greatest] }: WrappedInterval): number {
  const bits = (n: bigint) => (n <= 0n ? 0 : n.toString(2).length);
  return 1 + Math.max(bits(greatest), bits(-1n - least));
}
