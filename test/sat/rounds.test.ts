/** Pieces of work in rounds: what is easy is done first, every piece is done, and what is paused does not pile up. */
import t from 'tap';
import { Rounds } from '../../src/sat/rounds.ts';
import { complete, type Work } from '../../src/sat/work.ts';

/** Work of so many turns, which tells what it has done. */
function* turns(count: number, name: string, log: string[]): Work<string> {
  for (let i = 0; i < count; i++) {
    log.push(name);
    yield 'turn';
  }
  return name;
}

function run(counts: readonly number[]) {
  const log: string[] = [];
  const done: string[] = [];
  const begun = counts.map(() => 0);
  const starts = counts.map((count, i) => () => {
    begun[i]++;
    return turns(count, String(i), log);
  });
  complete(new Rounds<string>(starts, (index, result) => void done.push(`${index}=${result}`)).run());
  return { log, done, begun };
}

t.test('a hard piece does not keep easy ones waiting', t => {
  const { log, done, begun } = run([10_000, 5, 30]);
  t.same(done, ['1=1', '2=2', '0=0']);
  t.same(begun, [1, 1, 1], 'paused work goes on');
  t.equal(log.filter(name => name === '0').length, 10_000);
  t.ok(log.lastIndexOf('2') < 200, 'the second is done long before the first');
  t.same(run([10_000, 5, 30]), { log, done, begun }, 'and always in the same way');
  t.end();
});

t.test('of many pieces only some are kept', t => {
  const { done, begun } = run(Array.from({ length: 100 }, () => 50));
  t.equal(new Set(done).size, 100);
  t.same(begun.slice(0, 16), Array(16).fill(1), 'the first go on');
  t.ok(
    begun.slice(16).every(b => b > 1 && b < 6),
    'the others start over, each time with twice the turns',
  );
  t.end();
});

t.test('loading is passed on, and is no turn', t => {
  function* loading(): Work<number> {
    for (let i = 0; i < 100; i++) yield 'load';
    return 7;
  }
  const seen: number[] = [];
  const rounds = new Rounds<number>([() => loading(), () => loading()], index => void seen.push(index));
  const pauses = [...rounds.run()];
  t.same(pauses, Array(200).fill('load'));
  t.same(seen, [0, 1]);
  t.same([...new Rounds<number>([], () => {}).run()], [], 'no work at all');
  t.end();
});
