/** Examples are part of the bundle as texts. */
declare module '*.c' {
  const text: string;
  export default text;
}
declare module '*.vmt' {
  const text: string;
  export default text;
}
declare module '*.btor2' {
  const text: string;
  export default text;
}
declare module '*.smt2' {
  const text: string;
  export default text;
}
