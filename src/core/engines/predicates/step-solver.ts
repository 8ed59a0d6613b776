/**
 * The steps into one location, or the violations, as bits. One of the edges is selected, and its guard holds. Frames and targets speak of labels only. A frame's clauses are behind an activation
 * literal, as everywhere; a clause about a location counts where the step comes from there.
 */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { conditionsOf, type Edge, inputsOf, type Location, sourceOf } from '../../problem/problem.ts';
import { FOREVER } from '../ic3/frames.ts';
import type { Cube } from '../ic3/literal-cube.ts';
import { Encoding, type Region, type Shared } from './encoding.ts';

interface Case {
  readonly edge: Edge;
  readonly selected: Lit;
  /** The words whose values a step by this edge is made of. */
  readonly words: readonly TermId[];
}

export class StepSolver {
  readonly sources: ReadonlySet<Location>;
  readonly encoding: Encoding;
  private readonly shared: Shared;
  private readonly cases: readonly Case[];
  private readonly isInitial: Lit; // no edge is selected but a start
  private readonly at = new Map<Location, Lit>(); // the step comes from there
  private readonly levels: number[] = []; // of the frames with clauses here, in ascending order
  private readonly activations = new Map<number, Lit>();

  constructor(shared: Shared, edges: readonly Edge[]) {
    this.shared = shared;
    this.encoding = new Encoding(shared);
    this.isInitial = this.encoding.newLiteral();
    this.sources = new Set(edges.flatMap(e => sourceOf(e) ?? []));
    for (const l of this.sources) this.at.set(l, this.encoding.newLiteral());
    this.cases = edges.map(e => this.case(e));
    this.encoding.takes(this.cases.map(c => ({ edge: c.edge, when: c.selected })));
    this.encoding.require(this.cases.map(c => c.selected));
  }

  private case(edge: Edge): Case {
    const { circuit } = this.shared;
    const { cnf } = this.encoding;
    const selected = this.encoding.newLiteral();
    const source = sourceOf(edge);
    if (source !== undefined) {
      this.encoding.require([negate(selected), this.at.get(source) as Lit]);
      this.encoding.require([negate(selected), negate(this.isInitial)]);
    }
    for (const f of conditionsOf(edge)) cnf.assert(circuit.edge(f), selected);
    const words = [...(source?.places ?? []), ...inputsOf(circuit.terms, edge)];
    // What a model says of them is read off literals, so there must be some.
    for (const t of words) for (const e of circuit.bits(t)) cnf.literal(e);
    return { edge, selected, words };
  }

  /** Excludes a cube of one of the sources from the frames up to the level. */
  exclude(cube: Cube, level: number): void {
    const clause = this.outside(cube);
    if (level !== FOREVER) {
      clause.push(negate(this.activation(level)));
      const at = this.levels.findIndex(l => l >= level);
      if (at < 0) this.levels.push(level);
      else if (this.levels[at] !== level) this.levels.splice(at, 0, level);
    }
    this.encoding.require(clause);
  }

  /** What says that a step does not come from the cube. */
  outside(cube: Cube): Lit[] {
    const { domain } = this.shared;
    const labels = Array.from(cube.literals).filter(l => !domain.isLocation(l));
    return this.outsideRegion(domain.locationOf(cube) as Location, { labels, bits: [] });
  }

  /** The same of a region of a location. */
  outsideRegion(location: Location, region: Region): Lit[] {
    return [this.at.get(location) as Lit, ...this.encoding.of(region)].map(negate);
  }

  /**
   * Is there a step from R_level as the assumptions say? `outside`: a clause for this question only. The model, or which
   * assumptions and frames are to blame, can be had until the next question.
   */
  *ask(level: number, assumptions: readonly Lit[], outside?: readonly Lit[]): Work<boolean> {
    const { encoding } = this;
    encoding.begin();
    const frame = this.frame(level).map(([, lit]) => lit);
    const own = outside === undefined ? [] : [encoding.reserve(outside)];
    return yield* encoding.solve([...frame, ...own, ...assumptions]);
  }

  /** After no: the first frame at or after the level whose clauses it needs; 0 for the initial states. */
  usedFrame(level: number): number {
    return this.frame(level).find(([, lit]) => this.encoding.isUsed(lit))?.[0] ?? FOREVER;
  }

  /** After yes: the edge that is taken, and the values of the places before it and of its inputs. */
  step(): { edge: Edge; values: Map<TermId, Value> } {
    const { circuit } = this.shared;
    const { encoding } = this;
    const taken = this.cases.find(c => encoding.isTrue(c.selected));
    if (taken === undefined) throw new Error('a model takes no edge');
    const valueIn = (t: TermId) =>
      circuit.value(
        t,
        circuit.bits(t).map(e => encoding.isTrue(encoding.cnf.literal(e))),
      );
    return { edge: taken.edge, values: new Map(taken.words.map(t => [t, valueIn(t)])) };
  }

  private frame(level: number): (readonly [level: number, lit: Lit])[] {
    if (level === 0) return [[0, this.isInitial]];
    return this.levels.filter(l => l >= level).map(l => [l, this.activation(l)]);
  }

  private activation(level: number): Lit {
    let lit = this.activations.get(level);
    if (lit === undefined) {
      lit = this.encoding.newLiteral();
      this.activations.set(level, lit);
    }
    return lit;
  }
}
