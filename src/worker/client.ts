/**
 * The library in a worker, `euforia/worker`: the same functions with the same arguments and answers, while the page stays alive
 * and abort works at once.
 *
 *   const { check } = inWorker();
 *   const result = await check(text, { signal: AbortSignal.timeout(5000), onProgress: p => show(p.phase) });
 */
import { NAMES } from './names.ts';
import { type Remote, type WorkerLike, Workers } from './remote.ts';

export type * from '../api.ts';
export { CompileError } from '../formats/c/messages.ts';
export { InputError } from '../formats/diagnostic.ts';
export { NotExpressible } from '../formats/not-expressible.ts';
export { Unknown as LimitReached } from '../sat/unknown.ts';
export { LOADING_COMPILER } from './loading-clang.ts';
export type { PageOptions, Remote, WorkerLike } from './remote.ts';

type Library = typeof import('../api.ts');

export interface WorkerOptions {
  /** Starts the worker, a module; where a bundler does not find it by itself: `dist/worker/thread.js` of this package. */
  readonly worker?: (() => WorkerLike) | undefined;
  /** The address of `cadical.wasm`, in place of the bytes that are built in. */
  readonly wasm?: string | URL | undefined;
  /** The address of the module of the package `@yowasp/clang`, which is needed for C and fetched when C is first met. */
  readonly compiler?: string | URL | undefined;
}

/** The functions of the library, and `close`, which ends the worker. */
export type InWorker = { readonly [K in (typeof NAMES)[number]]: Remote<Library[K]> } & {
  readonly close: () => void;
};

export function inWorker(options: WorkerOptions = {}): InWorker {
  const workers = new Workers(options.worker ?? startWorker, {
    wasm: absolute(options.wasm),
    compiler: absolute(options.compiler),
  });
  const functions = NAMES.map(name => [name, workers.function(name)]);
  return { ...Object.fromEntries(functions), close: () => workers.close() } as InWorker;
}

// What is used of a browser, of which the language's own library has no types.
declare const Worker: new (url: URL, options: { readonly type: 'module' }) => WorkerLike;
declare const location: { readonly href: string } | undefined;

function startWorker(): WorkerLike {
  // Bundlers know this form and take the worker along.
  return new Worker(new URL('./worker/thread.js', import.meta.url), { type: 'module' });
}

/** Addresses are relative to the page and not to the worker. */
function absolute(address: string | URL | undefined): string | undefined {
  if (address === undefined) return undefined;
  return new URL(address, typeof location === 'undefined' ? undefined : location.href).href;
}
