/**
 * The normal form x' = f of a transition relation, which passes make and the flat view shows: what counts as a definition, as
 * an input and as a constraint there.
 */
import t from 'tap';
import { OwnEngine } from '../../../src/bv/own-engine.ts';
import { EquationSolver } from '../../../src/bv/preprocess/equation-solver.ts';
import { ConcreteSolver } from '../../../src/bv/solver.ts';
import { mergeEdges } from '../../../src/core/passes/merge-edges.ts';
import { preprocess } from '../../../src/core/passes/pipeline.ts';
import { postponeConditions } from '../../../src/core/passes/postpone-conditions.ts';
import { simplifyEdges } from '../../../src/core/passes/simplify-edges.ts';
import { viewsOf } from '../../../src/core/portfolio/views.ts';
import { conjuncts } from '../../../src/core/problem/conjuncts.ts';
import { isOver, type Problem } from '../../../src/core/problem/problem.ts';
import { priming } from '../../../src/core/problem/renaming.ts';
import type { System } from '../../../src/core/problem/system.ts';
import { SystemProblem } from '../../../src/core/problem/system-problem.ts';
import type { TransitionSystem } from '../../../src/core/problem/transition-system.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { Op } from '../../../src/term/operators.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { Rewriter } from '../../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../support/checking.ts';
import { type Random, seeded } from '../../support/random.ts';
import { growPool } from '../../support/terms.ts';
import { isUnsafe } from '../explicit.ts';
import { HandMade } from '../hand-made.ts';
import { RandomSystem } from '../random-system.ts';

/** What other passes do shows better without. */
const NO_FACTS = { facts: false } as const;

const heavy = await loadedBackEnd();

const solverOf = ({ terms }: { terms: TermStore }) => new EquationSolver(new Rewriter(terms));

const flatViewOf = (problem: Problem) => viewsOf(problem, undefined, new Checkpoint()).flat.system;

/** With each edge in normal form, and no other pass. */
function normalForm(system: System): TransitionSystem {
  const { problem } = new SystemProblem(system);
  const simple = simplifyEdges(problem, solverOf(system)).problem;
  // Inputs have names of their own after this: as the front end has it, they may be next state variables.
  return flatViewOf(mergeEdges(simple).problem);
}

/** After all passes, which look for no control here. */
function afterPasses(system: System): TransitionSystem {
  return flatViewOf(
    preprocess(new SystemProblem(system).problem, 'functional', new Checkpoint(), NO_FACTS).all.problem,
  );
}

/** The answer, if its evidence proves it. */
function answer(system: System): string {
  const question = questionOf(system);
  const verdict = verdictOf(question, heavy);
  return complaintAbout(question, heavy, verdict) ?? verdict.kind;
}

// ---- definitions ----

/** What a step satisfies. */
function stepFormulas({ terms, definitions, relations, constraints }: TransitionSystem): TermId[] {
  return [...[...definitions].map(([v, body]) => terms.eq(v, body)), ...relations, ...constraints];
}

function follows(terms: TermStore, given: readonly TermId[], wanted: TermId): boolean {
  const solver = new ConcreteSolver(terms, { backEnd: () => new OwnEngine() });
  for (const f of [...given, terms.not(wanted)]) solver.assert(f);
  const result = solver.solve();
  solver.dispose();
  return result === 'unsat';
}

/** Next state variables that are defined, though not in terms of current variables and inputs. */
function unsound({ terms, states, inputs, definitions }: TransitionSystem): TermId[] {
  const known = new Set([...states.map(s => s.current), ...inputs]);
  return [...definitions].filter(([, body]) => !isOver(terms, body, known)).map(([v]) => v);
}

/** x(i)' is x(i-1)' with a new bit, in any order; x(0)' is as `first` has it. */
function chain(
  random: Random,
  length: number,
  first: (next: readonly TermId[], terms: TermStore) => TermId,
): System {
  const terms = new TermStore();
  const word = terms.sorts.bitVec(8);
  const states = Array.from({ length }, (_, i) => ({
    current: terms.variable(`x${i}`, word),
    next: terms.variable(`x${i}.next`, word),
  }));
  const next = states.map(s => s.next);
  const trans = states.map(({ current }, i) =>
    terms.eq(next[i], i === 0 ? first(next, terms) : terms.app(Op.BVXOR, [next[i - 1], current])),
  );
  for (let i = trans.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [trans[i], trans[j]] = [trans[j], trans[i]];
  }
  const property = { index: 0, name: undefined, formula: terms.eq(terms.bv(8, 0), states[0].current) };
  const common = { terms, states, inputs: [], init: terms.true, constraints: [], properties: [property] };
  return { ...common, trans: terms.and(trans) };
}

t.test('definitions of next states that rest on one another', t => {
  const random = seeded(t);
  for (let round = 0; round < 20; round++) {
    const length = 3 + random.below(12);
    const line = normalForm(chain(random, length, (_, terms) => terms.bv(8, 1)));
    t.same([line.definitions.size, line.relations.length], [length, 0], 'a line is all definitions');
    t.same(unsound(line), []);
    const circle = chain(random, length, (next, terms) => terms.app(Op.BVNOT, [next[length - 1]]));
    const ring = normalForm(circle);
    const { terms } = circle;
    t.same(unsound(ring), [], 'nothing in a ring is defined by what it defines');
    // One of them may be anything, and a step exists only where the bits of the others are as the ring needs them.
    t.same([ring.definitions.size, ring.relations.length], [length, 1]);
    const steps = stepFormulas(ring);
    t.ok(follows(terms, steps, circle.trans), 'a ring allows no more than it did');
    const isInput = new Set(ring.inputs);
    const free = [...ring.definitions].filter(([, body]) => isInput.has(body));
    t.equal(free.length, 1);
    const given = [circle.trans, ...free.map(([v, body]) => terms.eq(v, body))];
    for (const f of steps) t.ok(follows(terms, given, f), 'and no less');
  }
  const long = normalForm(chain(random, 5000, (_, terms) => terms.bv(8, 1)));
  t.same([long.definitions.size, long.relations.length], [5000, 0], 'long lines as well');
  t.end();
});

t.test('definitions in other words', t => {
  const form = (sort: string, trans: string) => {
    const made = new HandMade(`
      (declare-const x ${sort}) (declare-const x.next ${sort})
      (declare-const g Bool) (declare-const g.next Bool) (declare-const y ${sort})
      (assert (! true :named init)) (assert (! (and (= g.next g) ${trans}) :named trans))
      (assert (! g :named property))`);
    const { definitions, relations } = normalForm(made.system);
    const body = definitions.get(made.variable('x.next'));
    return [body === undefined ? undefined : printTerm(made.terms, body), relations.length];
  };
  const word = '(_ BitVec 8)';
  t.same(form(word, '(= y x.next) (= y (bvnot x))'), ['(bvnot x)', 0], 'by way of an input');
  t.same(
    form(word, '(=> g (= x.next x)) (=> (not g) (= x.next (bvnot x)))'),
    ['(ite g x (bvnot x))', 0],
    'by cases',
  );
  t.same(form('Bool', '(not (= x.next x))'), ['(not x)', 0], 'by what it is not');
  t.same(form('(_ BitVec 1)', '(= (= x.next #b1) g)'), ['(ite g #b1 #b0)', 0], 'a bit by a truth value');
  t.same(form(word, '(= (bvadd x.next #x01) x)')[1], 0, 'by what it becomes');
  t.same(form(word, '(bvult x x.next)'), [undefined, 1], 'and what is none');
  t.end();
});

t.test('definitions of random systems rest on current variables and inputs alone', t => {
  const random = seeded(t);
  let [defined, related] = [0, 0];
  for (let round = 0; round < 100; round++) {
    const { system } = new RandomSystem(random);
    for (const form of [normalForm(system), afterPasses(system)]) {
      defined += form.definitions.size;
      related += form.relations.length;
      if (unsound(form).length > 0) t.fail(`round ${round}`);
    }
  }
  t.ok(defined > 60 && related > 10, `${defined} definitions, ${related} relations`);
  t.end();
});

// ---- inputs and constraints ----

/** A register x that takes in y, which is a state variable that nobody says anything about but what is assumed of it. */
const register = (init: string, trans: string, property: string) =>
  new HandMade(`
    (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8))
    (declare-const y (_ BitVec 8)) (declare-const y.next (_ BitVec 8))
    (assert (! (and (= x #x00) ${init}) :named init))
    (assert (! (and (= x.next y) ${trans}) :named trans))
    (assert (! ${property} :named property))`).system;

t.test('a state variable of which nothing is said is an input', t => {
  const free = register('true', 'true', '(not (and (= x #x07) (bvult x y)))');
  const { states, inputs, relations } = afterPasses(free);
  t.same(states, [free.states[0]]);
  t.same([inputs.length, relations.length], [1, 0]);
  t.equal(answer(free), 'unsafe');
  const started = register('(= y x)', 'true', '(not (and (= x #x07) (bvult x y)))');
  t.equal(afterPasses(started).states.length, 2, 'not if it has an initial value');
  t.end();
});

t.test('what holds initially and after every step is a constraint', t => {
  const now = '(bvult y #x10)';
  const next = '(bvult y.next #x10)';
  for (const trans of [next, `(and ${now} ${next})`]) {
    const made = register(now, trans, '(bvult x #x10)');
    const { init, states, inputs, relations, constraints } = afterPasses(made);
    t.same(
      [init, states, inputs, relations, constraints].map(all => all.length),
      [1, 1, 1, 0, 1],
    );
    t.equal(answer(made), 'safe', 'the invariant needs it');
    t.equal(answer(register(now, trans, '(not (= y #x0f))')), 'unsafe');
    t.equal(answer(register(now, trans, '(not (= y #x10))')), 'safe', 'it holds in the last state, too');
  }
  const first = register('true', `(and ${now} ${next})`, '(not (= y #x10))');
  t.equal(answer(first), 'unsafe', 'the first state may be the last one');
  t.equal(answer(register(now, now, '(not (= y #x10))')), 'unsafe', 'the last state takes no step');
  t.end();
});

/** A random system with another state variable, of which something is assumed, and nothing else said. */
function withAssumption(random: Random): System {
  const { system } = new RandomSystem(random);
  const { terms, init, trans } = system;
  const sort = terms.sorts.bitVec(1 + random.below(2));
  const y = { current: terms.variable('y', sort), next: terms.variable('y.next', sort) };
  const states = [...system.states, y];
  const one = terms.bv(terms.sorts.width(sort), 1);
  const variables = [...states.map(s => s.current), one, terms.eq(y.current, one)];
  const formulas = growPool(terms, random, variables, 25, 3).filter(f => terms.sort(f) === terms.sorts.bool);
  const assumed = random.pick(formulas.filter(f => terms.postorder([f]).includes(y.current)));
  const after = priming(terms, states).apply(assumed);
  // What y is has to matter.
  const [property] = system.properties;
  const formula = random.chance(0.5) ? terms.or([property.formula, random.pick(formulas)]) : property.formula;
  return {
    ...system,
    states,
    init: random.chance(0.8) ? terms.and([init, assumed]) : init,
    trans: terms.and([...conjuncts(terms, trans), after, ...(random.chance(0.5) ? [assumed] : [])]),
    properties: [{ ...property, formula }],
  };
}

t.test('random systems with assumptions about states agree with explicit search', t => {
  const random = seeded(t);
  let [found, unsafe] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const made = withAssumption(random);
    const { problem } = simplifyEdges(new SystemProblem(made).problem, solverOf(made));
    if (postponeConditions(problem, new Rewriter(made.terms)).problem !== problem) found++;
    const expected = isUnsafe(made, made.properties[0]) ? 'unsafe' : 'safe';
    if (expected === 'unsafe') unsafe++;
    const given = answer(made);
    if (given !== expected) t.fail(`round ${round}: ${given}, but it is ${expected}`);
  }
  t.ok(found > 15, `${found} have a constraint`);
  t.ok(unsafe > 10 && unsafe < 140, `${unsafe} are unsafe`);
  t.end();
});
