/** The functions of the library that a worker has as well; thread.ts serves them, or it would not compile. */
export const NAMES = ['check', 'properties', 'certify', 'convert', 'solve'] as const;
