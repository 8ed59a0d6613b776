/**
 * Horn clauses: both dialects and what they refuse, the encodings, answers in their formats, and examples with known
 * answers, many of them shapes that other tools once got wrong.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { HeavyBackEnd } from '../src/bv/tiered.ts';
import { Checker } from '../src/core/checker.ts';
import { functionalSystem } from '../src/core/system/functional.ts';
import { type HornAnswer, hornAnswer } from '../src/horn/answer.ts';
import { checkDerivation, checkModel } from '../src/horn/check.ts';
import { ENCODINGS, type Encoding } from '../src/horn/encode.ts';
import type { HornProblem, Relation } from '../src/horn/problem.ts';
import { hornSystem } from '../src/horn/system.ts';
import { InputError } from '../src/input/diagnostic.ts';
import { formatOf } from '../src/input/format.ts';
import { readHorn } from '../src/input/horn.ts';
import { ScriptReader } from '../src/input/smtlib/script.ts';
import { readVmt } from '../src/input/vmt.ts';
import { chcCompText } from '../src/output/chc-comp.ts';
import { writeHorn } from '../src/output/horn.ts';
import { readTask } from '../src/task.ts';
import { type TermId, TermStore } from '../src/term/store.ts';
import { loadCadicalForTests } from './support/cadical.ts';

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

const read = (text: string): HornProblem => readHorn(new TermStore(), 'test.smt2', text);

async function solve(
  problem: HornProblem,
  query = 0,
  encoding: Encoding = 'functional',
  preprocess = true,
): Promise<HornAnswer> {
  const horn = hornSystem(problem, { encoding, preprocess });
  const checker = new Checker(horn.system, horn.system.properties[query], {
    evaluateConstants: true,
    generalize: true,
    budget: {},
    heavy,
    onProgress: () => undefined,
  });
  return hornAnswer(problem, horn, query, await checker.run(), heavy);
}

/** The message with which a text is refused. */
function complaint(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'nothing';
}

const HORN = '(set-logic HORN)\n';

/** Name, answer, text. */
const EXAMPLES: readonly (readonly [string, 'safe' | 'unsafe', string])[] = [
  [
    'Example 4.2 of the dissertation, with bit-vectors',
    'safe',
    `(declare-rel E ()) (declare-rel L ((_ BitVec 8))) (declare-rel M ((_ BitVec 8))) (declare-rel U ())
     (declare-var x (_ BitVec 8)) (rule E) (rule (=> E (L #x00)))
     (rule (=> (and (L x) (bvult x #x05)) (L (bvadd x #x03))))
     (rule (=> (and (L x) (not (bvult x #x05))) (M x)))
     (rule (=> (and (M x) (not (bvult x #x07))) U)) (query U)`,
  ],
  [
    'the same with a bound that the loop passes',
    'unsafe',
    `(declare-rel E ()) (declare-rel L ((_ BitVec 8))) (declare-rel M ((_ BitVec 8))) (declare-rel U ())
     (declare-var x (_ BitVec 8)) (rule E) (rule (=> E (L #x00)))
     (rule (=> (and (L x) (bvult x #x05)) (L (bvadd x #x03))))
     (rule (=> (and (L x) (not (bvult x #x05))) (M x)))
     (rule (=> (and (M x) (not (bvult x #x06))) U)) (query U)`,
  ],
  ['no clauses at all', 'safe', `${HORN}(check-sat)`],
  [
    'a query without a relation, possible',
    'unsafe',
    `${HORN}(assert (forall ((x (_ BitVec 4))) (=> (= x #x3) false)))`,
  ],
  [
    'a query without a relation, impossible',
    'safe',
    `${HORN}(assert (forall ((x (_ BitVec 4))) (=> (and (= x #x3) (bvult x #x2)) false)))`,
  ],
  [
    'a query without a relation, beside a relation that is empty',
    'unsafe',
    `${HORN}(declare-fun P (Bool) Bool)
     (assert (forall ((x Bool)) (=> (and x (not x)) (P x)))) (assert (forall ((x Bool)) (=> (P x) false)))
     (assert (forall ((x Bool)) (=> x false)))`,
  ],
  [
    'a relation without clauses',
    'safe',
    `${HORN}(declare-fun P (Bool) Bool) (declare-fun Q (Bool) Bool)
     (assert (forall ((x Bool)) (=> (P x) (Q x)))) (assert (forall ((x Bool)) (=> (Q x) false)))`,
  ],
  [
    'a fact whose body is false',
    'safe',
    `${HORN}(declare-fun P (Bool) Bool) (assert (forall ((x Bool)) (=> false (P x))))
     (assert (forall ((x Bool)) (=> (P x) false)))`,
  ],
  [
    'a name bound twice: the later variable hides the earlier one',
    'unsafe',
    `${HORN}(declare-fun P ((_ BitVec 2)) Bool)
     (assert (forall ((x Bool) (x (_ BitVec 2))) (=> (= x #b10) (P x))))
     (assert (forall ((x (_ BitVec 2))) (forall ((x (_ BitVec 2))) (=> (and (P x) (= x #b10)) false))))`,
  ],
  [
    'let hides a variable, and its own earlier meaning',
    'safe',
    `${HORN}(declare-fun P ((_ BitVec 4)) Bool)
     (assert (forall ((x (_ BitVec 4))) (let ((x #x1) (y x)) (let ((x (bvadd x x))) (=> (= y #x7) (P x))))))
     (assert (forall ((x (_ BitVec 4))) (=> (and (P x) (not (= x #x2))) false)))`,
  ],
  [
    'exists in a body, and negated',
    'unsafe',
    `${HORN}(declare-fun P ((_ BitVec 2) (_ BitVec 2)) Bool) (declare-fun Q ((_ BitVec 2)) Bool)
     (assert (P #b01 #b10))
     (assert (forall ((x (_ BitVec 2))) (=> (exists ((y (_ BitVec 2))) (P x y)) (Q x))))
     (assert (not (exists ((x (_ BitVec 2))) (and (Q x) (= x #b01)))))`,
  ],
  [
    'a quantifier behind a name',
    'unsafe',
    `${HORN}(declare-fun P (Bool) Bool) (assert (P true))
     (assert (let ((a!1 (exists ((x Bool)) (and (P x) x)))) (not a!1)))`,
  ],
  [
    'a clause written as a disjunction, and a head that is a condition',
    'unsafe',
    `${HORN}(declare-fun P ((_ BitVec 3)) Bool)
     (assert (forall ((x (_ BitVec 3))) (or (not (= x #b001)) (P x))))
     (assert (forall ((x (_ BitVec 3))) (=> (P x) (P (bvmul x #b011)))))
     (assert (forall ((x (_ BitVec 3))) (=> (P x) (bvult x #b011))))`,
  ],
  [
    'one body for two heads, and two bodies for one head',
    'unsafe',
    `${HORN}(declare-fun P (Bool) Bool) (declare-fun Q (Bool) Bool) (declare-fun R (Bool) Bool)
     (assert (forall ((x Bool)) (=> x (and (P x) (Q (not x))))))
     (assert (forall ((x Bool)) (=> (or (P x) (Q x)) (R x)))) (assert (forall ((x Bool)) (=> (and (R x) (not x)) false)))`,
  ],
  [
    'repeated arguments and arguments that are terms',
    'safe',
    `${HORN}(declare-fun P ((_ BitVec 4) (_ BitVec 4)) Bool)
     (assert (forall ((x (_ BitVec 4))) (P x (bvadd x #x1))))
     (assert (forall ((x (_ BitVec 4))) (=> (P x x) false)))
     (assert (forall ((x (_ BitVec 4))) (=> (P (bvadd x #x1) x) (P x x))))`,
  ],
  [
    'arrays as arguments',
    'safe',
    `${HORN}(declare-fun P ((Array (_ BitVec 4) (_ BitVec 8)) (_ BitVec 4)) Bool)
     (assert (forall ((a (Array (_ BitVec 4) (_ BitVec 8))) (i (_ BitVec 4))) (P (store a i #x2a) i)))
     (assert (forall ((a (Array (_ BitVec 4) (_ BitVec 8))) (i (_ BitVec 4)) (j (_ BitVec 4)))
       (=> (and (P a i) (not (= i j))) (P (store a j #x00) i))))
     (assert (forall ((a (Array (_ BitVec 4) (_ BitVec 8))) (i (_ BitVec 4)))
       (=> (P a i) (= (select a i) #x2a))))`,
  ],
  [
    'a step by cases, in one clause, with nested cases',
    'safe',
    `${HORN}(declare-fun S (Bool (_ BitVec 8)) Bool) (assert (S false #x00))
     (assert (forall ((b Bool) (x (_ BitVec 8)) (b2 Bool) (x2 (_ BitVec 8)))
       (=> (and (S b x) (or (and b2 (bvult x #x10) (or (= x2 (bvadd x #x02)) (= x2 (bvadd x #x04))))
                            (and (not b2) b (= x2 #x00)))) (S b2 x2))))
     (assert (forall ((b Bool) (x (_ BitVec 8))) (=> (and (S b x) (= ((_ extract 0 0) x) #b1)) false)))`,
  ],
  [
    'one input for two arguments keeps them equal',
    'safe',
    `${HORN}(declare-fun P (Bool (_ BitVec 2) (_ BitVec 2)) Bool)
     (assert (forall ((x (_ BitVec 2))) (P false x x))) (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (P true x y)))
     (assert (forall ((b Bool) (x (_ BitVec 2)) (y (_ BitVec 2))) (=> (and (P b x y) (not b)) (= x y))))`,
  ],
  [
    'arguments that are equal by one fact and not by another',
    'unsafe',
    `${HORN}(declare-fun P ((_ BitVec 2) (_ BitVec 2)) Bool) (assert (P #b00 #b01)) (assert (P #b01 #b01))
     (assert (forall ((x (_ BitVec 2)) (y (_ BitVec 2))) (=> (P x y) (= x y))))`,
  ],
  [
    'a spurious path through arrays', // x would be 2 only after an array of threes, and its first element stays 0
    'safe',
    `${HORN}(define-sort A () (Array (_ BitVec 1) (_ BitVec 2))) (declare-fun p (Bool A (_ BitVec 2)) Bool)
     (assert (p false ((as const A) #b00) #b00))
     (assert (forall ((a A) (x (_ BitVec 2))) (=> (p false a x) (p true a (bvsub x (bvxor x #b01))))))
     (assert (forall ((a A) (x (_ BitVec 2))) (=> (p true a x) (p true (store a #b1 x) (bvxor x #b10)))))
     (assert (forall ((a A) (x (_ BitVec 2))) (=> (and (p true a x) (= ((as const A) #b11) a))
       (p true (store ((as const A) #b01) #b0 x) (bvsub x x)))))
     (assert (forall ((b Bool) (a A) (x (_ BitVec 2))) (=> (and (p b a x) (= (bvlshr x x) (bvadd #b10 x))) false)))`,
  ],
  [
    'two rules that use one name for different values',
    'unsafe',
    `(declare-rel A ((_ BitVec 2))) (declare-rel B ((_ BitVec 2) (_ BitVec 2))) (declare-rel U ())
     (declare-var v (_ BitVec 2)) (declare-var x (_ BitVec 2)) (rule (=> (bvult v #b10) (A v)))
     (rule (=> (and (A x) (bvult v #b11)) (B x v))) (rule (=> (and (B x v) (distinct x v)) U)) (query U)`,
  ],
];

t.test('examples, with all encodings, with and without transformations', async t => {
  for (const [name, expected, text] of EXAMPLES) {
    for (const encoding of ENCODINGS) {
      for (const preprocess of [true, false]) {
        const answer = await solve(read(text), 0, encoding, preprocess);
        const reason = answer.kind === 'unknown' ? answer.reason : '';
        t.equal(answer.kind, expected, `${name}, ${encoding}, ${preprocess} ${reason}`);
      }
    }
  }
});

t.test('several queries are several questions', async t => {
  const problem =
    read(`(declare-rel P ((_ BitVec 4))) (declare-rel low ()) (declare-rel high ()) (declare-var x (_ BitVec 4))
    (rule (P #x1)) (rule (=> (P x) (P (bvor x #x2)))) (rule (=> (and (P x) (= x #x3)) low))
    (rule (=> (and (P x) (= x #xf)) high)) (query low) (query high) (query P)`);
  t.same(problem.queries, ['low', 'high', 'P']);
  t.same(
    (await Promise.all([0, 1, 2].map(q => solve(problem, q)))).map(a => a.kind),
    ['unsafe', 'safe', 'unsafe'],
  );
});

t.test('one relation becomes a transition system as one would write it', t => {
  const { system } = hornSystem(
    read(`${HORN}(declare-fun S ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8))) (=> (and (= x #x00) (= y #x01)) (S x y i))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8)) (x2 (_ BitVec 8)) (y2 (_ BitVec 8)) (i2 (_ BitVec 8)))
        (=> (and (S x y i) (= x2 (bvadd x i)) (= (bvadd y2 #x01) (bvmul x y))) (S x2 y2 i2))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (i (_ BitVec 8))) (=> (and (S x y i) (= x y)) false)))`),
  );
  const functional = functionalSystem(system, system.properties[0]);
  t.equal(system.states.length, 2, 'an argument that is left to chance is an input');
  t.equal(system.inputs.length, 1);
  t.equal(functional.definitions.size, 2, 'equations are solved for what is new');
  t.equal(functional.relations.length, 0);
  t.end();
});

t.test('what is assumed of inputs that are arguments does not make them states', async t => {
  // A register x is loaded with an input that is never seven. The clauses carry the next input along.
  const clauses = (assumed: (x: string, y: string) => string, goal: string) =>
    read(`${HORN}(declare-fun S ((_ BitVec 8) (_ BitVec 8)) Bool)
      (assert (forall ((y (_ BitVec 8))) (=> ${assumed('#x00', 'y')} (S #x00 y))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (y2 (_ BitVec 8)))
        (=> (and (S x y) ${assumed('x', 'y')} ${assumed('(bvxor x y)', 'y2')}) (S (bvxor x y) y2))))
      (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (S x y) ${goal}) false)))`);
  const bounded = (x: string, y: string) => `(bvult (bvadd ${x} ${y}) #x40)`;
  const { system } = hornSystem(clauses(bounded, '(= x #x07)'));
  t.same([system.states.length, system.inputs.length], [1, 1]);
  t.equal(
    (await solve(clauses(bounded, '(bvult #x40 (bvadd x y))'))).kind,
    'safe',
    'the assumption holds at the end',
  );
  t.equal((await solve(clauses(bounded, '(= #x3f (bvadd x y))'))).kind, 'unsafe');
  // Only the fact sees to it, so that it must stay there.
  const initially = read(`${HORN}(declare-fun S ((_ BitVec 8) (_ BitVec 8)) Bool)
    (assert (forall ((y (_ BitVec 8))) (=> (bvult y #x40) (S #x00 y))))
    (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (y2 (_ BitVec 8))) (=> (and (S x y) (bvult y #x40)) (S y y2))))
    (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (S x y) (= y #x50)) false)))`);
  t.equal((await solve(initially)).kind, 'unsafe');
});

t.test('cases become edges, conditions do not', t => {
  const activations = (guard: string) => {
    const { system } = hornSystem(
      read(`${HORN}(declare-fun S ((_ BitVec 4) (_ BitVec 1)) Bool) (assert (S #x0 #b0))
        (assert (forall ((x (_ BitVec 4)) (x2 (_ BitVec 4)) (b (_ BitVec 1)) (b2 (_ BitVec 1)))
          (=> (and (S x b) ${guard}) (S x2 b2))))
        (assert (forall ((x (_ BitVec 4)) (b (_ BitVec 1))) (=> (and (S x b) (= x #xf) (= b #b1)) false)))`),
    );
    return system.inputs.filter(i => system.terms.symbol(system.terms.functionOf(i)).name.startsWith('act'))
      .length;
  };
  t.equal(
    activations('(or (and (= x2 x) (= b2 #b1)) (and (= x2 #x0) (= b2 #b0)) (and (= x2 #x3) (= b2 b)))'),
    3,
  );
  t.equal(activations('(= x2 (bvadd x #x1)) (or (= b2 #b0) (= x #x0))'), 0);
  t.end();
});

t.test('relations and arguments that do not matter go away', t => {
  const shape = (text: string) => {
    const { system } = hornSystem(read(text));
    return [system.states.length, system.inputs.length];
  };
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
  t.same(shape(constant), [0, 0], 'constants and copies decide it');
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

t.test('a program counter among the arguments becomes locations', async t => {
  for (const text of [byVector, byBooleans]) {
    const { system } = hornSystem(read(text('(distinct x #x0a)')));
    t.equal(system.states.length, 1, 'of the loop only x is left, and no counter');
    t.equal((await solve(read(text('(distinct x #x0a)')))).kind, 'safe');
    const unsafe = await solve(read(text('f')));
    t.equal(unsafe.kind, 'unsafe');
    // The fact, to the loop, ten times two steps, out of it, the query.
    if (unsafe.kind === 'unsafe') t.equal(unsafe.derivation.length, 1 + 1 + 20 + 1 + 1);
  }
  const another = `(assert (forall ((p (_ BitVec 32)) (x (_ BitVec 8)) (f Bool))
    (=> (and (S p x f) (= p #x00000001) (bvult x #x0a)) (S #x00000002 (bvadd x #x02) false))))`;
  const { system } = hornSystem(read(`${byVector('f')} ${another}`));
  t.equal(system.states.length, 2, 'a flag that is asked about once is no counter');
  t.end();
});

t.test('relations whose names run into values keep their locations apart', async t => {
  // Each relation has a counter of Booleans; the name of the second looks like that of the first at a value.
  const loop = (at: string) =>
    `(assert (forall ((x (_ BitVec 8))) (=> (and (${at} x) (bvult x #x20)) (${at} (bvadd x #x01)))))`;
  const edge = (from: string, guard: string, to: string) =>
    `(assert (forall ((x (_ BitVec 8))) (=> (and (${from} x) ${guard}) ${to})))`;
  for (const other of ['|p 0|', '|p 1|']) {
    const places = [
      'p false false',
      'p false true',
      'p true false',
      'p true true',
      `${other} false`,
      `${other} true`,
    ];
    const text = `${HORN}(declare-fun p (Bool Bool (_ BitVec 8)) Bool) (declare-fun ${other} (Bool (_ BitVec 8)) Bool)
      (assert (p false false #x00)) ${places.map(loop).join(' ')}
      ${edge(places[0], '(bvugt x #x10)', `(${places[1]} #x00)`)}
      ${edge(places[1], '(bvugt x #x10)', `(${places[2]} #x00)`)}
      ${edge(places[2], '(bvugt x #x10)', `(${places[3]} #x00)`)}
      ${edge(places[3], 'true', `(${places[4]} #x10)`)}
      ${edge(places[4], '(bvugt x #x11)', `(${places[5]} #x12)`)}
      ${edge(places[1], '(bvugt x #x7f)', 'false')} ${edge(places[2], '(bvugt x #x7f)', 'false')}
      ${edge(places[4], '(bvult x #x04)', 'false')} ${edge(places[5], '(bvult x #x04)', 'false')}`;
    t.equal((await solve(read(text))).kind, 'safe', other);
  }
});

t.test('lemmas are instantiated at the locations that a clause may lead from and to', t => {
  const at = (n: number) => `(_ bv${n} 8)`;
  const places = Array.from({ length: 12 }, (_, n) => n);
  const text = `${HORN}(declare-fun P ((_ BitVec 8) (_ BitVec 8)) Bool) (assert (P ${at(0)} #x00))
    ${places
      .map(
        n => `(assert (forall ((x (_ BitVec 8))) (=> (and (P ${at(n)} x) (bvult x #x64)) (P ${at(n)} (bvadd x #x01)))))
        (assert (forall ((p (_ BitVec 8)) (x (_ BitVec 8))) (=> (and (P p x) (= p ${at(n)})) (P ${at(n + 1)} x))))`,
      )
      .join('\n')}
    (assert (forall ((x (_ BitVec 8))) (=> (and (P ${at(12)} x) (bvugt x #x64)) false)))`;
  const problem = read(text);
  const { instantiate, system } = hornSystem(problem);
  const { terms } = problem;
  const x = system.states.map(s => s.current).find(v => terms.width(v) === 8) as TermId;
  const lemma = terms.eq(x, x);
  for (const clause of problem.clauses) {
    t.ok(instantiate([lemma], clause).length <= 2, `at most a step and a state, line ${clause.line}`);
  }
  t.end();
});

t.test('a chain of relations with choices has a model that can be written down', async t => {
  const sum = ['x', '2', '4', '8', '16'].reduce(
    (s, n) => `(bvadd ${s} (ite b${n} (_ bv${n} 32) (_ bv0 32)))`,
  );
  const names = Array.from({ length: 9 }, (_, i) => `R${i}`);
  const text = `${HORN}${names.map(r => `(declare-fun ${r} ((_ BitVec 32)) Bool)`).join(' ')} (assert (R0 #x00000000))
    ${names
      .slice(1)
      .map(
        (r, i) =>
          `(assert (forall ((x (_ BitVec 32)) (b2 Bool) (b4 Bool) (b8 Bool) (b16 Bool)) (=> (R${i} x) (${r} ${sum}))))`,
      )
      .join(' ')}
    (assert (forall ((x (_ BitVec 32))) (=> (R8 x) (R0 x))))
    (assert (forall ((x (_ BitVec 32))) (=> (and (R0 x) (= ((_ extract 0 0) x) #b1)) false)))`;
  const problem = read(text);
  const { model, system } = hornSystem(problem);
  // Any formulas will do to see how much a model grows on its way back.
  const invariant = system.properties[0].formula;
  const formulas = [...model({ invariant, lemmas: [] }, 0).values()];
  t.ok(problem.terms.postorder(formulas).length < 100_000, 'no exponential growth');
});

t.test('carrying evidence back has limits, too', async t => {
  const problem = read(byVector('f'));
  const horn = hornSystem(problem);
  const checker = new Checker(horn.system, horn.system.properties[0], {
    budget: {},
    heavy,
    onProgress: () => undefined,
  });
  const verdict = await checker.run();
  t.equal(verdict.kind, 'unsafe');
  t.same(await hornAnswer(problem, horn, 0, verdict, heavy, { deadline: 1 }), {
    kind: 'unknown',
    reason: 'deadline',
  });
});

t.test('deep nesting', async t => {
  const deep = (n: number) => `${'(not '.repeat(2 * n)}(P x)${')'.repeat(2 * n)}`;
  const text = (body: string) => `${HORN}(declare-fun P ((_ BitVec 8)) Bool) (assert (P #x00))
    (assert (forall ((x (_ BitVec 8))) (=> ${body} (= x #x00))))`;
  t.equal((await solve(read(text(deep(20_000))))).kind, 'safe');
  const sum = `${'(bvadd #x01 '.repeat(20_000)}x${')'.repeat(20_000)}`;
  t.equal((await solve(read(text(`(and (P x) (= ${sum} #x20))`)))).kind, 'safe', '20000 is 32 modulo 256');
  const quantified = `${'(forall ((y Bool)) '.repeat(5000)}true${')'.repeat(5000)}`;
  t.match(complaint(`${HORN}(assert ${quantified})`), 'nest at most 1000 deep');
});

t.test('what is refused, by name and with its place', t => {
  const declared = `${HORN}(declare-fun P (Bool) Bool)\n(declare-fun Q (Bool) Bool)\n`;
  for (const [text, message] of [
    [
      `${declared}(assert (forall ((x Bool))\n (=> (and (P x) (Q x)) false)))`,
      'test.smt2:4:1: a non-linear clause, with 2 applications in its body (P, Q)',
    ],
    [
      `${declared}(assert (forall ((x Bool)) (or (P x) (Q x))))`,
      'test.smt2:4:1: not a Horn clause: it has 2 heads',
    ],
    [
      `${HORN}(declare-fun P (Int) Bool)`,
      "test.smt2:2:17: 'Int' (integers) is outside the supported fragment",
    ],
    [`${HORN}(assert (forall ((x Real)) (=> (> x 1.0) false)))`, "test.smt2:2:21: 'Real' (real numbers)"],
    [
      `${declared}(assert (forall ((x Bool)) (=> (forall ((y Bool)) (P y)) (Q x))))`,
      "test.smt2:4:32: 'forall' in a body",
    ],
    [`${declared}(assert (exists ((x Bool)) (P x)))`, "test.smt2:4:9: 'exists' in a head"],
    [`${declared}(assert (= (P true) (forall ((x Bool)) (Q x))))`, "test.smt2:4:9: a quantifier inside '='"],
    [`${declared}(assert (P (Q true)))`, 'test.smt2:4:1: an application of a relation inside a term'],
    [
      `${HORN}(declare-fun f (Bool) (_ BitVec 4))`,
      "test.smt2:2:1: 'f', a function to (_ BitVec 4), is no relation",
    ],
    [`${HORN}(declare-sort S 0)`, "test.smt2:2:1: 'declare-sort' among Horn clauses"],
    [
      `${HORN}(assert true)\n(rule true)`,
      "test.smt2:3:1: 'rule' may not stand in a file of SMT-LIB assertions",
    ],
    ['(declare-rel P ())\n(rule P)', 'test.smt2:2:9: there is no query'],
    ['(declare-rel P ())\n(rule (=> P false))', 'test.smt2:2:1: the head of a rule must be an application'],
    [`${HORN}(check-sat)\n(assert false)`, 'test.smt2:3:1: an assertion after check-sat'],
    [`${HORN}(push 1)`, "test.smt2:2:2: 'push' is no command for Horn clauses"],
    [`${declared}(assert (P (_ bv1 8)))`, "test.smt2:4:9: argument 1 of 'P' must be Bool"],
    [`${HORN}(assert #x00)`, 'test.smt2:2:9: expected a formula'],
    [`${HORN}(assert (forall (x) true))`, 'test.smt2:2:18: expected a variable (name sort)'],
  ]) {
    t.match(complaint(text), message);
  }
  t.end();
});

t.test('which files are Horn clauses', t => {
  t.ok(formatOf('a.smt2', '; a comment\n(set-logic HORN)') === 'horn');
  t.ok(formatOf('a.smt2', '(declare-rel P ())') === 'horn');
  t.notOk(formatOf('a.smt2', '; (set-logic HORN)\n(set-logic QF_BV)') === 'horn');
  t.end();
});

t.test('answers in the words of the formats', async t => {
  const text = (
    bound: string,
  ) => `${HORN}(declare-fun P ((_ BitVec 4)) Bool) (declare-fun |odd name| (Bool) Bool)
(assert (P #x0))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (bvult x #x4)) (P (bvadd x #x2)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x ${bound})) false)))`;
  const safe = read(text('#x5'));
  const [word, ...model] = chcCompText(safe, await solve(safe)).split('\n');
  t.equal(word, 'sat');
  // The model is SMT-LIB: a script that defines the relations by it can be read.
  const definitions = model.slice(1, -2).join('\n');
  const script = new ScriptReader(
    new TermStore(),
    'model',
    `${definitions}(assert (and (P #x0) (not (P #x5)) (|odd name| true)))`,
  );
  let commands = 0;
  while (script.next() !== undefined) commands++;
  t.equal(commands, 3, 'two definitions and what uses them');

  const unsafe = read(text('#x4'));
  t.equal(
    chcCompText(unsafe, await solve(unsafe)),
    `unsat
(
  (step 0 :line 3 :values () :derives (P #x0))
  (step 1 :line 4 :values ((x #x0)) :derives (P #x2))
  (step 2 :line 4 :values ((x #x2)) :derives (P #x4))
  (step 3 :line 5 :values ((x #x4)) :derives false)
)
`,
  );
  const rules = read('(declare-rel P ()) (declare-rel Q ()) (rule P) (query P) (query Q)');
  t.match(chcCompText(rules, await solve(rules, 0)), /^sat\n\(\n {2}\(step 0/, 'a query that can be derived');
  t.match(chcCompText(rules, await solve(rules, 1)), /^unsat\n\(\n {2}\(define-fun P/);
  t.equal(chcCompText(rules, { kind: 'unknown', reason: 'of no interest here' }), 'unknown\n');
});

t.test('evidence that is none is found out', async t => {
  const problem = read(`${HORN}(declare-fun P ((_ BitVec 4)) Bool) (assert (P #x1))
(assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x2)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #x5)) false)))`);
  const { terms, relations } = problem;
  const [{ places }] = relations;
  const check = (formula: TermId) => {
    const model = new Map<Relation, TermId>([[relations[0], formula]]);
    const outcome = checkModel(problem, 0, model, () => [], { backEnd: heavy.backEnd });
    return outcome.kind === 'valid' ? 'valid' : outcome.reason;
  };
  t.equal(check(terms.true), 'the model makes the clause in line 4 false');
  t.equal(check(terms.false), 'the model makes the clause in line 2 false');
  t.equal(check(terms.eq(places[0], terms.bv(4, 1))), 'the model makes the clause in line 3 false');
  t.match(check(terms.variable('q', terms.sorts.bool)), "mentions 'q'");
  t.match(
    checkModel(problem, 0, new Map(), () => [], { backEnd: heavy.backEnd }),
    { kind: 'invalid', reason: 'the model says nothing about P' },
  );

  const answer = await solve(problem);
  const steps = answer.kind === 'unsafe' ? answer.derivation : [];
  t.equal(checkDerivation(problem, 0, steps), undefined);
  t.equal(checkDerivation(problem, 1, steps), 'the last step does not derive the query');
  t.equal(checkDerivation(problem, 0, []), 'the derivation is empty');
  t.match(checkDerivation(problem, 0, steps.slice(1)), 'its body is not what the step before derived');
  t.match(checkDerivation(problem, 0, [...steps.slice(0, 1), ...steps.slice(2)]), 'its body is not');
  const [last] = steps.slice(-1);
  const [x] = last.clause.variables;
  const withValue = (values: typeof last.values) => [...steps.slice(0, -1), { ...last, values }];
  t.match(checkDerivation(problem, 0, withValue(new Map([[x, 3]]))), 'step 3, by the clause in line 4');
  t.match(checkDerivation(problem, 0, withValue(new Map([[x, 16]]))), 'not of its sort');
  t.match(checkDerivation(problem, 0, withValue(new Map())), "'x' has no value");
});

t.test('systems as Horn clauses, read back', async t => {
  const system = (bound: string) =>
    readVmt(
      new TermStore(),
      'test.vmt',
      `(declare-fun |x y| () (_ BitVec 4)) (declare-fun x.next () (_ BitVec 4)) (declare-fun i () Bool)
       (define-fun s () (_ BitVec 4) (! |x y| :next x.next))
       (define-fun init () Bool (! (= |x y| #x0) :init true))
       (define-fun trans () Bool (! (= x.next (ite i (bvadd |x y| #x2) |x y|)) :trans true))
       (define-fun p () Bool (! (not (= |x y| #x3)) :invar-property 0))
       (define-fun q () Bool (! (or i (not (= |x y| ${bound}))) :invar-property 1))`,
      { strict: true, warn: message => t.fail(message) },
    );
  for (const [bound, expected] of [
    ['#x5', 'safe'],
    ['#x6', 'unsafe'],
  ]) {
    const text = writeHorn(system(bound));
    t.equal(formatOf('a.smt2', text), 'horn');
    t.equal((await solve(read(text))).kind, expected);
  }
  const constrained = system('#x6');
  const { terms, inputs } = constrained;
  const text = writeHorn({ ...constrained, constraints: [inputs[0]] });
  t.equal(
    (await solve(read(text))).kind,
    'safe',
    'the constraint forbids the inputs that violate the property',
  );
  const f = terms.declare('f', [terms.sorts.bool], terms.sorts.bool);
  t.throws(() => writeHorn({ ...constrained, trans: terms.apply(f, [terms.true]) }), {
    message: /the function 'f'/,
  });
  t.end();
});

t.test('the examples of the project', async t => {
  const example = (name: string) =>
    read(readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8'));
  t.equal((await solve(example('two-loops.smt2'))).kind, 'safe');
  t.equal((await solve(example('traffic-rules.smt2'), 0)).kind, 'unsafe');
  t.equal((await solve(example('traffic-rules.smt2'), 1)).kind, 'safe');
});

/** The benchmark corpus, where there is one. */
const CORPUS = new URL('../../shared/corpus/chc/', import.meta.url).pathname;

function corpusFiles(families: RegExp): string[] {
  const folders = readdirSync(CORPUS).filter(f => families.test(f));
  return folders.flatMap(f => readdirSync(join(CORPUS, f)).map(file => join(CORPUS, f, file)));
}

function refusalOf(path: string, t: Test): string | undefined {
  try {
    hornSystem(readHorn(new TermStore(), path, readFileSync(path, 'utf8')));
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    t.fail(`${path}: ${error}`);
    return undefined;
  }
}

t.test('files outside the fragment are refused by name', { skip: !existsSync(CORPUS) }, t => {
  const files = corpusFiles(/^(lia-|z3test|golem)/);
  const messages = files.map(f => refusalOf(f, t)).filter(m => m !== undefined);
  t.ok(messages.length > 0.9 * files.length);
  for (const m of messages) {
    t.match(m, /\.smt2:\d+:\d+: .*(outside the supported fragment|is no relation|not supported|no command)/);
  }
  t.end();
});

t.test('a system is not taken for clauses because of a word in it', t => {
  const vmt = (name: string, extra = '') => `${extra}
    (declare-fun x () Bool) (declare-fun xn () Bool)
    (define-fun ${name} ((a Bool)) Bool (not a))
    (define-fun s () Bool (! x :next xn))
    (define-fun i () Bool (! x :init true))
    (define-fun t () Bool (! (= xn (${name} x)) :trans true))
    (define-fun p () Bool (! x :invar-property 0))`;
  const options = { strict: true, warn: t.comment, encoding: 'functional' } as const;
  const texts = [
    vmt('rule'),
    vmt('f', '(set-info :source |as in (rule r)|)'),
    vmt('f', '(set-info :source "(declare-rel r ())")'),
    vmt('f', '(set-info :source |\n1 sort bitvec 1\n|)'),
  ];
  for (const text of texts) {
    for (const file of ['a.vmt', 'a.smt2']) t.equal(readTask(file, text, options).format, 'vmt');
  }
  t.equal(formatOf('a', '; a comment\n1 sort bitvec 1'), 'btor2');
  t.equal(formatOf('a', '(assert (= a (rule b)))'), undefined);
  t.end();
});

t.test('what would grow without bounds is left alone, or refused', t => {
  const options = { strict: true, warn: t.comment, encoding: 'functional' } as const;
  const relations = Array.from({ length: 60 }, (_, i) => `(declare-fun r${i} ((_ BitVec 8)) Bool)`);
  const clauses = relations
    .slice(1)
    .flatMap((_, i) => [
      `(assert (forall ((x (_ BitVec 8))) (=> (r${i} x) (r${i + 1} (bvadd x #x01)))))`,
      `(assert (forall ((x (_ BitVec 8))) (=> (r${i} x) (r${i + 1} (bvmul x #x03)))))`,
    ]);
  const diamonds = ['(set-logic HORN)', ...relations, '(assert (r0 #x00))', ...clauses];
  diamonds.push('(assert (forall ((x (_ BitVec 8))) (=> (and (r59 x) (= x #x07)) false)))', '(check-sat)');
  const { system } = readTask('a.smt2', diamonds.join('\n'), options);
  t.ok(system.terms.postorder([system.trans]).length < 20_000, 'a chain of diamonds stays small');
  const doubled = Array.from({ length: 40 }, (_, i) => `(let ((a${i + 1} (and a${i} a${i})))`);
  const text = `(set-logic HORN) (declare-fun r (Bool) Bool)
    (assert (let ((a0 (forall ((x Bool)) (r x)))) ${doubled.join(' ')} a40 ${')'.repeat(40)}))`;
  t.throws(() => readTask('a.smt2', text, options), /too large/);
  t.end();
});
