/** Who has a turn when, what becomes of those that give up, and what is told of it: with engines that only pretend to work. */
import t from 'tap';
import type { Engine, EngineKind, Env, Outcome, Views } from '../../../src/core/engines/engine.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { Scheduler } from '../../../src/core/portfolio/scheduler.ts';
import { LAST_RESORT, type Row } from '../../../src/core/portfolio/table.ts';
import { NO_VARIANTS, type VariantKind } from '../../../src/core/portfolio/variants.ts';
import type { Budget } from '../../../src/sat/budget.ts';
import { Unknown, type UnknownReason } from '../../../src/sat/unknown.ts';
import { complete, type Pause } from '../../../src/sat/work.ts';
import { loadedBackEnd, questionOf } from '../../support/checking.ts';
import { viewsOfForm } from '../engines/one-engine.ts';
import { COUNTER, HandMade } from '../hand-made.ts';

const heavy = await loadedBackEnd();
const { system } = new HandMade(COUNTER);
const views = viewsOfForm(questionOf(system), 'normal');

const FOUND: Outcome = {
  kind: 'safe',
  about: views.problem,
  proof: { model: new Map(), lemmas: new Map(), k: 0 },
};
const gaveUp = (reason: UnknownReason, text: string): Outcome => ({ kind: 'unknown', reason, text });

interface Pretence extends Partial<Pick<Row, 'start' | 'portion' | 'rate' | 'variant'>> {
  readonly name: string;
  readonly proves?: boolean;
  readonly obstacle?: (views: Views, env: Env) => string | undefined;
  /** What comes of its turns; `working` for ever after. */
  readonly outcomes?: readonly Outcome[];
  /** What a turn costs it; as much as it is worth, if that is not said. */
  readonly costs?: number;
}

class Pretender implements Engine {
  spent = 0;
  turns = 0;
  readonly stats = { pretended: 1 };
  private readonly pretence: Pretence;
  private readonly log: string[];

  constructor(pretence: Pretence, log: string[]) {
    this.pretence = pretence;
    this.log = log;
  }

  run(effort: number): Outcome {
    const { name, outcomes = [], costs = effort } = this.pretence;
    this.log.push(name);
    this.spent += costs;
    return outcomes[this.turns++] ?? { kind: 'working' };
  }
}

function rowOf(pretence: Pretence, log: string[]): Row {
  const { name, proves = false, obstacle = () => undefined } = pretence;
  const kind: EngineKind = {
    name,
    help: '',
    proves,
    refutes: true,
    obstacle,
    start: () => new Pretender(pretence, log),
  };
  const { start = 0, portion = 10, rate = { 'few words': 1, words: 1, 'few bits': 1 } } = pretence;
  const { variant } = pretence;
  return { kind, ...(variant && { variant }), start, portion, rate, why: 'it pretends' };
}

/** Lets them take turns: what came of it, and who had a turn when. */
function scheduled(pretences: readonly Pretence[], budget: Budget = {}, of = views, variants = NO_VARIANTS) {
  const log: string[] = [];
  const env: Env = {
    options: DEFAULT_ENGINE_OPTIONS,
    budget,
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
  const scheduler = new Scheduler(
    pretences.map(p => rowOf(p, log)),
    of,
    env,
    variants,
  );
  return { scheduler, log };
}

const working = (turns: number): Outcome[] => Array.from({ length: turns }, () => ({ kind: 'working' }));

t.test('the one that is furthest behind in virtual time has the next turn, and ties go by the table', t => {
  const { scheduler, log } = scheduled([
    // After its turns it is at 10, 20, 30, …
    { name: 'a', outcomes: [...working(6), FOUND] },
    // Twice as fast: at 5, 10, 15, …
    { name: 'b', rate: { 'few words': 2, words: 2, 'few bits': 2 } },
    // It starts late: at 35, 45, …
    { name: 'c', start: 25 },
  ]);
  t.equal(complete(scheduler.run()), FOUND);
  // At 5, 10 (both), 15, 20 (both), 25, 30 (both); then c is there at 35, 45, 55 and 65, where b is, too, and a is at 70 at last.
  t.same(
    log,
    [...'b ab b ab b ab bc ab bc ab bc ab bc a'].filter(name => name !== ' '),
  );
  t.same(scheduler.current, { name: 'a', stats: { pretended: 1 } });
  t.end();
});

t.test('what counts is what was spent, not what was given', t => {
  const { scheduler, log } = scheduled([
    { name: 'a', costs: 40, outcomes: [...working(2), FOUND] },
    { name: 'b', costs: 10 },
  ]);
  t.equal(complete(scheduler.run()), FOUND);
  // a is due at 10, 50, 90; b at 10, 20, 30, …
  t.equal(log.join(''), 'abbbbabbbba');
  t.end();
});

t.test('the shape of the problem decides about the rate', t => {
  const rates = (words: number, fewBits: number) => ({ 'few words': words, words, 'few bits': fewBits });
  const first = (of: Views) => {
    const pretences = [
      { name: 'for words', rate: rates(100, 1), outcomes: [FOUND] },
      { name: 'for bits', rate: rates(1, 100), outcomes: [FOUND] },
    ];
    const { scheduler, log } = scheduled(pretences, {}, of);
    complete(scheduler.run());
    return log[0];
  };
  t.equal(first(views), 'for words', 'a counter is about numbers');
  const ring = new HandMade(`
    (declare-const a Bool) (declare-const a.next Bool) (declare-const b Bool) (declare-const b.next Bool)
    (declare-const turn Bool)
    (assert (! (and a (not b)) :named init))
    (assert (! (and (= a.next (ite turn b a)) (= b.next (ite turn a b))) :named trans))
    (assert (! (or a b) :named property))`);
  t.equal(first(viewsOfForm(questionOf(ring.system), 'normal')), 'for bits');
  t.end();
});

t.test('who gives up is out, and the others go on', t => {
  const { scheduler, log } = scheduled([
    { name: 'a', proves: true, outcomes: [...working(1), gaveUp('incomplete', 'no more lemmas')] },
    { name: 'b', proves: true, outcomes: [...working(3), FOUND] },
    { name: 'c', obstacle: () => 'it does not like counters' },
  ]);
  t.equal(complete(scheduler.run()), FOUND);
  t.equal(log.join(''), 'ababbb');
  t.same(scheduler.shares, [
    { name: 'a', spent: 20, stats: { pretended: 1 }, obstacle: 'no more lemmas' },
    { name: 'b', spent: 40, stats: { pretended: 1 }, obstacle: undefined },
    { name: 'c', spent: 0, stats: {}, obstacle: 'it does not like counters' },
  ]);
  t.equal(scheduler.engines.length, 2, 'c was never started');
  t.end();
});

t.test('when all have given up, the first that took the problem says why', t => {
  const outcomes = [gaveUp('size', 'too large')];
  const refusing = {
    obstacle: () => {
      throw new Unknown('unsupported', 'no such view');
    },
  };
  const { scheduler } = scheduled([
    { name: 'a', ...refusing },
    { name: 'b', outcomes },
    { name: 'c', outcomes: [gaveUp('incomplete', 'nothing left')] },
  ]);
  t.same(complete(scheduler.run()), { kind: 'unknown', reason: 'size', text: 'b: too large' });
  const nobody = scheduled([{ name: 'a', ...refusing }]).scheduler;
  t.same(complete(nobody.run()), { kind: 'unknown', reason: 'unsupported', text: 'a: no such view' });
  t.match(complete(scheduled([]).scheduler.run()), { kind: 'unknown', reason: 'unsupported' });
  t.end();
});

t.test('what is no Unknown is a bug, and nobody hides it', t => {
  const broken = () => {
    throw new TypeError('a bug');
  };
  t.throws(() => scheduled([{ name: 'a', obstacle: broken }]), new TypeError('a bug'));
  const aborted = () => {
    throw new Unknown('aborted');
  };
  t.throws(() => scheduled([{ name: 'a', obstacle: aborted }]), new Unknown('aborted'));
  t.end();
});

t.test('limits of the user end it for all', t => {
  const late = scheduled([
    { name: 'a', outcomes: [gaveUp('deadline', 'the time is up')] },
    { name: 'b', outcomes: [FOUND] },
  ]);
  t.match(complete(late.scheduler.run()), { kind: 'unknown', reason: 'deadline' });
  t.same(late.log, ['a'], 'another engine could do nothing about it');
  const signal = { aborted: false };
  const stopped = scheduled([{ name: 'a' }], { signal });
  const work = stopped.scheduler.run();
  for (let i = 0; i < 5; i++) t.same(work.next(), { done: false, value: 'turn' });
  signal.aborted = true;
  t.match(work.next(), { done: true, value: { kind: 'unknown', reason: 'aborted' } });
  t.end();
});

t.test('who waits for the heavy back end is not out', t => {
  const { scheduler, log } = scheduled([
    { name: 'a', costs: 0, outcomes: [{ kind: 'waiting' }, ...working(1), FOUND] },
    { name: 'b', costs: 30 },
  ]);
  const pauses: Pause[] = [];
  const work = scheduler.run();
  for (let step = work.next(); step.done !== true; step = work.next()) pauses.push(step.value);
  t.equal(pauses.filter(p => p === 'load').length, 1);
  t.equal(pauses[0], 'load', 'whoever drives it hears of it at once');
  t.equal(log.at(-1), 'a');
  t.end();
});

t.test('who has found something makes it fit to be shown before anybody else has a turn', t => {
  const finishing: Outcome = { kind: 'finishing' };
  const { scheduler, log } = scheduled([
    { name: 'a', outcomes: [...working(2), finishing, finishing, finishing, FOUND] },
    { name: 'b' },
  ]);
  t.equal(complete(scheduler.run()), FOUND);
  t.equal(log.join(''), 'ababaaaa');
  t.end();
});

t.test('without anybody left who can prove something, the others have so much more and no more', t => {
  const portion = LAST_RESORT / 4;
  const quick = { portion, rate: { 'few words': portion, words: portion, 'few bits': portion } };
  const hunter: Pretence = { name: 'hunter', ...quick };
  const prover = (outcomes: readonly Outcome[]): Pretence => ({
    name: 'prover',
    proves: true,
    outcomes,
    ...quick,
  });
  // Both are equally fast, so the hunter has had two turns when the prover gives up in its third.
  const given = scheduled([prover([...working(2), gaveUp('incomplete', 'no proof')]), hunter]);
  t.match(complete(given.scheduler.run()), {
    kind: 'unknown',
    reason: 'incomplete',
    text: /^prover: no proof/,
  });
  t.equal(given.log.filter(name => name === 'hunter').length, 2 + 4);
  t.match(given.scheduler.shares[1], { name: 'hunter', spent: 2 * portion + LAST_RESORT });
  const refused = scheduled([{ ...prover([]), obstacle: () => 'not this one' }, hunter]);
  t.match(complete(refused.scheduler.run()), { kind: 'unknown' });
  t.equal(refused.log.length, 4, 'the same if it did not take the problem at all');
  const found = scheduled([prover([gaveUp('size', '')]), { ...hunter, outcomes: [...working(3), FOUND] }]);
  t.equal(complete(found.scheduler.run()), FOUND, 'and what they find counts');
  t.end();
});

t.test('a variant that is there is made at the first turn of whom it is for; others have no row', t => {
  const there: VariantKind = { name: 'there', make: () => undefined };
  const missing: VariantKind = { name: 'missing', make: () => undefined };
  const other = { ...views };
  const given: Views[] = [];
  const made: string[] = [];
  const make = (kind: VariantKind) => {
    made.push(kind.name);
    return other;
  };
  const see = (v: Views) => {
    given.push(v);
    return undefined;
  };
  const { scheduler, log } = scheduled(
    [
      { name: 'a', outcomes: [...working(2), FOUND] },
      { name: 'b', variant: there, start: 5, obstacle: see },
      { name: 'c', variant: there, start: 5, obstacle: () => 'it is not for me' },
      { name: 'd', variant: missing },
    ],
    {},
    views,
    { has: kind => kind === there, views: make },
  );
  t.same(made, [], 'nothing is made before');
  t.equal(complete(scheduler.run()), FOUND);
  t.same(log, ['a', 'b', 'a', 'b', 'a']);
  t.ok(given.length === 1 && given[0] === other, 'the engine sees the variant');
  t.same(
    scheduler.shares.map(s => [s.name, s.obstacle]),
    [
      ['a', undefined],
      ['b (there)', undefined],
      ['c (there)', 'it is not for me'],
    ],
  );
  t.end();
});
