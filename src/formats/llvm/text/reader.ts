/**
 * Reads a module of LLVM's textual IR, as Clang writes it for C. What only helps an optimiser is passed over; what has a
 * meaning that a `Module` cannot express is an InputError that names it, or, inside of functions, an instruction that is
 * marked as not supported.
 */
import type { Checkpoint } from '../../../sat/checkpoint.ts';
import { withoutMark } from '../../byte-order-mark.ts';
import type { InputError } from '../../diagnostic.ts';
import type { FunctionDefinition, GlobalVariable, Module } from '../module.ts';
import { ConstantReader } from './constants.ts';
import type { ModuleContext } from './context.ts';
import { DebugInfo } from './debug-info.ts';
import { FunctionReader } from './functions.ts';
import { type Alias, readGlobal } from './globals.ts';
import { Lexer, Token } from './lexer.ts';
import type { Locals } from './locals.ts';
import { TypeReader } from './types.ts';

/** `renamed`: what globals are to be called, so that names of several modules can be told apart. */
export function readModule(
  file: string,
  text: string,
  checkpoint: Checkpoint,
  renamed: (name: string) => string = name => name,
): Module {
  return new ModuleReader(file, withoutMark(file, text), checkpoint).read(renamed);
}

class ModuleReader {
  private readonly file: string;
  private readonly lexer: Lexer;
  private readonly context: ModuleContext;
  private readonly functionReader: FunctionReader;
  private pointerWidth: 32 | 64 = 64;
  private readonly variables = new Map<string, GlobalVariable>();
  private readonly functions = new Map<string, FunctionDefinition>();
  private readonly aliases = new Map<string, Alias>();
  private readonly locals = new Map<string, Locals>(); // of each function

  constructor(file: string, text: string, checkpoint: Checkpoint) {
    this.file = file;
    const lexer = new Lexer(file, text, checkpoint);
    const types = new TypeReader(lexer);
    const constants = new ConstantReader(lexer, types);
    this.lexer = lexer;
    this.context = { lexer, types, constants, debug: new DebugInfo(lexer) };
    this.functionReader = new FunctionReader(this.context);
  }

  read(renamed: (name: string) => string): Module {
    while (this.lexer.kind !== Token.END) this.readEntity();
    this.context.types.check();
    this.resolveAliases();
    this.checkNames();
    const { constants } = this.context;
    for (const { constant } of [...constants.globals.values()])
      constants.replaceGlobal(constant.name, renamed(constant.name));
    return {
      file: this.file,
      pointerWidth: this.pointerWidth,
      variables: byName([...this.variables.values()].map(v => ({ ...v, name: renamed(v.name) }))),
      functions: byName([...this.functions.values()].map(f => ({ ...f, name: renamed(f.name) }))),
    };
  }

  private readEntity(): void {
    const { lexer, context } = this;
    switch (lexer.kind) {
      case Token.WORD:
        this.readWord(lexer.value);
        return;
      case Token.LOCAL:
        context.types.readDefinition();
        return;
      case Token.GLOBAL:
        this.readGlobal();
        return;
      case Token.METADATA: // read when it is asked for
      case Token.NAMED_METADATA:
      case Token.COMDAT:
      case Token.CARET:
        lexer.skipLine();
        return;
      default:
        throw lexer.expected('a definition');
    }
  }

  private readWord(word: string): void {
    const { lexer } = this;
    switch (word) {
      case 'define':
      case 'declare':
        lexer.next();
        this.readFunction(word === 'define');
        return;
      case 'target':
        this.readTarget();
        return;
      case 'attributes':
        lexer.next();
        lexer.expect(Token.HASH, 'the number of the attributes');
        lexer.expect(Token.EQUALS, "'='");
        lexer.skipBrackets();
        return;
      case 'module': // assembly
      case 'source_filename':
      case 'uselistorder':
      case 'uselistorder_bb':
        lexer.skipLine();
        return;
      default:
        throw lexer.expected('a definition');
    }
  }

  private readFunction(isDefinition: boolean): void {
    const { definition, offset, locals } = this.functionReader.read(isDefinition);
    this.checkNew(definition.name, offset);
    this.functions.set(definition.name, definition);
    this.locals.set(definition.name, locals);
  }

  private readGlobal(): void {
    const definition = readGlobal(this.context);
    const { name, offset } = definition;
    this.checkNew(name, offset);
    if (definition.kind === 'variable') this.variables.set(name, definition.variable);
    else this.aliases.set(name, definition.alias);
  }

  private checkNew(name: string, offset: number): void {
    if (this.variables.has(name) || this.functions.has(name) || this.aliases.has(name)) {
      throw this.lexer.error(`@${name} is defined a second time`, offset);
    }
  }

  /** `target datalayout = "..."` says how wide pointers are. */
  private readTarget(): void {
    const { lexer } = this;
    lexer.next();
    const isLayout = lexer.acceptWord('datalayout');
    if (!isLayout) lexer.expectWord('triple');
    lexer.expect(Token.EQUALS, "'='");
    const { start } = lexer;
    const layout = lexer.expect(Token.STRING, 'a string');
    if (!isLayout) return;
    for (const part of layout.split('-')) {
      if (part === 'E') throw lexer.error('a target with the highest byte first is not supported', start);
      const width = /^p0?:([0-9]+)/.exec(part)?.[1];
      if (width === undefined) continue;
      if (width !== '32' && width !== '64') {
        throw lexer.error(`pointers of ${width} bits are not supported`, start);
      }
      this.pointerWidth = width === '32' ? 32 : 64;
    }
  }

  // ---- at the end ----

  /** Every use of an alias becomes one of what it stands for. */
  private resolveAliases(): void {
    const { constants } = this.context;
    for (const [name, { offset }] of this.aliases) {
      const passed = new Set([name]);
      let target = name;
      for (let alias = this.aliases.get(name); alias !== undefined; alias = this.aliases.get(target)) {
        target = alias.target;
        if (passed.has(target)) throw this.lexer.error(`the alias @${name} stands for itself`, offset);
        passed.add(target);
      }
      if (!this.variables.has(target) && !this.functions.has(target))
        throw this.undefinedGlobal(target, offset);
      constants.replaceGlobal(name, target);
    }
  }

  /** Everything that is used must be there. */
  private checkNames(): void {
    const { globals, blockAddresses } = this.context.constants;
    for (const { constant, offset } of globals.values()) {
      const { name } = constant;
      if (!this.variables.has(name) && !this.functions.has(name)) throw this.undefinedGlobal(name, offset);
    }
    for (const { function: name, block, offset } of blockAddresses) {
      if (this.locals.get(name)?.hasBlock(block)) continue;
      throw this.lexer.error(`@${name} has no block %${block}`, offset);
    }
  }

  private undefinedGlobal(name: string, offset: number): InputError {
    return this.lexer.error(`@${name} is not defined`, offset);
  }
}

function byName<T extends { readonly name: string }>(named: readonly T[]): Map<string, T> {
  return new Map(named.map(n => [n.name, n]));
}
