/** The reader of Horn clauses: what it makes of a text, and what it refuses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { formatOf } from '../../../src/formats/format.ts';
import { type Dialect, isAtom } from '../../../src/formats/horn/problem.ts';
import { readHorn } from '../../../src/formats/horn/reader.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { TermStore } from '../../../src/term/store.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';

const heavy = await loadedBackEnd();

const read = (text: string) => readHorn(new TermStore(), 'test.smt2', text);

const solve = (text: string) =>
  verdictOf(readQuestion('test.smt2', text, { strict: true, warn: message => t.fail(message) }), heavy);

/** The message with which a text is refused. */
function complaint(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'nothing';
}

const HORN = '(set-logic HORN)\n';

/** The clauses of a text as `bodies | constraint | head`. */
function clauses(text: string): string[] {
  const { terms, clauses: all } = read(text);
  const applied = ({ relation, args }: { relation: { name: string }; args: readonly number[] }) =>
    [relation.name, ...args.map(a => printTerm(terms, a as Parameters<typeof printTerm>[1]))].join(' ');
  return all.map(({ bodies, constraint, head }) => {
    const shown = isAtom(head) ? applied(head) : `query ${head.property}`;
    return `${bodies.map(applied).join(', ')} | ${printTerm(terms, constraint)} | ${shown}`;
  });
}

t.test('clauses with any number of bodies, in both dialects', t => {
  const expected = (query: string) => [
    ' | true | P #b0',
    'P x, Q x, P y | (bvult x y) | Q (bvadd x y)',
    `Q x, P x | true | ${query}`,
  ];
  t.same(
    clauses(`${HORN}(declare-fun P ((_ BitVec 1)) Bool) (declare-fun Q ((_ BitVec 1)) Bool) (assert (P #b0))
      (assert (forall ((x (_ BitVec 1)) (y (_ BitVec 1))) (=> (and (P x) (Q x) (P y) (bvult x y)) (Q (bvadd x y)))))
      (assert (forall ((x (_ BitVec 1))) (not (and (Q x) (P x)))))`),
    expected('query 0'),
  );
  t.same(
    clauses(`(declare-rel P ((_ BitVec 1))) (declare-rel Q ((_ BitVec 1))) (declare-rel R ())
      (declare-var x (_ BitVec 1)) (declare-var y (_ BitVec 1)) (rule (P #b0))
      (rule (=> (and (P x) (Q x) (P y) (bvult x y)) (Q (bvadd x y)))) (rule (=> (and (Q x) (P x)) R)) (query R)`),
    [...expected('R'), 'R | true | query 0'],
  );
  t.same(
    clauses(`${HORN}(declare-fun P (Bool) Bool)
      (assert (forall ((x Bool)) (not (and (P x) (P x) (P (not x))))))`),
    ['P x, P (not x) | true | query 0'],
    'an application that is there twice is there once',
  );
  t.end();
});

t.test('deep nesting', t => {
  const deep = (n: number) => `${'(not '.repeat(2 * n)}(P x)${')'.repeat(2 * n)}`;
  const text = (body: string) => `${HORN}(declare-fun P ((_ BitVec 8)) Bool) (assert (P #x00))
    (assert (forall ((x (_ BitVec 8))) (=> ${body} (= x #x00))))`;
  t.equal(solve(text(deep(20_000))).kind, 'safe');
  const sum = `${'(bvadd #x01 '.repeat(20_000)}x${')'.repeat(20_000)}`;
  t.equal(solve(text(`(and (P x) (= ${sum} #x20))`)).kind, 'safe', '20000 is 32 modulo 256');
  const quantified = `${'(forall ((y Bool)) '.repeat(5000)}true${')'.repeat(5000)}`;
  t.match(complaint(`${HORN}(assert ${quantified})`), 'nest at most 1000 deep');
  t.end();
});

t.test('what would grow without bounds is refused', t => {
  const doubled = Array.from({ length: 40 }, (_, i) => `(let ((a${i + 1} (and a${i} a${i})))`);
  t.match(
    complaint(`${HORN}(declare-fun r (Bool) Bool)
      (assert (let ((a0 (forall ((x Bool)) (r x)))) ${doubled.join(' ')} a40 ${')'.repeat(40)}))`),
    'too large',
  );
  t.end();
});

t.test('what is refused, by name and with its place', t => {
  const declared = `${HORN}(declare-fun P (Bool) Bool)\n(declare-fun Q (Bool) Bool)\n`;
  for (const [text, message] of [
    [
      `${declared}(assert (forall ((x Bool)) (or (P x) (Q x))))`,
      'test.smt2:4:1: not a Horn clause: it has 2 heads, P, Q',
    ],
    [
      `${HORN}(declare-fun P (Int) Bool)`,
      "test.smt2:2:17: 'Int' (integers) is outside the supported fragment",
    ],
    [`${HORN}(assert (forall ((x Real)) (=> (> x 1.0) false)))`, "test.smt2:2:21: 'Real' (real numbers)"],
    [
      `${declared}(assert (forall ((x Bool)) (=> (forall ((y Bool)) (P y)) (Q x))))`,
      "test.smt2:4:32: 'forall' in a body",
    ],
    [`${declared}(assert (exists ((x Bool)) (P x)))`, "test.smt2:4:9: 'exists' in a head"],
    [`${declared}(assert (= (P true) (forall ((x Bool)) (Q x))))`, "test.smt2:4:9: a quantifier inside '='"],
    [`${declared}(assert (P (Q true)))`, 'test.smt2:4:1: an application of a relation inside a term'],
    [
      `${HORN}(declare-fun f (Bool) (_ BitVec 4))`,
      "test.smt2:2:1: 'f', a function to (_ BitVec 4), is no relation",
    ],
    [`${HORN}(declare-sort S 0)`, "test.smt2:2:1: 'declare-sort' among Horn clauses"],
    [
      `${HORN}(assert true)\n(rule true)`,
      "test.smt2:3:1: 'rule' may not stand in a file of SMT-LIB assertions",
    ],
    ['(declare-rel P ())\n(rule P)', 'test.smt2:2:9: there is no query'],
    ['(declare-rel P ())\n(rule (=> P false))', 'test.smt2:2:1: the head of a rule must be an application'],
    [`${HORN}(check-sat)\n(assert false)`, 'test.smt2:3:1: an assertion after check-sat'],
    [`${HORN}(push 1)`, "test.smt2:2:2: 'push' is no command for Horn clauses"],
    [`${declared}(assert (P (_ bv1 8)))`, "test.smt2:4:9: argument 1 of 'P' must be Bool"],
    [`${HORN}(assert #x00)`, 'test.smt2:2:9: expected a formula'],
    [`${HORN}(assert (forall (x) true))`, 'test.smt2:2:18: expected a variable (name sort)'],
  ]) {
    t.match(complaint(text), message);
  }
  t.end();
});

t.test('which files are Horn clauses, and in which dialect', t => {
  t.equal(formatOf('a.smt2', '; a comment\n(set-logic HORN)'), 'horn');
  t.equal(formatOf('a.smt2', '(declare-rel P ())'), 'horn');
  t.equal(formatOf('a.smt2', '; (set-logic HORN)\n(set-logic QF_BV)'), undefined);
  const dialects: readonly (readonly [string, Dialect])[] = [
    [`${HORN}(check-sat)`, 'smt-lib'],
    ['(declare-rel P ()) (query P)', 'rules'],
  ];
  for (const [text, dialect] of dialects) t.equal(read(text).dialect, dialect);
  t.end();
});

t.test('a system is not taken for clauses because of a word in it', t => {
  const vmt = (name: string, extra = '') => `${extra}
    (declare-fun x () Bool) (declare-fun xn () Bool)
    (define-fun ${name} ((a Bool)) Bool (not a))
    (define-fun s () Bool (! x :next xn))
    (define-fun i () Bool (! x :init true))
    (define-fun t () Bool (! (= xn (${name} x)) :trans true))
    (define-fun p () Bool (! x :invar-property 0))`;
  const texts = [
    vmt('rule'),
    vmt('f', '(set-info :source |as in (rule r)|)'),
    vmt('f', '(set-info :source "(declare-rel r ())")'),
    vmt('f', '(set-info :source |\n1 sort bitvec 1\n|)'),
  ];
  for (const text of texts) {
    for (const file of ['a.vmt', 'a.smt2'])
      t.equal(readQuestion(file, text, { strict: true, warn: t.comment }).format, 'vmt');
  }
  t.equal(formatOf('a', '; a comment\n1 sort bitvec 1'), 'btor2');
  t.equal(formatOf('a', '(assert (= a (rule b)))'), undefined);
  t.end();
});

/** The benchmark corpus, where there is one. */
const CORPUS = new URL('../../../../shared/corpus/chc/', import.meta.url).pathname;

function corpusFiles(families: RegExp): string[] {
  const folders = readdirSync(CORPUS).filter(f => families.test(f));
  return folders.flatMap(f => readdirSync(join(CORPUS, f)).map(file => join(CORPUS, f, file)));
}

function refusalOf(path: string, t: Test): string | undefined {
  try {
    readHorn(new TermStore(), path, readFileSync(path, 'utf8'));
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    t.fail(`${path}: ${error}`);
    return undefined;
  }
}

t.test('files outside the fragment are refused by name', { skip: !existsSync(CORPUS) }, t => {
  const files = corpusFiles(/^(lia-|z3test|golem)/);
  const messages = files.map(f => refusalOf(f, t)).filter(m => m !== undefined);
  t.ok(messages.length > 0.9 * files.length);
  for (const m of messages) {
    t.match(m, /\.smt2:\d+:\d+: .*(outside the supported fragment|is no relation|not supported|no command)/);
  }
  t.end();
});
