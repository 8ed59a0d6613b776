/**
 * What the metadata of a module says about the user's text: where instructions and functions stand in it, which variables
 * there are, and which stores only mark that a variable begins to exist.
 *
 * Metadata never changes what a program means, so what is odd in it is taken as missing.
 */

import type { DebugType, Loop, Place, Scope } from '../module.ts';
import { DebugTypes } from './debug-types.ts';
import type { Lexer } from './lexer.ts';
import { Metadata, type MetadataNode, type MetadataValue } from './metadata.ts';

const LONGEST_CHAIN = 1000; // scopes around each other: more is a circle

/** The first column, for what only has a line. */
const NO_COLUMN = 1;

/** What a variable is called in the user's text. */
export interface NamedByUser {
  readonly name: string;
  readonly type: DebugType | undefined;
  readonly place: Place | undefined;
  /** Undefined outside of all functions. */
  readonly scope: Scope | undefined;
}

/** Where a function stands and what it returns. */
export interface FunctionInfo {
  readonly place: Place | undefined;
  readonly returns: DebugType | undefined;
}

export class DebugInfo {
  private readonly metadata: Metadata;
  private readonly types: DebugTypes;
  private readonly places = new Map<number, Place | undefined>(); // by the number of the location
  private readonly files = new Map<number, string | undefined>(); // by the number of the scope
  private readonly scopes = new Map<number, Scope | undefined>(); // by the number of the scope
  private readonly marks = new Map<number, boolean>(); // is the node of this number the annotation that marks no value?

  constructor(lexer: Lexer) {
    this.metadata = new Metadata(lexer);
    this.types = new DebugTypes(this.metadata);
  }

  /** The place that a `!dbg` of an instruction names. */
  place(value: MetadataValue): Place | undefined {
    if (value.kind !== 'reference') return this.placeOfNode(this.metadata.resolve(value));
    const { id } = value;
    let place = this.places.get(id);
    if (place === undefined && !this.places.has(id)) {
      const location = this.metadata.location(id);
      place = location && this.makePlace(location.line, location.column, this.fileOf(location.scope));
      this.places.set(id, place);
    }
    return place;
  }

  /** The function whose `!dbg` is this. */
  function(value: MetadataValue): FunctionInfo | undefined {
    const node = this.metadata.resolve(value);
    if (node?.name !== 'DISubprogram') return undefined;
    const type = this.metadata.resolve(node.fields.get('type'));
    const types = this.metadata.resolve(type?.fields.get('types'));
    return { place: this.placeOfNode(node), returns: this.types.get(types?.items[0]) };
  }

  /** The loop that a `!llvm.loop` names: its node begins with itself and the place where the statement begins. */
  loop(value: MetadataValue): Loop | undefined {
    const start = this.metadata.resolve(value)?.items[1];
    if (start?.kind !== 'reference') return undefined;
    const place = this.place(start);
    const location = this.metadata.location(start.id);
    const scope = location && this.scope(location.scope, 0);
    return place && scope && { place, scope };
  }

  /** A local variable by its node. */
  localVariable(value: MetadataValue): NamedByUser | undefined {
    const node = this.metadata.resolve(value);
    return node?.name === 'DILocalVariable' ? this.variable(node) : undefined;
  }

  /** The variable that the `!dbg` of a global names. */
  globalVariable(value: MetadataValue): NamedByUser | undefined {
    const node = this.metadata.resolve(value);
    const variable =
      node?.name === 'DIGlobalVariableExpression' ? this.metadata.resolve(node.fields.get('var')) : node;
    return variable?.name === 'DIGlobalVariable' ? this.variable(variable) : undefined;
  }

  /** Is this the annotation of a store that only marks that a variable begins to exist? */
  marksUninitialized(value: MetadataValue): boolean {
    if (value.kind !== 'reference') return isMark(this.metadata.resolve(value));
    let isMarked = this.marks.get(value.id);
    if (isMarked === undefined) {
      isMarked = isMark(this.metadata.get(value.id));
      this.marks.set(value.id, isMarked);
    }
    return isMarked;
  }

  private variable(node: MetadataNode): NamedByUser | undefined {
    const name = node.fields.get('name');
    if (name?.kind !== 'string') return undefined;
    const around = node.fields.get('scope');
    return {
      name: name.text,
      type: this.types.get(node.fields.get('type')),
      place: this.placeOfNode(node),
      scope: around?.kind === 'reference' ? this.scope(around.id, 0) : undefined,
    };
  }

  /** The place of a node with a line and, itself or around it, a file. */
  private placeOfNode(node: MetadataNode | undefined): Place | undefined {
    if (node === undefined) return undefined;
    const line = node.fields.get('line');
    const column = node.fields.get('column');
    if (line?.kind !== 'integer') return undefined;
    return this.makePlace(
      Number(line.value),
      column?.kind === 'integer' ? Number(column.value) : NO_COLUMN,
      this.fileAround(node),
    );
  }

  /** A function or a block in one, by its number. */
  private scope(id: number, depth: number): Scope | undefined {
    if (this.scopes.has(id)) return this.scopes.get(id);
    const node = this.metadata.get(id);
    const isBlock = node?.name === 'DILexicalBlock' || node?.name === 'DILexicalBlockFile';
    let scope: Scope | undefined;
    if (node?.name === 'DISubprogram') scope = { parent: undefined };
    else if (isBlock && depth < LONGEST_CHAIN) {
      const around = node.fields.get('scope');
      const parent = around?.kind === 'reference' ? this.scope(around.id, depth + 1) : undefined;
      scope = parent && { parent };
    }
    this.scopes.set(id, scope);
    return scope;
  }

  /** The line 0 is what the compiler made without a place in the text. */
  private makePlace(line: number, column: number, file: string | undefined): Place | undefined {
    return line > 0 && file !== undefined ? { file, line, column } : undefined;
  }

  private fileOf(scope: number): string | undefined {
    let file = this.files.get(scope);
    if (file === undefined && !this.files.has(scope)) {
      file = this.fileAround(this.metadata.get(scope));
      this.files.set(scope, file);
    }
    return file;
  }

  /** The file that a scope names, or the next one around it that does. */
  private fileAround(start: MetadataNode | undefined): string | undefined {
    let node = start;
    for (let i = 0; node !== undefined && i < LONGEST_CHAIN; i++) {
      const file = node.name === 'DIFile' ? node : this.metadata.resolve(node.fields.get('file'));
      const name = file?.fields.get('filename');
      if (name?.kind === 'string') return name.text;
      node = this.metadata.resolve(node.fields.get('scope'));
    }
    return undefined;
  }
}

function isMark(node: MetadataNode | undefined): boolean {
  return node?.items.some(item => item.kind === 'string' && item.text === 'auto-init') ?? false;
}
