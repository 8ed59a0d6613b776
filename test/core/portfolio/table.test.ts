/** The table of engines: every row can be used and says why it is there, and `--engines` chooses among them by name. */
import t from 'tap';
import { ENGINE_NAMES } from '../../../src/core/portfolio/engine-names.ts';
import { ON_VARIANTS, PORTFOLIO } from '../../../src/core/portfolio/table.ts';
import { complete } from '../../../src/sat/work.ts';
import { checkOf, loadedBackEnd, questionOf } from '../../support/checking.ts';
import { COUNTER, HandMade } from '../hand-made.ts';

const heavy = await loadedBackEnd();

t.test('every row has what the scheduler and people need', t => {
  const all = [...PORTFOLIO, ...ON_VARIANTS];
  const names = all.map(r => `${r.kind.name} ${r.variant?.name}`);
  t.equal(new Set(names).size, names.length, 'names tell them apart');
  t.same(ENGINE_NAMES, [...new Set(all.map(r => r.kind.name))]);
  for (const { kind, start, portion, rate, why } of all) {
    t.match(kind.name, /^[a-z][a-z-]*$/, 'a word that can be typed');
    t.ok(kind.help.length > 0 && why.length > 0, `${kind.name} says what for and why`);
    t.ok(start >= 0 && portion > 0 && Object.values(rate).every(r => r > 0), kind.name);
  }
  t.ok(
    PORTFOLIO.some(r => r.kind.proves),
    'somebody can prove something',
  );
  const reference = PORTFOLIO.find(r => r.start === 0 && Object.values(r.rate).every(x => x === 1));
  t.ok(reference !== undefined, 'somebody is the clock for the others');
  t.end();
});

t.test('only the engines that are asked for run, and their shares are reported', t => {
  const question = questionOf(new HandMade(COUNTER).system);
  const [safe, unsafe] = question.properties; // never ten; never two
  // Unfolding trees is for problems whose derivations are no runs.
  for (const { kind } of PORTFOLIO.filter(r => r.kind.name !== 'bounded-trees')) {
    const check = checkOf(question, heavy, { engines: [kind.name] }, unsafe);
    t.equal(complete(check.run()).kind, kind.refutes ? 'unsafe' : 'unknown', kind.name);
    if (kind.refutes) t.equal(check.foundBy, kind.name);
    t.same(
      check.shares.map(s => s.name),
      [kind.name],
    );
    t.ok(check.shares[0].spent > 0, 'it has done something');
    if (!kind.proves) continue;
    const proof = checkOf(question, heavy, { engines: [kind.name] }, safe);
    t.equal(complete(proof.run()).kind, 'safe', kind.name);
  }
  const all = checkOf(question, heavy, {}, safe);
  t.equal(complete(all.run()).kind, 'safe');
  t.same(
    all.shares.map(s => s.name),
    [...PORTFOLIO.map(r => r.kind.name), 'executions (as written)'],
    'all of them have a share, those that had no turn as well',
  );
  t.end();
});
