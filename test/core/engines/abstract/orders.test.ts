/** Which terms interpolants put in order, and a proof that cannot be had without: all elements that were passed are zero. */
import t from 'tap';
import { EquationSolver } from '../../../../src/bv/preprocess/equation-solver.ts';
import { Orders } from '../../../../src/core/engines/abstract/refine/orders.ts';
import { Signature } from '../../../../src/core/engines/abstract/signature.ts';
import { simplifyEdges } from '../../../../src/core/passes/simplify-edges.ts';
import { hornQuestion } from '../../../../src/formats/horn/front-end.ts';
import { Checkpoint } from '../../../../src/sat/checkpoint.ts';
import { Op } from '../../../../src/term/operators.ts';
import { Rewriter } from '../../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';

const heavy = await loadedBackEnd();

const ARRAY = '(Array (_ BitVec 16) (_ BitVec 16))';
const VARIABLES = `((a ${ARRAY}) (i (_ BitVec 16)) (n (_ BitVec 16)) (p (_ BitVec 16)))`;

/** Writes zero to all elements up to n, and asks for one of them, whose number never changes. */
const CLEARED = `(set-logic HORN)
  (declare-fun inv (${ARRAY} (_ BitVec 16) (_ BitVec 16) (_ BitVec 16)) Bool)
  (assert (forall ${VARIABLES} (inv a #x0000 n p)))
  (assert (forall ${VARIABLES}
    (=> (and (inv a i n p) (bvult i n)) (inv (store a i #x0000) (bvadd i #x0001) n p))))
  (assert (forall ${VARIABLES}
    (=> (and (inv a i n p) (not (bvult i n)) (bvult p n) (not (= (select a p) #x0000))) false)))`;

/** Of the places, the pairs that are put in order, with the operators. */
function ordered(text: string): string[] {
  const terms = new TermStore();
  const question = hornQuestion(terms, 'orders.smt2', text, new Checkpoint());
  // As the clauses have it, each variable is an input that equals a place.
  const { problem } = simplifyEdges(question.problem, new EquationSolver(new Rewriter(terms)));
  const [{ places }] = problem.locations;
  const atoms = new Orders(problem, new Signature(problem)).between(new Set(places));
  const name = (term: TermId) => `${places.indexOf(term)}`;
  const word = (op: Op) => (op === Op.BVSLT ? 's' : 'u');
  return atoms.map(a => `${name(terms.arg(a, 0))} <${word(terms.op(a))} ${name(terms.arg(a, 1))}`).sort();
}

t.test('terms that are compared, or that index arrays, are put in order both ways', t => {
  const found = ordered(CLEARED);
  for (const [a, b] of [
    [1, 2],
    [3, 2],
    [3, 1],
  ])
    t.ok(found.includes(`${a} <u ${b}`) && found.includes(`${b} <u ${a}`), `${a} and ${b}: ${found}`);
  t.end();
});

t.test('in the order that the program uses', t => {
  const found = ordered(CLEARED.replaceAll('bvult', 'bvslt'));
  t.ok(found.includes('3 <s 1') && found.every(a => a.includes('<s')), found.join());
  t.end();
});

t.test('what moves together is put in order, and what does not is not', t => {
  const moving = (y: string) => `(set-logic HORN)
    (declare-fun p ((_ BitVec 4) (_ BitVec 4)) Bool)
    (assert (p #x0 #x5))
    (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (p x y) (p (bvadd x #x1) ${y}))))
    (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (p x y) (bvult x #x1) (bvult y #x1)) false)))`;
  t.same(ordered(moving('(bvadd y #x2)')), ['0 <u 1', '1 <u 0']);
  t.same(ordered(moving('y')), []);
  t.end();
});

t.test('what holds of all elements before a counter is shown of one of them', t => {
  const question = hornQuestion(new TermStore(), 'orders.smt2', CLEARED, new Checkpoint());
  const verdict = verdictOf(question, heavy, { engines: ['abstract'] });
  t.equal(verdict.kind, 'safe');
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  t.end();
});
