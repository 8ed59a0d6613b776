/**
 * Functions with loops that are kept (`--calls wait`): what is learnt of a body serves all of its calls, as in Figure 5.8 of the
 * dissertation, and calls through a table of functions are waited for like others.
 */
import t from 'tap';
import { waitForCalls } from '../../../src/core/passes/calls/wait.ts';
import { unfoldAll } from '../../../src/core/passes/unfold/unfold-all.ts';
import type { Location, Problem } from '../../../src/core/problem/problem.ts';
import { type Proof, tidied } from '../../../src/core/problem/proof.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
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
    // Where callers wait, and nowhere else; what would make the loop trivial is switched off.
    const waiting = waitForCalls(question.problem, new Checkpoint())?.problem as Problem;
    const check = checkOf({ ...question, problem: waiting }, heavy, {
      engines: ['abstract'],
      engine: { facts: false, accelerate: false },
    });
    const verdict = complete(check.run());
    t.equal(verdict.kind, 'safe');
    t.equal(complaintAbout({ ...question, problem: waiting }, heavy, verdict), undefined);
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

t.test('what holds for some values only is said in SMT-LIB, and together', async t => {
  const hide = `
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned hide(unsigned n) { unsigned s = 0; while (s < n) s += 2; return s * s; }
int main(void) {
  unsigned a = __VERIFIER_nondet_uint() % 4, b = __VERIFIER_nondet_uint() % 4;
  if ((hide(a) + hide(b)) % 4 == 3) reach_error();
  return 0;
}`;
  const { problem, properties, words } = programQuestion(await modulesOf(hide), 'main', { calls: 'wait' });
  const { terms, edges, locations } = problem;
  const pass = unfoldAll(problem, new Checkpoint());
  const model = new Map(pass?.problem.locations.map(l => [l, terms.true]));
  const proof = pass?.back.proof({ model, lemmas: new Map(), k: 0 });
  if (proof?.exists === undefined)
    throw new Error('the loop in the function hides what its result is computed from');
  t.match(
    words.proof(properties[0], tidied(terms, proof)),
    /^; summary of hide\n\(exists \(\(\S+ \(_ BitVec 32\)\)/,
  );
  // A loop could be said to be so as well.
  const loop = locations.find(l => edges.some(e => e.head === l && e.sources[0]?.location === l)) as Location;
  const [place] = loop.places.filter(p => terms.width(p) === 32);
  const z = terms.variable('z', terms.sort(place));
  const parts = [
    terms.eq(place, z),
    terms.not(terms.eq(place, terms.bv(32, 5))),
    terms.eq(terms.bv(32, 1), z),
  ];
  const said: Proof = {
    ...proof,
    model: new Map([...proof.model, [loop, terms.and(parts)]]),
    exists: { ...proof.exists, bound: new Map([...proof.exists.bound, [loop, [z]]]) },
  };
  const text = words.proof(properties[0], tidied(terms, said));
  t.match(text, /a loop of hide\n\w+ != 5U?\n\(exists \(\(z \(_ BitVec 32\)\)\) \(and /);
});
