/**
 * Executes a deterministic program by its problem alone, calls by calls: a function that is kept is executed whenever an edge has its summary
 * as a source, with what the guard says that it is called with. Where the program may enter a function or use its summary, both are
 * tried. It shares nothing with the engines, and goes from the callers down where derivations go from the callees up.
 */
import { evaluatorOf } from '../../src/core/problem/derivation.ts';
import { type Edge, headOf, type Location } from '../../src/core/problem/problem.ts';
import type { ProgramGraph } from '../../src/formats/llvm/graph.ts';
import { Op } from '../../src/term/operators.ts';
import type { TermId } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';

type Values = Map<TermId, Value>;

/** What goes on for longer is given up. */
const MOST_STEPS = 200_000;

/** And calls that are further inside: whether an edge can be taken may show only when its calls have returned. */
const MOST_CALLS = 200;

/** A program is beyond this interpreter. */
export class TooDeep extends Error {}

export class ProgramInterpreter {
  private readonly graph: ProgramGraph;
  private readonly leaving = new Map<Location, Edge[]>();
  private readonly starts = new Map<Location | undefined, Edge[]>(); // by summary, those of the program itself under undefined
  private readonly known = new Map<string, readonly Value[]>(); // facts, by location and what is called with
  private steps = 0;
  private depth = 0;

  constructor(graph: ProgramGraph) {
    this.graph = graph;
    const functionOf = new Map<Location, Location>(); // the summary that a location belongs to
    for (const [location, { procedure }] of graph.summaries) {
      functionOf.set(location, location);
      const own = new Set(procedure.blocks);
      for (const [other, block] of graph.blocks) if (own.has(block)) functionOf.set(other, location);
    }
    for (const edge of graph.problem.edges) {
      const from = this.locationOf(edge);
      const head = headOf(edge);
      const map: Map<Location | undefined, Edge[]> =
        from === undefined ? this.starts : (this.leaving as never);
      const key = from ?? (head && functionOf.get(head));
      const list = map.get(key);
      if (list === undefined) map.set(key, [edge]);
      else list.push(edge);
    }
  }

  /** The texts of the errors, or of what is not supported, that the program gets to. */
  errors(): Set<string> {
    const found = new Set<string>();
    const seen = new Set<string>();
    const waiting: { readonly edges: readonly Edge[]; readonly values: Values }[] = [
      { edges: this.starts.get(undefined) ?? [], values: new Map() },
    ];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const edge of next.edges) {
        const reached = this.taken(edge, next.values);
        if (reached === undefined) continue;
        const head = headOf(edge);
        const passage = this.graph.passages.get(edge);
        if (head === undefined) found.add(passage?.trap ?? passage?.error?.text ?? '');
        else {
          const key = `${head.name} ${reached.map(String).join(' ')}`;
          if (reached.every(v => typeof v !== 'object') && seen.has(key)) continue;
          seen.add(key);
          waiting.push({ edges: this.leaving.get(head) ?? [], values: valuesAt(head, reached) });
        }
      }
    }
    return found;
  }

  /** The location that is left, if it is no summary. */
  private locationOf({ sources: [first] }: Edge): Location | undefined {
    return first === undefined || this.graph.summaries.has(first.location) ? undefined : first.location;
  }

  /** What an edge derives; undefined if it cannot be taken. */
  private taken(edge: Edge, given: Values): readonly Value[] | undefined {
    if (++this.steps > MOST_STEPS) throw new Error('the program takes too long');
    const { terms } = this.graph.problem;
    const values: Values = new Map(given);
    const open = new Set(
      edge.sources.filter(s => this.graph.summaries.has(s.location)).flatMap(s => s.places),
    );
    const isKnown = (t: TermId) => terms.postorder([t]).every(s => !open.has(s));
    /** Whatever the values that are not known yet. */
    const isAlways = (t: TermId, value: boolean): boolean => {
      if (isKnown(t)) return evaluatorOf(terms, values).value(t) === value;
      const op = terms.op(t);
      if (op === Op.NOT) return isAlways(terms.args(t)[0], !value);
      if (op !== Op.AND && op !== Op.OR) return false;
      const isSomeEnough = (op === Op.OR) === value;
      return isSomeEnough
        ? terms.args(t).some(a => isAlways(a, value))
        : terms.args(t).every(a => isAlways(a, value));
    };
    for (const { location, places } of edge.sources) {
      const summary = this.graph.summaries.get(location);
      if (summary === undefined) continue;
      if (isAlways(edge.guard, false)) return undefined;
      const args = summary.ins.map((_, i) => {
        const equation = terms
          .postorder([edge.guard])
          .find(
            t => terms.op(t) === Op.EQ && terms.args(t).includes(places[i]) && terms.args(t).some(isKnown),
          );
        if (equation === undefined) throw new Error(`no equation for argument ${i} of ${location.name}`);
        return evaluatorOf(terms, values).value(terms.args(equation).find(isKnown) as TermId);
      });
      if (++this.depth > MOST_CALLS) throw new TooDeep(`${location.name} is called too deep inside`);
      const fact = this.called(location, args);
      this.depth--;
      if (fact === undefined) return undefined;
      places.forEach((p, i) => {
        values.set(p, fact[i]);
        open.delete(p);
      });
    }
    const evaluator = evaluatorOf(terms, values);
    return evaluator.value(edge.guard) === true ? edge.values.map(v => evaluator.value(v)) : undefined;
  }

  /** The fact that a function returns with; undefined if it does not. */
  private called(location: Location, args: readonly Value[]): readonly Value[] | undefined {
    const isSimple = args.every(a => typeof a !== 'object');
    const key = `${location.name} ${args.map(String).join(' ')}`;
    const known = isSimple ? this.known.get(key) : undefined;
    if (known !== undefined) return known;
    const ins = this.graph.summaries.get(location)?.ins ?? [];
    let edges: readonly Edge[] = this.starts.get(location) ?? [];
    let values: Values = new Map(ins.map(({ value }, i) => [value, args[i]]));
    for (;;) {
      const now = values;
      const possible = edges.flatMap(edge => {
        const reached = this.taken(edge, now);
        return reached === undefined ? [] : [{ edge, reached }];
      });
      if (possible.length > 1) throw new Error(`${location.name} can go on in ${possible.length} ways`);
      if (possible.length === 0) return undefined;
      const [{ edge, reached }] = possible;
      const head = headOf(edge) as Location;
      if (head === location) {
        if (isSimple) this.known.set(key, reached);
        return reached;
      }
      edges = this.leaving.get(head) ?? [];
      values = valuesAt(head, reached);
    }
  }
}

function valuesAt({ places }: Location, values: readonly Value[]): Values {
  return new Map(places.map((p, i) => [p, values[i]]));
}
