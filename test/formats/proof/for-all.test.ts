/**
 * Invariants about all elements of an array, in the words of each format: Horn clauses and transition systems say `forall`, what
 * is written can be read again and certified, and formats without quantifiers say nothing.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { SystemProblem } from '../../../src/core/problem/system-problem.ts';
import type { SystemProof } from '../../../src/core/problem/system-proof.ts';
import { btor2Certificate } from '../../../src/formats/btor2/writer.ts';
import { hornQuestion } from '../../../src/formats/horn/front-end.ts';
import { NotExpressible } from '../../../src/formats/not-expressible.ts';
import { certified } from '../../../src/formats/proof/certify.ts';
import { readInvariant } from '../../../src/formats/proof/reader.ts';
import { invariantText } from '../../../src/formats/proof/writer.ts';
import { quantifiedText } from '../../../src/formats/smtlib/quantified.ts';
import { systemQuestion } from '../../../src/formats/system-question.ts';
import { readVmt } from '../../../src/formats/vmt/reader.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { TermStore } from '../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';

const heavy = await loadedBackEnd();
const TASKS = new URL('../../core/prophecy/', import.meta.url);

for (const name of [
  'array-zero-signed',
  'array-zero-unsigned',
  'array-zero-twice-signed',
  'array-zero-twice-unsigned',
]) {
  t.test(`${name} has a model with forall`, t => {
    const text = readFileSync(new URL(`${name}.smt2`, TASKS), 'utf8');
    const question = hornQuestion(new TermStore(), name, text, new Checkpoint());
    const verdict = verdictOf(question, heavy);
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    if (verdict.kind !== 'safe') throw new Error(verdict.kind);
    const [property] = question.properties;
    const answer = question.words.competition?.text([{ property, ...verdict }]) ?? '';
    t.match(answer, /^sat\n\(\n {2}\(define-fun \S+ \(.*\) Bool\n {4}\(forall \(\(p \(_ BitVec 32\)\)\) /);
    t.equal(question.words.proof(property, verdict.proof), answer.slice('sat\n'.length));
    const scripts = question.words.certificate(property, verdict.proof);
    t.notMatch(scripts.map(s => s.text).join(''), /forall/, 'certificates are instances');
    t.end();
  });
}

const FILL = `(declare-fun A () (Array (_ BitVec 8) (_ BitVec 8))) (declare-fun A1 () (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun i () (_ BitVec 8)) (declare-fun i1 () (_ BitVec 8)) (declare-fun j () (_ BitVec 8))
(define-fun .a () (Array (_ BitVec 8) (_ BitVec 8)) (! A :next A1)) (define-fun .i () (_ BitVec 8) (! i :next i1))
(define-fun .init () Bool (! (= i #x00) :init true))
(define-fun .trans () Bool (! (and (= A1 (store A i #x07)) (= i1 (bvadd i #x01)) (bvult i #xff)) :trans true))
(define-fun .p () Bool (! (=> (bvult j i) (= (select A j) #x07)) :invar-property 0))`;

t.test('bound variables of one name are told apart', t => {
  const terms = new TermStore();
  const [free, x, y, z] = [8, 8, 8, 4].map(width => terms.variable('x', terms.sorts.bitVec(width)));
  const formula = terms.or([terms.eq(x, free), terms.eq(y, x), terms.eq(z, terms.bv(4, 1))]);
  const text = quantifiedText(terms, 'forall', [x, y, z], formula);
  const [eight, four] = ['(_ BitVec 8)', '(_ BitVec 4)'];
  t.ok(text.startsWith(`(forall ((x!1 ${eight}) (x!2 ${eight}) (x!3 ${four})) `), text);
  for (const [a, b] of [
    ['x', 'x!1'],
    ['x!1', 'x!2'],
    ['#x1', 'x!3'],
  ])
    t.ok(text.includes(`(= ${a} ${b})`) || text.includes(`(= ${b} ${a})`), text);
  t.end();
});

t.test('a proof file is read as it was written, and certified', t => {
  const system = readVmt(new TermStore(), 'fill.vmt', FILL, { strict: true, warn: line => t.fail(line) });
  const question = systemQuestion('fill.vmt', 'vmt', system);
  const [property] = question.properties;
  const verdict = verdictOf(question, heavy);
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  if (verdict.kind !== 'safe') throw new Error(verdict.kind);
  const text = question.words.proof(property, verdict.proof);
  t.match(text, /\(define-fun inv \(\) Bool\s+\(forall \(\(p \(_ BitVec 8\)\)\) /);
  const how = { heavy, budget: {} };
  t.same(complete(certified(question, property, { file: 'inv.smt2', text }, how)), { kind: 'valid' });
  const said = 'assert (forall ((k (_ BitVec 8))) (=> (bvult k i) (= (select A k)';
  for (const [element, kind] of [
    ['#x07', 'valid'],
    ['#x08', 'invalid'],
  ]) {
    const other = complete(
      certified(question, property, { file: 'k', text: `(${said} ${element}))))` }, how),
    );
    t.equal(other.kind, kind, `written by somebody else: all are ${element}`);
  }
  t.end();
});

t.test('what is written keeps the bound variable apart from what the system has, and lemmas with it', t => {
  const system = readVmt(new TermStore(), 'fill.vmt', FILL, { strict: true, warn: line => t.fail(line) });
  const { terms, states } = system;
  const [a, i] = states.map(s => s.current);
  const bound = terms.variable('i', terms.sort(i));
  const read = readInvariant(
    system,
    'k',
    '(declare-fun k () (_ BitVec 8)) (assert (forall ((k (_ BitVec 8))) (= (select A k) i)))',
  );
  t.equal(read.bound?.length, 1);
  const proof: SystemProof = {
    invariant: terms.or([terms.eq(a, a), terms.eq(bound, i)]),
    bound: [bound],
    lemmas: [terms.eq(bound, bound)],
    k: 0,
  };
  const text = invariantText(system, system.properties[0], proof);
  t.match(text, /\(forall \(\(i!1 \(_ BitVec 8\)\)\) \(or .*\(= i!1 i\)\)\)/);
  const again = readInvariant(system, 'again', text);
  const [variable] = again.bound ?? [];
  t.ok(terms.postorder(again.lemmas).includes(variable), 'lemmas speak of the same variable');
  t.throws(() => btor2Certificate(system, system.properties[0], proof), NotExpressible);
  t.equal(new SystemProblem(system).proof(proof).forAll?.bound.size, 1);
  t.end();
});
