/** What lemmas on demand cannot decide: said with the sort at fault, so that a user knows what to avoid. */
export class UnsupportedError extends Error {
  constructor(what: string) {
    super(`${what} is outside the supported fragment: index and element of an array must not be arrays`);
    this.name = 'UnsupportedError';
  }
}
