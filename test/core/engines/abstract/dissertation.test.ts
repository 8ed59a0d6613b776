/**
 * The examples of the dissertation on EUFORIA (Bueno) that come with a claim: a verdict, a number of refinements, or
 * the lemma that is learnt. Each test names its figure or example. All are checked in the manner of the original, and
 * with operators on constants evaluated, which must not make it necessary to learn more than the text says.
 */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { Verdict } from '../../../../src/check.ts';
import { modelAssertion } from '../../../../src/core/engines/abstract/model-assertion.ts';
import { Projector } from '../../../../src/core/engines/abstract/projection.ts';
import { refute } from '../../../../src/core/evidence/plain/refute.ts';
import { ENCODINGS } from '../../../../src/core/passes/pipeline.ts';
import { FreeOf } from '../../../../src/core/problem/literals.ts';
import type { System } from '../../../../src/core/problem/system.ts';
import { SystemProblem } from '../../../../src/core/problem/system-problem.ts';
import { EufSolver } from '../../../../src/euf/solver.ts';
import type { PropertyName, Question } from '../../../../src/formats/question.ts';
import { readQuestion } from '../../../../src/formats/read.ts';
import { complete } from '../../../../src/sat/work.ts';
import { printTerm } from '../../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../../src/term/store.ts';
import { checkOf, complaintAbout, loadedBackEnd, questionOf, verdictOf } from '../../../support/checking.ts';
import { assertionsOf } from '../../../support/smtlib.ts';
import { HandMade } from '../../hand-made.ts';
import { searchAsWritten } from './as-written.ts';

const heavy = await loadedBackEnd();

const MANNERS = ['as in the text', 'evaluating constants'] as const;
type Manner = (typeof MANNERS)[number];

/** The original evaluates nothing. */
const optionsOf = (manner: Manner) => ({ evaluateConstants: manner === 'evaluating constants' });

interface Run {
  readonly verdict: Verdict;
  readonly stats: Readonly<Record<string, number>>;
}

/** The text knows the search only; the passes before it must not make it learn more. */
interface Runs {
  readonly asWritten: Run;
  readonly afterPasses: Run;
}

/** Checks a property, with the abstract engine alone, and its evidence from outside. */
function check(
  t: Test,
  question: Question,
  answer: Verdict['kind'],
  manner: Manner,
  property: PropertyName = question.properties[0],
): Runs {
  const engine = optionsOf(manner);
  const search = searchAsWritten(question, heavy, engine, property);
  const whole = checkOf(question, heavy, { engine, engines: ['abstract'] }, property);
  const runs = {
    asWritten: { verdict: search.verdict, stats: search.engine.stats },
    afterPasses: { verdict: complete(whole.run()), stats: whole.shares[0].stats },
  };
  for (const [name, { verdict }] of Object.entries(runs)) {
    const complaint = complaintAbout(question, heavy, verdict, property);
    t.equal(verdict.kind, answer, `${property.name}, ${manner}, ${name}: ${complaint ?? 'proved'}`);
    t.equal(complaint, undefined);
  }
  return runs;
}

interface Both {
  readonly asInText: Runs;
  readonly evaluated: Runs;
}

/** Checks the first property in both manners; what the two say. */
function checkBoth(t: Test, given: Question | System, answer: Verdict['kind']): Both {
  const question = 'problem' in given ? given : questionOf(given);
  return {
    asInText: check(t, question, answer, 'as in the text'),
    evaluated: check(t, question, answer, 'evaluating constants'),
  };
}

const all = ({ asWritten, afterPasses }: Runs): Run[] => [asWritten, afterPasses];

function exampleFile(name: string): Question {
  const text = readFileSync(new URL(`../../../../examples/${name}`, import.meta.url), 'utf8');
  return readQuestion(name, text, { strict: true, warn: message => t.fail(message) });
}

// ---- systems as text; see test/core/hand-made.ts ----

const WORD = '(_ BitVec 32)';
const MEMORY = `(Array ${WORD} ${WORD})`;
const word = (value: number) => `(_ bv${value} 32)`;
const inputs = (sort: string, ...names: string[]) => names.map(n => `(declare-const ${n} ${sort})`).join(' ');
const states = (sort: string, ...names: string[]) => inputs(sort, ...names.flatMap(n => [n, `${n}.next`]));
const kept = (...names: string[]) => names.map(n => `(= ${n}.next ${n})`).join(' ');

const named = (name: string, formula: string) => `(assert (! ${formula} :named ${name}))`;

function system(declarations: string, init: string, trans: string, ...properties: string[]): System {
  const parts = [
    named('init', init),
    named('trans', trans),
    ...properties.map((p, i) => named(`property${i}`, p)),
  ];
  return new HandMade([declarations, ...parts].join(' ')).system;
}

// ---- chapter 1 ----

/** Figure 1.2: what happens to the locations when the loop is left, and what a finished program does next. */
function figure12(leave: string, afterwards: string): System {
  const [body, close] = [`star (bvslt j ${word(10)})`, `(or (= j i) (= j (bvadd i ${word(1)})))`];
  const [stay, counted] = ['loop.next (not done.next)', `(= j.next (bvadd j ${word(1)}))`];
  return system(
    states(WORD, 'i', 'j') + states('Bool', 'loop', 'done') + inputs('Bool', 'star'),
    `(and loop (not done) (= i ${word(0)}) (= j ${word(0)}))`,
    `(or (and loop ${body} (not (bvslt i j)) ${stay} ${kept('i')} ${counted})
         (and loop ${body} (bvslt i j) ${stay} (= i.next (bvadd i ${word(1)})) ${counted})
         (and loop (not (and ${body})) ${leave} ${kept('i', 'j')})
         (and done ${close} ${afterwards}))`,
    `(=> done ${close})`,
  );
}

t.test('Figure 1.2: j = i or j = i + 1 when the program is done', t => {
  checkBoth(t, exampleFile('lag.vmt'), 'safe');
  const finished = '(not loop.next) done.next';
  checkBoth(t, figure12(finished, `${finished} ${kept('i', 'j')}`), 'safe');
  t.end();
});

t.test('Figure 1.2 as printed, where leaving the loop leads back into it: done is never true', t => {
  const { asInText, evaluated } = checkBoth(t, figure12('loop.next (not done.next)', 'true'), 'safe');
  for (const { stats } of [...all(asInText), ...all(evaluated)])
    t.equal(stats.refinements, 0, 'equality suffices');
  t.end();
});

t.test('Figure 1.2 with the loop left, but a finished program that may go anywhere, as printed', t => {
  checkBoth(t, figure12('(not loop.next) done.next', 'true'), 'unsafe');
  t.end();
});

// ---- chapter 3 ----

t.test('Figure 3.2: i = 0; while (i < 5) i = i + 3; assert(i < 7), as LLVM has it, is safe', t => {
  checkBoth(
    t,
    system(
      states('Bool', 's', 'l', 'err', 'e') +
        states(WORD, 'i') +
        inputs('Bool', 'b', 'd', 'cond', 'acond') +
        inputs(WORD, 'incr'),
      '(and s (not l) (not err) (not e))',
      `(and (= i.next (ite (and l.next s) ${word(0)} (ite (and l.next b) incr i)))
            (= s.next false) (= l.next (or s b)) (= err.next (and d (not acond)))
            (= e.next (or (and d acond) e)) (= b (and l cond)) (= d (and l (not cond)))
            (= cond (bvslt i ${word(5)})) (= incr (bvadd i ${word(3)})) (= acond (bvslt i ${word(7)})))`,
      '(not err)',
    ),
    'safe',
  );
  t.end();
});

t.test('Example 3.1: projection keeps the chosen branch and forgets the rest', t => {
  const terms = new TermStore();
  const [trans, model] = assertionsOf(
    terms,
    `${states(WORD, 'x1', 'x2')}
     (assert (and (= x1.next (ite (= x1 x2) (bvadd x1 ${word(1)}) (bvsub x1 ${word(3)}))) (= x2.next x1)))
     (assert (and (bvugt x1 x2) (bvugt x1.next x2.next) (= x1 x2) (= (bvadd x1 ${word(1)}) ${word(1)})
                  (= (bvsub x1 ${word(3)}) ${word(3)}) (distinct x1 ${word(1)} ${word(3)})))`,
  );
  const solver = new EufSolver(terms, { evaluateConstants: false });
  for (const f of [trans, model]) solver.assert(f);
  t.equal(solver.solve(), 'sat');
  const { literals, terms: values } = new Projector(terms).project(solver.model(), [trans], new Map());
  const text = (list: readonly TermId[]) => list.map(x => printTerm(terms, x)).sort();
  const next = terms.postorder([trans]).filter(x => printTerm(terms, x).endsWith('.next'));
  const now = new FreeOf(terms, new Set(next));
  const one = '#x00000001';
  // The text has S = {}, but its Algorithm 3 puts the condition of an ite into S.
  t.same(text(literals.filter(l => now.has(l))), ['(= x1 x2)'], 'S');
  t.same(text(values.filter(v => now.has(v))), [one, `(bvadd x1 ${one})`, 'x1', 'x2'].sort(), 'Q');
  // Of (3.32), x1 ≠ 1 is left out, since no projected literal rests on it: more states are in the cube.
  const cube = modelAssertion(terms, solver.model(), literals, values, x => now.has(x));
  t.same(text(cube), ['(= x1 x2)', `(= ${one} (bvadd x1 ${one}))`].sort(), 'the cube');
  t.ok(cube.every(l => solver.model().isTrue(l)));
  t.end();
});

t.test('Example 3.2: k counts up with i and down with j; k > 0 while j > 0', t => {
  checkBoth(t, exampleFile('two-loops.vmt'), 'safe');
  t.end();
});

t.test('Example 3.2: k = i and k = j are invariant, and (k = j ∧ j > 0) → k > 0, in EUF', t => {
  const up = system(
    states(WORD, 'i', 'k', 'n'),
    `(and (= i ${word(0)}) (= k ${word(0)}))`,
    `(and (bvslt i n) (= i.next (bvadd i ${word(1)})) (= k.next (bvadd k ${word(1)})) ${kept('n')})`,
    '(= k i)',
  );
  const down = system(
    states(WORD, 'j', 'k', 'n'),
    '(and (= k n) (= j n))',
    `(and (bvsgt j ${word(0)}) (= j.next (bvsub j ${word(1)})) (= k.next (bvsub k ${word(1)})) ${kept('n')})`,
    `(=> (bvsgt j ${word(0)}) (bvsgt k ${word(0)}))`,
  );
  for (const loop of [up, down]) {
    const { asInText, evaluated } = checkBoth(t, loop, 'safe');
    for (const { stats } of [...all(asInText), ...all(evaluated)]) t.equal(stats.refinements, 0);
  }
  t.end();
});

// ---- chapter 4 ----

t.test('Section 4.1: A[3] = f; A[1] = a; A[2] = b; A[i] is f only if i is 3', t => {
  const program = (greatest: number) =>
    system(
      states('(_ BitVec 2)', 'pc') + states(MEMORY, 'A') + states(WORD, 'i'),
      '(= pc #b00)',
      `(and ${kept('i')}
            (=> (= pc #b01) (and (bvsle ${word(1)} i) (bvsle i ${word(greatest)})))
            (= A.next (ite (= pc #b00) (store A ${word(3)} ${word(30)})
                      (ite (= pc #b01) (store (store A ${word(1)} ${word(10)}) ${word(2)} ${word(20)}) A)))
            (= pc.next (ite (= pc #b00) #b01
                       (ite (= pc #b01) (ite (= (select A.next i) ${word(30)}) #b10 #b11) pc))))`,
      '(not (= pc #b10))',
    );
  const violated = new SystemProblem(program(3));
  const { asInText, evaluated } = checkBoth(t, violated.system, 'unsafe');
  for (const { verdict, stats } of [...all(asInText), ...all(evaluated)]) {
    t.equal(stats.lemmas, 0, 'nothing about stores need be learnt');
    if (verdict.kind !== 'unsafe') continue;
    const { steps } = violated.trace(verdict.derivation);
    t.equal(steps.length, 3, 'l1, l2, l3');
    t.equal(steps[0].get(violated.system.states[2].current), 3, 'i');
  }
  checkBoth(t, program(2), 'safe');
  t.end();
});

/** Examples 4.3 and 4.4 have the state variables, the initial states and the property in common. */
const HORN_STATES = states('Bool', 'E', 'L', 'M', 'U') + states(WORD, 'PL', 'PM');
const HORN_INIT = '(and (not E) (not L) (not M) (not U))';
const inLoopWith = (value: number) => `(not (and L (= PL ${word(value)})))`;
const HORN_PROPERTIES = ['(not U)', ...[0, 3, 6, 9].map(inLoopWith)];

/** Example 4.1 is safe; 0, 3 and 6 are in L, and the next one is not. */
function checkExample41(t: Test, encoded: System): void {
  const question = questionOf(encoded);
  for (const manner of MANNERS) {
    for (const [i, property] of question.properties.entries()) {
      check(t, question, i >= 1 && i <= 3 ? 'unsafe' : 'safe', manner, property);
    }
  }
}

t.test('Example 4.2: clauses (4.1) to (4.5) do not derive U, in any encoding', t => {
  const sort = '(_ BitVec 32)';
  const rule = (body: string, head: string) => `(assert (forall ((x ${sort})) (=> ${body} ${head})))`;
  const text = `(set-logic HORN) (declare-fun E () Bool) (declare-fun U () Bool)
    (declare-fun L (${sort}) Bool) (declare-fun M (${sort}) Bool)
    ${rule('true', 'E')} ${rule('E', `(L ${word(0)})`)}
    ${rule(`(and (L x) (bvslt x ${word(5)}))`, `(L (bvadd x ${word(3)}))`)}
    ${rule(`(and (L x) (not (bvslt x ${word(5)})))`, '(M x)')}
    ${rule(`(and (M x) (not (bvslt x ${word(7)})))`, 'U')} ${rule('U', 'false')}`;
  const question = readQuestion('example.smt2', text, { strict: true, warn: t.fail });
  for (const encoding of ENCODINGS) {
    for (const manner of MANNERS) {
      const options = { encoding, engine: optionsOf(manner), engines: ['abstract'] };
      const verdict = verdictOf(question, heavy, options);
      t.equal(verdict.kind, 'safe', `${encoding}, ${manner}`);
      t.equal(complaintAbout(question, heavy, verdict), undefined);
    }
  }
  checkBoth(t, question, 'safe');
  t.end();
});

t.test('Examples 4.1 to 4.3: the loop as Horn clauses, as a disjunction of rules', t => {
  const add = `(= PL.next (bvadd PL ${word(3)}))`;
  const rules = [
    `E.next ${kept('L', 'M', 'U', 'PL', 'PM')}`,
    `E L.next (= PL.next ${word(0)}) ${kept('E', 'M', 'U', 'PM')}`,
    `L (bvslt PL ${word(5)}) L.next ${add} ${kept('E', 'M', 'U', 'PM')}`,
    `L (not (bvslt PL ${word(5)})) M.next (= PM.next PL) ${kept('E', 'L', 'U', 'PL')}`,
    `M (not (bvslt PM ${word(7)})) U.next ${kept('E', 'L', 'M', 'PL', 'PM')}`,
  ].map(rule => `(and ${rule})`);
  checkExample41(t, system(HORN_STATES, HORN_INIT, `(or ${rules.join(' ')})`, ...HORN_PROPERTIES));
  t.end();
});

t.test('Example 4.4: the same rules as functions, one of which is active in each step', t => {
  const active = [1, 2, 3, 4, 5].map(i => `act${i}`);
  const pairs = active.flatMap((a, i) => active.slice(i + 1).map(b => `(not (and ${a} ${b}))`));
  const trans = `(and (=> act2 E) (=> act3 (and L (bvslt PL ${word(5)})))
    (=> act4 (and L (not (bvslt PL ${word(5)})))) (=> act5 (and M (not (bvslt PM ${word(7)}))))
    (= E.next act1) (= L.next (or act2 act3)) (= M.next act4) (= U.next act5)
    (= PL.next (ite act3 (bvadd PL ${word(3)}) (ite act2 ${word(0)} PL))) (= PM.next (ite act4 PL PM))
    (or ${active.join(' ')}) ${pairs.join(' ')})`;
  const declarations = HORN_STATES + inputs('Bool', ...active);
  checkExample41(t, system(declarations, HORN_INIT, trans, ...HORN_PROPERTIES));
  t.end();
});

/** Can formulas hold together, with operators as mere functions and constants only different from each other? */
function isPossibleInEuf(terms: TermStore, ...formulas: TermId[]): boolean {
  const solver = new EufSolver(terms, { evaluateConstants: false });
  for (const f of formulas) solver.assert(f);
  return solver.solve() === 'sat';
}

function isValid(terms: TermStore, formula: TermId): boolean {
  return complete(refute(terms, [terms.not(formula)], 'bits', { heavy, budget: {} })).kind === 'unsat';
}

t.test("Example 4.5: one refinement, and the lemma is an instance of McCarthy's axiom", t => {
  const reading = `(= (select a i) ${word(3)})`;
  const storing = `(= a.next (store a i ${word(3)}))`;
  const parts = [
    states(MEMORY, 'a') + states(WORD, 'i'),
    named('init', reading),
    named('trans', `(and ${storing} ${kept('i')})`),
    named('property', reading),
    named('axiom', `(=> ${storing} (= (select a.next i) ${word(3)}))`),
  ];
  const example = new HandMade(parts.join(' '));
  const { asInText, evaluated } = checkBoth(t, example.system, 'safe');
  for (const { verdict, stats } of [...all(asInText), ...all(evaluated)]) {
    t.equal(stats.refinements, 1);
    t.equal(stats.stepRefinements, 1, 'from a single step');
    t.equal(stats.constraintLemmas, 1, 'a constraint lemma');
    if (verdict.kind !== 'safe') continue;
    const { terms, system } = example;
    const axiom = example.formula('axiom');
    const lemmas = [...new Set([...verdict.proof.lemmas.values()].flat())];
    t.equal(lemmas.length, 1);
    const [lemma] = lemmas;
    t.notOk(isPossibleInEuf(terms, system.trans, lemma, terms.not(axiom)), 'the lemma implies the axiom');
    t.notOk(isPossibleInEuf(terms, system.trans, axiom, terms.not(lemma)), 'the axiom implies the lemma');
  }
  checkBoth(t, exampleFile('store.vmt'), 'safe');
  t.end();
});

t.test('Example 4.5 as printed, where nothing is said of the next i, which may then be any index', t => {
  const reading = `(= (select a i) ${word(3)})`;
  const declarations = states(MEMORY, 'a') + states(WORD, 'i');
  checkBoth(t, system(declarations, reading, `(= a.next (store a i ${word(3)}))`, reading), 'unsafe');
  t.end();
});

/** Section 4.4.1 as two steps: x is 3 at first, and x + 3 when it is done. */
function section441(bound: number): HandMade {
  const parts = [
    states('Bool', 'done') + states(WORD, 'x'),
    named('init', `(and (not done) (= x ${word(3)}))`),
    named('trans', `(and done.next (= x.next (ite done x (bvadd x ${word(3)}))))`),
    named('property', `(=> done (bvslt x ${word(bound)}))`),
    named('path', `(and (= x ${word(3)}) (= x.next (bvadd x ${word(3)})) (not (bvslt x.next ${word(7)})))`),
    named(
      'lemma-4.37',
      `(not (and (= x ${word(3)}) (= x.next (bvadd x ${word(3)})) (not (= x.next ${word(6)}))))`,
    ),
    named('lemma-4.38', `(not (and (= x.next ${word(6)}) (not (bvslt x.next ${word(7)}))))`),
  ];
  return new HandMade(parts.join(' '));
}

t.test('Section 4.4.1: x = 3; x = x + 3; assert x < 7', t => {
  // The text learns (4.37) and (4.38) from the whole path. Here the first step is asked about together with the initial
  // condition, so that one lemma from one step does, which says the same without the new term 6.
  const { asInText, evaluated } = checkBoth(t, section441(7).system, 'safe');
  t.equal(asInText.asWritten.stats.refinements, 1);
  for (const { stats } of all(asInText)) t.ok(stats.lemmas <= 2, 'no more lemmas than in the text');
  for (const { stats } of all(evaluated))
    t.equal(stats.refinements, 0, 'that 3 + 3 is 6, and less than 7, need not be learnt');
  checkBoth(t, section441(6).system, 'unsafe');
  checkBoth(
    t,
    system(
      states('(_ BitVec 2)', 'pc') + states(WORD, 'x'),
      '(= pc #b00)',
      `(and (= pc.next (ite (= pc #b00) #b01 #b10))
            (= x.next (ite (= pc #b00) ${word(3)} (ite (= pc #b01) (bvadd x ${word(3)}) x))))`,
      `(=> (= pc #b10) (bvslt x ${word(7)}))`,
    ),
    'safe',
  );
  t.end();
});

t.test('Section 4.4.1: the expansion lemmas (4.37) and (4.38) exclude the path, neither does alone', t => {
  const example = section441(7);
  const { terms } = example;
  const [path, ...lemmas] = ['path', 'lemma-4.37', 'lemma-4.38'].map(name => example.formula(name));
  t.ok(isPossibleInEuf(terms, path));
  t.notOk(isPossibleInEuf(terms, path, ...lemmas));
  for (const lemma of lemmas) {
    t.ok(isPossibleInEuf(terms, path, lemma));
    t.ok(isValid(terms, lemma));
  }
  t.end();
});

t.test('Examples 4.6 to 4.9: the lemmas about arrays are valid, and equality does not know them', t => {
  const terms = new TermStore();
  const zero = word(0);
  const lemmas = [
    `(=> (= A ((as const ${MEMORY}) ${zero})) (= (select A i) ${zero}))`,
    `(or (= (select A.next i) ${zero}) (not (= i.next i)) (not (= A.next (store A i.next ${zero}))))`,
    `(=> (= B (store A i ${zero})) (= ((_ extract 7 0) (select B i)) #x00))`,
    `(or (not (= (store B i ${zero}) A)) (= (store A i ${zero}) A))`,
  ];
  const declarations = states(MEMORY, 'A') + inputs(MEMORY, 'B') + states(WORD, 'i');
  const text = declarations + lemmas.map(l => `(assert ${l})`).join(' ');
  for (const [i, lemma] of assertionsOf(terms, text).entries()) {
    t.ok(isValid(terms, lemma), `Example 4.${i + 6}`);
    t.ok(isPossibleInEuf(terms, terms.not(lemma)));
  }
  t.end();
});

// ---- chapter 5 ----

/**
 * Figure 5.8a, inlined: calls of a loop, one after another, that adds 3 to i until i is 5 or more, when it must be less
 * than 7. The variable of the loop is one for all calls, or each call has its own, as a Horn encoding has it.
 */
function figure58(calls: number, isShared: boolean): System {
  const location = (n: number) => `(_ bv${n} 4)`;
  const error = location(15);
  const nameOf = (call: number) => (isShared ? 'i' : `i${call}`);
  const names = [...new Set(Array.from({ length: calls }, (_, call) => nameOf(call)))];
  const next = new Map(['pc', ...names].map(name => [name, name]));
  const update = (name: string, call: number, value: string) =>
    next.set(name, `(ite (= pc ${location(call)}) ${value} ${next.get(name)})`);
  for (let call = 0; call < calls; call++) {
    const sum = `(bvadd ${nameOf(call)} ${word(3)})`;
    const isAgain = `(bvslt ${sum} ${word(5)})`;
    const leave = `(ite (bvslt ${sum} ${word(7)}) ${location(call + 1)} ${error})`;
    update('pc', call, `(ite ${isAgain} pc ${leave})`);
    if (isShared) update('i', call, `(ite ${isAgain} ${sum} ${word(0)})`);
    else update(nameOf(call), call, sum);
    if (!isShared && call + 1 < calls) update(nameOf(call + 1), call, word(0));
  }
  return system(
    states('(_ BitVec 4)', 'pc') + states(WORD, ...names),
    `(and (= pc ${location(0)}) (= ${names[0]} ${word(0)}))`,
    `(and ${[...next].map(([name, body]) => `(= ${name}.next ${body})`).join(' ')})`,
    `(not (= pc ${error}))`,
  );
}

/** The text counts a lemma about a state once; here it is learnt for the current and for the next state. */
function countedOnce({ lemmas, stateRefinements }: Readonly<Record<string, number>>): number {
  return lemmas - stateRefinements;
}

t.test('Figure 5.8a: one call of the loop, for which the text reports 7 lemmas', t => {
  const { asInText, evaluated } = checkBoth(t, figure58(1, false), 'safe');
  for (const { stats } of all(asInText)) t.ok(countedOnce(stats) <= 7, `${stats.lemmas}`);
  for (const { stats } of all(evaluated)) t.equal(stats.lemmas, 0, 'evaluating constants does without any');
  t.end();
});

t.test('Figure 5.8a: calls that share a variable share their lemmas', t => {
  for (const calls of [2, 4, 8]) {
    const { asInText, evaluated } = checkBoth(t, figure58(calls, true), 'safe');
    for (const { stats } of all(asInText))
      t.ok(countedOnce(stats) <= 7, `${stats.lemmas} lemmas for ${calls} calls`);
    t.equal(evaluated.asWritten.stats.lemmas, 0);
    // Once its locations are apart, what equality says of one is not known at the other.
    t.ok(evaluated.afterPasses.stats.lemmas <= 7);
  }
  t.end();
});

t.test('Figure 5.8a: inlined calls with variables of their own need lemmas of their own', t => {
  const calls = 3;
  const inlined = figure58(calls, false);
  const { asInText } = checkBoth(t, inlined, 'safe');
  for (const { verdict } of all(asInText)) {
    if (verdict.kind !== 'safe') continue;
    const { terms, states } = inlined;
    const mentioned = new Set(terms.postorder([...verdict.proof.lemmas.values()].flat()));
    const own = states.slice(1).filter(s => mentioned.has(s.current) || mentioned.has(s.next));
    t.equal(own.length, calls, 'no assertion holds by equality alone');
  }
  t.end();
});
