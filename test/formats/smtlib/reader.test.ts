/** The SMT-LIB reader: what is accepted, what it means, and the error that everything else gets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ScriptReader } from '../../../src/formats/smtlib/script.ts';
import { SExprs } from '../../../src/formats/smtlib/sexpr.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { TermStore } from '../../../src/term/store.ts';
import { assertionsOf, isValid } from '../../support/smtlib.ts';

function printed(text: string): string[] {
  const terms = new TermStore();
  return assertionsOf(terms, text).map(a => printTerm(terms, a));
}

t.test('what is read', t => {
  const bv = '(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)';
  const cases: readonly (readonly [string, string])[] = [
    ['(assert (= x y x))', '(and (= x y) (= y x))'],
    ['(assert (=> p p p))', '(=> p (=> p p))'],
    ['(assert (xor p p p))', '(xor (xor p p) p)'],
    ['(assert (= (bvadd x y x y) x))', '(= (bvadd (bvadd (bvadd x y) x) y) x)'],
    ['(assert (distinct x y #x01))', '(distinct x y #x01)'],
    ['(assert (= x #b00000101))', '(= x #x05)'],
    ['(assert (= x (_ bv5 8)))', '(= x #x05)'],
    ['(assert (= ((_ extract 3 0) x) #xF))', '(= ((_ extract 3 0) x) #xf)'],
    ['(assert (let ((x y) (y x)) (bvult x y)))', '(bvult y x)'],
    ['(assert (let ((z x)) (let ((z (bvnot z))) (= z x))))', '(= (bvnot x) x)'],
    ['(assert (let ((p (bvult x y))) (let ((x #x00)) p)))', '(bvult x y)'],
    ['(assert (! p :weight 3 :named q)) (assert q)', 'p'],
    ['(define-fun f ((a (_ BitVec 8)) (b Bool)) Bool (and b (= a x))) (assert (f y p))', '(and p (= y x))'],
    ['(define-fun f ((x (_ BitVec 8))) Bool (= x y)) (assert (f x))', '(= x y)'],
    ['(define-const k (_ BitVec 8) #x07) (assert (= k x))', '(= #x07 x)'],
    ['(declare-fun |odd name| () Bool) (assert |odd name|)', '|odd name|'],
    ['(declare-fun |plain| () Bool) (assert plain)', 'plain'],
    [
      '(declare-sort S 0) (declare-fun f (S) S) (declare-const s S) (assert (= (f s) (as s S)))',
      '(= (f s) s)',
    ],
    ['(define-sort W () (_ BitVec 8)) (declare-const w W) (assert (= w x))', '(= w x)'],
    [
      '(define-sort M (E) (Array (_ BitVec 8) E)) (declare-const m (M Bool)) (assert (select m x))',
      '(select m x)',
    ],
    [
      '(declare-const m (Array Bool Bool)) (assert (= m ((as const (Array Bool Bool)) p)))',
      '(= m ((as const (Array Bool Bool)) p))',
    ],
    ['(declare-fun select (Bool) Bool) (assert (select p))', '(select p)'],
    ['; a comment ( with | odd " things\n(assert p) ; and one more', 'p'],
    ['(push 1) (declare-const z Bool) (pop 1) (declare-const z (_ BitVec 8)) (assert (= z x))', '(= z x)'],
  ];
  for (const [text, expected] of cases) t.equal(printed(`${bv}\n${text}`).at(-1), expected, text);
  t.end();
});

t.test('the same name may be declared again after pop, with another sort', t => {
  const [a, b] = printed(
    '(push) (declare-const z Bool) (assert z) (pop) (push) (declare-const z (_ BitVec 2)) (assert (= z #b01))',
  );
  t.same([a, b], ['z', '(= z #b01)']);
  t.end();
});

t.test('global declarations outlive pop', t => {
  const text =
    '(set-option :global-declarations true) (push 1) (declare-const z Bool) (pop 1) (assert (not z))';
  t.same(printed(text), ['(not z)']);
  t.end();
});

t.test('commands', t => {
  const terms = new TermStore();
  const reader = new ScriptReader(
    terms,
    'f.smt2',
    `(set-logic QF_BV) (set-info :status sat) (set-option :produce-models true) (declare-const p Bool)
     (assert (! (or p (! (not p) :named inner)) :named outer)) (check-sat)
     (check-sat-assuming ((not  p) outer)) (get-value (p (and p
       p))) (get-info :name) (echo "say ""hi""") (push) (pop 1) (get-model) (get-unsat-core) (exit)`,
  );
  const kinds: unknown[] = [];
  for (let c = reader.next(); c !== undefined; c = reader.next()) {
    if (c.kind === 'assert') kinds.push([c.kind, c.name]);
    else if (c.kind === 'get-value' || c.kind === 'check-sat-assuming') {
      kinds.push([c.kind, ...c.terms.map(w => w.source)]);
    } else if (c.kind === 'echo') kinds.push([c.kind, c.text]);
    else if (c.kind === 'set-info' || c.kind === 'set-option') kinds.push([c.kind, c.keyword, c.value]);
    else kinds.push(c.kind);
  }
  t.same(kinds, [
    'set-logic',
    ['set-info', ':status', 'sat'],
    ['set-option', ':produce-models', 'true'],
    'declaration',
    ['assert', 'outer'],
    'check-sat',
    ['check-sat-assuming', '(not  p)', 'outer'],
    ['get-value', 'p', '(and p\n       p)'],
    'get-info',
    ['echo', 'say "hi"'],
    'push',
    'pop',
    'get-model',
    'get-unsat-core',
    'exit',
  ]);
  t.end();
});

/** Input, and the error it must get: line, column and words. */
const ERRORS: readonly (readonly [string, string])[] = [
  ['(assert p', "1:1: the list opened here is never closed: expected ')'"],
  ['(assert true))', "1:14: unexpected ')': no list is open here"],
  ['(echo "abc', "1:7: the string opened here is never closed: expected '\"'"],
  ['(declare-fun |a () Bool)', "1:14: the quoted symbol opened here is never closed: expected '|'"],
  ['(declare-fun |a\\b| () Bool)', "1:16: a quoted symbol may not contain '\\'"],
  ['(assert #b012)', "1:9: '#b012' is no constant: expected #b and binary or #x and hexadecimal digits"],
  ['(assert 12ab)', "1:9: '12ab' is neither a number nor a symbol: a symbol may not start with a digit"],
  ['(assert é)', '1:9: the character "é" may not stand here'],
  ['\n\n  (assert\n     q)', "4:6: unknown symbol 'q': it is not declared"],
  ['assert', '1:1: expected a command in parentheses'],
  ['()', '1:1: expected a command in this list'],
  ['(frobnicate)', "1:2: unknown command 'frobnicate'"],
  ['(assert)', '1:1: expected a formula'],
  ['(assert true true)', "1:14: expected ')' here"],
  ['(assert #x00)', '1:9: an assertion must be of sort Bool, not (_ BitVec 8)'],
  ['(assert ())', '1:9: expected a term, found an empty list'],
  [
    '(assert (bvult #x00 #b0))',
    "1:9: 'bvult' expects two bit-vectors of one width, not (_ BitVec 8) (_ BitVec 1)",
  ],
  ['(assert (not true false))', "1:9: 'not' takes 1 argument, not 2"],
  [
    '(assert (= ((_ extract 9 0) #x00) #x00))',
    "1:12: '(_ extract 9 0)' expects indices 7 ≥ i ≥ j ≥ 0, not (_ BitVec 8)",
  ],
  ['(assert (extract #x00))', "1:10: 'extract' needs an index, as in (_ extract 7 0)"],
  ['(assert ((_ extract 1) #x00))', "1:10: 'extract' takes 2 indices, not 1"],
  ['(assert ((_ frob 1) #x00))', "1:10: unknown indexed function 'frob'"],
  ['(assert (let () true))', '1:14: expected at least one binding (name term)'],
  ['(assert (let ((x true) (x false)) x))', "1:25: 'x' is bound twice here"],
  ['(assert (let ((x true)) x x))', "1:27: expected ')' after the body of let"],
  ['(assert (! true))', '1:9: expected an attribute such as :named after the term'],
  ['(assert (! true named))', '1:17: expected an attribute such as :named'],
  ['(declare-const x Bool) (declare-const x Bool)', "1:39: 'x' is declared already"],
  ['(declare-const and Bool)', "1:16: 'and' is a symbol of the Core theory and cannot be declared"],
  [
    '(declare-const x Foo)',
    "1:18: unknown sort 'Foo': expected Bool, (_ BitVec n), (Array s t) or a declared sort",
  ],
  ['(declare-const x (_ BitVec 0))', "1:28: a bit-vector's width must be between 1 and 16777216, not 0"],
  ['(declare-const x (Array Bool))', '1:18: Array takes an index sort and an element sort'],
  ['(declare-fun f (Bool) Bool) (assert (f))', "1:37: 'f' takes 1 argument, not 0"],
  ['(declare-fun f (Bool) Bool) (assert f)', "1:37: 'f' takes 1 argument, not 0"],
  [
    '(define-fun f ((a Bool)) Bool a) (assert (f #b1))',
    "1:42: argument 1 of 'f' must be Bool, not (_ BitVec 1)",
  ],
  ['(define-fun f () Bool #b1)', "1:23: 'f' is declared Bool, but its body is (_ BitVec 1)"],
  ['(define-fun f ((a Bool) (a Bool)) Bool a)', "1:26: the parameter 'a' occurs twice"],
  ['(pop 1)', '1:1: cannot pop 1 level, for 0 are open'],
  ['(push many)', '1:7: expected a number of levels, a numeral'],
  ['(assert ((as const Bool) true))', '1:20: a constant array needs an array sort'],
  [
    '(declare-sort S 2)',
    '1:17: an uninterpreted sort with parameters is outside the supported fragment: supported are Bool, bit-vectors, arrays and uninterpreted sorts, without quantifiers',
  ],
];

t.test('errors name line and column and say what was expected', t => {
  for (const [text, expected] of ERRORS) {
    t.throws(() => printed(text), { name: 'InputError', message: `test.smt2:${expected}` }, text);
  }
  t.end();
});

t.test('what is outside the fragment is refused by name', t => {
  for (const [text, name] of [
    ['(declare-const x Int)', "'Int' (integers)"],
    ['(declare-const x Real)', "'Real' (real numbers)"],
    ['(declare-const x (_ FloatingPoint 8 24))', "'FloatingPoint' (floating-point numbers)"],
    ['(declare-const x String)', "'String' (strings)"],
    ['(assert (forall ((x Bool)) x))', "'forall' (quantifiers)"],
    ['(assert (> 1 2))', "'>' (integer and real arithmetic)"],
    ['(assert (= 1 2))', 'the number 1 (integer and real arithmetic)'],
    ['(assert (= 1.5 2))', 'the number 1.5 (integer and real arithmetic)'],
    ['(declare-datatypes ((T 0)) (((c))))', "'declare-datatypes' (algebraic data types)"],
    ['(define-fun-rec f () Bool true)', "'define-fun-rec' (recursive functions)"],
  ] as const) {
    t.throws(() => printed(text), { message: `${name} is outside the supported fragment` }, text);
    try {
      printed(text);
    } catch (error) {
      t.match((error as Error).message, `${name} is outside the supported fragment`);
    }
  }
  t.end();
});

t.test('after an error the next command can be read', t => {
  const terms = new TermStore();
  const reader = new ScriptReader(terms, 'f', '(declare-const p Bool) (assert (and p q)) (assert p)');
  t.equal(reader.next()?.kind, 'declaration');
  t.throws(() => reader.next(), /unknown symbol 'q'/);
  t.equal(reader.next()?.kind, 'assert');
  t.equal(reader.next(), undefined);
  t.end();
});

t.test('deep nesting costs no call stack', t => {
  const depth = 300_000;
  const lists = new SExprs('f', '('.repeat(depth) + ')'.repeat(depth));
  t.equal(lists.topLevel().length, 1);
  t.throws(() => printed('('.repeat(depth)), /never closed/);
  t.throws(() => printed(`(assert ${'(not '.repeat(depth)}q${')'.repeat(depth)})`), /unknown symbol 'q'/);
  const sort = `${'(Array Bool '.repeat(depth)}Bool${')'.repeat(depth)}`;
  t.throws(() => printed(`(declare-const a ${sort})`), /sorts nest at most 100 deep/);
  const annotated = `(assert ${'(! '.repeat(depth)}true${' :a)'.repeat(depth)})`;
  t.same(printed(annotated), ['true']);
  t.end();
});

t.test('every file of the corpus is read, or refused with a position', t => {
  const root = new URL('../../../../shared/corpus/smt', import.meta.url).pathname;
  if (!existsSync(root)) {
    t.comment('the corpus is not here: skipped');
    t.end();
    return;
  }
  const files = (readdirSync(root, { recursive: true }) as string[]).filter(f => f.endsWith('.smt2'));
  let read = 0;
  for (const file of files) {
    try {
      assertionsOf(new TermStore(), readFileSync(join(root, file), 'utf8'));
      read++;
    } catch (error) {
      if (!/^test\.smt2:\d+:\d+: /.test((error as Error).message)) t.fail(`${file}: ${error}`);
    }
  }
  t.ok(read >= files.length - 15, `${read} of ${files.length} files read`);
  t.end();
});

t.test('a definition that uses the name of its own parameter elsewhere', t => {
  const terms = new TermStore();
  const [assertion] = assertionsOf(
    terms,
    `(declare-const x (_ BitVec 2)) (define-fun f ((x (_ BitVec 2))) (_ BitVec 2) (bvadd x #b01))
     (assert (= (f (f x)) (bvadd x #b10)))`,
  );
  t.ok(isValid(terms, assertion));
  t.end();
});
