/** A toy pass: places of one bit become Booleans. */

import { lemmasBack, type Pass, unchanged } from '../../src/core/passes/pass.ts';
import { mapped } from '../../src/core/problem/derivation.ts';
import {
  type Edge,
  headOf,
  isLinear,
  type Location,
  type Problem,
  step,
} from '../../src/core/problem/problem.ts';
import type { TermId } from '../../src/term/store.ts';
import { substituteAll } from '../../src/term/substitute.ts';

export function booleansFromBits(problem: Problem): Pass {
  const { terms, locations, next } = problem;
  const bits = locations.flatMap(l => l.places).filter(p => terms.width(p) === 1);
  if (bits.length === 0 || !isLinear(problem)) return unchanged(problem);
  const [zero, one] = [terms.bv(1, 0), terms.bv(1, 1)];
  const booleanOf = new Map(bits.map(p => [p, terms.variable(nameOf(p), terms.sorts.bool)]));
  // What a bit is in terms of its Boolean, and the other way round.
  const images = new Map([...booleanOf].map(([p, b]) => [p, terms.ite(b, one, zero)]));
  const back = new Map<TermId, TermId>();
  for (const [p, b] of booleanOf) {
    back.set(b, terms.eq(one, p));
    back.set(next.of(b), terms.eq(one, next.of(p)));
  }
  const changed = new Map(
    locations.map((l): [Location, Location] => [
      l,
      {
        name: l.name,
        places: l.places.map(p => booleanOf.get(p) ?? p),
        constraints: substituteAll(terms, l.constraints, images),
      },
    ]),
  );
  const changedOf = (l: Location) => changed.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    const head = headOf(edge);
    const [guard, ...values] = substituteAll(terms, [edge.guard, ...edge.values], images);
    const image: Edge = {
      sources: edge.sources.flatMap(s => step(changedOf(s.location))),
      guard,
      head: head === undefined ? edge.head : changedOf(head),
      values: values.map((v, i) => (booleanOf.has(head?.places[i] as TermId) ? terms.eq(one, v) : v)),
    };
    origins.set(image, edge);
  }
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  return {
    problem: { ...problem, locations: [...changed.values()], edges: [...origins.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(
          locations.map(l => [l, substituteAll(terms, [proof.model.get(changedOf(l)) as TermId], back)[0]]),
        ),
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: originOf(e), names: back }]),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const all = new Map(values);
          for (const [p, b] of booleanOf) if (values.has(b)) all.set(p, values.get(b) === true ? 1 : 0);
          return { edge: originOf(edge), values: all };
        }),
      keepsSteps: true,
    },
  };

  function nameOf(place: TermId): string {
    return terms.nameOf(place);
  }
}
