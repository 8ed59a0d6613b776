/**
 * Why something is not known: one vocabulary for every room. A question that a solver cannot answer within its limits has
 * the answer `unknown` and a reason. Work that is no question (reading a file, preparing a problem) cannot be continued
 * later; it is broken off by an `Unknown`, which whoever set the limits catches.
 */
export type UnknownReason =
  | 'conflicts' // the counted effort is spent; the question can be continued
  | 'propagations' // the same, counted otherwise
  | 'deadline' // the time is up
  | 'memory' // the memory is used up
  | 'aborted' // somebody has had enough
  | 'load' // it takes a SAT solver that is to be loaded first
  | 'size' // the problem has become too large for the method
  | 'unsupported' // the method cannot take this problem
  | 'incomplete'; // the method has nothing left to try

const DESCRIPTIONS: Readonly<Record<UnknownReason, string>> = {
  conflicts: 'the limit of conflicts is reached',
  propagations: 'the limit of propagations is reached',
  deadline: 'the time is up',
  memory: 'the memory is used up',
  aborted: 'it was stopped',
  load: 'it takes a SAT solver that is not loaded',
  size: 'the problem is too large',
  unsupported: 'it is not supported',
  incomplete: 'there is nothing left to try',
};

export class Unknown extends Error {
  readonly reason: UnknownReason;

  /** The message tells people more than the reason does. */
  constructor(reason: UnknownReason, message: string = DESCRIPTIONS[reason]) {
    super(message);
    this.name = 'Unknown';
    this.reason = reason;
  }
}

/** Is it the user's own limits, which no other method can do anything about? */
export function isFinal(reason: UnknownReason): boolean {
  return reason === 'deadline' || reason === 'memory' || reason === 'aborted';
}

/** Is it a pause, after which the same question may be asked again? */
export function isPause(reason: UnknownReason | undefined): boolean {
  return reason === 'conflicts' || reason === 'propagations';
}
