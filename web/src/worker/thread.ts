/** What runs in the page's worker. */
import { check } from '../../../src/api.ts';
import { type Scope, serve } from '../../../src/worker/serve.ts';
import { engines } from './engines.ts';
import { outline } from './outline.ts';

const functions = { check, outline, engines };
export type Functions = typeof functions;

serve(globalThis as unknown as Scope, functions);
