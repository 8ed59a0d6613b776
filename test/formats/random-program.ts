/**
 * Random systems of a few bits as programs and circuits have them when they are written as relations: edges with guards that
 * determine inputs, or contradict each other, next states that are free or related, initial states by formulas, and, where
 * wanted, constraints over inputs. With their text as VMT, by a writer of its own.
 */
import type { Property, StateVariable, System } from '../../src/core/problem/system.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import type { SortId } from '../../src/term/sort.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Random } from '../support/random.ts';
import { growPool } from '../support/terms.ts';

/** Names that writers need for themselves. */
const NAMES = ['x', 'x y', 'valid', 'first', 'reachable', '.init', '.t0', 'x.next', 's0.n', '?0', ';a', 'é'];
/** Names that no file has, but a system may. */
const ODD_NAMES = ['let', 'bvadd', 'a|b', '', 'x', 'x', 'Bool'];

/** One that a VMT file may describe. */
export function randomProgram(random: Random): System {
  return new Program(random, false).system();
}

/** One that has constraints besides, and names of any kind. */
export function constrainedProgram(random: Random): System {
  return new Program(random, true).system();
}

class Program {
  private readonly terms = new TermStore();
  private readonly random: Random;
  private readonly states: StateVariable[] = [];
  private readonly inputs: TermId[] = [];
  private ofState: TermId[] = []; // terms over the states
  private ofNow: TermId[] = []; // and the inputs
  private ofStep: TermId[] = []; // and the next states
  private readonly isConstrained: boolean;
  private readonly taken = new Set<string>();

  constructor(random: Random, isConstrained: boolean) {
    this.random = random;
    this.isConstrained = isConstrained;
    const { terms } = this;
    this.sorts(2 + random.below(3)).forEach((sort, i) => {
      const name = this.name(`s${i}`);
      this.states.push({ current: terms.variable(name, sort), next: terms.variable(`${name}.n`, sort) });
    });
    this.sorts(1 + random.below(3)).forEach((sort, i) => {
      if (random.chance(0.8)) this.inputs.push(terms.variable(this.name(`i${i}`), sort));
    });
    const current = this.states.map(s => s.current);
    this.ofState = this.pool(current);
    this.ofNow = this.pool([...current, ...this.inputs]);
    this.ofStep = this.pool([...current, ...this.inputs, ...this.states.map(s => s.next)]);
  }

  system(): System {
    const { terms, random, states, inputs } = this;
    const edges = Array.from({ length: 1 + random.below(3) }, () => this.edge());
    return {
      terms,
      states,
      inputs,
      init: this.init(),
      trans: random.chance(0.1) ? terms.true : terms.or(edges),
      constraints: this.isConstrained
        ? Array.from({ length: 1 + random.below(2) }, () =>
            random.chance(0.5) ? this.equation() : this.formula(this.ofNow),
          )
        : [],
      properties: Array.from({ length: 1 + random.below(2) }, (_, index): Property => {
        const formula = this.formula(random.chance(0.4) ? this.ofNow : this.ofState);
        return { index, formula, name: random.chance(0.5) ? this.name(`p${index}`) : undefined };
      }),
    };
  }

  /** Sorts of so many bits in all, and of one to three each. */
  private sorts(bits: number): SortId[] {
    const { random } = this;
    const { sorts } = this.terms;
    const found: SortId[] = [];
    for (let left = bits; left > 0; ) {
      const width = 1 + random.below(Math.min(3, left));
      const sort = width === 1 && random.chance(0.6) ? sorts.bool : sorts.bitVec(width);
      const isArray = width === 2 && random.chance(0.2);
      found.push(isArray ? sorts.array(sorts.bitVec(1), sorts.bitVec(1)) : sort);
      left -= width;
    }
    return found;
  }

  private name(plain: string): string {
    const { random, isConstrained, taken } = this;
    const name = random.chance(0.2) ? random.pick(isConstrained ? [...NAMES, ...ODD_NAMES] : NAMES) : plain;
    const isTaken = !isConstrained && (taken.has(name) || taken.has(`${name}.n`));
    const chosen = isTaken ? plain : name;
    taken.add(chosen).add(`${chosen}.n`);
    return chosen;
  }

  private pool(variables: readonly TermId[]): TermId[] {
    const { terms, random } = this;
    const widths = [...new Set(variables.map(v => terms.width(v)))].filter(w => w > 0);
    const constants = widths.flatMap(w => [terms.bv(w, 0), terms.bv(w, 1), terms.bv(w, -1)]);
    return growPool(terms, random, [...variables, ...constants, terms.true, terms.false], 40, 4);
  }

  private formula(pool: readonly TermId[]): TermId {
    const { terms, random } = this;
    const f = this.ofSort(pool, terms.sorts.bool);
    return random.chance(0.3) ? terms.not(f) : f;
  }

  private ofSort(pool: readonly TermId[], sort: SortId): TermId {
    const { terms, random } = this;
    const fitting = pool.filter(t => terms.sort(t) === sort);
    return random.pick(fitting);
  }

  /** Initial values, conditions, or both; sometimes none, and sometimes such as nothing satisfies. */
  private init(): TermId {
    const { terms, random, states, ofState } = this;
    const values = states
      .filter(() => random.chance(0.5))
      .map(({ current }) => terms.eq(current, this.ofSort(ofState, terms.sort(current))));
    const conditions = Array.from({ length: random.below(3) }, () => this.formula(ofState));
    return terms.and([...values, ...conditions]);
  }

  private edge(): TermId {
    const { terms, random, states, ofNow } = this;
    const guards = Array.from({ length: random.below(3) }, () => this.equation());
    const nexts = states.flatMap(({ next }) => {
      const choice = random.below(10);
      if (choice < 6) return [terms.eq(next, this.ofSort(ofNow, terms.sort(next)))];
      return choice < 8 ? [this.formula(this.ofStep)] : [];
    });
    return terms.and([...guards, ...nexts]);
  }

  /** A condition: mostly one that determines an input, or a state. */
  private equation(): TermId {
    const { terms, random, states, inputs, ofState, ofNow } = this;
    const candidates = random.chance(0.7) && inputs.length > 0 ? inputs : states.map(s => s.current);
    const v = random.pick(candidates);
    const hidden = this.hidden(v);
    if (random.chance(0.2)) return this.formula(ofNow);
    const width = terms.width(hidden);
    if (width > 0 && random.chance(0.4)) return terms.eq(terms.bv(width, random.below(2 ** width)), hidden);
    const pool = random.chance(0.5) ? ofState : ofNow;
    const others = pool.filter(t => terms.sort(t) === terms.sort(hidden));
    const other = random.pick([...others, hidden]);
    return random.chance(0.5) ? terms.eq(hidden, other) : terms.eq(other, hidden);
  }

  /** A term in which a variable is, by an operator that has an inverse or by one that has not. */
  private hidden(v: TermId): TermId {
    const { terms, random } = this;
    const width = terms.width(v);
    if (terms.sort(v) === terms.sorts.bool) return random.chance(0.5) ? v : terms.not(v);
    if (width === 0 || random.chance(0.3)) return v;
    const value = () => terms.bv(width, random.below(2 ** width));
    const isFirst = random.chance(0.7);
    const pair = (other: TermId) => (isFirst ? [v, other] : [other, v]);
    const binary = [Op.BVADD, Op.BVSUB, Op.BVXOR, Op.BVMUL, Op.BVLSHR, Op.BVSHL, Op.BVOR, Op.BVUDIV];
    switch (random.below(6)) {
      case 0:
        return terms.app(random.pick([Op.BVNOT, Op.BVNEG]), [v]);
      case 1:
        return terms.app(Op.EXTRACT, [v], [width - 1, random.below(width)]);
      case 2:
        return terms.app(random.pick([Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.ROTATE_LEFT]), [v], [1]);
      case 3: {
        const bits = this.ofNow.filter(t => terms.width(t) === 1);
        return terms.app(
          Op.CONCAT,
          pair(bits.length > 0 && random.chance(0.7) ? random.pick(bits) : value()),
        );
      }
      default:
        return terms.app(random.pick(binary), pair(value()));
    }
  }
}

/** The text of a system without constraints, whose variables have different names. */
export function vmtText({ terms, states, inputs, init, trans, properties }: System): string {
  const variables = [...states.flatMap(s => [s.current, s.next]), ...inputs];
  const sort = (v: TermId) => terms.sorts.name(terms.sort(v));
  const text = (t: TermId) => printTerm(terms, t);
  const define = (name: string, t: TermId, annotation: string) =>
    `(define-fun |${name} is| () ${sort(t)} (! ${text(t)} ${annotation}))`;
  return [
    ...variables.map(v => `(declare-fun ${text(v)} () ${sort(v)})`),
    ...states.map(({ current, next }, i) => define(`state ${i}`, current, `:next ${text(next)}`)),
    define('init', init, ':init true'),
    define('trans', trans, ':trans true'),
    ...properties.map(p => define(`property ${p.index}`, p.formula, `:invar-property ${p.index}`)),
  ].join('\n');
}
