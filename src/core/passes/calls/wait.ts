/**
 * Functions that are kept, by wait and return (chapter 5 of the dissertation, Figure 5.2): where a caller p calls f, it waits, its
 * places frozen, while f runs, and goes on when f has returned. So there is one body for all calls of a caller,
 *
 *   p(x), f(a, r) ∧ guard ⇒ h    becomes    p(x) ∧ guard on a ⇒ begin(a, x, site)
 *                                           body with x and site as they are
 *                                           return(a, r, x, site) ∧ site is this one ∧ guard ⇒ h
 *
 * and derivations are runs. This is only possible where f does not call itself.
 */
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substituteAll } from '../../../term/substitute.ts';
import { conjuncts } from '../../problem/conjuncts.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import {
  type Edge,
  headOf,
  inputsOf,
  isLinear,
  type Location,
  type Problem,
  step as stepFrom,
} from '../../problem/problem.ts';
import { composed, type Pass, WORK_OF_A_LOCATION } from '../pass.ts';
import { type Callee, nextCallee } from './callees.ts';
import { type Carried, carriedPlaces } from './carried.ts';
import { oneCallEach } from './one-call-each.ts';
import { type Made, type Product, type Site, toldAt, wayBack } from './waiting-evidence.ts';

/** A body is copied for each of its callers, and these for each of theirs; so many edges are enough. */
const MAX_EDGES = 20_000;

/** Waits wherever that is possible: what calls itself stays as it is. Undefined if that is nowhere. */
export function waitForCalls(problem: Problem, checkpoint: Checkpoint): Pass | undefined {
  if (isLinear(problem) || problem.locations.some(l => l.constraints.length > 0)) return undefined;
  const passes = [oneCallEach(problem)];
  for (;;) {
    const current = passes[passes.length - 1].problem;
    checkpoint.pass(WORK_OF_A_LOCATION * current.locations.length);
    const callee = nextCallee(current);
    if (callee === undefined) return passes.length === 1 ? undefined : composed(problem, passes, checkpoint);
    if (current.edges.length > MAX_EDGES) return undefined;
    passes.push(new Waiting(current, callee).pass());
  }
}

class Waiting implements Product {
  readonly problem: Problem;
  readonly callee: Location;
  readonly carried: Carried;
  readonly slots = new Map<string, TermId>();
  readonly frozen: readonly TermId[];
  readonly siteBits: readonly TermId[];
  readonly sites: readonly Site[];
  readonly copies = new Map<Location, Location>();
  readonly made = new Map<Edge, Made>();
  readonly products = new Map<Edge, Edge>();
  private readonly terms: TermStore;
  private readonly body: ReadonlySet<Location>;
  private readonly bodyEdges: readonly Edge[];

  constructor(problem: Problem, { location, body, calls }: Callee) {
    const { terms } = problem;
    this.problem = problem;
    this.terms = terms;
    this.callee = location;
    this.body = body;
    const table = new EdgeTable(problem.edges);
    this.bodyEdges = [...body].flatMap(l => table.into(l));
    this.carried = carriedPlaces(location, table);
    const width = Math.ceil(Math.log2(calls.length));
    const bits = Array.from({ length: width }, (_, i) => i);
    this.siteBits = bits.map(i => terms.variable(`site ${i}`, terms.sorts.bool));
    this.sites = calls.map((call, n) =>
      this.siteOf(
        call,
        bits.map(i => terms.bool((n >> i) % 2 === 1)),
      ),
    );
    this.frozen = [...new Set(this.sites.flatMap(s => [...s.frozen.values()]))];
  }

  pass(): Pass {
    const { problem, body, bodyEdges, sites } = this;
    const extra = [...this.frozen, ...this.siteBits];
    for (const l of body)
      this.copies.set(l, { ...l, name: `${l.name}, waited for`, places: [...l.places, ...extra] });
    const calls = new Set(sites.map(s => s.call));
    const rest = problem.edges.filter(e => !calls.has(e));
    const callers = sites.map(s => s.caller.location);
    const needed = neededFor(rest, callers, body, bodyEdges);
    const edges = rest.filter(e => !body.has(headOf(e) as Location) || needed.has(headOf(e) as Location));
    const product = [
      ...sites.flatMap(site => this.begins(site)),
      ...bodyEdges.filter(e => e.sources.length > 0).map(e => this.step(e)),
      ...sites.map(site => this.return(site)),
    ];
    return {
      problem: {
        ...problem,
        locations: [...problem.locations.filter(l => !body.has(l) || needed.has(l)), ...this.copies.values()],
        edges: [...edges, ...product],
      },
      back: wayBack(this),
    };
  }

  // ---- sites ----

  private siteOf(call: Edge, here: readonly TermId[]): Site {
    const { terms } = this;
    const [caller, { places }] = call.sources;
    const told = new Set(this.carried.get(this.callee)?.keys() ?? []);
    const results = new Set(places.filter((_, i) => !told.has(i)));
    const isBefore = (f: TermId) => !terms.postorder([f]).some(t => results.has(t));
    const all = conjuncts(terms, call.guard);
    const [before, after] = [all.filter(isBefore), all.filter(f => !isBefore(f))];
    const variables = (roots: readonly TermId[]) => terms.postorder(roots).filter(t => terms.isVariable(t));
    const mine = new Set(places);
    const there = new Set([...caller.places, ...variables(before)].filter(v => !mine.has(v)));
    const later = new Set(variables([...after, ...call.values]));
    const names = new Map<string, number>();
    const waiting = new Map([...there].map(v => [v, this.slot(v, names)]));
    const frozen = new Map([...waiting].filter(([v]) => later.has(v)));
    return { call, caller, before, after, waiting, frozen, here };
  }

  /** The same variable for what is called the same at all sites, so that what is learnt of it at one is known at all. */
  private slot(variable: TermId, names: Map<string, number>): TermId {
    const { terms, slots } = this;
    const name = terms.nameOf(variable);
    const sort = terms.sort(variable);
    const key = `${sort} ${name}`;
    const count = names.get(key) ?? 0;
    names.set(key, count + 1);
    const found = slots.get(`${key} ${count}`) ?? terms.variable(`${name} waiting`, sort);
    slots.set(`${key} ${count}`, found);
    return found;
  }

  // ---- edges ----

  /** Where the callee begins, once it is called from a site. */
  private begins(site: Site): Edge[] {
    const { terms } = this;
    const { caller, before, frozen, here, call } = site;
    const { location } = caller;
    const toOwn = new Map(caller.places.map((p, i) => [p, location.places[i]]));
    const fresh = this.fresh([...site.waiting.keys()].filter(v => !toOwn.has(v)));
    return this.bodyEdges
      .filter(e => e.sources.length === 0)
      .map(start => {
        const head = start.head as Location;
        const inputs = this.fresh(inputsOf(terms, start));
        const [guard, ...values] = substituteAll(terms, [start.guard, ...start.values], inputs);
        const told = new Map(
          toldAt(this.carried, head, values).map(([i, t]) => [call.sources[1].places[i], t]),
        );
        const conditions = substituteAll(terms, before, new Map([...toOwn, ...fresh, ...told]));
        const waiting = new Map(
          [...frozen].map(([v, slot]) => [slot, toOwn.get(v) ?? (fresh.get(v) as TermId)]),
        );
        const unused = this.fresh(this.frozen.filter(f => !waiting.has(f)));
        const edge: Edge = {
          sources: stepFrom(location),
          guard: terms.and([guard, ...conditions]),
          head: this.copies.get(head) as Location,
          values: [...values, ...this.frozen.map(f => waiting.get(f) ?? (unused.get(f) as TermId)), ...here],
        };
        this.made.set(edge, {
          kind: 'begin',
          site,
          start,
          inputs: new Map([...inputs, ...fresh, ...unused]),
        });
        return edge;
      });
  }

  private step(edge: Edge): Edge {
    const [{ location, places }, ...calls] = edge.sources;
    const copy = this.copies.get(location) as Location;
    const extra = copy.places.slice(location.places.length);
    const made: Edge = {
      ...edge,
      sources: [{ location: copy, places: [...places, ...extra] }, ...calls],
      head: this.copies.get(edge.head as Location) as Location,
      values: [...edge.values, ...extra],
    };
    this.made.set(made, { kind: 'step', edge });
    this.products.set(edge, made);
    return made;
  }

  private return(site: Site): Edge {
    const { terms, callee } = this;
    const { call, after, frozen, here } = site;
    const results = new Map(call.sources[1].places.map((v, i) => [v, callee.places[i]]));
    const inputs = this.fresh(inputsOf(terms, call).filter(v => !frozen.has(v)));
    const images = new Map([...results, ...frozen, ...inputs]);
    const [guard, ...values] = substituteAll(terms, [terms.and(after), ...call.values], images);
    const isHere = this.siteBits.map((b, i) => (here[i] === terms.true ? b : terms.not(b)));
    const edge: Edge = {
      sources: stepFrom(this.copies.get(callee) as Location),
      guard: terms.and([...isHere, guard]),
      head: call.head,
      values,
    };
    this.made.set(edge, { kind: 'return', site, inputs });
    this.products.set(call, edge);
    return edge;
  }

  private fresh(variables: readonly TermId[]): Map<TermId, TermId> {
    const { terms } = this;
    return new Map(variables.map(v => [v, terms.another(v)]));
  }
}

/** The locations of a body that edges which stay still need, and callers that are on the way to what they call. */
function neededFor(
  rest: readonly Edge[],
  callers: readonly Location[],
  body: ReadonlySet<Location>,
  bodyEdges: readonly Edge[],
): Set<Location> {
  const table = new EdgeTable(bodyEdges);
  const own = new Set(bodyEdges);
  const inBody = ({ sources }: Edge) => sources.map(s => s.location).filter(l => body.has(l));
  const others = rest.filter(e => !own.has(e)).flatMap(inBody);
  const needed = new Set([...others, ...callers.filter(l => body.has(l))]);
  for (const l of needed) for (const before of table.into(l).flatMap(inBody)) needed.add(before);
  return needed;
}
