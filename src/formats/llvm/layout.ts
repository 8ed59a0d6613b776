/**
 * How values lie in memory: sizes, alignments and offsets, as the data layouts of i386 (ILP32) and x86-64 (LP64) have them. A value
 * of an aggregate type is a list of scalars, its leaves, each with its offset.
 */
import { Unknown } from '../../sat/unknown.ts';
import type { FloatName, StructType, Type } from './module.ts';

/** A scalar part of a value. */
export interface Leaf {
  /** In bytes. */
  readonly offset: number;
  /** In bits. */
  readonly width: number;
}

interface Extent {
  readonly size: number;
  readonly alignment: number;
}

const FLOAT_WIDTHS: Readonly<Record<FloatName, number>> = {
  half: 16,
  float: 32,
  double: 64,
  x86_fp80: 80,
  fp128: 128,
};

export class Layout {
  readonly pointerWidth: 32 | 64;
  private readonly extents = new Map<Type, Extent>();
  private readonly offsets = new Map<StructType, readonly number[]>();
  private readonly leavesOf = new Map<Type, readonly Leaf[]>();

  constructor(pointerWidth: 32 | 64) {
    this.pointerWidth = pointerWidth;
  }

  /** What an array's elements are apart, in bytes. */
  size(type: Type): number {
    return this.extent(type).size;
  }

  alignment(type: Type): number {
    return this.extent(type).alignment;
  }

  /** Of a scalar, in bits. */
  width(type: Type): number {
    switch (type.kind) {
      case 'int':
        return type.width;
      case 'pointer':
        return this.pointerWidth;
      case 'float':
        return FLOAT_WIDTHS[type.name];
      default:
        throw new Unknown('unsupported', `a value of type ${type.kind} where a scalar is expected`);
    }
  }

  fieldOffset(type: StructType, index: number): number {
    return this.fieldOffsets(type)[index];
  }

  /** The scalars of a value, in order. */
  leaves(type: Type): readonly Leaf[] {
    let leaves = this.leavesOf.get(type);
    if (leaves === undefined) {
      leaves = this.findLeaves(type);
      this.leavesOf.set(type, leaves);
    }
    return leaves;
  }

  /** The part of the leaves that an element of an aggregate has: from, and how many. */
  leafRange(
    type: Type,
    indices: readonly number[],
  ): { readonly type: Type; readonly from: number; readonly count: number } {
    let from = 0;
    let at = type;
    for (const index of indices) {
      for (let i = 0; i < index; i++) from += this.leaves(element(at, i)).length;
      at = element(at, index);
    }
    return { type: at, from, count: this.leaves(at).length };
  }

  private findLeaves(type: Type): readonly Leaf[] {
    const at = (inner: Type, offset: number) =>
      this.leaves(inner).map(l => ({ offset: offset + l.offset, width: l.width }));
    switch (type.kind) {
      case 'void':
        return [];
      case 'struct':
        return type.fields.flatMap((f, i) => at(f, this.fieldOffset(type, i)));
      case 'array':
        return Array.from({ length: type.count }, (_, i) =>
          at(type.element, i * this.size(type.element)),
        ).flat();
      default:
        return [{ offset: 0, width: this.width(type) }];
    }
  }

  private extent(type: Type): Extent {
    let extent = this.extents.get(type);
    if (extent === undefined) {
      extent = this.findExtent(type);
      this.extents.set(type, extent);
    }
    return extent;
  }

  private findExtent(type: Type): Extent {
    switch (type.kind) {
      case 'struct': {
        const offsets = this.fieldOffsets(type);
        const alignment = type.isPacked ? 1 : Math.max(1, ...type.fields.map(f => this.alignment(f)));
        const last = type.fields.length - 1;
        const end = last < 0 ? 0 : offsets[last] + this.size(type.fields[last]);
        return { size: roundUp(end, alignment), alignment };
      }
      case 'array':
        return { size: type.count * this.size(type.element), alignment: this.alignment(type.element) };
      case 'opaque':
      case 'void':
      case 'function':
        return { size: 1, alignment: 1 };
      default: {
        const bytes = Math.ceil(this.width(type) / 8);
        const alignment = this.scalarAlignment(type, bytes);
        return { size: roundUp(bytes, alignment), alignment };
      }
    }
  }

  private scalarAlignment(type: Type, bytes: number): number {
    const natural = 2 ** Math.ceil(Math.log2(bytes));
    if (type.kind === 'float' && type.name === 'x86_fp80') return this.pointerWidth === 32 ? 4 : 16;
    return Math.min(natural, this.pointerWidth === 32 ? (natural > 8 ? 16 : 4) : 16);
  }

  private fieldOffsets(type: StructType): readonly number[] {
    let offsets = this.offsets.get(type);
    if (offsets === undefined) {
      let end = 0;
      offsets = type.fields.map(f => {
        const offset = type.isPacked ? end : roundUp(end, this.alignment(f));
        end = offset + this.size(f);
        return offset;
      });
      this.offsets.set(type, offsets);
    }
    return offsets;
  }
}

function element(type: Type, index: number): Type {
  if (type.kind === 'struct') return type.fields[index];
  if (type.kind === 'array') return type.element;
  throw new Unknown('unsupported', `an element of a value of type ${type.kind}`);
}

export function roundUp(n: number, to: number): number {
  return Math.ceil(n / to) * to;
}
