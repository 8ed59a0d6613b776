/**
 * What the user calls a part of an object: its name, with the members of structs, and the type that the part has. Elements of arrays and
 * members of unions have no such name.
 */
import type { Site } from './flow.ts';
import type { DebugMember, DebugType } from './module.ts';

export interface SourceName {
  readonly name: string;
  readonly type: DebugType | undefined;
}

/** What lies at an offset, roughly: what is there may be a part of what has the name. */
export function nameAt(site: Site, offset: number): SourceName | undefined {
  return walk(site, offset)?.named;
}

/** What lies at an offset and is so many bytes long, if that is exactly what a name stands for. */
export function exactNameAt(whole: SourceName, offset: number, bytes: number): SourceName | undefined {
  const found = walk(whole, offset);
  if (found === undefined || found.rest !== 0) return undefined;
  const { type } = found.named;
  const bits = scalarBits(type, 8 * bytes);
  return bits === 8 * bytes && (found.bits ?? bits) === bits ? found.named : undefined;
}

/** In bits; undefined where that is not known. */
export function sizeOf(type: DebugType | undefined, pointerWidth: number): number | undefined {
  const known = stripped(type);
  if (known === undefined) return undefined;
  switch (known.kind) {
    case 'pointer':
      return pointerWidth;
    case 'array': {
      const element = sizeOf(known.element(), pointerWidth);
      return element === undefined || known.count === undefined ? undefined : known.count * element;
    }
    case 'typedef':
    case 'function':
      return undefined;
    default:
      return known.bits;
  }
}

/** Without the names that typedefs give. */
export function stripped(type: DebugType | undefined): DebugType | undefined {
  let t = type;
  while (t?.kind === 'typedef') t = t.of();
  return t;
}

function walk(
  whole: SourceName,
  offset: number,
):
  | { readonly named: SourceName; readonly rest: number; readonly bits: number | undefined } // of a member
  | undefined {
  let type = stripped(whole.type);
  if (type === undefined) return undefined;
  let { name } = whole;
  let bits: number | undefined;
  for (let at = 8 * offset; ; ) {
    if (type?.kind === 'struct') {
      const members: readonly DebugMember[] = type.members().filter(m => m.offset <= at);
      const member = members.at(-1);
      if (member === undefined) return undefined;
      name += `.${member.name}`;
      at -= member.offset;
      ({ bits } = member);
      type = stripped(member.type);
    } else if (type?.kind === 'array') return undefined;
    else return { named: { name, type }, rest: at, bits };
  }
}

/** The size of a scalar; a pointer has that of what is there. */
function scalarBits(type: DebugType | undefined, otherwise: number): number | undefined {
  switch (type?.kind) {
    case 'basic':
    case 'enum':
      return type.bits;
    case 'pointer':
      return otherwise;
    default:
      return undefined;
  }
}
