/** How a search ends that has reached a limit: wherever it is, it throws this, and whoever started it catches it. */
export class OutOfBudget extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
