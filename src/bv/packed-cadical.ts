/**
 * The bytes of `cadical.wasm`, compressed (DEFLATE) and in base 64. What is built has them in this file's place; the sources have
 * none, since node finds them in the package.
 */
export const PACKED: string | undefined = undefined;
