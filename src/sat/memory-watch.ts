/**
 * Is more memory in use than there may be? Solvers ask often and to measure it takes its time, so it is looked at only now and
 * then; once it was too much, it stays so.
 */
const INTERVAL = 10; // ms

export class MemoryWatch {
  private readonly limit: number; // bytes
  private readonly inUse: () => number; // bytes
  private hasExceeded = false;
  private nextLook = 0; // on the clock of `Date.now()`

  constructor(megabytes: number, inUse: () => number) {
    this.limit = megabytes * 2 ** 20;
    this.inUse = inUse;
  }

  get isExceeded(): boolean {
    const now = Date.now();
    if (this.hasExceeded || now < this.nextLook) return this.hasExceeded;
    this.nextLook = now + INTERVAL;
    this.hasExceeded = this.inUse() > this.limit;
    return this.hasExceeded;
  }
}
