/**
 * Which terms an interpolant may put in order. No clause of a program need say `p < i` for it to be what a proof needs:
 * that two terms are compared at all, that they index the same kind of array, that two places begin with the same value
 * or move in the same step is reason enough to ask which of them is less, in the order, signed or unsigned, that the
 * program uses. Pairs are few: each is one more question about every state of every path.
 */
import { Op } from '../../../../term/operators.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substituteAll } from '../../../../term/substitute.ts';
import { type Edge, headOf, type Problem, sourceOf } from '../../../problem/problem.ts';
import type { Signature } from '../signature.ts';

/** The first ones have the better reasons. */
const MAX_PAIRS = 12;

/** Of places that begin alike or move together, all are paired only if they are so few. */
const MAX_ALIKE = 4;

interface Pair {
  readonly a: TermId;
  readonly b: TermId;
  readonly less: readonly Op[];
}

export class Orders {
  private readonly terms: TermStore;
  private readonly signature: Signature;
  private readonly pairs = new Map<string, Pair>();
  private readonly used = new Map<number, Set<Op>>(); // by the width of what is compared

  constructor(problem: Problem, signature: Signature) {
    this.terms = signature.terms;
    this.signature = signature;
    const all = this.terms.postorder(problem.edges.flatMap(e => this.seenFromSources(e)));
    for (const t of all) this.noteOrder(t);
    for (const t of all) this.addCompared(t);
    this.addIndices(all);
    this.addAlike(problem);
  }

  /** Atoms `a < b` and `b < a` for pairs of these terms. */
  between(spoken: ReadonlySet<TermId>): TermId[] {
    const { terms } = this;
    const atoms: TermId[] = [];
    for (const { a, b, less } of this.pairs.values()) {
      if (!spoken.has(a) || !spoken.has(b)) continue;
      for (const op of less) atoms.push(terms.app(op, [a, b]), terms.app(op, [b, a]));
    }
    return atoms;
  }

  /** What an edge says; of several sources, as each of them sees it. */
  private seenFromSources({ sources, guard, values }: Edge): readonly TermId[] {
    if (sources.length < 2) return [guard, ...values];
    return sources.flatMap(({ location, places }) => {
      const images = new Map(places.map((p, i) => [p, location.places[i]]));
      return substituteAll(this.terms, [guard, ...values], images);
    });
  }

  private noteOrder(t: TermId): void {
    const op = this.terms.op(t);
    if (op !== Op.BVULT && op !== Op.BVSLT) return;
    const width = this.terms.width(this.terms.arg(t, 0));
    const known = this.used.get(width);
    if (known === undefined) this.used.set(width, new Set([op]));
    else known.add(op);
  }

  private addCompared(t: TermId): void {
    const { terms } = this;
    const op = terms.op(t);
    if (op === Op.BVULT || op === Op.BVSLT) this.add(terms.arg(t, 0), terms.arg(t, 1), [op]);
    if (op === Op.EQ) this.add(terms.arg(t, 0), terms.arg(t, 1));
  }

  private addIndices(all: readonly TermId[]): void {
    const { terms } = this;
    const indices = new Set(
      all.flatMap(t => {
        const op = terms.op(t);
        return op === Op.SELECT || op === Op.STORE ? [terms.arg(t, 1)] : [];
      }),
    );
    this.addAll([...indices]);
  }

  private addAlike({ edges }: Problem): void {
    const { terms } = this;
    for (const edge of edges) {
      const places = headOf(edge)?.places ?? [];
      const isEntry = sourceOf(edge) !== edge.head;
      const groups = new Map<TermId | 'moved', TermId[]>();
      places.forEach((place, i) => {
        const value = edge.values[i];
        const isMoved = terms.op(value) === Op.BVADD && terms.args(value).includes(place);
        if (!isEntry && !isMoved) return;
        const key = isEntry ? value : 'moved';
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [place]);
        else group.push(place);
      });
      for (const group of groups.values()) this.addAll(group);
    }
  }

  private addAll(group: readonly TermId[]): void {
    const ordered = group.filter(t => this.isOrdered(t));
    if (ordered.length > MAX_ALIKE) return;
    ordered.forEach((a, i) => {
      for (const b of ordered.slice(i + 1)) this.add(a, b);
    });
  }

  private add(a: TermId, b: TermId, less?: readonly Op[]): void {
    const { terms, pairs } = this;
    if (pairs.size >= MAX_PAIRS || a === b || terms.sort(a) !== terms.sort(b)) return;
    if (!this.isOrdered(a) || !this.isOrdered(b)) return;
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (pairs.has(key)) return;
    pairs.set(key, { a, b, less: less ?? [...(this.used.get(terms.width(a)) ?? [Op.BVULT])] });
  }

  /** A vector of more than a bit that is no constant and speaks of the current state. */
  private isOrdered(t: TermId): boolean {
    const { terms, signature } = this;
    return terms.width(t) > 1 && !terms.isConstant(t) && signature.ofNow.has(t);
  }
}
