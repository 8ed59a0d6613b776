/**
 * What conjectures about a location speak of, each with its value in every sample: places; terms over them that edges mention and that are
 * no sums of places; and what tells states apart: conditions of edges, and how places that keep their values are ordered with
 * others. What edges say of a counter is also said of places that keep their values, since these stand for what the counter
 * was or will be: with p in the place of i, i · i is p · p, and i < n is p < n.
 */
import { annihilator, Module, solved } from '../../../term/module.ts';
import { Op } from '../../../term/operators.ts';
import { Program } from '../../../term/program.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import type { EdgeTable } from '../../problem/edge-table.ts';
import { conditionsOf, isOver, type Location } from '../../problem/problem.ts';
import type { Sample } from './samples.ts';

/** More of either would make too many conjectures. */
const MAX_WORDS = 16;
const MAX_SPLITS = 60;

/** A word, and its value in each sample, as a number that is not negative. */
export interface Word {
  readonly term: TermId;
  readonly width: number;
  readonly values: readonly bigint[];
  /** Is it what data are, and not a counter, a limit, or an index? */
  readonly isData: boolean;
}

/** A formula, and in which of the samples it is true. */
export interface Split {
  readonly formula: TermId;
  /** Does it say that what keeps its value is less than something else, as a number that is not negative? */
  readonly isLimit: boolean;
  readonly isTrue: readonly boolean[];
}

/** Which orders the problem compares by. */
export type Order = typeof Op.BVULT | typeof Op.BVSLT;

/** What would exclude a violation, as far as it is said of data. */
export interface Goal {
  readonly formula: TermId;
  /** The places that it speaks of. */
  readonly places: readonly TermId[];
}

export interface Setting {
  readonly terms: TermStore;
  readonly rewriter: Rewriter;
  readonly table: EdgeTable;
  readonly frozen: ReadonlyMap<Location, ReadonlySet<TermId>>;
  readonly orders: readonly Order[];
  readonly goals: readonly Goal[];
}

export class Columns {
  readonly words: readonly Word[];
  readonly splits: readonly Split[];
  readonly goals: readonly Split[];
  private readonly setting: Setting;
  private readonly terms: TermStore;
  private readonly location: Location;
  private readonly samples: readonly Sample[];
  private readonly frozen: ReadonlySet<TermId>;
  private readonly counters: ReadonlySet<TermId>;
  private readonly mentioned: readonly TermId[]; // by edges that enter or leave, over places

  constructor(setting: Setting, location: Location, samples: readonly Sample[]) {
    const { terms, table, rewriter } = setting;
    this.setting = setting;
    this.terms = terms;
    this.location = location;
    this.samples = samples;
    this.frozen = setting.frozen.get(location) ?? new Set();
    this.counters = this.countersHere();
    const own = new Set(location.places);
    const edges = [...table.outOf(location), ...table.into(location)];
    this.mentioned = terms
      .postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values]))
      .filter(t => !terms.isConstant(t) && isOver(terms, t, own));
    const moves = this.moves();
    const words = this.wordTerms(moves);
    const splits = [...new Set(this.splitTerms(moves).map(f => rewriter.rewrite(f)))]
      .filter(f => f !== terms.true && f !== terms.false)
      .slice(0, MAX_SPLITS);
    const goals = setting.goals.filter(g => g.places.every(p => own.has(p))).map(g => g.formula);
    const all = [...words, ...splits, ...goals];
    const program = new Program(terms, location.places);
    program.add(all);
    const rows = samples.map(sample => {
      const values = program.run(sample);
      return all.map(t => values[program.slot(t)]);
    });
    const isTrue = (from: number, i: number) => rows.map((r): boolean => (r[from + i] as Value) === true);
    this.words = words.map((term, i) => ({
      term,
      width: terms.width(term),
      values: rows.map(r => BigInt(r[i] as number | bigint)),
      isData: this.isData(term),
    }));
    this.splits = splits.map((formula, i) => ({
      formula,
      isLimit: terms.op(formula) === Op.BVULT && this.frozen.has(terms.arg(formula, 0)),
      isTrue: isTrue(words.length, i),
    }));
    this.goals = goals.map((formula, i) => ({
      formula,
      isLimit: false,
      isTrue: isTrue(words.length + splits.length, i),
    }));
  }

  private isData(t: TermId): boolean {
    return this.location.places.includes(t) && !this.frozen.has(t) && !this.counters.has(t);
  }

  /** Places that some edge adds a constant to. */
  private countersHere(): Set<TermId> {
    const { terms, location } = this;
    const found = new Set<TermId>();
    for (const { values } of this.setting.table.into(location)) {
      for (const [i, v] of values.entries()) {
        const isSum = terms.op(v) === Op.BVADD && terms.isConstant(terms.arg(v, 0));
        if (isSum && terms.arg(v, 1) === location.places[i]) found.add(location.places[i]);
      }
    }
    return found;
  }

  private wordTerms(moves: readonly ReadonlyMap<TermId, TermId>[]): TermId[] {
    const { terms, location, mentioned } = this;
    const places = location.places.filter(p => terms.width(p) > 1);
    const others = mentioned.filter(t => terms.width(t) > 1 && terms.op(t) !== Op.ITE && !isLinear(terms, t));
    const moved = others.flatMap(t => this.moved(t, moves));
    const words = new Set([...places, ...this.products(), ...moved, ...others]);
    return [...words].slice(0, Math.max(MAX_WORDS, places.length));
  }

  /** Of what is added to a place again and again with a counter: that makes sums of its multiples. */
  private products(): TermId[] {
    const { terms, location, counters, setting } = this;
    const found = new Set<TermId>();
    const own = new Set(location.places);
    for (const { values, head, sources } of setting.table.into(location)) {
      if (sources[0]?.location !== head) continue;
      for (const [i, v] of values.entries()) {
        const summands = summandsOf(terms, v);
        if (!summands.includes(location.places[i])) continue;
        for (const s of summands) {
          if (s === location.places[i] || !own.has(s)) continue;
          for (const c of counters)
            if (terms.sort(c) === terms.sort(s)) found.add(terms.app(Op.BVMUL, [c, s]));
        }
      }
    }
    return [...found];
  }

  /** Formulas that tell states apart. */
  private splitTerms(moves: readonly ReadonlyMap<TermId, TermId>[]): TermId[] {
    const { terms, location, frozen, counters, mentioned, setting } = this;
    const { places } = location;
    const less = (a: TermId, b: TermId) => setting.orders.map(o => terms.app(o, [a, b]));
    const found: TermId[] = places.filter(p => terms.sort(p) === terms.sorts.bool);
    // What is not negative, and less: by the order of unsigned numbers that is one comparison.
    const compare = (f: TermId, x: TermId) =>
      found.push(terms.app(Op.BVULT, [f, x]), ...less(f, x), terms.app(Op.BVULT, [x, f]), ...less(x, f));
    const isOrder = (t: TermId) => terms.op(t) === Op.BVULT || terms.op(t) === Op.BVSLT;
    const words = [...frozen].filter(f => terms.width(f) > 1);
    found.push(...this.inOrder(words.filter(f => !this.isLimit(f))));
    for (const f of words) for (const x of counters) if (terms.sort(x) === terms.sort(f)) compare(f, x);
    for (const t of mentioned.filter(isOrder)) {
      for (const m of this.moved(t, moves)) found.push(m, terms.app(Op.BVULT, terms.args(m)));
    }
    for (const [i, f] of words.entries())
      for (const x of words.slice(i + 1)) if (terms.sort(x) === terms.sort(f)) compare(f, x);
    for (const t of mentioned) {
      if (terms.op(t) !== Op.EQ || terms.width(terms.arg(t, 0)) <= 1) continue;
      const [a, b] = this.withoutFactor(t);
      found.push(terms.eq(a, b), terms.app(Op.BVULT, [a, b]), ...less(a, b));
      found.push(terms.app(Op.BVULT, [b, a]), ...less(b, a));
    }
    return [...found, ...mentioned.filter(isOrder)];
  }

  /** Of what keeps its value, that two are before two counters where these count the rows and columns of a table. */
  private inOrder(words: readonly TermId[]): TermId[] {
    const { terms, counters } = this;
    const found: TermId[] = [];
    const less = (a: TermId, b: TermId) => terms.app(Op.BVULT, [a, b]);
    const pairs = (items: Iterable<TermId>) =>
      [...items].flatMap((a, i, all) => all.slice(i + 1).flatMap(b => [[a, b] as const, [b, a] as const]));
    for (const [f, g] of pairs(words)) {
      for (const [x, y] of pairs(counters)) {
        if (terms.sort(f) !== terms.sort(x) || terms.sort(g) !== terms.sort(y)) continue;
        found.push(terms.or([less(f, x), terms.and([terms.eq(f, x), less(g, y)])]));
      }
    }
    return found;
  }

  /** Is it something that a counter is compared with? */
  private isLimit(word: TermId): boolean {
    const { terms, counters } = this;
    return this.mentioned.some(t => {
      const args = terms.args(t);
      return (
        (terms.op(t) === Op.BVULT || terms.op(t) === Op.BVSLT) &&
        args.includes(word) &&
        args.some(a => counters.has(a))
      );
    });
  }

  /** The sides of an equation between multiples, as addresses of elements are, without the factor. */
  private withoutFactor(equation: TermId): readonly TermId[] {
    const { terms } = this;
    const sides = terms.args(equation);
    const isMultiple = (t: TermId) => terms.op(t) === Op.BVMUL && terms.isConstant(terms.arg(t, 0));
    const isCommon = sides.every(isMultiple) && terms.arg(sides[0], 0) === terms.arg(sides[1], 0);
    return isCommon ? sides.map(s => terms.arg(s, 1)) : sides;
  }

  private moved(t: TermId, moves: readonly ReadonlyMap<TermId, TermId>[]): TermId[] {
    return moves.map(m => substitute(this.terms, t, m)).filter(m => m !== t);
  }

  /** Places that keep their values in the place of counters: one for one of them, and what that makes of the others. */
  private moves(): Map<TermId, TermId>[] {
    const { terms, counters, frozen } = this;
    return [...counters].flatMap(c => {
      const same = [...counters].filter(d => d !== c && terms.sort(d) === terms.sort(c));
      const others = same.flatMap(d => {
        const image = this.linearIn(d, c);
        return image === undefined ? [] : [[d, image] as const];
      });
      return [...frozen]
        .filter(f => terms.sort(f) === terms.sort(c))
        .map(f => {
          const to = new Map([[c, f]]);
          return new Map([[c, f], ...others.map(([d, t]) => [d, substitute(terms, t, to)] as const)]);
        });
    });
  }

  /** A counter as a multiple of another one plus a constant, if it is one in all samples. */
  private linearIn(d: TermId, c: TermId): TermId | undefined {
    const { terms, samples, location } = this;
    const width = terms.width(c);
    const [i, j] = [location.places.indexOf(d), location.places.indexOf(c)];
    const module = new Module(width, 3);
    for (const s of samples) {
      // The last column is the one that equations are solved for.
      module.add([1n, BigInt(s[j] as number | bigint), BigInt(s[i] as number | bigint)]);
      if (module.isAll) return undefined;
    }
    const found = solved(width, annihilator(width, 3, module.rows)).find(
      ({ form, column }) => column === 2 && form[2] === 1n && form[1] !== 0n,
    );
    if (found === undefined) return undefined;
    const number = (n: bigint) => terms.bv(width, BigInt.asUintN(width, n));
    const multiple = terms.app(Op.BVMUL, [number(-found.form[1]), c]);
    return this.setting.rewriter.rewrite(terms.app(Op.BVADD, [number(-found.form[0]), multiple]));
  }
}

function summandsOf(terms: TermStore, t: TermId): TermId[] {
  return terms.op(t) === Op.BVADD ? terms.args(t).flatMap(a => summandsOf(terms, a)) : [t];
}

function isLinear(terms: TermStore, t: TermId): boolean {
  switch (terms.op(t)) {
    case Op.BVADD:
    case Op.BVSUB:
    case Op.BVNEG:
      return terms.args(t).every(a => isLinear(terms, a));
    case Op.BVMUL:
      return terms.isConstant(terms.arg(t, 0)) && isLinear(terms, terms.arg(t, 1));
    default:
      return terms.isVariable(t) || terms.isConstant(t);
  }
}
