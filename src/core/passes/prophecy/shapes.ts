/**
 * How the indices of each array are computed: the shapes of its elements' addresses. An index base + 4 · i is computed from one
 * variable, and has the shape base + 4 · □; with a foretold p in the place of the variable it is the address of an element that
 * a proof may speak of. That of a table, base + 400 · i + 4 · j, takes two. Arrays are what flows from place to place along the
 * edges, with writes on the way: all places that an array passes through share its shapes.
 */
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute } from '../../../term/substitute.ts';
import { frozenPlaces } from '../../problem/frozen-places.ts';
import { conditionsOf, type Edge, headOf, type Location, type Problem } from '../../problem/problem.ts';
import { MAX_PARTS, partsOf } from './keys.ts';

/** An index, and the few variables, or other terms, that it is computed from. */
interface Shape {
  readonly index: TermId;
  readonly parts: readonly TermId[];
}

export class Shapes {
  private readonly terms: TermStore;
  private readonly parents = new Map<string, string>(); // of places of locations: a forest of what flows together
  private readonly shapes = new Map<string, Shape[]>(); // by place
  private readonly constants = new Map<string, TermId[]>(); // indices, by place
  private readonly numbers: ReadonlyMap<Location, number>;
  private readonly frozen: ReadonlyMap<Location, ReadonlySet<TermId>>;

  constructor(problem: Problem) {
    const { terms, locations, edges } = problem;
    this.terms = terms;
    this.frozen = frozenPlaces(problem);
    this.numbers = new Map(locations.map((l, i) => [l, i]));
    for (const e of edges) this.note(e);
  }

  /** Indices over the prophecies at which something may be said of an array, and those that are constants. */
  indicesAt(location: Location, array: number, prophecies: readonly TermId[]): TermId[] {
    const { terms } = this;
    const root = this.rootOf(this.keyOf(location, array));
    const ofArray = <T>(all: ReadonlyMap<string, readonly T[]>) =>
      [...all].filter(([key]) => this.rootOf(key) === root).flatMap(([, own]) => own);
    const shapes = ofArray(this.shapes);
    const sort = terms.sorts.indexSort(terms.sort(location.places[array]));
    const found = new Set<TermId>();
    for (const some of chosen(prophecies, MAX_PARTS)) {
      for (const { index, parts } of shapes) {
        if (parts.length !== some.length || parts.some((t, i) => terms.sort(t) !== terms.sort(some[i])))
          continue;
        found.add(substitute(terms, index, new Map(parts.map((t, i) => [t, some[i]]))));
      }
    }
    // Of arrays whose indices are computed from more, the element at what was foretold as a whole.
    if (found.size === 0 || shapes.some(s => s.parts[0] === s.index))
      for (const p of prophecies) if (terms.sort(p) === sort) found.add(p);
    for (const constant of ofArray(this.constants)) found.add(constant);
    return [...found];
  }

  /** Is any array written or read at a constant index? */
  get haveConstants(): boolean {
    return this.constants.size > 0;
  }

  private note(edge: Edge): void {
    const { terms } = this;
    const places = new Map<TermId, string>();
    for (const { location, places: own } of edge.sources)
      for (const [i, p] of own.entries()) places.set(p, this.keyOf(location, i));
    const head = headOf(edge);
    // An input may stand for an array of the head: then it is the head's.
    for (const [i, value] of edge.values.entries())
      if (head !== undefined && terms.isVariable(value) && !places.has(value))
        places.set(value, this.keyOf(head, i));
    const isFrozen = (t: TermId) =>
      edge.sources.some(s => this.frozen.get(s.location)?.has(s.location.places[s.places.indexOf(t)]));
    const formulas = [...conditionsOf(edge), ...edge.values];
    for (const t of terms.postorder(formulas)) {
      const op = terms.op(t);
      if (op === Op.SELECT || op === Op.STORE) {
        const parts = partsOf(terms, terms.arg(t, 1));
        // An index is a key itself where one of its parts is known.
        const isShape = parts.length === 1 || (parts.length <= MAX_PARTS && !parts.some(isFrozen));
        this.noteIndex(terms.arg(t, 0), terms.arg(t, 1), isShape ? parts : [], places);
      }
      if (op === Op.EQ && terms.sorts.isArray(terms.sort(terms.arg(t, 0))))
        this.join([terms.arg(t, 0), terms.arg(t, 1)].flatMap(a => this.basesOf(a, places)));
    }
    for (const [i, value] of edge.values.entries()) {
      if (head === undefined || !terms.sorts.isArray(terms.sort(value))) continue;
      this.join([this.keyOf(head, i), ...this.basesOf(value, places)]);
    }
  }

  private noteIndex(
    array: TermId,
    index: TermId,
    parts: readonly TermId[],
    places: ReadonlyMap<TermId, string>,
  ): void {
    for (const key of this.basesOf(array, places)) {
      if (parts.length > 0) addTo(this.shapes, key, { index, parts });
      if (this.terms.isConstant(index)) addTo(this.constants, key, index);
    }
  }

  /** The places that an array comes from, below writes and choices. */
  private basesOf(array: TermId, places: ReadonlyMap<TermId, string>): string[] {
    const { terms } = this;
    const found = new Set<string>();
    const seen = new Set<TermId>();
    const waiting = [array];
    for (let t = waiting.pop(); t !== undefined; t = waiting.pop()) {
      if (seen.has(t)) continue;
      seen.add(t);
      const key = places.get(t);
      if (key !== undefined) found.add(key);
      if (terms.op(t) === Op.STORE) waiting.push(terms.arg(t, 0));
      if (terms.op(t) === Op.ITE) waiting.push(terms.arg(t, 1), terms.arg(t, 2));
    }
    return [...found];
  }

  private keyOf(location: Location, place: number): string {
    return `${this.numbers.get(location)} ${place}`;
  }

  private join([first, ...others]: readonly string[]): void {
    if (first === undefined) return;
    for (const key of others) {
      const [a, b] = [this.rootOf(first), this.rootOf(key)];
      if (a !== b) this.parents.set(a, b);
    }
  }

  private rootOf(key: string): string {
    let root = key;
    for (let up = this.parents.get(root); up !== undefined; up = this.parents.get(root)) root = up;
    return root;
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

/** Up to so many of the items, in their order: that is the one in which an edge's keys are foretold. */
function* chosen<T>(items: readonly T[], most: number): Generator<readonly T[]> {
  for (const [i, item] of items.entries()) {
    yield [item];
    if (most > 1) for (const more of chosen(items.slice(i + 1), most - 1)) yield [item, ...more];
  }
}
