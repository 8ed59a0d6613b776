/** Ctrl-C as all threads see it: one word of memory that they share. */
export class Interruption {
  /** To be handed to another thread. */
  readonly memory: SharedArrayBuffer;
  private readonly word: Int32Array;

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.word = new Int32Array(memory);
  }

  /** The user has had enough. */
  raise(): void {
    Atomics.store(this.word, 0, 1);
  }

  get isRaised(): boolean {
    return Atomics.load(this.word, 0) === 1;
  }

  /** Hears of Ctrl-C while something is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const onInterrupt = () => this.raise();
    process.on('SIGINT', onInterrupt);
    try {
      return await work();
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  }
}
