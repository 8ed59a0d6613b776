/**
 * The SAT back end of the concrete solver, as an interface with several implementations: CaDiCaL as WebAssembly
 * (cadical.ts) and the engine of this project (own-engine.ts), which runs where WebAssembly does not. Literals are
 * those of `src/sat`: 2v for variable v, 2v + 1 for its negation.
 */
import type { Budget } from '../sat/budget.ts';
import type { Lit } from '../sat/literals.ts';
import type { Result } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';

export interface SatBackEnd {
  newVar(): number;
  addClause(lits: readonly Lit[]): void;
  solve(assumptions: readonly Lit[], budget?: Budget): Result;
  /** After `sat`; a variable that nothing constrains is false. */
  value(lit: Lit): boolean;
  /** After `unsat`: does the refutation use this assumption? */
  isFailed(lit: Lit): boolean;
  /** Why the last call answered `unknown`. */
  readonly unknownReason: UnknownReason | undefined;
  /** Frees what garbage collection does not see. */
  dispose(): void;
}

/** Makes a back end for a solver of its own. */
export type BackEndFactory = () => SatBackEnd;

/** A loaded source of back ends that holds memory of its own. */
export interface BackEndModule {
  make(): SatBackEnd;
  /** It has grown large, and nothing uses it: loading it anew frees its memory. */
  readonly isWorn: boolean;
}
