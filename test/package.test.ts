/** The package as its users have it: types, node, bundlers, pages, and every example that the documentation shows. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import ts from 'typescript';
import { servePage } from '../web/serve.mjs';
import { browserPath, launch, portOf, skipForLackOfBrowser } from './support/browser.ts';
import { projectWithPackage } from './support/installed.ts';

const page = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const blocksOf = (name: string, language: string) =>
  [...page(name).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(m => m[1]);

/** In the order of the page. */
const [nodeExample, bundledExample, workerExample] = blocksOf('docs/library.md', 'js');
const [plainPage] = blocksOf('docs/library.md', 'html');
const [bundling] = blocksOf('docs/library.md', 'sh');
const BUNDLED =
  '<!doctype html><title>A page</title><body><script type="module" src="./main.js"></script></body>';

const { folder, run, write } = projectWithPackage(t);
const tool = (name: string) => new URL(`../node_modules/.bin/${name}`, import.meta.url).pathname;

t.test('there are types, and nothing but what is meant to be there', t => {
  const installed = join(folder, 'node_modules/euforia');
  t.same(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'examples', 'package.json']);
  t.ok(readdirSync(join(installed, 'dist/types')).includes('api.d.ts'));
  t.same(
    readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.')),
    ['euforia'],
    'no dependencies',
  );
  t.end();
});

/** Undefined values are what callers under `exactOptionalPropertyTypes` pass on. */
const USE = `
import { certify, check, type CheckOptions, convert, InputError, LimitReached, properties, solve } from 'euforia';

export async function explain(text: string, timeout?: number, signal?: { readonly aborted: boolean }): Promise<string> {
  const options: CheckOptions = { timeout, signal, memory: undefined, engines: undefined, bound: undefined };
  const result = await check(text, options);
  const names: (string | undefined)[] = result.properties.map(p => p.name);
  if (result.verdict === 'unsafe') return result.table + names.join();
  if (result.verdict === 'unknown') return result.reason;
  const proof = await certify(text, result.invariant, { property: result.property, timeout });
  return proof.verdict === 'valid' ? result.invariant : proof.reason;
}
export const text: Promise<string> = convert('', { to: 'btor2', steps: undefined });
export const count: Promise<number> = properties('').then(all => all.length);
export const sat: Promise<boolean> = solve('(check-sat)').then(r => r.answers[0] === 'sat');
export const place = (e: unknown) => (e instanceof InputError ? e.line : e instanceof LimitReached ? e.reason : undefined);
// @ts-expect-error there is no such option, and what is not found would be of any type
void check('', { timout: 3 });
`;
const USE_WORKER = `
import { type CheckResult, inWorker } from 'euforia/worker';

const { check, certify, convert, properties, solve, close } = inWorker({ compiler: undefined });
const signal: AbortSignal | undefined = undefined;
export const result: Promise<CheckResult> = check('', { signal, onProgress: p => p.phase.length, files: {} });
export const others: Promise<unknown>[] = [certify('', ''), convert('', { to: 'vmt' }), properties(''), solve('')];
close();
// @ts-expect-error functions other than listeners cannot be sent
void check('', { lookUp: () => undefined });
`;

t.test('types hold wherever the package is imported from', t => {
  for (const kind of ['mts', 'cts']) {
    write(`use.${kind}`, USE);
    write(`worker.${kind}`, USE_WORKER);
  }
  // What comes with the language is the same for all, and takes the most time to read.
  const libraries = new Map<string, ts.SourceFile | undefined>();
  const errorsOf = (files: readonly string[], options: ts.CompilerOptions): readonly string[] => {
    const all: ts.CompilerOptions = {
      ...options,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipDefaultLibCheck: true,
      types: [],
      noEmit: true,
    };
    const host = ts.createCompilerHost(all);
    const read = host.getSourceFile.bind(host);
    host.getCurrentDirectory = () => folder;
    host.getSourceFile = (file, ...rest) => {
      if (!/\/lib\.[^/]*\.d\.ts$/.test(file)) return read(file, ...rest);
      if (!libraries.has(file)) libraries.set(file, read(file, ...rest));
      return libraries.get(file);
    };
    const program = ts.createProgram(
      files.map(f => join(folder, f)),
      all,
      host,
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        d => `${basename(d.file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(d.messageText, ' ')}`,
      );
  };
  const target = ts.ScriptTarget.ES2022;
  for (const [name, module, moduleResolution] of [
    ['node16', ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
    ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ['bundler', ts.ModuleKind.Preserve, ts.ModuleResolutionKind.Bundler],
  ] as const) {
    const options = { target, module, moduleResolution };
    t.same(
      errorsOf(['use.mts', 'use.cts'], { ...options, lib: ['lib.es2022.d.ts'] }),
      [],
      `${name}, from ES modules and CommonJS, with nothing but the language`,
    );
    t.same(
      errorsOf(['worker.mts', 'worker.cts'], { ...options, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] }),
      [],
      `${name}, in a page`,
    );
  }
  t.end();
});

t.test('in node', t => {
  t.equal(
    run('npx', '--offline', 'euforia', 'check', 'node_modules/euforia/examples/copy.vmt', '--quiet'),
    'safe\n',
  );
  write('library.mjs', nodeExample);
  t.equal(
    run('node', 'library.mjs'),
    blocksOf('docs/library.md', 'text')[0],
    'the example of the documentation',
  );
  const [snippet] = blocksOf('README.md', 'js');
  write('readme.mjs', snippet);
  t.match(run('node', 'readme.mjs'), 'step 5 violates property 1 (never-five)', "the README's snippet");
  // 46337 is a prime: its square has no two different factors, which takes more than the light engine's share to show.
  write(
    'hard.cjs',
    `const { solve } = require('euforia');
     const script = \`(set-logic QF_BV) (declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16))
       (assert (= (bvmul ((_ zero_extend 16) a) ((_ zero_extend 16) b)) (_ bv2147117569 32)))
       (assert (bvugt a #x0001)) (assert (bvult a b)) (check-sat)\`;
     const onWarning = message => { throw new Error(message); };
     solve(script, { onWarning }).then(({ answers }) => console.log(answers.join()));`,
  );
  t.equal(run('node', 'hard.cjs'), 'unsat\n', 'CommonJS, and the SAT solver is found without help');
  t.end();
});

/** What a page has to load before its first question, and what with it, compressed, but for the solver's WebAssembly. */
const AT_FIRST = 120_000;
const WITH_QUESTION = 220_000;

t.test('in bundles', t => {
  write('main.js', bundledExample);
  write('index.html', BUNDLED);
  for (const line of bundling.trim().split('\n')) {
    const [npx, name, ...args] = line.split(' ');
    t.equal(npx, 'npx');
    run(tool(name), ...args, ...(name === 'esbuild' ? ['--metafile=meta.json'] : []));
  }
  write('out/index.html', BUNDLED);
  const { outputs } = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as Metafile;
  const sizeOf = (path: string) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length;
  /** Files by the beginnings of their names, and all that they cannot do without, compressed. */
  const sizeOfAll = (...names: readonly string[]) => {
    const isNamed = (path: string) => names.some(n => new RegExp(`^${n}\\b`).test(basename(path)));
    const needed = new Set(Object.keys(outputs).filter(isNamed));
    for (const path of needed)
      for (const other of outputs[path].imports)
        if (other.kind === 'import-statement') needed.add(other.path);
    return [...needed].reduce((sum, path) => sum + sizeOf(path), 0);
  };
  const atFirst = sizeOfAll('main');
  const withQuestion = sizeOfAll('main', 'check', 'cadical');
  t.comment(`a page with the library: ${atFirst} bytes, with a question ${withQuestion} bytes`);
  t.ok(atFirst > 10_000 && atFirst <= AT_FIRST, `${atFirst} bytes`);
  t.ok(withQuestion > atFirst + 50_000 && withQuestion <= WITH_QUESTION, `${withQuestion} bytes`);

  // The worker by itself, since the page of a bundler is its folder.
  mkdirSync(join(folder, 'apart'));
  write('apart/main.js', workerExample);
  write('apart/index.html', BUNDLED);
  run(tool('vite'), 'build', 'apart');
  t.end();
});

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  >;
}

if (browserPath === undefined) skipForLackOfBrowser(t, 'the package in pages');
else t.test('in pages', inPages);

async function inPages(t: Test): Promise<void> {
  write('index.html', plainPage);
  const { browser, close, takeEscapes } = await launch();
  t.teardown(close);
  for (const [what, root, text] of [
    ['bundled by esbuild', 'out', 'never-nine: unsafe'],
    ['bundled by Vite', 'dist', 'never-nine: unsafe'],
    ['not bundled', '.', 'unasked: safe, late: unsafe'],
    ['in a worker, bundled by Vite', 'apart/dist', 'never-on: unsafe'],
  ] as const) {
    const server = await servePage(join(folder, root), 0);
    const page = await browser.newPage();
    await page.setBypassCSP(true); // the policy of our own page allows no script in a page
    const failures: string[] = [];
    page.on('pageerror', error => failures.push(String(error)));
    await page.goto(`http://localhost:${portOf(server)}/`);
    await page.waitForFunction('document.body.innerText.includes(":")', { timeout: 20_000 }).catch(() => {});
    t.equal(await page.evaluate('document.body.innerText.trim()'), text, what);
    t.same(failures, []);
    await page.close();
    server.close();
  }
  t.same(takeEscapes(), [], 'nothing is asked of other hosts');
}
