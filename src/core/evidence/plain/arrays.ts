/**
 * Arrays by instances of their axioms, said on demand. An array is never spelt out; known of it are its *sources*: reads
 * `select a i` (a fresh word), what a `store a i e` holds at i, and for two arrays that may differ a place where they do.
 *
 * Two arrays hold the same at an index where an *edge* joins them: a store and its base at every index but the one written,
 * an `ite` and the branch that is taken, two arrays that are equal. In a given solution, and for a given index value v, edges
 * are open or not, and all sources at v in one connected part must agree, also with every constant array in that part.
 * Where two disagree, the path between them is a chain of instances of the axioms (read over write, read of an ite,
 * extensionality, read of a constant array, congruence of reads), and their conclusion is said as one clause: either
 * a premise on the path is false, or the two are equal. This is Brummayer and Biere, "Lemmas on Demand for the Extensional
 * Theory of Arrays" (JSAT 6, 2009), with constant arrays.
 *
 * At an index where no source is, all edges of stores are open, and only constant arrays can disagree. There is such
 * an index if the index sort has more values than there are stores on the path; then the clause needs no premise about
 * indices. Otherwise an index that the solution leaves free is named, if there is one. How many elements an uninterpreted
 * index sort has is for the model to choose: there, nothing is said, and `isUndecided`.
 *
 * If nothing disagrees, there is a model: at an index value with sources, an array holds what the sources of its part say,
 * elsewhere what the constant arrays of its part do, and where nobody says anything, all hold the same.
 */
import { IntStack } from '../../../sat/int-stack.ts';
import type { Work } from '../../../sat/work.ts';
import { type SortId, SortKind } from '../../../term/sort.ts';
import type { Encoding } from './encoding.ts';
import { FALSE, TRUE } from './gates.ts';
import type { Solution } from './solution.ts';

const NONE = -1;

/** What is known of the arrays of one sort. */
class Family {
  readonly indexWidth: number;
  readonly elementWidth: number;
  readonly indexCount: number; // values of the index sort, at least
  readonly isOpen: boolean; // there may be more: it is uninterpreted
  readonly sources = new IntStack(); // triples: array, index word, element word
  readonly constants = new IntStack(); // pairs: array, element word

  constructor(indexWidth: number, elementWidth: number, indexCount: number, isOpen: boolean) {
    this.indexWidth = indexWidth;
    this.elementWidth = elementWidth;
    this.indexCount = indexCount;
    this.isOpen = isOpen;
  }
}

/** What an array holds in a solution, said by words that have the values. */
export interface ArrayContents {
  readonly entries: (readonly [index: number, element: number])[];
  /** Undefined if nobody says what the array holds elsewhere. */
  elsewhere: number | undefined;
}

// Parts of a clause that was found: kind and two numbers.
const LITERAL = 0; // the literal
const SAME_INDEX = 1; // two words of indices are equal
const OTHER_INDEX = 2; // they are not
const SAME_ELEMENT = 3; // two words of elements are equal
const PART = 3; // numbers of a part

export class Arrays {
  /** A solution was found about which nothing can be said. */
  isUndecided = false;
  private readonly encoding: Encoding;
  private readonly families = new Map<SortId, Family>();
  private readonly equalities = new Map<string, number>();

  // Edges; half-edge 2e goes from one end of edge e to the other, and 2e + 1 back.
  private readonly head: Int32Array; // by node: its first half-edge, or NONE
  private readonly nextHalf = new IntStack(); // by half-edge: the next one from the same array
  private readonly target = new IntStack(); // by half-edge: the array it leads to
  private readonly condition = new IntStack(); // by edge: the literal it takes
  private readonly written = new IntStack(); // by edge: the index at which it is not open, or NONE

  // A flood: where each array was first reached from.
  private readonly seen: Int32Array; // by node: the flood that reached it last
  private readonly origin: Int32Array; // by node: the place of a source, or -1 - the place of a constant array
  private readonly via: Int32Array; // by node: the half-edge it was reached by, or NONE
  private readonly reached = new IntStack(); // in the order in which they were
  private readonly quarrelling = new Set<number>(); // origins that have disagreed
  private round = 0; // of flooding

  // A round.
  private readonly numbers = new Map<number, number>(); // by word
  private readonly found = new IntStack(); // clauses: where the next one starts, two widths, parts
  private readonly clause = new IntStack();

  constructor(encoding: Encoding) {
    const { count } = encoding.graph;
    this.encoding = encoding;
    this.head = new Int32Array(count).fill(NONE);
    this.seen = new Int32Array(count);
    this.origin = new Int32Array(count);
    this.via = new Int32Array(count);
  }

  // ---- what there is ----

  /** The word of `select a i`. */
  read(array: number, index: number): number {
    const family = this.family(array);
    const element = this.encoding.words.fresh(family.elementWidth);
    this.addSource(family, array, index, element);
    return element;
  }

  addStore(n: number, base: number, index: number, element: number): void {
    this.addSource(this.family(n), n, index, element);
    this.addEdge(n, base, TRUE, index);
  }

  addConstant(n: number, element: number): void {
    const { constants } = this.family(n);
    constants.push(n);
    constants.push(element);
  }

  addIte(n: number, condition: number, yes: number, no: number): void {
    this.addEdge(n, yes, condition, NONE);
    this.addEdge(n, no, condition ^ 1, NONE);
  }

  /** A literal that says that two arrays are equal. Where they are not, they differ at some index. */
  equal(a: number, b: number): number {
    if (a === b) return TRUE;
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    let literal = this.equalities.get(key);
    if (literal === undefined) {
      const { words, gates } = this.encoding;
      const family = this.family(a);
      literal = gates.fresh();
      this.equalities.set(key, literal);
      this.addEdge(a, b, literal, NONE);
      const index = words.fresh(family.indexWidth);
      const isSame = words.equal(this.read(a, index), this.read(b, index), family.elementWidth);
      gates.assert(gates.or(literal, isSame ^ 1));
    }
    return literal;
  }

  private family(n: number): Family {
    const { graph } = this.encoding;
    const sort = graph.sort(n);
    let family = this.families.get(sort);
    if (family === undefined) {
      const { sorts } = graph.terms;
      const index = sorts.indexSort(sort);
      const [indexWidth, elementWidth] = [index, sorts.elementSort(sort)].map(s => this.encoding.widthOf(s));
      const isOpen = sorts.kind(index) === SortKind.UNINTERPRETED;
      family = new Family(indexWidth, elementWidth, isOpen ? 1 : sorts.size(index), isOpen);
      this.families.set(sort, family);
    }
    return family;
  }

  private addSource({ sources }: Family, array: number, index: number, element: number): void {
    sources.push(array);
    sources.push(index);
    sources.push(element);
  }

  private addEdge(a: number, b: number, condition: number, written: number): void {
    if (condition === FALSE) return;
    this.condition.push(condition);
    this.written.push(written);
    this.addHalf(a, b);
    this.addHalf(b, a);
  }

  private addHalf(from: number, to: number): void {
    this.target.push(to);
    this.nextHalf.push(this.head[from]);
    this.head[from] = this.nextHalf.size - 1;
  }

  // ---- a round ----

  /** Adds what the solution violates; returns how many clauses that is. */
  *addViolated(solution: Solution): Work<number> {
    const { found, encoding } = this;
    found.clear();
    this.numbers.clear();
    this.isUndecided = false;
    for (const family of this.families.values()) {
      const places = this.placesByIndex(family, solution);
      for (const [index, group] of places) {
        this.spread(family, group, index, solution, places);
        if (encoding.pace.spend(8 * this.reached.size)) yield* encoding.pace.pause();
      }
      this.spread(family, [], NONE, solution, places);
    }
    let count = 0;
    for (let at = 0; at < found.size; at = found.data[at]) {
      this.addClause(at);
      count++;
      if (encoding.pace.isDue) yield* encoding.pace.pause();
    }
    return count;
  }

  /** What each array that was reached holds, in a solution that violates nothing. */
  *contents(solution: Solution): Work<Map<number, ArrayContents>> {
    const { encoding, reached } = this;
    const contents = new Map<number, ArrayContents>();
    for (const family of this.families.values()) {
      const places = this.placesByIndex(family, solution);
      for (const [index, group] of [...places, [NONE, []] as const]) {
        this.spread(family, group, index, solution, places);
        if (encoding.pace.spend(8 * reached.size)) yield* encoding.pace.pause();
        for (let i = 0; i < reached.size; i++) {
          const array = reached.data[i];
          const element = this.elementOf(family, this.origin[array]);
          const content = contents.get(array) ?? { entries: [], elsewhere: undefined };
          contents.set(array, content);
          if (index === NONE) content.elsewhere = element;
          else content.entries.push([family.sources.data[group[0] + 1], element]);
        }
      }
    }
    return contents;
  }

  /** Sources by the number of their index. */
  private placesByIndex({ sources, indexWidth }: Family, solution: Solution): Map<number, number[]> {
    const places = new Map<number, number[]>();
    for (let place = 0; place < sources.size; place += 3) {
      const index = this.number(solution, sources.data[place + 1], indexWidth);
      const group = places.get(index);
      if (group === undefined) places.set(index, [place]);
      else group.push(place);
    }
    return places;
  }

  private number(solution: Solution, word: number, width: number): number {
    let number = this.numbers.get(word);
    if (number === undefined) {
      number = solution.number(word, width);
      this.numbers.set(word, number);
    }
    return number;
  }

  /** Breadth first from the sources at an index, and from all constant arrays, through the edges open there. */
  private spread(
    family: Family,
    group: readonly number[],
    index: number,
    solution: Solution,
    places: ReadonlyMap<number, unknown>,
  ): void {
    const { reached, seen, origin, target, nextHalf, condition, written } = this;
    const { sources, constants } = family;
    const flood: Flood = { family, group, solution, places };
    this.round++;
    reached.clear();
    this.quarrelling.clear();
    for (const place of group) this.start(sources.data[place], place, flood);
    for (let place = 0; place < constants.size; place += 2)
      this.start(constants.data[place], -1 - place, flood);
    for (let i = 0; i < reached.size; i++) {
      const a = reached.data[i];
      for (let half = this.head[a]; half !== NONE; half = nextHalf.data[half]) {
        const b = target.data[half];
        const edge = half >> 1;
        if (seen[b] === this.round && origin[b] === origin[a]) continue;
        if (!solution.isTrue(condition.data[edge])) continue;
        const except = written.data[edge];
        if (except !== NONE && this.number(solution, except, family.indexWidth) === index) continue;
        if (seen[b] !== this.round) this.reach(b, origin[a], half);
        else this.compare(origin[a], a, half, b, flood);
      }
    }
  }

  private start(array: number, place: number, flood: Flood): void {
    if (this.seen[array] !== this.round) this.reach(array, place, NONE);
    else this.compare(place, NONE, NONE, array, flood);
  }

  private reach(array: number, from: number, half: number): void {
    this.seen[array] = this.round;
    this.origin[array] = from;
    this.via[array] = half;
    this.reached.push(array);
  }

  private elementOf({ sources, constants }: Family, from: number): number {
    return from >= 0 ? sources.data[from + 2] : constants.data[-from];
  }

  /**
   * Do the sources agree from which two neighbours were reached? `a` is the end of a path from the one, a half-edge leads on
   * to b, which was reached from the other; if a is NONE, the source is at b itself.
   */
  private compare(from: number, a: number, half: number, b: number, flood: Flood): void {
    const { family, group, solution } = flood;
    const other = this.origin[b];
    const [x, y] = [this.elementOf(family, from), this.elementOf(family, other)];
    const width = family.elementWidth;
    if (this.number(solution, x, width) === this.number(solution, y, width)) return;
    if (this.quarrelling.has(from) && this.quarrelling.has(other)) return;
    const path = new IntStack(); // edges
    for (let at = a; at !== NONE && this.via[at] !== NONE; at = this.target.data[this.via[at] ^ 1])
      path.push(this.via[at] >> 1);
    if (half !== NONE) path.push(half >> 1);
    const ours = path.size;
    for (let at = b; this.via[at] !== NONE; at = this.target.data[this.via[at] ^ 1])
      path.push(this.via[at] >> 1);
    let index: number = NONE; // a word
    if (group.length > 0) index = family.sources.data[group[0] + 1];
    else if (this.storesOn(path) >= family.indexCount) {
      index = this.freeIndex(flood);
      if (index === NONE) return;
    }
    this.quarrelling.add(from);
    this.quarrelling.add(other);
    const indexOf = (place: number, otherPlace: number) =>
      place >= 0 || otherPlace >= 0 ? family.sources.data[(place >= 0 ? place : otherPlace) + 1] : index;
    this.record(family, path, ours, indexOf(from, other), indexOf(other, from), x, y);
  }

  /** How many different indices are written on a path. */
  private storesOn(path: IntStack): number {
    const indices = new Set<number>();
    for (let i = 0; i < path.size; i++) indices.add(this.written.data[path.data[i]]);
    indices.delete(NONE);
    return indices.size;
  }

  /** The word of an index where no source is, if there is one and it is known. */
  private freeIndex({ family, places }: Flood): number {
    if (family.isOpen) {
      this.isUndecided = true;
      return NONE;
    }
    for (let v = 0; v < family.indexCount; v++) {
      if (!places.has(v)) return this.encoding.words.constant(v, family.indexWidth);
    }
    return NONE;
  }

  /** Takes down a clause. Along the first so many edges of the path the index is the one word, then the other. */
  private record(
    { indexWidth, elementWidth }: Family,
    path: IntStack,
    ours: number,
    index: number,
    otherIndex: number,
    x: number,
    y: number,
  ): void {
    const { found } = this;
    const start = found.size;
    found.push(NONE);
    found.push(indexWidth);
    found.push(elementWidth);
    const part = (kind: number, p: number, q: number) => {
      found.push(kind);
      found.push(p);
      found.push(q);
    };
    for (let i = 0; i < path.size; i++) {
      const edge = path.data[i];
      const at = i < ours ? index : otherIndex;
      const [condition, written] = [this.condition.data[edge], this.written.data[edge]];
      if (condition !== TRUE) part(LITERAL, condition ^ 1, NONE);
      if (written !== NONE && at !== NONE) part(SAME_INDEX, written, at);
    }
    if (index !== otherIndex) part(OTHER_INDEX, index, otherIndex);
    part(SAME_ELEMENT, x, y);
    found.data[start] = found.size;
  }

  private addClause(start: number): void {
    const { found, clause } = this;
    const { words, gates } = this.encoding;
    const [end, indexWidth, elementWidth] = found.data.subarray(start, start + 3);
    clause.clear();
    for (let at = start + 3; at < end; at += PART) {
      const [kind, x, y] = found.data.subarray(at, at + PART);
      if (kind === LITERAL) clause.push(x);
      else if (kind === SAME_ELEMENT) clause.push(words.equal(x, y, elementWidth));
      else clause.push(words.equal(x, y, indexWidth) ^ (kind === OTHER_INDEX ? 1 : 0));
    }
    gates.assertOneOf(clause);
  }
}

/** What is flooded. */
interface Flood {
  readonly family: Family;
  readonly group: readonly number[]; // the places of the sources that it starts from
  readonly solution: Solution;
  readonly places: ReadonlyMap<number, unknown>; // of all sources, by the number of the index
}
