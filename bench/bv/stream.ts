/**
 * The incremental stream: what a model checker that refines an abstraction asks about one step. The transition relation
 * is asserted once; each question assumes some 5 to 40 literals about the present state, the inputs and the next
 * state, and when they cannot hold together, the core says why. The literals are true in a simulated step, except that
 * up to three have been altered: negated, or with another number. A step is asked about several times, with literals
 * left out and altered anew, as a checker does that looks for the reason.
 */
import { Op } from '../../src/term/operators.ts';
import type { TermId } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';
import { Random } from '../sat/random.ts';
import type { Step, Stream } from '../support/stream.ts';
import { type SimulatedStep, type State, TransitionSystem } from './system.ts';

const RUNS = 4;
const RUN_LENGTH = 15;
const PREDICATES = 60; // between two registers, each about both states
const RELATIONS = 40; // between a register and one of the next state
const ADDRESSES = 6;
const LEAST_LITERALS = 5;
const MOST_LITERALS = 40;
const MOST_ALTERED = 3;
const SELDOM = 10; // one in so many of a value's causes is left out

export const STREAM_LOGIC = 'QF_ABV';

export function makeStream(questions: number): Stream {
  return new StreamMaker(questions).stream;
}

class StreamMaker {
  readonly stream: Stream;
  private readonly random = new Random(11);
  private readonly system = new TransitionSystem(this.random);
  private readonly samples: readonly SimulatedStep[];
  private readonly atoms: readonly TermId[]; // formulas that are true in some steps and false in others
  private readonly measured: readonly TermId[]; // terms that literals equate to their values
  private readonly steps: Step[] = [];

  constructor(questions: number) {
    const { system, steps } = this;
    const { terms, termCount, now, next } = system;
    this.samples = system.simulate(RUNS, RUN_LENGTH);
    this.atoms = [...this.predicates(), ...this.relations(), ...now.flags, ...next.flags];
    this.measured = [
      ...now.registers,
      ...next.registers,
      ...next.registers,
      ...system.inputs,
      ...this.cells(),
    ];
    for (const formula of system.formulas) steps.push({ kind: 'assert', formula });
    for (let asked = 0; asked < questions; ) asked += this.refinement(questions - asked);
    this.stream = { terms, termCount, steps };
  }

  // ---- what literals are about ----

  private predicates(): TermId[] {
    const { random, system } = this;
    const { terms, now, next } = system;
    return Array.from({ length: PREDICATES }, () => {
      const x = random.below(now.registers.length);
      const alike = now.registers.flatMap((y, i) =>
        i !== x && terms.sort(y) === terms.sort(now.registers[x]) ? [i] : [],
      );
      const y = this.pick(alike);
      const op = this.pick([Op.BVULT, Op.BVULE, Op.BVSLT, Op.EQ]);
      return [now, next].map(({ registers }: State) => terms.app(op, [registers[x], registers[y]]));
    }).flat();
  }

  private relations(): TermId[] {
    const { random, system } = this;
    const { terms, now, next } = system;
    return Array.from({ length: RELATIONS }, () => {
      const i = random.below(now.registers.length);
      const x = now.registers[i];
      const by = terms.bv(terms.width(x), random.below(4));
      return terms.eq(next.registers[i], random.below(2) === 0 ? x : terms.app(Op.BVADD, [x, by]));
    });
  }

  private cells(): TermId[] {
    const { random, system } = this;
    const { terms, now, next } = system;
    const bytes = now.registers.filter(x => terms.width(x) === 8);
    return Array.from({ length: ADDRESSES }, () => {
      const address = random.below(2) === 0 ? this.pick(bytes) : terms.bv(8, random.below(16));
      return [now, next].map(({ memory }) => terms.app(Op.SELECT, [memory, address]));
    }).flat();
  }

  // ---- questions ----

  /** A few questions about one step, at most `limit`. */
  private refinement(limit: number): number {
    const { random } = this;
    const sample = this.pick(this.samples);
    const { literals, focus } = this.cube(sample);
    const count = Math.min(limit, 1 + random.below(6));
    for (let i = 0; i < count; i++) {
      const rest = i === 0 ? literals : literals.filter(l => l === focus || random.below(8) > 0);
      const assumptions = this.alter(rest, focus, random.below(MOST_ALTERED + 1));
      this.steps.push({ kind: 'ask', assumptions });
    }
    return count;
  }

  /**
   * Literals that hold in a step. In the focus is the next value of one register; where the step starts and what that
   * value depends on are mostly among the literals.
   */
  private cube(sample: SimulatedStep): { literals: TermId[]; focus: TermId } {
    const { random, system } = this;
    const { now, next, terms } = system;
    const register = random.below(now.registers.length);
    const [focus] = this.values([next.registers[register]], sample);
    const chosen = new Set([focus]);
    const causes = [now.pc, ...system.support(register)].filter(() => random.below(SELDOM) > 0);
    for (const literal of this.values(causes, sample)) chosen.add(literal);
    if (random.below(4) === 0) chosen.add(this.valueOf(next.pc, sample(next.pc)));
    const count = LEAST_LITERALS + random.below(MOST_LITERALS - LEAST_LITERALS + 1);
    while (chosen.size < count) {
      const atom = this.pick(this.atoms);
      const isMeasured = random.below(3) > 0;
      if (isMeasured) chosen.add(this.values([this.pick(this.measured)], sample)[0]);
      else chosen.add(sample(atom) === true ? atom : terms.not(atom));
    }
    return { literals: [...chosen], focus };
  }

  /** Alters some literals, the one in the focus first. */
  private alter(literals: readonly TermId[], focus: TermId, count: number): TermId[] {
    const altered = [...literals];
    for (let i = 0; i < count; i++) {
      const at = i === 0 ? altered.indexOf(focus) : this.random.below(altered.length);
      altered[at] = this.altered(altered[at]);
    }
    return [...new Set(altered)];
  }

  /** The negation; or, if a term is said to have a value, mostly one that it has in another step, or the one after. */
  private altered(literal: TermId): TermId {
    const { random, system } = this;
    const { terms } = system;
    if (terms.op(literal) === Op.NOT) return terms.arg(literal, 0);
    const isValue = terms.op(literal) === Op.EQ && terms.op(terms.arg(literal, 1)) === Op.BV_CONST;
    if (!isValue || random.below(4) === 0) return terms.not(literal);
    const [t, value] = terms.args(literal);
    const other = this.valueOf(t, this.pick(this.samples)(t));
    return other === literal ? this.valueOf(t, Number(terms.bvValue(value)) + 1) : other;
  }

  private values(of: readonly TermId[], sample: SimulatedStep): TermId[] {
    return of.map(t => this.valueOf(t, sample(t)));
  }

  private valueOf(t: TermId, value: Value): TermId {
    const { terms } = this.system;
    return terms.eq(t, terms.bv(terms.width(t), value as number));
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random.below(from.length)];
  }
}
