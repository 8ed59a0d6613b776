/**
 * Random Horn problems, printed and read back in both dialects, against the least fixed point by enumeration. Models and
 * printed derivations are checked by enumeration too, against the clauses as they were read.
 */
import t, { type Test } from 'tap';
import type { Verdict } from '../../../src/check.ts';
import { ENCODINGS } from '../../../src/core/passes/pipeline.ts';
import { PORTFOLIO } from '../../../src/core/portfolio/table.ts';
import type { HornFile } from '../../../src/formats/horn/problem.ts';
import { readHorn } from '../../../src/formats/horn/reader.ts';
import type { PropertyName, Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { TermStore } from '../../../src/term/store.ts';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { derivableQueries, derivationComplaint, falseClause } from '../../support/horn-explicit.ts';
import { problemText, randomProblem } from '../../support/horn-random.ts';
import { type Random, seeded } from '../../support/random.ts';
import { verdictWithoutPasses } from '../../support/without-passes.ts';

const heavy = await loadedBackEnd();

const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 300);

/** What is wrong with a verdict, whose text is that of the file. */
function complaint(
  question: Question,
  file: HornFile,
  property: PropertyName,
  verdict: Exclude<Verdict, { kind: 'unknown' }>,
  isDerivable: boolean,
): string | undefined {
  if ((verdict.kind === 'unsafe') !== isDerivable) return `it is ${verdict.kind}, which is wrong`;
  const { index } = property;
  if (verdict.kind === 'unsafe')
    return derivationComplaint(file, index, question.words.json(property, verdict.derivation));
  const { k, forAll, exists } = verdict.proof;
  // Then there is no model, or one with quantifiers.
  if (k > 0 || forAll !== undefined || exists !== undefined)
    return complaintAbout(question, heavy, verdict, property);
  const clause = falseClause(file, index, verdict.proof.model, question.problem.terms);
  return clause && `the model makes the clause in line ${clause.line} false`;
}

type Answer = (question: Question, random: Random, property: PropertyName) => Verdict;

/** How often there was each answer; `mayBeOpen` says whether an unknown, with its reason, is to be expected. */
function answers(
  t: Test,
  rounds: number,
  severalBodies: number,
  answer: Answer,
  mayBeOpen: (question: Question, text: string) => boolean,
): Record<Verdict['kind'], number> {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < rounds; round++) {
    const made = randomProblem(random, random.pick(['smt-lib', 'rules']), severalBodies);
    const text = problemText(made);
    const expected = derivableQueries(made);
    const question = readQuestion('random.smt2', text, { strict: true, warn: message => t.fail(message) });
    const file = readHorn(new TermStore(), 'random.smt2', text);
    for (const property of question.properties) {
      const verdict = answer(question, random, property);
      counts[verdict.kind]++;
      const wrong =
        verdict.kind === 'unknown'
          ? mayBeOpen(question, verdict.text)
            ? undefined
            : verdict.text
          : complaint(question, file, property, verdict, expected.has(property.index));
      if (wrong !== undefined) t.fail(`round ${round}, query ${property.index}: ${wrong}\n${text}`);
    }
  }
  return counts;
}

const isNoFailure = (_: Question, text: string) => !text.includes('internal failure');

const options = (random: Random) => ({
  engine: { evaluateConstants: random.chance(0.8), generalize: random.chance(0.8) },
  budget: { deadline: Date.now() + 5000 },
});

for (const encoding of ENCODINGS) {
  t.test(`${ROUNDS / 3} random problems agree with enumeration, ${encoding}`, t => {
    const answer: Answer = (question, random, property) =>
      verdictOf(question, heavy, { ...options(random), encoding }, property);
    const counts = answers(t, ROUNDS / 3, 0, answer, isNoFailure);
    t.ok(counts.safe > ROUNDS / 30 && counts.unsafe > ROUNDS / 30, JSON.stringify(counts));
    t.ok(counts.unknown < ROUNDS / 30, 'few are left open');
    t.end();
  });
}

t.test('random problems agree with enumeration, without passes', t => {
  const answer: Answer = (question, random, property) =>
    verdictWithoutPasses(question, heavy, options(random), property);
  const counts = answers(t, ROUNDS / 5, 0, answer, isNoFailure);
  t.ok(counts.safe > ROUNDS / 60 && counts.unsafe > ROUNDS / 60, JSON.stringify(counts));
  t.ok(counts.unknown < ROUNDS / 30, 'few are left open');
  t.end();
});

/** Engines that have an answer to everything, sooner or later. */
const PROVERS = PORTFOLIO.flatMap(({ kind }) => (kind.proves ? [kind.name] : []));

t.test('random problems agree with enumeration, each engine alone', t => {
  const answer: Answer = (question, random, property) =>
    verdictOf(question, heavy, { ...options(random), engines: [random.pick(PROVERS)] }, property);
  const counts = answers(t, ROUNDS / 3, 0, answer, isNoFailure);
  t.ok(counts.safe > ROUNDS / 60 && counts.unsafe > ROUNDS / 60, JSON.stringify(counts));
  t.end();
});

t.test('clauses with several bodies: the truth, or a reason that names them', t => {
  const answer: Answer = (question, random, property) =>
    verdictOf(question, heavy, { ...options(random), encoding: random.pick(ENCODINGS) }, property);
  const mayBeOpen = ({ problem }: Question, text: string) =>
    problem.edges.some(e => e.sources.length > 1) && /several sources \(non-linear clauses\)/.test(text);
  const counts = answers(t, ROUNDS, 0.6, answer, mayBeOpen);
  t.ok(counts.unknown > ROUNDS / 30, JSON.stringify(counts));
  t.ok(counts.safe > ROUNDS / 30 && counts.unsafe > ROUNDS / 30, 'passes make many of them linear');
  t.end();
});
