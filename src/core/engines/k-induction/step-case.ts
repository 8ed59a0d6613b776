/**
 * The step of k-induction: are k states without a violation, one after another, followed by none? The path begins anywhere.
 * It goes through different states, since a shortest run with a violation does; that is said of two states only once a model
 * has them equal (Eén and Sörensson, "Temporal Induction by Incremental SAT Solving", BMC 2003). Where states of the user's
 * problem have become one, it cannot be said at all: a run may well come back to such a state.
 *
 * It is asked in two readings. Where operations on data are uninterpreted, a wide data path costs nothing, and what cannot be
 * there cannot be at all; bit by bit, arithmetic counts.
 */
import { OwnEngine } from '../../../bv/own-engine.ts';
import { ConcreteSolver } from '../../../bv/solver.ts';
import { EufSolver } from '../../../euf/solver.ts';
import type { Budget } from '../../../sat/budget.ts';
import type { Result } from '../../../sat/solver.ts';
import type { UnknownReason } from '../../../sat/unknown.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { valueKey } from '../../../term/value.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';
import { Unrolling } from '../../problem/unrolling.ts';

/** A solver of one of the readings. */
interface Reading {
  assert(formula: TermId): void;
  solve(assumptions: readonly TermId[], budget: Budget): Result;
  readonly unknownReason: UnknownReason | undefined;
  /** After `sat`: something that is the same for variables that the model makes equal. */
  keys(): (variable: TermId) => string;
  readonly propagations: number;
}

export class StepCase {
  /** The number of states without a violation that are asked about. */
  k = 0;
  private readonly system: TransitionSystem;
  private readonly unrolling: Unrolling;
  private readonly reading: Reading;
  private readonly isSimple: boolean;
  private distinct = 0; // pairs of states that are said to be different

  /** `isSimple`: may states be said to be different? */
  constructor(system: TransitionSystem, kind: 'abstract' | 'bits', isSimple: boolean) {
    this.system = system;
    this.isSimple = isSimple;
    this.unrolling = new Unrolling(system);
    this.reading =
      kind === 'abstract' ? abstractReading(this.unrolling.terms) : bitReading(this.unrolling.terms);
    for (const c of system.constraints) this.reading.assert(this.unrolling.at(c, 0));
  }

  /** What has been done so far, in propagations. */
  get work(): number {
    return this.reading.propagations + COST_OF_A_TERM * this.unrolling.size * (this.k + 1);
  }

  get pairs(): number {
    return this.distinct;
  }

  /** One state more. */
  extend(): void {
    const { system, unrolling, reading } = this;
    const { terms } = unrolling;
    const i = this.k++;
    reading.assert(unrolling.at(system.property, i));
    for (const [next, body] of system.definitions)
      reading.assert(terms.eq(unrolling.at(next, i), unrolling.at(body, i)));
    for (const f of system.relations) reading.assert(unrolling.at(f, i));
    for (const c of system.constraints) reading.assert(unrolling.at(c, i + 1));
  }

  /** `unsat`: the property is k-inductive; `sat`: it is not; `unknown`: the budget is used up, to be asked again. */
  ask(budget: Budget): Result {
    const { reading, unrolling, system } = this;
    const end = reading.propagations + (budget.propagations ?? Number.POSITIVE_INFINITY);
    const bad = unrolling.terms.not(unrolling.at(system.property, this.k));
    for (;;) {
      const propagations = Math.max(1, end - reading.propagations);
      const answer = reading.solve([bad], { ...budget, propagations });
      if (answer !== 'sat' || !this.isSimple || !this.separate()) return answer;
    }
  }

  get unknownReason(): UnknownReason | undefined {
    return this.reading.unknownReason;
  }

  /** Says that states of the model's path are different which it makes equal; false if there are none. */
  private separate(): boolean {
    const { system, unrolling, reading, k } = this;
    const { terms } = unrolling;
    const variables = system.states.map(s => s.current);
    const keyOf = reading.keys();
    const first = new Map<string, number>(); // the state with a key
    const pairs: [number, number][] = [];
    for (let i = 0; i <= k; i++) {
      const key = variables.map(v => keyOf(unrolling.variable(v, i))).join(' ');
      const same = first.get(key);
      if (same === undefined) first.set(key, i);
      else pairs.push([same, i]);
    }
    for (const [i, j] of pairs) {
      const differ = (v: TermId) => terms.not(terms.eq(unrolling.variable(v, i), unrolling.variable(v, j)));
      reading.assert(terms.or(variables.map(differ)));
      this.distinct++;
    }
    return pairs.length > 0;
  }
}

/** To copy a term, in propagations. */
const COST_OF_A_TERM = 20;

function abstractReading(terms: TermStore): Reading {
  const solver = new EufSolver(terms);
  return {
    assert: f => solver.assert(f),
    solve: (assumptions, budget) => solver.solve(assumptions, budget),
    get unknownReason() {
      return solver.unknownReason;
    },
    keys: () => {
      const model = solver.model();
      return v => String(model.value(v));
    },
    get propagations() {
      return solver.stats.propagations;
    },
  };
}

function bitReading(terms: TermStore): Reading {
  const sat = new OwnEngine();
  const solver = new ConcreteSolver(terms, { backEnd: () => sat });
  return {
    assert: f => solver.assert(f),
    solve: (assumptions, budget) => solver.solve(assumptions, budget),
    get unknownReason() {
      return solver.unknownReason;
    },
    keys: () => {
      const model = solver.model();
      return v => String(valueKey(model.value(v)));
    },
    get propagations() {
      return sat.propagations;
    },
  };
}
