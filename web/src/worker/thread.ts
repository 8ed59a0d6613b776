/** What runs in the page's worker. */
// Past the library's front door: the page makes the options itself, and never asks for what else is behind it.
import { checkText as check } from '../../../src/api/check.ts';
import { type Scope, serve } from '../../../src/worker/serve.ts';
import { engines } from './engines.ts';
import { outline } from './outline.ts';

const functions = { check, outline, engines };
export type Functions = typeof functions;

serve(globalThis as unknown as Scope, functions);
