/**
 * Conversions as relations: whatever a system is written in, its initial states, its steps and the states that violate each
 * property are the same, by enumeration. Only what the last state of a run may be differs from format to format: BTOR2 has
 * no runs that end in a state without inputs that the constraints allow, so such states are left out of the comparison.
 */
import t from 'tap';
import { readHorn } from '../../src/formats/horn/reader.ts';
import { NotExpressible } from '../../src/formats/not-expressible.ts';
import { readQuestion } from '../../src/formats/read.ts';
import type { Target } from '../../src/formats/targets.ts';
import { written, writtenSystem } from '../../src/formats/write.ts';
import { Interpreter } from '../../src/smt/interpreter.ts';
import { TermStore } from '../../src/term/store.ts';
import { HandMade } from '../core/hand-made.ts';
import { Btor2Model } from '../support/btor2.ts';
import { randomModel } from '../support/btor2-random.ts';
import { loadedBackEnd, verdictOf } from '../support/checking.ts';
import { derivableQueries } from '../support/horn-explicit.ts';
import { problemText, randomProblem } from '../support/horn-random.ts';
import { type Random, seeded } from '../support/random.ts';
import {
  circuitRelations,
  clauseRelations,
  isSmall,
  projectedRelations,
  type Relations,
  systemRelations,
  violations,
  withoutDead,
} from '../support/relations.ts';
import { constrainedProgram, randomProgram, vmtText } from './random-program.ts';

const heavy = await loadedBackEnd();

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 24);

const read = (file: string, text: string) =>
  readQuestion(file, text, { strict: true, warn: message => t.fail(message) });

/** What `convert` makes of a text. */
function converted(name: string, text: string, to: Target, steps = 0): string {
  return written(read(name, text), { to, steps });
}

/** How relations differ in what matters; undefined if they do not. */
function difference(actual: Relations, expected: Relations): string | undefined {
  const sets: (readonly [string, ReadonlySet<string> | undefined, ReadonlySet<string> | undefined])[] = [
    ['initial states', actual.initial, expected.initial],
    ...[...new Set([...actual.steps.keys(), ...expected.steps.keys()])].map(
      state => [`steps from ${state}`, actual.steps.get(state), expected.steps.get(state)] as const,
    ),
    ...expected.bad.map((bad, i) => [`violations of property ${i}`, actual.bad[i], bad] as const),
  ];
  for (const [what, a, b] of sets) {
    const more = [...(a ?? [])].filter(s => b?.has(s) !== true);
    const fewer = [...(b ?? [])].filter(s => a?.has(s) !== true);
    if (more.length + fewer.length > 0) return `${what}: more ${more.join(', ')}, fewer ${fewer.join(', ')}`;
  }
  return actual.bad.length === expected.bad.length ? undefined : 'the number of properties';
}

/** How a circuit with bookkeeping differs from relations of its first states. */
function circuitDifference(text: string, expected: Relations, count: number): string | undefined {
  const { first, later } = projectedRelations(text, count);
  const all = withoutDead(expected);
  const isInitial = (state: string) => all.initial.has(state);
  const fromStart: Relations = {
    ...all,
    steps: new Map([...all.steps].filter(([s]) => isInitial(s))),
    bad: all.bad.map(states => new Set([...states].filter(isInitial))),
  };
  return (
    difference(first, fromStart) ??
    difference({ ...later, initial: all.initial }, all) ??
    (later.alive.size === all.alive.size ? undefined : 'states with inputs that are allowed')
  );
}

type Writer = (format: Target) => string;

/** What is wrong with some conversion of a system, whose relations are known. */
function complaint(expected: Relations, count: number, write: Writer): string | undefined {
  const vmt = write('vmt');
  const chc = write('chc');
  const btor2 = write('btor2');
  const wrong = {
    vmt: difference(systemRelations(read('copy.vmt', vmt).system()), expected),
    chc: difference(clauseRelations(readHorn(new TermStore(), 'copy.smt2', chc)), expected),
    btor2: circuitDifference(btor2, expected, count),
  };
  const texts = { vmt, chc, btor2 };
  for (const format of ['vmt', 'chc', 'btor2'] as const)
    if (wrong[format] !== undefined) return `as ${format}: ${wrong[format]}\n${texts[format]}`;
  return undefined;
}

async function smt(script: string): Promise<string> {
  const lines: string[] = [];
  const interpreter = new Interpreter({
    write: line => lines.push(line),
    warn: line => void lines.push(line),
    deadline: Date.now() + 20_000,
    version: '0',
    heavy,
  });
  await interpreter.run('bmc.smt2', script);
  return lines.join('\n');
}

/** What is wrong with the first steps of a system as a script, for some numbers of steps around the first violation. */
async function unrollingComplaint(
  expected: Relations,
  write: (steps: number) => string,
): Promise<string | undefined> {
  const first = Math.min(...violations(expected));
  const counts = first === Infinity ? [0, 3] : first === 0 ? [0, 2] : [first - 1, first, first + 1];
  for (const steps of counts) {
    const answer = await smt(write(steps));
    if (answer !== (steps >= first ? 'sat' : 'unsat'))
      return `${steps} steps: ${answer}, not from ${first} on`;
  }
  return undefined;
}

t.test(`${ROUNDS} random VMT files`, async t => {
  const random = seeded(t);
  let violated = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const made = randomProgram(random);
    const text = vmtText(made);
    const expected = systemRelations(made);
    if (Math.min(...violations(expected)) < Infinity) violated++;
    const wrong =
      complaint(expected, made.states.length, format => converted('a.vmt', text, format)) ??
      (round % 4 === 0
        ? await unrollingComplaint(expected, n => converted('a.vmt', text, 'smt2-bmc', n))
        : undefined);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}\n${text}`);
  }
  t.ok(violated > ROUNDS / 10 && violated < ROUNDS, `${violated} are unsafe`);
});

/** The text of a random circuit that is small enough. */
function smallCircuit(random: Random): string {
  for (;;) {
    const { text } = randomModel(random);
    if (isSmall(read('a.btor2', text).system())) return text;
  }
}

t.test(`${ROUNDS} random BTOR2 files`, async t => {
  const random = seeded(t);
  for (let round = 0; round < ROUNDS; round++) {
    const text = smallCircuit(random);
    const model = new Btor2Model(text);
    const expected = circuitRelations(model);
    const wrong =
      complaint(expected, model.states.length, format => converted('a.btor2', text, format)) ??
      (round % 4 === 0
        ? await unrollingComplaint(expected, n => converted('a.btor2', text, 'smt2-bmc', n))
        : undefined);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}\n${text}`);
  }
});

t.test(`${ROUNDS} random systems with relations and constraints, and names of any kind`, async t => {
  const random = seeded(t);
  for (let round = 0; round < ROUNDS; round++) {
    const system = constrainedProgram(random);
    const expected = systemRelations(system);
    const wrong =
      complaint(expected, system.states.length, format => writtenSystem(system, format, 0)) ??
      (round % 4 === 0
        ? await unrollingComplaint(expected, n => writtenSystem(system, 'smt2-bmc', n))
        : undefined);
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}`);
  }
});

t.test('what was converted is converted again', t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const text = converted('a.vmt', vmtText(randomProgram(random)), 'btor2');
    if (!isSmall(read('a.btor2', text).system())) continue;
    count++;
    const model = new Btor2Model(text);
    const expected = circuitRelations(model);
    const wrong = complaint(expected, model.states.length, f => converted('a.btor2', text, f));
    if (wrong !== undefined) t.fail(`round ${round}: ${wrong}\n${text}`);
  }
  t.ok(count > ROUNDS / 8, `${count} are small enough`);
  t.end();
});

t.test('random Horn clauses in other formats keep the verdict of each query', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const made = randomProblem(random, random.pick(['smt-lib', 'rules']));
    const text = problemText(made);
    const derivable = derivableQueries(made);
    for (const format of ['vmt', 'chc', 'btor2'] as const) {
      const copy = converted('a.smt2', text, format);
      const question = read(`copy.${format === 'chc' ? 'smt2' : format}`, copy);
      for (const property of question.properties) {
        // Clauses ask one question: can any of the properties be violated?
        const isBad = format === 'chc' ? derivable.size > 0 : derivable.has(property.index);
        const verdict = verdictOf(question, heavy, {}, property);
        counts[verdict.kind]++;
        if (verdict.kind !== (isBad ? 'unsafe' : 'safe'))
          t.fail(`round ${round}, ${format}, query ${property.index}: ${verdict.kind}\n${text}\n${copy}`);
      }
    }
  }
  t.ok(counts.safe > ROUNDS / 5 && counts.unsafe > ROUNDS / 5, JSON.stringify(counts));
  t.end();
});

/** Name, system, and whether each property holds, by thinking. */
const BY_HAND: readonly (readonly [name: string, text: string, answers: readonly ('safe' | 'unsafe')[]])[] = [
  [
    'a guard determines an input, which is stored', // once, the guard was lost on the way to BTOR2
    `(declare-const pc (_ BitVec 3)) (declare-const pc.next (_ BitVec 3)) (declare-const i0 (_ BitVec 2))
     (declare-const x0 (_ BitVec 2)) (declare-const x0.next (_ BitVec 2))
     (assert (! (and (= pc #b000) (= x0 #b00)) :named init))
     (assert (! (and (= pc #b000) (= #b10 (bvlshr i0 #b00)) (= pc.next #b000) (= x0.next i0)) :named trans))
     (assert (! (not (= x0 #b11)) :named property-stored)) (assert (! (not (= i0 #b11)) :named property-input))`,
    ['safe', 'unsafe'],
  ],
  [
    'guards that contradict each other', // no step at all, so the first state is the only one
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const i (_ BitVec 2))
     (assert (! (= x #b00) :named init))
     (assert (! (and (= i #b01) (= (bvadd i #b01) #b11) (= x.next (bvadd x #b01))) :named trans))
     (assert (! (= x #b00) :named property-stuck)) (assert (! (not (= i #b10)) :named property-input))`,
    ['safe', 'unsafe'],
  ],
  [
    'an equation that no input solves, and one that two do', // from 0 to 2 and on to 1 or 3, where it ends
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const i (_ BitVec 2))
     (assert (! (= x #b00) :named init))
     (assert (! (and (= (bvmul i #b10) x) (= x.next (bvadd x i))) :named trans))
     (assert (! (not (= x #b01)) :named property-one)) (assert (! (not (= x #b10)) :named property-two))
     (assert (! (not (= x #b11)) :named property-three))
     (assert (! (not (and (= x #b00) (= (bvmul x i) #b01))) :named property-product))`,
    ['unsafe', 'unsafe', 'unsafe', 'safe'],
  ],
  [
    'a constraint and a step speak of one input', // i is at most x, and x grows by it: from 1 to 2 to 3 and 4
    `(declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const i (_ BitVec 2))
     (assert (! (= x #b001) :named init)) (assert (! (= x.next (bvadd x (concat #b0 i))) :named trans))
     (assert (! (bvule (concat #b0 i) x) :named constraint-small)) (assert (! (bvult x #b101) :named constraint-low))
     (assert (! (not (= x #b110)) :named property-six)) (assert (! (not (= x #b100)) :named property-four))
     (assert (! (not (and (= x #b001) (= i #b10))) :named property-input))`,
    ['safe', 'unsafe', 'safe'],
  ],
  [
    'a state that no input is allowed in is never seen', // what constraints exclude, no run gets to
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2)) (declare-const i Bool)
     (assert (! (= x #b00) :named init)) (assert (! (= x.next (bvadd x #b01)) :named trans))
     (assert (! (and i (not (= x #b10))) :named constraint))
     (assert (! (not (= x #b10)) :named property-two)) (assert (! (not (= x #b11)) :named property-three))
     (assert (! (not (= x #b01)) :named property-one))`,
    ['safe', 'safe', 'unsafe'],
  ],
  [
    'several next states, one that is free, and a last state without any', // x grows, and does not leave 3
    `(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
     (declare-const y Bool) (declare-const y.next Bool)
     (assert (! (and (bvule x #b01) (= y (= x #b01))) :named init)) (assert (! (bvugt x.next x) :named trans))
     (assert (! (=> (= x #b00) (not y)) :named property-first)) (assert (! (not (= x #b11)) :named property-last))
     (assert (! (not (and (= x #b11) y)) :named property-free))`,
    ['safe', 'unsafe', 'unsafe'],
  ],
  [
    'no initial state',
    `(declare-const x Bool) (declare-const x.next Bool)
     (assert (! (and x (not x)) :named init)) (assert (! true :named trans)) (assert (! false :named property))`,
    ['safe'],
  ],
  [
    'no state at all',
    `(declare-const i (_ BitVec 2)) (assert (! true :named init)) (assert (! (= i #b00) :named trans))
     (assert (! (bvult i #b11) :named constraint)) (assert (! (not (= i #b11)) :named property-forbidden))
     (assert (! (not (= i #b10)) :named property-last))`,
    ['safe', 'unsafe'],
  ],
];

t.test('systems by hand', async t => {
  for (const [name, text, answers] of BY_HAND) {
    const { system } = new HandMade(text);
    const expected = systemRelations(system);
    const verdicts = violations(withoutDead(expected)).map(n => (n < Infinity ? 'unsafe' : 'safe'));
    t.same(verdicts, answers, `${name}, by enumeration`);
    t.equal(
      complaint(expected, system.states.length, format => writtenSystem(system, format, 0)),
      undefined,
      name,
    );
    t.equal(await unrollingComplaint(expected, n => writtenSystem(system, 'smt2-bmc', n)), undefined, name);
    for (const format of ['vmt', 'btor2'] as const) {
      const question = read(`a.${format}`, writtenSystem(system, format, 0));
      const found = question.properties.map(p => verdictOf(question, heavy, {}, p).kind);
      t.same(found, answers, `${name}, as ${format}`);
    }
    for (const [i, property] of system.properties.entries()) {
      const question = read('a.smt2', writtenSystem({ ...system, properties: [property] }, 'chc', 0));
      t.equal(verdictOf(question, heavy).kind, answers[i], `${name}, property ${i}, as chc`);
    }
  }
});

t.test('clauses that are no transition system are converted to none, and that is said', t => {
  const text = `(set-logic HORN) (declare-fun P (Bool) Bool) (assert (P true))
    (assert (forall ((x Bool) (y Bool)) (=> (and (P x) (P y)) (P (and x (not y))))))
    (assert (forall ((x Bool)) (=> (P x) x)))`;
  for (const format of ['vmt', 'btor2', 'smt2-bmc'] as const) {
    try {
      converted('a.smt2', text, format);
      t.fail(`there is no ${format}`);
    } catch (error) {
      t.type(error, NotExpressible);
      t.match(
        (error as Error).message,
        /^these clauses are no transition system: one has several relations in its body/,
      );
    }
  }
  const copy = read('b.smt2', converted('a.smt2', text, 'chc'));
  t.same(
    copy.problem.edges.map(e => e.sources.length),
    [0, 2, 1],
    'as clauses they are written as they are',
  );
  t.end();
});

const CLAUSES = `(set-logic HORN)
(declare-fun |a b| ((_ BitVec 4)) Bool) (declare-fun @end ((_ BitVec 4) Bool) Bool) (declare-fun done () Bool)
(assert (forall ((x (_ BitVec 4))) (=> (= x #x0) (|a b| x))))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (|a b| x) (bvult x #x5) (= y (bvadd x #x1))) (|a b| y))))
(assert (forall ((x (_ BitVec 4)) (c Bool)) (=> (|a b| x) (@end x c))))
(assert (forall ((x (_ BitVec 4))) (=> (and (@end x true) (= x BAD)) done)))
(assert (=> done false))
(check-sat)`;

t.test('clauses as they are written, and as the passes leave them', t => {
  for (const [bad, verdict] of [
    ['#x7', 'safe'],
    ['#x4', 'unsafe'],
  ]) {
    const question = read('a.smt2', CLAUSES.replace('BAD', bad));
    const text = written(question, { to: 'chc' });
    const copy = read('b.smt2', text);
    t.same(
      [copy.problem.locations.length, copy.problem.edges.length],
      [question.problem.locations.length, question.problem.edges.length],
      'the same relations and clauses',
    );
    t.match(text, /declare-fun \|a b\| /, 'names stay');
    t.notMatch(text, /[ (]\|?@end/, 'but for those that belong to solvers');
    for (const isPreprocessed of [false, true]) {
      for (const to of ['chc', 'vmt', 'btor2'] as const) {
        const made = read(to === 'chc' ? 'a.smt2' : `a.${to}`, written(question, { to, isPreprocessed }));
        t.equal(verdictOf(made, heavy).kind, verdict, `${bad} as ${to}, preprocessed: ${isPreprocessed}`);
      }
    }
  }
  t.end();
});

t.test('one property of several', t => {
  const vmt = writtenSystem(constrainedProgram(seeded(t)), 'vmt', 0);
  const question = read('a.vmt', vmt);
  const { properties } = question;
  for (const { index } of properties) {
    const made = read('a.vmt', written(question, { to: 'vmt', property: index }));
    t.equal(made.properties.length, 1);
    const [verdict] = [
      verdictOf(
        question,
        heavy,
        {},
        properties.find(p => p.index === index),
      ).kind,
    ];
    t.equal(verdictOf(made, heavy).kind, verdict, `property ${index} alone`);
  }
  t.throws(() => written(question, { to: 'btor2', property: 99 }), /there is no property 99/);
  t.end();
});
