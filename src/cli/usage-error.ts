/** A call that cannot be carried out as it is written. */
export class UsageError extends Error {}
