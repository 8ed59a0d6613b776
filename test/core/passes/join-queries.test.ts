/** Queries that are joined: one can be derived exactly if some could before, and its derivation comes back as that of one of them. */
import t from 'tap';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { joinQueries } from '../../../src/core/passes/join-queries.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { isQuery } from '../../../src/core/problem/problem.ts';
import { chooseSeed, Random } from '../../support/random.ts';
import { Derivable, TooLarge } from '../explicit-problem.ts';
import { randomProblem, SHAPES } from '../random-problem.ts';

t.test('of random problems', t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed} (EUFORIA_SEED=${seed} replays it)`);
  const random = new Random(seed);
  const violated = new Set<number>();
  for (let round = 0; round < 150; round++) {
    const problem = randomProblem(random, random.pick(SHAPES));
    const numbers = new Set(problem.edges.flatMap(({ head }) => (isQuery(head) ? [head.property] : [])));
    const given = random.chance(0.5) ? 7 : undefined;
    const { problem: joined, back } = joinQueries(problem, given);
    const left = new Set(joined.edges.flatMap(({ head }) => (isQuery(head) ? [head.property] : [])));
    if (left.size > 1 || (given !== undefined && left.size === 1 && !left.has(given)))
      t.fail(`the queries ${[...left]} are left`);
    try {
      const [before, after] = [new Derivable(problem), new Derivable(joined)];
      if (before.properties.length > 0 !== after.properties.length > 0)
        t.fail(`${before.properties} were violated, now ${after.properties}`);
      for (const property of after.properties) {
        const found = after.derivation(property);
        if (found === undefined) throw new Error('there is no derivation of a derivable query');
        const derivation = completed(problem.terms, back.derivation(found));
        const complaint = checkDerivation(problem, numbers, derivation, e =>
          String(problem.edges.indexOf(e)),
        );
        if (complaint !== undefined) t.fail(complaint);
        const head = derivation.steps.at(-1)?.edge.head;
        if (head !== undefined && isQuery(head)) violated.add(head.property);
      }
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.ok(violated.size > 1, 'more than one property was violated in some problem or other');
  t.end();
});
