/** What the page may do: load its own files, compile WebAssembly, and nothing else. */
const RULES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

export const POLICY = {
  /** For the page itself. */
  inPage: RULES.join('; '),
  /** As a header, which can say as well who may show the page in a frame. */
  header: [...RULES, "frame-ancestors 'none'"].join('; '),
};
