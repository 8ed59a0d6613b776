/** SMT-LIB scripts through the interpreter: replies, models, cores, errors, and every logic it must refuse. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { HeavyBackEnd } from '../src/bv/tiered.ts';
import { Interpreter } from '../src/smt/interpreter.ts';
import { loadCadicalForTests } from './support/cadical.ts';

async function run(text: string, deadline?: number) {
  const lines: string[] = [];
  const warnings: string[] = [];
  const interpreter = new Interpreter({
    write: line => lines.push(line),
    warn: line => warnings.push(line),
    deadline,
    version: '1.2.3',
    heavy: new HeavyBackEnd(loadCadicalForTests, line => warnings.push(line)),
  });
  const isFine = await interpreter.run('f.smt2', text);
  return { lines, warnings, isFine };
}

const HEADER = `(set-logic QF_UF) (declare-sort S 0) (declare-fun f (S) S) (declare-fun p (S S) Bool)
(declare-const a S) (declare-const b S) (declare-const c S) (declare-const q Bool) (declare-const r Bool)\n`;

t.test('answers', async t => {
  for (const [script, expected] of [
    ['(check-sat)', 'sat'],
    ['(assert (= a b)) (assert (not (= (f a) (f b)))) (check-sat)', 'unsat'],
    ['(assert (= a b)) (push) (assert (distinct (f a) (f b))) (check-sat) (pop) (check-sat)', 'unsat sat'],
    ['(assert (p a b)) (assert (= a c)) (check-sat-assuming ((not (p c b)))) (check-sat)', 'unsat sat'],
    ['(assert (ite q (= a b) (= a c))) (assert (distinct a b c)) (check-sat)', 'unsat'],
    ['(assert (distinct (f a) (f (ite q a b)))) (assert (= a b)) (check-sat)', 'unsat'],
    ['(declare-fun g (Bool) S) (assert (distinct (g q) (g r) (g (and q r)))) (check-sat)', 'unsat'],
    ['(declare-fun g (Bool) Bool) (assert (not (= (g q) (g (g (g q)))))) (check-sat)', 'unsat'],
    ['(assert (= (f (f (f a))) a)) (assert (= (f (f a)) a)) (assert (not (= (f a) a))) (check-sat)', 'unsat'],
    ['(assert false) (reset-assertions) (declare-const d Bool) (assert d) (check-sat)', 'sat'],
    ['(assert q) (assert (not q)) (check-sat) (reset) (set-logic QF_UF) (check-sat)', 'unsat sat'],
    ['(check-sat) (exit) (check-sat)', 'sat'],
  ] as const) {
    const { lines, isFine } = await run(HEADER + script);
    t.equal(lines.join(' '), expected, script);
    t.ok(isFine);
  }
});

t.test('replies', async t => {
  for (const [script, expected] of [
    ['(echo "say ""hi""")', '"say ""hi"""'],
    ['(get-info :name)', '(:name "euforia")'],
    ['(get-info :version)', '(:version "1.2.3")'],
    ['(push 2) (get-info :assertion-stack-levels)', '(:assertion-stack-levels 2)'],
    ['(get-info :error-behavior)', '(:error-behavior continued-execution)'],
    ['(get-info :frob)', 'unsupported'],
    ['(set-option :frob 3)', 'unsupported'],
    ['(set-option :print-success true) (assert q) (push)', 'success success success'],
    ['(set-option :produce-models true) (get-option :produce-models)', 'true'],
    ['(assert (or q (= a (f b)))) (assert r) (get-assertions)', '((or q (= a (f b)))\n r)'],
    [
      '(assert (! q :named n)) (assert (! (or q r) :named m)) (check-sat) (get-assignment)',
      'sat ((n true) (m true))',
    ],
    [
      '(assert q) (assert (not r)) (check-sat) (get-value (q r (and q  r)))',
      'sat ((q true)\n (r false)\n ((and q  r) false))',
    ],
    [
      '(assert (= a b)) (assert (distinct a c)) (check-sat) (get-value (a c b))',
      'sat ((a (as @S!0 S))\n (c (as @S!1 S))\n (b (as @S!0 S)))',
    ],
    ['(get-proof)', 'unsupported'],
  ] as const) {
    t.equal((await run(HEADER + script)).lines.join(' '), expected, script);
  }
});

t.test('a model is a model: it defines every symbol, and the script with it is satisfiable', async t => {
  const script = `${HEADER}(assert (p a (f b))) (assert (not (p b (f b)))) (assert (= (f a) c))
    (assert (distinct a b c (f c)))`;
  const { lines } = await run(`${script} (check-sat) (get-model)`);
  const model = lines[1];
  for (const symbol of ['f', 'p', 'a', 'b', 'c', 'q', 'r']) t.match(model, `(define-fun ${symbol} (`);
  // Abstract values become constants that are all different; the definitions replace the declarations.
  const elements = [...new Set(model.match(/@S!\d+/g))];
  const concrete = model.replace(/\(as (@S!\d+) S\)/g, '$1').slice(1, -1);
  const closed = `(set-logic QF_UF) (declare-sort S 0)
    ${elements.map(e => `(declare-const ${e} S)`).join(' ')}
    ${elements.length > 1 ? `(assert (distinct ${elements.join(' ')}))` : ''}
    ${concrete} ${script.slice(script.indexOf('(assert'))} (check-sat)`;
  const again = await run(closed);
  t.same(again.lines, ['sat'], closed);
});

t.test('values and models speak of the same model, also of what the script never mentioned', async t => {
  const { lines } = await run(`${HEADER}(assert (distinct a b)) (assert (= (f a) a)) (check-sat) (get-model)
    (get-value (a b (f a) (f b) (= (f b) (f a)) (p a b) (p b b)))`);
  const definition = /define-fun f \(\(x!0 S\)\) S (.*)\)$/m.exec(lines[1])?.[1];
  const values = new Map(
    [...lines[2].matchAll(/\(((?:\([^()]*\))|\w+) ((?:\(as [^()]*\))|\w+)\)/g)].map(m => [m[1], m[2]]),
  );
  t.equal(definition, values.get('(f b)'), 'the default of f, which is all that its definition has');
  t.equal(values.get('(f a)'), values.get('a'));
  t.match(lines[2], '((= (f b) (f a)) true)');
});

t.test('a long chain of definitions', async t => {
  const text = [HEADER, '(declare-const x0 S)'];
  for (let i = 1; i <= 20_000; i++) text.push(`(declare-const x${i} S) (assert (= x${i} (f x${i - 1})))`);
  text.push('(assert (distinct x1 x2)) (check-sat) (get-value ((= x20000 (f x19999)) (= x1 x2)))');
  t.same((await run(text.join('\n'))).lines, ['sat', '(((= x20000 (f x19999)) true)\n ((= x1 x2) false))']);
});

t.test('options that would change the meaning of what was said before are refused', async t => {
  const late =
    await run(`(declare-const p Bool) (assert (! p :named n1)) (set-option :produce-unsat-cores true)
    (assert (! (not p) :named n2)) (check-sat)`);
  t.match(late.lines[0], ':produce-unsat-cores must be set before the first declaration or assertion');
  t.equal(late.lines[1], 'unsat');
  const off =
    await run(`(set-option :produce-unsat-cores true) (declare-const p Bool) (assert (! p :named n1))
    (assert (! (not p) :named n2)) (set-option :produce-unsat-cores false) (check-sat) (get-unsat-core)`);
  t.match(off.lines[0], 'error');
  t.same(off.lines.slice(1), ['unsat', '(n1 n2)']);
  t.match(
    (await run('(set-option :print-success maybe)')).lines[0],
    ":print-success is true or false, not 'maybe'",
  );
  t.match(
    (await run('(set-logic QF_UF) (set-logic QF_UF)')).lines[0],
    'set-logic must come first, and once only',
  );
  t.match(
    (await run('(set-option :produce-models false) (check-sat) (get-model)')).lines[1],
    'needs :produce-models true',
  );
});

t.test('what reset-assertions forgets', async t => {
  const local = await run('(declare-const p Bool) (assert p) (reset-assertions) (assert p)');
  t.match(local.lines[0], "unknown symbol 'p'");
  const global =
    await run(`(set-option :global-declarations true) (declare-const p Bool) (assert p) (reset-assertions)
    (assert (not p)) (check-sat) (get-model)`);
  t.same(global.lines, ['sat', '(\n  (define-fun p () Bool false)\n)']);
});

t.test('cores', async t => {
  const { lines } = await run(`(set-option :produce-unsat-cores true)${HEADER}
    (assert (! (= a b) :named ab)) (assert (! (= b c) :named bc)) (assert (! (= a (f a)) :named extra))
    (assert (! (not (= (f a) (f b))) :named apart)) (check-sat) (get-unsat-core)`);
  t.same(lines, ['unsat', '(ab apart)']);
  const assumptions = await run(
    `${HEADER} (assert (=> q (= a b))) (check-sat-assuming (r q (not  (= a b)))) (get-unsat-assumptions)`,
  );
  t.same(assumptions.lines, ['unsat', '(q (not  (= a b)))']);
});

t.test('errors are replies, and the script goes on', async t => {
  for (const [script, expected] of [
    ['(assert x)\n(check-sat)', '(error "f.smt2:1:9: unknown symbol \'x\': it is not declared")\nunknown'],
    [
      '(assert x) (check-sat) (get-info :reason-unknown) (assert false) (check-sat)',
      '(error "f.smt2:1:9: unknown symbol \'x\': it is not declared")\nunknown\n' +
        '(:reason-unknown "an assertion was in error")\nunsat',
    ],
    [
      '(push) (assert x) (pop) (check-sat)',
      '(error "f.smt2:1:16: unknown symbol \'x\': it is not declared")\nsat',
    ],
    ['(get-model)', '(error "f.smt2:1:1: get-model needs a check-sat that was answered sat")'],
    [
      '(assert false) (check-sat) (get-value (true))',
      'unsat\n(error "f.smt2:1:28: get-value needs a check-sat that was answered sat")',
    ],
    [
      '(check-sat) (assert true) (get-model)',
      'sat\n(error "f.smt2:1:27: get-model needs a check-sat that was answered sat")',
    ],
    [
      '(check-sat) (get-unsat-core)',
      'sat\n(error "f.smt2:1:13: get-unsat-core needs :produce-unsat-cores true")',
    ],
    [
      '(set-logic QF_UF) (assert (bvult #b0 #b1))',
      '(error "f.smt2:1:19: the term #b0 of sort (_ BitVec 1) is outside QF_UF")',
    ],
    [
      '(declare-const a (Array Bool (Array Bool Bool))) (assert (= a a))',
      '(error "f.smt2:1:1: the symbol a is not supported: arrays of arrays")\n' +
        '(error "f.smt2:1:50: the term a of sort (Array Bool (Array Bool Bool)) is not supported: arrays of arrays")',
    ],
    ['(check-sat', '(error "f.smt2:1:1: the list opened here is never closed: expected \')\'")'],
  ] as const) {
    const { lines, isFine } = await run(script);
    t.equal(lines.join('\n'), expected, script);
    t.notOk(isFine);
  }
});

t.test('other logics are refused by name, and nothing is answered', async t => {
  for (const logic of ['QF_LIA', 'UF', 'HORN']) {
    const { lines, isFine } = await run(`(set-logic ${logic}) (check-sat)`);
    const supported = 'QF_UF, QF_AX, QF_BV, QF_UFBV, QF_ABV, QF_AUFBV, ALL';
    t.same(lines, [`(error "f.smt2:1:1: the logic ${logic} is not supported: supported are ${supported}")`]);
    t.notOk(isFine);
  }
});

t.test('bit-vectors and arrays: answers, values, models', async t => {
  const { lines, isFine } = await run(`(set-logic QF_AUFBV)
    (declare-const x (_ BitVec 8)) (declare-const a (Array (_ BitVec 8) Bool)) (declare-fun f ((_ BitVec 8)) Bool)
    (assert (= (bvmul x x) #x31)) (assert (bvult x #x10)) (assert (select a x)) (assert (not (f x)))
    (check-sat) (get-value (x (bvadd x #x01) (select a #x07))) (get-model)
    (push) (assert (f #x07)) (check-sat) (pop) (check-sat-assuming ((not (= x #x07)))) (get-unsat-assumptions)`);
  t.ok(isFine);
  t.equal(lines[0], 'sat');
  t.equal(lines[1], '((x #x07)\n ((bvadd x #x01) #x08)\n ((select a #x07) true))');
  t.match(lines[2], '(define-fun x () (_ BitVec 8) #x07)');
  t.match(lines[2], '(define-fun f ((x!0 (_ BitVec 8))) Bool');
  t.same(lines.slice(3), ['unsat', 'unsat', '((not (= x #x07)))']);
});

t.test('a script that turns to bit-vectors half way', async t => {
  const { lines } = await run(`(declare-const p Bool) (assert p) (push) (assert (not p)) (check-sat) (pop)
    (declare-const x (_ BitVec 4)) (push) (assert (= p (bvult x #x1))) (check-sat) (get-value (p x))
    (assert (distinct x #x0)) (check-sat) (pop) (check-sat)`);
  t.same(lines, ['unsat', 'sat', '((p true)\n (x #x0))', 'unsat', 'sat']);
});

t.test('a model of everything is a model: the script with it is satisfiable', async t => {
  const script = `(declare-sort S 0) (declare-const s S) (declare-const u S) (declare-const w (_ BitVec 70))
    (declare-const m (Array (_ BitVec 2) (_ BitVec 40))) (declare-const n (Array S Bool))
    (declare-const k (Array (_ BitVec 2) (_ BitVec 40))) (declare-fun f ((_ BitVec 40) S) (_ BitVec 2))`;
  const formulas = `(assert (distinct s u)) (assert (distinct m k)) (assert (= (store m #b01 (select k #b01)) k))
    (assert (= (f (select m #b01) s) (bvnot (f (select k #b01) u)))) (assert (distinct (select n s) (select n u)))
    (assert (= ((_ extract 69 60) w) #b1010101010)) (assert (bvult (bvmul w w) w))`;
  const { lines } = await run(`${script}${formulas}(check-sat)(get-model)`);
  t.equal(lines[0], 'sat');
  // Elements of S are written as abstract values, which are no terms: constants take their place.
  const names = [...new Set([...lines[1].matchAll(/\(as (@S!\d+) S\)/g)].map(m => m[1]))];
  const model = lines[1].slice(1, -1).replace(/\(as (@S!\d+) S\)/g, '|e$1|');
  const symbols = script.replace(/\(declare-(const|fun).*/s, '');
  const elements = names.map(n => `(declare-const |e${n}| S)`).join(' ');
  const distinct = names.length > 1 ? `(assert (distinct ${names.map(n => `|e${n}|`).join(' ')}))` : '';
  const again = await run(`${symbols}${elements}${distinct}${model}${formulas}(check-sat)`);
  t.same(again.lines, ['sat']);
});

t.test('a model knows bit-vectors also where no assertion mentions them', async t => {
  const { lines } =
    await run(`(set-logic QF_ABV) (declare-const x (_ BitVec 1)) (declare-const y (_ BitVec 1))
    (declare-const p Bool) (declare-const a (Array (_ BitVec 1) Bool)) (assert p) (check-sat)
    (get-value ((bvule x x) (= (bvadd x y) (bvadd y x)) (select (store a x true) x)))`);
  t.same(lines, [
    'sat',
    '(((bvule x x) true)\n ((= (bvadd x y) (bvadd y x)) true)\n ((select (store a x true) x) true))',
  ]);
  const plain = await run(
    '(declare-const p Bool) (declare-const x (_ BitVec 4)) (assert p) (check-sat) (get-model)',
  );
  t.match(plain.lines[1], '(define-fun x () (_ BitVec 4) #x');
});

t.test('reset forgets the logic; commands with too much in them change nothing', async t => {
  const { lines } = await run(`(set-logic QF_UF) (declare-const p Bool) (assert p) (check-sat) (reset)
    (declare-const x (_ BitVec 4)) (assert (= x #x1)) (check-sat)`);
  t.same(lines, ['sat', 'sat']);
  const surplus = await run(
    `(declare-const x (_ BitVec 4)) (reset-assertions 3) (push 2 3) (assert (= x #x1)) (check-sat)`,
  );
  t.equal(surplus.lines.filter(l => l.includes("expected ')' here")).length, 2);
  t.equal(surplus.lines.at(-1), 'sat');
  const nested = await run('(declare-const a (Array Bool (Array Bool Bool))) (check-sat) (get-model)');
  t.match(nested.lines[0], 'the symbol a is not supported: arrays of arrays');
});

t.test('a wrong :status is remarked upon', async t => {
  const { lines, warnings } = await run('(set-info :status sat)\n(assert false)\n(check-sat)');
  t.same(lines, ['unsat']);
  t.same(warnings, ['f.smt2:3:1: warning: the answer unsat contradicts (set-info :status sat)']);
  t.same((await run('(set-info :status unsat) (assert false) (check-sat)')).warnings, []);
  t.same((await run('(set-info :status unknown) (assert false) (check-sat)')).warnings, []);
});

t.test('after the deadline the answer is unknown, with the reason', async t => {
  const holes = 12;
  const text = ['(set-logic QF_UF) (declare-sort S 0)'];
  for (let i = 0; i <= holes; i++) text.push(`(declare-const p${i} S)`);
  for (let i = 0; i < holes; i++) text.push(`(declare-const h${i} S)`);
  for (let i = 0; i <= holes; i++) {
    text.push(`(assert (or ${Array.from({ length: holes }, (_, j) => `(= p${i} h${j})`).join(' ')}))`);
  }
  text.push(`(assert (distinct ${Array.from({ length: holes + 1 }, (_, i) => `p${i}`).join(' ')}))`);
  text.push('(check-sat-assuming (true)) (get-info :reason-unknown)'); // symmetry would make it easy
  const { lines } = await run(text.join('\n'), Date.now() + 300);
  t.same(lines, ['unknown', '(:reason-unknown timeout)']);
});

t.test('the corpus', async t => {
  const root = new URL('../../shared/corpus/smt/', import.meta.url).pathname;
  if (!existsSync(root)) {
    t.comment('the corpus is not here: skipped');
    return;
  }
  const rows = readFileSync(`${root}MANIFEST.tsv`, 'utf8').trim().split('\n').slice(1);
  let solved = 0;
  for (const [path, , answers, milliseconds] of rows.map(r => r.split('\t'))) {
    if (Number(milliseconds) > 50 || path.includes('get-interpolant')) continue;
    const { lines } = await run(readFileSync(root + path, 'utf8'), Date.now() + 5000);
    const got = lines.filter(l => l === 'sat' || l === 'unsat' || l === 'unknown');
    const expected = answers.split(' ');
    if (got.join(' ') === answers) solved++;
    if (got.some((g, i) => g !== 'unknown' && g !== expected[i]))
      t.fail(`${path}: ${got}, expected ${answers}`);
  }
  t.ok(solved > 600, `${solved} scripts`);
});
