/**
 * Work in portions. A long piece of work is a generator that pauses whenever it has done a little, so that whoever
 * drives it can let others have their turn: other engines, and the event loop, which hears of interrupts and shows progress.
 * Where it pauses depends on counts alone, never on the clock, so that two runs of one input do the same. A portion is
 * meant to take a few hundredths of a second.
 *
 *   turn   a good moment for others
 *   load   it cannot go on as it should before the heavy SAT back end is loaded; if it is not loaded then, the work
 *          ends with what can be said without
 */
export type Pause = 'turn' | 'load';

export type Work<T> = Generator<Pause, T, undefined>;

/** Work that is done already. */
// biome-ignore lint/correctness/useYield: there is nothing to wait for
export function* ready<T>(result: T): Work<T> {
  return result;
}

/** Does the work in one go, for those who have nobody to wait for. */
export function complete<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** What only the surroundings can do: node and a browser differ in it. */
export interface Driver {
  /** Loads the heavy SAT back end. */
  load(): Promise<void>;
  /** Lets the event loop turn. */
  turn(): Promise<void>;
}

const TURN_INTERVAL = 50; // ms

/** Does the work and lets the event loop turn in between; the clock says when, but not what is done. */
export async function drive<T>(work: Work<T>, { load, turn }: Driver): Promise<T> {
  let turned = Date.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (value === 'turn' && Date.now() - turned < TURN_INTERVAL) continue;
    await (value === 'load' ? load() : turn());
    turned = Date.now();
  }
}
