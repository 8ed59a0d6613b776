/** What the passes make of Horn clauses, and how large the evidence is that they carry back. */
import t from 'tap';
import { preprocess } from '../../../src/core/passes/pipeline.ts';
import { type Edge, headOf, type Problem, sourceOf } from '../../../src/core/problem/problem.ts';
import { FlatView } from '../../../src/core/problem/transition-system.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { Unknown } from '../../../src/sat/unknown.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import type { TermId } from '../../../src/term/store.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';

/** What other passes do shows better without. */
const NO_FACTS = { facts: false } as const;

const heavy = await loadedBackEnd();

const HORN = '(set-logic HORN)\n';

const read = (text: string) =>
  readQuestion('test.smt2', text, { strict: true, warn: message => t.fail(message) });

const prepared = (text: string) => preprocess(read(text).problem, 'sliced', new Checkpoint(), NO_FACTS).all;

/** The transition system that clauses become. */
function flat(text: string) {
  const { problem } = preprocess(read(text).problem, 'functional', new Checkpoint(), NO_FACTS).all;
  return new FlatView(problem, new Rewriter(problem.terms)).system;
}

/** How many state variables and inputs it has. */
function shape(text: string): [states: number, inputs: number] {
  const { states, inputs } = flat(text);
  return [states.length, inputs.length];
}

t.test('one relation becomes a transition system as one would write it', t => {
  const { states, inputs, definitions, relations } =
    flat(`${HORN}(declare-fun S ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8))) (=> (and (= x #x00) (= y #x01)) (S x y i))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8)) (x2 (_ BitVec 8)) (y2 (_ BitVec 8)) (i2 (_ BitVec 8)))
        (=> (and (S x y i) (= x2 (bvadd x i)) (= (bvadd y2 #x01) (bvmul x y))) (S x2 y2 i2))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8))) (=> (and (S x y i) (= x y)) false)))`);
  t.equal(states.length, 2, 'an argument that is left to chance is an input');
  t.equal(inputs.length, 1);
  t.equal(definitions.size, 2, 'equations are solved for what is new');
  t.equal(relations.length, 0);
  t.end();
});

t.test('what is assumed of inputs that are arguments does not make them states', t => {
  // A register x is loaded with an input. The clauses carry the next input along.
  const bounded = (x: string, y: string) => `(bvult (bvadd ${x} ${y}) #x40)`;
  t.same(
    shape(`${HORN}(declare-fun S ((_ BitVec 8) (_ BitVec 8)) Bool)
      (assert (forall ((y (_ BitVec 8))) (=> ${bounded('#x00', 'y')} (S #x00 y))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (y2 (_ BitVec 8)))
        (=> (and (S x y) ${bounded('x', 'y')} ${bounded('(bvxor x y)', 'y2')}) (S (bvxor x y) y2))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (S x y) (= x #x07)) false)))`),
    [1, 1],
  );
  t.end();
});

t.test('cases become edges, conditions do not', t => {
  const loops = (guard: string) => {
    const { problem } = prepared(`${HORN}(declare-fun S ((_ BitVec 4) (_ BitVec 1)) Bool) (assert (S #x0 #b0))
        (assert (forall ((x (_ BitVec 4)) (x2 (_ BitVec 4)) (b (_ BitVec 1)) (b2 (_ BitVec 1)))
          (=> (and (S x b) ${guard}) (S x2 b2))))
        (assert (forall ((x (_ BitVec 4)) (b (_ BitVec 1))) (=> (and (S x b) (= x #xf) (= b #b1)) false)))`);
    return problem.edges.filter(e => headOf(e) !== undefined && sourceOf(e) === headOf(e)).length;
  };
  t.equal(loops('(or (and (= x2 x) (= b2 #b1)) (and (= x2 #x0) (= b2 #b0)) (and (= x2 #x3) (= b2 b)))'), 3);
  t.equal(loops('(= x2 (bvadd x #x1)) (or (= b2 #b0) (= x #x0))'), 1);
  t.end();
});

t.test('relations and arguments that do not matter go away', t => {
  const chain = `${HORN}(declare-fun A ((_ BitVec 8) (_ BitVec 8)) Bool) (declare-fun B ((_ BitVec 8) (_ BitVec 8)) Bool)
    (declare-fun C ((_ BitVec 8) (_ BitVec 8)) Bool) (declare-fun dead (Bool) Bool)
    (assert (forall ((n (_ BitVec 8))) (A n #x00)))
    (assert (forall ((n (_ BitVec 8)) (x (_ BitVec 8))) (=> (A n x) (B n (bvadd x #x02)))))
    (assert (forall ((n (_ BitVec 8)) (x (_ BitVec 8))) (=> (B n x) (C n x))))
    (assert (forall ((n (_ BitVec 8)) (x (_ BitVec 8))) (=> (C n x) (A (bvadd n #x01) x))))
    (assert (forall ((b Bool)) (=> (dead b) (A #x00 #x01))))
    (assert (forall ((n (_ BitVec 8)) (x (_ BitVec 8))) (=> (and (C n x) (= x #x07)) false)))`;
  t.same(
    shape(chain),
    [1, 0],
    'a cycle through three relations is a loop at one; n and the dead relation are gone',
  );
  const constant = `${HORN}(declare-fun P ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
    (assert (forall ((x (_ BitVec 8))) (P #x05 x x)))
    (assert (forall ((c (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8))) (=> (P c x y) (P c (bvadd x c) (bvadd y c)))))
    (assert (forall ((c (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8)))
      (=> (and (P c x y) (or (not (= x y)) (= c #x06))) false)))`;
  t.same(prepared(constant).problem.edges, [], 'constants and copies decide it');
  t.end();
});

/** A loop that counts x to ten, by a counter of two bits among the arguments of one relation, and a flag. */
const COUNTED = (counter: string, at: (n: number) => string, isAt: (n: number) => string, goal: string) =>
  `${HORN}(declare-fun S (${counter} (_ BitVec 8) Bool) Bool)
    (assert (forall ((x (_ BitVec 8)) (f Bool)) (S ${at(0)} x f)))
    (assert (forall ((VARS) (x (_ BitVec 8)) (f Bool)) (=> (and (S PC x f) ${isAt(0)}) (S ${at(1)} #x00 f))))
    (assert (forall ((VARS) (x (_ BitVec 8)) (f Bool))
      (=> (and (S PC x f) ${isAt(1)} (bvult x #x0a)) (S ${at(2)} (bvadd x #x01) true))))
    (assert (forall ((VARS) (x (_ BitVec 8)) (f Bool)) (=> (and (S PC x f) ${isAt(2)}) (S ${at(1)} x f))))
    (assert (forall ((VARS) (x (_ BitVec 8)) (f Bool))
      (=> (and (S PC x f) ${isAt(1)} (bvuge x #x0a)) (S ${at(3)} x f))))
    (assert (forall ((VARS) (x (_ BitVec 8)) (f Bool)) (=> (and (S PC x f) ${isAt(3)} ${goal}) false)))`;

const byVector = (goal: string) =>
  COUNTED(
    '(_ BitVec 32)',
    n => `#x0000000${n}`,
    n => `(= p #x0000000${n})`,
    goal,
  )
    .replaceAll('(VARS)', '(p (_ BitVec 32))')
    .replaceAll('PC', 'p');

const byBooleans = (goal: string) =>
  COUNTED(
    'Bool Bool',
    n => `${n > 1} ${n % 2 === 1}`,
    n => `(= p ${n > 1}) ${n % 2 === 1 ? 'q' : '(not q)'}`,
    goal,
  )
    .replaceAll('(VARS)', '(p Bool) (q Bool)')
    .replaceAll('PC', 'p q');

t.test('a program counter among the arguments becomes locations', t => {
  for (const text of [byVector, byBooleans]) {
    t.equal(flat(text('(distinct x #x0a)')).states.length, 1, 'of the loop only x is left, and no counter');
    t.equal(verdictOf(read(text('(distinct x #x0a)')), heavy).kind, 'safe');
    const unsafe = verdictOf(read(text('f')), heavy);
    t.equal(unsafe.kind, 'unsafe');
    // The fact, to the loop, ten times two steps, out of it, the query.
    if (unsafe.kind === 'unsafe') t.equal(unsafe.derivation.steps.length, 1 + 1 + 20 + 1 + 1);
  }
  const another = `(assert (forall ((p (_ BitVec 32)) (x (_ BitVec 8)) (f Bool))
    (=> (and (S p x f) (= p #x00000001) (bvult x #x0a)) (S #x00000002 (bvadd x #x02) false))))`;
  t.equal(
    flat(`${byVector('f')} ${another}`).states.length,
    2,
    'a flag that is asked about once is no counter',
  );
  t.end();
});

/** A formula over the places of each location, as a proof of nothing, to see how evidence grows on its way back. */
function anyModel({ terms, locations }: Problem): Map<Problem['locations'][number], TermId> {
  const odd = (p: TermId) =>
    terms.sort(p) === terms.sorts.bool ? p : terms.eq(p, terms.bv(terms.width(p), 1));
  return new Map(locations.map(l => [l, terms.not(terms.and(l.places.map(odd)))]));
}

t.test('lemmas come back to the clauses that they are about, and to no others', t => {
  const at = (n: number) => `(_ bv${n} 8)`;
  const places = Array.from({ length: 12 }, (_, n) => n);
  const { problem: given } =
    read(`${HORN}(declare-fun P ((_ BitVec 8) (_ BitVec 8)) Bool) (assert (P ${at(0)} #x00))
    ${places
      .map(
        n => `(assert (forall ((x (_ BitVec 8))) (=> (and (P ${at(n)} x) (bvult x #x64)) (P ${at(n)} (bvadd x #x01)))))
        (assert (forall ((p (_ BitVec 8)) (x (_ BitVec 8))) (=> (and (P p x) (= p ${at(n)})) (P ${at(n + 1)} x))))`,
      )
      .join('\n')}
    (assert (forall ((x (_ BitVec 8))) (=> (and (P ${at(12)} x) (bvugt x #x64)) false)))`);
  const { problem, back } = preprocess(given, 'sliced', new Checkpoint(), NO_FACTS).all;
  const { terms, edges } = problem;
  t.ok(problem.locations.length > 6, 'there are many locations');
  const reflexive = (edge: Edge) => {
    const [place] = sourceOf(edge)?.places ?? [];
    return place === undefined ? [] : [terms.eq(place, place)];
  };
  const lemmas = new Map(edges.map(e => [e, reflexive(e)]));
  const proof = back.proof({ model: anyModel(problem), lemmas, k: 0 });
  t.ok([...proof.lemmas.values()].flat().length > 6, 'lemmas come back');
  for (const [edge, own] of proof.lemmas)
    t.ok(own.length <= 2, `at most a step and a state, edge ${given.edges.indexOf(edge)}`);
  t.end();
});

t.test('a chain of relations with choices has a model that can be written down', t => {
  const sum = ['x', '2', '4', '8', '16'].reduce(
    (s, n) => `(bvadd ${s} (ite b${n} (_ bv${n} 32) (_ bv0 32)))`,
  );
  const names = Array.from({ length: 9 }, (_, i) => `R${i}`);
  const { problem, back } =
    prepared(`${HORN}${names.map(r => `(declare-fun ${r} ((_ BitVec 32)) Bool)`).join(' ')} (assert (R0 #x00000000))
    ${names
      .slice(1)
      .map(
        (r, i) =>
          `(assert (forall ((x (_ BitVec 32)) (b2 Bool) (b4 Bool) (b8 Bool) (b16 Bool)) (=> (R${i} x) (${r} ${sum}))))`,
      )
      .join(' ')}
    (assert (forall ((x (_ BitVec 32))) (=> (R8 x) (R0 x))))
    (assert (forall ((x (_ BitVec 32))) (=> (and (R0 x) (= ((_ extract 0 0) x) #b1)) false)))`);
  const { model } = back.proof({ model: anyModel(problem), lemmas: new Map(), k: 0 });
  t.same([...model.keys()].map(l => l.name).sort(), names);
  t.ok(problem.terms.postorder([...model.values()]).length < 100_000, 'no exponential growth');
  t.end();
});

t.test('a chain of diamonds stays small', t => {
  const relations = Array.from({ length: 60 }, (_, i) => `(declare-fun r${i} ((_ BitVec 8)) Bool)`);
  const clauses = relations
    .slice(1)
    .flatMap((_, i) => [
      `(assert (forall ((x (_ BitVec 8))) (=> (r${i} x) (r${i + 1} (bvadd x #x01)))))`,
      `(assert (forall ((x (_ BitVec 8))) (=> (r${i} x) (r${i + 1} (bvmul x #x03)))))`,
    ]);
  const system = read(`${HORN}${relations.join('\n')} (assert (r0 #x00)) ${clauses.join('\n')}
    (assert (forall ((x (_ BitVec 8))) (=> (and (r59 x) (= x #x07)) false))) (check-sat)`).system();
  t.ok(system.terms.postorder([system.trans]).length < 20_000);
  t.end();
});

t.test('carrying evidence back has limits, too', t => {
  const { problem: given } = read(byVector('f'));
  const signal = { aborted: false };
  const { problem, back } = preprocess(given, 'sliced', new Checkpoint({ signal }), NO_FACTS).all;
  const proof = { model: anyModel(problem), lemmas: new Map(), k: 0 };
  t.equal(back.proof(proof).model.size, 1);
  signal.aborted = true;
  t.throws(() => back.proof(proof), new Unknown('aborted'));
  t.throws(() => back.derivation({ steps: [], functionValue: () => false }), new Unknown('aborted'));
  t.end();
});
