/**
 * What an engine is. All engines are equals: each takes the problem in the view that it needs, says whether it can take it
 * at all, and works in portions. `run` works for about so much counted effort, in units of the engine's own, and returns
 * what has come of it so far. Nobody looks at the clock for that, so two runs of one input are the same run; only the
 * user's limits (deadline, memory, abort) can end a run at another place.
 *
 * Engines do not know each other and do not check what they find: that is done where findings come together.
 */
import type { BackEndFactory } from '../../bv/back-end.ts';
import type { Budget } from '../../sat/budget.ts';
import type { UnknownReason } from '../../sat/unknown.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { EngineOptions } from '../env/options.ts';
import type { Profile } from '../env/profile.ts';
import type { Derivation } from '../problem/derivation.ts';
import type { Execution } from '../problem/execution.ts';
import type { Problem } from '../problem/problem.ts';
import type { Proof } from '../problem/proof.ts';
import type { FlatView } from '../problem/transition-system.ts';
import type { Proved } from './proved.ts';

/** An answer with its evidence, and the problem that it is about: one of those that the engine was given views of. */
export type Finding = { readonly about: Problem } & (Evidence | Executed);

export type Evidence =
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly derivation: Derivation };

/** A violation whose run is too long to be written down step by step. */
export interface Executed {
  readonly kind: 'executed';
  readonly execution: Execution;
}

/** The engine has nothing left to try, or a limit ended it. */
export interface GivenUp {
  readonly kind: 'unknown';
  readonly reason: UnknownReason;
  readonly text: string;
}

export type Outcome =
  | Finding
  | GivenUp
  | { readonly kind: 'working' } // there is more to do
  | { readonly kind: 'finishing' } // it has found something and only makes it fit to be shown: nobody else need go on
  | { readonly kind: 'waiting' }; // for the heavy SAT back end to be loaded

export interface Engine {
  run(effort: number): Outcome;
  /** What it has spent so far, in its own units. */
  readonly spent: number;
  /** What it has done so far, by name: numbers for people. */
  readonly stats: Readonly<Record<string, number>>;
  /** What it has learnt by refinement, if it does, in that order. */
  readonly lemmas?: readonly LearntLemma[];
}

/** A lemma, in a few words what kind of lemma it is, and what it took to find it. */
export interface LearntLemma {
  readonly terms: TermStore;
  readonly formula: TermId;
  readonly kind: string;
  readonly milliseconds: number;
}

/** A problem as one transition system. */
export interface FlatViews {
  /** Throws an Unknown where there is none. */
  readonly flat: FlatView;
  /** What evidence about the flat view is about the problem. */
  readonly fromFlat: (evidence: Evidence) => { readonly about: Problem } & Evidence;
}

/** The problem, and views of it that are made when first asked for. */
export interface Views extends FlatViews {
  readonly problem: Problem;
  /** The same with places in no more bits than they need, if facts may be used: for engines that look at each bit. */
  readonly narrow: FlatViews;
  /** The same of an earlier problem, if that is one in which a step is a step of what the user wrote. */
  readonly early: Early | undefined;
}

/** What k-inductive proofs and bounds need: the user's steps. */
export interface Early {
  readonly views: Views;
  /** Are there states that only the user's problem tells apart? */
  readonly joinsStates: boolean;
}

/** What all engines share. */
export interface Env {
  readonly options: EngineOptions;
  readonly budget: Budget;
  readonly profile: Profile;
  readonly backEnd: BackEndFactory;
  /** What engines tell each other, if they are to. */
  readonly proved?: Proved;
}

/** A kind of engine: what it is called, which problems it takes, and how to start it. */
export interface EngineKind {
  readonly name: string;
  /** What it is good for, in a few words. */
  readonly help: string;
  /** May it find a proof, and not only a violation? */
  readonly proves: boolean;
  /** May it find a violation, and not only a proof? */
  readonly refutes: boolean;
  /** Why it cannot take the problem, if it cannot. */
  readonly obstacle: (views: Views, env: Env) => string | undefined;
  readonly start: (views: Views, env: Env) => Engine;
}

export const WORKING: Outcome = { kind: 'working' };
