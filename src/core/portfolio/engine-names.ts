/** The engines by name, in the order of the table. Apart from it, so that options can be checked before any engine is loaded. */
export const ENGINE_NAMES: readonly string[] = [
  'abstract',
  'bounded',
  'bounded-trees',
  'k-induction',
  'walks',
  'bits',
  'predicates',
  'conjectures',
  'executions',
];
