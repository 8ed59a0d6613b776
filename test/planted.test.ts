/**
 * Tests of the tests: each bug of the planted list (planted/bugs.ts), alone, must be noticed by its probe, which must find
 * nothing wrong with the sources as they are.
 */
import t from 'tap';
import { BUGS, PROBES } from './planted/bugs.ts';
import { occurrences, runProbe } from './planted/harness.ts';

t.test('the probes find nothing wrong', async t => {
  for (const probe of PROBES) t.same(await runProbe(probe), { kind: 'passed', said: [] }, probe);
});

t.test('the list has not rotted', t => {
  t.equal(new Set(BUGS.map(b => b.name)).size, BUGS.length, 'the names differ');
  for (const bug of BUGS) t.equal(occurrences(bug), 1, `${bug.name}: its text occurs once in ${bug.file}`);
  const idle = PROBES.filter(p => BUGS.every(b => b.probe !== p));
  t.same(idle, [], 'each probe has something to notice');
  t.end();
});

t.test('each planted bug is noticed', async t => {
  for (const bug of BUGS) {
    const outcome = await runProbe(bug.probe, bug);
    const hasCrashed =
      outcome.kind === 'crash' && bug.crash !== undefined && outcome.what.includes(bug.crash);
    t.ok(outcome.kind === 'caught' || hasCrashed, bug.name, { outcome });
    if ('what' in outcome) t.comment(`${outcome.kind}: ${outcome.what}`);
  }
});
