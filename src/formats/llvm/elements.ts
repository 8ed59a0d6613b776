/**
 * What the user calls an element of an array: a read of memory at base + 4 · i is `a[i]` where `a` is an array of numbers that lies at the base,
 * and a member of it `a[i].n` where its elements are structs. An object whose address is no constant lies where something else is said to
 * point; and one that has no name is called by a pointer to it.
 *
 * Memory has something at every address, and C has nothing outside of its objects. So whoever speaks of an element says that it is one
 * (`bounds`), which nobody can where the object's size is not known.
 */
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { CVariable } from './c-expressions.ts';
import type { Site } from './flow.ts';
import type { Placed } from './graph.ts';
import type { DebugType } from './module.ts';
import { exactNameAt, type SourceName, sizeOf, stripped } from './source-names.ts';

/** So many bytes before an object its elements begin, where indices are written as i - 1. */
const BEFORE = 64n;

/** What has no index. */
const BARE = { bounds: [], isBounded: true };

/** A sum of words with factors; the word of the constant is undefined. */
type Sum = ReadonlyMap<TermId | undefined, bigint>;

type Summand = readonly [word: TermId | undefined, factor: bigint];

/** What is known of arrays, words and addresses where an element is spoken of. */
export interface Surroundings {
  readonly pointerWidth: number;
  /** The objects in an array, if the array is all that is there now. */
  readonly objectsOf: (array: TermId) => readonly Placed[] | undefined;
  readonly isVisible: (site: Site) => boolean;
  /** What a pointer points to that has a name, or that begins an object with one: an array of what lies there. */
  readonly behind: (pointer: TermId) => SourceName | undefined;
  /** By address, what is said to lie there. */
  readonly pointers: ReadonlyMap<bigint, SourceName>;
  /** A word that is no sum, as a part of an index. */
  readonly textOf: (word: TermId) => string | undefined;
}

export interface Element extends CVariable {
  /** What has to hold so that it is an element: indices are below what arrays count. */
  readonly bounds: readonly TermId[];
  /** Is that all? Otherwise there is an index of which nobody knows the bound. */
  readonly isBounded: boolean;
}

export class Elements {
  private readonly terms: TermStore;
  private readonly surroundings: Surroundings;
  private readonly pointerWidth: number;

  constructor(terms: TermStore, surroundings: Surroundings) {
    this.terms = terms;
    this.surroundings = surroundings;
    this.pointerWidth = surroundings.pointerWidth;
  }

  /** What a read of an array reads. */
  at(read: TermId): Element | undefined {
    const { terms } = this;
    const [array, index] = terms.args(read);
    const objects = this.surroundings.objectsOf(array);
    if (objects === undefined) return undefined;
    const sum = this.sumOf(index);
    const bytes = terms.width(read) / 8;
    for (const [word, factor] of sum) {
      const behind = word !== undefined && factor === 1n ? this.surroundings.behind(word) : undefined;
      if (behind?.type === undefined) continue;
      const rest = new Map([...sum].filter(([other]) => other !== word));
      return this.inside({ ...BARE, text: behind.name, type: behind.type }, rest, bytes);
    }
    const constant = BigInt.asUintN(this.pointerWidth, sum.get(undefined) ?? 0n);
    const object = this.objectAt(objects, constant);
    if (object?.whole?.type === undefined) return undefined;
    const { whole, address } = object;
    const offset = new Map(sum);
    offset.set(undefined, constant - address);
    return this.inside({ ...BARE, text: whole.name, type: whole.type as DebugType }, offset, bytes);
  }

  /** What lies at an offset of something that has a name, and is so many bytes long. */
  private inside(whole: Element, offset: Sum, bytes: number): Element | undefined {
    const type = stripped(whole.type);
    if (type?.kind === 'array') return this.element(whole, type, offset, bytes);
    const words = [...offset].filter(([word]) => word !== undefined);
    const at = Number(offset.get(undefined) ?? 0n);
    const member =
      type?.kind === 'struct'
        ? type
            .members()
            .filter(m => m.offset <= 8 * at)
            .at(-1)
        : undefined;
    if (member?.type !== undefined) {
      // Some of the bits of a word have no read of their own.
      if (member.offset % 8 !== 0 || member.bits !== sizeOf(member.type, this.pointerWidth)) return undefined;
      const within = new Map([...words, [undefined, BigInt(at - member.offset / 8)] as const]);
      const text = `${whole.text}.${member.name}`;
      return this.inside({ ...whole, text, type: member.type }, within, bytes);
    }
    if (words.length > 0 || at < 0) return undefined;
    const found = exactNameAt({ name: whole.text, type }, at, bytes);
    return found?.type && { ...whole, text: found.name, type: found.type };
  }

  /** What lies at an offset of an array. */
  private element(
    whole: Element,
    array: DebugType & { readonly kind: 'array' },
    offset: Sum,
    bytes: number,
  ): Element | undefined {
    const type = array.element();
    const bits = sizeOf(type, this.pointerWidth);
    if (type === undefined || bits === undefined || bits === 0) return undefined;
    const size = BigInt(bits / 8);
    const constant = offset.get(undefined) ?? 0n;
    const rest = ((constant % size) + size) % size;
    const index: Summand[] = [[undefined, (constant - rest) / size]];
    const within = new Map<TermId | undefined, bigint>([[undefined, rest]]);
    // What is no multiple of the element's size is about a part of it.
    for (const [word, factor] of offset)
      if (word !== undefined && factor % size === 0n) index.push([word, factor / size]);
      else if (word !== undefined) within.set(word, factor);
    const name = this.indexText(index);
    if (name === undefined) return undefined;
    const bound = array.count === undefined ? undefined : this.isBelow(index, array.count);
    return this.inside(
      {
        text: `${whole.text}[${name}]`,
        type,
        bounds: [...whole.bounds, ...(bound === undefined || bound === this.terms.true ? [] : [bound])],
        isBounded: whole.isBounded && bound !== undefined,
      },
      within,
      bytes,
    );
  }

  /** That an index is less than what an array counts. */
  private isBelow(index: readonly Summand[], count: number): TermId {
    const { terms, pointerWidth } = this;
    const [[, constant]] = index;
    if (index.length === 1) return terms.bool(constant >= 0n && constant < count);
    const word = (value: bigint) => terms.bv(pointerWidth, BigInt.asUintN(pointerWidth, value));
    const zero = word(0n);
    let sum = zero;
    for (const [t, factor] of inOrder(index)) {
      const times = factor < 0n ? -factor : factor;
      const product =
        t === undefined ? word(times) : times === 1n ? t : terms.app(Op.BVMUL, [word(times), t]);
      if (product === zero) continue;
      if (factor < 0n) sum = terms.app(Op.BVSUB, [sum, product]);
      else sum = sum === zero ? product : terms.app(Op.BVADD, [sum, product]);
    }
    return terms.app(Op.BVULT, [sum, word(BigInt(count))]);
  }

  private indexText(sum: readonly Summand[]): string | undefined {
    let text = '';
    for (const [word, factor] of inOrder(sum)) {
      if (word === undefined && factor === 0n) continue;
      const own = word === undefined ? '1' : this.surroundings.textOf(word);
      if (own === undefined) return undefined;
      const size = factor < 0n ? -factor : factor;
      const product = word === undefined ? String(size) : size === 1n ? own : `${size} * ${own}`;
      text += text === '' ? `${factor < 0n ? '-' : ''}${product}` : ` ${factor < 0n ? '-' : '+'} ${product}`;
    }
    return text === '' ? '0' : text;
  }

  /** The object with an address inside, or shortly behind it; or what is said to lie there. */
  private objectAt(
    objects: readonly Placed[],
    address: bigint,
  ): { readonly whole: SourceName | undefined; readonly address: bigint } {
    const { isVisible, pointers } = this.surroundings;
    const fixed = objects.flatMap(({ site, address: start }) =>
      start === undefined ? [] : [{ site, start }],
    );
    const found =
      fixed.find(({ site, start }) => address >= start && address < start + BigInt(site.size ?? 1)) ??
      fixed.find(({ start }) => address < start && start - address <= BEFORE);
    const start = found?.start ?? address;
    const site = found?.site;
    const isNamed = site !== undefined && site.kind !== 'heap' && isVisible(site);
    return { whole: isNamed ? site : pointers.get(start), address: start };
  }

  private sumOf(t: TermId): Sum {
    const { terms } = this;
    const width = terms.width(t);
    const sum = new Map<TermId | undefined, bigint>();
    const add = (word: TermId | undefined, factor: bigint) =>
      sum.set(word, BigInt.asIntN(width, (sum.get(word) ?? 0n) + factor));
    const follow = (s: TermId, factor: bigint): void => {
      const args = terms.args(s);
      const constant = args.find(a => terms.isConstant(a));
      if (terms.op(s) === Op.BV_CONST) add(undefined, factor * BigInt(terms.bvValue(s)));
      else if (terms.op(s) === Op.BVADD) for (const a of args) follow(a, factor);
      else if (terms.op(s) === Op.BVSUB)
        for (const [i, a] of args.entries()) follow(a, i === 0 ? factor : -factor);
      else if (terms.op(s) === Op.BVNEG) follow(args[0], -factor);
      else if (terms.op(s) === Op.BVMUL && constant !== undefined && args.length === 2)
        follow(args[0] === constant ? args[1] : args[0], factor * BigInt(terms.bvValue(constant)));
      else add(s, factor);
    };
    follow(t, 1n);
    for (const [word, factor] of sum) if (factor === 0n) sum.delete(word);
    return sum;
  }
}

/** As people write sums: what is subtracted last, and otherwise the constant. */
function inOrder(sum: readonly Summand[]): Summand[] {
  const rank = ([word, factor]: Summand) => (factor < 0n ? 2 : 0) + (word === undefined ? 1 : 0);
  return [...sum].sort((a, b) => rank(a) - rank(b));
}
