import t from 'tap';
import { InitialRuns } from '../../../../src/core/engines/unrolled/initial-runs.ts';
import { checkDerivation } from '../../../../src/core/evidence/check-derivation.ts';
import { completed } from '../../../../src/core/problem/derivation.ts';
import { questionOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { shortestViolation } from '../../explicit.ts';
import { RandomSystem } from '../../random-system.ts';
import { FORMS, viewsOfForm } from '../one-engine.ts';

const LAST = 5;

t.test('whether there is a violation at a depth, or up to one, is what explicit-state search says', t => {
  const random = seeded(t);
  const counts = { none: 0, near: 0, far: 0 };
  for (let round = 0; round < 100; round++) {
    const { system, property } = new RandomSystem(random);
    const question = questionOf(system);
    const views = viewsOfForm(question, random.pick(FORMS));
    const { flat, problem } = views;
    const nearest = shortestViolation(system, property) ?? Number.POSITIVE_INFINITY;
    counts[nearest <= LAST ? 'near' : nearest === Number.POSITIVE_INFINITY ? 'none' : 'far']++;
    const runs = new InitialRuns(flat.system);
    while (runs.depth <= LAST) runs.unroll();
    // All depths at once, up to some; then one after the other.
    const horizon = random.below(LAST + 1);
    const answer = runs.ask(runs.violationUpTo(horizon), {});
    if (answer !== (nearest <= horizon ? 'sat' : 'unsat'))
      t.fail(`round ${round}: ${answer} up to ${horizon}`);
    if (answer === 'sat') {
      const depth = runs.firstViolation();
      if (depth < nearest || depth > horizon) t.fail(`round ${round}: violated at ${depth}`);
      const wrong = complaint(depth);
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
    }
    for (let depth = 0; depth <= Math.min(nearest, LAST); depth++) {
      const here = runs.violationUpTo(depth);
      const found = runs.ask(here, {});
      if (found !== (depth === nearest ? 'sat' : 'unsat')) t.fail(`round ${round}: ${found} at ${depth}`);
      const wrong = found === 'sat' ? complaint(depth) : undefined;
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
      if (found === 'unsat') runs.settle(here, depth);
    }

    function complaint(depth: number): string | undefined {
      const run = views.fromFlat({ kind: 'unsafe', derivation: flat.derivation(runs.trace(depth)) });
      if (run.kind === 'safe') return 'it became a proof';
      const derivation = completed(problem.terms, run.derivation);
      return checkDerivation(problem, property.index, derivation, question.words.nameOf);
    }
  }
  t.ok(counts.none > 10 && counts.near > 10, JSON.stringify(counts));
  t.end();
});

t.test('an open question can be asked again', t => {
  const random = seeded(t);
  for (let round = 0; round < 30; round++) {
    const { system, property } = new RandomSystem(random);
    const runs = new InitialRuns(viewsOfForm(questionOf(system), random.pick(FORMS)).flat.system);
    while (runs.depth <= LAST) runs.unroll();
    const question = runs.violationUpTo(LAST);
    let answer = runs.ask(question, { propagations: 1 });
    for (let i = 0; i < 10_000 && answer === 'unknown'; i++)
      answer = runs.ask(question, { propagations: 50 });
    const isNear = (shortestViolation(system, property) ?? Number.POSITIVE_INFINITY) <= LAST;
    if (answer !== (isNear ? 'sat' : 'unsat')) t.fail(`round ${round}: ${answer}`);
  }
  t.pass('30 of them');
  t.end();
});
