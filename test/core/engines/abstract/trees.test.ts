/**
 * The abstract search on derivation trees against enumeration: random problems with edges of several sources, as they are and after all
 * passes. Whatever it answers is what can be derived, and its evidence proves it, by enumeration and by the evaluator.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { ABSTRACT } from '../../../../src/core/engines/abstract/engine.ts';
import type { Outcome } from '../../../../src/core/engines/engine.ts';
import { preprocess } from '../../../../src/core/passes/pipeline.ts';
import { carriedBack } from '../../../../src/core/portfolio/views.ts';
import { isLinear, type Problem, restrictedTo } from '../../../../src/core/problem/problem.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { Derivable, TooLarge } from '../../explicit-problem.ts';
import { randomProblem } from '../../random-problem.ts';
import { complaintAboutOutcome, obstacleOn, outcomeWithin, startedOn } from '../on-problem.ts';

const heavy = await loadedBackEnd();
const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 500); // of problems that have calls
const PORTION = 10_000;
const MOST_PORTIONS = 40;

function outcomeOn(problem: Problem): Outcome | undefined {
  if (obstacleOn(problem, ABSTRACT, heavy) !== undefined) return undefined;
  return outcomeWithin(startedOn(problem, ABSTRACT, heavy), PORTION, MOST_PORTIONS);
}

t.test('random problems', t => {
  const random = seeded(t);
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let asked = 0;
  for (let round = 0; asked < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, random.pick(['calls', 'functions'])), 0);
    if (isLinear(problem)) continue;
    try {
      const isDerivable = new Derivable(problem).properties.includes(0);
      asked++;
      const written = outcomeOn(problem);
      if (written !== undefined) {
        const wrong = complaintAboutOutcome(problem, isDerivable, written);
        if (wrong !== undefined) t.fail(`as written, round ${round}: ${wrong}`);
        count(written.kind);
      } else count('left open');
      const { all } = preprocess(problem, 'sliced', new Checkpoint());
      const prepared = outcomeOn(all.problem);
      if (prepared === undefined || (prepared.kind !== 'safe' && prepared.kind !== 'unsafe')) continue;
      const back = { about: problem, ...carriedBack(all.back, prepared) };
      const wrong = complaintAboutOutcome(problem, isDerivable, back);
      if (wrong !== undefined) t.fail(`after all passes, round ${round}: ${wrong}`);
      count(`${back.kind} after passes`);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.comment(JSON.stringify(Object.fromEntries(counts)));
  for (const kind of ['safe', 'unsafe']) t.ok((counts.get(kind) ?? 0) > ROUNDS / 20, `${kind}: often enough`);
  t.ok((counts.get('unknown') ?? 0) + (counts.get('left open') ?? 0) < ROUNDS / 20, 'it seldom gives up');
  t.end();
});

// The verdicts are those of the programs that the clauses were written after.
const FILES = [
  ['swap-signed', 'safe'],
  ['swap-unsigned', 'unsafe'],
  ['calls-safe', 'safe'],
  ['calls-unsafe', 'unsafe'],
  ['mccarthy91', 'safe'],
  ['fibonacci-unsafe', 'unsafe'],
] as const;

t.test('functions and recursion', t => {
  for (const [name, verdict] of FILES) {
    const file = new URL(`data/${name}.smt2`, import.meta.url);
    const question = readQuestion(file.pathname, readFileSync(file, 'utf8'), {
      strict: true,
      warn: message => t.fail(message),
    });
    const found = verdictOf(question, heavy);
    t.equal(found.kind, verdict, name);
    t.equal(complaintAbout(question, heavy, found), undefined, `${name}: the evidence proves it`);
  }
  t.end();
});
