/**
 * Random walks: runs of the system, step by step by evaluation, that look around now and then whether a violation is
 * near. They find what no symbolic search gets to, violations after tens of thousands of steps, and cost next to nothing
 * on the way. A walk has habits: it mostly repeats its last inputs, because that is what keeps a loop going; new
 * inputs are mostly values that the system itself speaks of. Inputs that choose between alternatives are different: there,
 * whatever alternative is possible is taken.
 *
 * Walks are for systems in which every step is a matter of evaluation: no relations about next states, no uninterpreted
 * symbols.
 */

import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import { Program } from '../../../term/program.ts';
import { SortKind } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { NO_FUNCTIONS } from '../../problem/derivation.ts';
import { Draw } from '../../problem/draw.ts';
import { FreeOf } from '../../problem/literals.ts';
import type { Trace, TraceStep } from '../../problem/trace.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';
import { InitialStates, type State } from './initial-states.ts';
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
/** Choices of inputs that are tried where the system forbids the first, if not more alternatives call for more. */
const TRIES = 8;

export type Inputs = readonly Value[];

export class Walks {
  private readonly system: TransitionSystem;
  private readonly terms: TermStore;
  private readonly starts: InitialStates;
  private readonly program: Program; // of states, then inputs
  private readonly after: readonly number[]; // slots of what states are next
  private readonly conditions: readonly number[]; // slots of the constraints
  private readonly rules: readonly number[]; // slots of what a step must satisfy beyond that
  private readonly claim: number; // slot of the property
  private values: readonly Value[] = []; // by slot
  private readonly inputVariables: readonly TermId[];
  private readonly pools: readonly (readonly Value[])[]; // values that the system speaks of, for each of them
  private readonly choices: readonly (readonly number[])[]; // groups of them, by place, of which one is to be true
  private readonly tries: number;
  private readonly draw: Draw;
  private start: State; // of the walk
  private state: State;
  private inputs: Inputs;
  private taken: Inputs[] = []; // the inputs of the walk so far
  /** Nodes so far. */
  evaluated = 0;
  /** Steps of all walks, and how many walks there were. */
  readonly counts = { steps: 0, walks: 1 };
  private habit = HABITS[0];
  private resting = 0; // steps that have changed nothing
  private readonly lookDepth: number;

  /** Can the system be walked? */
  static canWalk(system: TransitionSystem): boolean {
    const { terms, states, inputs, definitions, relations, constraints, property } = system;
    if (states.some(s => !definitions.has(s.next))) return false;
    const ofNow = new FreeOf(terms, new Set(states.map(s => s.next)));
    if (!relations.every(f => ofNow.has(f))) return false;
    const isArray = (t: TermId) => terms.sorts.isArray(terms.sort(t));
    if (inputs.some(isArray)) return false;
    const variables = new Set([...states.map(s => s.current), ...inputs]);
    const isUninterpreted = (t: TermId) => terms.sorts.kind(terms.sort(t)) === SortKind.UNINTERPRETED;
    if ([...variables].some(isUninterpreted)) return false;
    return terms
      .postorder([...system.init, ...definitions.values(), ...relations, ...constraints, property])
      .every(t => terms.op(t) !== Op.APPLY || variables.has(t));
  }

  /** `initial`: the values of the state variables in some initial state. */
  constructor(system: TransitionSystem, initial: State, seed: number) {
    const { terms, definitions, relations, constraints, property, inputs } = system;
    this.system = system;
    this.terms = terms;
    this.starts = new InitialStates(system, initial);
    this.start = initial;
    this.state = initial;
    this.inputVariables = inputs;
    const program = new Program(terms, [...system.states.map(s => s.current), ...inputs]);
    program.add([...definitions.values()]);
    program.add([...relations, ...constraints, property]);
    this.program = program;
    this.after = system.states.map(s => program.slot(definitions.get(s.next) as TermId));
    this.conditions = constraints.map(c => program.slot(c));
    this.rules = relations.map(f => program.slot(f));
    this.claim = program.slot(property);
    const constants = terms.postorder([...definitions.values(), ...relations, ...constraints, property]);
    this.pools = inputs.map(y => poolOf(terms, y, constants));
    const place = new Map(inputs.map((y, i) => [y, i]));
    this.choices = system.choices
      .map(group => group.flatMap(y => place.get(y) ?? []))
      .filter(group => group.length > 0);
    this.tries = this.choices.reduce((most, group) => Math.max(most, 2 * group.length), TRIES);
    this.draw = new Draw(terms, seed);
    this.lookDepth = Math.min(
      LOOK_DEPTH,
      Math.floor(Math.log(LOOK_EFFORT / program.size) / Math.log(LOOK_WIDTH)) - 1,
    );
    this.inputs = this.newInputs();
  }

  /** Walks until a violation is met; the inputs that lead there. Pauses after every step. */
  *search(): Work<Inputs[]> {
    for (;;) {
      yield 'turn';
      const length = this.taken.length;
      if (length < YOUNG || length % LOOK_EVERY === 0) {
        const path = this.look(this.state, this.lookDepth);
        if (path !== undefined) return [...this.taken, ...path];
      }
      const isLong = length >= Math.min(MAX_LENGTH, MAX_CHANGES * this.habit);
      const outcome = isLong || this.resting > MAX_REST ? 'nowhere' : this.step();
      if (outcome === 'violation') return [...this.taken, this.inputs];
      if (outcome === 'nowhere') this.restart();
    }
  }

  /** The run along inputs that lead to a violation, or along fewer of them. Pauses between attempts. */
  *shortRun(path: readonly Inputs[]): Work<Trace> {
    const end = this.evaluated + SHORTEN_EFFORT;
    const shorter = yield* shortened(
      path,
      candidate => this.follow(candidate),
      () => this.evaluated > end,
    );
    return this.run(shorter);
  }

  /** One step, with the inputs as they were, or with others; or the inputs violate the property here; or none are allowed. */
  private step(): 'step' | 'violation' | 'nowhere' {
    if (this.draw.chance(1 / this.habit)) this.inputs = this.newInputs();
    for (let i = 0; i < this.tries; i++) {
      this.evaluate(this.state, this.inputs);
      if (this.isAllowed()) {
        if (this.values[this.claim] !== true) return 'violation';
        if (this.isStep()) {
          this.take();
          return 'step';
        }
      }
      this.inputs = this.otherInputs(i);
    }
    return 'nowhere';
  }

  private take(): void {
    this.taken.push(this.inputs);
    this.counts.steps++;
    const next = this.successor();
    this.resting = next.every((v, i) => v === this.state[i]) ? this.resting + 1 : 0;
    this.state = next;
  }

  /** How many steps along inputs lead to a violation, if they do. */
  private follow(path: readonly Inputs[]): number | undefined {
    let state = this.start;
    for (let i = 0; i < path.length; i++) {
      this.evaluate(state, path[i]);
      if (!this.isAllowed()) return undefined;
      if (this.values[this.claim] !== true) return i + 1;
      if (!this.isStep()) return undefined;
      state = this.successor();
    }
    return undefined;
  }

  private restart(): void {
    this.counts.walks++;
    this.evaluated += this.starts.cost;
    this.start = this.starts.next(y => this.draw.value(this.terms.sort(y)));
    this.state = this.start;
    this.taken = [];
    this.resting = 0;
    this.habit = HABITS[this.draw.below(HABITS.length)];
    this.inputs = this.newInputs();
  }

  /** Inputs that lead from a state to a violation in a few steps, the last of them violating. */
  private look(state: State, depth: number): Inputs[] | undefined {
    for (let i = 0; i < LOOK_WIDTH; i++) {
      const inputs = i === 0 ? this.inputs : this.newInputs();
      this.evaluate(state, inputs);
      if (!this.isAllowed()) continue;
      if (this.values[this.claim] !== true) return [inputs];
      const path = depth <= 0 || !this.isStep() ? undefined : this.look(this.successor(), depth - 1);
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

  /** Is there a step, where the inputs are allowed? */
  private isStep(): boolean {
    return this.rules.every(slot => this.values[slot] === true);
  }

  private successor(): State {
    return this.after.map(slot => this.values[slot]);
  }

  private newInputs(): Inputs {
    const inputs = this.inputVariables.map((y, i) => {
      const pool = this.pools[i];
      const isKnown = pool.length > 0 && this.draw.chance(0.7);
      return isKnown ? pool[this.draw.below(pool.length)] : this.draw.value(this.terms.sort(y));
    });
    for (const group of this.choices) choose(inputs, group, this.draw.below(group.length));
    return inputs;
  }

  /** Inputs to be tried after some others: the next alternatives first, if there are any. */
  private otherInputs(tries: number): Inputs {
    if (this.choices.length === 0 || tries >= this.tries / 2) return this.newInputs();
    const inputs = [...this.inputs];
    for (const group of this.choices) {
      const chosen = group.findIndex(i => inputs[i] === true);
      choose(inputs, group, (chosen + 1) % group.length);
    }
    return inputs;
  }

  /** The run along inputs, with all values. */
  private run(path: readonly Inputs[]): Trace {
    const { system } = this;
    const steps: TraceStep[] = [];
    let state = this.start;
    for (const inputs of path) {
      this.evaluate(state, inputs);
      const step = new Map(system.states.map((s, i) => [s.current, state[i]]));
      for (const y of system.inputs) step.set(y, this.values[this.program.slot(y)]);
      steps.push(step);
      state = this.successor();
    }
    return { steps, functionValue: NO_FUNCTIONS };
  }
}

/** Makes one of a group of inputs true and the others false. */
function choose(inputs: Value[], group: readonly number[], chosen: number): void {
  for (let k = 0; k < group.length; k++) inputs[group[k]] = k === chosen;
}

/** The constants of an input's sort. */
function poolOf(terms: TermStore, y: TermId, all: readonly TermId[]): Value[] {
  if (terms.sorts.kind(terms.sort(y)) !== SortKind.BITVEC) return [];
  const constants = all.filter(t => terms.op(t) === Op.BV_CONST && terms.sort(t) === terms.sort(y));
  const extremes = [0, 1, -1].map(c => terms.bv(terms.width(y), c));
  return [...new Set([...extremes, ...constants])].map(t => terms.bvValue(t));
}
