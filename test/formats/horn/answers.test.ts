/** Answers about Horn clauses, in the words of their formats, and evidence that is none. */
import t from 'tap';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { checkProof } from '../../../src/core/evidence/check-proof.ts';
import {
  type Derivation,
  evaluatorOf,
  NO_FUNCTIONS,
  type Step,
} from '../../../src/core/problem/derivation.ts';
import { inputsOf, type Location, placesOf } from '../../../src/core/problem/problem.ts';
import { readHorn } from '../../../src/formats/horn/reader.ts';
import type {
  Competition,
  CompetitionAnswer,
  PropertyName,
  Question,
} from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { ScriptReader } from '../../../src/formats/smtlib/script.ts';
import { complete } from '../../../src/sat/work.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import type { Value } from '../../../src/term/value.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { derivationComplaint } from '../../support/horn-explicit.ts';

const heavy = await loadedBackEnd();

const HORN = '(set-logic HORN)\n';

const read = (text: string): Question =>
  readQuestion('test.smt2', text, { strict: true, warn: message => t.fail(message) });

/** What CHC-COMP is told about a query. */
function answerText(question: Question, property: PropertyName): string {
  const verdict = verdictOf(question, heavy, {}, property);
  const answer: CompetitionAnswer = { property, ...verdict };
  return (question.words.competition as Competition).text([answer]);
}

t.test('answers in the words of the formats', t => {
  const text = (
    bound: string,
  ) => `${HORN}(declare-fun P ((_ BitVec 4)) Bool) (declare-fun |odd name| (Bool) Bool)
(assert (P #x0))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (bvult x #x4)) (P (bvadd x #x2)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x ${bound})) false)))`;
  const safe = read(text('#x5'));
  const [word, ...model] = answerText(safe, safe.properties[0]).split('\n');
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
    answerText(unsafe, unsafe.properties[0]),
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
  const [p, q] = rules.properties;
  t.match(answerText(rules, p), /^sat\n\(\n {2}\(step 0/, 'a query that can be derived');
  t.match(answerText(rules, q), /^unsat\n\(\n {2}\(define-fun P/);
  t.equal(rules.words.competition?.text([{ property: p, kind: 'unknown' }]), 'unknown\n');
  t.end();
});

t.test('a proof by k-induction is not shown as a model', t => {
  // A number that grows by two modulo sixteen is even, which takes eight steps to see if nothing is said of numbers.
  const question = read(`${HORN}(declare-fun P ((_ BitVec 4)) Bool) (assert (P #x0))
(assert (forall ((x (_ BitVec 4)) (i Bool)) (=> (P x) (P (ite i (bvadd x #x2) x)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #x3)) false)))`);
  const [property] = question.properties;
  const verdict = verdictOf(question, heavy, { engines: ['k-induction'] });
  if (verdict.kind !== 'safe' || verdict.proof.k === 0) {
    t.fail(`it is ${verdict.kind}, and not by k-induction`);
    t.end();
    return;
  }
  const { k } = verdict.proof;
  t.equal(complaintAbout(question, heavy, verdict), undefined);
  t.equal((question.words.competition as Competition).text([{ property, ...verdict }]), 'sat\n');
  const shown = question.words.proof(property, verdict.proof);
  t.match(shown, `(set-info :k-induction ${k})`);
  t.match(shown, 'They are no model of the clauses.');
  const names = question.words.certificate(property, verdict.proof).map(f => f.name);
  t.ok(
    names.includes(`base-${k - 1}.smt2`) && names.includes('induction.smt2'),
    'what proves it is in scripts',
  );
  t.end();
});

t.test('evidence that is none is found out', t => {
  const { problem, words } = read(`${HORN}(declare-fun P ((_ BitVec 4)) Bool) (assert (P #x1))
(assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x2)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #x5)) false)))`);
  const { nameOf } = words;
  const { terms, locations } = problem;
  const [location] = locations;
  const [place] = location.places;
  const check = (model: ReadonlyMap<Location, TermId>) => {
    const proof = { model, lemmas: new Map(), k: 0 };
    const outcome = complete(checkProof(problem, proof, { heavy, budget: {}, nameOf }));
    return outcome.kind === 'valid' ? 'valid' : outcome.text;
  };
  const checked = (formula: TermId) => check(new Map([[location, formula]]));
  t.match(checked(terms.true), /^the model does not exclude the clause in line 4: .*x = #x5/);
  t.equal(checked(terms.false), 'the clause in line 2 leads out of the model');
  t.match(
    checked(terms.eq(place, terms.bv(4, 1))),
    /^the clause in line 3 leads out of the model: .*x = #x1/,
  );
  t.match(checked(terms.variable('q', terms.sorts.bool)), "mentions 'q'");
  t.equal(check(new Map()), 'the model says nothing about P');
  t.end();
});

t.test('derivations that are none are found out', t => {
  const question = read(`${HORN}(declare-fun P ((_ BitVec 4)) Bool) (assert (P #x1))
(assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x2)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #x5)) false)))`);
  const { problem, words } = question;
  const verdict = verdictOf(question, heavy);
  const { steps } = verdict.kind === 'unsafe' ? verdict.derivation : { steps: [] };
  t.equal(steps.length, 4);
  const check = (all: readonly Step[], property = 0) =>
    checkDerivation(problem, property, { steps: all, functionValue: NO_FUNCTIONS }, words.nameOf);
  t.equal(check(steps), undefined);
  t.equal(check(steps, 1), 'the last step does not derive the query');
  t.equal(check([]), 'the derivation is empty');
  t.match(
    check(steps.slice(1)),
    'step 0, by the clause in line 3: its premise 1 is not what an earlier step derived',
  );
  const without = [...steps.slice(0, 1), ...steps.slice(2)].map((s, i) => ({
    ...s,
    premises: i === 0 ? [] : [i - 1],
  }));
  t.match(check(without), 'its premise 1 is not');
  const [last] = steps.slice(-1);
  const [x] = inputsOf(problem.terms, last.edge);
  const [place] = placesOf(last.edge);
  const withValues = (...values: [TermId, Value][]) => [
    ...steps.slice(0, -1),
    { ...last, values: new Map([...last.values, ...values]) },
  ];
  t.match(check(withValues([x, 3])), 'step 3, by the clause in line 4: this is false');
  t.match(check(withValues([place, 3])), 'its premise 1 is not');
  t.match(check(withValues([x, 16])), "the value of 'x' is not of its sort");
  t.match(check([...steps.slice(0, -1), { ...last, values: new Map() }]), 'has no value');
  t.end();
});

/** Fibonacci numbers by recursion, up to the sixth, modulo eight; the fourth is three. */
const FIBONACCI = `${HORN}(declare-fun fib ((_ BitVec 3) (_ BitVec 3)) Bool)
(assert (fib #b000 #b000))
(assert (fib #b001 #b001))
(assert (forall ((n (_ BitVec 3)) (a (_ BitVec 3)) (b (_ BitVec 3))) (=> (and (fib n a) (fib (bvadd n #b001) b) (bvult n #b101)) (fib (bvadd n #b010) (bvadd a b)))))
(assert (forall ((a (_ BitVec 3))) (=> (and (fib #b100 a) (= a #b011)) false)))`;

t.test('derivations that are no runs: a step may rest on several others', t => {
  const { problem, words, properties } = read(FIBONACCI);
  const { terms } = problem;
  const [zero, one, sum, query] = problem.edges;
  const names = (edge: typeof sum) => new Map(inputsOf(terms, edge).map(v => [terms.nameOf(v), v]));
  /** A step by an edge whose clause has these values, from these premises. */
  const step = (
    edge: typeof sum,
    values: Readonly<Record<string, number>>,
    premises: readonly number[],
  ): Step => {
    const all = new Map<TermId, Value>(
      Object.entries(values).map(([name, value]) => [names(edge).get(name) as TermId, value]),
    );
    premises.forEach((p, i) => {
      for (const [j, place] of edge.sources[i].places.entries()) all.set(place, facts[p][j]);
    });
    const evaluator = evaluatorOf(terms, all);
    facts.push(edge.values.map(v => evaluator.value(v)));
    return { edge, values: all, premises };
  };
  const facts: Value[][] = [];
  const steps = [
    step(zero, {}, []),
    step(one, {}, []),
    step(sum, { n: 0, a: 0, b: 1 }, [0, 1]),
    step(sum, { n: 1, a: 1, b: 1 }, [1, 2]),
    step(sum, { n: 2, a: 1, b: 2 }, [2, 3]),
    step(query, { a: 3 }, [4]),
  ];
  const derivation: Derivation = { steps, functionValue: NO_FUNCTIONS };
  const check = (all: readonly Step[]) =>
    checkDerivation(problem, 0, { ...derivation, steps: all }, words.nameOf);
  t.equal(check(steps), undefined);
  const printed = words.json(properties[0], derivation);
  const complaint = (json: string) =>
    derivationComplaint(readHorn(new TermStore(), 'test.smt2', FIBONACCI), 0, json);
  t.equal(complaint(printed), undefined);
  const document = JSON.parse(printed) as { steps: Record<string, unknown>[] };
  const changed = (n: number, change: Record<string, unknown>) =>
    complaint(JSON.stringify({ steps: document.steps.map((s, i) => (i === n ? { ...s, ...change } : s)) }));
  t.match(changed(3, { premises: [2, 1] }), 'step 3 needs');
  t.match(changed(4, { derives: '(fib #b100 #b010)' }), 'step 4 derives');
  t.match(changed(2, { values: { n: '#b111', a: '#b000', b: '#b001' } }), 'step 2: the constraint is false');
  t.match(complaint(JSON.stringify({ steps: document.steps.slice(0, -1) })), 'the query is not derived');
  t.equal(
    words.derivation(properties[0], derivation),
    `(
  (step 0 :line 3 :values () :derives (fib #b000 #b000))
  (step 1 :line 4 :values () :derives (fib #b001 #b001))
  (step 2 :line 5 :values ((n #b000) (a #b000) (b #b001)) :premises (0 1) :derives (fib #b010 #b001))
  (step 3 :line 5 :values ((n #b001) (a #b001) (b #b001)) :premises (1 2) :derives (fib #b011 #b010))
  (step 4 :line 5 :values ((n #b010) (a #b001) (b #b010)) :premises (2 3) :derives (fib #b100 #b011))
  (step 5 :line 6 :values ((a #b011)) :derives false)
)
`,
  );
  const withPremises = (premises: readonly number[]) =>
    steps.map((s, i) => (i === 3 ? { ...s, premises } : s));
  t.match(check(withPremises([1])), 'it has not one premise for each source');
  t.match(check(withPremises([2, 1])), 'its premise 1 is not what an earlier step derived');
  t.match(check(withPremises([1, 3])), 'its premise 2 is not', 'no step rests on itself');
  t.match(check(withPremises([1, 4])), 'its premise 2 is not', 'nor on a later one');
  t.end();
});

t.test('models of clauses with several bodies', t => {
  const { problem, words } = read(FIBONACCI.replace('(= a #b011)', '(= a #b100)'));
  const { terms, locations } = problem;
  const [location] = locations;
  const is = ([n, a]: readonly number[]) =>
    terms.and([n, a].map((value, i) => terms.eq(location.places[i], terms.bv(3, value))));
  const check = (formula: TermId) =>
    complete(
      checkProof(
        problem,
        { model: new Map([[location, formula]]), lemmas: new Map(), k: 0 },
        { heavy, budget: {}, nameOf: words.nameOf },
      ),
    );
  t.match(check(terms.true), { kind: 'invalid', text: 'the model does not exclude the clause in line 6' });
  const notFour = terms.not(is([4, 4]));
  t.match(check(notFour), { kind: 'invalid', text: 'the clause in line 5 leads out of the model' });
  const derived = [0, 1, 1, 2, 3, 5, 8 % 8].map((value, n) => [n, value]);
  t.same(check(terms.or(derived.map(is))), { kind: 'valid' });
  t.match(check(terms.or(derived.slice(0, -1).map(is))), {
    kind: 'invalid',
    text: 'the clause in line 5 leads out of the model',
  });
  t.end();
});
