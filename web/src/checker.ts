/** The checker as the page calls it: in workers, with the SAT solver and the C compiler from the page's own folder. */
import { type Remote, type WorkerLike, Workers } from '../../src/worker/remote.ts';
import type { Functions } from './worker/thread.ts';

export type Checker = { readonly [K in keyof Functions]: Remote<Functions[K]> };

export function startChecker(): Checker {
  const here = (path: string) => new URL(path, document.baseURI).href;
  const start = () => new Worker(here('thread.js'), { type: 'module' }) as unknown as WorkerLike;
  const workers = new Workers(start, { wasm: here('cadical.wasm'), compiler: here('clang/bundle.js') });
  return {
    check: workers.function<Functions['check']>('check'),
    outline: workers.function<Functions['outline']>('outline'),
    engines: workers.function<Functions['engines']>('engines'),
  };
}
