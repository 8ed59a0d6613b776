/**
 * Executions: what they find of random problems is derivable, by enumeration; far violations are found, and their runs are listed with
 * rounds left out; and what is no execution is not taken for one.
 */
import t from 'tap';
import { EXECUTIONS } from '../../../../src/core/engines/executions/engine.ts';
import { replayed } from '../../../../src/core/evidence/replay.ts';
import { preparedToRun } from '../../../../src/core/passes/prepared-to-run.ts';
import { type Execution, executionBack } from '../../../../src/core/problem/execution.ts';
import { Listing } from '../../../../src/core/problem/listing.ts';
import { headOf, isLinear, type Problem, restrictedTo } from '../../../../src/core/problem/problem.ts';
import { hornQuestion } from '../../../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { TermStore } from '../../../../src/term/store.ts';
import { ArrayValue, type Value } from '../../../../src/term/value.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { Derivable, TooLarge } from '../../explicit-problem.ts';
import { LINEAR_SHAPES, randomProblem } from '../../random-problem.ts';
import { obstacleOn, outcomeWithin, startedOn } from '../on-problem.ts';

const heavy = await loadedBackEnd();
const ROUNDS = 300;

const question = (text: string) =>
  hornQuestion(new TermStore(), 'test.smt2', `(set-logic HORN)\n${text}`, new Checkpoint());

/** The work without its pauses. */
function finished<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** An execution of the problem that violates its property, if the engine finds one. */
function executed(problem: Problem): Execution | undefined {
  const { problem: simple, back } = preparedToRun(problem, new Checkpoint());
  if (obstacleOn(simple, EXECUTIONS, heavy) !== undefined) return undefined;
  const outcome = outcomeWithin(startedOn(simple, EXECUTIONS, heavy), 20_000, 10);
  if (outcome === undefined) return undefined;
  if (outcome.kind !== 'executed') throw new Error(`it can only execute, and says ${outcome.kind}`);
  return finished(executionBack(problem.terms, outcome.execution, d => back.derivation(d)));
}

const replay = (problem: Problem, execution: Execution, property = 0) =>
  finished(replayed(problem, property, execution, new Listing(problem.terms, execution), new Checkpoint()));

t.test(`${ROUNDS} random problems`, t => {
  const random = seeded(t);
  const counts = { found: 0, missed: 0, safe: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const problem = restrictedTo(randomProblem(random, random.pick(LINEAR_SHAPES)), 0);
    if (!isLinear(problem)) continue;
    try {
      const isDerivable = new Derivable(problem).properties.includes(0);
      const execution = executed(problem);
      if (execution === undefined) {
        counts[isDerivable ? 'missed' : 'safe']++;
        continue;
      }
      counts.found++;
      if (!isDerivable) t.fail(`round ${round}: there is no violation`);
      const derivation = replay(problem, execution);
      if (typeof derivation === 'string') t.fail(`round ${round}: ${derivation}`);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.ok(counts.found > 30, JSON.stringify(counts));
  t.end();
});

/** Fills an array of so many elements with their numbers, then looks at one after the other, down to the fifth. */
const FILL_AND_LOOK = (size: number) => {
  const n = `(_ bv${size} 32)`;
  const array = '(Array (_ BitVec 32) (_ BitVec 32))';
  return question(`
    (declare-fun fill (${array} (_ BitVec 32)) Bool) (declare-fun look (${array} (_ BitVec 32)) Bool)
    (assert (forall ((a ${array})) (fill a #x00000000)))
    (assert (forall ((a ${array}) (i (_ BitVec 32)))
      (=> (and (fill a i) (bvult i ${n})) (fill (store a i i) (bvadd i #x00000001)))))
    (assert (forall ((a ${array}) (i (_ BitVec 32)))
      (=> (and (fill a i) (not (bvult i ${n}))) (look a (bvsub i #x00000001)))))
    (assert (forall ((a ${array}) (i (_ BitVec 32)))
      (=> (and (look a i) (not (= (select a i) #x00000004))) (look a (bvsub i #x00000001)))))
    (assert (forall ((a ${array}) (i (_ BitVec 32))) (=> (and (look a i) (= (select a i) #x00000004)) false)))`);
};

t.test('a violation behind loops that fill an array and go through it', t => {
  // A start, a step for each element, one between the loops, one for each but four and the last, and the violation.
  const stepsFor = (size: number) => 1 + size + 1 + (size - 5) + 1;
  for (const size of [1000, 90_000]) {
    const asked = FILL_AND_LOOK(size);
    const verdict = verdictOf(asked, heavy, { engines: ['executions'] });
    t.equal(verdict.kind, 'unsafe', `${size} elements`);
    if (verdict.kind !== 'unsafe') continue;
    const { steps } = verdict.derivation;
    const left = steps.map(s => Number(s.skipped ?? 0n));
    t.equal(steps.length + left.reduce((sum, n) => sum + n, 0), stepsFor(size), 'no step is lost');
    if (size === 1000) {
      t.equal(steps.length, stepsFor(size), 'a run that is not too long is listed in full');
      t.equal(complaintAbout(asked, heavy, verdict), undefined, 'and is a run as any other');
    } else t.ok(steps.length < 20, 'of rounds that are alike the first three and the last one are listed');
    const [array, index] = [...(steps.at(-1)?.values.values() ?? [])];
    t.equal(index, 4);
    t.ok(array instanceof ArrayValue);
    if (array instanceof ArrayValue) t.same([array.select(4), array.select(size - 1)], [4, size - 1]);
  }
  t.end();
});

t.test('inputs that count are told by three rounds', t => {
  // Each new value must be one more than the last: an execution in which inputs are drawn by chance never gets there.
  const asked = question(`
    (declare-fun p ((_ BitVec 32) (_ BitVec 32)) Bool) (declare-fun q ((_ BitVec 32)) Bool)
    (assert (q #x00000000))
    (assert (forall ((n (_ BitVec 32)) (x (_ BitVec 32))) (=> (q n) (p n x))))
    (assert (forall ((n (_ BitVec 32)) (x (_ BitVec 32)) (y (_ BitVec 32)))
      (=> (and (p n x) (bvult n (_ bv120000 32)))
          (p (ite (= (bvand #x000fffff (bvsub y x)) #x00000001) (bvadd n #x00000001) #x00000000) y))))
    (assert (forall ((x (_ BitVec 32))) (=> (p (_ bv120000 32) x) false)))`);
  const verdict = verdictOf(asked, heavy, { engines: ['executions'] });
  t.equal(verdict.kind, 'unsafe');
  if (verdict.kind === 'unsafe') {
    const left = verdict.derivation.steps.map(s => s.skipped ?? 0n).filter(n => n > 0n);
    t.ok(left.length === 1 && left[0] > 119_000n, `left out: ${left}`);
  }
  t.end();
});

/** With one of the items twice. */
const spliced = <T>(items: readonly T[], i: number) => [...items.slice(0, i), items[i], ...items.slice(i)];

t.test('what is no execution is found out', t => {
  const asked = FILL_AND_LOOK(8);
  const problem = restrictedTo(asked.problem, 0);
  const execution = executed(problem) as Execution;
  t.type(replay(problem, execution), 'object');
  const { edges, inputs } = execution;
  const changed = (change: Partial<Execution>) => replay(problem, { ...execution, ...change });
  const without = (i: number) => ({
    edges: edges.filter((_, j) => j !== i),
    inputs: inputs.filter((_, j) => j !== i),
  });
  for (let i = 0; i < edges.length; i++) t.type(changed(without(i)), 'string', `without step ${i}`);
  t.match(changed({ edges: edges.slice(0, -1), inputs: inputs.slice(0, -1) }), /does not derive the query/);
  t.match(changed({ edges: [], inputs: [] }), /does not derive the query/);
  t.match(changed({ edges: edges.map(e => ({ ...e })) }), /no such edge/);
  t.match(changed({ inputs: inputs.map(() => []) }), /values of its inputs/);
  const wrong: readonly Value[][] = inputs.map(own => own.map(() => 2 ** 40));
  t.match(changed({ inputs: wrong }), /values of its inputs/);
  const again = edges.findIndex((e, i) => e === edges[i + 1]);
  const twice = { edges: spliced(edges, again), inputs: spliced(inputs, again) };
  t.match(changed(twice), /guard is false/, 'one round more than there are elements');
  t.match(replay(problem, execution, 7), /does not derive the query/);
  t.ok(edges.every((e, i) => i === 0 || headOf(edges[i - 1]) === e.sources[0].location));
  t.end();
});

t.test('two runs are the same run', t => {
  const run = () => {
    const { problem } = preparedToRun(restrictedTo(FILL_AND_LOOK(5000).problem, 0), new Checkpoint());
    const engine = startedOn(problem, EXECUTIONS, heavy);
    while (engine.run(3000).kind === 'working');
    return { spent: engine.spent, stats: engine.stats };
  };
  t.same(run(), run());
  t.end();
});
