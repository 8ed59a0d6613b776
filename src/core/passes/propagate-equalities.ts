/**
 * Constants and copies: a place that has the same constant in all that can be derived, or always the same value as
 * another place of its location, is replaced by that constant or place. Found optimistically, as conditional constant
 * propagation does (Wegman and Zadeck, "Constant propagation with conditional branches", TOPLAS 13(2), 1991): all
 * places of a location are equal until an edge shows that they are not.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import type { Value } from '../../term/value.ts';
import { evaluatorOf, mapped } from '../problem/derivation.ts';
import { type Edge, headOf, type Location, type Problem, type Source } from '../problem/problem.ts';
import { lemmasBack, type Pass, quantifiedBack, unchanged } from './pass.ts';

/** What is known of each place of a location: a constant, the first of the places that it equals, or itself. */
type Known = readonly TermId[];

/** Walks over all edges; what is not stable after so many is given up. */
const MAX_ROUNDS = 50;

export function propagateEqualities(problem: Problem, rewriter: Rewriter): Pass {
  const { terms, locations } = problem;
  const known = knownPlaces(problem, rewriter);
  if (known === undefined) return unchanged(problem);
  const factsOf = (l: Location): Known => known.get(l) ?? l.places;
  const isKept = (l: Location, i: number) => factsOf(l)[i] === l.places[i];
  const smaller = new Map<Location, Location>();
  for (const l of locations) {
    const images = new Map(l.places.map((p, i) => [p, factsOf(l)[i]]));
    const constraints = substituteAll(terms, l.constraints, images).map(c => rewriter.rewrite(c));
    const places = l.places.filter((_, i) => isKept(l, i));
    smaller.set(l, { name: l.name, places, constraints: conjunctsOf(rewriter, constraints) });
  }
  const smallerOf = (l: Location) => smaller.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const head = headOf(edge);
    const [guard, ...values] = replaced(rewriter, edge, known, [edge.guard, ...edge.values]);
    const changed: Edge = {
      sources: edge.sources.map(({ location, places }) => ({
        location: smallerOf(location),
        places: places.filter((_, i) => isKept(location, i)),
      })),
      guard,
      head: head === undefined ? edge.head : smallerOf(head),
      values: head === undefined ? [] : values.filter((_, i) => isKept(head, i)),
    };
    origins.set(changed, edge);
  }
  /** A location that no derivation reaches is empty: what leads on from there need not agree with what is known. */
  const facts = (l: Location) =>
    known.has(l)
      ? l.places.flatMap((p, i) => (isKept(l, i) ? [] : [terms.eq(p, factsOf(l)[i])]))
      : [terms.false];
  return {
    problem: { ...problem, locations: [...smaller.values()], edges: [...origins.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(
          locations.map(l => [l, terms.and([proof.model.get(smallerOf(l)) as TermId, ...facts(l)])]),
        ),
        ...(proof.forAll && { forAll: quantifiedBack(proof.forAll, origins, smaller) }),
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: origins.get(e) as Edge }]),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const origin = origins.get(edge) as Edge;
          const replaced = origin.sources.flatMap(s => imagesOf(terms, s, known.get(s.location)));
          const changed = replaced.filter(([place, image]) => place !== image);
          if (changed.length === 0) return { edge: origin, values };
          const evaluator = evaluatorOf(terms, values, derivation.functionValue);
          const found = changed.map(([place, image]): [TermId, Value] => [place, evaluator.value(image)]);
          return { edge: origin, values: new Map([...values, ...found]) };
        }),
      keepsSteps: true,
    },
  };
}

/** Undefined if it does not become stable soon. */
function knownPlaces({ edges, terms }: Problem, rewriter: Rewriter): Map<Location, Known> | undefined {
  const known = new Map<Location, Known>();
  let isStable = false;
  for (let round = 0; !isStable; round++) {
    if (round === MAX_ROUNDS) return undefined;
    isStable = true;
    for (const edge of edges) {
      const head = headOf(edge);
      if (head === undefined || !edge.sources.every(s => known.has(s.location))) continue;
      const values = replaced(rewriter, edge, known, edge.values);
      const before = known.get(head);
      const after = meet(head, before, values, t => terms.isConstant(t));
      if (before !== undefined && after.every((t, i) => t === before[i])) continue;
      known.set(head, after);
      isStable = false;
    }
  }
  return known;
}

/** Terms of an edge with its sources' places replaced by what is known of them. */
function replaced(
  rewriter: Rewriter,
  { sources }: Edge,
  known: ReadonlyMap<Location, Known>,
  roots: readonly TermId[],
): TermId[] {
  const { terms } = rewriter;
  const images = new Map(sources.flatMap(s => [...imagesOf(terms, s, known.get(s.location))]));
  return substituteAll(terms, roots, images).map(t => rewriter.rewrite(t));
}

/** What is known of a source's places, in terms of its own variables. */
function imagesOf(
  terms: TermStore,
  { location, places }: Source,
  facts: Known | undefined,
): (readonly [place: TermId, image: TermId])[] {
  if (facts === undefined) return [];
  const variableOf = new Map(location.places.map((p, i) => [p, places[i]]));
  return facts.map((fact, i) => {
    return [places[i], terms.isConstant(fact) ? fact : (variableOf.get(fact) as TermId)] as const;
  });
}

/** What holds both before and of the values of one more edge: places stay together if both agree. */
function meet(
  { places }: Location,
  before: Known | undefined,
  values: readonly TermId[],
  isConstant: (t: TermId) => boolean,
): Known {
  const representatives = new Map<string, TermId>();
  return places.map((place, i) => {
    const [old, value] = [before?.[i] ?? values[i], values[i]];
    if (old === value && isConstant(value)) return value;
    const key = before === undefined ? `${value}` : `${old} ${value}`;
    const first = representatives.get(key);
    if (first === undefined) representatives.set(key, place);
    return first ?? place;
  });
}
