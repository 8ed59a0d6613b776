/** The steps by some edges, into one location or to violations, as bits: one of the edges is selected, and its guard holds. */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { conditionsOf, type Edge, inputsOf, type Location, sourceOf } from '../../problem/problem.ts';
import type { Circuit } from './circuit.ts';
import type { Encoding } from './encoding.ts';

interface Case {
  readonly edge: Edge;
  readonly selected: Lit;
  /** The words whose values a step by this edge is made of. */
  readonly words: readonly TermId[];
}

export class Steps {
  readonly sources: ReadonlySet<Location>;
  /** No edge is selected but a start. */
  readonly isInitial: Lit;
  private readonly circuit: Circuit;
  private readonly encoding: Encoding;
  private readonly cases: readonly Case[];
  private readonly at = new Map<Location, Lit>(); // the step comes from there

  /** The encoding is a new one. */
  constructor(circuit: Circuit, encoding: Encoding, edges: readonly Edge[]) {
    this.circuit = circuit;
    this.encoding = encoding;
    this.isInitial = encoding.newLiteral();
    this.sources = new Set(edges.flatMap(e => sourceOf(e) ?? []));
    for (const l of this.sources) this.at.set(l, encoding.newLiteral());
    this.cases = edges.map(e => this.case(e));
    encoding.takes(this.cases.map(c => ({ edge: c.edge, when: c.selected })));
    encoding.require(this.cases.map(c => c.selected));
  }

  private case(edge: Edge): Case {
    const { circuit, encoding } = this;
    const { cnf } = encoding;
    const selected = encoding.newLiteral();
    const source = sourceOf(edge);
    if (source !== undefined) {
      encoding.require([negate(selected), this.from(source)]);
      encoding.require([negate(selected), negate(this.isInitial)]);
    }
    for (const f of conditionsOf(edge)) cnf.assert(circuit.edge(f), selected);
    const words = [...(source?.places ?? []), ...inputsOf(circuit.terms, edge)];
    // What a model says of them is read off literals, so there must be some.
    for (const t of words) for (const e of circuit.bits(t)) cnf.literal(e);
    return { edge, selected, words };
  }

  /** The step comes from a location. */
  from(source: Location): Lit {
    return this.at.get(source) as Lit;
  }

  /** After yes: the edge that is taken, and the values of the places before it and of its inputs. */
  taken(): { edge: Edge; values: Map<TermId, Value> } {
    const { circuit, encoding } = this;
    const taken = this.cases.find(c => encoding.isTrue(c.selected));
    if (taken === undefined) throw new Error('a model takes no edge');
    const valueIn = (t: TermId) =>
      circuit.value(
        t,
        circuit.bits(t).map(e => encoding.isTrue(encoding.cnf.literal(e))),
      );
    return { edge: taken.edge, values: new Map(taken.words.map(t => [t, valueIn(t)])) };
  }
}
