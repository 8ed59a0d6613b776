/** The library in a worker of a real browser, with no bundler: the files of the package as they are. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import t from 'tap';
import { withSolver } from '../../build/solver.mjs';
import { servePage } from '../../web/serve.mjs';
import { browserPath, launch, portOf, skipForLackOfBrowser } from '../support/browser.ts';
import { HARD } from '../support/hard.ts';

const at = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const COUNTER = readFileSync(at('examples/counter.vmt'), 'utf8');

if (browserPath === undefined) {
  skipForLackOfBrowser(t, 'a worker in a browser');
} else {
  t.test('a worker of a browser', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'euforia-worker-'));
    const common: BuildOptions = { bundle: true, format: 'esm', platform: 'browser', plugins: [withSolver] };
    await build({ ...common, entryPoints: [at('src/worker/client.ts')], outfile: join(folder, 'worker.js') });
    await build({
      ...common,
      entryPoints: [at('src/worker/thread.ts')],
      outdir: join(folder, 'worker'),
      splitting: true,
    });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>a page</title>');
    const server = await servePage(folder, 0);
    const { browser, close } = await launch();
    t.teardown(async () => {
      await close();
      server.close();
      rmSync(folder, { recursive: true });
    });
    const page = await browser.newPage();
    const fetched: string[] = [];
    server.on('request', request => fetched.push(request.url ?? ''));
    await page.goto(`http://localhost:${portOf(server)}/`);
    const inPage = (body: string) =>
      page.evaluate(`import('/worker.js').then(async ({ inWorker, InputError }) => { ${body} })`);

    const verdicts = `
      const { check, close } = inWorker();
      const results = [];
      for (const property of [0, 1]) results.push(await check(${JSON.stringify(COUNTER)}, { property }));
      const error = await check('(assert', { file: 'm.vmt' }).catch(e => e);
      close();
      return [...results.map(r => r.verdict), error instanceof InputError, error.line];`;
    t.same(await inPage(verdicts), ['safe', 'unsafe', true, 1]);

    const abort = `
      const { check, close } = inWorker();
      const controller = new AbortController();
      let [heard, turns] = [0, 0];
      const timer = setInterval(() => turns++, 1);
      const result = await check(${JSON.stringify(HARD)}, {
        signal: controller.signal,
        onProgress: () => ++heard === 20 && controller.abort(),
      });
      clearInterval(timer);
      close();
      return [result.verdict, result.reason, turns > 20];`;
    t.same(await inPage(abort), ['unknown', 'aborted', true], 'the page was alive all the time');
    const isSolver = (path: string) => path.startsWith('/worker/packed-cadical-');
    t.ok(fetched.some(isSolver), 'the WebAssembly solver is found beside the worker');
  });
}
