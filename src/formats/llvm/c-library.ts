/** What a C program may use without defining it, since every C library has it: the names that our own headers declare. */
import { POSIX_HEADERS } from '../c/headers/posix.ts';
import { STANDARD_HEADERS } from '../c/headers/standard.ts';

/** The functions that standard headers declare. */
export function functionsOfLibrary(): ReadonlySet<string> {
  return new Set(
    [...Object.values(STANDARD_HEADERS), ...Object.values(POSIX_HEADERS)].flatMap(text =>
      [...text.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)].map(m => m[1]),
    ),
  );
}

/** Variables that the library defines. */
export const VARIABLES_OF_LIBRARY: ReadonlySet<string> = new Set([
  'stdin',
  'stdout',
  'stderr',
  'environ',
  '__environ',
  'optarg',
  'optind',
  'opterr',
  'optopt',
  'errno',
  'timezone',
  'daylight',
  'tzname',
  'signgam',
]);
