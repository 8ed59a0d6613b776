/**
 * Gives a problem a term store of its own where it is a small part of the one it lives in. What reading and the passes before
 * have left behind is no longer needed, but solvers keep something for every term of a store, and there may be a solver for
 * each location.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { type TermId, TermStore } from '../../term/store.ts';
import { Transfer } from '../../term/transfer.ts';
import { type Derivation, mapped } from '../problem/derivation.ts';
import { NextVariables } from '../problem/next-variables.ts';
import { type Edge, isQuery, type Location, type Problem } from '../problem/problem.ts';
import type { Proof } from '../problem/proof.ts';
import { type Pass, unchanged } from './pass.ts';

/** A store of this size costs nothing worth mentioning. */
const LARGE = 20_000;

/** How many times as large as what is needed of it a store must be. */
const RATIO = 3;

/** Of a term, against that of reading a token. */
const WORK_OF_A_TERM = 2;

/** `large`: from which size on a store is to be left. */
export function ownStore(problem: Problem, checkpoint: Checkpoint, large = LARGE): Pass {
  const { terms, locations, edges, next } = problem;
  if (terms.size < large) return unchanged(problem);
  const variables = locations.flatMap(l => l.places.flatMap(p => [p, next.of(p)]));
  const needed = terms.postorder([
    ...variables,
    ...locations.flatMap(l => l.constraints),
    ...edges.flatMap(e => [...e.sources.flatMap(s => s.places), e.guard, ...e.values]),
  ]);
  if (large > 0 && terms.size < RATIO * needed.length) return unchanged(problem);
  const store = new TermStore();
  const there = new Transfer(terms, store);
  const images = new Map<TermId, TermId>();
  const image = (t: TermId) => images.get(t) as TermId;
  for (const t of needed) {
    checkpoint.pass(WORK_OF_A_TERM);
    images.set(t, there.node(t, terms.args(t).map(image)));
  }
  const moved = new Map<Location, Location>(
    locations.map(l => [
      l,
      { name: l.name, places: l.places.map(image), constraints: l.constraints.map(image) },
    ]),
  );
  const locationOf = (l: Location) => moved.get(l) as Location;
  const origins = new Map<Edge, Edge>();
  for (const edge of edges) {
    const { sources, guard, head, values } = edge;
    const copy: Edge = {
      sources: sources.map(s => ({ location: locationOf(s.location), places: s.places.map(image) })),
      guard: image(guard),
      head: isQuery(head) ? head : locationOf(head),
      values: values.map(image),
    };
    origins.set(copy, edge);
  }
  const pairs = locations.flatMap(l => l.places.map(p => [image(p), image(next.of(p))] as const));
  const own: Problem = {
    terms: store,
    locations: [...moved.values()],
    edges: [...origins.keys()],
    next: new NextVariables(store, pairs),
  };
  return { problem: own, back: wayBack(store, there, moved, origins) };
}

function wayBack(
  store: TermStore,
  there: Transfer,
  moved: ReadonlyMap<Location, Location>,
  origins: ReadonlyMap<Edge, Edge>,
): Pass['back'] {
  const home = there.inverse();
  const images = new Map<TermId, TermId>();
  const image = (t: TermId): TermId => {
    for (const s of store.postorder([t], images))
      images.set(
        s,
        home.node(
          s,
          store.args(s).map(a => images.get(a) as TermId),
        ),
      );
    return images.get(t) as TermId;
  };
  const originOf = (edge: Edge) => origins.get(edge) as Edge;
  return {
    proof: ({ model, lemmas, k }): Proof => ({
      model: new Map([...moved].map(([old, l]) => [old, image(model.get(l) ?? store.true)])),
      lemmas: new Map([...lemmas].map(([edge, own]) => [originOf(edge), own.map(image)])),
      k,
    }),
    derivation: (derivation): Derivation => ({
      ...mapped(derivation, ({ edge, values }) => ({
        edge: originOf(edge),
        values: new Map([...values].map(([v, value]) => [image(v), value])),
      })),
      functionValue: (f, args) => derivation.functionValue(there.function(f), args),
    }),
    keepsSteps: true,
  };
}
