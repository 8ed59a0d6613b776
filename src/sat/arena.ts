/**
 * The clause arena: every clause of three or more literals lives in one `Int32Array`, and a clause
 * reference (`cref`) is the index of its header. Binary clauses live in the binary watch lists only, and
 * units on the trail, so neither ever comes here. (MiniSat's RegionAllocator, CaDiCaL's arena.)
 *
 *     cref + 0   size       number of literals; after a move: the forwarding address, negated
 *     cref + 1   flags      bit 0 REDUNDANT  learnt, may be thrown away
 *                           bit 1 GARBAGE    dead, waits for the next collection
 *                           bit 2 UNWATCHED  an explained theory reason: in no watch list
 *                           bits 4-5 USED    2 = used since the last reduction, counts down
 *                           bits 8..  GLUE   number of decision levels when learnt, or better
 *     cref + 2   activity   a float, seen through `activity`: recent use, for reductions
 *     cref + 3.. literals   the first two are the watched ones
 *
 * Invariant: `cref > 0` for every clause (0 means "no clause" in the reason and conflict slots).
 * Growth replaces `data` and `activity`: whoever holds them in locals must read them again after `allocate`.
 */
export const HEADER = 3;
export const REDUNDANT = 1;
export const GARBAGE = 2;
export const UNWATCHED = 4;
export const USED_SHIFT = 4;
export const USED_MASK = 3 << USED_SHIFT;
export const GLUE_SHIFT = 8;

const FIRST = 2; // so that 0 and 1 are never a cref

export class Arena {
  data = new Int32Array(1 << 12); // headers and literals
  activity = new Float32Array(this.data.buffer); // the same memory as floats, for the activity slots
  top = FIRST; // first free slot
  wasted = 0; // slots held by garbage

  /** Reserves a clause of `size` literals; the caller fills in the literals. */
  allocate(size: number, flags: number): number {
    const cref = this.top;
    const end = cref + HEADER + size;
    if (end > this.data.length) this.grow(end);
    this.data[cref] = size;
    this.data[cref + 1] = flags;
    this.data[cref + 2] = 0;
    this.top = end;
    return cref;
  }

  /** Marks a clause dead. Its memory comes back at the next collection. */
  discard(cref: number): void {
    this.data[cref + 1] |= GARBAGE;
    this.wasted += HEADER + this.data[cref];
  }

  /** Cuts a clause to its first `size` literals (at least three). */
  shrink(cref: number, size: number): void {
    const old = this.data[cref];
    // The tail becomes a hole; nobody walks the arena linearly, so no filler header is needed.
    this.wasted += old - size;
    this.data[cref] = size;
  }

  /** Begins a collection: returns the old memory, and makes this arena an empty one of enough room. */
  startCollection(): Int32Array {
    const from = this.data;
    const live = this.top - this.wasted;
    this.data = new Int32Array(Math.max(1 << 12, Math.ceil(live * 1.5) + 1024));
    this.activity = new Float32Array(this.data.buffer);
    this.top = FIRST;
    this.wasted = 0;
    return from;
  }

  /** Copies a clause out of the old memory once, and afterwards returns its new place. */
  move(from: Int32Array, cref: number): number {
    const size = from[cref];
    if (size < 0) return -size;
    const to = this.allocate(size, from[cref + 1]);
    const data = this.data;
    data[to + 2] = from[cref + 2];
    for (let i = 0; i < size; i++) data[to + HEADER + i] = from[cref + HEADER + i];
    from[cref] = -to;
    return to;
  }

  private grow(needed: number): void {
    const bigger = new Int32Array(Math.max(needed, this.data.length * 2));
    bigger.set(this.data);
    this.data = bigger;
    this.activity = new Float32Array(bigger.buffer);
  }
}
