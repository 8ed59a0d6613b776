/**
 * A loop that can be taken as one step: a location with one edge to itself whose guard holds for a number of rounds that can
 * be said beforehand (`limits.ts`) and whose places have a closed form (`closed-form.ts`).
 *
 *   x0 ─ rounds ─▶ x0 after k rounds        k ≤ the number of rounds of every limit
 *
 * An edge that leaves when a condition of the guard fails leaves after exactly as many rounds as that condition holds; others
 * may leave after any number up to the limits.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import type { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import { Polynomials } from '../../../bv/preprocess/polynomials.ts';
import { bigSigned, inverseModulo } from '../../../term/bitvector.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import { conditionsOf, type Edge, inputsOf, type Location, step } from '../../problem/problem.ts';
import { postCondition } from '../post-image.ts';
import { ClosedForm } from './closed-form.ts';
import { type Limit, limitOf } from './limits.ts';

/**
 * A place that tells how many rounds there have been: it had a value at first that is known, and grows by a constant. That is odd,
 * or the place does not wrap meanwhile.
 */
interface Counter {
  readonly place: TermId;
  readonly first: TermId;
  readonly by: bigint; // as a signed number
}

export class CountingLoop {
  readonly location: Location;
  readonly round: Edge;
  /** Are rounds taken as they are? So it is where numbers of rounds would be wrong. */
  readonly isPlain: TermId;
  private readonly rewriter: Rewriter;
  private readonly terms: TermStore;
  private readonly form: ClosedForm;
  private readonly limits: readonly Limit[];
  private readonly isAllowed: TermId; // what the guard says of places that are kept, and that numbers are right
  private readonly counter: Counter | undefined;

  private constructor(
    solver: EquationSolver,
    location: Location,
    round: Edge,
    entries: readonly Edge[],
    form: ClosedForm,
    limits: readonly Limit[],
    kept: readonly TermId[],
  ) {
    this.rewriter = solver.rewriter;
    this.terms = solver.rewriter.terms;
    this.location = location;
    this.round = round;
    this.form = form;
    this.limits = limits;
    const { terms } = this;
    const isExact = terms.and(limits.map(l => l.isExact).filter(c => c !== terms.true));
    this.isPlain = this.rewriter.not(this.rewriter.rewrite(isExact));
    this.isAllowed = this.rewriter.rewrite(terms.and([...kept, isExact]));
    this.counter = form.isReversible && form.isSimple ? this.counterOf(solver, entries) : undefined;
  }

  /** Undefined if the location is no such loop. */
  static at(
    solver: EquationSolver,
    location: Location,
    round: Edge,
    entries: readonly Edge[],
  ): CountingLoop | undefined {
    const { rewriter } = solver;
    const { terms } = rewriter;
    if (inputsOf(terms, round).length > 0) return undefined;
    const form = ClosedForm.of(rewriter, new Polynomials(rewriter), location, round);
    if (form === undefined || form.width === 0) return undefined;
    const limits: Limit[] = [];
    const kept: TermId[] = [];
    for (const c of conjunctsOf(
      rewriter,
      conditionsOf(round).map(f => rewriter.rewrite(f)),
    )) {
      if (isKept(rewriter, form, c)) {
        kept.push(c);
        continue;
      }
      const limit = limitOf(rewriter, c, t => form.growth(t));
      if (limit === undefined || limit.isExact === terms.false) return undefined;
      limits.push(limit);
    }
    return new CountingLoop(solver, location, round, entries, form, limits, kept);
  }

  /** Can a proof about the accelerated loop be told of each of its rounds? */
  get isTold(): boolean {
    return this.counter !== undefined;
  }

  /** An edge that leaves the loop, from the state in which it was entered. */
  leaving(edge: Edge): { readonly edge: Edge; readonly rounds: TermId } {
    const { rewriter, terms, location } = this;
    const conditions = conjunctsOf(rewriter, [rewriter.rewrite(edge.guard)]);
    const limit = this.limits.find(l => conditions.includes(rewriter.not(l.condition)));
    const isFree = this.isAllowed === terms.true;
    let rounds: TermId;
    let rest = conditions;
    const bounds: TermId[] = [];
    if (limit === undefined) {
      const width = Math.max(this.form.width, ...this.limits.map(l => terms.width(l.rounds)));
      rounds = terms.variable(`${location.name}.rounds`, terms.sorts.bitVec(width));
      const none = rewriter.mk(Op.EQ, [terms.bv(width, 0), rounds]);
      if (!isFree) bounds.push(terms.or([none, this.isAllowed]));
      bounds.push(...this.limits.map(l => this.atMost(rounds, l)));
    } else {
      rounds = isFree
        ? limit.rounds
        : rewriter.mk(Op.ITE, [this.isAllowed, limit.rounds, terms.bv(terms.width(limit.rounds), 0)]);
      if (isFree) rest = conditions.filter(c => c !== rewriter.not(limit.condition));
      bounds.push(rewriter.not(limit.forever));
      bounds.push(...this.limits.filter(l => l !== limit).map(l => this.atMost(rounds, l)));
    }
    const after = this.form.after(rounds);
    const then = (t: TermId) => rewriter.rewrite(substitute(terms, t, after));
    const guard = rewriter.rewrite(terms.and([...bounds, ...[...rest, ...location.constraints].map(then)]));
    return { edge: { ...edge, guard, values: edge.values.map(then) }, rounds };
  }

  /** Rounds of the loop that lead back to it, one at least. */
  leap(): { readonly edge: Edge; readonly rounds: TermId } {
    const { terms, location } = this;
    const back = { sources: step(location), guard: terms.true, head: location, values: location.places };
    const { edge, rounds } = this.leaving(back);
    const some = terms.not(terms.eq(rounds, terms.bv(terms.width(rounds), 0)));
    return { edge: { ...edge, guard: terms.and([some, edge.guard]) }, rounds };
  }

  /** What the places are after a number of rounds. */
  after(rounds: TermId): ReadonlyMap<TermId, TermId> {
    return this.form.after(rounds);
  }

  /** What the places were when the loop was entered, and how many rounds ago that was. */
  get entry(): { readonly places: ReadonlyMap<TermId, TermId>; readonly rounds: TermId } {
    const { rewriter, terms } = this;
    const { place, first, by } = this.counter as Counter;
    const width = terms.width(place);
    const distance = rewriter.mk(Op.BVSUB, by > 0n ? [place, first] : [first, place]);
    const size = by > 0n ? by : -by;
    const factor = size & -size; // a power of two
    const inverse = inverseModulo(size / factor, width);
    const shifted = factor === 1n ? distance : rewriter.mk(Op.BVUDIV, [distance, terms.bv(width, factor)]);
    const rounds = rewriter.mk(Op.BVMUL, [terms.bv(width, inverse), shifted]);
    return { places: this.form.before(rounds), rounds };
  }

  /** That a place which tells the number of rounds has a value that it has after rounds. */
  private isAfterRounds(rounds: TermId): TermId {
    const { rewriter, terms } = this;
    const { place, first, by } = this.counter as Counter;
    if (by % 2n !== 0n) return terms.true;
    const grown = rewriter.mk(Op.BVMUL, [terms.bv(terms.width(place), by), rounds]);
    return rewriter.mk(Op.EQ, [place, rewriter.mk(Op.BVADD, [first, grown])]);
  }

  /** What holds in each state of the loop, if a formula holds of the states in which it is entered. */
  invariant(formula: TermId): TermId {
    const { rewriter, terms } = this;
    const { places, rounds } = this.entry;
    const none = rewriter.mk(Op.EQ, [terms.bv(terms.width(rounds), 0), rounds]);
    const [atEntry, ...numbers] = substituteAll(terms, [formula, ...this.limits.map(l => l.rounds)], places);
    const bounds = this.limits.map((l, i) => this.atMost(rounds, { ...l, rounds: numbers[i] }));
    const isAfter = this.isAfterRounds(rounds);
    const all = terms.and([isAfter, atEntry, ...bounds, terms.or([none, this.isAllowed])]);
    if (this.isPlain === terms.false) return rewriter.rewrite(all);
    return rewriter.rewrite(terms.app(Op.ITE, [this.isPlain, formula, all]));
  }

  private atMost(rounds: TermId, { rounds: limit, forever }: Limit): TermId {
    const { rewriter, terms } = this;
    const width = Math.max(terms.width(rounds), terms.width(limit));
    const wide = (t: TermId) => rewriter.mk(Op.ZERO_EXTEND, [t], [width - terms.width(t)]);
    const within = rewriter.not(rewriter.mk(Op.BVULT, [wide(limit), wide(rounds)]));
    return rewriter.rewrite(terms.or([forever, within]));
  }

  private counterOf(solver: EquationSolver, entries: readonly Edge[]): Counter | undefined {
    const { terms, form, location } = this;
    // As many rounds as there can be before states repeat must be told apart.
    const finite = this.limits.filter(l => l.forever === terms.false).map(l => terms.width(l.rounds));
    const width = Math.min(form.width, ...finite);
    const [firsts, ...others] = entries.map(e => this.firstValues(postCondition(location, e, solver)));
    for (const [place, first] of firsts ?? []) {
      if (others.some(o => o.get(place) !== first) || terms.width(place) < width) continue;
      const growth = form.growth(place);
      if (growth === undefined || !terms.isConstant(growth)) continue;
      const by = bigSigned(BigInt(terms.bvValue(growth)), terms.width(place));
      const size = by > 0n ? by : -by;
      const isCounted = this.limits.some(
        l => l.stride === size && terms.width(l.rounds) === terms.width(place),
      );
      if (by % 2n !== 0n || isCounted) return { place, first, by };
    }
    return undefined;
  }

  /** Places that change, with what they are at first if that is kept. */
  private firstValues(conditions: readonly TermId[]): Map<TermId, TermId> {
    const { terms, form } = this;
    const values = new Map<TermId, TermId>();
    for (const c of conditions) {
      if (terms.op(c) !== Op.EQ) continue;
      const [a, b] = terms.args(c);
      for (const [place, first] of [
        [a, b],
        [b, a],
      ]) {
        if (terms.isVariable(place) && !form.kept.has(place) && form.isKept(first) && !values.has(place))
          values.set(place, first);
      }
    }
    return values;
  }
}

/** Is a condition as true after a round as it was before? */
function isKept(rewriter: Rewriter, form: ClosedForm, condition: TermId): boolean {
  const { terms } = rewriter;
  if (form.isKept(condition)) return true;
  const atom = terms.op(condition) === Op.NOT ? terms.arg(condition, 0) : condition;
  if (![Op.EQ, Op.BVULT, Op.BVSLT].some(op => op === terms.op(atom))) return false;
  return terms.args(atom).every(t => {
    const by = terms.width(t) > 0 ? form.growth(t) : undefined;
    return by !== undefined && terms.isConstant(by) && BigInt(terms.bvValue(by)) === 0n;
  });
}
