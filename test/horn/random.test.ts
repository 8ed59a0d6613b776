/**
 * Random Horn problems, printed and read back in both dialects, against the least fixed point by enumeration. Models
 * and derivations are checked by enumeration too, against the clauses as they were read.
 */
import t from 'tap';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { Checker } from '../../src/core/checker.ts';
import { hornAnswer } from '../../src/horn/answer.ts';
import { ENCODINGS } from '../../src/horn/encode.ts';
import { hornSystem } from '../../src/horn/system.ts';
import { readHorn } from '../../src/input/horn.ts';
import { TermStore } from '../../src/term/store.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { seeded } from '../support/random.ts';
import { derivableQueries, falseClause, isDerivation } from './explicit.ts';
import { problemText, randomProblem } from './random-problem.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 300);

t.test(`${ROUNDS} random problems agree with enumeration`, async t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const made = randomProblem(random, random.pick(['smt-lib', 'rules']));
    const text = problemText(made);
    const wrong = (reason: string) => t.fail(`round ${round}: ${reason}\n${text}`);
    const expected = derivableQueries(made);
    const problem = readHorn(new TermStore(), 'random.smt2', text);
    const horn = hornSystem(problem, {
      encoding: random.pick(ENCODINGS),
      preprocess: random.chance(0.8),
    });
    for (const property of horn.system.properties) {
      const query = property.index;
      const verdict = await new Checker(horn.system, property, {
        evaluateConstants: random.chance(0.8),
        generalize: random.chance(0.8),
        budget: { deadline: Date.now() + 20_000 },
        heavy,
        onProgress: () => undefined,
      }).run();
      const answer = await hornAnswer(problem, horn, query, verdict, heavy);
      counts[answer.kind]++;
      if (answer.kind === 'unknown') {
        t.comment(`round ${round}: ${answer.reason}`);
        if (answer.reason.includes('internal failure')) wrong(answer.reason);
      } else if ((answer.kind === 'unsafe') !== expected.has(query)) {
        wrong(`query ${query} is ${answer.kind}, which is wrong`);
      } else if (answer.kind === 'safe') {
        const clause = falseClause(problem, query, answer.model);
        if (clause !== undefined) wrong(`the model makes the clause in line ${clause.line} false`);
      } else if (!isDerivation(problem, query, answer.derivation)) {
        wrong('the derivation is none');
      }
    }
  }
  t.ok(counts.safe > ROUNDS / 6 && counts.unsafe > ROUNDS / 6, JSON.stringify(counts));
  t.ok(counts.unknown < ROUNDS / 10, 'few are left open');
});
