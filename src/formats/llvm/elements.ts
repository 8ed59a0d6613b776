/**
 * What the user calls an element of an array: a read of memory at base + 4 · i is `a[i]` where `a` is an array of numbers that lies at the base,
 * and a member of it `a[i].n` where its elements are structs. An object whose address is no constant lies where something else is said to
 * point; and one that has no name is called by a pointer to it.
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

/** A sum of words with factors; the word of the constant is undefined. */
type Sum = ReadonlyMap<TermId | undefined, bigint>;

/** What is known of arrays, words and addresses where an element is spoken of. */
export interface Surroundings {
  readonly pointerWidth: number;
  readonly objectsOf: (array: TermId) => readonly Placed[];
  readonly isVisible: (site: Site) => boolean;
  /** What a pointer with a name points to: an array of what lies there. */
  readonly behind: (pointer: TermId) => SourceName | undefined;
  /** By address, what is said to point there, with what that is behind it. */
  readonly pointers: ReadonlyMap<bigint, SourceName | undefined>;
  /** A word that is no sum, as a part of an index. */
  readonly textOf: (word: TermId) => string | undefined;
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
  at(read: TermId): CVariable | undefined {
    const { terms } = this;
    const [array, index] = terms.args(read);
    const sum = this.sumOf(index);
    const bytes = terms.width(read) / 8;
    for (const [word, factor] of sum) {
      const behind = word !== undefined && factor === 1n ? this.surroundings.behind(word) : undefined;
      if (behind?.type === undefined) continue;
      const rest = new Map([...sum].filter(([other]) => other !== word));
      return this.inside(behind.name, behind.type, rest, bytes);
    }
    const constant = BigInt.asUintN(this.pointerWidth, sum.get(undefined) ?? 0n);
    const object = this.objectAt(array, constant);
    if (object?.whole.type === undefined) return undefined;
    const { whole, address } = object;
    const offset = new Map(sum);
    offset.set(undefined, constant - address);
    return this.inside(whole.name, object.whole.type, offset, bytes);
  }

  /** What lies at an offset of something that has a name, and is so many bytes long. */
  private inside(name: string, type: DebugType, offset: Sum, bytes: number): CVariable | undefined {
    const known = stripped(type);
    const words = [...offset].filter(([word]) => word !== undefined);
    if (known?.kind !== 'array') {
      const at = Number(offset.get(undefined) ?? 0n);
      const member =
        known?.kind === 'struct' &&
        known
          .members()
          .filter(m => m.offset <= 8 * at)
          .at(-1);
      if (member && member.type !== undefined) {
        const within = new Map([...words, [undefined, BigInt(at - member.offset / 8)] as const]);
        if (member.offset % 8 === 0) return this.inside(`${name}.${member.name}`, member.type, within, bytes);
      }
      if (words.length > 0) return undefined;
      const found = at < 0 ? undefined : exactNameAt({ name, type: known }, at, bytes);
      return found?.type && { text: found.name, type: found.type };
    }
    const element = known.element();
    const bits = sizeOf(element, this.pointerWidth);
    if (element === undefined || bits === undefined || bits === 0) return undefined;
    const size = BigInt(bits / 8);
    const constant = offset.get(undefined) ?? 0n;
    const rest = ((constant % size) + size) % size;
    const index: [TermId | undefined, bigint][] = [[undefined, (constant - rest) / size]];
    const within = new Map<TermId | undefined, bigint>([[undefined, rest]]);
    // What is no multiple of the element's size is about a part of it.
    for (const [word, factor] of words)
      if (factor % size === 0n) index.push([word, factor / size]);
      else within.set(word, factor);
    const text = this.indexText(index);
    return text === undefined ? undefined : this.inside(`${name}[${text}]`, element, within, bytes);
  }

  private indexText(sum: readonly (readonly [TermId | undefined, bigint])[]): string | undefined {
    let text = '';
    // The constant is what people write last.
    for (const [word, factor] of [...sum.slice(1), sum[0]]) {
      if (word === undefined && factor === 0n) continue;
      const own = word === undefined ? '1' : this.surroundings.textOf(word);
      if (own === undefined) return undefined;
      const size = factor < 0n ? -factor : factor;
      const product = word === undefined ? String(size) : size === 1n ? own : `${size} * ${own}`;
      text += text === '' ? `${factor < 0n ? '-' : ''}${product}` : ` ${factor < 0n ? '-' : '+'} ${product}`;
    }
    return text === '' ? '0' : text;
  }

  /** The object with an address inside, or shortly behind it. */
  private objectAt(array: TermId, address: bigint): { whole: SourceName; address: bigint } | undefined {
    const { objectsOf, isVisible, pointers } = this.surroundings;
    const objects = objectsOf(array);
    const fixed = objects.flatMap(({ site, address: start }) =>
      start === undefined ? [] : [{ site, start }],
    );
    const found =
      fixed.find(({ site, start }) => address >= start && address < start + BigInt(site.size ?? 1)) ??
      fixed.find(({ start }) => address < start && start - address <= BEFORE);
    const start = found?.start ?? [...pointers.keys()].find(p => p === address);
    const site = found?.site ?? (objects.length === 1 ? objects[0].site : undefined);
    if (start === undefined || site === undefined) return undefined;
    const whole = site.kind !== 'heap' && isVisible(site) ? site : pointers.get(start);
    return whole && { whole, address: start };
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
      else if (terms.op(s) === Op.BVMUL && constant !== undefined && args.length === 2)
        follow(args[0] === constant ? args[1] : args[0], factor * BigInt(terms.bvValue(constant)));
      else add(s, factor);
    };
    follow(t, 1n);
    for (const [word, factor] of sum) if (factor === 0n) sum.delete(word);
    return sum;
  }
}
