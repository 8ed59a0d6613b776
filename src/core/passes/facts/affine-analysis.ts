/**
 * Affine equations modulo 2^width between the places of a location (Müller-Olm and Seidl, "Analysis of modular arithmetic",
 * TOPLAS 2007). A state is a vector that begins with 1; the module that all derivable states of a location span is
 * computed along the edges. Updates that are affine map vectors; whatever else an update or a condition mentions is an
 * unknown of its own, the same one wherever the same term stands. Equations among the conditions of an edge cut down what
 * goes through it. Since such modules have no long chains, there is nothing to widen.
 *
 * What makes all vectors of a location zero are its equations. Those of all locations together are inductive.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { annihilator, dot, kernel, Module, solved, unit, type Vector } from '../../../term/module.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { conditionsOf, type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';
import { WORK_OF_A_STEP } from '../pass.ts';

/** With more places or unknowns of a width, vectors are too long. */
const MAX_COLUMNS = 24;

/** A sum within so many sums is an unknown. */
const MAX_DEPTH = 8;

/** An equation between places, and what it says a place is, if it says that of one. */
export interface Equation {
  readonly formula: TermId;
  readonly place: TermId | undefined;
  readonly value: TermId | undefined;
}

export class AffineAnalysis {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly checkpoint: Checkpoint;
  private readonly width: number;
  private readonly modules = new Map<Location, Module>();

  /** Of the places of one width. */
  constructor(problem: Problem, width: number, rewriter: Rewriter, checkpoint: Checkpoint) {
    this.terms = problem.terms;
    this.rewriter = rewriter;
    this.checkpoint = checkpoint;
    this.width = width;
    const table = new EdgeTable(problem.edges);
    const waiting = new Set(problem.edges.filter(e => e.sources.length === 0));
    const steps = new Map<Edge, AffineStep>();
    for (const edge of waiting) {
      waiting.delete(edge);
      const head = headOf(edge);
      if (head === undefined) continue;
      let step = steps.get(edge);
      if (step === undefined) {
        step = this.step(edge);
        steps.set(edge, step);
      }
      if (this.take(edge, step, head)) for (const next of table.outOf(head)) waiting.add(next);
    }
  }

  /** Equations that hold of all that is derivable at a location; those of all locations are inductive. */
  facts(location: Location): Equation[] {
    const { width, terms } = this;
    const module = this.modules.get(location);
    const places = this.places(location);
    if (module === undefined) return [{ formula: terms.false, place: undefined, value: undefined }]; // nothing leads there
    const forms = annihilator(width, places.length + 1, module.rows);
    return solved(width, forms).map(({ form, column }) => this.equation(places, form, column));
  }

  /** That a form is zero, as an equation for the place of a column. */
  private equation(places: readonly TermId[], form: Vector, column: number): Equation {
    const { terms, width, rewriter } = this;
    const number = (n: bigint) => terms.bv(width, BigInt.asUintN(width, n));
    const multiple = (factor: bigint, t: TermId) =>
      BigInt.asUintN(width, factor) === 1n ? t : terms.app(Op.BVMUL, [number(factor), t]);
    let sum = number(-form[0]);
    places.forEach((place, i) => {
      const factor = form[i + 1];
      if (factor !== 0n && i + 1 !== column) sum = terms.app(Op.BVADD, [sum, multiple(-factor, place)]);
    });
    const value = rewriter.rewrite(sum);
    if (column === 0) return { formula: terms.bool(form[0] === 0n), place: undefined, value: undefined };
    const place = places[column - 1];
    const formula = rewriter.rewrite(terms.eq(multiple(form[column], place), value));
    return form[column] === 1n ? { formula, place, value } : { formula, place: undefined, value: undefined };
  }

  private places({ places }: Location): TermId[] {
    return places.filter(p => this.terms.width(p) === this.width);
  }

  private step(edge: Edge): AffineStep {
    const { width, rewriter } = this;
    this.checkpoint.pass(WORK_OF_A_STEP);
    // Places of several sources are unknowns: what ties them to the vectors of one is not said.
    const sources = edge.sources.length === 1 ? this.places(edge.sources[0].location) : [];
    return new AffineStep(rewriter, width, sources, edge, this.places(headOf(edge) as Location));
  }

  /** Lets the vectors of its source go through an edge; true if something new comes out. */
  private take(edge: Edge, step: AffineStep, head: Location): boolean {
    const { modules, width } = this;
    this.checkpoint.pass(WORK_OF_A_STEP);
    if (edge.sources.some(s => !modules.has(s.location))) return false;
    const source = edge.sources.length === 1 ? modules.get(edge.sources[0].location) : undefined;
    let module = modules.get(head);
    const isFirst = module === undefined;
    if (module === undefined) {
      module = new Module(width, this.places(head).length + 1);
      modules.set(head, module);
    }
    let isNew = isFirst;
    for (const v of step.post(source?.rows ?? [[1n]])) if (module.add(v)) isNew = true;
    return isNew;
  }
}

/** What an edge does to vectors: those of its source, with its unknowns, become those of its head. */
class AffineStep {
  private readonly terms: TermStore;
  private readonly width: number;
  private readonly columns = new Map<TermId, number>(); // of places and unknowns; column 0 is the number 1
  private readonly placeCount: number;
  private readonly equations: Vector[] = [];
  private readonly values: (Vector | undefined)[]; // undefined: may be anything

  constructor(
    rewriter: Rewriter,
    width: number,
    places: readonly TermId[],
    edge: Edge,
    headPlaces: readonly TermId[],
  ) {
    const { terms } = rewriter;
    this.terms = terms;
    this.width = width;
    for (const p of places) this.column(p);
    this.placeCount = places.length;
    const all = headOf(edge)?.places ?? [];
    const values = headPlaces.map(p => this.form(rewriter.rewrite(edge.values[all.indexOf(p)])));
    const equations = conjunctsOf(
      rewriter,
      conditionsOf(edge).map(f => rewriter.rewrite(f)),
    ).flatMap(f => {
      if (terms.op(f) !== Op.EQ || terms.width(terms.arg(f, 0)) !== width) return [];
      const form = this.form(terms.arg(f, 0));
      add(form, this.form(terms.arg(f, 1)), -1n);
      return [form];
    });
    const isShort = this.columns.size < MAX_COLUMNS;
    this.values = values.map(v => (isShort ? this.vector(v) : undefined));
    if (isShort) this.equations = equations.map(e => this.vector(e));
  }

  post(rows: readonly Vector[]): Vector[] {
    const { width, placeCount, columns, values } = this;
    const length = columns.size + 1;
    const unknowns = Array.from({ length: length - 1 - placeCount }, (_, i) =>
      unit(length, i + 1 + placeCount),
    );
    let vectors: Vector[] = [...rows.map(r => [...r, ...new Array(length - r.length).fill(0n)]), ...unknowns];
    for (const e of this.equations) vectors = kernel(width, vectors, e);
    const free = values.flatMap((v, i) => (v === undefined ? [unit(values.length + 1, i + 1)] : []));
    return [
      ...vectors.map(v => [
        v[0],
        ...values.map(form => (form === undefined ? 0n : BigInt.asUintN(width, dot(form, v)))),
      ]),
      ...free,
    ];
  }

  private column(t: TermId): number {
    const known = this.columns.get(t);
    if (known !== undefined) return known;
    this.columns.set(t, this.columns.size + 1);
    return this.columns.size;
  }

  private vector(form: ReadonlyMap<number, bigint>): Vector {
    return Array.from({ length: this.columns.size + 1 }, (_, i) =>
      BigInt.asUintN(this.width, form.get(i) ?? 0n),
    );
  }

  /** A term as a sum of multiples of columns. */
  private form(t: TermId, depth = 0): Map<number, bigint> {
    const { terms } = this;
    const [a, b] = terms.args(t);
    const op = depth < MAX_DEPTH || terms.isConstant(t) ? terms.op(t) : Op.APPLY;
    switch (op) {
      case Op.BV_CONST:
        return new Map([[0, BigInt(terms.bvValue(t))]]);
      case Op.BVADD:
        return add(this.form(a, depth + 1), this.form(b, depth + 1), 1n);
      case Op.BVSUB:
        return add(this.form(a, depth + 1), this.form(b, depth + 1), -1n);
      case Op.BVNEG:
        return add(new Map(), this.form(a, depth + 1), -1n);
      case Op.BVNOT:
        return add(new Map([[0, -1n]]), this.form(a, depth + 1), -1n);
      case Op.BVMUL:
        if (terms.isConstant(a)) return add(new Map(), this.form(b, depth + 1), BigInt(terms.bvValue(a)));
        break;
    }
    return new Map([[this.column(t), 1n]]);
  }
}

/** Adds a multiple of one form to another. */
function add(
  form: Map<number, bigint>,
  other: ReadonlyMap<number, bigint>,
  factor: bigint,
): Map<number, bigint> {
  for (const [column, n] of other) form.set(column, (form.get(column) ?? 0n) + factor * n);
  return form;
}
