import t from 'tap';
import { shortened } from '../../../../src/core/engines/walks/shorten.ts';
import { complete } from '../../../../src/sat/work.ts';

t.test('a run is made shorter', t => {
  // The violation is the first 42 that has a 17 somewhere before it; a 0 is not allowed at the start.
  const follow = (path: readonly number[]) => {
    const first = path.indexOf(17);
    const last = first < 0 ? -1 : path.indexOf(42, first);
    return path[0] === 0 || last < 0 ? undefined : last + 1;
  };
  const path = Array.from({ length: 1000 }, (_, i) => i % 5);
  path[300] = 17;
  path[900] = 42;
  t.same(complete(shortened(path, follow, () => false)), [17, 42]);
  t.same(complete(shortened(path, follow, () => true)), path, 'without any time it stays as it is');
  let left = 30;
  const some = complete(shortened(path, follow, () => left-- <= 0));
  t.equal(follow(some), some.length, 'with some time it still is a violation');
  t.ok(some.length < path.length);
  t.end();
});

t.test('it pauses before every attempt', t => {
  let attempts = 0;
  const follow = (path: readonly number[]) => {
    attempts++;
    return path.includes(7) ? path.length : undefined;
  };
  const path = Array.from({ length: 64 }, (_, i) => i);
  const work = shortened(path, follow, () => false);
  let pauses = 0;
  for (let next = work.next(); next.done !== true; next = work.next()) {
    pauses++;
    if (attempts >= pauses) t.fail('an attempt without a pause before it');
  }
  t.equal(pauses, attempts);
  t.ok(pauses > 6, `${pauses} pauses`);
  t.end();
});
