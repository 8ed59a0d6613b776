/**
 * Functions with loops that are kept (`--calls wait`): what is learnt of a body serves all of its calls, as in Figure 5.8 of the
 * dissertation, and calls through a table of functions are waited for like others.
 */
import t from 'tap';
import { complete } from '../../../src/sat/work.ts';
import { checkOf, complaintAbout, loadedBackEnd } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

const heavy = await loadedBackEnd();

/** Figure 5.8a: a function that satisfies its assertion, called so many times. */
const repeated = (calls: number) => `
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void loop(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 2; }
  if (y != x + x) reach_error();
}
int main(void) { ${'loop(); '.repeat(calls)} return 0; }`;

t.test('Figure 5.8: the number of lemmas does not depend on the number of calls', async t => {
  const lemmas: number[] = [];
  for (const calls of [4, 12, 30]) {
    const question = programQuestion(await modulesOf(repeated(calls)), 'main', { calls: 'wait' });
    const bodies = question.problem.edges.filter(e => e.head === e.sources[0]?.location).length;
    t.ok(
      bodies <= 2,
      `${calls} calls, ${bodies} loops: one on the way to the error, and one on the way back`,
    );
    // What would make the loop trivial is switched off.
    const check = checkOf(question, heavy, {
      engines: ['abstract'],
      engine: { facts: false, accelerate: false },
    });
    const verdict = complete(check.run());
    t.equal(verdict.kind, 'safe');
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    lemmas.push(check.lemmas.length);
  }
  t.ok(lemmas[0] > 0, 'something is to be learnt');
  t.equal(new Set(lemmas).size, 1, lemmas.join(', '));
});

const table = (claim: string) => `
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned up(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s++; return s; }
static unsigned down(unsigned n) { unsigned s = n; while (s > 0) s--; return s; }
static unsigned (*const functions[2])(unsigned) = { up, down };
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint() % 2;
  unsigned r = functions[i](n), q = functions[1 - i](n);
  if (${claim}) reach_error();
  return 0;
}`;

for (const [claim, expected] of [
  ['r + q != n', 'safe'],
  ['r + q == n', 'unsafe'],
] as const) {
  t.test(`calls through a table: ${expected}`, async t => {
    const question = programQuestion(await modulesOf(table(claim)), 'main', { calls: 'wait' });
    t.ok(
      question.problem.edges.some(e => e.sources.length > 1),
      'functions are kept',
    );
    const verdict = complete(checkOf(question, heavy).run());
    t.equal(verdict.kind, expected);
    t.equal(complaintAbout(question, heavy, verdict), undefined);
  });
}
