/**
 * The state of the search, shared by the files that each implement one technique on it. It is a table: no
 * logic beyond making room for variables. Layouts:
 *
 *   values    by literal: 1 true, -1 false, 0 unassigned
 *   reason    by variable: 0 decision or root unit; > 0 the cref of the clause that implied it;
 *             LAZY the theory knows why; otherwise -2 - other, for the binary clause with literal `other`
 *   conflict  as an answer of propagation: 0 none; > 0 a cref; BINARY_CONFLICT, both literals in `pair`
 *
 * Numbers in fields stay integers, and fractions live in typed arrays: a field that turns from integer to fraction
 * changes the hidden class of the whole table, and the engine throws away all code compiled for the old one.
 *
 * Invariants between calls: the trail is closed under unit propagation up to `propagated`; levels never decrease
 * along the trail; a false watched literal has a true partner of the same or a lower level.
 */
import { Arena } from './arena.ts';
import { Average, ReluctantDoubling } from './averages.ts';
import { Meter } from './budget.ts';
import { ScoreHeap } from './heap.ts';
import { grownInts, IntStack } from './int-stack.ts';
import { initialPhase, type Options } from './options.ts';
import type { ProofLog } from './proof.ts';
import { MoveToFrontQueue } from './queue.ts';
import type { TheoryPort } from './theory.ts';
import { LiteralLists } from './watches.ts';

export const DECISION = 0;
export const LAZY = -1;
export const BINARY_CONFLICT = -1;

/** Binary reasons are coded below LAZY. */
export function binaryReason(other: number): number {
  return -2 - other;
}

/** Counters of one solver, over all its calls. */
export class Stats {
  solves = 0; // calls of solve
  conflicts = 0; // conflicts analysed
  decisions = 0; // decisions, without assumptions
  propagations = 0; // literals taken from the trail by propagation
  restarts = 0; // restarts in both modes
  reductions = 0; // reductions of the learnt clauses
  collections = 0; // garbage collections of the arena
  reused = 0; // levels kept from one call to the next
  learntLiterals = 0; // literals of learnt clauses after minimisation
  minimizedLiterals = 0; // literals that minimisation removed
  stableConflicts = 0; // conflicts in stable mode
  modeSwitches = 0; // changes between focused and stable mode
  rephased = 0; // resets of the saved phases
  simplifications = 0; // sweeps that removed clauses satisfied at the root
  theoryPropagations = 0; // literals implied by the theory
  theoryExplanations = 0; // lazy reasons that were asked for
  theoryClauses = 0; // clauses added by the theory
}

export class State {
  readonly options: Options;
  readonly stats = new Stats();

  // Assignment
  varCount = 0; // number of variables
  values = new Int8Array(0); // by literal
  level = new Int32Array(0); // by variable: decision level of its assignment
  reason = new Int32Array(0); // by variable: see above
  trail = new Int32Array(0); // assigned literals in order of assignment
  trailSize = 0; // how many
  propagated = 0; // how many of them have been propagated
  decisionLevel = 0; // current level
  levelStart = new Int32Array(16); // by level: trail size before its decision
  levelLit = new Int32Array(16); // by level: its decision or assumption

  // Clauses
  readonly arena = new Arena();
  readonly watches = new LiteralLists(); // pairs (blocker, cref)
  readonly binaries = new LiteralLists(); // other literals
  readonly irredundant = new IntStack(); // crefs of the clauses that were given
  readonly learnts = new IntStack(); // crefs of the clauses that were learnt
  readonly activityStep = new Float64Array([1]); // activity of a learnt clause grows by this when used
  reduceAt: number; // learnt clauses that make a reduction due
  maxLearnts = 0; // learnt clauses to hold in the long run
  readonly pair = new Int32Array(2); // the literals of a binary conflict
  isOk = true; // false once the clauses are unsatisfiable without assumptions
  fixedWhenSimplified = 0; // root literals at the last removal of satisfied clauses
  nextSimplifyTicks = 0; // when another removal may pay

  // Decisions
  readonly queue = new MoveToFrontQueue(); // order of focused mode
  readonly heap = new ScoreHeap(); // order of stable mode
  isDecision = new Uint8Array(0); // by variable: may be decided
  candidates = new Int32Array(0); // with restricted decisions: the variables to decide
  candidateCount = 0; // how many
  isStatic = false; // decide the candidates in their order
  staticUntil = 0; // in conflicts: when to give that up
  levelCandidate = new Int32Array(16); // by level: candidates before this one are assigned
  needed: Int32Array | undefined; // by variable: the last question that needs it decided; undefined = all do
  question = 0; // the current question
  readonly passedOver = new IntStack(); // variables taken from the heap and not needed
  saved = new Int8Array(0); // by variable: last value, 1 or -1
  target = new Int8Array(0); // by variable: value in the longest conflict-free trail since rephasing, or 0
  best = new Int8Array(0); // by variable: value in the longest one since the last "best" rephasing, or 0
  targetSize = 0; // length of the target trail
  bestSize = 0; // length of the best trail

  // Conflict analysis
  flags = new Uint8Array(0); // by variable: marks of the analysis, see analyze.ts
  readonly analyzed = new IntStack(); // variables with marks
  readonly learnt = new IntStack(); // the learnt clause, the asserting literal first
  readonly minimizeStack = new IntStack(); // path of the minimisation
  levelMark = new Int32Array(16); // by level: equal to `levelEpoch` if it occurs in the learnt clause
  levelEpoch = 0; // the current analysis
  glueMark = new Int32Array(16); // by level: equal to `glueEpoch` if it occurs in the clause being counted
  glueEpoch = 0; // the current count
  glue = 0; // levels of the learnt clause but its own
  backjumpLevel = 0; // level to which the learnt clause goes back
  sortKeys = new Float64Array(64); // for sorting variables and clauses

  // Pace
  ticks = 0; // memory accesses of propagation, the solver's deterministic clock
  isStable = true; // stable or focused mode
  readonly fastGlue: Average; // of focused mode
  readonly slowGlue: Average; // of focused mode
  readonly reluctant: ReluctantDoubling; // of stable mode
  isRestartDue = false; // set by the reluctant doubling
  nextRestart = 0; // in conflicts
  nextLearntsGrowth = 100; // in conflicts
  nextRephase: number; // in conflicts
  followsTarget = false; // decisions take their values from the target trail
  nextModeTicks = 0; // end of the current phase
  phaseTicks = 0; // ticks of the first phase
  readonly meter = new Meter();

  // Calls
  assumptions = new Int32Array(16); // of the current call
  assumptionCount = 0; // how many
  literalMark = new Int32Array(0); // by literal: epoch of the last `markEpoch` that met it
  markEpoch = 0;
  readonly core = new IntStack(); // failed assumptions of the last call
  readonly scratch = new IntStack(); // a clause that is being added
  port: TheoryPort | undefined; // the connected theory
  proof: ProofLog | undefined; // where derivations are logged
  proofFixed = 0; // root literals that the proof knows as unit clauses

  constructor(options: Options) {
    this.options = options;
    this.fastGlue = new Average(options.fastAlpha);
    this.slowGlue = new Average(options.slowAlpha);
    this.reluctant = new ReluctantDoubling(options.reluctantPeriod);
    this.reduceAt = options.learntsFirst;
    this.nextRephase = options.rephaseInterval;
  }

  /** Makes a variable; its number is the old `varCount`. */
  newVar(): number {
    const v = this.varCount;
    if (v === this.level.length) this.growVars(Math.max(64, v * 2));
    this.varCount = v + 1;
    this.isDecision[v] = 1;
    this.saved[v] = initialPhase(this.options, v);
    this.queue.append(v);
    this.queue.unassigned(v);
    this.heap.insert(v);
    return v;
  }

  /** Makes room for one more decision level. */
  growLevels(): void {
    const count = this.levelStart.length * 2;
    this.levelStart = grownInts(this.levelStart, count);
    this.levelLit = grownInts(this.levelLit, count);
    this.levelCandidate = grownInts(this.levelCandidate, count);
    this.levelMark = grownInts(this.levelMark, count);
    this.glueMark = grownInts(this.glueMark, count);
  }

  private growVars(count: number): void {
    this.values = grownBytes(this.values, count * 2);
    this.level = grownInts(this.level, count);
    this.reason = grownInts(this.reason, count);
    this.trail = grownInts(this.trail, count);
    this.saved = grownBytes(this.saved, count);
    this.target = grownBytes(this.target, count);
    this.best = grownBytes(this.best, count);
    this.literalMark = grownInts(this.literalMark, count * 2);
    this.isDecision = new Uint8Array(grownBytes(this.isDecision, count));
    this.flags = new Uint8Array(grownBytes(this.flags, count));
    this.queue.ensureVars(count);
    this.heap.ensureVars(count);
    this.watches.ensureLiterals(count * 2);
    this.binaries.ensureLiterals(count * 2);
  }
}

function grownBytes(old: ArrayLike<number>, count: number): Int8Array<ArrayBuffer> {
  const bigger = new Int8Array(count);
  bigger.set(old);
  return bigger;
}
