/**
 * The questions of bit-level IC3, asked of one incremental SAT solver. It holds the gates for good; a frame's clauses are
 * guarded by a literal of that frame, which implies those of all later frames, so that R_i is one assumption. The clause
 * ¬s of a question about s is guarded by a literal of its own that is false ever after; when too many clauses are dead,
 * the solver is made anew.
 *
 * A question decides only what it can depend on: the nodes below its goals (compare Su et al., "The rIC3 Hardware
 * Model Checker", CAV 2025). Gates outside follow their arguments, so they are no obstacle. A clause of a frame may be one:
 * a state of the answer is then excluded by latches outside of the cone. That costs an obligation that is blocked at once,
 * and never soundness; where the initial states are not given by constants, their cone is part of the question.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import { type Lit, negate, positive } from '../../../sat/literals.ts';
import { Solver } from '../../../sat/solver.ts';
import { Unknown } from '../../../sat/unknown.ts';
import { ready, type Work } from '../../../sat/work.ts';
import type { Effort } from '../effort.ts';
import { FOREVER, type Frames } from '../ic3/frames.ts';
import { type Cube, cubeOf } from '../ic3/literal-cube.ts';
import type { Queries, Reached, Unreachable } from '../ic3/queries.ts';
import type { Activity } from './activity.ts';
import type { Circuit } from './circuit.ts';
import type { Lifter } from './lift.ts';
import { UNKNOWN } from './ternary.ts';

/** States with the given inputs that satisfy the constraints and lead into the successor, or violate the property. */
export interface BitState {
  readonly cube: Cube;
  /** The nodes of inputs that are true. */
  readonly inputs: Int32Array;
}

/** So many clauses may be dead before the solver is made anew, and more if it is large. */
const MAX_DEAD = 700;
const NODES_PER_DEAD = 4;

/** Every question leaves a unit clause behind, so the solver's own idea of when to sweep is far too eager. */
const UNITS_BETWEEN_SWEEPS = 200;

export class BitQueries implements Queries<Cube, BitState> {
  readonly counts = { bad: 0, relative: 0, initial: 0, solvers: 0 };
  /** The cone of the last question, arguments first, and the goals of it. */
  private readonly cone = new IntStack();
  private readonly goals: number[] = [];
  /** By node of the cone, after the answer sat. */
  private readonly values: Uint8Array;
  private readonly circuit: Circuit;
  private readonly frames: Frames<Cube>;
  private readonly activity: Activity;
  private readonly lifter: Lifter;
  private readonly effort: Effort;
  private readonly seed: number;
  private solver = new Solver();
  private guards: Lit[] = []; // by level
  private dead = 0; // questions whose clause is of no use any more
  private maxDead = 0; // how many of them, and of superseded cubes, make a new solver due
  private released: Lit | undefined; // the guard of the last one
  private spent = { conflicts: 0, propagations: 0 }; // by solvers before this one
  private readonly assumptions: Lit[] = [];
  private question = 0;
  private needed: Int32Array; // by SAT variable: the last question that needs it decided
  private readonly path: Int32Array; // from a goal to a node of the cone: nodes and how far their arguments are done
  private readonly coreMark: Int32Array; // by literal of the circuit: the last question in whose core it was

  constructor(
    circuit: Circuit,
    frames: Frames<Cube>,
    activity: Activity,
    lifter: Lifter,
    effort: Effort,
    seed: number,
  ) {
    const { count } = circuit.netlist;
    this.lifter = lifter;
    this.circuit = circuit;
    this.frames = frames;
    this.activity = activity;
    this.effort = effort;
    this.seed = seed;
    this.values = new Uint8Array(count);
    this.needed = new Int32Array(count);
    this.path = new Int32Array(2 * count);
    this.cone.reserve(count);
    this.coreMark = new Int32Array(2 * count);
    this.renew();
  }

  get stats(): { conflicts: number; propagations: number } {
    const { conflicts, propagations } = this.solver.stats;
    return {
      conflicts: this.spent.conflicts + conflicts,
      propagations: this.spent.propagations + propagations,
    };
  }

  exclude(cube: Cube, level: number): void {
    const clause = Array.from(cube.literals, l => (l ^ 1) as Lit);
    if (level !== FOREVER) clause.push(negate(this.guard(level)));
    this.solver.addClause(clause);
  }

  *bad(level: number): Work<Reached<BitState> | undefined> {
    const { circuit, assumptions, goals } = this;
    this.counts.bad++;
    this.begin(level);
    assumptions.push(circuit.bad as Lit);
    goals.push(circuit.bad);
    return (yield* this.ask()) ? this.reached : undefined;
  }

  *relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<BitState> | Unreachable<Cube>> {
    const { circuit, assumptions, goals } = this;
    const { next, relation } = circuit;
    const { literals } = cube;
    this.counts.relative++;
    this.begin(level - 1);
    if (circuit.hasRelation) {
      assumptions.push(relation as Lit);
      goals.push(relation);
    }
    if (!isExcluded) {
      this.reserveClause(literals);
      for (let i = 0; i < literals.length; i++) this.reach(literals[i]);
    }
    const order = this.activity.ascending(cube);
    for (let i = order.length - 1; i >= 0; i--) {
      const after = next[order[i] >> 1] ^ (order[i] & 1);
      assumptions.push(after as Lit);
      goals.push(after);
    }
    if (yield* this.ask()) return this.reached;
    const failed = this.solver.core();
    const mark = ++this.question;
    let isForever = true;
    for (const l of failed) {
      if (l < this.coreMark.length) this.coreMark[l] = mark;
      else if (l === this.guards[level - 1]) isForever = false;
    }
    const core = literals.filter(l => this.coreMark[next[l >> 1] ^ (l & 1)] === mark);
    return { core: cubeOf(core), level: isForever ? FOREVER : level };
  }

  /** Do the initial states and the constraints leave any state to begin in? */
  *hasInitialState(): Work<boolean> {
    this.counts.initial++;
    this.begin(0);
    return yield* this.ask();
  }

  *initialCore(cube: Cube): Work<Cube | undefined> {
    const { circuit, assumptions } = this;
    const { initial } = circuit;
    for (const l of cube.literals) {
      if (initial[l >> 1] !== UNKNOWN && initial[l >> 1] === (l & 1)) return cubeOf([l]);
    }
    if (circuit.initialRest.length === 0) return undefined;
    this.counts.initial++;
    this.begin(0);
    for (const l of cube.literals) {
      assumptions.push(l as Lit);
      this.reach(l);
    }
    if (yield* this.ask()) return undefined;
    const failed = new Set<number>(this.solver.core());
    return cubeOf(cube.literals.filter(l => failed.has(l)));
  }

  /** What the last answer's step rests on, and its inputs. */
  private readonly reached: Reached<BitState> = {
    state: () =>
      ready({ cube: this.lifter.lift(this.cone, this.values, this.goals), inputs: this.trueInputs() }),
  };

  /** The inputs that are true in the model. */
  private trueInputs(): Int32Array {
    const { cone, values, circuit } = this;
    const { latchCount, firstGate } = circuit.netlist;
    const found: number[] = [];
    for (let i = 0; i < cone.size; i++) {
      const n = cone.data[i];
      if (n > latchCount && n < firstGate && values[n] === 1) found.push(n);
    }
    return Int32Array.from(found);
  }

  private guard(level: number): Lit {
    const { guards, solver } = this;
    while (guards.length <= level) {
      const guard = positive(solver.newVar());
      // R_0 are the initial states: no clause of a later frame is needed to exclude anything from them.
      if (guards.length > 1) solver.addClause([negate(guards[guards.length - 1]), guard]);
      guards.push(guard);
    }
    return guards[level];
  }

  private begin(level: number): void {
    const { circuit, frames } = this;
    if (this.dead + frames.dead > this.maxDead) this.renew();
    if (this.released !== undefined) this.solver.addClause([negate(this.released)]);
    this.released = undefined;
    this.assumptions.length = 0;
    if (level < FOREVER) this.assumptions.push(this.guard(level));
    this.goals.length = 0;
    this.cone.clear();
    this.question++;
    for (const l of circuit.constraints) this.goals.push(l);
    if (level === 0) for (const l of circuit.initialRest) this.reach(l);
  }

  /** Assumes the negation of a cube for this question. */
  private reserveClause(literals: Int32Array): void {
    const guard = positive(this.solver.newVar());
    const clause = Array.from(literals, l => (l ^ 1) as Lit);
    clause.push(negate(guard));
    this.solver.addClause(clause);
    this.assumptions.push(guard);
    this.released = guard;
    this.dead++;
  }

  private *ask(): Work<boolean> {
    const { goals, cone, solver, effort, values } = this;
    for (const g of goals) this.reach(g);
    if (this.needed.length < solver.varCount) this.growNeeded();
    for (;;) {
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
      solver.restrictDecisions(cone.data, cone.size, this.needed, this.question);
      const before = solver.stats.propagations;
      const answer = solver.solve(this.assumptions, effort.allowance);
      effort.spend(solver.stats.propagations - before + 1);
      if (answer === 'unsat') return false;
      if (answer === 'sat') break;
      if (solver.unknownReason !== 'propagations') throw new Unknown(solver.unknownReason ?? 'incomplete');
      effort.left = 0;
    }
    for (let i = 0; i < cone.size; i++) {
      const n = cone.data[i];
      values[n] = solver.value((n << 1) as Lit) === true ? 1 : 0;
    }
    return true;
  }

  /** Variables that are no nodes are assumed, implied or of no use: they are never decided. */
  private growNeeded(): void {
    const larger = new Int32Array(2 * this.solver.varCount);
    larger.set(this.needed);
    this.needed = larger;
  }

  /** Puts all nodes below a literal into the cone, arguments first. Asked for each goal of each question. */
  private reach(literal: number): void {
    const { needed, question, cone, path } = this;
    const { start, fanin } = this.circuit.netlist;
    const root = literal >> 1;
    if (needed[root] === question) return;
    needed[root] = question;
    const nodes = cone.data;
    let size = cone.size;
    let n = root;
    let k = start[root];
    let depth = 0;
    for (;;) {
      const end = start[n + 1];
      let below = -1;
      while (k < end) {
        const m = fanin[k++] >> 1;
        if (needed[m] === question) continue;
        needed[m] = question;
        // What has no arguments need not be entered.
        if (start[m] === start[m + 1]) {
          nodes[size++] = m;
          continue;
        }
        below = m;
        break;
      }
      if (below >= 0) {
        path[depth++] = n;
        path[depth++] = k;
        n = below;
        k = start[n];
        continue;
      }
      nodes[size++] = n;
      if (depth === 0) break;
      k = path[--depth];
      n = path[--depth];
    }
    cone.size = size;
  }

  /** A new solver with what is alive. */
  private renew(): void {
    const { circuit, frames } = this;
    this.spent = this.stats;
    this.counts.solvers++;
    const solver = new Solver({ seed: this.seed, simplifyInterval: UNITS_BETWEEN_SWEEPS });
    this.solver = solver;
    for (let n = 0; n < circuit.netlist.count; n++) solver.newVar();
    circuit.netlist.addClauses(clause => solver.addClause(clause));
    for (const l of circuit.constraints) solver.addClause([l as Lit]);
    this.guards = [];
    this.released = undefined;
    this.dead = 0;
    frames.dead = 0;
    this.maxDead = MAX_DEAD + frames.size + circuit.netlist.count / NODES_PER_DEAD;
    const isInitial = this.guard(0);
    circuit.initial.forEach((value, n) => {
      if (n > 0 && value !== UNKNOWN) solver.addClause([negate(isInitial), ((n << 1) | (1 - value)) as Lit]);
    });
    for (const l of circuit.initialRest) solver.addClause([negate(isInitial), l as Lit]);
    for (let level = 1; level <= frames.depth; level++) {
      for (const cube of frames.at(level)) this.exclude(cube, level);
    }
    for (const cube of frames.at(FOREVER)) this.exclude(cube, FOREVER);
  }
}
