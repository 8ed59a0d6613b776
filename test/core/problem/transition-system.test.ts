/** The flat view of random problems: as a transition system it violates the property exactly if the query can be derived. */
import t from 'tap';
import { InitialRuns } from '../../../src/core/engines/unrolled/initial-runs.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { viewsOf } from '../../../src/core/portfolio/views.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { flatSystem } from '../../../src/core/problem/flat-system.ts';
import { type Problem, restrictedTo } from '../../../src/core/problem/problem.ts';
import type { System } from '../../../src/core/problem/system.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { seeded } from '../../support/random.ts';
import { isUnsafe, shortestViolation } from '../explicit.ts';
import { Derivable, TooLarge } from '../explicit-problem.ts';
import { LINEAR_SHAPES, randomProblem } from '../random-problem.ts';

/** Explicit-state search goes through all states and, for each of them, all inputs and what has no definition. */
const MAX_BITS = 12;

function bitsOf({ terms, states, inputs }: System): number {
  const bits = [...states.map(s => s.current), ...inputs].map(v =>
    Math.log2(terms.sorts.size(terms.sort(v))),
  );
  return bits.reduce((sum, n) => sum + n, 0);
}

/** Can a query be derived? Undefined if there is too much to enumerate. */
function hasDerivation(problem: Problem): boolean | undefined {
  try {
    return new Derivable(problem).properties.length > 0;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return undefined;
  }
}

t.test('a run with a violation is a derivation, and there is one if there is the other', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, tooLarge: 0 };
  for (let round = 0; round < 250; round++) {
    const problem: Problem = restrictedTo(randomProblem(random, random.pick(LINEAR_SHAPES)), 0);
    const views = viewsOf(problem, undefined, new Checkpoint());
    const { flat } = views;
    const system = flatSystem(flat, [{ index: 0, name: undefined }]);
    if (bitsOf(system) > MAX_BITS) {
      counts.tooLarge++;
      continue;
    }
    const [property] = system.properties;
    const isDerivable = hasDerivation(problem);
    if (isDerivable === undefined) {
      counts.tooLarge++;
      continue;
    }
    counts[isDerivable ? 'unsafe' : 'safe']++;
    if (isUnsafe(system, property) !== isDerivable) t.fail(`round ${round}: derivable: ${isDerivable}`);
    const depth = shortestViolation(system, property);
    if (depth === undefined) continue;
    const runs = new InitialRuns(flat.system);
    while (runs.depth <= depth) runs.unroll();
    if (runs.ask(runs.violationUpTo(depth), {}) !== 'sat') {
      t.fail(`round ${round}: unrolled, there is no violation after ${depth} steps`);
      continue;
    }
    const evidence = { kind: 'unsafe', derivation: flat.derivation(runs.trace(depth)) } as const;
    const found = views.fromFlat(evidence);
    if (found.kind !== 'unsafe') throw new Error('a run has become a proof');
    const derivation = completed(problem.terms, found.derivation);
    const complaint = checkDerivation(problem, 0, derivation, e => String(problem.edges.indexOf(e)));
    if (complaint !== undefined) t.fail(`round ${round}: ${complaint}`);
  }
  t.ok(counts.safe > 10 && counts.unsafe > 10, JSON.stringify(counts));
  t.end();
});
