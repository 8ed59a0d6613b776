/** What runs in the worker of `euforia/worker`: the library's functions. */
import { check, properties } from '../api.ts';
import type { NAMES } from './names.ts';
import { type Scope, serve } from './serve.ts';

serve(globalThis as unknown as Scope, { check, properties } satisfies Record<
  (typeof NAMES)[number],
  unknown
>);
