/**
 * A random transition system over bit-vectors, shaped like a small program or a circuit with a program counter:
 * registers of several widths, flags, inputs and a memory. At each location some of them change:
 *
 *   x' = ite(pc = 3 and y <u z, x + 5, ite(pc = 7 and flag2, select(m, y), ... x))
 *   m' = ite(pc = 4, store(m, x[7:0], y), ... m)        pc' = ite(pc = 3, ite(y <u z, 9, 4), ...)
 *
 * Its runs are simulated by the reference evaluator, which gives questions whose answer is `sat` by construction.
 */
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import { type FunctionId, type TermId, TermStore } from '../../src/term/store.ts';
import { ArrayValue, domain, type Value } from '../../src/term/value.ts';
import type { Random } from '../sat/random.ts';

const LOCATION_BITS = 5;
const LOCATIONS = 1 << LOCATION_BITS;
const REGISTER_WIDTHS = [8, 16, 32, 8, 16, 16, 32, 24, 8, 16];
const REGISTERS = 30;
const FLAGS = 4;
const INPUT_WIDTHS = [8, 16, 32, 8, 16, 32];
const ADDRESS_BITS = 8;
const CELL_BITS = 16;
const UPDATES = 4; // of each register and flag, at a location each
const WRITES = 3; // of the memory

/** The variables of a state. */
export interface State {
  readonly pc: TermId;
  readonly registers: readonly TermId[];
  readonly flags: readonly TermId[];
  readonly memory: TermId;
}

/** A simulated step: what every term over the present state, the inputs and the next state is worth in it. */
export type SimulatedStep = (term: TermId) => Value;

export class TransitionSystem {
  readonly terms = new TermStore();
  readonly now: State;
  readonly next: State;
  readonly inputs: readonly TermId[];
  readonly formulas: readonly TermId[]; // the transition relation: an equation for each variable of the next state
  readonly termCount: number;
  private readonly random: Random;
  private readonly nextValues: State; // as terms over the present state and the inputs

  constructor(random: Random) {
    this.random = random;
    const { terms } = this;
    this.now = this.state('');
    this.next = this.state('next_');
    this.inputs = INPUT_WIDTHS.map((width, i) => this.vector(`in${i}`, width));
    this.nextValues = {
      pc: this.nextLocation(),
      registers: this.now.registers.map(x => this.updated(x, () => this.newValue(x))),
      flags: this.now.flags.map(flag => this.updated(flag, () => this.guard())),
      memory: this.nextMemory(),
    };
    const values = variablesOf(this.nextValues);
    this.formulas = variablesOf(this.next).map((v, i) => terms.eq(v, values[i]));
    this.termCount = terms.postorder(this.formulas).length;
  }

  /** Steps of runs from random states at location 0. */
  simulate(runs: number, length: number): SimulatedStep[] {
    const steps: SimulatedStep[] = [];
    for (let run = 0; run < runs; run++) {
      let values = variablesOf(this.now).map(v => this.randomValue(v));
      values[0] = 0; // the program counter
      for (let i = 0; i < length; i++) {
        const step = this.simulatedStep(values);
        values = variablesOf(this.nextValues).map(step);
        steps.push(step);
      }
    }
    return steps;
  }

  /** The registers and inputs that the next value of a register may depend on. */
  support(register: number): TermId[] {
    const mentioned = new Set(this.terms.postorder([this.nextValues.registers[register]]));
    return [...this.now.registers, ...this.inputs].filter(v => mentioned.has(v));
  }

  private simulatedStep(values: readonly Value[]): SimulatedStep {
    const { terms } = this;
    const meaning = new Map<FunctionId, Value>();
    const give = (v: TermId, value: Value) => meaning.set(terms.functionOf(v), value);
    variablesOf(this.now).forEach((v, i) => {
      give(v, values[i]);
    });
    for (const input of this.inputs) give(input, this.randomValue(input));
    const evaluator = new Evaluator(terms, f => meaning.get(f)!);
    const nextValues = variablesOf(this.nextValues).map(t => evaluator.value(t));
    variablesOf(this.next).forEach((v, i) => {
      give(v, nextValues[i]);
    });
    return t => evaluator.value(t);
  }

  /** Small numbers as well as large ones, as in programs. */
  private randomValue(variable: TermId): Value {
    const { terms, random } = this;
    const { sorts } = terms;
    const sort = terms.sort(variable);
    if (sorts.isArray(sort)) {
      let memory = ArrayValue.constant(0, domain(sorts, sorts.indexSort(sort)));
      for (let i = 0; i < 20; i++)
        memory = memory.store(random.below(1 << ADDRESS_BITS), random.below(1 << CELL_BITS));
      return memory;
    }
    if (sort === sorts.bool) return random.below(2) === 0;
    return random.below(random.below(3) === 0 ? 8 : 2 ** sorts.width(sort));
  }

  // ---- variables ----

  private state(prefix: string): State {
    const { terms } = this;
    const { sorts } = terms;
    const many = (count: number, make: (i: number) => TermId) =>
      Array.from({ length: count }, (_, i) => make(i));
    const memorySort = sorts.array(sorts.bitVec(ADDRESS_BITS), sorts.bitVec(CELL_BITS));
    return {
      pc: this.vector(`${prefix}pc`, LOCATION_BITS),
      registers: many(REGISTERS, i =>
        this.vector(`${prefix}x${i}`, REGISTER_WIDTHS[i % REGISTER_WIDTHS.length]),
      ),
      flags: many(FLAGS, i => terms.variable(`${prefix}flag${i}`, sorts.bool)),
      memory: terms.variable(`${prefix}m`, memorySort),
    };
  }

  private vector(name: string, width: number): TermId {
    return this.terms.variable(name, this.terms.sorts.bitVec(width));
  }

  // ---- the transition relation ----

  private at(location: number): TermId {
    return this.terms.eq(this.now.pc, this.terms.bv(LOCATION_BITS, location));
  }

  /** From each location a guarded way leads somewhere, and another to the location after it. */
  private nextLocation(): TermId {
    const { terms, random } = this;
    const location = (at: number) => terms.bv(LOCATION_BITS, at % LOCATIONS);
    let value = location(0);
    for (let at = LOCATIONS - 1; at >= 0; at--) {
      const way = terms.ite(this.guard(), location(random.below(LOCATIONS)), location(at + 1));
      value = terms.ite(this.at(at), way, value);
    }
    return value;
  }

  private updated(variable: TermId, newValue: () => TermId, updates = UPDATES): TermId {
    const { terms, random } = this;
    let value = variable;
    for (let i = 0; i < updates; i++) {
      const at = this.at(random.below(LOCATIONS));
      const condition = random.below(2) === 0 ? at : terms.and([at, this.guard()]);
      value = terms.ite(condition, newValue(), value);
    }
    return value;
  }

  private nextMemory(): TermId {
    const { memory } = this.now;
    const written = () =>
      this.terms.app(Op.STORE, [memory, this.operand(ADDRESS_BITS), this.operand(CELL_BITS)]);
    return this.updated(memory, written, WRITES);
  }

  private guard(): TermId {
    const { terms, random } = this;
    const x = this.pick(this.now.registers);
    const width = terms.width(x);
    switch (random.below(6)) {
      case 0:
        return this.pick(this.now.flags);
      case 1:
        return terms.eq(x, this.constant(width));
      case 2: {
        const bit = random.below(width);
        return terms.eq(terms.app(Op.EXTRACT, [x], [bit, bit]), terms.bv(1, 1));
      }
      case 3:
        return terms.app(Op.BVSLT, [x, this.operand(width)]);
      default:
        return terms.app(Op.BVULT, [x, this.operand(width)]);
    }
  }

  private newValue(x: TermId): TermId {
    const { terms, random } = this;
    const width = terms.width(x);
    const y = this.operand(width);
    switch (random.below(12)) {
      case 0:
        return this.constant(width);
      case 1:
        return this.fit(this.pick(this.inputs), width);
      case 2:
        return this.fit(terms.app(Op.SELECT, [this.now.memory, this.operand(ADDRESS_BITS)]), width);
      case 3:
        return terms.app(Op.BVMUL, [x, terms.bv(width, 3 + 2 * random.below(6))]);
      case 4:
        return terms.app(this.pick([Op.BVSHL, Op.BVLSHR, Op.BVASHR]), [x, this.shift(y)]);
      case 5:
        return terms.ite(this.guard(), y, this.operand(width));
      case 6: {
        const half = width / 2;
        return terms.app(Op.CONCAT, [this.operand(half), terms.app(Op.EXTRACT, [x], [width - 1, half])]);
      }
      case 7:
        return terms.app(this.pick([Op.BVAND, Op.BVOR, Op.BVXOR]), [x, y]);
      default:
        return terms.app(this.pick([Op.BVADD, Op.BVADD, Op.BVSUB]), [x, y]);
    }
  }

  /** By a constant, or by the three last bits of a register. */
  private shift(y: TermId): TermId {
    const { terms, random } = this;
    const width = terms.width(y);
    if (random.below(2) === 0) return terms.bv(width, 1 + random.below(7));
    return terms.app(Op.BVAND, [y, terms.bv(width, 7)]);
  }

  /** A constant or a part of a register, mostly of one of the same width. */
  private operand(width: number): TermId {
    const { terms, random, now } = this;
    if (random.below(4) === 0) return this.constant(width);
    const same = now.registers.filter(x => terms.width(x) === width);
    const from = same.length > 0 && random.below(3) > 0 ? same : now.registers;
    return this.fit(this.pick(from), width);
  }

  private constant(width: number): TermId {
    const { terms, random } = this;
    return terms.bv(width, random.below(3) === 0 ? random.below(2 ** width) : random.below(8));
  }

  /** The lower part of a term, or the term extended. */
  private fit(t: TermId, width: number): TermId {
    const { terms, random } = this;
    const missing = width - terms.width(t);
    if (missing === 0) return t;
    if (missing < 0) return terms.app(Op.EXTRACT, [t], [width - 1, 0]);
    return terms.app(random.below(2) === 0 ? Op.ZERO_EXTEND : Op.SIGN_EXTEND, [t], [missing]);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)];
  }
}

/** The program counter first. */
function variablesOf({ pc, registers, flags, memory }: State): TermId[] {
  return [pc, ...registers, ...flags, memory];
}
