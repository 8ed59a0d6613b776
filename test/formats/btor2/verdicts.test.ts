/**
 * Verdicts about BTOR2 files, with witnesses and witness circuits, as HWMCC has them. The judge is an interpreter of BTOR2
 * that shares no code with reader, writers or engines.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Verdict } from '../../../src/check.ts';
import { ENGINE_NAMES } from '../../../src/core/portfolio/engine-names.ts';
import { writeBtor2 } from '../../../src/formats/btor2/writer.ts';
import type { Competition, PropertyName, Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Btor2Model, witnessCircuitComplaint } from '../../support/btor2.ts';
import { randomModel } from '../../support/btor2-random.ts';
import { complaintAbout, loadedBackEnd, type Options, verdictOf } from '../../support/checking.ts';
import { seeded } from '../../support/random.ts';

const heavy = await loadedBackEnd();

const read = (text: string): Question =>
  readQuestion('m.btor2', text, { strict: true, warn: message => t.match(message, /'justice' properties/) });

/** With engines whose proofs are inductive by themselves, every proof has a witness circuit. */
const INDUCTIVE = { engines: ENGINE_NAMES.filter(name => name !== 'k-induction') };

const check = (question: Question, property: PropertyName, options: Options = {}) =>
  verdictOf(question, heavy, options, property);

/** Of models with more state bits than this, certificates are not walked through state by state. */
const WALKABLE_BITS = 10;

/** What HWMCC is told. */
function hwmccText(question: Question, property: PropertyName, verdict: Verdict): string {
  return (question.words.competition as Competition).text([{ property, ...verdict }]);
}

/** What is wrong with the evidence of a verdict, by the interpreter; undefined if nothing is. */
function evidenceComplaint(
  question: Question,
  property: PropertyName,
  verdict: Verdict,
  model: Btor2Model,
): string | undefined {
  const complaint = complaintAbout(question, heavy, verdict, property);
  if (complaint !== undefined) return complaint;
  if (verdict.kind === 'unsafe') return model.replay(hwmccText(question, property, verdict));
  if (verdict.kind === 'unknown') return verdict.text;
  if (hwmccText(question, property, verdict) !== 'unsat\n') return 'HWMCC is told something else';
  const circuit = question.words
    .certificate(property, verdict.proof)
    .find(file => file.name === 'witness.btor2');
  if (circuit === undefined) return verdict.proof.k > 0 ? undefined : 'there is no witness circuit';
  const bits = model.states.reduce((sum, { sort }) => sum + sort.width * 2 ** sort.indexWidth, 0);
  if (bits > WALKABLE_BITS) return undefined;
  return witnessCircuitComplaint(model, property.index, new Btor2Model(circuit.text));
}

/** Name, text and for each bad state the answer, by thinking. */
const EXAMPLES: readonly (readonly [name: string, text: string, answers: readonly ('safe' | 'unsafe')[]])[] =
  [
    [
      'a constraint on an input blocks every successor, but not the step it stands in',
      // x counts 0, 1, then no input is allowed; bad asks for the input and x = 1 in one step
      `1 sort bitvec 1\n2 sort bitvec 2\n3 zero 2\n4 one 2\n5 state 2 x\n6 init 2 5 3\n7 add 2 5 4\n8 next 2 5 7\n9 input 1 i
10 constd 2 2\n11 ult 1 5 10\n12 and 1 9 11\n13 constraint 12\n14 eq 1 5 4\n15 and 1 14 9\n16 bad 15
17 eq 1 5 10\n18 bad 17\n19 and 1 14 -9\n20 bad 19`,
      ['unsafe', 'safe', 'safe'],
    ],
    [
      'an initial value is taken from another state, which may be any',
      `1 sort bitvec 1\n2 sort bitvec 4\n3 state 2 y\n4 one 2\n5 add 2 3 4\n6 state 2 x\n7 init 2 6 5\n8 next 2 6 6\n9 next 2 3 3
10 eq 1 6 3\n11 bad 10\n12 constd 2 9\n13 eq 1 3 12\n14 bad 13`,
      ['safe', 'unsafe'],
    ],
    [
      'an initial value from a state that is initialised later in the file',
      `1 sort bitvec 1\n2 sort bitvec 4\n3 state 2 y\n4 not 2 3\n5 state 2 x\n6 init 2 5 4\n7 zero 2\n8 init 2 3 7\n9 next 2 5 5
10 next 2 3 7\n11 redand 1 5\n12 bad -11`,
      ['safe'],
    ],
    [
      'a state without next is any value after the first step, and its initial value before',
      `1 sort bitvec 1\n2 sort bitvec 3\n3 zero 2\n4 state 2 x\n5 init 2 4 3\n6 one 1\n7 zero 1\n8 state 1 first\n9 init 1 8 6
10 next 1 8 7\n11 constd 2 5\n12 eq 1 4 11\n13 and 1 12 8\n14 bad 13\n15 bad 12`,
      ['safe', 'unsafe'],
    ],
    [
      'a vector fills an array, and writes put other numbers there',
      `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 one 2\n5 state 3 mem\n6 init 3 5 4\n7 input 1 i\n8 input 1 j
9 read 2 5 7\n10 constd 2 2\n11 add 2 9 10\n12 write 3 5 8 11\n13 next 3 5 12\n14 ones 2\n15 eq 1 9 14\n16 bad 15
17 state 3 rom\n18 init 3 17 5\n19 next 3 17 17\n20 read 2 17 7\n21 neq 1 20 4\n22 bad 21`,
      ['unsafe', 'safe'],
    ],
    [
      'arrays of bits',
      `1 sort bitvec 1\n2 sort array 1 1\n3 zero 1\n4 state 2 a\n5 init 2 4 3\n6 input 1 i\n7 read 1 4 6\n8 write 2 4 6 -7
9 next 2 4 8\n10 one 1\n11 read 1 4 3\n12 read 1 4 10\n13 and 1 11 12\n14 bad 13\n15 state 2 b\n16 init 2 15 4\n17 next 2 15 15
18 read 1 15 6\n19 bad 18`,
      ['unsafe', 'safe'],
    ],
    [
      'equality and choice of arrays',
      `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 state 3 a\n5 state 3 b\n6 init 3 5 4\n7 input 1 c\n8 ite 3 7 4 5
9 next 3 4 8\n10 next 3 5 5\n11 neq 1 4 5\n12 bad 11`,
      ['safe'],
    ],
    [
      'the bad state is an input, and nothing forbids it',
      '1 sort bitvec 1\n2 input 1\n3 bad 2 the_bad\n4 fair 2\n5 justice 1 2\n6 output 2 out ; a remark\n7 constraint 2',
      ['unsafe'],
    ],
  ];

t.test('examples', t => {
  for (const [name, text, answers] of EXAMPLES) {
    const question = read(text);
    const model = new Btor2Model(text);
    const copy = new Btor2Model(writeBtor2(question.system()));
    t.same(
      question.properties.map(p => p.index),
      answers.map((_, i) => i),
    );
    for (const property of question.properties) {
      const verdict = check(question, property);
      t.equal(verdict.kind, answers[property.index], `${name}, b${property.index}`);
      t.equal(evidenceComplaint(question, property, verdict, model), undefined, name);
      t.equal(copy.reaches(property.index), verdict.kind === 'unsafe', `${name}, written`);
    }
  }
  t.end();
});

t.test('the examples of the project', t => {
  for (const [file, answers] of [
    ['handshake.btor2', ['safe', 'unsafe']],
    ['memory.btor2', ['safe']],
  ] as const) {
    const text = readFileSync(new URL(`../../../examples/${file}`, import.meta.url), 'utf8');
    const question = read(text);
    const verdicts = question.properties.map(p => check(question, p));
    t.same(
      verdicts.map(v => v.kind),
      answers,
      file,
    );
    const violated = verdicts.findIndex(v => v.kind === 'unsafe');
    if (violated < 0) continue;
    const [property, verdict] = [question.properties[violated], verdicts[violated]];
    t.equal(evidenceComplaint(question, property, verdict, new Btor2Model(text)), undefined);
  }
  t.end();
});

t.test('random models: verdicts by search, witnesses by replay, and certificates', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < 60; round++) {
    const { text, badCount } = randomModel(random);
    const model = new Btor2Model(text);
    const question = read(text);
    for (const property of question.properties) {
      const isBad = model.reaches(property.index);
      const options = { budget: { deadline: Date.now() + 5000 }, ...(random.chance(0.5) ? INDUCTIVE : {}) };
      const verdict = check(question, property, options);
      counts[verdict.kind]++;
      if (verdict.kind === 'unknown') {
        if (verdict.text.includes('internal failure')) t.fail(`round ${round}: ${verdict.text}\n${text}`);
        continue;
      }
      if (verdict.kind !== (isBad ? 'unsafe' : 'safe'))
        t.fail(`round ${round}: not ${verdict.kind}\n${text}`);
      const wrong = evidenceComplaint(question, property, verdict, model);
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}\n${text}`);
    }
    if (question.properties.length !== badCount) t.fail(`round ${round}: a bad state is missing`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15, JSON.stringify(counts));
  t.ok(counts.unknown < 10, 'few are left open');
  t.end();
});

t.test('several bad states: the first that is violated has the witness', t => {
  const question = read(EXAMPLES[1][1]);
  const answers = question.properties.map(property => ({ property, ...check(question, property) }));
  const text = (all: typeof answers) => (question.words.competition as Competition).text(all);
  t.match(text(answers), /^sat\nb1\n/);
  t.equal(text(answers.slice(0, 1)), 'unsat\n');
  const open = { property: question.properties[0], kind: 'unknown' } as const;
  t.equal((question.words.competition as Competition).text([open, answers[0]]), 'unknown\n');
  t.end();
});

t.test('a witness, word by word', t => {
  const text = `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 zero 2\n5 state 2 x\n6 init 2 5 4\n7 state 3 mem\n8 state 1 free
9 input 1 go\n10 one 1\n11 read 2 7 10\n12 ite 2 9 11 5\n13 next 2 5 12\n14 next 3 7 7\n15 constd 2 2\n16 eq 1 5 15\n17 and 1 16 8
18 bad 17\n19 redor 1 11\n20 constraint -8\n21 bad 16 two`;
  const question = read(text);
  const [, property] = question.properties;
  const [go] = question.system().inputs;
  const verdict = check(question, property);
  if (verdict.kind !== 'unsafe') {
    t.fail(verdict.kind);
    t.end();
    return;
  }
  const last = verdict.derivation.steps.at(-1)?.values.get(go);
  t.equal(
    hwmccText(question, property, verdict),
    'sat\nb1\n#0\n1 [1] 10 mem#0\n2 0 free#0\n@0\n0 1 go@0\n#1\n2 0 free#1\n@1\n' +
      `0 ${Number(last ?? false)} go@1\n.\n`,
  );
  t.end();
});
