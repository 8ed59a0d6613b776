/** The types that the user wrote, from the metadata that describes them. What is behind a pointer is read when asked for. */

import type { DebugMember, DebugType } from '../module.ts';
import type { Metadata, MetadataNode, MetadataValue } from './metadata.ts';

const LONGEST_CHAIN = 1000; // qualifiers around each other: more is a circle

const QUALIFIERS: ReadonlySet<string> = new Set([
  'DW_TAG_const_type',
  'DW_TAG_volatile_type',
  'DW_TAG_restrict_type',
  'DW_TAG_atomic_type',
]);

type Encoding = (DebugType & { kind: 'basic' })['encoding'];

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['DW_ATE_signed', 'signed'],
  ['DW_ATE_unsigned', 'unsigned'],
  ['DW_ATE_signed_char', 'signed'],
  ['DW_ATE_unsigned_char', 'unsigned'],
  ['DW_ATE_UTF', 'unsigned'],
  ['DW_ATE_boolean', 'boolean'],
  ['DW_ATE_float', 'float'],
]);

export class DebugTypes {
  private readonly metadata: Metadata;
  private readonly known = new Map<number, DebugType | undefined>(); // by the number of the node

  constructor(metadata: Metadata) {
    this.metadata = metadata;
  }

  /** Undefined is void, and what is not known here. */
  get(value: MetadataValue | undefined): DebugType | undefined {
    if (value?.kind !== 'reference') return this.read(this.metadata.resolve(value));
    let type = this.known.get(value.id);
    if (type === undefined && !this.known.has(value.id)) {
      type = this.read(this.metadata.get(value.id));
      this.known.set(value.id, type);
    }
    return type;
  }

  private read(start: MetadataNode | undefined): DebugType | undefined {
    let node = start;
    for (let i = 0; i < LONGEST_CHAIN && QUALIFIERS.has(word(node, 'tag')); i++) {
      node = this.metadata.resolve(node?.fields.get('baseType'));
    }
    switch (node?.name) {
      case 'DIBasicType':
        return readBasic(node);
      case 'DIDerivedType':
        return this.readDerived(node);
      case 'DICompositeType':
        return this.readComposite(node);
      case 'DISubroutineType':
        return { kind: 'function' };
      default:
        return undefined;
    }
  }

  private readDerived(node: MetadataNode): DebugType | undefined {
    const base = () => this.get(node.fields.get('baseType'));
    switch (word(node, 'tag')) {
      case 'DW_TAG_pointer_type':
        return { kind: 'pointer', to: base };
      case 'DW_TAG_typedef':
        return { kind: 'typedef', name: text(node, 'name'), of: base };
      default:
        return undefined;
    }
  }

  private readComposite(node: MetadataNode): DebugType | undefined {
    switch (word(node, 'tag')) {
      case 'DW_TAG_structure_type':
        return this.readMembers('struct', node);
      case 'DW_TAG_union_type':
        return this.readMembers('union', node);
      case 'DW_TAG_array_type':
        return this.readArray(node);
      case 'DW_TAG_enumeration_type':
        return this.readEnum(node);
      default:
        return undefined;
    }
  }

  private readMembers(kind: 'struct' | 'union', node: MetadataNode): DebugType {
    let members: readonly DebugMember[] | undefined;
    return {
      kind,
      name: text(node, 'name'),
      bits: integer(node, 'size') ?? 0,
      members: () => {
        members ??= this.elements(node)
          .filter(element => word(element, 'tag') === 'DW_TAG_member')
          .map(element => ({
            name: text(element, 'name'),
            offset: integer(element, 'offset') ?? 0,
            bits: integer(element, 'size') ?? 0,
            type: this.get(element.fields.get('baseType')),
          }));
        return members;
      },
    };
  }

  /** One node for all dimensions: an array of arrays. */
  private readArray(node: MetadataNode): DebugType {
    const counts = this.elements(node).map(countOf);
    const dimension = (i: number): DebugType => ({
      kind: 'array',
      element: i + 1 < counts.length ? () => dimension(i + 1) : () => this.get(node.fields.get('baseType')),
      count: counts[i],
    });
    return dimension(0);
  }

  private readEnum(node: MetadataNode): DebugType {
    const base = this.metadata.resolve(node.fields.get('baseType'));
    const enumerators = this.elements(node).filter(element => element.name === 'DIEnumerator');
    const encoding = word(base, 'encoding');
    const values = enumerators.map((element): readonly [string, bigint] => {
      const value = element.fields.get('value');
      return [text(element, 'name'), value?.kind === 'integer' ? value.value : 0n];
    });
    return {
      kind: 'enum',
      name: text(node, 'name'),
      bits: integer(node, 'size') ?? 0,
      isSigned:
        encoding === ''
          ? !enumerators.some(element => word(element, 'isUnsigned') === 'true')
          : ENCODINGS.get(encoding) === 'signed',
      values,
    };
  }

  private elements(node: MetadataNode): MetadataNode[] {
    const list = this.metadata.resolve(node.fields.get('elements'));
    return (list?.items ?? []).map(item => this.metadata.resolve(item)).filter(item => item !== undefined);
  }
}

function readBasic(node: MetadataNode): DebugType | undefined {
  const name = text(node, 'name');
  const encoding = name === 'char' ? 'char' : ENCODINGS.get(word(node, 'encoding'));
  return encoding && { kind: 'basic', name, bits: integer(node, 'size') ?? 0, encoding };
}

/** How many elements a dimension has, if that is a constant. */
function countOf(subrange: MetadataNode): number | undefined {
  const count = integer(subrange, 'count');
  if (count !== undefined) return count >= 0 ? count : undefined;
  const upper = integer(subrange, 'upperBound');
  return upper === undefined ? undefined : upper - (integer(subrange, 'lowerBound') ?? 0) + 1;
}

function text(node: MetadataNode | undefined, field: string): string {
  const value = node?.fields.get(field);
  return value?.kind === 'string' ? value.text : '';
}

function word(node: MetadataNode | undefined, field: string): string {
  const value = node?.fields.get(field);
  return value?.kind === 'word' ? value.text : '';
}

function integer(node: MetadataNode | undefined, field: string): number | undefined {
  const value = node?.fields.get(field);
  return value?.kind === 'integer' ? Number(value.value) : undefined;
}
