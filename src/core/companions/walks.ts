/**
 * Random walks: runs of the system, step by step by evaluation, that look around now and then whether a violation is
 * near. They find what no symbolic search gets to, violations after tens of thousands of steps, and cost next to nothing
 * on the way. A walk has habits: it mostly repeats its last inputs, because that is what keeps a loop going; new
 * inputs are mostly values that the system itself speaks of.
 *
 * Walks are for systems in which every step is a matter of evaluation: no relations, no uninterpreted symbols.
 */
import type { Budget } from '../../sat/budget.ts';
import { Op } from '../../term/operators.ts';
import { SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import type { FunctionalSystem } from '../system/functional.ts';
import type { Step, Trace } from '../system/trace.ts';
import { Program } from './program.ts';
import { shortened } from './shorten.ts';

/** How long inputs stay as they are, on average, in steps: walks differ in that. */
const HABITS = [4, 64, 1000, 1_000_000];
/** A walk ends after so many changes of inputs, or so many steps, or where so many steps have changed nothing. */
const MAX_CHANGES = 100;
const MAX_LENGTH = 100_000;
const MAX_REST = 50;
/** A look around is taken after every so many steps, and while a walk is young. */
const LOOK_EVERY = 1000;
const YOUNG = 8;
/** A look around tries so many choices of inputs at each step, and goes as deep as that many evaluations of nodes allow. */
const LOOK_WIDTH = 4;
const LOOK_DEPTH = 3;
const LOOK_EFFORT = 300_000;
/** Nodes that may be evaluated to make the run shorter that was found. */
const SHORTEN_EFFORT = 30_000_000;
/** Choices of inputs that are tried where constraints forbid the first. */
const TRIES = 8;

type State = readonly Value[];
type Inputs = readonly Value[];

export interface WalkOptions {
  readonly seed: number;
  /** Its deadline ends attempts to make a run shorter. */
  readonly budget: Budget;
}

export class Walks {
  private readonly system: FunctionalSystem;
  private readonly terms: TermStore;
  private readonly initial: State;
  private readonly budget: Budget;
  private readonly program: Program; // of states, then inputs without a definition
  private readonly after: readonly number[]; // slots of what states are next
  private readonly conditions: readonly number[]; // slots of the constraints
  private readonly claim: number; // slot of the property
  private values: readonly Value[] = []; // by slot
  private readonly free: readonly TermId[]; // inputs without a definition
  private readonly pools: readonly (readonly Value[])[]; // values that the system speaks of, for each of them
  private readonly random: () => number;
  private state: State;
  private inputs: Inputs;
  private taken: Inputs[] = []; // the inputs of the walk so far
  private evaluated = 0; // nodes
  private habit = HABITS[0];
  private resting = 0; // steps that have changed nothing
  private readonly lookDepth: number;

  /** Can the system be walked? */
  static canWalk(system: FunctionalSystem): boolean {
    const { terms, states, inputs, definitions, relations, constraints, property } = system;
    if (relations.length > 0 || states.some(s => !definitions.has(s.next))) return false;
    const isArray = (t: TermId) => terms.sorts.isArray(terms.sort(t));
    if (inputs.some(y => isArray(y) && !definitions.has(y))) return false;
    const variables = new Set([...states.map(s => s.current), ...inputs]);
    const isUninterpreted = (t: TermId) => terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED;
    if ([...variables].some(isUninterpreted)) return false;
    return terms
      .postorder([...definitions.values(), ...constraints, property])
      .every(t => terms.op(t) !== Op.APPLY || variables.has(t));
  }

  /** `initial`: the values of the state variables in some initial state. */
  constructor(system: FunctionalSystem, initial: State, { seed, budget }: WalkOptions) {
    const { terms, definitions, constraints, property } = system;
    this.system = system;
    this.budget = budget;
    this.terms = terms;
    this.initial = initial;
    this.state = initial;
    this.free = system.inputs.filter(y => !definitions.has(y));
    const program = new Program(terms, [...system.states.map(s => s.current), ...this.free]);
    const inputs = new Set(system.inputs);
    for (const [variable, body] of definitions) {
      program.add([body]); // what it rests on is defined before it
      if (inputs.has(variable)) program.define(variable, body);
    }
    program.add([...constraints, property]);
    this.program = program;
    this.after = system.states.map(s => program.slot(definitions.get(s.next) as TermId));
    this.conditions = constraints.map(c => program.slot(c));
    this.claim = program.slot(property);
    const constants = terms.postorder([...definitions.values(), ...constraints, property]);
    this.pools = this.free.map(y => poolOf(terms, y, constants));
    this.random = generator(seed);
    this.lookDepth = Math.min(
      LOOK_DEPTH,
      Math.floor(Math.log(LOOK_EFFORT / program.size) / Math.log(LOOK_WIDTH)) - 1,
    );
    this.inputs = this.newInputs();
  }

  /** Walks on until about so many nodes have been evaluated; the run, if a violation is met. */
  next(effort: number): Trace | undefined {
    const end = this.evaluated + effort;
    while (this.evaluated < end) {
      const length = this.taken.length;
      if (length < YOUNG || length % LOOK_EVERY === 0) {
        const path = this.look(this.state, this.lookDepth);
        if (path !== undefined) return this.run(this.shortened([...this.taken, ...path]));
      }
      const isLong = length >= Math.min(MAX_LENGTH, MAX_CHANGES * this.habit);
      if (isLong || this.resting > MAX_REST || !this.step()) this.restart();
    }
    return undefined;
  }

  /** One step, with the inputs as they were, or with others; false if none was found that the constraints allow. */
  private step(): boolean {
    if (this.random() * this.habit < 1) this.inputs = this.newInputs();
    for (let i = 0; i < TRIES; i++) {
      this.evaluate(this.state, this.inputs);
      if (this.isAllowed()) {
        this.taken.push(this.inputs);
        const next = this.successor();
        this.resting = next.every((v, i) => v === this.state[i]) ? this.resting + 1 : 0;
        this.state = next;
        return true;
      }
      this.inputs = this.newInputs();
    }
    return false;
  }

  private shortened(path: readonly Inputs[]): readonly Inputs[] {
    const end = this.evaluated + SHORTEN_EFFORT;
    const deadline = this.budget.deadline ?? Number.POSITIVE_INFINITY;
    return shortened(
      path,
      candidate => this.follow(candidate),
      () => this.evaluated > end || Date.now() >= deadline,
    );
  }

  /** How many steps along inputs lead to a violation, if they do. */
  private follow(path: readonly Inputs[]): number | undefined {
    let state = this.initial;
    for (let i = 0; i < path.length; i++) {
      this.evaluate(state, path[i]);
      if (!this.isAllowed()) return undefined;
      if (this.values[this.claim] !== true) return i + 1;
      state = this.successor();
    }
    return undefined;
  }

  private restart(): void {
    this.state = this.initial;
    this.taken = [];
    this.resting = 0;
    this.habit = HABITS[Math.floor(this.random() * HABITS.length)];
    this.inputs = this.newInputs();
  }

  /** Inputs that lead from a state to a violation in a few steps, the last of them violating. */
  private look(state: State, depth: number): Inputs[] | undefined {
    for (let i = 0; i < LOOK_WIDTH; i++) {
      const inputs = i === 0 ? this.inputs : this.newInputs();
      this.evaluate(state, inputs);
      if (!this.isAllowed()) continue;
      if (this.values[this.claim] !== true) return [inputs];
      const path = depth <= 0 ? undefined : this.look(this.successor(), depth - 1);
      if (path !== undefined) return [inputs, ...path];
    }
    return undefined;
  }

  private evaluate(state: State, inputs: Inputs): void {
    this.evaluated += this.program.size;
    this.values = this.program.run(state, inputs);
  }

  private isAllowed(): boolean {
    return this.conditions.every(slot => this.values[slot] === true);
  }

  private successor(): State {
    return this.after.map(slot => this.values[slot]);
  }

  private newInputs(): Inputs {
    return this.free.map((y, i) => {
      const pool = this.pools[i];
      const isKnown = pool.length > 0 && this.random() < 0.7;
      return isKnown ? pool[Math.floor(this.random() * pool.length)] : this.anyValue(y);
    });
  }

  private anyValue(y: TermId): Value {
    const { terms } = this;
    const width = terms.width(y);
    if (width === 0) return this.random() < 0.5;
    let bits = 0n;
    for (let i = 0; i < width; i += 24) bits = (bits << 24n) | BigInt(Math.floor(this.random() * 2 ** 24));
    return terms.bvValue(terms.bv(width, bits));
  }

  /** The run along inputs, with all values. */
  private run(path: readonly Inputs[]): Trace {
    const { system } = this;
    const steps: Step[] = [];
    let state = this.initial;
    for (const inputs of path) {
      this.evaluate(state, inputs);
      const step = new Map(system.states.map((s, i) => [s.current, state[i]]));
      for (const y of system.inputs) step.set(y, this.values[this.program.slot(y)]);
      steps.push(step);
      state = this.successor();
    }
    const functionValue = () => {
      throw new Error('a system with functions is not walked');
    };
    return { steps, functionValue };
  }
}

/** The constants of an input's sort. */
function poolOf(terms: TermStore, y: TermId, all: readonly TermId[]): Value[] {
  if (terms.sorts.kind(terms.sort(y)) !== SortKind.BITVEC) return [];
  const constants = all.filter(t => terms.op(t) === Op.BV_CONST && terms.sort(t) === terms.sort(y));
  const extremes = [0, 1, -1].map(c => terms.bv(terms.width(y), c));
  return [...new Set([...extremes, ...constants])].map(t => terms.bvValue(t));
}

/** Numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}
