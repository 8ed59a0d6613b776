/** The SAT engine against brute force, with its proofs and cores; and the proof checker against wrong proofs. */
import { ProofChecker, ProofError } from '../../src/sat/checker.ts';
import type { Lit } from '../../src/sat/literals.ts';
import { DERIVED, INPUT } from '../../src/sat/proof.ts';
import { bruteForce, CheckedSolver, extremeOptions, Random } from '../sat/support.ts';
import { caught, probeRandom } from './probe.ts';

const random = new Random(probeRandom().below(2 ** 31));

/** A proof step that does not follow must be refused. */
function checkWrongProofs(): void {
  for (const claim of [[0], [0, 2], [1, 2, 4]]) {
    const checker = new ProofChecker();
    checker.step(INPUT, [0, 2, 4], 0, 3);
    checker.step(INPUT, [1, 3, 5], 0, 3);
    try {
      checker.step(DERIVED, claim, 0, claim.length);
    } catch (error) {
      if (error instanceof ProofError) continue;
      throw error;
    }
    caught(`the proof checker takes ${claim} for a consequence`);
  }
}

function checkAnswers(): void {
  for (let round = 0; round < 300; round++) {
    const checked = new CheckedSolver(random.chance(0.5) ? {} : extremeOptions(random));
    const varCount = 6 + random.below(6);
    const width = random.chance(0.7) ? 3 : 2;
    checked.addVars(varCount);
    const clause = (width: number) => Array.from({ length: width }, () => random.lit(varCount));
    for (let call = 0; call < 3; call++) {
      for (let i = random.below(width * varCount); i >= 0; i--) checked.add(clause(width + random.below(2)));
      const assumptions = clause(random.below(6));
      const expect = (assumed: readonly Lit[]) =>
        bruteForce(varCount, [...checked.clauses, ...assumed.map(l => [l])]) ? 'sat' : 'unsat';
      const answer = checked.solve(assumptions);
      if (answer !== expect(assumptions)) caught(`round ${round}: ${answer}`);
      if (answer === 'unsat' && expect(checked.solver.core()) === 'sat')
        caught(`round ${round}: the core can be satisfied`);
    }
  }
}

checkWrongProofs();
try {
  checkAnswers();
} catch (error) {
  if (!(error instanceof ProofError)) throw error;
  caught(error.message);
}
