/**
 * The checker with a concrete solver that is unsound: each bug of the list (unsound.ts), alone, makes something be found that
 * fails its check, and no verdict wrong. Proofs with lemmas that only the unsound solver believes are refused, too.
 */
import t from 'tap';
import { occurrences, runProbe } from './harness.ts';
import { SYSTEMS } from './systems.ts';
import { UNSOUND_SOLVERS } from './unsound.ts';

t.test('with the sources as they are, all answers are found', async t => {
  t.same(await runProbe('whole'), { kind: 'passed', said: [] });
});

t.test('the list has not rotted', t => {
  const rooms = new Set(UNSOUND_SOLVERS.map(b => b.file));
  t.ok(UNSOUND_SOLVERS.length >= 8 && rooms.size >= 8, 'the bugs are in many rooms');
  t.equal(new Set(UNSOUND_SOLVERS.map(b => b.name)).size, UNSOUND_SOLVERS.length, 'the names differ');
  for (const bug of UNSOUND_SOLVERS) {
    t.equal(occurrences(bug), 1, `${bug.name}: its text occurs once in ${bug.file}`);
    t.ok(bug.system in SYSTEMS, bug.system);
  }
  t.end();
});

for (const bug of UNSOUND_SOLVERS) {
  t.test(bug.name, async t => {
    const outcome = await runProbe('whole', bug);
    t.equal(outcome.kind, 'passed', 'no verdict is wrong, and no lemma is accepted that is not valid', {
      outcome,
    });
    if (outcome.kind !== 'passed') return;
    const { said } = outcome;
    t.ok(said.includes(`fails ${bug.system}`), 'what is found fails its check', { said });
    const isCertified = said.includes(`certifies ${bug.system}`);
    t.equal(isCertified, bug.certifies, 'whether the solver takes the violated property for valid', { said });
  });
}
