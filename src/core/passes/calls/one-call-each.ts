/**
 * Edges with at most one call each. The first source of an edge is where its caller is, every other one is a call that has
 * returned. An edge with several calls becomes a chain of edges with a location after each of them,
 *
 *   p(x), f(y), g(z) ⇒ h      p(x), f(y) ⇒ k(x, y)      k(x, y), g(z) ⇒ h
 *
 * and where what is called comes first, the caller has nothing to remember: it is at a location without places. Inputs that are
 * only other names of places are replaced by these, or it would be hidden what is passed on.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId } from '../../../term/store.ts';
import { substituteAll } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import { conjuncts } from '../../problem/conjuncts.ts';
import type { Derivation, Step } from '../../problem/derivation.ts';
import {
  type Edge,
  inputsOf,
  type Location,
  type Problem,
  placesOf,
  type Source,
} from '../../problem/problem.ts';
import type { Instance, Proof } from '../../problem/proof.ts';
import { lemmasBack, type Pass } from '../pass.ts';

/** What an edge of a chain was made of. */
interface Part {
  readonly edge: Edge;
  /** Inputs of that edge that it says are places of its sources. */
  readonly same: ReadonlyMap<TermId, TermId>;
  /** Does the chain go on after it? */
  readonly isInner: boolean;
  /** By number of a source here, its number there; none for the locations of the chain. */
  readonly sources: readonly (number | undefined)[];
}

/** What is called somewhere: what is a source after the first one. */
export function calledLocations({ edges }: Problem): Set<Location> {
  return new Set(edges.flatMap(e => e.sources.slice(1).map(s => s.location)));
}

export function oneCallEach(problem: Problem): Pass {
  return new Chains(problem).pass();
}

class Chains {
  private readonly problem: Problem;
  private readonly called: ReadonlySet<Location>;
  private readonly parts = new Map<Edge, Part>();
  private readonly added: Location[] = [];
  private readonly start: Edge;

  constructor(problem: Problem) {
    this.problem = problem;
    this.called = calledLocations(problem);
    const location: Location = { name: 'before the first call', places: [], constraints: [] };
    this.start = { sources: [], guard: problem.terms.true, head: location, values: [] };
  }

  pass(): Pass {
    const { problem, start, added } = this;
    const edges = problem.edges.flatMap(e => this.chain(e));
    const begins = edges.some(e => e.sources[0]?.location === start.head);
    return {
      problem: {
        ...problem,
        locations: [...problem.locations, ...(begins ? [start.head as Location] : []), ...added],
        edges: begins ? [start, ...edges] : edges,
      },
      back: {
        proof: proof => this.proof(proof),
        derivation: derivation => this.derivation(derivation),
        keepsSteps: false,
      },
    };
  }

  private chain(edge: Edge): Edge[] {
    const { called, start, problem } = this;
    const { terms } = problem;
    const { sources, head } = edge;
    if (sources.length === 0) return [edge];
    const isCalledFirst = called.has(sources[0].location);
    const same = this.aliases(edge);
    const [all, ...values] = substituteAll(terms, [edge.guard, ...edge.values], same);
    if (!isCalledFirst && sources.length === 1) {
      if (same.size === 0) return [edge];
      const renamed = { ...edge, guard: all, values };
      this.parts.set(renamed, { edge, same, isInner: false, sources: [0] });
      return [renamed];
    }
    const first: Source = isCalledFirst ? { location: start.head as Location, places: [] } : sources[0];
    const calls = isCalledFirst ? sources : sources.slice(1);
    const guards = this.guards(sources, all, calls);
    const mentioned = (roots: readonly TermId[]) => terms.postorder(roots).filter(t => terms.isVariable(t));
    const edges: Edge[] = [];
    let caller = first;
    const known = new Set(first.places);
    calls.forEach((call, j) => {
      for (const v of [...call.places, ...mentioned(guards[j])]) known.add(v);
      const guard = terms.and(guards[j]);
      const isInner = j + 1 < calls.length;
      const next = isInner
        ? this.between(edge, j, known, mentioned([...guards.slice(j + 1).flat(), ...values]))
        : undefined;
      const part: Edge = {
        sources: [caller, call],
        guard,
        head: next?.location ?? head,
        values: next?.places ?? values,
      };
      const caller0 = j === 0 && !isCalledFirst ? 0 : undefined;
      this.parts.set(part, { edge, same, isInner, sources: [caller0, sources.indexOf(call)] });
      edges.push(part);
      if (next !== undefined) caller = next;
    });
    return edges;
  }

  private aliases(edge: Edge): Map<TermId, TermId> {
    const { terms } = this.problem;
    const inputs = new Set(inputsOf(terms, edge));
    const places = placesOf(edge);
    const same = new Map<TermId, TermId>();
    for (const c of conjuncts(terms, edge.guard)) {
      if (terms.op(c) !== Op.EQ) continue;
      const [a, b] = terms.args(c);
      if (inputs.has(a) && places.has(b) && !same.has(a)) same.set(a, b);
      else if (inputs.has(b) && places.has(a) && !same.has(b)) same.set(b, a);
    }
    return same;
  }

  /** What is asked for at each call: as early as everything that it speaks of is there. */
  private guards(sources: readonly Source[], guard: TermId, calls: readonly Source[]): TermId[][] {
    const { terms } = this.problem;
    const rank = new Map<TermId, number>();
    for (const { places } of sources) for (const p of places) rank.set(p, 0);
    calls.forEach(({ places }, j) => {
      for (const p of places) rank.set(p, j);
    });
    const guards: TermId[][] = calls.map(() => []);
    for (const c of conjuncts(terms, guard)) {
      const last = Math.max(0, ...terms.postorder([c]).map(t => rank.get(t) ?? 0));
      guards[last].push(c);
    }
    return guards;
  }

  /** A location after a call, which knows what is known by then and asked for later. */
  private between({ head }: Edge, j: number, known: ReadonlySet<TermId>, asked: readonly TermId[]): Source {
    const name = `${'name' in head ? head.name : 'query'}, after call ${j + 1}`;
    const places = [...new Set(asked)].filter(v => known.has(v));
    const location: Location = { name, places, constraints: [] };
    this.added.push(location);
    return { location, places };
  }

  private proof(proof: Proof): Proof {
    const { problem, parts, added, start } = this;
    const gone = new Set([...added, start.head as Location]);
    const instances = new Map<Edge, Instance[]>();
    for (const [edge, own] of proof.forAll?.instances ?? []) {
      const part = parts.get(edge);
      const images = own.flatMap(({ source, values }) => {
        const at = part === undefined ? source : part.sources[source];
        return at === undefined ? [] : [{ source: at, values }];
      });
      const old = part?.edge ?? edge;
      instances.set(old, [...(instances.get(old) ?? []), ...images]);
    }
    const bound = new Map([...(proof.forAll?.bound ?? [])].filter(([l]) => !gone.has(l)));
    const names = new Map(added.flatMap(l => l.places.map(p => [problem.next.of(p), p] as const)));
    return {
      ...proof,
      model: new Map([...proof.model].filter(([l]) => !gone.has(l))),
      ...(proof.forAll !== undefined && { forAll: { bound, instances } }),
      lemmas: lemmasBack(problem.terms, proof.lemmas, edge => {
        const part = parts.get(edge);
        if (part !== undefined) return [{ edge: part.edge, ...(part.isInner && { names }) }];
        return edge === start ? [] : [{ edge }];
      }),
    };
  }

  private derivation(derivation: Derivation): Derivation {
    const steps: Step[] = [];
    const numbers: number[] = []; // by old number of a step, where it is now
    const begun: { values: Map<TermId, Value>; premises: number[] }[] = []; // by old number of a step that a chain goes on from
    derivation.steps.forEach((step, i) => {
      const part = this.parts.get(step.edge);
      if (step.edge === this.start) {
        begun[i] = { values: new Map(), premises: [] };
        return;
      }
      const premises = step.premises.flatMap(p => numbers[p] ?? []);
      if (part === undefined) {
        numbers[i] = steps.push({ ...step, premises }) - 1;
        return;
      }
      const before = begun[step.premises[0]];
      const variables = new Set([...placesOf(step.edge), ...inputsOf(this.problem.terms, step.edge)]);
      const own = [...step.values].filter(([v]) => variables.has(v));
      const values = new Map([...(before?.values ?? []), ...own]);
      const all = [...(before?.premises ?? []), ...premises];
      if (part.isInner) begun[i] = { values, premises: all };
      else {
        for (const [input, place] of part.same) {
          const value = values.get(place);
          if (value !== undefined) values.set(input, value);
        }
        numbers[i] = steps.push({ edge: part.edge, values, premises: all }) - 1;
      }
    });
    return { ...derivation, steps };
  }
}
