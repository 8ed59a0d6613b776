/** The library: one call, typed results, and a bundle for browsers that asks nothing of node. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import t from 'tap';
import { type CheckResult, check, InputError, properties } from '../src/api.ts';

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

t.test(
  'the WebAssembly solver is loaded from the bytes that the caller gives, and only if needed',
  async t => {
    const path = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
    let asked = 0;
    const wasm = () => {
      asked++;
      return readFile(path);
    };
    t.equal((await check(example('copy.vmt'), { wasm })).verdict, 'safe');
    t.equal(asked, 0, 'no question was hard');
  },
);

t.test('and it loads from bytes where there is nothing of node', async t => {
  const { outputFiles } = await build({
    entryPoints: [new URL('../src/bv/cadical.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    target: 'es2022',
    format: 'iife',
    globalName: 'backEnd',
    platform: 'browser',
    external: ['node:*'], // the package's glue code has imports for node that a browser never reaches
    define: { 'import.meta.url': '"http://localhost/euforia.js"' },
    logLevel: 'silent',
  });
  const path = createRequire(import.meta.url).resolve('cadical-wasm/cadical.wasm');
  const bytes = new Uint8Array(readFileSync(path));
  // What every page has; there is no fetch, so nothing but the bytes can be the source.
  const page = { bytes, TextDecoder, performance, setTimeout, URL, window: {}, document: {} };
  const context = createContext(page);
  runInContext(outputFiles[0].text, context);
  const answer = await runInContext(
    `(async () => {
      const solver = (await backEnd.loadCadical(bytes)).make();
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
