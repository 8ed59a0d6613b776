/**
 * Several pieces of work that share the time: in rounds, with a slice for each that doubles from round to round, so that what is easy is
 * done soon whatever stands before it. Slices are counted in turns and never measured, so two runs of one input do the same.
 *
 * Work that is paused takes memory. Beyond the first few of a round, what is not done within its slice is dropped and starts over in
 * the next round, with a slice that is worth more than all it has had so far.
 */
import type { Work } from './work.ts';

const FIRST_SLICE = 8; // turns, each of a few hundredths of a second
const MOST_KEPT = 16; // paused pieces of work

interface Piece<T> {
  readonly index: number;
  readonly start: () => Work<T>;
  work: Work<T> | undefined; // unless it is to start, or to start over
}

export class Rounds<T> {
  /** The index of the piece that is at work. */
  current = 0;
  private readonly starts: readonly (() => Work<T>)[];
  private readonly onDone: (index: number, result: T) => void;

  /** `onDone` hears of results as they come. */
  constructor(starts: readonly (() => Work<T>)[], onDone: (index: number, result: T) => void) {
    this.starts = starts;
    this.onDone = onDone;
  }

  /** Ends when all pieces have. */
  *run(): Work<void> {
    let open = this.starts.map((start, index): Piece<T> => ({ index, start, work: undefined }));
    for (let slice = FIRST_SLICE; open.length > 0; slice *= 2) {
      const paused: Piece<T>[] = [];
      const turns = open.length === 1 ? Number.POSITIVE_INFINITY : slice;
      for (const piece of open) {
        if (yield* this.isDone(piece, turns)) continue;
        if (paused.length >= MOST_KEPT) piece.work = undefined;
        paused.push(piece);
      }
      open = paused;
    }
  }

  /** Works at a piece for so many turns. */
  private *isDone(piece: Piece<T>, turns: number): Work<boolean> {
    this.current = piece.index;
    const work = (piece.work ??= piece.start());
    for (let left = turns; left > 0; ) {
      const { done, value } = work.next();
      if (done === true) {
        this.onDone(piece.index, value);
        return true;
      }
      if (value === 'turn') left--;
      yield value;
    }
    return false;
  }
}
