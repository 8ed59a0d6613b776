/** What docs/extending.md says about adding an engine, a pass and a format, tried out. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { HeavyBackEnd } from '../../src/bv/tiered.ts';
import { PropertyCheck } from '../../src/check.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/core/env/options.ts';
import { Profile } from '../../src/core/env/profile.ts';
import { checkDerivation } from '../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../src/core/evidence/check-proof.ts';
import { composed } from '../../src/core/passes/pass.ts';
import { preprocess } from '../../src/core/passes/pipeline.ts';
import { Scheduler } from '../../src/core/portfolio/scheduler.ts';
import { PORTFOLIO } from '../../src/core/portfolio/table.ts';
import { viewsOf } from '../../src/core/portfolio/views.ts';
import { completed } from '../../src/core/problem/derivation.ts';
import { restrictedTo } from '../../src/core/problem/problem.ts';
import type { Question } from '../../src/formats/question.ts';
import { readQuestion } from '../../src/formats/read.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { complete } from '../../src/sat/work.ts';
import { loadCadicalForTests } from '../support/cadical.ts';
import { FIRST_STATE } from './engine.ts';
import { countQuestion } from './format.ts';
import { booleansFromBits } from './pass.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

const env = {
  options: DEFAULT_ENGINE_OPTIONS,
  budget: {},
  profile: new Profile(),
  backEnd: heavy.backEnd,
};

t.test('the page shows the toys as they are', t => {
  const page = read('../../docs/extending.md');
  for (const file of ['engine.ts', 'pass.ts', 'format.ts'])
    t.ok(page.includes(`\`\`\`ts\n${read(file)}\`\`\``), file);
  t.end();
});

t.test('the toy engine in the portfolio', t => {
  const row = {
    kind: FIRST_STATE,
    start: 0,
    portion: 1000,
    rate: { 'few words': 1, words: 1, 'few bits': 1 },
    why: 'it is over after one question',
  };
  const outcome = (text: string) => {
    const question = countQuestion('toy', text);
    const { all } = preprocess(question.problem, 'sliced', new Checkpoint());
    const views = viewsOf(all.problem, undefined, new Checkpoint());
    const scheduler = new Scheduler([row, ...PORTFOLIO], views, env);
    const found = complete(scheduler.run());
    return { by: scheduler.current?.name, kind: found.kind };
  };
  t.same(outcome('count to 9 avoid 0'), { by: 'first-state', kind: 'unsafe' });
  t.equal(outcome('count to 9 avoid 12').kind, 'safe', 'others go on where it gives up');
  t.end();
});

/** A bit that follows another one with a delay; the first is set once an input was. */
const DELAY = `
  (declare-fun a () (_ BitVec 1)) (declare-fun a.n () (_ BitVec 1)) (define-fun s0 () (_ BitVec 1) (! a :next a.n))
  (declare-fun b () (_ BitVec 1)) (declare-fun b.n () (_ BitVec 1)) (define-fun s1 () (_ BitVec 1) (! b :next b.n))
  (declare-fun i () (_ BitVec 1))
  (define-fun init () Bool (! (and (= a #b0) (= b #b0)) :init true))
  (define-fun trans () Bool (! (and (= a.n (bvor a i)) (= b.n a)) :trans true))
  (define-fun order () Bool (! (=> (= b #b1) (= a #b1)) :invar-property 0))
  (define-fun never () Bool (! (= b #b0) :invar-property 1))`;

t.test('the toy pass before the others', t => {
  const question = readQuestion('delay.vmt', DELAY, { strict: false, warn: t.fail });
  for (const [property, verdict] of [
    [0, 'safe'],
    [1, 'unsafe'],
  ] as const) {
    const problem = restrictedTo(question.problem, property);
    const first = booleansFromBits(problem);
    const rest = preprocess(first.problem, 'sliced', new Checkpoint()).all;
    const { back } = composed(problem, [first, rest], new Checkpoint());
    const scheduler = new Scheduler(PORTFOLIO, viewsOf(rest.problem, undefined, new Checkpoint()), env);
    const found = complete(scheduler.run());
    t.equal(found.kind, verdict);
    const { nameOf } = question.words;
    if (found.kind === 'safe') {
      const check = checkProof(problem, back.proof(found.proof), { heavy, budget: {}, nameOf });
      t.same(complete(check), { kind: 'valid' }, 'the proof is one of the bits');
    } else if (found.kind === 'unsafe') {
      const derivation = completed(problem.terms, back.derivation(found.derivation));
      t.equal(checkDerivation(problem, property, derivation, nameOf), undefined, 'and so is the run');
    }
  }
  t.end();
});

t.test('the toy format, from text to answer', t => {
  const verdict = (question: Question) =>
    complete(new PropertyCheck(question, question.properties[0], { budget: {}, heavy }).run());
  const safe = countQuestion('toy', 'count to 9 avoid 12');
  t.equal(verdict(safe).kind, 'safe');
  const unsafe = countQuestion('toy', 'count to 9 avoid 3');
  const answer = verdict(unsafe);
  t.equal(answer.kind, 'unsafe');
  if (answer.kind === 'unsafe')
    t.match(
      unsafe.words.derivation(unsafe.properties[0], answer.derivation),
      'step 3 violates property 0 (avoided)',
    );
  t.throws(() => countQuestion('toy', 'count'), { message: /^toy:1:1: expected/ });
  t.end();
});
