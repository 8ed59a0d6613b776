/** The library in a worker: the same answers and errors, and an end at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import t from 'tap';
import {
  certify,
  check,
  convert,
  InputError,
  LimitReached,
  NotExpressible,
  properties,
  solve,
} from '../../src/api.ts';
import { CompileError } from '../../src/formats/c/messages.ts';
import { inWorker } from '../../src/worker/client.ts';
import { packed, unpacked } from '../../src/worker/messages.ts';
import { type WorkerLike, Workers } from '../../src/worker/remote.ts';
import { HARD } from '../support/hard.ts';

const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

// Threads start without the loader of TypeScript.
const threadFile = join(t.testdir({}), 'thread.mjs');
await build({
  entryPoints: [new URL('../support/worker-thread.ts', import.meta.url).pathname],
  bundle: true,
  outfile: threadFile,
  platform: 'node',
  format: 'esm',
  external: ['cadical-wasm'],
});

let started = 0;

/** A thread of node with the handlers of a browser's worker. */
function nodeWorker(): WorkerLike {
  started++;
  const thread = new Worker(threadFile, { execArgv: [] });
  const worker: WorkerLike = {
    postMessage: call => thread.postMessage(call),
    terminate: () => void thread.terminate(),
    onmessage: null,
    onerror: null,
  };
  thread.on('message', data => worker.onmessage?.({ data }));
  thread.on('error', error => worker.onerror?.(error as Error));
  return worker;
}

t.test('a worker answers as the library does', async t => {
  const library = inWorker({ worker: nodeWorker });
  for (const property of [0, 1]) {
    const text = example('counter.vmt');
    t.same(await library.check(text, { property }), await check(text, { property }));
  }
  t.equal(started, 1, 'one worker serves one call after another');
  const bad = library.check('(declare-const x Bool)\n(assert y)', { file: 'm.vmt' });
  await t.rejects(bad, InputError);
  await t.rejects(bad, { message: /^m\.vmt:2:9: / });
  library.close();
});

t.test('it tells of progress', async t => {
  const library = inWorker({ worker: nodeWorker });
  const controller = new AbortController();
  const phases = new Set<string>();
  // Nothing is told of what is over within a tenth of a second; this goes on until it was heard of.
  const result = await library.check(HARD, {
    signal: controller.signal,
    onProgress: ({ phase }) => {
      phases.add(phase);
      controller.abort();
    },
  });
  t.match(result, { verdict: 'unknown', reason: 'aborted' });
  t.equal(phases.size, 1);
  library.close();
});

t.test('it has all functions of the library, with their errors', async t => {
  const library = inWorker({ worker: nodeWorker });
  const text = example('counter.vmt');
  const wrong = '(assert (= count #x0))';
  t.same(await library.properties(text), await properties(text));
  t.same(await library.certify(text, wrong), await certify(text, wrong));
  t.same(await library.convert(text, { to: 'btor2' }), await convert(text, { to: 'btor2' }));
  t.same(await library.solve(example('towers.smt2')), await solve(example('towers.smt2')));
  const misspelt = { timout: 3 } as object;
  await t.rejects(
    library.check(text, misspelt),
    new TypeError('check: there is no option timout: did you mean timeout?'),
  );
  await t.rejects(library.convert(example('copy.vmt'), { to: 'chc' }), NotExpressible);
  const long = text + '(declare-const unused Bool)'.repeat(2000);
  await t.rejects(library.properties(long, { timeout: 0 }), new LimitReached('deadline'));
  library.close();
});

t.test('abort ends whatever the worker does, and the answer is that of the function', async t => {
  const workers = new Workers(nodeWorker, {});
  const spin = workers.function<(text: string, options: { seed?: number }) => string>('spin');
  const before = started;
  const controller = new AbortController();
  const other = new AbortController();
  const endless = spin('', { signal: controller.signal });
  const beside = spin('', { signal: other.signal });
  t.equal(started, before + 2, 'calls at the same time have a worker each');
  controller.abort();
  t.equal(await endless, 'stopped');
  t.equal(await spin('', { signal: controller.signal }), 'stopped', 'a signal that is aborted already');
  const race = await Promise.race([beside, Promise.resolve('still at work')]);
  t.equal(race, 'still at work', 'nobody else is ended');
  workers.close();
  await t.rejects(beside, /closed/);
});

t.test('what is no plain data', async t => {
  const workers = new Workers(nodeWorker, { wasm: 'http://localhost/cadical.wasm' });
  const echo = workers.function<(options: object) => readonly string[]>('echo');
  const sent = { seed: 3, onProgress: () => {}, files: { 'a.h': '' }, signal: new AbortController().signal };
  t.same(await (echo as () => Promise<unknown>)(), ['wasm: function'], 'also without options');
  t.same([...(await echo(sent))].sort(), [
    'lookUp: function',
    'onProgress: function',
    'seed: number',
    'wasm: function',
  ]);
  const include = workers.function<(options: object) => string>('include');
  t.equal(await include({ files: { 'a.h': 'int a;' } }), 'int a;');
  t.equal(await include({ files: {} }), 'nothing');
  await t.rejects(echo({ lookUp: () => '' } as object), /the option lookUp cannot be sent to a worker/);
  workers.close();
});

t.test('errors keep their class', async t => {
  const workers = new Workers(nodeWorker, {});
  await t.rejects(workers.function<() => void>('fail')(), RangeError);
  await t.rejects(
    workers.function<() => void>('refuse')(),
    new InputError('a.vmt', 3, 7, 'expected something else'),
  );
  workers.close();
  const two = [new InputError('a.c', 1, 2, 'one'), new InputError('a.c', 3, 4, 'two')];
  const copy = unpacked(structuredClone(packed(new CompileError(two))));
  t.type(copy, CompileError);
  t.equal(copy.message, new CompileError(two).message);
  t.same(
    (copy as CompileError).errors.map(e => e.message),
    two.map(e => e.message),
  );
});

t.test('a worker that cannot be started is an error', async t => {
  const workers = new Workers(() => {
    const worker = nodeWorker();
    queueMicrotask(() => worker.onerror?.({ message: 'not found' }));
    return worker;
  }, {});
  await t.rejects(workers.function<() => void>('echo')(), /the worker has failed: not found/);
  workers.close();
});
