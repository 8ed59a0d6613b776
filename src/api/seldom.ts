/** What few callers of the library need, and the others do not load. One file, because every further one costs all of them. */
export { certifyText } from './certify.ts';
export { convertText } from './convert.ts';
export { solveScript } from './solve.ts';
