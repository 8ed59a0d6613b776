/** All the headers that programs may include without having them, by the names under which they are included. */
import { POSIX_HEADERS } from './posix.ts';
import { STANDARD_HEADERS } from './standard.ts';
import { VERIFIER_HEADERS } from './verifiers.ts';

export const HEADERS: Readonly<Record<string, string>> = {
  ...STANDARD_HEADERS,
  ...POSIX_HEADERS,
  ...VERIFIER_HEADERS,
};
