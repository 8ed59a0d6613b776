/** The library: its functions with typed results, and a bundle for browsers that asks nothing of node. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import t from 'tap';
import { withSolver } from '../build/solver.mjs';
import {
  type CheckResult,
  certify,
  check,
  convert,
  InputError,
  LimitReached,
  NotExpressible,
  properties,
  solve,
} from '../src/api.ts';

/** 46337 is a prime: its square has no two different factors, which takes more than the light engine's share to show. */
const HARD_SCRIPT = `(set-logic QF_BV) (declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16))
  (assert (= (bvmul ((_ zero_extend 16) a) ((_ zero_extend 16) b)) (_ bv2147117569 32)))
  (assert (bvugt a #x0001)) (assert (bvult a b)) (check-sat)`;

const example = (name: string) => readFileSync(new URL(`../examples/${name}`, import.meta.url), 'utf8');

t.test('verdicts with their evidence', async t => {
  const safe = await check(example('counter.vmt'), { property: 0 });
  t.equal(safe.verdict, 'safe');
  if (safe.verdict === 'safe') {
    t.match(safe.invariant, '(define-fun inv () Bool');
    t.same(
      safe.certificate.slice(0, 3).map(s => s.name),
      ['init.smt2', 'step.smt2', 'property.smt2'],
    );
  }
  const unsafe = await check(example('counter.vmt'), { property: 1 });
  t.equal(unsafe.verdict, 'unsafe');
  if (unsafe.verdict === 'unsafe') {
    t.match(unsafe.table, 'step 5 violates property 1');
    t.equal(JSON.parse(unsafe.trace).steps.length, 6);
    t.match(unsafe.vcd, '$enddefinitions');
  }
  const stopped = await check(example('counter.vmt'), { signal: { aborted: true } });
  t.match(stopped, { verdict: 'unknown', reason: 'aborted' });
});

t.test('bad input has a place', async t => {
  await t.rejects(check('(declare-const x Bool)\n(assert y)', { file: 'm.vmt' }), {
    message: /^m\.vmt:2:9: /,
  });
  await t.rejects(check(example('copy.vmt'), { property: 3 }), InputError);

  const all = await check(example('counter.vmt'));
  t.equal(all.verdict, 'unsafe', 'one of its properties is violated');
  t.same(
    all.properties.map(p => [p.property, p.verdict]),
    [
      [0, 'safe'],
      [1, 'unsafe'],
    ],
  );
  t.equal(all.property, 1, 'the evidence is of the one that decides');
  t.same(await properties(example('counter.vmt')), [
    { index: 0, name: 'never-ten' },
    { index: 1, name: 'never-five' },
  ]);
});

t.test('the bundle for browsers runs where there is nothing of node', async t => {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/api.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    target: 'es2022',
    format: 'iife',
    globalName: 'euforia',
    platform: 'browser',
    external: ['cadical-wasm'],
    logLevel: 'silent',
  });
  const heard: string[] = [];
  const context = createContext({
    setTimeout,
    performance,
    hear: (p: { phase: string }) => heard.push(p.phase),
  });
  runInContext(outputFiles[0].text, context);
  const question = `euforia.check(${JSON.stringify(example('counter.vmt'))}, { property: 0, onProgress: hear })`;
  const result: CheckResult = await runInContext(question, context);
  t.equal(result.verdict, 'safe');
  t.equal(runInContext('typeof process + typeof require + typeof Buffer', context), 'undefined'.repeat(3));
});

t.test('the format of a text without a name is told by what is in it', async t => {
  t.equal((await check(example('handshake.btor2'))).verdict, 'unsafe');
  t.equal((await check(example('two-loops.smt2'))).verdict, 'safe');
  t.equal((await check('define i32 @main() {\n  ret i32 0\n}\n')).verdict, 'safe', 'LLVM IR');
  await t.rejects(check(example('lock.c')), { file: 'input.c', message: /C needs a compiler/ });
  await t.rejects(check('/* C */ int main(void) { return 0; }'), /C needs a compiler/);
  for (const text of ['', 'frob', 'p cnf 1 1\n1 0\n'])
    await t.rejects(check(text), { message: /^input:1:1: expected VMT, Horn clauses, BTOR2, C or LLVM IR/ });
});

t.test('answers about properties have their names', async t => {
  const text = example('counter.vmt');
  const { name, properties: all } = await check(text);
  t.same([name, ...all.map(p => p.name)], ['never-five', 'never-ten', 'never-five']);
  t.equal((await check(text, { property: 'never-ten' })).property, 0);
});

t.test('limits and engines are those of the command line', async t => {
  const text = example('counter.vmt');
  t.match(await check(text, { memory: 1 }), { verdict: 'unknown', reason: 'memory' });
  const signal = { aborted: true, reason: 'memory' };
  t.match(
    await check(text, { signal }),
    { reason: 'aborted' },
    "the reason of the caller's signal is the caller's",
  );
  const bounded = await check(text, { engines: ['bounded'], bound: 3 });
  t.same([bounded.verdict, bounded.engines.map(e => e.name)], ['unknown', ['bounded']]);
  for (const encoding of ['functional', 'relational'] as const)
    t.equal((await check(text, { encoding, property: 0 })).verdict, 'safe', encoding);
  const aborted = { signal: { aborted: true } };
  t.match(await certify(text, '(assert true)', aborted), { verdict: 'unknown', reason: 'aborted' });
  const long = text + '(declare-const unused Bool)'.repeat(2000);
  await t.rejects(properties(long, aborted), LimitReached);
  await t.rejects(convert(long, aborted), new LimitReached('aborted'));
});

t.test("somebody's invariant", async t => {
  const text = example('counter.vmt');
  const safe = await check(text, { property: 0 });
  const invariant = safe.verdict === 'safe' ? safe.invariant : '';
  t.same(await certify(text, invariant, { property: 0 }), {
    verdict: 'valid',
    properties: [{ property: 0, name: 'never-ten', verdict: 'valid' }],
  });
  const both = await certify(text, invariant);
  t.same(
    both.properties.map(p => [p.name, p.verdict]),
    [
      ['never-ten', 'valid'],
      ['never-five', 'invalid'],
    ],
  );
  t.equal(both.verdict, 'invalid');
  t.ok(both.verdict !== 'valid' && both.reason.length > 0, 'there is a reason');
  await t.rejects(certify(text, '(assert frob)'), { message: /^invariant:1:9: / });
  await t.rejects(certify(example('two-loops.smt2'), '(assert true)'), /not for Horn clauses/);
});

t.test('systems in other formats have the same verdicts', async t => {
  const counter = example('counter.vmt');
  for (const to of ['vmt', 'chc', 'btor2'] as const) {
    const { verdict, properties } = await check(await convert(counter, { to }));
    const each = to === 'chc' ? ['unsafe'] : ['safe', 'unsafe']; // clauses are one question
    t.same([verdict, ...properties.map(p => p.verdict)], ['unsafe', ...each], to);
  }
  t.equal(await convert(counter), await convert(counter, { to: 'vmt' }));
  const unrolled = await convert(counter, { to: 'smt2-bmc', steps: 5 });
  t.ok((await solve(unrolled)).answers.includes('sat'), 'five steps lead to a violation');
  await t.rejects(convert(example('copy.vmt'), { to: 'chc' }), NotExpressible);
});

t.test('SMT-LIB scripts', async t => {
  t.same(await solve(example('towers.smt2')), {
    replies: ['sat', 'unsat'],
    answers: ['sat', 'unsat'],
    hasErrors: false,
  });
  const wrong = await solve('(declare-const p Bool)\n(assert q)\n(echo "sat")\n(check-sat)', {
    file: 'a.smt2',
  });
  t.same([wrong.answers, wrong.hasErrors], [['unknown'], true]);
  t.match(wrong.replies[0], /^\(error "a\.smt2:2:9: /);
  t.same((await solve(HARD_SCRIPT, { signal: { aborted: true } })).answers, ['unknown']);
  t.same((await solve(HARD_SCRIPT, { timeout: 0 })).answers, ['unknown']);
});

t.test('a script can be stopped in the middle of a question', async t => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  // The product of two numbers of 40 bits: nobody factors it before the event loop turns.
  const script = HARD_SCRIPT.replaceAll('16', '40')
    .replace('(_ bv2147117569 32)', '(_ bv604462909806215075725313 80)')
    .replace('#x0001', '(_ bv1 40)');
  t.same((await solve(script, { signal: controller.signal })).answers, ['unknown']);
});

t.test(
  'the WebAssembly solver is found, or is what the caller gives, and is loaded only if needed',
  async t => {
    const onWarning = (message: string) => t.fail(message);
    t.same((await solve(HARD_SCRIPT, { onWarning })).answers, ['unsat']);
    const path = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
    let asked = 0;
    const wasm = () => {
      asked++;
      return readFile(path);
    };
    t.equal((await check(example('copy.vmt'), { wasm })).verdict, 'safe');
    t.equal(asked, 0, 'no question was hard');
    t.same((await solve(HARD_SCRIPT, { wasm, onWarning })).answers, ['unsat']);
    t.equal(asked, 1);
    const warnings: string[] = [];
    const signal = { aborted: false };
    const missing = () => Promise.reject(new Error('it is not there'));
    const onFailure = (message: string) => {
      warnings.push(message);
      signal.aborted = true; // the light engine would go on for long
    };
    await solve(HARD_SCRIPT, { wasm: missing, onWarning: onFailure, signal });
    t.match(warnings, [/cannot be loaded \(it is not there\): going on without/]);
  },
);

t.test('what is built has the bytes in it and needs nothing of node', async t => {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/bv/cadical.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    target: 'es2022',
    format: 'iife',
    globalName: 'backEnd',
    platform: 'browser',
    plugins: [withSolver],
    logLevel: 'silent',
  });
  // What every page has; there is no fetch, so nothing but what is built in can be the source.
  const page = { TextDecoder, performance, setTimeout, URL, atob, Response, DecompressionStream };
  const context = createContext(page);
  runInContext(outputFiles[0].text, context);
  const answer = await runInContext(
    `(async () => {
      const solver = (await backEnd.loadCadical()).make();
      solver.newVar();
      solver.newVar();
      solver.addClause([0, 2]);
      solver.addClause([1]);
      return [typeof process, solver.solve([]), solver.value(2), solver.solve([3])].join(' ');
    })()`,
    context,
  );
  t.equal(answer, 'undefined sat true unsat');
});
