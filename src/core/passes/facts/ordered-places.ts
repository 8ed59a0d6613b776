/**
 * The places whose arcs may matter: those that are compared by an order, and those whose values become values of such, or were compared
 * when they began. What is
 * only compared for equality, as the states of a protocol are, the search finds by itself, and arcs of it were measured
 * to cost a tenth of the time of programs.
 */
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId } from '../../../term/store.ts';
import { conditionsOf, type Edge, headOf, type Problem } from '../../problem/problem.ts';

/** Of which places arcs are asked for. */
export interface AskedPlaces {
  readonly has: (place: TermId) => boolean;
  /** Which variables of an edge stand for other places? */
  readonly othersOn: (edge: Edge) => ReadonlySet<TermId>;
}

export const ALL_PLACES: AskedPlaces = { has: () => true, othersOn: () => new Set() };

export class OrderedPlaces implements AskedPlaces {
  private readonly found = new Set<TermId>();

  constructor({ terms, edges }: Problem, rewriter: Rewriter) {
    const variablesOf = (roots: readonly TermId[]) => terms.postorder(roots).filter(t => terms.isVariable(t));
    const placesOf = new Map<TermId, Set<TermId>>(); // by variable: it may stand for one in this edge, for another in that
    // By place, the variables that its values are made of.
    const origins = new Map<TermId, TermId[]>();
    const waiting: TermId[] = [];
    for (const edge of edges) {
      for (const { location, places } of edge.sources)
        places.forEach((p, i) => {
          placesOf.set(p, (placesOf.get(p) ?? new Set()).add(location.places[i]));
        });
      const said = [...conditionsOf(edge), ...edge.values].map(f => rewriter.rewrite(f));
      const orders = terms.postorder(said).filter(t => terms.op(t) === Op.BVULT || terms.op(t) === Op.BVSLT);
      const compared = variablesOf(orders);
      waiting.push(...compared);
      headOf(edge)?.places.forEach((place, i) => {
        // What is compared before it becomes a place for the first time.
        if (edge.sources.length === 0 && compared.includes(edge.values[i])) this.found.add(place);
        const own = variablesOf([rewriter.rewrite(edge.values[i])]);
        const known = origins.get(place);
        if (known === undefined) origins.set(place, own);
        else for (const v of own) known.push(v);
      });
    }
    for (let v = waiting.pop(); v !== undefined; v = waiting.pop()) {
      for (const place of placesOf.get(v) ?? []) {
        if (this.found.has(place)) continue;
        this.found.add(place);
        waiting.push(...(origins.get(place) ?? []));
      }
    }
  }

  has(place: TermId): boolean {
    return this.found.has(place);
  }

  othersOn({ sources }: Edge): Set<TermId> {
    return new Set(
      sources.flatMap(({ location, places }) => places.filter((_, i) => !this.found.has(location.places[i]))),
    );
  }
}
