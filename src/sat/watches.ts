/**
 * One list of integers per literal, all in one pool. Two of these carry the watches:
 *
 *   binaries   for literal `l`: the other literal of each binary clause that contains `l`
 *   watches    for literal `l`: pairs (blocker, cref) of each longer clause that watches `l`
 *
 * Lists are indexed by the literal that becomes false. The blocker is some other literal of the clause; if it
 * is true the clause is not touched (Chu, Harwood, Stuckey, "Cache Conscious Data Structures for Boolean
 * Satisfiability Solvers", 2009). A list that is full moves to the end of the pool and leaves a hole, which
 * `compact` reclaims.
 *
 * The head of each list is a record of four slots, `lit << 2`:  +0 start  +1 size  +2 capacity  +3 unused.
 * Growth replaces `pool` and `head`: read them again after `relocate`.
 */
export class LiteralLists {
  pool = new Int32Array(1 << 12); // the entries
  head = new Int32Array(0); // the records of the lists
  private top = 0; // first free slot of the pool
  private holes = 0; // slots left behind by lists that moved

  /** Makes room for the lists of `literals` literals. */
  ensureLiterals(literals: number): void {
    if (literals << 2 <= this.head.length) return;
    const bigger = new Int32Array(literals << 2);
    bigger.set(this.head);
    this.head = bigger;
  }

  push(lit: number, entry: number): void {
    const at = lit << 2;
    if (this.head[at + 1] + 1 > this.head[at + 2]) this.relocate(lit);
    this.pool[this.head[at] + this.head[at + 1]++] = entry;
  }

  pushPair(lit: number, first: number, second: number): void {
    const at = lit << 2;
    const head = this.head;
    if (head[at + 1] + 2 > head[at + 2]) this.relocate(lit);
    const end = head[at] + head[at + 1];
    this.pool[end] = first;
    this.pool[end + 1] = second;
    head[at + 1] += 2;
  }

  /** Moves a full list to the end of the pool, with twice the room. */
  relocate(lit: number): void {
    const at = lit << 2;
    const head = this.head;
    const capacity = head[at + 2];
    const doubled = capacity === 0 ? 4 : capacity * 2;
    const start = head[at];
    const size = head[at + 1];
    if (this.top + doubled > this.pool.length) {
      const bigger = new Int32Array(Math.max(this.top + doubled, this.pool.length * 2));
      bigger.set(this.pool);
      this.pool = bigger;
    }
    this.pool.copyWithin(this.top, start, start + size);
    head[at] = this.top;
    head[at + 2] = doubled;
    this.top += doubled;
    this.holes += capacity;
  }

  /** Closes the holes when they are more than half of the pool. Never called while a list is walked. */
  compact(): void {
    if (this.holes * 2 < this.top || this.top < 1 << 12) return;
    const { head, pool } = this;
    let total = 0;
    for (let at = 0; at < head.length; at += 4) total += roomFor(head[at + 1]);
    const tight = new Int32Array(Math.max(1 << 12, total + (total >> 1)));
    let top = 0;
    for (let at = 0; at < head.length; at += 4) {
      const size = head[at + 1];
      const start = head[at];
      for (let i = 0; i < size; i++) tight[top + i] = pool[start + i];
      head[at] = top;
      head[at + 2] = roomFor(size);
      top += head[at + 2];
    }
    this.pool = tight;
    this.top = top;
    this.holes = 0;
  }
}

/** Some slack, so that the lists do not all move again after a compaction; even, because watches are pairs. */
function roomFor(size: number): number {
  return size === 0 ? 0 : size + ((size >> 2) & ~1) + 2;
}
