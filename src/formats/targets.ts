/** The formats that a transition system can be written in; write.ts does it. */
export const TARGETS = ['vmt', 'chc', 'btor2', 'smt2-bmc'] as const;
export type Target = (typeof TARGETS)[number];

/** Steps of an unrolling unless said otherwise. */
export const DEFAULT_STEPS = 10;
