/**
 * The options of the search: one table, one remark each. Clients normally leave them alone; the tests set
 * them to extremes so that small instances reach every code path. The values follow CaDiCaL (Biere et al.,
 * "CaDiCaL 2.0", CAV 2024) except where a measurement said otherwise.
 */
export interface Options {
  initialPhase: boolean; // value tried first for a variable that never had one
  seed: number; // if not 0, that value is drawn for each variable
  firstPhase: number; // conflicts of the first phase, a stable one; its ticks set the length of all later phases
  focusedShare: number; // length of a focused phase relative to a stable one
  restartInterval: number; // conflicts between two restarts in focused mode, at least
  restartMargin: number; // focused mode restarts when fast glue average > margin * slow one
  fastAlpha: number; // smoothing of the fast glue average
  slowAlpha: number; // smoothing of the slow glue average
  reluctantPeriod: number; // unit of the reluctant doubling (Luby) restarts of stable mode
  scoreDecay: number; // VSIDS decay per conflict
  learntsFirst: number; // learnt clauses to hold before the first reduction
  reduceFraction: number; // fraction of the candidates that a reduction throws away
  clauseDecay: number; // decay of clause activity per conflict
  learntsFactor: number; // and later: as many as this times the given clauses, if that is more
  learntsGrowth: number; // growth of that number when the conflicts have grown by half
  tier1: number; // learnt clauses of at most this glue are kept for good
  tier2: number; // learnt clauses of at most this glue survive two reductions after their last use
  rephaseInterval: number; // conflicts between two resets of the saved phases, times their number
  target: boolean; // follow the longest conflict-free trail in every other stable phase
  simplifyInterval: number; // root-level units to collect before satisfied clauses are removed
  checkTheory: boolean; // verify each lazy reason of the theory (for tests of theories)
}

export const DEFAULT_OPTIONS: Readonly<Options> = {
  initialPhase: false,
  seed: 0,
  firstPhase: 3000,
  focusedShare: 0.2,
  restartInterval: 2,
  restartMargin: 1.1,
  fastAlpha: 3e-2,
  slowAlpha: 1e-5,
  reluctantPeriod: 1024,
  scoreDecay: 0.96,
  learntsFirst: 500,
  reduceFraction: 0.5,
  clauseDecay: 0.999,
  learntsFactor: 0.33,
  learntsGrowth: 1.1,
  tier1: 1,
  tier2: 2,
  rephaseInterval: 1000,
  target: true,
  simplifyInterval: 16,
  checkTheory: false,
};

/** The value tried first for a variable, as 1 or -1. */
export function initialPhase({ seed, initialPhase }: Readonly<Options>, variable: number): number {
  const usual = initialPhase ? 1 : -1;
  if (seed === 0) return usual;
  let bits = Math.imul(variable + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 13)) & 1) === 1 ? usual : -usual;
}
