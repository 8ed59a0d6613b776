/**
 * The formulas that a frame solver for one location is made of: that they say what the edges into the location say, for bits
 * and for equality alone, and no more than that; which solver hears of which clause and of which lemma; and that nothing is
 * learnt about locations.
 */
import t from 'tap';
import { OwnEngine } from '../../../../src/bv/own-engine.ts';
import { ConcreteSolver } from '../../../../src/bv/solver.ts';
import { cubeOf } from '../../../../src/core/engines/abstract/cube.ts';
import { type FrameSolver, Shared } from '../../../../src/core/engines/abstract/frame-solver.ts';
import { LocationSolvers } from '../../../../src/core/engines/abstract/frame-solvers.ts';
import { AbstractQueries } from '../../../../src/core/engines/abstract/queries.ts';
import { Signature } from '../../../../src/core/engines/abstract/signature.ts';
import { Effort } from '../../../../src/core/engines/effort.ts';
import { FOREVER } from '../../../../src/core/engines/ic3/frames.ts';
import { DEFAULT_ENGINE_OPTIONS } from '../../../../src/core/env/options.ts';
import { Profile } from '../../../../src/core/env/profile.ts';
import {
  conditionsOf,
  type Edge,
  headOf,
  isQuery,
  type Location,
  type Problem,
  sourceOf,
} from '../../../../src/core/problem/problem.ts';
import {
  type Case,
  type IsAt,
  stepsBy,
  type Transitions,
  violationsBy,
} from '../../../../src/core/problem/transitions.ts';
import { EufSolver } from '../../../../src/euf/solver.ts';
import type { Question } from '../../../../src/formats/question.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { complete } from '../../../../src/sat/work.ts';
import { Op } from '../../../../src/term/operators.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import type { TermId, TermStore } from '../../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd } from '../../../support/checking.ts';
import { seeded } from '../../../support/random.ts';
import { randomProblem } from '../../random-problem.ts';
import { searchAsWritten } from './as-written.ts';

const heavy = await loadedBackEnd();

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 60);

// ---- formulas against edges ----

const isPossible = (terms: TermStore, formulas: readonly TermId[]) => {
  const solver = new ConcreteSolver(terms, { backEnd: () => new OwnEngine() });
  for (const f of formulas) solver.assert(f);
  const result = solver.solve();
  solver.dispose();
  return result !== 'unsat';
};

const isPossibleForEquality = (terms: TermStore, formulas: readonly TermId[]) => {
  const solver = new EufSolver(terms);
  for (const f of formulas) solver.assert(f);
  return solver.solve() !== 'unsat';
};

/** Which of some formulas do not follow from others, for bits or for equality alone? */
function missing(terms: TermStore, given: readonly TermId[], wanted: readonly TermId[]): string[] {
  return wanted.flatMap(f => {
    const counter = [...given, terms.not(f)];
    return [
      ...(isPossible(terms, counter) ? [`${printTerm(terms, f)} for bits`] : []),
      ...(isPossibleForEquality(terms, counter) ? [`${printTerm(terms, f)} for equality`] : []),
    ];
  });
}

/** A variable for each location that says that a state is there. */
function literalsOf({ terms, locations }: Problem): IsAt {
  const literals = new Map(locations.map(l => [l, terms.variable(`at.${l.name}`, terms.sorts.bool)]));
  return l => literals.get(l) as TermId;
}

const LINEAR_SHAPES = ['graph', 'program', 'circuit', 'loops', 'system'] as const;

/** That a state is where an edge leads from, and not at another location that the formulas speak of. */
function whereIs({ terms }: Problem, edge: Edge, { sources }: Transitions, isAt: IsAt): TermId[] {
  const source = sourceOf(edge);
  return sources.map(s => (s === source ? isAt(s) : terms.not(isAt(s))));
}

function stepFormulas(terms: TermStore, { definitions, relations, constraints }: Transitions): TermId[] {
  return [...[...definitions].map(([v, body]) => terms.eq(v, body)), ...relations, ...constraints];
}

/** What an edge says of the state before and the state after it. */
function edgeFormulas({ terms, next }: Problem, edge: Edge): TermId[] {
  const after = headOf(edge)?.places.map((p, i) => terms.eq(next.of(p), edge.values[i])) ?? [];
  return [...conditionsOf(edge), ...after];
}

t.test(`steps into the locations of ${ROUNDS} random problems are what the edges say`, t => {
  const random = seeded(t);
  let [locations, choices] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const problem = randomProblem(random, random.pick(LINEAR_SHAPES));
    const { terms } = problem;
    const isAt = literalsOf(problem);
    for (const location of problem.locations) {
      const edges = problem.edges.filter(e => headOf(e) === location);
      const steps = stepsBy(problem, edges, location, isAt);
      locations++;
      choices += steps.choices.length;
      const wrong = (what: string) => t.fail(`round ${round}, into ${location.name}: ${what}`);
      t.same(new Set(steps.steps.map(c => c.edge)), new Set(edges), 'a case for every edge');
      const whole = stepFormulas(terms, steps);
      const selections = steps.steps.map(c => c.selection);
      for (const m of missing(terms, whole, [terms.or(selections)])) wrong(`a step by no edge: ${m}`);
      for (const { edge, selection } of steps.steps) {
        const where = whereIs(problem, edge, steps, isAt);
        const chosen = chosenBy({ edge, selection }, steps, terms);
        const said = edgeFormulas(problem, edge);
        for (const m of missing(terms, [...whole, selection], [...where, ...said]))
          wrong(`a step that there is not: ${m}`);
        for (const m of missing(terms, [...where, ...chosen, ...said], [...whole, selection]))
          wrong(`a step is lacking: ${m}`);
        const other = terms.or(selections.filter(s => s !== selection));
        if (isPossibleForEquality(terms, [...whole, selection, other])) wrong('a step by two edges');
      }
    }
  }
  t.ok(locations > ROUNDS, `${locations} locations`);
  t.ok(choices > ROUNDS / 4, `${choices} choices among edges`);
  t.end();
});

/** The inputs that choose an edge, so that exactly this one is chosen of each group. */
function chosenBy({ selection }: Case, { choices }: Transitions, terms: TermStore): TermId[] {
  const selected = new Set(terms.postorder([selection]));
  const isOn = (group: readonly TermId[]) => group.some(y => selected.has(y));
  return choices.filter(isOn).flatMap(group => group.map(y => (selected.has(y) ? y : terms.not(y))));
}

t.test(`the states of ${ROUNDS} random problems that violate a property are those of its queries`, t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const problem = randomProblem(random, random.pick(LINEAR_SHAPES));
    const { terms } = problem;
    const isAt = literalsOf(problem);
    const queries = problem.edges.filter(e => isQuery(e.head));
    const { bad, constraints, queries: cases, sources } = violationsBy(problem, queries, isAt);
    const wrong = (what: string) => t.fail(`round ${round}: ${what}`);
    t.same(new Set(sources), new Set(queries.flatMap(e => sourceOf(e) ?? [])));
    for (const m of missing(terms, [bad], [terms.or(cases.map(c => c.selection))]))
      wrong(`a violation by no query: ${m}`);
    for (const { edge, selection } of cases) {
      const source = sourceOf(edge);
      const where = source === undefined ? [] : [isAt(source)];
      const others = sources.filter(s => s !== source).map(s => terms.not(isAt(s)));
      const conditions = conditionsOf(edge);
      for (const m of missing(terms, [selection, ...constraints], [...where, ...conditions]))
        wrong(`a violation that there is not: ${m}`);
      for (const m of missing(terms, [...where, ...others, ...conditions], [bad, selection, ...constraints]))
        wrong(`a violation is lacking: ${m}`);
      if (isPossible(terms, [selection, ...constraints])) count++;
    }
  }
  t.ok(count > ROUNDS / 6, `${count} possible violations`);
  t.end();
});

// ---- solvers ----

/** A starts, goes to B or C; B goes on to C and stays; C ends. */
const DIAMOND = `(set-logic HORN) (declare-fun A ((_ BitVec 8)) Bool) (declare-fun B ((_ BitVec 8)) Bool)
  (declare-fun C ((_ BitVec 8)) Bool) (assert (A #x00))
  (assert (forall ((x (_ BitVec 8))) (=> (and (A x) (bvult x #x10)) (B (bvadd x #x01)))))
  (assert (forall ((x (_ BitVec 8))) (=> (and (A x) (bvult #x20 x)) (C (bvadd x #x02)))))
  (assert (forall ((x (_ BitVec 8))) (=> (B x) (C (bvadd x #x03)))))
  (assert (forall ((x (_ BitVec 8))) (=> (B x) (B (bvadd x #x04)))))`;

const query = (condition: string) => `(assert (forall ((x (_ BitVec 8))) (=> ${condition} false)))`;

const ENDED = `${DIAMOND} ${query('(and (C x) (= x #xff))')}`;

const hornOf = (text: string): Question =>
  readQuestion('test.smt2', text, { strict: true, warn: message => t.fail(message) });

/** The solvers of a problem, and the places of its locations by name. */
class Solvers {
  readonly problem: Problem;
  readonly terms: TermStore;
  readonly solvers: LocationSolvers;
  readonly queries: AbstractQueries;

  constructor(text: string) {
    this.problem = hornOf(text).problem;
    this.terms = this.problem.terms;
    const effort = new Effort({});
    effort.left = Number.POSITIVE_INFINITY;
    const env = {
      options: DEFAULT_ENGINE_OPTIONS,
      budget: {},
      profile: new Profile(),
      backEnd: heavy.backEnd,
    };
    const shared = new Shared(this.terms, env, effort);
    const signature = new Signature(this.problem);
    this.solvers = new LocationSolvers(this.problem, signature, shared);
    this.queries = new AbstractQueries(shared, signature, this.solvers);
  }

  location(name: string): Location {
    return this.problem.locations.find(l => l.name === name) as Location;
  }

  place(name: string): TermId {
    return this.location(name).places[0];
  }

  /** That a state is at a location, as the solvers say it. */
  literal(name: string): TermId {
    return complete(this.solvers.separated([], undefined as never, this.location(name)))[0];
  }

  /** The states of a location with a value in its place. */
  at(name: string, value: number) {
    const { terms } = this;
    return cubeOf([this.literal(name), terms.eq(terms.bv(8, value), this.place(name))]);
  }

  /** Where a step may lead from, out of a frame, into the states of a location with a value. */
  stepInto(name: string, value: number, level: number): string | undefined {
    const answer = complete(this.queries.relative(this.at(name, value), level, true));
    if (!('state' in answer)) return undefined;
    const { edge } = complete(answer.state());
    return sourceOf(edge)?.name ?? 'nowhere';
  }
}

t.test('a solver speaks of what leads into its location, and of nothing else', t => {
  const made = new Solvers(ENDED);
  const { terms, solvers } = made;
  const constants = ({ transitions }: FrameSolver) =>
    new Set(terms.postorder(stepFormulas(terms, transitions)).filter(u => terms.op(u) === Op.BV_CONST));
  const numbers = (...values: number[]) => new Set(values.map(v => terms.bv(8, v)));
  const into = (name: string) => solvers.into(made.at(name, 0));
  const sources = ({ transitions }: FrameSolver) => new Set(transitions.sources.map(s => s.name));
  t.same(sources(into('A')), new Set(), 'A is reached from the start only');
  t.same(sources(into('B')), new Set(['A', 'B']));
  t.same(sources(into('C')), new Set(['A', 'B']));
  t.same(sources(solvers.violations), new Set(['C']));
  t.same(constants(into('A')), numbers(0));
  t.same(constants(into('B')), numbers(0x10, 1, 4));
  t.same(constants(into('C')), numbers(0x20, 2, 3));
  const inStepsInto = (name: string) => solvers.copies(made.at(name, 0), into(name));
  t.same(['A', 'B', 'C'].map(inStepsInto), [[], [made.at('B', 0)], []], 'only B leads to itself');
  t.same(solvers.target(made.at('B', 7)), [terms.eq(terms.bv(8, 7), made.place('B'))]);
  t.same(complete(solvers.initialCore(made.at('B', 7))), [made.literal('B')], 'no state there is initial');
  t.end();
});

t.test('a clause about a location is heard where an edge leads from there', t => {
  const made = new Solvers(ENDED);
  const { solvers } = made;
  t.equal(made.stepInto('A', 0, 1), 'nowhere', 'from the start');
  t.equal(made.stepInto('A', 1, 1), undefined, 'which sets x to 0');
  t.equal(made.stepInto('B', 1, 1), undefined, 'no state of a location is initial');
  t.equal(made.stepInto('B', 1, 2), 'A', 'the start is a step behind A');
  solvers.exclude([made.literal('A')], 1);
  t.equal(made.stepInto('B', 1, 2), 'B', 'nothing of A is in the first frame');
  solvers.exclude([made.literal('B')], 1);
  t.equal(made.stepInto('B', 1, 2), undefined);
  t.equal(made.stepInto('C', 4, 2), undefined, 'a solver that is made later knows what was excluded before');
  t.ok(made.stepInto('B', 1, 3), 'the second frame is another matter');
  t.ok(made.stepInto('C', 4, 3));
  solvers.exclude([made.literal('A')], 2);
  t.equal(made.stepInto('C', 4, 3), 'B');
  solvers.exclude(made.at('A', 0), FOREVER);
  t.equal(made.stepInto('A', 0, 3), 'nowhere', 'into A lead no steps from A');
  t.end();
});

t.test('a lemma is for those who know its places', t => {
  const made = new Solvers(ENDED);
  const { terms, problem, solvers } = made;
  const about = (v: TermId) => terms.not(terms.eq(terms.app(Op.BVADD, [v, terms.bv(8, 1)]), v));
  const [ofA, ofB, ofNextB] = [
    about(made.place('A')),
    about(made.place('B')),
    about(problem.next.of(made.place('B'))),
  ];
  const before = solvers.into(made.at('B', 0));
  for (const lemma of [ofA, ofB, ofNextB]) solvers.addLemma(lemma);
  t.same(before.valid, [ofA, ofB, ofNextB], 'A and B lead to B');
  t.same(solvers.into(made.at('C', 0)).valid, [ofA, ofB], 'which is no matter of the step to C');
  t.same(solvers.into(made.at('A', 0)).valid, []);
  t.same(solvers.violations.valid, []);
  t.end();
});

/** F calls G twice and itself, once each way round. */
const CALLS = `(set-logic HORN) (declare-fun F ((_ BitVec 8)) Bool) (declare-fun G ((_ BitVec 8)) Bool)
  (assert (G #x01)) (assert (F #x00))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (G x) (G y)) (F (bvadd x y)))))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (F x) (G y)) (F (bvmul x y)))))
  (assert (forall ((x (_ BitVec 8))) (=> (F x) (G (bvsub x #x03)))))
  ${query('(and (F x) (= x #x80))')}`;

t.test('a clause about a source beside others is heard once for each of them', t => {
  const made = new Solvers(CALLS);
  const { terms, problem, solvers } = made;
  const solver = solvers.into(made.at('F', 0));
  const sourcesOf = (...names: string[]) => {
    const edge = problem.edges.find(e => e.sources.map(s => s.location.name).join() === names.join()) as Edge;
    return edge.sources.map(s => ({ edge, place: s.places[0] }));
  };
  const [g1, g2] = sourcesOf('G', 'G');
  const [f, g3] = sourcesOf('F', 'G');
  const call = ({ edge }: { edge: Edge }) => solver.transitions.calls.get(edge) as TermId;
  const copy = (source: { edge: Edge; place: TermId }, value: number) =>
    cubeOf([call(source), terms.eq(terms.bv(8, value), source.place)]);
  t.same(solvers.copies(made.at('G', 7), solver), [copy(g1, 7), copy(g2, 7), copy(g3, 7)]);
  t.same(solvers.copies(made.at('F', 7), solver), [copy(f, 7)]);
  const intoG = solvers.into(made.at('G', 0));
  t.same(
    solvers.copies(made.at('F', 7), intoG),
    [made.at('F', 7)],
    'where it is alone it has its own places',
  );
  t.ok(made.stepInto('F', 2, 2));
  solvers.exclude([made.literal('G')], 1);
  t.equal(made.stepInto('F', 2, 2), undefined, 'both calls need something of G');
  t.end();
});

t.test('an excluded cube is a clause of the invariant of its location, without the location', t => {
  const made = new Solvers(ENDED);
  const { terms, solvers } = made;
  const cube = made.at('B', 9);
  const clause = terms.or(cube.map(l => terms.not(l)));
  const alone = [made.literal('C')];
  const found = solvers.invariants([
    [cube, clause],
    [alone, terms.not(alone[0])],
  ]);
  const named = (name: string) => found.get(made.location(name));
  t.same(named('A'), []);
  t.same(
    named('B')?.map(f => missing(terms, [f], [terms.not(terms.eq(terms.bv(8, 9), made.place('B')))])),
    [[]],
  );
  t.notOk(terms.postorder(named('B') ?? []).includes(made.literal('B')));
  t.same(named('C'), [terms.false], 'nothing is ever there');
  t.end();
});

// ---- the search ----

t.test('a query without a body is a matter of its own', t => {
  const possible = hornOf(`${DIAMOND} ${query('(distinct (bvand x #x01) #x00)')}`);
  const { verdict: unsafe } = searchAsWritten(possible, heavy);
  t.equal(unsafe.kind, 'unsafe');
  t.equal(complaintAbout(possible, heavy, unsafe), undefined);
  if (unsafe.kind === 'unsafe') t.equal(unsafe.derivation.steps.length, 1, 'it needs no state');
  // No number has the square 2, but to equality one might.
  const impossible = hornOf(`${DIAMOND} ${query('(= (bvmul x x) #x02)')}`);
  const { verdict: safe, engine } = searchAsWritten(impossible, heavy);
  t.equal(safe.kind, 'safe');
  t.equal(complaintAbout(impossible, heavy, safe), undefined);
  t.equal(engine.stats.lemmas, 1);
  t.end();
});

t.test('no lemma is about control', t => {
  // What x is set to, at the start or between B and D, is looked at in the end. The step from D to E uses it beside
  // an input, so the cubes before do not speak of it, and refinement has to find out how it gets there.
  const words = '(_ BitVec 8) (_ BitVec 8)';
  const rule = (body: string, head: string) =>
    `(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> ${body} ${head})))`;
  const text = `(set-logic HORN) ${['A', 'B', 'C', 'D', 'E'].map(r => `(declare-fun ${r} (${words}) Bool)`).join(' ')}
    ${rule('(= x #x01)', '(A x y)')} ${rule('(A x y)', '(B x y)')} ${rule('(A x y)', '(C x #x02)')}
    ${rule('(and (B x y) (= z #x01))', '(D z #x05)')} ${rule('(C x y)', '(D x (bvadd y y))')} ${rule('(and (D x y) (= z #x00))', '(E (bvadd x z) y)')}
    ${rule('(and (E x y) (bvult y #x05))', '(A x y)')}
    ${rule('(and (E x y) (not (bvslt #x00 x)))', 'false')}`;
  const question = hornOf(text);
  const { verdict, engine, problem } = searchAsWritten(question, heavy, { evaluateConstants: false });
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  t.equal(verdict.kind, 'safe');
  t.equal(problem.locations.length, 5);
  const { terms } = problem;
  const { current, after, inputs } = new Signature(problem);
  const formulas = (engine.lemmas ?? []).map(l => l.formula);
  t.ok(formulas.length > 0, 'that 1 is positive has to be learnt');
  for (const formula of formulas) {
    const variables = terms.postorder([formula]).filter(v => terms.isVariable(v));
    const isData = (v: TermId) => current.has(v) || after.has(v) || inputs.has(v);
    t.ok(variables.every(isData), printTerm(terms, formula));
  }
  t.end();
});
