/** Bounded search for derivation trees on functions whose values are known, and on what it has to be careful about. */
import t from 'tap';
import { BOUNDED_TREES } from '../../../../src/core/engines/bounded-trees/engine.ts';
import { NextVariables } from '../../../../src/core/problem/next-variables.ts';
import { type Edge, type Location, type Problem, step } from '../../../../src/core/problem/problem.ts';
import type { Question } from '../../../../src/formats/question.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { Op } from '../../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../../support/checking.ts';
import { complaintAboutOutcome, obstacleOn, outcomeWithin, startedOn } from '../on-problem.ts';

const heavy = await loadedBackEnd();
const ENGINES = { engines: [BOUNDED_TREES.name] };

function questionOf(clauses: string): Question {
  return readQuestion('clauses.smt2', `(set-logic HORN)${clauses}(check-sat)`, {
    strict: true,
    warn: message => {
      throw new Error(message);
    },
  });
}

/** 91 for all up to 101, by two calls, one of what the other gives. */
const MC_CARTHY = `
  (declare-fun m ((_ BitVec 8) (_ BitVec 8)) Bool)
  (assert (forall ((n (_ BitVec 8))) (=> (bvult #x64 n) (m n (bvsub n #x0a)))))
  (assert (forall ((n (_ BitVec 8)) (a (_ BitVec 8)) (r (_ BitVec 8)))
    (=> (and (not (bvult #x64 n)) (m (bvadd n #x0b) a) (m a r)) (m n r))))`;
const FIBONACCI = `
  (declare-fun f ((_ BitVec 8) (_ BitVec 8)) Bool)
  (assert (f #x00 #x00))
  (assert (f #x01 #x01))
  (assert (forall ((n (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
    (=> (and (bvult #x01 n) (f (bvsub n #x01) a) (f (bvsub n #x02) b)) (f n (bvadd a b)))))`;
/** Hofstadter's sequences: F(n) = n - M(F(n-1)), M(n) = n - F(M(n-1)). */
const FEMALE_AND_MALE = `
  (declare-fun f ((_ BitVec 8) (_ BitVec 8)) Bool)
  (declare-fun m ((_ BitVec 8) (_ BitVec 8)) Bool)
  (assert (f #x00 #x01))
  (assert (m #x00 #x00))
  (assert (forall ((n (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
    (=> (and (bvult #x00 n) (f (bvsub n #x01) a) (m a b)) (f n (bvsub n b)))))
  (assert (forall ((n (_ BitVec 8)) (a (_ BitVec 8)) (b (_ BitVec 8)))
    (=> (and (bvult #x00 n) (m (bvsub n #x01) a) (f a b)) (m n (bvsub n b)))))`;
/** Products by additions. */
const PRODUCT = `
  (declare-fun p ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
  (assert (forall ((x (_ BitVec 32))) (p x #x00000000 #x00000000)))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (r (_ BitVec 32)))
    (=> (and (p x y r) (bvult y (_ bv50 32))) (p x (bvadd y #x00000001) (bvadd r x)))))`;
/** An array that is filled by halves, and never cleared. */
const FILLED = `
  (declare-fun a ((_ BitVec 4) (_ BitVec 4) (Array (_ BitVec 4) (_ BitVec 4))) Bool)
  (assert (forall ((i (_ BitVec 4))) (a i i ((as const (Array (_ BitVec 4) (_ BitVec 4))) #x0))))
  (assert (forall ((i (_ BitVec 4)) (j (_ BitVec 4)) (k (_ BitVec 4))
      (x (Array (_ BitVec 4) (_ BitVec 4))) (y (Array (_ BitVec 4) (_ BitVec 4))))
    (=> (and (a i j x) (a j k y) (bvult k #xe)) (a i (bvadd k #x1) (store x k (bvadd (select y i) #x1))))))`;

/** The value of a function at a number, which is said not to be that. */
function wrong(f: string, at: number, value: number): string {
  return `(assert (forall ((r (_ BitVec 8))) (=> (and (${f} (_ bv${at} 8) r) (= r (_ bv${value} 8))) false)))`;
}

const VIOLATED: readonly (readonly [name: string, clauses: string])[] = [
  ['91 is the value at 94', MC_CARTHY + wrong('m', 94, 91)],
  ['92 is the value at 102', MC_CARTHY + wrong('m', 102, 92)],
  ['the eighth Fibonacci number is 21', FIBONACCI + wrong('f', 8, 21)],
  ['F(5) is 3', FEMALE_AND_MALE + wrong('f', 5, 3)],
  ['M(6) is 4', FEMALE_AND_MALE + wrong('m', 6, 4)],
  [
    'two squares whose sum is 100',
    `${PRODUCT}(assert (forall
      ((x (_ BitVec 32)) (y (_ BitVec 32)) (a (_ BitVec 32)) (b (_ BitVec 32)))
      (=> (and (p x x a) (p y y b) (bvult x y) (bvult #x00000000 x) (bvult y (_ bv50 32))
        (= (bvadd a b) (_ bv100 32))) false)))`,
  ],
  [
    'arrays',
    `${FILLED}(assert (forall ((j (_ BitVec 4)) (x (Array (_ BitVec 4) (_ BitVec 4))))
      (=> (and (a #x3 j x) (= (select x #x3) #x1) (= (select x #x4) #x1)) false)))`,
  ],
];

for (const [name, clauses] of VIOLATED) {
  t.test(name, t => {
    const question = questionOf(clauses);
    const verdict = verdictOf(question, heavy, ENGINES);
    t.equal(verdict.kind, 'unsafe');
    t.equal(complaintAbout(question, heavy, verdict), undefined, 'the derivation is one');
    t.end();
  });
}

t.test('a function that ends is looked into to the end, and what is not so is not found', t => {
  for (const clauses of [
    MC_CARTHY + wrong('m', 98, 90),
    FIBONACCI + wrong('f', 6, 9),
    FEMALE_AND_MALE + wrong('f', 4, 2),
  ]) {
    const outcome = startedOn(questionOf(clauses).problem, BOUNDED_TREES, heavy).run(1e9);
    t.match(outcome, { kind: 'unknown', reason: 'incomplete', text: /^there is no violation, but/ });
  }
  t.end();
});

const WIDTH = 8;

/** p(f(0)), p(x + 1) if p(x), and the query from p(x) and p(y) with what is said of these; f is any function. */
class Pairs {
  readonly terms = new TermStore();
  readonly x = this.terms.variable('x', this.terms.sorts.bitVec(WIDTH));
  readonly y = this.terms.variable('y', this.terms.sorts.bitVec(WIDTH));
  private readonly place = this.terms.variable('p', this.terms.sorts.bitVec(WIDTH));
  private readonly f = this.terms.declare(
    'f',
    [this.terms.sorts.bitVec(WIDTH)],
    this.terms.sorts.bitVec(WIDTH),
  );

  number(n: number): TermId {
    return this.terms.bv(WIDTH, n);
  }

  apply(t: TermId): TermId {
    return this.terms.apply(this.f, [t]);
  }

  problem(said: readonly TermId[], constraints: readonly TermId[] = []): Problem {
    const { terms, place, x, y } = this;
    const p: Location = { name: 'p', places: [place], constraints };
    const next = terms.app(Op.BVADD, [place, this.number(1)]);
    const sources = [x, y].map(v => ({ location: p, places: [v] }));
    const edges: Edge[] = [
      { sources: [], guard: terms.true, head: p, values: [this.apply(this.number(0))] },
      { sources: step(p), guard: terms.true, head: p, values: [next] },
      { sources, guard: terms.and(said), head: { property: 0 }, values: [] },
    ];
    return { terms, locations: [p], edges, next: new NextVariables(terms) };
  }
}

function outcomeOn(problem: Problem) {
  return outcomeWithin(startedOn(problem, BOUNDED_TREES, heavy), 1e6, 10);
}

t.test('a fact that is used twice is derived once', t => {
  const made = new Pairs();
  const { terms, x, y } = made;
  const isZero = terms.eq(made.apply(made.number(0)), made.number(0));
  const problem = made.problem([isZero, terms.eq(x, y), terms.eq(x, made.number(3))]);
  const outcome = outcomeOn(problem);
  t.equal(outcome && complaintAboutOutcome(problem, true, outcome), undefined, 'the derivation is one');
  const steps = outcome?.kind === 'unsafe' ? outcome.derivation.steps : [];
  t.same(
    steps.map(s => s.premises),
    [[], [0], [1], [2], [3, 3]],
    'zero, one, two, three, and the query by three and three',
  );
  t.end();
});

t.test('functions have the same values everywhere in a tree', t => {
  const made = new Pairs();
  const { terms, x, y } = made;
  const problem = made.problem([terms.eq(made.apply(x), made.number(7)), terms.eq(y, made.apply(y))]);
  const outcome = outcomeOn(problem);
  t.equal(outcome?.kind, 'unsafe');
  t.equal(outcome && complaintAboutOutcome(problem, true, outcome), undefined, 'by the values that are told');
  t.end();
});

t.test('what contradicts itself above a call is not looked into', t => {
  const made = new Pairs();
  const { terms, x, y } = made;
  const problem = made.problem([terms.eq(made.apply(x), y), terms.not(terms.eq(made.apply(x), y))]);
  const engine = startedOn(problem, BOUNDED_TREES, heavy);
  t.match(engine.run(1e6), { kind: 'unknown', reason: 'incomplete', text: /^there is no violation/ });
  t.equal(engine.stats.nodes, 1, 'nothing but the query is expanded, though calls go on forever');
  t.end();
});

t.test('the terms of the problem do not become more with the height', t => {
  const made = new Pairs();
  const { terms, x, y } = made;
  const isFar = [made.number(200), made.number(90)].map((n, i) => terms.eq([x, y][i], n));
  const problem = made.problem([terms.eq(made.apply(made.number(0)), made.number(0)), ...isFar]);
  const engine = startedOn(problem, BOUNDED_TREES, heavy);
  const upTo = (depth: number) => {
    while (engine.stats.depth < depth && engine.run(1000).kind === 'working');
    t.ok(engine.stats.depth >= depth, `height ${depth}`);
    return terms.size;
  };
  const few = upTo(3);
  t.equal(upTo(20), few);
  t.end();
});

t.test('it says what it does not take', t => {
  const made = new Pairs();
  const { terms, x } = made;
  t.match(obstacleOn(made.problem([], [terms.eq(x, made.number(1))]), BOUNDED_TREES, heavy), /constraints/);
  t.equal(obstacleOn(made.problem([]), BOUNDED_TREES, heavy), undefined);
  const { edges, ...rest } = made.problem([]);
  const linear = { ...rest, edges: edges.filter(e => e.sources.length < 2) };
  t.match(obstacleOn(linear, BOUNDED_TREES, heavy), /runs/);
  t.end();
});

t.test('limits end it, with the reason', t => {
  const made = new Pairs();
  const { terms, x, y } = made;
  const problem = made.problem([terms.not(terms.eq(x, x)), terms.eq(x, y)]);
  const late = startedOn(problem, BOUNDED_TREES, {
    backEnd: heavy.backEnd,
    budget: { deadline: Date.now() - 1 },
  });
  t.match(late.run(1e9), { kind: 'unknown', reason: 'deadline' });
  const far = questionOf(FIBONACCI + wrong('f', 40, 1));
  let looks = 0;
  const signal = {
    get aborted() {
      return ++looks > 40;
    },
  };
  const verdict = verdictOf(far, heavy, { ...ENGINES, budget: { signal } });
  t.match(verdict, { kind: 'unknown', reason: 'aborted' });
  t.end();
});
