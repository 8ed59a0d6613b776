/** What the tests of the SAT engine share: random numbers with a seed, brute force, a checked solver. */
import { ProofChecker } from '../../src/sat/checker.ts';
import type { Lit } from '../../src/sat/literals.ts';
import type { Options } from '../../src/sat/options.ts';
import { MemoryProof } from '../../src/sat/proof.ts';
import { Solver } from '../../src/sat/solver.ts';
import { Random as Base } from '../support/random.ts';

export { chooseSeed } from '../support/random.ts';

/** Random numbers, and random literals. */
export class Random extends Base {
  lit(varCount: number): Lit {
    return this.below(varCount * 2) as Lit;
  }
}

/** Is there a solution among all assignments of the variables? `accepts` may restrict them further. */
export function bruteForce(
  varCount: number,
  clauses: readonly (readonly number[])[],
  accepts: (assignment: number) => boolean = () => true,
): boolean {
  // Each clause as two bit masks: the variables that satisfy it when true, and those when false.
  const whenTrue = clauses.map(clause =>
    clause.reduce((mask, lit) => mask | (lit & 1 ? 0 : 1 << (lit >> 1)), 0),
  );
  const whenFalse = clauses.map(clause =>
    clause.reduce((mask, lit) => mask | (lit & 1 ? 1 << (lit >> 1) : 0), 0),
  );
  for (let assignment = 0; assignment < 1 << varCount; assignment++) {
    let i = 0;
    while (i < clauses.length && ((assignment & whenTrue[i]) | (~assignment & whenFalse[i])) !== 0) i++;
    if (i === clauses.length && accepts(assignment)) return true;
  }
  return false;
}

/** Options that make small instances restart, reduce, collect, rephase and change mode all the time. */
export function extremeOptions(random: Base): Partial<Options> {
  return {
    initialPhase: random.below(2) === 0,
    firstPhase: random.below(6),
    focusedShare: random.below(3),
    restartInterval: 1 + random.below(2),
    restartMargin: random.below(2) === 0 ? 0.1 : 1,
    reluctantPeriod: 1 + random.below(3),
    learntsFirst: random.below(8),
    learntsFactor: 0,
    learntsGrowth: 1,
    reduceFraction: random.below(2) === 0 ? 1 : 0.5,
    tier1: random.below(3),
    tier2: random.below(4),
    rephaseInterval: 1 + random.below(5),
    target: random.below(2) === 0,
    simplifyInterval: 1 + random.below(2),
    checkTheory: true,
  };
}

/** A solver whose answers are checked: models against the clauses, refutations by the proof. */
export class CheckedSolver {
  readonly solver: Solver;
  readonly clauses: Lit[][] = [];
  private readonly proof = new MemoryProof();
  private readonly checker = new ProofChecker();
  private checkedUpTo = 0;

  constructor(options: Partial<Options> = {}) {
    this.solver = new Solver(options);
    this.solver.setProof(this.proof);
  }

  addVars(count: number): void {
    for (let i = 0; i < count; i++) this.solver.newVar();
  }

  add(clause: Lit[]): void {
    this.clauses.push(clause);
    this.solver.addClause(clause);
  }

  /** Solves and checks; a problem with the answer is returned as text, otherwise the answer itself. */
  solve(assumptions: Lit[] = []): string {
    const { solver } = this;
    const result = solver.solve(assumptions);
    this.checkedUpTo = this.proof.replay(this.checker, this.checkedUpTo);
    if (result === 'sat') {
      const isModel = [...this.clauses, ...assumptions.map(lit => [lit])].every(clause =>
        clause.some(lit => solver.value(lit) === true),
      );
      return isModel ? 'sat' : 'sat with a wrong model';
    }
    if (result === 'unknown') return 'unknown';
    const core = solver.core();
    if (!core.every(lit => assumptions.includes(lit))) return 'unsat with a core that was not assumed';
    if (!core.every(lit => solver.isFailed(lit))) return 'unsat with a core that did not fail';
    if (!this.checker.follows(core.map(lit => lit ^ 1))) return 'unsat with a core that does not follow';
    if (core.length === 0 && !this.checker.isRefuted) return 'unsat without a refutation in the proof';
    return 'unsat';
  }
}
