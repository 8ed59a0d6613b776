/**
 * A callee for which callers wait, and the way back from evidence about the product. What the body's locations satisfy while x waits
 * holds for all x that could be waiting, so that the model of the callee is
 *
 *   ∀ x. model of the caller (x) ∧ guard on a ⇒ model while x waits (a, r, x)
 *
 * for each site, and an edge that calls it uses it of its own x. Instances are the same wherever a body goes on; so a callee
 * whose caller is a callee itself has both callers' places bound.
 */
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import type { Derivation, Step } from '../../problem/derivation.ts';
import {
  type Edge,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  placesTo,
  type Source,
} from '../../problem/problem.ts';
import type { Instance, Proof } from '../../problem/proof.ts';
import { type Back, lemmasBack, type Origin } from '../pass.ts';
import type { Carried } from './carried.ts';

/** A place where the callee is called. */
export interface Site {
  readonly call: Edge;
  readonly caller: Source;
  /** What is known of the callee's arguments before it runs. */
  readonly before: readonly TermId[];
  readonly after: readonly TermId[];
  /** What the caller's places and the inputs of the call are while it waits. */
  readonly waiting: ReadonlyMap<TermId, TermId>;
  /** Which of the places that wait are the caller's; others have any value. */
  readonly frozen: ReadonlyMap<TermId, TermId>;
  /** What the places say that tell sites apart. */
  readonly here: readonly TermId[];
}

/** What an edge of the product was made of. */
export type Made =
  | {
      readonly kind: 'begin';
      readonly site: Site;
      readonly start: Edge;
      readonly inputs: ReadonlyMap<TermId, TermId>;
    }
  | { readonly kind: 'step'; readonly edge: Edge }
  | { readonly kind: 'return'; readonly site: Site; readonly inputs: ReadonlyMap<TermId, TermId> };

/** A callee's body with what waits for it. */
export interface Product {
  readonly problem: Problem;
  readonly callee: Location;
  readonly carried: Carried;
  readonly sites: readonly Site[];
  /** Variables that stand for what waits, by name and sort. */
  readonly slots: ReadonlyMap<string, TermId>;
  /** Those of them that are places. */
  readonly frozen: readonly TermId[];
  /** Places that tell sites apart. */
  readonly siteBits: readonly TermId[];
  /** What has become of the body's locations. */
  readonly copies: ReadonlyMap<Location, Location>;
  readonly made: ReadonlyMap<Edge, Made>;
  /** What has become of a step of the body, and of a call when it returns. */
  readonly products: ReadonlyMap<Edge, Edge>;
}

/** The values of the callee's arguments at a location of its body. */
export function toldAt(carried: Carried, location: Location, values: readonly TermId[]): [number, TermId][] {
  return [...(carried.get(location) ?? [])].map(([i, at]) => [i, values[at]]);
}

export function wayBack(product: Product): Back {
  const way = new WayBack(product);
  return { proof: way.proof, derivation: way.derivation, keepsSteps: false };
}

class WayBack {
  private readonly product: Product;
  private readonly terms: TermStore;

  constructor(product: Product) {
    this.product = product;
    this.terms = product.problem.terms;
  }

  readonly derivation = (derivation: Derivation): Derivation => {
    const { terms } = this;
    const { callee } = this.product;
    const steps: Step[] = [];
    const numbers: number[] = []; // by old number of a step, where it is now
    const begun: number[] = []; // by old number of a step of the callee, the old number of that which called it
    derivation.steps.forEach((step, i) => {
      const made = this.product.made.get(step.edge);
      const premises = step.premises.map(p => numbers[p]);
      const renamed = (inputs: ReadonlyMap<TermId, TermId>) =>
        [...inputs].flatMap(([v, name]): [TermId, Value][] => {
          const value = step.values.get(name);
          return value === undefined ? [] : [[v, value]];
        });
      const add = (edge: Edge, given: Iterable<readonly [TermId, Value]>, from: readonly number[]) => {
        const known = new Set([...placesOf(edge), ...inputsOf(terms, edge)]);
        const values = new Map([...given].filter(([v]) => known.has(v)));
        const { skipped } = step;
        numbers[i] =
          steps.push({ edge, values, premises: from, ...(skipped !== undefined && { skipped }) }) - 1;
      };
      switch (made?.kind) {
        case undefined:
          numbers[i] = steps.push({ ...step, premises }) - 1;
          break;
        case 'begin':
          begun[i] = i;
          add(made.start, renamed(made.inputs), []);
          break;
        case 'step':
          begun[i] = begun[step.premises[0]];
          add(made.edge, step.values, premises);
          break;
        case 'return': {
          const { call, caller } = made.site;
          const begin = derivation.steps[begun[step.premises[0]]];
          const { inputs } = this.product.made.get(begin.edge) as Extract<Made, { kind: 'begin' }>;
          const values = [
            ...caller.places.map((p, k) => [p, begin.values.get(caller.location.places[k])] as const),
            ...[...inputs].map(([v, name]) => [v, begin.values.get(name)] as const),
            ...call.sources[1].places.map((p, k) => [p, step.values.get(callee.places[k])] as const),
          ].flatMap(([v, value]): [TermId, Value][] => (value === undefined ? [] : [[v, value]]));
          add(call, [...values, ...renamed(made.inputs)], [numbers[begin.premises[0]], premises[0]]);
        }
      }
    });
    return { ...derivation, steps };
  };

  readonly proof = (proof: Proof): Proof => {
    const { terms } = this;
    const { problem, copies, slots, sites } = this.product;
    const given = proof.forAll;
    const boundOf = (l: Location) => given?.bound.get(l) ?? [];
    const old = new Set(problem.locations);
    const model = new Map([...proof.model].filter(([l]) => old.has(l)));
    const bound = new Map([...(given?.bound ?? [])].filter(([l]) => old.has(l)));
    const outer = new Set(sites.flatMap(s => boundOf(s.caller.location)));
    for (const [l, copy] of copies) {
      const own = sites.map(site => this.whileWaiting(site, l, copy, proof));
      model.set(l, terms.and([...(model.has(l) ? [model.get(l) as TermId] : []), ...own]));
      bound.set(l, [...new Set([...boundOf(l), ...slots.values(), ...outer, ...boundOf(copy)])]);
    }
    const instances = new Map<Edge, Instance[]>();
    for (const edge of problem.edges) instances.set(edge, this.instances(edge, proof, bound));
    return {
      ...proof,
      model,
      forAll: { bound, instances },
      lemmas: lemmasBack(terms, proof.lemmas, edge => this.origins(edge)),
    };
  };

  /** What holds at a location of the body for whatever may wait at a site. */
  private whileWaiting(site: Site, location: Location, copy: Location, { model }: Proof): TermId {
    const { terms } = this;
    const { call, caller, before, waiting, here } = site;
    const told = toldAt(this.product.carried, location, location.places).map(
      ([i, t]) => [call.sources[1].places[i], t] as const,
    );
    const own = placesTo(
      caller.location,
      caller.places.map(p => waiting.get(p) as TermId),
    );
    const conditions = [
      substitute(terms, model.get(caller.location) as TermId, own),
      ...substituteAll(terms, before, new Map([...waiting, ...told])),
    ];
    const at = new Map(this.product.siteBits.map((b, i) => [b, here[i]]));
    const holds = substitute(terms, model.get(copy) as TermId, at);
    return terms.or([...conditions.map(c => terms.not(c)), holds]);
  }

  /** Bound variables stay what they are, but where a call knows what waits, and as the given proof has it. */
  private instances(edge: Edge, proof: Proof, bound: ReadonlyMap<Location, readonly TermId[]>): Instance[] {
    const { forAll } = proof;
    const product = this.product.products.get(edge);
    const known = new Map<TermId, TermId>();
    const made = product && this.product.made.get(product);
    if (made?.kind === 'return') for (const [v, slot] of made.site.waiting) known.set(slot, v);
    const tuplesOf = (e: Edge | undefined, l: Location) =>
      (forAll?.instances.get(e as Edge) ?? [])
        .filter(({ source }) => e?.sources[source].location === l)
        .map(({ values }) => new Map(forAll?.bound.get(l)?.map((v, i) => [v, values[i]])));
    return edge.sources.flatMap(({ location }, source) => {
      const own = bound.get(location) ?? [];
      if (own.length === 0) return [];
      const copy = this.product.copies.get(location);
      const given = [...tuplesOf(edge, location), ...(copy === undefined ? [] : tuplesOf(product, copy))];
      const tuples = given.length === 0 ? [new Map<TermId, TermId>()] : given;
      return tuples.map(tuple => ({ source, values: own.map(v => known.get(v) ?? tuple.get(v) ?? v) }));
    });
  }

  private origins(edge: Edge): Origin[] {
    const { problem, frozen, siteBits, sites } = this.product;
    const { next } = problem;
    const made = this.product.made.get(edge);
    if (made === undefined) return [{ edge }];
    const stays = new Map(frozen.map(f => [next.of(f), f]));
    const atSite = (here: readonly TermId[]) =>
      siteBits.flatMap((b, i) => [[b, here[i]] as const, [next.of(b), here[i]] as const]);
    switch (made.kind) {
      case 'step':
        return sites.map(s => ({ edge: made.edge, names: new Map([...stays, ...atSite(s.here)]) }));
      case 'begin': {
        const { caller, waiting, here } = made.site;
        const places = caller.location.places.map(
          (p, i) => [p, waiting.get(caller.places[i]) as TermId] as const,
        );
        const inputs = [...made.inputs].map(([v, name]) => [name, waiting.get(v) ?? v] as const);
        return [{ edge: made.start, names: new Map([...stays, ...atSite(here), ...places, ...inputs]) }];
      }
      case 'return': {
        const { call, frozen: own, here } = made.site;
        const results = this.product.callee.places.map((p, i) => [p, call.sources[1].places[i]] as const);
        const back = [...own, ...made.inputs].map(([v, name]) => [name, v] as const);
        return [{ edge: call, names: new Map([...atSite(here), ...results, ...back]) }];
      }
    }
  }
}
