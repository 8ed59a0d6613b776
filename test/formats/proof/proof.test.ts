/**
 * Proofs as files and as scripts. Invariants are read back, as we write them and as others do; the scripts of a certificate
 * are answered by our own interpreter and, where it is installed, by z3.
 */
import { spawnSync } from 'node:child_process';
import t, { type Test } from 'tap';
import { checkProof } from '../../../src/core/evidence/check-proof.ts';
import { restrictedTo } from '../../../src/core/problem/problem.ts';
import type { System } from '../../../src/core/problem/system.ts';
import type { SystemProof } from '../../../src/core/problem/system-proof.ts';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { readInvariant } from '../../../src/formats/proof/reader.ts';
import { invariantText } from '../../../src/formats/proof/writer.ts';
import { complete } from '../../../src/sat/work.ts';
import { Interpreter } from '../../../src/smt/interpreter.ts';
import { Op } from '../../../src/term/operators.ts';
import { TermStore } from '../../../src/term/store.ts';
import { COUNTER, HandMade, MEMORY, MUTEX, REQUEST, WALK } from '../../core/hand-made.ts';
import { loadedBackEnd, questionOf } from '../../support/checking.ts';

const heavy = await loadedBackEnd();

/** What is above two counts up and comes to zero again; below, it goes round. Nothing leads to three. */
const ROUND = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3))
  (assert (! (= x #b000) :named init))
  (assert (! (= x.next (ite (= x #b010) #b000 (bvadd x #b001))) :named trans))
  (assert (! (not (= x #b101)) :named property))
  (assert (! true :named anything))
  (assert (! (not (= x #b011)) :named not-three))
  (assert (! (not (= x #b100)) :named not-four))
  (assert (! (or (= x #b011) (not (= x #b011))) :named lemma-true))`;

const PROOFS: readonly (readonly [text: string, invariant: string, ...lemmas: string[]])[] = [
  [COUNTER, 'below-ten', 'lemma-step'],
  [COUNTER, 'below-ten'],
  [MUTEX, 'invariant'],
  [MEMORY, 'invariant', 'lemma-constant', 'lemma-store'],
  [REQUEST, 'invariant'],
  [WALK, 'invariant'],
];

t.test('an invariant is read back as it was', t => {
  for (const [text, ...names] of PROOFS) {
    const h = new HandMade(text);
    const proof = h.proof(...names);
    const written = invariantText(h.system, h.property, proof);
    const read = readInvariant(h.system, 'i.smt2', written);
    t.same(read, proof, written);
  }
  const round = new HandMade(ROUND);
  for (const k of [1, 2, 17]) {
    const proof = round.kInductive(k, 'not-three', 'lemma-true');
    const written = invariantText(round.system, round.property, proof);
    t.same(readInvariant(round.system, 'i.smt2', written), proof, written);
  }
  // Names that are in the way.
  const h = new HandMade(COUNTER.replace(/\bx\b/g, 'inv'));
  const proof = h.proof('below-ten');
  t.same(readInvariant(h.system, 'i.smt2', invariantText(h.system, h.property, proof)), proof);
  t.end();
});

t.test('invariants as others write them', t => {
  const h = new HandMade(COUNTER);
  const wanted = h.formula('below-ten');
  for (const text of [
    '(assert (bvult x #x0a))',
    '(define-fun inv () Bool (bvult x #x0a))',
    '(define-fun Inv ((x (_ BitVec 8))) Bool (bvult x #x0a))',
    '(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(define-fun inv () Bool (bvult x #x0a))(exit)',
    '(declare-const x (_ BitVec 8))(define-fun limit () (_ BitVec 8) #x0a)(define-fun i () Bool (bvult x limit))',
    '(define-fun less ((a (_ BitVec 8)) (b (_ BitVec 8))) Bool (bvult a b))(define-fun i () Bool (less x #x0a))',
    '(define-fun unused () Bool true)(assert (bvult x #x0a))',
    '(set-info :status unsat)(set-info :k 7)(set-option :k-induction 7)(assert (bvult x #x0a))',
  ]) {
    t.same(readInvariant(h.system, 'f', text), { invariant: wanted, lemmas: [], k: 0 }, text);
  }
  const two = readInvariant(h.system, 'f', '(assert (bvult x #x0a))(assert (= x x))');
  t.equal(readInvariant(h.system, 'f', '(set-info :k-induction 12)(assert (bvult x #x0a))').k, 12);
  t.equal(h.terms.op(two.invariant), Op.AND, 'several assertions hold together');
  const { asProblem } = h;
  const check = checkProof(restrictedTo(asProblem.problem, 0), asProblem.proof(two), {
    heavy,
    budget: {},
    nameOf: e => asProblem.nameOf(e),
  });
  t.same(complete(check), { kind: 'valid' });
  const walk = new HandMade(WALK);
  const owner = '(declare-sort Token 0)(declare-fun owner ((_ BitVec 4)) Token)(assert (= t (owner s)))';
  t.equal(readInvariant(walk.system, 'f', owner).invariant, walk.formula('invariant'));
  t.end();
});

t.test('what is no invariant, and where', t => {
  const h = new HandMade(COUNTER);
  for (const [text, message] of [
    ['', 'f:1:1: expected an invariant: (define-fun inv () Bool …)'],
    ['(define-fun limit () (_ BitVec 8) #x0a)', 'f:1:1: expected an invariant: (define-fun inv () Bool …)'],
    ['\n (assert go)', "f:2:2: the invariant mentions 'go', which is not a current state variable"],
    [
      '(assert (= x.next x))',
      "f:1:1: the invariant mentions 'x.next', which is not a current state variable",
    ],
    [
      '(declare-const z Bool)\n(assert z)',
      "f:2:1: the invariant mentions 'z', which is not a current state variable",
    ],
    ['(assert x)', 'f:1:9: an assertion must be of sort Bool, not (_ BitVec 8)'],
    ['(assert (bvult x y))', "f:1:18: unknown symbol 'y': it is not declared"],
    [
      '(assert (bvult x #b1))',
      "f:1:9: 'bvult' expects two bit-vectors of one width, not (_ BitVec 8) (_ BitVec 1)",
    ],
    ['(define-fun i ((y Bool)) Bool y)', "f:1:1: the parameter 'y' is not a state variable of the system"],
    [
      '(define-fun i ((x Bool)) Bool x)',
      "f:1:1: the parameter 'x' is Bool, but the state variable (_ BitVec 8)",
    ],
    [
      '(declare-const x Bool)',
      "f:1:16: 'x' is declared otherwise than in the system, where it is () (_ BitVec 8)",
    ],
    ['(set-info :k-induction -1)', 'f:1:24: expected a number of states, a numeral'],
    ['(set-info :k-induction)', 'f:1:1: expected a number of states in this list'],
    ['(set-info :k-induction 1001)', 'f:1:24: expected no more than 1000 states'],
    ['(push 1)', "f:1:2: 'push' has no place in an invariant"],
    ['inv', 'f:1:1: expected a command in parentheses'],
    ['(assert', "f:1:1: the list opened here is never closed: expected ')'"],
  ]) {
    try {
      readInvariant(h.system, 'f', text);
      t.fail(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      t.equal(error.message, message);
    }
  }
  t.end();
});

/** Our own interpreter's answer to a script. */
async function answer(text: string): Promise<string> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  await new Interpreter({ write, warn: write, version: '0', heavy }).run('certificate.smt2', text);
  return lines.join(' ');
}

const hasZ3 = spawnSync('z3', ['--version'], { encoding: 'utf8' }).status === 0;
t.comment(hasZ3 ? 'certificates are checked by z3, too' : 'z3 is not installed');

/** What our interpreter says to a script of a certificate, and z3 with it. */
async function expectAnswer(t: Test, text: string, expected: string, what: string): Promise<void> {
  t.match(
    text,
    /^; .*\n\(set-logic (QF_[A-Z]+|ALL)\)\n\(set-info :status unsat\)\n[\s\S]*\n\(check-sat\)\n\(exit\)\n$/,
  );
  const neutral = text.replace(':status unsat', ':source x');
  t.equal(await answer(neutral), expected, what);
  if (!hasZ3) return;
  const { stdout } = spawnSync('z3', ['-in', '-T:60'], { input: neutral, encoding: 'utf8' });
  t.equal(stdout.trim(), expected, `${what}, says z3`);
}

function certificateOf(h: HandMade, proof: SystemProof) {
  const { words, problem } = questionOf(h.system);
  // The question's problem is another one than the hand-made: what is said about the one is said about the other's edges.
  const own = h.asProblem.proof(proof);
  const [location] = problem.locations;
  const { edges } = h.asProblem.problem;
  return words.certificate(h.property, {
    model: new Map([[location, proof.invariant]]),
    lemmas: new Map(problem.edges.map((e, i) => [e, own.lemmas.get(edges[i]) ?? []])),
    k: proof.k,
  });
}

t.test('certificates', async t => {
  for (const [text, ...names] of PROOFS) {
    const h = new HandMade(text);
    const proof = h.proof(...names);
    const scripts = certificateOf(h, proof);
    t.same(
      scripts.map(s => s.name),
      ['init.smt2', 'step.smt2', 'property.smt2', ...proof.lemmas.map((_, i) => `lemma-${i + 1}.smt2`)],
    );
    for (const script of scripts) await expectAnswer(t, script.text, 'unsat', script.name);
  }
  const wrong = async (text: string, names: [string, ...string[]], script: string) => {
    const h = new HandMade(text);
    const found = certificateOf(h, h.proof(...names)).find(s => s.name === script);
    await expectAnswer(t, (found as { text: string }).text, 'sat', `${names} is wrong`);
  };
  await wrong(COUNTER, ['below-nine'], 'step.smt2');
  await wrong(COUNTER, ['anything'], 'property.smt2');
  await wrong(COUNTER, ['below-ten', 'lemma-false'], 'lemma-1.smt2');
  await wrong(MUTEX, ['not-initial'], 'init.smt2');
  await wrong(MEMORY, ['wrong'], 'step.smt2');
});

t.test('certificates of k-inductive proofs: the base, and the step', async t => {
  const h = new HandMade(ROUND);
  const names = (k: number) => [
    'init',
    'step',
    ...Array.from({ length: k }, (_, i) => `base-${i}`),
    'induction',
  ];
  for (const [k, model, ...lemmas] of [
    [3, 'anything'],
    [2, 'not-three'],
    [5, 'not-three', 'lemma-true'],
  ] as const) {
    const scripts = certificateOf(h, h.kInductive(k, model, ...lemmas));
    const all = [...names(k), ...lemmas.map((_, i) => `lemma-${i + 1}`)];
    t.same(
      scripts.map(s => s.name),
      all.map(name => `${name}.smt2`),
    );
    for (const { name, text } of scripts) await expectAnswer(t, text, 'unsat', `k = ${k}: ${name}`);
  }
  const answers = async (made: HandMade, k: number, model: string) => {
    const scripts = certificateOf(made, made.kInductive(k, model));
    return Promise.all(
      scripts.map(
        async s =>
          `${s.name.replace('.smt2', '')} ${await answer(s.text.replace(':status unsat', ':source x'))}`,
      ),
    );
  };
  t.same(
    (await answers(h, 2, 'anything')).filter(a => a.endsWith(' sat')),
    ['induction sat'],
    'three and four come before five',
  );
  t.same(
    (await answers(h, 3, 'not-four')).filter(a => a.endsWith(' sat')),
    ['step sat'],
  );
  const two = new HandMade(
    ROUND.replace('(not (= x #b101)) :named property', '(not (= x #b010)) :named property'),
  );
  t.same(
    (await answers(two, 8, 'anything')).filter(a => a.endsWith(' sat')),
    ['base-2 sat', 'base-5 sat'],
    'two comes after two steps, and after five',
  );
});

t.test('symbols of one name are told apart in certificates', async t => {
  const terms = new TermStore();
  const { bool } = terms.sorts;
  const [x, y] = ['x', 'x'].map(name => terms.variable(name, bool));
  // Said of one variable, x ∧ ¬x would have no model.
  const states = [x, y].map(current => ({ current, next: terms.variable('x', bool) }));
  const property = { index: 0, formula: terms.true, name: undefined };
  const system: System = {
    terms,
    states,
    inputs: [],
    init: terms.and([x, terms.not(y)]),
    trans: terms.and(states.map(s => terms.eq(s.next, s.current))),
    constraints: [],
    properties: [property],
  };
  const { words, problem } = questionOf(system);
  const certificate = (invariant: SystemProof['invariant']) =>
    words.certificate(property, {
      model: new Map([[problem.locations[0], invariant]]),
      lemmas: new Map(),
      k: 0,
    });
  t.equal(await answer(certificate(terms.false)[0].text.replace(':status unsat', ':source x')), 'sat');
  for (const { text, name } of certificate(terms.and([x, terms.not(y)])))
    t.equal(await answer(text), 'unsat', name);
});
