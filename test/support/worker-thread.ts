/** The worker of the tests: a thread of node that behaves like a browser's worker. */
import { parentPort } from 'node:worker_threads';
import { certify, check, convert, InputError, properties, solve } from '../../src/api.ts';
import { type Scope, serve } from '../../src/worker/serve.ts';

serve(parentPort as unknown as Scope, {
  check,
  properties,
  certify,
  convert,
  solve,
  /** Never ends by itself, nor lets the event loop turn. */
  spin: (_: string, options: { readonly signal?: { readonly aborted: boolean } }) => {
    if (options.signal?.aborted === true) return 'stopped';
    for (;;);
  },
  echo: (options: object) => Object.entries(options).map(([key, value]) => `${key}: ${typeof value}`),
  include: (options: { readonly lookUp: (path: string) => string | undefined }) =>
    options.lookUp('a.h') ?? 'nothing',
  fail: () => {
    throw new RangeError('too far');
  },
  refuse: () => {
    throw new InputError('a.vmt', 3, 7, 'expected something else');
  },
});
