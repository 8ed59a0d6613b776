/**
 * Relations that are unfolded although their models need quantifiers, against enumeration: random problems ask the same, derivations come
 * back as such, and models for some values of bound variables, which are checked by witnesses, by enumeration and, where it is
 * installed, by z3 as they are printed.
 */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { DEFAULT_ENGINE_OPTIONS } from '../../../src/core/env/options.ts';
import { Profile } from '../../../src/core/env/profile.ts';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import { joinQueries } from '../../../src/core/passes/join-queries.ts';
import { unfoldAll } from '../../../src/core/passes/unfold/unfold-all.ts';
import { Scheduler } from '../../../src/core/portfolio/scheduler.ts';
import { ON_VARIANTS } from '../../../src/core/portfolio/table.ts';
import { type VariantKind, Variants } from '../../../src/core/portfolio/variants.ts';
import { completed } from '../../../src/core/problem/derivation.ts';
import { isLinear, type Problem, restrictedTo } from '../../../src/core/problem/problem.ts';
import { boundIn, type Proof, tidied } from '../../../src/core/problem/proof.ts';
import type { Question } from '../../../src/formats/question.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';
import { complete } from '../../../src/sat/work.ts';
import { checkOf, complaintAbout, loadedBackEnd } from '../../support/checking.ts';
import { seeded } from '../../support/random.ts';
import { Derivable, TooLarge } from '../explicit-problem.ts';
import { isValid } from '../foretold.ts';
import { randomLayers } from '../random-layers.ts';
import { randomProblem } from '../random-problem.ts';
import { falseProofs, unfolded, withoutInputs } from '../unfolded.ts';

const heavy = await loadedBackEnd();
const ROUNDS = Number(process.env.EUFORIA_ROUNDS ?? 60);

const ROWS = ON_VARIANTS.filter(({ variant }) => variant?.name === 'unfolded');

const hasZ3 = spawnSync('z3', ['--version'], { encoding: 'utf8' }).status === 0;
t.comment(hasZ3 ? 'models are checked by z3, too' : 'z3 is not installed');

function questionOf(text: string): Question {
  const warn = (message: string) => t.fail(message);
  return readQuestion('test.smt2', text, { strict: true, warn });
}

t.test('unfolded, random problems ask the same, and evidence finds its way back', t => {
  const random = seeded(t);
  const counts = { problems: 0, models: 0, bound: 0, derivations: 0 };
  for (let round = 0; round < ROUNDS || counts.bound < 12 || counts.derivations < 12; round++) {
    const drawn = random.pick([
      () => randomProblem(random, 'calls'),
      () => randomLayers(random, 1).problem,
      () => withoutInputs(randomLayers(random, 2).problem),
    ])();
    try {
      const outcome = unfolded(restrictedTo(drawn, 0), heavy);
      if (outcome === undefined) continue;
      t.equal(outcome.complaint, undefined, `round ${round}`);
      counts.problems++;
      counts.models += outcome.models;
      counts.bound += outcome.bound;
      counts.derivations += 1 - outcome.models;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.comment(JSON.stringify(counts));
  t.end();
});

/** What a row of the table finds, carried back to the problem as it was given; undefined if there is no such variant. */
function foundOn(problem: Problem, row: (typeof ROWS)[number]) {
  const kind = row.variant as VariantKind;
  const asked = joinQueries(problem);
  const variants = new Variants(asked.problem, [kind], 'sliced', DEFAULT_ENGINE_OPTIONS, new Checkpoint());
  if (!variants.has(kind)) return undefined;
  const env = {
    options: DEFAULT_ENGINE_OPTIONS,
    budget: {},
    profile: new Profile(),
    backEnd: heavy.backEnd,
  };
  const found = complete(new Scheduler([row], variants.plain, env, variants).run());
  if (found.kind === 'executed') throw new Error('nothing is executed here');
  if (found.kind === 'unknown') return found;
  const { back } = variants.passTo(found.about);
  if (found.kind === 'safe')
    return { kind: 'safe' as const, proof: tidied(problem.terms, asked.back.proof(back.proof(found.proof))) };
  const derivation = asked.back.derivation(back.derivation(found.derivation));
  return { kind: 'unsafe' as const, derivation: completed(problem.terms, derivation) };
}

t.test('what engines find on the variant is so', t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0, bound: 0 };
  for (let round = 0; round < ROUNDS || Math.min(counts.safe, counts.unsafe, counts.bound) < 4; round++) {
    const { problem } = randomLayers(random, 2);
    try {
      const expected = new Derivable(withoutInputs(problem)).properties.length > 0 ? 'unsafe' : 'safe';
      const found = foundOn(problem, random.pick(ROWS));
      if (found === undefined) continue;
      counts[found.kind]++;
      if (found.kind === 'unknown') continue;
      t.equal(found.kind, expected, `round ${round}`);
      const complaint =
        found.kind === 'safe'
          ? isValid(problem, found.proof, heavy)
          : checkDerivation(problem, 0, found.derivation, () => 'an edge');
      t.equal(complaint, undefined, `round ${round}`);
      if (found.kind === 'safe' && hasBound(problem, found.proof)) counts.bound++;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  t.comment(JSON.stringify(counts));
  t.end();
});

function hasBound(problem: Problem, proof: Proof): boolean {
  return problem.locations.some(l => boundIn(problem.terms, proof, l).length > 0);
}

/** A counter, its square, the sum of two squares; the bodies hide what they are computed from. */
const squares = (sum: number) => `(set-logic HORN)
  (declare-fun count ((_ BitVec 8)) Bool) (declare-fun square ((_ BitVec 8)) Bool)
  (declare-fun sum ((_ BitVec 8)) Bool)
  (assert (count #x00))
  (assert (forall ((x (_ BitVec 8))) (=> (and (count x) (bvult x #x08)) (count (bvadd x #x02)))))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
    (=> (and (count x) (= y (bvmul x x))) (square y))))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
    (=> (and (square x) (square y) (bvule x y)) (sum (bvor x y)))))
  (assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
    (=> (and (sum x) (sum y) (= (bvadd x y) (_ bv${sum} 8))) false)))
  (check-sat)`;

/** What z3 says of clauses in which relations are what a model says. */
function z3OnModel(clauses: string, model: string): string {
  const definitions = model
    .replace(/^sat\n/, '')
    .trim()
    .slice(1, -1);
  const input = clauses.replace('(set-logic HORN)', '').replace(/\(declare-fun \w+ \([^\n]*?\) Bool\)/g, '');
  return spawnSync('z3', ['-in', '-T:60'], { input: `${definitions}\n${input}`, encoding: 'utf8' }).stdout;
}

t.test('a model for some values is printed so, and z3 believes it', t => {
  const question = questionOf(squares(3));
  const found = ROWS.map(row => foundOn(question.problem, row)).find(f => f?.kind === 'safe');
  if (found?.kind !== 'safe') throw new Error('it is safe');
  const { proof } = found;
  t.equal(isValid(question.problem, proof, heavy), undefined);
  const [property] = question.properties;
  const text = question.words.competition?.text([{ kind: 'safe', property, proof }]) ?? '';
  t.match(text, /\(define-fun square \(\(\S+ \(_ BitVec 8\)\)\) Bool\n {4}\(exists \(\(/);
  t.equal(question.words.proof(property, proof), text.slice('sat\n'.length));
  const scripts = question.words.certificate(property, proof);
  t.notMatch(scripts.map(s => s.text).join(''), /exists|forall/, 'certificates are free of quantifiers');
  if (hasZ3) {
    t.equal(z3OnModel(squares(3), text).trim(), 'sat', 'the clauses are true in the model');
    const weak = text.replace(/\(define-fun square[\s\S]*?(?=\n {2}\(define-fun|\n\)\n$)/, square =>
      square.replace(/\(exists[\s\S]*/, 'true)'),
    );
    t.equal(z3OnModel(squares(3), weak).trim(), 'unsat', 'and not in another');
    for (const { name, text: script } of scripts) {
      const { stdout } = spawnSync('z3', ['-in', '-T:60'], { input: script, encoding: 'utf8' });
      t.equal(stdout.trim(), 'unsat', name);
    }
  }
  t.end();
});

/** The largest of three numbers by a function of two, which is called again on the result; each call has two ways to return. */
const largest = (claim: string) => `(set-logic HORN)
  (declare-fun larger ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
  (declare-fun called ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
  (declare-fun largest ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (bvsle y x) (larger x y x))))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32))) (=> (bvslt x y) (larger x y y))))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (r (_ BitVec 32)))
    (=> (larger x y r) (called x y r))))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)) (r (_ BitVec 32)) (s (_ BitVec 32)))
    (=> (and (called x y r) (called r z s)) (largest x y z s))))
  (assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (z (_ BitVec 32)) (r (_ BitVec 32)) (s (_ BitVec 32)))
    (=> (and (largest x y z r) (larger x r s) (not ${claim})) false)))
  (check-sat)`;

for (const [claim, expected] of [
  ['(= r s)', 'safe'],
  ['(= x s)', 'unsafe'],
] as const) {
  t.test(`calls that call nothing: ${expected}`, t => {
    const question = questionOf(largest(claim));
    const check = checkOf(question, heavy);
    const verdict = complete(check.run());
    t.equal(verdict.kind, expected);
    t.equal(complaintAbout(question, heavy, verdict), undefined);
    if (expected === 'safe') t.equal(check.foundBy, 'abstract (unfolded)');
    t.end();
  });
}

t.test('a violation comes back as a derivation from the clauses as they were written', t => {
  const question = questionOf(squares(4));
  const found = ROWS.map(row => foundOn(question.problem, row)).find(f => f?.kind === 'unsafe');
  if (found?.kind !== 'unsafe') throw new Error('it is not safe');
  t.equal(
    checkDerivation(question.problem, 0, found.derivation, () => 'an edge'),
    undefined,
  );
  t.equal(found.derivation.steps.at(-1)?.premises.length, 2);
  t.end();
});

t.test('what derives itself stays, and so does what is linear', t => {
  const { problem } = questionOf(squares(4));
  const pass = unfoldAll(problem, new Checkpoint());
  t.same(
    pass?.problem.locations.map(l => l.name),
    ['count'],
  );
  t.notOk(isLinear(pass?.problem as Problem), 'two counters');
  t.equal(
    unfoldAll({ ...problem, edges: problem.edges.filter(e => e.sources.length < 2) }, new Checkpoint()),
    undefined,
  );
  t.end();
});

t.test('the check does not believe proofs that are none', t => {
  for (const { what, problem, proof } of falseProofs()) t.ok(isValid(problem, proof, heavy), what);
  t.end();
});
