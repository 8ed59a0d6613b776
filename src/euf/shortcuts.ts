/**
 * Shortcuts through chains of equalities. An explanation x = y = z is two literals; where the same two ends
 * keep turning up in conflicts, by way of one y or another, they get an atom x = z of their own, and from
 * then on conflicts speak of x = z instead of the way that led there this time. So what is learnt from one
 * way holds for all: n diamonds one after the other cost 2^n conflicts without it, and a few each with it.
 * (Dynamic Ackermann reduction does the same for congruence: de Moura and Bjørner, "Model-based theory
 * combination", 2007.)
 */
const NONE = -1;
/** So many conflicts make a pair of ends worth an atom. */
const THRESHOLD = 8;
/** New atoms widen the search, so there may be only so many, and a tenth of the conflicts on top. */
const FREE_ATOMS = 2000;
/** When so many pairs are being counted, counting starts afresh. */
const MAX_PAIRS = 100_000;
const KEY_BASE = 2 ** 26;

function keyOf(a: number, b: number): number {
  return a < b ? a * KEY_BASE + b : b * KEY_BASE + a;
}

export class Shortcuts {
  private readonly counts = new Map<number, number>(); // by pair of ends: conflicts that went by them
  private readonly atoms = new Map<number, number>(); // by pair of ends: the literal of their atom
  private readonly chosen: number[] = []; // pairs of nodes that shall get an atom
  private conflicts = 0;

  /** A conflict is going to be explained. */
  countConflict(): void {
    this.conflicts++;
    if (this.counts.size > MAX_PAIRS) this.counts.clear();
  }

  /** A conflict went from node a to node b in two asserted steps. */
  countPair(a: number, b: number): void {
    const key = keyOf(a, b);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    if (count !== THRESHOLD || this.atoms.size > FREE_ATOMS + this.conflicts / 10) return;
    this.chosen.push(a, b);
  }

  /** The literal that says that two nodes are equal, or NONE. */
  literalOf(a: number, b: number): number {
    return this.atoms.size === 0 ? NONE : (this.atoms.get(keyOf(a, b)) ?? NONE);
  }

  setLiteral(a: number, b: number, literal: number): void {
    this.atoms.set(keyOf(a, b), literal);
  }

  /** The pairs that have earned an atom since the last call. */
  take(): readonly number[] {
    return this.chosen.length === 0 ? this.chosen : this.chosen.splice(0);
  }
}
