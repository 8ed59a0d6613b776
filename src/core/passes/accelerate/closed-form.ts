/**
 * What the places of a loop are after any number of rounds, where one edge leads from a location to itself:
 *
 *   kept        p stays as it is
 *   linear      p grows by a term d that is kept                                       p + k · d
 *   quadratic   p grows by a term d which itself grows by a term s that is kept        p + k · d + k (k - 1) / 2 · s
 *   reset       p becomes a term in which it does not occur                            k = 0 ? p : that term a round before
 *
 * All of it modulo 2^w, so the forms hold however often anything wraps. Linear and quadratic places also tell what they
 * were k rounds ago: the same polynomials with -k.
 */
import type { Polynomials } from '../../../bv/preprocess/polynomials.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import { type Edge, isOver, type Location, placesTo } from '../../problem/problem.ts';

/** That k (k + 1) / 2 is k more than k (k - 1) / 2 is beyond SAT solvers for larger widths. */
const MAX_SQUARED = 10;

type Form =
  | { readonly kind: 'kept' }
  | { readonly kind: 'linear'; readonly by: TermId }
  | { readonly kind: 'quadratic'; readonly by: TermId; readonly growth: TermId }
  | { readonly kind: 'reset'; readonly to: TermId };

export class ClosedForm {
  /** The places that stay as they are. */
  readonly kept: ReadonlySet<TermId>;
  private readonly rewriter: Rewriter;
  private readonly terms: TermStore;
  private readonly polynomials: Polynomials;
  private readonly round: ReadonlyMap<TermId, TermId>; // place by place, what one round makes of it
  private readonly forms: ReadonlyMap<TermId, Form>;

  private constructor(
    rewriter: Rewriter,
    polynomials: Polynomials,
    round: ReadonlyMap<TermId, TermId>,
    kept: ReadonlySet<TermId>,
  ) {
    this.rewriter = rewriter;
    this.terms = rewriter.terms;
    this.polynomials = polynomials;
    this.round = round;
    this.kept = kept;
    this.forms = this.found();
  }

  /** Undefined if some place has none. */
  static of(
    rewriter: Rewriter,
    polynomials: Polynomials,
    location: Location,
    round: Edge,
  ): ClosedForm | undefined {
    const values = round.values.map(v => rewriter.rewrite(v));
    const kept = new Set(location.places.filter((p, i) => values[i] === p));
    const form = new ClosedForm(rewriter, polynomials, placesTo(location, values), kept);
    return form.forms.size === location.places.length ? form : undefined;
  }

  /**
   * Numbers of rounds of this width lead to all states that there are: the widest place that changes steadily, and one more if its
   * growth does, too, or if what is reset is not at first what it is later.
   */
  get width(): number {
    const widths = [...this.forms].map(([p, { kind }]) => {
      if (kind === 'linear') return this.terms.width(p);
      return kind === 'quadratic' ? this.terms.width(p) + 1 : 0;
    });
    const steady = Math.max(0, ...widths);
    return steady === 0 || this.isReversible ? steady : steady + 1;
  }

  /** Do states tell what they were some rounds ago? */
  get isReversible(): boolean {
    return [...this.forms.values()].every(f => f.kind !== 'reset');
  }

  /** Is what they were then also simple enough for a proof that is checked bit by bit? */
  get isSimple(): boolean {
    const { terms, forms } = this;
    return [...forms].every(([p, f]) => f.kind !== 'quadratic' || terms.width(p) <= MAX_SQUARED);
  }

  /** What a term gains in a round, if that is a term over places that are kept. */
  growth(t: TermId): TermId | undefined {
    if (!this.isSteady(t)) return undefined;
    const by = this.polynomials.difference(substitute(this.terms, t, this.round), t);
    return this.isKept(by) ? by : undefined;
  }

  /** Does a term speak of nothing but what is kept? */
  isKept(t: TermId): boolean {
    return isOver(this.terms, t, this.kept);
  }

  /** Does a term speak of no place that is reset? */
  isSteady(t: TermId): boolean {
    const { terms, forms } = this;
    return terms
      .postorder([t])
      .every(v => !terms.isVariable(v) || !['reset', undefined].includes(forms.get(v)?.kind));
  }

  /** The places after so many rounds. */
  after(rounds: TermId): Map<TermId, TermId> {
    const { terms } = this;
    if (terms.isConstant(rounds) && BigInt(terms.bvValue(rounds)) === 0n)
      return new Map([...this.forms.keys()].map(p => [p, p]));
    const all = this.steadyAfter(rounds);
    const first = this.rewriter.mk(Op.EQ, [terms.bv(terms.width(rounds), 0), rounds]);
    // Of the state before the last round, in which what is reset by then has been reset, too.
    const before = this.steadyAfter(this.rewriter.mk(Op.BVSUB, [rounds, terms.bv(terms.width(rounds), 1)]));
    for (const [p, form] of this.forms) {
      if (form.kind !== 'reset') continue;
      const value = this.rewriter.rewrite(substitute(terms, form.to, before));
      all.set(p, this.rewriter.mk(Op.ITE, [first, p, value]));
    }
    return all;
  }

  /** The places so many rounds ago; only where the form is reversible. */
  before(rounds: TermId): Map<TermId, TermId> {
    const { forms, terms } = this;
    const all = new Map<TermId, TermId>();
    for (const [p, form] of forms) {
      const less = (t: TermId, u: TermId) => this.rewriter.mk(Op.BVSUB, [t, u]);
      switch (form.kind) {
        case 'linear':
          all.set(p, less(p, this.times(rounds, form.by)));
          break;
        case 'quadratic': {
          const back = less(p, this.times(rounds, form.by));
          const pairs = this.pairs(rounds, terms.width(p), 1); // with -k for k
          const sum = this.rewriter.mk(Op.BVMUL, [pairs, form.growth]);
          all.set(p, this.rewriter.mk(Op.BVADD, [back, sum]));
          break;
        }
        default:
          all.set(p, p);
      }
    }
    return all;
  }

  private steadyAfter(rounds: TermId): Map<TermId, TermId> {
    const { rewriter } = this;
    const all = new Map<TermId, TermId>();
    for (const [p, form] of this.forms) {
      switch (form.kind) {
        case 'kept':
          all.set(p, p);
          break;
        case 'linear':
          all.set(p, rewriter.mk(Op.BVADD, [p, this.times(rounds, form.by)]));
          break;
        case 'quadratic': {
          const width = this.terms.width(p);
          const sum = rewriter.mk(Op.BVMUL, [this.pairs(rounds, width, -1), form.growth]);
          const linear = rewriter.mk(Op.BVADD, [p, this.times(rounds, form.by)]);
          all.set(p, rewriter.mk(Op.BVADD, [linear, sum]));
          break;
        }
      }
    }
    return all;
  }

  /** A number of rounds times a term of any width. */
  private times(rounds: TermId, by: TermId): TermId {
    const width = this.terms.width(by);
    return this.rewriter.rewrite(this.terms.app(Op.BVMUL, [by, this.resized(rounds, width)]));
  }

  /** k (k - 1) / 2, or k (k + 1) / 2, which takes one more bit to compute. */
  private pairs(rounds: TermId, width: number, more: -1 | 1): TermId {
    const { terms, rewriter } = this;
    const k = this.resized(rounds, width + 1);
    const other = rewriter.mk(Op.BVADD, [terms.bv(width + 1, more), k]);
    return rewriter.mk(Op.EXTRACT, [rewriter.mk(Op.BVMUL, [k, other])], [width, 1]);
  }

  private resized(t: TermId, width: number): TermId {
    const { terms, rewriter } = this;
    const own = terms.width(t);
    if (own === width) return t;
    return own > width
      ? rewriter.mk(Op.EXTRACT, [t], [width - 1, 0])
      : rewriter.mk(Op.ZERO_EXTEND, [t], [width - own]);
  }

  /** What is kept first, then what grows by it, and so on: each kind speaks only of those before it. */
  private found(): Map<TermId, Form> {
    const { terms, round, kept, polynomials } = this;
    const forms = new Map<TermId, Form>([...kept].map(p => [p, { kind: 'kept' }]));
    const open = [...round].filter(([p]) => !kept.has(p));
    const differences = new Map<TermId, TermId>();
    for (const [p, value] of open) {
      if (terms.width(p) === 0) continue;
      const by = polynomials.difference(value, p);
      differences.set(p, by);
      if (this.isKept(by)) forms.set(p, { kind: 'linear', by });
    }
    const linear = new Set(forms.keys());
    for (const [p] of open) {
      const by = differences.get(p);
      if (by === undefined || forms.has(p) || !isOver(terms, by, linear)) continue;
      const growth = polynomials.difference(substituteAll(terms, [by], round)[0], by);
      if (this.isKept(growth)) forms.set(p, { kind: 'quadratic', by, growth });
    }
    const steady = new Set(forms.keys());
    for (const [p, value] of open) {
      if (!forms.has(p) && isOver(terms, value, steady)) forms.set(p, { kind: 'reset', to: value });
    }
    return forms;
  }
}
