/** Derivations that derive and those that do not quite: runs of systems, and uses of clauses with several bodies. */
import t from 'tap';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { type Derivation, NO_FUNCTIONS, type Step } from '../../../src/core/problem/derivation.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { Unknown } from '../../../src/sat/unknown.ts';
import { Evaluator } from '../../../src/term/evaluator.ts';
import type { FunctionId, TermId } from '../../../src/term/store.ts';
import { ArrayValue, domain, type Value } from '../../../src/term/value.ts';
import { seeded } from '../../support/random.ts';
import { COUNTER, HandMade, MEMORY, REQUEST, WALK } from '../hand-made.ts';
import { type Small, smallSystem } from './small-system.ts';

type Steps = readonly Readonly<Record<string, Value>>[];
type Functions = (f: FunctionId, args: readonly Value[]) => Value;

function complaintAbout(h: HandMade, property: number, derivation: Derivation): string | undefined {
  return checkDerivation(h.asProblem.problem, property, derivation, e => h.asProblem.nameOf(e));
}

function zeros(h: HandMade): ArrayValue {
  const { sorts } = h.terms;
  return ArrayValue.constant(0, domain(sorts, sorts.bitVec(2)));
}

t.test('runs that violate the property', t => {
  const accepted = (h: HandMade, index: number, steps: Steps, f?: Functions) =>
    t.equal(complaintAbout(h, index, h.derivation(h.trace(steps, f), index)), undefined);

  accepted(new HandMade(COUNTER), 1, [
    { x: 0, go: true },
    { x: 1, go: false },
    { x: 1, go: true },
    { x: 2, go: false },
  ]);
  const memory = new HandMade(MEMORY);
  const m = zeros(memory);
  accepted(memory, 1, [
    { m, at: 3, data: 9 },
    { m, at: 2, data: 7 },
    { m: m.store(2, 7), at: 0, data: 0 },
  ]);
  accepted(new HandMade(REQUEST), 1, [
    { s: 1, r: 1 },
    { s: 3, r: 3 },
    { s: 5, r: 5 },
  ]);
  accepted(
    new HandMade(WALK),
    1,
    [
      { s: 6, t: 0 },
      { s: 7, t: 1 },
      { s: 8, t: 0 },
    ],
    (_, [s]) => (s === 7 ? 1 : 0),
  );
  t.end();
});

t.test('every way not to be such a run', t => {
  const rejected = (h: HandMade, index: number, steps: Steps, message: RegExp) => {
    const complaint = complaintAbout(
      h,
      index,
      h.derivation(
        h.trace(steps, () => 0),
        index,
      ),
    );
    t.match(complaint, message);
    t.notMatch(complaint, /\n/, 'one sentence');
  };
  // Step 0 derives the initial state; step i + 1 leaves the state with number i.
  const counter = new HandMade(COUNTER);
  rejected(counter, 1, [], /^the derivation is empty$/);
  rejected(
    counter,
    1,
    [{ x: 2, go: true }],
    /^step 0, by an initial state: this is false: \(= x.next #x00\)$/,
  );
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 2, go: true },
    ],
    /^step 1, by a step: this is false: \(= x.next /,
  );
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 1, go: false },
      { x: 2, go: true },
    ],
    /^step 2, by a step: this is false: /,
  );
  rejected(
    counter,
    1,
    [
      { x: 0, go: true },
      { x: 1, go: true },
    ],
    /^step 2, by a violation: this is false: \(not \(not \(= x #x02\)\)\)$/,
  );
  const missing = (variable: string, at: number, steps: Steps) =>
    rejected(counter, 1, steps, new RegExp(`^step ${at}, by .*: '${variable}' has no value$`));
  missing('go', 2, [{ x: 0, go: true }, { x: 1 }, { x: 2, go: true }]);
  missing('x.next', 1, [{ x: 0, go: true }, { go: true }, { x: 2, go: true }]);
  const foreign = (variable: string, steps: Steps) =>
    rejected(
      counter,
      1,
      steps,
      new RegExp(`^step \\d, by .*: the value of '${variable}' is not of its sort$`),
    );
  foreign('x.next', [{ x: 256, go: true }]);
  foreign('x.next', [{ x: 0n, go: true }]);
  foreign('go', [
    { x: 0, go: 1 },
    { x: 1, go: true },
    { x: 2, go: true },
  ]);

  const request = new HandMade(REQUEST);
  rejected(
    request,
    1,
    [
      { s: 1, r: 1 },
      { s: 3, r: 5 },
    ],
    /^step 2, by a violation: this is false: \(= r s\)$/,
  );
  rejected(
    request,
    1,
    [
      { s: 1, r: 2 },
      { s: 4, r: 5 },
    ],
    /^step 1, by a step: this is false: \(= r s\)$/,
  );

  const memory = new HandMade(MEMORY);
  const m = zeros(memory);
  rejected(memory, 1, [{ m: m.store(2, 7), at: 0, data: 0 }], /^step 0, by an initial state: this is false/);
  rejected(
    memory,
    1,
    [
      { m, at: 1, data: 7 },
      { m: m.store(2, 7), at: 0, data: 0 },
    ],
    /^step 1, by a step: this is false/,
  );
  rejected(
    memory,
    1,
    [{ m: m.store(2, 16), at: 0, data: 0 }],
    /^step 0, .*: the value of 'm.next' is not of its sort/,
  );

  const walk = new HandMade(WALK);
  rejected(
    walk,
    1,
    [
      { s: 6, t: 0 },
      { s: 8, t: 0 },
    ],
    /^step 1, by a step: this is false/,
  );
  rejected(walk, 1, [{ s: 6, t: 1 }], /^step 0, by an initial state: this is false: .*owner/);
  t.end();
});

t.test('steps that are wrongly put together', t => {
  const h = new HandMade(COUNTER);
  const { problem } = h.asProblem;
  const good = h.derivation(
    h.trace([
      { x: 0, go: true },
      { x: 1, go: true },
      { x: 2, go: false },
    ]),
    1,
  );
  t.equal(complaintAbout(h, 1, good), undefined);
  const changed = (at: number, change: Partial<Step>): Derivation => ({
    ...good,
    steps: good.steps.map((s, i) => (i === at ? { ...s, ...change } : s)),
  });
  const rejected = (derivation: Derivation, message: RegExp, property = 1) =>
    t.match(complaintAbout(h, property, derivation), message);
  const [start, step, query] = [good.steps[0], good.steps[1], good.steps[3]];

  rejected({ ...good, steps: good.steps.slice(0, -1) }, /^the last step does not derive the query$/);
  rejected({ ...good, steps: [...good.steps, start] }, /^the last step does not derive the query$/);
  rejected(good, /^the last step does not derive the query$/, 0); // it is the query of another property
  rejected(changed(1, { edge: { ...step.edge } }), /^step 1, .*: the problem has no such edge$/);
  rejected(
    changed(2, { edge: { ...step.edge, guard: h.terms.true } }),
    /^step 2, .*: the problem has no such edge$/,
  );
  rejected(changed(1, { premises: [] }), /^step 1, .*: it has not one premise for each source$/);
  rejected(changed(1, { premises: [0, 0] }), /^step 1, .*: it has not one premise for each source$/);
  rejected(changed(0, { premises: [0] }), /^step 0, .*: it has not one premise for each source$/);
  const underived = (at: number, premise: number) =>
    rejected(
      changed(at, { premises: [premise] }),
      new RegExp(`^step ${at}, .*: its premise 1 is not what an earlier step derived$`),
    );
  underived(2, 0); // another state than the one it starts from
  underived(1, 1); // itself
  underived(1, 2); // a later one
  underived(1, 17);
  underived(1, -1);
  // A query derives no state that one could go on from.
  rejected(
    { ...good, steps: [...good.steps, { ...query, premises: [3] }] },
    /^step 4, .*: its premise 1 is not what an earlier step derived$/,
  );
  // The state before a step has another value than what was derived: each step is possible by itself.
  const jump = new Map(step.values).set(h.variable('x'), 1).set(h.variable('x.next'), 2);
  rejected(changed(1, { values: jump }), /^step 1, .*: its premise 1 is not/);
  t.equal(
    checkDerivation(
      problem,
      1,
      { ...good, steps: [start, start, ...shifted(good.steps.slice(1))] },
      () => '',
    ),
    undefined,
    'what nobody needs does no harm',
  );
  t.end();
});

/** The same steps, one place further on. */
function shifted(steps: readonly Step[]): Step[] {
  return steps.map(s => ({ ...s, premises: s.premises.map(p => p + 1) }));
}

/** Sums of what there is: from 1 and 2, by way of 3, comes 6; `far` is not derived from anything. */
const SUMS = `(set-logic HORN)
  (declare-fun sum ((_ BitVec 8)) Bool) (declare-fun far ((_ BitVec 8)) Bool)
  (assert (sum #x01))
  (assert (sum #x02))
  (assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (and (sum a) (sum b)) (sum (bvadd a b)))))
  (assert (forall ((a (_ BitVec 8)) (b (_ BitVec 8))) (=> (and (sum a) (far b) (= a b)) false)))
  (assert (forall ((a (_ BitVec 8))) (=> (and (sum a) (= a #x06)) false)))
  (check-sat)`;

t.test('derivations with several premises', t => {
  const question = readQuestion('sums.smt2', SUMS, { strict: true, warn: t.fail });
  const { problem, words } = question;
  const { terms } = problem;
  const [one, two, add, , query] = problem.edges;
  /** Values of the variables of an edge: those of the clause by name, and the places of its sources in order. */
  const stepOf = (
    edge: Step['edge'],
    inputs: Record<string, number>,
    places: readonly number[],
    premises: readonly number[],
  ): Step => {
    const values = new Map<TermId, Value>();
    for (const [i, p] of edge.sources.flatMap(s => s.places).entries()) values.set(p, places[i]);
    for (const v of terms.postorder([edge.guard, ...edge.values])) {
      const value = terms.isVariable(v) ? inputs[terms.nameOf(v)] : undefined;
      if (value !== undefined && !values.has(v)) values.set(v, value);
    }
    return { edge, values, premises };
  };
  const sum = (a: number, b: number, premises: readonly number[]) => stepOf(add, { a, b }, [a, b], premises);
  const complaint = (...steps: Step[]) =>
    checkDerivation(problem, 0, { steps, functionValue: NO_FUNCTIONS }, words.nameOf);
  const starts = [stepOf(one, {}, [], []), stepOf(two, {}, [], [])];
  const six = stepOf(query, { a: 6 }, [6], [3]);
  t.equal(complaint(...starts, sum(1, 2, [0, 1]), sum(3, 3, [2, 2]), six), undefined);
  t.match(
    complaint(...starts, sum(1, 2, [1, 0]), sum(3, 3, [2, 2]), six),
    /^step 2, by the clause in line 5: its premise 1 is not/,
    'the order of premises is that of the sources',
  );
  t.match(
    complaint(...starts, sum(1, 2, [0, 1]), sum(3, 3, [2, 0]), six),
    /^step 3, .*: its premise 2 is not/,
  );
  t.match(
    complaint(...starts, sum(1, 2, [0, 1]), sum(3, 3, [2, 3]), six),
    /^step 3, .*: its premise 2 is not/,
  );
  t.match(
    complaint(...starts, sum(1, 2, [0]), sum(3, 3, [2, 2]), six),
    /^step 2, .*: it has not one premise/,
  );
  t.match(
    complaint(...starts, sum(1, 2, [0, 1]), sum(3, 3, [2, 2]), stepOf(query, { a: 6 }, [3], [2])),
    /is false/,
  );
  // A fact about another location with the same values is no premise.
  const met = problem.edges[3];
  const meeting = stepOf(met, { a: 1, b: 1 }, [1, 1], [0, 0]);
  t.match(complaint(...starts, meeting), /^step 2, .*: its premise 2 is not what an earlier step derived/);
  t.end();
});

t.test('a long derivation within limits', t => {
  const h = new HandMade(COUNTER);
  const run = Array.from({ length: 5000 }, () => ({ x: 0, go: false }));
  const steps = [...run, { x: 0, go: true }, { x: 1, go: true }, { x: 2, go: false }];
  const derivation = h.derivation(h.trace(steps), 1);
  t.equal(complaintAbout(h, 1, derivation), undefined);
  const late = new Checkpoint({ deadline: 1 });
  t.throws(
    () => checkDerivation(h.asProblem.problem, 1, derivation, () => '', late),
    new Unknown('deadline'),
  );
  t.end();
});

t.test('random runs of random systems are derivations, and changed ones are not unless they are runs', t => {
  const random = seeded(t);
  let [accepted, rejected] = [0, 0];
  for (let round = 0; round < 150; round++) {
    const small = smallSystem(random);
    const { system, states } = small;
    const initial = [...states.keys()].filter(i => small.initial[i]);
    if (initial.length === 0) continue;
    const path = [random.pick(initial)];
    while (path.length < 5 && small.successors[path[path.length - 1]].length > 0)
      path.push(random.pick(small.successors[path[path.length - 1]]));
    if (random.chance(0.5)) path[random.below(path.length)] = random.below(states.length);
    const steps = path.map(k => {
      const entries = system.states.map(({ current }, i) => [current, states[k][i]] as const);
      return new Map<TermId, Value>([
        ...entries,
        ...system.inputs.map(i => [i, random.chance(0.5)] as const),
      ]);
    });
    const isRun = isViolatingRun(small, steps);
    const { problem } = small.posed;
    const complaint = checkDerivation(problem, 0, derivationOf(small, steps), e => small.posed.nameOf(e));
    if ((complaint === undefined) !== isRun) t.fail(`round ${round}: ${complaint}`);
    if (isRun) accepted++;
    else rejected++;
  }
  t.ok(accepted > 0 && rejected > 0, `${accepted} runs, ${rejected} others`);
  t.end();
});

function derivationOf({ system, posed }: Small, run: readonly ReadonlyMap<TermId, Value>[]): Derivation {
  const [start, step, query] = posed.problem.edges;
  const after = (i: number) =>
    system.states.flatMap(({ current, next }) =>
      i < run.length ? [[next, run[i].get(current) as Value] as const] : [],
    );
  return {
    steps: [
      { edge: start, values: new Map(after(0)), premises: [] },
      ...run.map((values, i) => ({
        edge: i + 1 < run.length ? step : query,
        values: new Map([...values, ...after(i + 1)]),
        premises: [i],
      })),
    ],
    functionValue: NO_FUNCTIONS,
  };
}

/** The definition of a violating run, by evaluating what the system says of each state and each step. */
function isViolatingRun({ system, property }: Small, steps: readonly ReadonlyMap<TermId, Value>[]): boolean {
  const { terms } = system;
  const holds = (formula: TermId, i: number) =>
    new Evaluator(terms, f => {
      const variable = terms.apply(f, []);
      const state = system.states.find(s => s.next === variable);
      return (state === undefined ? steps[i].get(variable) : steps[i + 1].get(state.current)) as Value;
    }).value(formula) === true;
  return (
    holds(system.init, 0) &&
    steps.every((_, i) => system.constraints.every(c => holds(c, i))) &&
    steps.slice(1).every((_, i) => holds(system.trans, i)) &&
    !holds(property.formula, steps.length - 1)
  );
}
