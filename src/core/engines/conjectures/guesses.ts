/**
 * What holds of all samples of a location, and of those on one side of a split: constants, equations between two or three words modulo
 * 2^w, orders between words, bounds by the problem's constants, and words that are never equal. That it holds of everything
 * derivable is a guess; what is wrong is found out later.
 */
import { annihilator, Module, solved, type Vector } from '../../../term/module.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { negated } from '../../problem/literals.ts';
import type { Columns, Order, Setting, Word } from './columns.ts';

/** Fewer samples than these say nothing. */
const FEWEST = 4;
/** An equation of more is no coincidence. */
const SPARE = 3;
/** Factors in equations are near to zero. */
const LARGEST_FACTOR = 1n << 12n;
/** Of words that differ by no constant, so many are put into equations of three. */
const MAX_IN_TRIPLES = 9;
/** Constants that are tried as bounds of what holds everywhere. */
const LADDER = 6;

interface Fact {
  readonly formula: TermId;
  /** Does it speak of data? */
  readonly isOfData: boolean;
  /** Does it say what something is, and not only within what it is? */
  readonly isEquation: boolean;
}

export class Guesses {
  private readonly rows: readonly number[];
  private readonly setting: Setting;
  private readonly terms: TermStore;
  private readonly columns: Columns;
  private readonly constants: ReadonlyMap<number, readonly bigint[]>; // by width, in ascending order
  private readonly most: number;

  /** `rows`: how many samples there are; `most`: how many formulas are wanted at a time. */
  constructor(
    setting: Setting,
    columns: Columns,
    rows: number,
    constants: ReadonlyMap<number, readonly bigint[]>,
    most: number,
  ) {
    this.setting = setting;
    this.terms = setting.terms;
    this.columns = columns;
    this.constants = constants;
    this.most = most;
    this.rows = [...Array(rows).keys()];
  }

  /** What most proofs are made of: of data only what they are equal to, and whatever else is true of all samples. */
  first(): TermId[] {
    const facts = (rows: readonly number[], isOfAll = false) =>
      this.facts(rows, isOfAll).filter(f => f.isEquation || !f.isOfData);
    return this.simple(this.withSides(facts(this.rows, true), own => facts(own)));
  }

  /** Formulas that are true of all samples, simple ones first. */
  all(): TermId[] {
    const { rows } = this;
    const found = this.withSides(this.facts(rows, true), own => this.facts(own));
    for (const f of this.onTwoSides(rows, found)) found.add(f);
    return this.simple(found);
  }

  /** Facts, and what is true besides on one side of a split. */
  private withSides(
    facts: readonly Fact[],
    factsOf: (rows: readonly number[]) => readonly Fact[],
  ): Set<TermId> {
    const { terms, columns, rows } = this;
    const found = new Set(facts.map(f => f.formula));
    for (const { formula, isTrue } of columns.splits) {
      for (const side of [true, false]) {
        const own = rows.filter(r => isTrue[r] === side);
        if (own.length === rows.length) {
          found.add(side ? formula : negated(terms, formula));
          break;
        }
        const outside = side ? negated(terms, formula) : formula;
        for (const { formula: fact, isOfData } of factsOf(own))
          if (isOfData && !found.has(fact)) found.add(terms.or([outside, fact]));
      }
    }
    return found;
  }

  /** What was said of all samples and has been refuted may still hold on one side of a split. */
  instead(refuted: ReadonlySet<TermId>): TermId[] {
    const { terms, columns, rows } = this;
    const found = new Set<TermId>();
    for (const { formula, isOfData } of this.facts(rows, true)) {
      if (!isOfData || !refuted.has(this.setting.rewriter.rewrite(formula))) continue;
      for (const { formula: split, isTrue } of columns.splits) {
        if (isTrue.includes(true)) found.add(terms.or([negated(terms, split), formula]));
        if (isTrue.includes(false)) found.add(terms.or([split, formula]));
      }
    }
    return this.simple(found);
  }

  private simple(formulas: ReadonlySet<TermId>): TermId[] {
    const simple = new Set([...formulas].map(f => this.setting.rewriter.rewrite(f)));
    simple.delete(this.terms.true);
    return [...simple].slice(0, this.most);
  }

  /**
   * Equations of data where two splits are on one side, of which one says that something is within limits. That is what it takes where
   * numbers may wrap.
   */
  private onTwoSides(rows: readonly number[], known: ReadonlySet<TermId>): TermId[] {
    const { terms, columns } = this;
    const { splits } = columns;
    const found: TermId[] = [];
    for (const within of splits.filter(s => s.isLimit)) {
      const inside = rows.filter(r => within.isTrue[r]);
      if (inside.length < FEWEST || inside.length === rows.length) continue;
      for (const other of splits) {
        if (other === within) continue;
        for (const side of [true, false]) {
          const own = inside.filter(r => other.isTrue[r] === side);
          if (own.length === inside.length) break;
          const outside = [
            negated(terms, within.formula),
            side ? negated(terms, other.formula) : other.formula,
          ];
          for (const { formula, isOfData } of this.sameness(own)) {
            // That one split alone is enough is a guess, too.
            if (isOfData && !known.has(formula)) found.push(terms.or([...outside, formula]));
          }
        }
      }
    }
    return found;
  }

  /** Of some of the samples: constants, and words that differ by constants. */
  private sameness(rows: readonly number[]): Fact[] {
    if (rows.length < FEWEST) return [];
    const found: Fact[] = [];
    this.openWords(rows, (f, ...of) => found.push(factOf(f, of, true)));
    found.push(...this.goals(rows));
    return found;
  }

  private goals(rows: readonly number[]): Fact[] {
    const own = this.columns.goals.filter(g => rows.every(r => g.isTrue[r]));
    return own.map(({ formula }) => ({ formula, isOfData: true, isEquation: true }));
  }

  /** Words that are neither constant nor differ by a constant from another one; what the others are is told. */
  private openWords(rows: readonly number[], add: (formula: TermId, ...of: readonly Word[]) => void): Word[] {
    const open: Word[] = [];
    for (const w of this.columns.words) {
      if (rows.every(r => w.values[r] === w.values[rows[0]])) {
        add(this.terms.eq(w.term, this.number(w, w.values[rows[0]])), w);
        continue;
      }
      const like = open.find(o => o.width === w.width && this.isApart(o, w, rows));
      if (like === undefined) open.push(w);
      else add(this.equation([like, w], [w.values[rows[0]] - like.values[rows[0]], 1n, -1n]), like, w);
    }
    return open;
  }

  /** Of some of the samples. */
  private facts(rows: readonly number[], isOfAll = false): Fact[] {
    if (rows.length < FEWEST) return [];
    const found: Fact[] = [];
    const equal = (formula: TermId, ...of: readonly Word[]) => found.push(factOf(formula, of, true));
    const within = (formula: TermId, ...of: readonly Word[]) => found.push(factOf(formula, of, false));
    const open = this.openWords(rows, equal);
    found.push(...this.goals(rows));
    for (const w of open) this.bounds(w, rows, isOfAll ? LADDER : 1, f => within(f, w));
    for (const [i, x] of open.entries()) {
      for (const y of open.slice(i + 1)) {
        if (x.width !== y.width) continue;
        for (const f of this.equations([x, y], rows)) equal(f, x, y);
        this.orders(x, y, rows, f => within(f, x, y));
      }
    }
    for (const triple of triples(open.slice(0, MAX_IN_TRIPLES)))
      for (const f of this.equations(triple, rows)) equal(f, ...triple);
    return found;
  }

  /** Do two words differ by the same number in all samples? */
  private isApart(x: Word, y: Word, rows: readonly number[]): boolean {
    const apart = (r: number) => BigInt.asUintN(x.width, y.values[r] - x.values[r]);
    const first = apart(rows[0]);
    return rows.every(r => apart(r) === first);
  }

  private orders(x: Word, y: Word, rows: readonly number[], add: (formula: TermId) => void): void {
    const { terms } = this;
    if (rows.every(r => x.values[r] !== y.values[r])) add(terms.not(terms.eq(x.term, y.term)));
    for (const order of this.setting.orders) {
      const read = (w: Word, r: number) => this.reading(order, w.width, w.values[r]);
      const [isLess, isMore] = [
        rows.every(r => read(x, r) <= read(y, r)),
        rows.every(r => read(x, r) >= read(y, r)),
      ];
      if (isLess) add(terms.not(terms.app(order, [y.term, x.term])));
      if (isMore) add(terms.not(terms.app(order, [x.term, y.term])));
    }
  }

  /** `ladder`: how many constants to try on each side. */
  private bounds(w: Word, rows: readonly number[], ladder: number, add: (formula: TermId) => void): void {
    const { terms } = this;
    const known = this.constants.get(w.width) ?? [];
    if (rows.every(r => w.values[r] !== 0n)) add(terms.not(terms.eq(w.term, this.number(w, 0n))));
    if (rows.every(r => (w.values[r] & 1n) === (w.values[rows[0]] & 1n))) {
      const bit = terms.app(Op.EXTRACT, [w.term], [0, 0]);
      add(terms.eq(bit, terms.bv(1, w.values[rows[0]] & 1n)));
    }
    for (const order of this.setting.orders) {
      const read = (n: bigint) => this.reading(order, w.width, n);
      const sorted = known.map(read).sort(ascending);
      const values = rows.map(r => read(w.values[r])).sort(ascending);
      const [least, most] = [values[0], values[values.length - 1]];
      // The nearest constant may be too near, so there are some to fall back on.
      const below = sorted.filter(c => c <= least && c > sorted[0]).slice(-ladder);
      const above = sorted.filter(c => c >= most && c < sorted[sorted.length - 1]).slice(0, ladder);
      for (const c of below) add(terms.not(terms.app(order, [w.term, this.number(w, c)])));
      for (const c of above) add(terms.not(terms.app(order, [this.number(w, c), w.term])));
    }
  }

  /** Equations that all of the words are in. */
  private equations(words: readonly Word[], rows: readonly number[]): TermId[] {
    const [{ width }] = words;
    if (words.some(w => w.width !== width) || rows.length < words.length + 1 + SPARE) return [];
    const columns = words.length + 1;
    const module = new Module(width, columns);
    for (const r of rows) {
      module.add([1n, ...words.map(w => w.values[r])]);
      if (module.isAll) return [];
    }
    return solved(width, annihilator(width, columns, module.rows))
      .map(({ form }) => form.map(n => BigInt.asIntN(width, n)))
      .filter(form => form.slice(1).every(n => n !== 0n && n < LARGEST_FACTOR && -n < LARGEST_FACTOR))
      .map(form => this.equation(words, form));
  }

  /** That a form is zero. */
  private equation(words: readonly Word[], [constant, ...factors]: Vector): TermId {
    const { terms } = this;
    const [w] = words;
    const multiple = (factor: bigint, t: TermId) =>
      factor === 1n ? t : terms.app(Op.BVMUL, [this.number(w, factor), t]);
    // What is taken away on one side is added on the other.
    const sides = [1n, -1n].map(sign => {
      const own = words.flatMap((x, i) =>
        factors[i] * sign > 0n ? [multiple(factors[i] * sign, x.term)] : [],
      );
      if (constant * sign > 0n) own.push(this.number(w, constant * sign));
      return own.length === 0 ? this.number(w, 0n) : own.reduce((a, b) => terms.app(Op.BVADD, [a, b]));
    });
    return terms.eq(sides[0], sides[1]);
  }

  private number({ width }: Word, n: bigint): TermId {
    return this.terms.bv(width, BigInt.asUintN(width, n));
  }

  private reading(order: Order, width: number, n: bigint): bigint {
    return order === Op.BVULT ? n : BigInt.asIntN(width, n);
  }
}

function factOf(formula: TermId, words: readonly Word[], isEquation: boolean): Fact {
  return { formula, isOfData: words.some(w => w.isData), isEquation };
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

function* triples<T>(items: readonly T[]): Generator<readonly [T, T, T]> {
  for (let i = 0; i < items.length; i++)
    for (let j = i + 1; j < items.length; j++)
      for (let k = j + 1; k < items.length; k++) yield [items[i], items[j], items[k]];
}
