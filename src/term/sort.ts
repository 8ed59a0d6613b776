/**
 * Sorts: Bool, (_ BitVec n), (Array index element) and declared uninterpreted sorts, interned so that two
 * sorts are equal exactly when their ids are. Bool is always id 0. Component sorts have smaller ids than
 * the arrays built from them.
 */
import type { Brand } from './brand.ts';

export type SortId = Brand<number, 'SortId'>;

export const SortKind = { BOOL: 0, BITVEC: 1, ARRAY: 2, UNINTERPRETED: 3 } as const;
export type SortKind = (typeof SortKind)[keyof typeof SortKind];

type SortNode =
  | { readonly kind: typeof SortKind.BOOL }
  | { readonly kind: typeof SortKind.BITVEC; readonly width: number }
  | { readonly kind: typeof SortKind.ARRAY; readonly index: SortId; readonly element: SortId }
  | { readonly kind: typeof SortKind.UNINTERPRETED; readonly name: string };

/** Wider vectors than this are refused: a constant of one would no longer fit a JavaScript BigInt safely. */
export const MAX_WIDTH = 1 << 24;

export class SortStore {
  readonly bool = 0 as SortId;
  private readonly nodes: SortNode[] = [{ kind: SortKind.BOOL }];
  private readonly widths: number[] = [0]; // bit-vector width by sort id, 0 for every other sort
  private readonly bitVecs = new Map<number, SortId>();
  private readonly arrays = new Map<string, SortId>();

  bitVec(width: number): SortId {
    let id = this.bitVecs.get(width);
    if (id === undefined) {
      if (!Number.isInteger(width) || width < 1 || width > MAX_WIDTH) {
        throw new RangeError(`a bit-vector's width must be between 1 and ${MAX_WIDTH}, not ${width}`);
      }
      id = this.add({ kind: SortKind.BITVEC, width });
      this.bitVecs.set(width, id);
    }
    return id;
  }

  array(index: SortId, element: SortId): SortId {
    const key = `${index} ${element}`;
    let id = this.arrays.get(key);
    if (id === undefined) {
      id = this.add({ kind: SortKind.ARRAY, index, element });
      this.arrays.set(key, id);
    }
    return id;
  }

  /** A new uninterpreted sort, different from every other one whatever its name. */
  declare(name: string): SortId {
    return this.add({ kind: SortKind.UNINTERPRETED, name });
  }

  kind(sort: SortId): SortKind {
    return this.nodes[sort].kind;
  }

  /** The width of a bit-vector sort; 0 says that the sort is no bit-vector. */
  width(sort: SortId): number {
    return this.widths[sort];
  }

  isArray(sort: SortId): boolean {
    return this.nodes[sort].kind === SortKind.ARRAY;
  }

  indexSort(array: SortId): SortId {
    return this.arrayNode(array).index;
  }

  elementSort(array: SortId): SortId {
    return this.arrayNode(array).element;
  }

  /** The number of values of a sort; Infinity for uninterpreted sorts and what is too large to count. */
  size(sort: SortId): number {
    const node = this.nodes[sort];
    switch (node.kind) {
      case SortKind.BOOL:
        return 2;
      case SortKind.BITVEC:
        return 2 ** node.width;
      case SortKind.ARRAY:
        return this.size(node.element) ** this.size(node.index);
      case SortKind.UNINTERPRETED:
        return Number.POSITIVE_INFINITY;
    }
  }

  /** SMT-LIB's spelling. */
  name(sort: SortId): string {
    const node = this.nodes[sort];
    switch (node.kind) {
      case SortKind.BOOL:
        return 'Bool';
      case SortKind.BITVEC:
        return `(_ BitVec ${node.width})`;
      case SortKind.ARRAY:
        return `(Array ${this.name(node.index)} ${this.name(node.element)})`;
      case SortKind.UNINTERPRETED:
        return quoteSymbol(node.name);
    }
  }

  private arrayNode(sort: SortId) {
    const node = this.nodes[sort];
    if (node.kind !== SortKind.ARRAY) throw new TypeError(`${this.name(sort)} is not an array sort`);
    return node;
  }

  private add(node: SortNode): SortId {
    this.widths.push(node.kind === SortKind.BITVEC ? node.width : 0);
    return (this.nodes.push(node) - 1) as SortId;
  }
}

const SIMPLE_SYMBOL = /^[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*$/;
/** The words of the language and the names of its commands, which some solvers take for commands wherever they stand. */
const RESERVED = new Set(
  `_ ! as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING
  assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort
  declare-sort-parameter define-const define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions
  get-assignment get-info get-model get-option get-proof get-unsat-assumptions get-unsat-core get-value pop push reset
  reset-assertions set-info set-logic set-option`.split(/\s+/),
);

/** A symbol as SMT-LIB text, between bars where its characters or a reserved word ask for it. */
export function quoteSymbol(name: string): string {
  return SIMPLE_SYMBOL.test(name) && !RESERVED.has(name) ? name : `|${name}|`;
}
