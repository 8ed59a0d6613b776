/**
 * The decision order of focused mode: variables in a doubly linked list, those bumped last at the end ("variable
 * move to front", Biere and Fröhlich, "Evaluating CDCL Variable Scoring Schemes", SAT 2015). A decision walks
 * from `search` towards the front until it meets an unassigned variable.
 *
 * Invariant: every decision variable behind `search` is assigned. Bumping gives a variable a new stamp, so
 * stamps increase along the list and "is v behind search?" is one comparison.
 */
import { grownInts } from './int-stack.ts';

const STAMP_LIMIT = 1 << 30;

export class MoveToFrontQueue {
  previous = new Int32Array(0); // towards older bumps, -1 = none
  next = new Int32Array(0); // towards newer bumps, -1 = none
  stamp = new Int32Array(0); // increases along the list; 0 = not in the list
  first = -1; // the least recently bumped variable
  last = -1; // the most recently bumped variable
  search = -1; // where the next decision starts to look; -1 = empty list
  private clock = 0; // the newest stamp

  ensureVars(count: number): void {
    if (count <= this.stamp.length) return;
    this.previous = grownInts(this.previous, count);
    this.next = grownInts(this.next, count);
    this.stamp = grownInts(this.stamp, count);
  }

  contains(v: number): boolean {
    return this.stamp[v] !== 0;
  }

  append(v: number): void {
    if (this.clock === STAMP_LIMIT) this.renumber();
    this.previous[v] = this.last;
    this.next[v] = -1;
    if (this.last >= 0) this.next[this.last] = v;
    else this.first = v;
    this.last = v;
    this.stamp[v] = ++this.clock;
    if (this.search < 0) this.search = v;
  }

  /** A variable lost its value (or is new): the next decision must not miss it. */
  unassigned(v: number): void {
    if (this.stamp[v] > this.stamp[this.search]) this.search = v;
  }

  remove(v: number): void {
    const before = this.previous[v];
    const after = this.next[v];
    if (before >= 0) this.next[before] = after;
    else this.first = after;
    if (after >= 0) this.previous[after] = before;
    else this.last = before;
    // Everything behind `v` is assigned already, so looking starts before it; if nothing is before it, then
    // its successor is assigned and serves as well.
    if (this.search === v) this.search = before >= 0 ? before : after;
    this.stamp[v] = 0;
  }

  /** Moves a variable to the end of the list. */
  bump(v: number, isUnassigned: boolean): void {
    if (this.next[v] < 0) return;
    this.remove(v);
    this.append(v);
    if (isUnassigned) this.search = v;
  }

  private renumber(): void {
    this.clock = 0;
    for (let v = this.first; v >= 0; v = this.next[v]) this.stamp[v] = ++this.clock;
  }
}
