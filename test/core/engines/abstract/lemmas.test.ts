/**
 * What refinement learns: every lemma is a valid formula, whatever stage it comes from; the ranges and bounds that
 * interpolants are made of are what values say; and what kind of lemma it is called.
 */
import t from 'tap';
import { Classifier } from '../../../../src/core/engines/abstract/refine/classify.ts';
import { LemmaMaker } from '../../../../src/core/engines/abstract/refine/lemma.ts';
import { Range } from '../../../../src/core/engines/abstract/refine/ranges.ts';
import { Signature } from '../../../../src/core/engines/abstract/signature.ts';
import { Bound } from '../../../../src/core/engines/interpolation/bounds.ts';
import { refute } from '../../../../src/core/evidence/plain/refute.ts';
import type { Problem } from '../../../../src/core/problem/problem.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { complete, ready } from '../../../../src/sat/work.ts';
import { Op } from '../../../../src/term/operators.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, questionOf } from '../../../support/checking.ts';
import { type Random, seeded } from '../../../support/random.ts';
import { allEvaluators, assertionsOf, isValid } from '../../../support/smtlib.ts';
import { growPool } from '../../../support/terms.ts';
import { HandMade } from '../../hand-made.ts';
import { RandomSystem } from '../../random-system.ts';
import { searchAsWritten } from './as-written.ts';

const heavy = await loadedBackEnd();

const isValidForBits = (terms: TermStore, formula: TermId) =>
  complete(refute(terms, [terms.not(formula)], 'bits', { heavy, budget: {} })).kind === 'unsat';

/** Programs that need lemmas of every stage, with what they need by and by. */
const PROGRAMS: readonly string[] = [
  // No state has this, by itself.
  `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
   (assert (! (= x #x01) :named init)) (assert (! (= x.next (bvmul x x)) :named trans))
   (assert (! (not (and (bvult x #x04) (bvult #x09 x))) :named property))`,
  // A step that a sum keeps from being.
  `(declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const in (_ BitVec 8))
   (assert (! (= x #x00) :named init))
   (assert (! (and (= x.next (bvadd x in)) (bvult in #x02) (bvult x #x40)) :named trans))
   (assert (! (bvult x #x80) :named property))`,
  // Two variables that count together, in different words.
  `(declare-const x (_ BitVec 6)) (declare-const x.next (_ BitVec 6)) (declare-const done Bool)
   (declare-const done.next Bool) (declare-const y (_ BitVec 6)) (declare-const y.next (_ BitVec 6))
   (assert (! (and (= x #b000000) (= y #b000000) (not done)) :named init))
   (assert (! (and (= done.next (= x #b000101)) (= x.next (ite done x (bvadd x #b000001)))
                   (= y.next (ite done y (bvsub y #b000001)))) :named trans))
   (assert (! (=> done (= (bvadd x y) #b000000)) :named property))`,
  // What was written is read.
  `(declare-const a (Array (_ BitVec 4) (_ BitVec 8))) (declare-const a.next (Array (_ BitVec 4) (_ BitVec 8)))
   (declare-const i (_ BitVec 4)) (declare-const i.next (_ BitVec 4)) (declare-const j (_ BitVec 4))
   (assert (! (= (select a i) #x03) :named init))
   (assert (! (and (= a.next (store (store a j #x09) i #x03)) (= i.next i)) :named trans))
   (assert (! (= (select a i) #x03) :named property))`,
];

t.test('lemmas are valid, and what is shown with them is shown', t => {
  const random = seeded(t);
  const stages = { state: 0, step: 0, path: 0 };

  const systems = [
    ...PROGRAMS.map(text => new HandMade(text).system),
    ...Array.from({ length: 150 }, () => new RandomSystem(random).system),
  ];
  for (const [n, system] of systems.entries()) {
    const { terms } = system;
    const question = questionOf(system);
    const { verdict, engine } = searchAsWritten(question, heavy, {
      evaluateConstants: n >= PROGRAMS.length && random.chance(0.3),
    });
    if (verdict.kind !== 'unknown') {
      const complaint = complaintAbout(question, heavy, verdict);
      if (complaint !== undefined) t.fail(`system ${n}: ${complaint}`);
    } else if (verdict.reason !== 'incomplete') t.fail(`system ${n}: ${verdict.text}`);
    for (const { formula, kind } of engine.lemmas ?? []) {
      stages[kind.split(',')[0] as keyof typeof stages]++;
      if (!isValidForBits(terms, formula)) t.fail(`system ${n}: ${printTerm(terms, formula)} is not valid`);
    }
  }
  t.ok(stages.state > 1 && stages.step > 5 && stages.path > 2, JSON.stringify(stages));
  t.end();
});

/** A problem with one location of two places and an input, in a width. */
function smallProblem(width: number): { problem: Problem; x: TermId; y: TermId; input: TermId } {
  const sort = `(_ BitVec ${width})`;
  const made = new HandMade(`
    (declare-const x ${sort}) (declare-const x.next ${sort}) (declare-const y ${sort}) (declare-const y.next ${sort})
    (declare-const in ${sort}) (assert (! true :named init))
    (assert (! (and (= x.next (bvadd x in)) (= y.next (bvxor y x))) :named trans)) (assert (! (bvult x y) :named property))`);
  return {
    problem: made.asProblem.problem,
    x: made.variable('x'),
    y: made.variable('y'),
    input: made.variable('in'),
  };
}

function randomLiterals(
  terms: TermStore,
  random: Random,
  variables: readonly TermId[],
  inputs: TermId[],
): TermId[] {
  const pool = growPool(terms, random, variables, 25, 2);
  const formulas = pool.filter(f => terms.sort(f) === terms.sorts.bool);
  const words = pool.filter(w => terms.width(w) === terms.width(variables[0]));
  const definitions = inputs.map(y => terms.eq(y, random.pick(words)));
  return [
    ...definitions,
    ...Array.from({ length: 2 + random.below(3) }, () => {
      const f = random.pick(formulas);
      return random.chance(0.5) ? f : terms.not(f);
    }),
  ];
}

t.test('what cannot hold together makes a valid lemma, of both states where it is about one', t => {
  const random = seeded(t);
  let [impossible, doubled, withoutInputs] = [0, 0, 0];
  for (let round = 0; round < 400; round++) {
    const { problem, x, y, input } = smallProblem(1 + random.below(2));
    const { terms, next } = problem;
    const signature = new Signature(problem);
    const maker = new LemmaMaker(signature, problem);
    const all = [
      [x, y],
      [x, y, input],
      [x, y, input, next.of(x), next.of(y)],
    ];
    const literals = randomLiterals(terms, random, random.pick(all), random.chance(0.5) ? [input] : []);
    if (!isValid(terms, terms.not(terms.and(literals)))) continue;
    impossible++;
    const lemma = maker.lemma(literals);
    const both = maker.ofAllStates(lemma);
    const mentions = (f: TermId, v: TermId) => terms.postorder([f]).includes(v);
    if (literals.some(l => mentions(l, input)) && !mentions(lemma, input)) withoutInputs++;
    if (both.length > 1) doubled++;
    t.equal(both[0], lemma);
    for (const f of both)
      if (!isValid(terms, f)) t.fail(`round ${round}: ${printTerm(terms, f)} is not valid`);
  }
  t.ok(impossible > 30 && doubled > 5 && withoutInputs > 5, `${[impossible, doubled, withoutInputs]}`);
  t.end();
});

t.test('what is valid of one state is said of every source beside others, too', t => {
  const { problem } = readQuestion(
    'calls.smt2',
    `(set-logic HORN) (declare-fun F ((_ BitVec 8)) Bool) (declare-fun G ((_ BitVec 8)) Bool)
     (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (G x) (G y)) (F (bvadd x y)))))
     (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (F x) (G y)) (F (bvmul x y)))))
     (assert (forall ((x (_ BitVec 8))) (=> (F x) false)))`,
    { strict: true, warn: message => t.fail(message) },
  );
  const { terms, next, locations, edges } = problem;
  const maker = new LemmaMaker(new Signature(problem), problem);
  const about = (v: TermId) => terms.not(terms.eq(terms.app(Op.BVADD, [v, terms.bv(8, 1)]), v));
  const sourcesAt = (name: string) =>
    edges
      .filter(e => e.sources.length > 1)
      .flatMap(e => e.sources.filter(s => s.location.name === name).map(s => s.places[0]));
  for (const [name, calls] of [
    ['G', 3],
    ['F', 1],
  ] as const) {
    const place = locations.find(l => l.name === name)?.places[0] as TermId;
    const copies = sourcesAt(name);
    t.equal(copies.length, calls);
    const all = new Set([place, next.of(place), ...copies].map(about));
    for (const v of [place, next.of(place), ...copies])
      t.same(new Set(maker.ofAllStates(about(v))), all, `found of ${terms.nameOf(v)}`);
  }
  const [x, y] = sourcesAt('G');
  const ofTwo = terms.or([terms.not(terms.eq(x, y)), terms.eq(y, x)]);
  t.same(maker.ofAllStates(ofTwo), [ofTwo], 'what is about two states stays where it is');
  t.end();
});

// ---- what interpolants are made of ----

/** The values that a variable has where literals hold. */
function valuesWhere(terms: TermStore, variable: TermId, literals: readonly TermId[]): Set<number> {
  const found = new Set<number>();
  for (const e of allEvaluators(terms, [variable])) {
    if (literals.every(l => e.value(l) === true)) found.add(e.value(variable) as number);
  }
  return found;
}

const WIDTH = 4;
const signed = (v: number) => (v < 2 ** (WIDTH - 1) ? v : v - 2 ** WIDTH);

t.test('a range is the least that its values fit in, in both orders', t => {
  const random = seeded(t);
  for (let round = 0; round < 200; round++) {
    const terms = new TermStore();
    const x = terms.variable('x', terms.sorts.bitVec(WIDTH));
    const values = Array.from({ length: 1 + random.below(5) }, () => random.below(2 ** WIDTH));
    const range = new Range(terms, x, values[0]);
    for (const v of values.slice(1)) range.extend(v);
    const within = (v: number, order: (value: number) => number) =>
      order(v) >= Math.min(...values.map(order)) && order(v) <= Math.max(...values.map(order));
    const expected = Array.from({ length: 2 ** WIDTH }, (_, v) => v).filter(
      v => within(v, u => u) && within(v, signed),
    );
    const found = valuesWhere(terms, x, range.literals());
    if ([...found].sort((a, b) => a - b).join() !== expected.join()) t.fail(`${values}: ${[...found]}`);
  }
  const terms = new TermStore();
  const wide = new Range(terms, terms.variable('x', terms.sorts.bitVec(8)), 0);
  const extensions = Array.from({ length: 20 }, (_, i) => wide.extend(i));
  t.ok(extensions[0] && extensions[1], 'a range may grow');
  t.notOk(extensions[19], 'but not for ever');
  t.end();
});

t.test('a bound moves to cover all states of the rest that cannot be reached, and no more', t => {
  const random = seeded(t);
  let moves = 0;
  for (let round = 0; round < 300; round++) {
    const terms = new TermStore();
    const x = terms.variable('x', terms.sorts.bitVec(WIDTH));
    const some = (count: number) => Array.from({ length: count }, () => random.below(2 ** WIDTH));
    const [reached, rest] = [some(random.below(4)), some(1 + random.below(5))];
    const value = random.pick(rest);
    const isEmpty = (values: readonly number[], literals: readonly TermId[]) => {
      const where = valuesWhere(terms, x, literals);
      return values.every(v => !where.has(v));
    };
    for (const bound of Bound.ofValue(terms, x, value, random.chance(0.5))) {
      if (!valuesWhere(terms, x, [bound.literal]).has(value)) t.fail('the value is beyond its bound');
      if (!isEmpty(reached, [bound.literal])) continue;
      const moved = complete(
        bound.moved(
          literal => ready(isEmpty(reached, [literal])),
          literals => ready(isEmpty(rest, literals)),
        ),
      );
      if (moved !== bound.literal) moves++;
      const found = [...valuesWhere(terms, x, [moved])];
      const wrong = (what: string) =>
        t.fail(
          `round ${round}, ${printTerm(terms, bound.literal)} became ${printTerm(terms, moved)}: ${what}`,
        );
      if (!isEmpty(reached, [moved])) wrong('it can be reached');
      if (!found.includes(value)) wrong('it lost its value');
      // A bound of the same kind that covers more of the rest is one that can be reached.
      for (const other of rest) {
        const [further] = Bound.ofValue(terms, x, other, false).filter(b =>
          sameKind(terms, b.literal, bound.literal),
        );
        const isCovered = found.includes(other);
        if (!isCovered && further !== undefined && isEmpty(reached, [further.literal]))
          wrong(`${other} is left out`);
      }
      // And it goes no further than to one of the rest.
      if (!rest.some(v => distance(terms, moved, v) === 0)) wrong('it says too much');
    }
  }
  t.ok(moves > 100, `${moves} moves`);
  t.end();
});

/** The comparison that a bound is made of, and which side of it is the constant. */
function shapeOf(terms: TermStore, literal: TermId): { less: Op; isLower: boolean; limit: number } {
  const atom = terms.arg(literal, 0);
  const isLower = terms.isConstant(terms.arg(atom, 1));
  const constant = terms.arg(atom, isLower ? 1 : 0);
  const [evaluator] = allEvaluators(terms, []);
  return { less: terms.op(atom), isLower, limit: evaluator.value(constant) as number };
}

function sameKind(terms: TermStore, a: TermId, b: TermId): boolean {
  const [one, other] = [shapeOf(terms, a), shapeOf(terms, b)];
  return one.less === other.less && one.isLower === other.isLower;
}

/** How far a value is from the limit of a bound. */
function distance(terms: TermStore, literal: TermId, value: number): number {
  const { less, limit } = shapeOf(terms, literal);
  return less === Op.BVSLT ? Math.abs(signed(value) - signed(limit)) : Math.abs(value - limit);
}

// ---- kinds ----

t.test('a lemma with new terms is an expansion, once', t => {
  const { problem, x } = smallProblem(8);
  const { terms } = problem;
  const classifier = new Classifier(new Signature(problem), problem);
  const next = problem.next.of(x);
  t.equal(classifier.kind(terms.not(terms.eq(x, next))), 'constraint', 'equality and places are known');
  const product = terms.eq(terms.app(Op.BVMUL, [x, x]), x);
  t.equal(classifier.kind(product), 'expansion');
  t.equal(classifier.kind(product), 'constraint', 'from now on it is known');
  t.equal(classifier.kind(terms.eq(terms.app(Op.BVMUL, [next, next]), next)), 'constraint', 'of both states');
  t.end();
});

t.test('what a lemma is about', t => {
  const { problem } = smallProblem(8);
  const { terms } = problem;
  const classifier = new Classifier(new Signature(problem), problem);
  const array = '(Array (_ BitVec 8) (_ BitVec 8))';
  const lemmas = assertionsOf(
    terms,
    `(declare-const a ${array}) (declare-const b ${array}) (declare-const i (_ BitVec 8))
     (assert (or (not (= b (store a i #x03))) (= (select b i) #x03)))
     (assert (or (not (= a b)) (= b a)))
     (assert (not (= (bvadd i #x01) i)))
     (assert (or (not (= b (store a i (bvadd i #x01)))) (not (= (select b i) i))))`,
  );
  t.same(
    lemmas.map(l => classifier.content(l)),
    ['array', 'array', 'data', 'mixed'],
  );
  t.end();
});
