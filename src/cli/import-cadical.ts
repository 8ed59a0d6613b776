/** The WebAssembly SAT solver is imported when it is needed. The build puts another way of doing so in this file's place. */
export const importCadical = () => import('../bv/cadical.ts');
