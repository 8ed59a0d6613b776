/** What runs in the worker of `euforia/worker`: the library's functions. */
import { certify, check, convert, properties, solve } from '../api.ts';
import type { NAMES } from './names.ts';
import { type Scope, serve } from './serve.ts';

serve(globalThis as unknown as Scope, { check, properties, certify, convert, solve } satisfies Record<
  (typeof NAMES)[number],
  unknown
>);
