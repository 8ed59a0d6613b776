/** Pieces of a text as strings, each made once: a hash table that is asked with positions. */
export class Names {
  private readonly text: string;
  private slots: (string | undefined)[] = new Array(1 << 10).fill(undefined);
  private hashes = new Int32Array(1 << 10);
  private count = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The piece between two positions; the hash is that of its characters. */
  get(from: number, to: number, hash: number): string {
    const { text, slots } = this;
    const mask = slots.length - 1;
    let i = (hash ^ (hash >>> 15)) & mask;
    for (; ; i = (i + 1) & mask) {
      const name = slots[i];
      if (name === undefined) break;
      if (this.hashes[i] === hash && name.length === to - from && text.startsWith(name, from)) return name;
    }
    const name = text.slice(from, to);
    slots[i] = name;
    this.hashes[i] = hash;
    if (2 * ++this.count > slots.length) this.grow();
    return name;
  }

  private grow(): void {
    const { slots, hashes } = this;
    const size = 2 * slots.length;
    this.slots = new Array(size).fill(undefined);
    this.hashes = new Int32Array(size);
    for (let k = 0; k < slots.length; k++) {
      if (slots[k] === undefined) continue;
      let i = (hashes[k] ^ (hashes[k] >>> 15)) & (size - 1);
      while (this.slots[i] !== undefined) i = (i + 1) & (size - 1);
      this.slots[i] = slots[k];
      this.hashes[i] = hashes[k];
    }
  }
}
