/** What `npm run bench -- check` makes of the list of tasks and of the answers, on cases worked out by hand. */
import t from 'tap';
import { type Answer, ourAnswer, spacerAnswer, type Verdict } from '../bench/check/engines.ts';
import { compare, grade, isCommon, type Row, tsvHeads, tsvLine } from '../bench/check/results.ts';
import { type Expected, familyOf, parseList, spread, startingWith, type Task } from '../bench/check/tasks.ts';

const LIMIT = 1000; // ms

const task = (path: string, expected: Expected): Task => ({ path, format: 'vmt', expected, trust: 'A' });
const answer = (verdict: Verdict, ms: number): Answer => ({ verdict, ms, note: '' });

function row(path: string, expected: Expected, answers: Readonly<Record<string, Answer>>): Row {
  const asked = task(path, expected);
  const graded = Object.entries(answers).map(
    ([name, given]) => [name, { ...given, grade: grade(asked, given, LIMIT) }] as const,
  );
  return { task: asked, results: new Map(graded) };
}

t.test('the list of tasks', t => {
  const list = 'expected\tpath\tformat\ttrust\nsafe\ta/b/c.vmt\tvmt\tB\n-\ta/bc/d.smt2\tchc\t-\n';
  const tasks = parseList(list);
  t.same(tasks, [
    { path: 'a/b/c.vmt', format: 'vmt', expected: 'safe', trust: 'B' },
    { path: 'a/bc/d.smt2', format: 'chc', expected: 'unknown', trust: '-' },
  ]);
  t.same(tasks.map(familyOf), ['a/b', 'a/bc']);
  t.equal(startingWith(['a/b'], tasks).length, 2, 'a prefix need not end at a folder');
  t.equal(startingWith(['a/b/'], tasks).length, 1);
  t.throws(() => parseList('path\tformat\nx\tvmt'), { message: /no column 'expected'/ });
  t.same(spread(3, [0, 1, 2, 3, 4, 5, 6]), [0, 2, 4]);
  t.same(spread(9, [0, 1]), [0, 1]);
  t.end();
});

t.test('what an answer is worth', t => {
  const cases: [Expected, Verdict, number, string][] = [
    ['safe', 'safe', 1, 'right'],
    ['safe', 'unsafe', 1, 'wrong'],
    ['unsafe', 'safe', 2 * LIMIT, 'wrong'],
    ['unsafe', 'unsafe', 2 * LIMIT, 'timeout'],
    ['unknown', 'unsafe', 1, 'unlabelled'],
    ['safe', 'unknown', 1, 'unknown'],
    ['safe', 'unknown', 2 * LIMIT, 'timeout'],
    ['safe', 'error', 2 * LIMIT, 'error'],
  ];
  for (const [expected, verdict, ms, worth] of cases)
    t.equal(grade(task('x', expected), answer(verdict, ms), LIMIT), worth, `${verdict} for ${expected}`);
  t.end();
});

t.test('what the processes say', t => {
  const output = { ms: 5, stdout: '', stderr: '', failure: undefined };
  const report = (verdict: string, reason?: string) =>
    ourAnswer({ ...output, stdout: JSON.stringify({ verdict, properties: [{}, { reason }] }) });
  t.equal(report('unsafe', 'gave up').verdict, 'unsafe');
  t.same(report('unknown', 'gave up'), { verdict: 'unknown', ms: 5, note: 'gave up' });
  t.equal(report('unknown', 'the time limit was reached').verdict, 'timeout');
  t.same(ourAnswer({ ...output, stderr: 'x.vmt:1:1: bad\nmore', failure: 'failed' }), {
    verdict: 'error',
    ms: 5,
    note: 'x.vmt:1:1: bad',
  });
  t.equal(ourAnswer({ ...output, failure: 'killed' }).verdict, 'timeout');

  t.equal(spacerAnswer('chc', { ...output, stdout: 'sat\n' }).verdict, 'safe');
  t.equal(spacerAnswer('chc', { ...output, stdout: 'unsat\n' }).verdict, 'unsafe');
  t.equal(spacerAnswer('chc-rel', { ...output, stdout: 'sat\n' }).verdict, 'unsafe');
  t.equal(spacerAnswer('chc-rel', { ...output, stdout: 'unsat\n' }).verdict, 'safe');
  t.equal(spacerAnswer('chc', { ...output, stdout: 'timeout\n' }).verdict, 'timeout');
  t.equal(spacerAnswer('chc', { ...output, failure: 'killed' }).verdict, 'timeout');
  t.match(spacerAnswer('chc', { ...output, stdout: '(error "line 3")\n' }), {
    verdict: 'error',
    note: '(error "line 3")',
  });
  t.end();
});

t.test('two engines compared', t => {
  const rows = [
    row('both1', 'safe', { a: answer('safe', 20), b: answer('safe', 10) }), // ratio 2
    row('both2', 'unknown', { a: answer('unsafe', 80), b: answer('unsafe', 10) }), // ratio 8
    row('only-a', 'safe', { a: answer('safe', 1), b: answer('timeout', LIMIT) }),
    row('b-is-wrong', 'safe', { a: answer('safe', 1), b: answer('unsafe', 1) }),
    row('only-b', 'safe', { a: answer('error', 1), b: answer('safe', 1) }),
    row('b-not-asked', 'safe', { a: answer('safe', 1), b: answer('no peer', 0) }),
    row('interrupted', 'safe', { a: answer('safe', 1) }),
  ];
  t.same(compare(rows, 'a', 'b'), {
    ours: 'a',
    rival: 'b',
    both: 2,
    ratio: '4.00',
    onlyOurs: 2,
    onlyRival: 1,
    disagreements: ['b-is-wrong'],
  });
  t.equal(rows.filter(r => isCommon(r, ['a', 'b'])).length, 5);
  const columns = tsvHeads(['a', 'b']).split('\t').length;
  for (const r of rows) t.equal(tsvLine(r, ['a', 'b']).split('\t').length, columns, r.task.path);
  t.end();
});
