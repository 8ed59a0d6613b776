/**
 * Models of locations that passes have done away with, made of those of their neighbours: the strongest one is what all edges into
 * a location give, if their equations can be solved for all that the location does not see.
 */
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substitute } from '../../term/substitute.ts';
import { type Edge, type Location, placesTo } from '../problem/problem.ts';
import type { Model } from '../problem/proof.ts';
import { type PostImage, postImage } from './post-image.ts';

/** How to make a model of the eliminated location from those of its neighbours. */
export interface Interpretation {
  readonly formula: (model: Model) => TermId;
  /** How often the model of each neighbour occurs in it. */
  readonly occurrences: ReadonlyMap<Location, number>;
  /** What the variables of an edge into the location are, seen from there, if the model says so. */
  readonly images: ReadonlyMap<Edge, PostImage>;
}

/** Undefined where that needs quantifiers. */
export function strongest(
  location: Location,
  into: readonly Edge[],
  solver: EquationSolver,
): Interpretation | undefined {
  const { terms } = solver.rewriter;
  const images = new Map<Edge, PostImage>();
  for (const edge of into) {
    const image = postImage(location, edge, solver);
    if (image === undefined) return undefined;
    images.set(edge, image);
  }
  const formula: Interpretation['formula'] = model =>
    terms.or(
      into.map(edge => {
        const { condition, images: own } = images.get(edge) as PostImage;
        const sources = edge.sources.map(({ location: source, places }) => {
          const args = places.map(p => own.get(p) as TermId);
          return substitute(terms, model.get(source) as TermId, placesTo(source, args));
        });
        return terms.and([condition, ...sources]);
      }),
    );
  const occurrences = counted(into.flatMap(e => e.sources.map(s => [s.location, 1] as const)));
  return { formula, occurrences, images };
}

/** Sums of numbers, by location. */
export function counted(pairs: readonly (readonly [Location | undefined, number])[]): Map<Location, number> {
  const sums = new Map<Location, number>();
  for (const [l, n] of pairs) if (l !== undefined) sums.set(l, (sums.get(l) ?? 0) + n);
  return sums;
}

/** How many terms the edges have. */
export function sizeOf(terms: TermStore, edges: readonly Edge[]): number {
  return terms.postorder(edges.flatMap(e => [e.guard, ...e.values])).length;
}
