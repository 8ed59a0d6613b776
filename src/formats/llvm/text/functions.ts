/** Functions: the line that declares one, and the blocks of a definition. */

import type { Block, FunctionDefinition, Instruction, Type } from '../module.ts';
import { readParameterAttributes, skipAttribute, skipAttributes } from './attributes.ts';
import { FunctionContext, type ModuleContext } from './context.ts';
import type { FunctionInfo } from './debug-info.ts';
import { readDebugRecord } from './debug-records.ts';
import { InstructionReader } from './instructions.ts';
import { type Lexer, Token } from './lexer.ts';
import { Locals } from './locals.ts';
import { readMetadata } from './metadata.ts';
import { VOID } from './types.ts';

interface Parameter {
  readonly name: string;
  readonly type: Type;
  /** What the callee gets a copy of, if that is how the argument is passed. */
  readonly copied: Type | undefined;
}

interface Header {
  readonly name: string;
  readonly offset: number;
  readonly result: Type;
  readonly parameters: readonly Parameter[];
  readonly isVariadic: boolean;
  readonly info: FunctionInfo | undefined;
}

/** Words behind the parameters that a constant with its type follows. */
const WITH_CONSTANT: ReadonlySet<string> = new Set(['prefix', 'prologue', 'personality']);

export class FunctionReader {
  private readonly module: ModuleContext;
  private readonly lexer: Lexer;

  constructor(module: ModuleContext) {
    this.module = module;
    this.lexer = module.lexer;
  }

  /** From behind `declare` or `define` on. */
  read(isDefinition: boolean): { definition: FunctionDefinition; offset: number; locals: Locals } {
    const { lexer, module } = this;
    const locals = new Locals(lexer);
    const header = this.readHeader(locals);
    const { name, result, isVariadic, info, offset } = header;
    const types = header.parameters.map(p => p.type);
    const type = module.types.functionType(result, types, isVariadic);
    const parameters = header.parameters.map(p => p.name);
    const copied = header.parameters.map(p => p.copied);
    const context = new FunctionContext(module, locals, result);
    if (!isDefinition) lexer.expectLineEnd();
    const blocks = isDefinition ? this.readBody(context, header) : [];
    locals.check();
    const isAddress = (local: string) => context.allocas.has(local) || copied[parameters.indexOf(local)];
    const variables = context.variables.filter(variable => isAddress(variable.address));
    const definition: FunctionDefinition = {
      ...{ name, type, parameters, copied, blocks, variables },
      place: info?.place,
      returns: info?.returns,
    };
    return { definition, offset, locals };
  }

  // ---- the header ----

  private readHeader(locals: Locals): Header {
    const { lexer, module } = this;
    let info = this.readAttachments();
    skipAttributes(lexer, module.types);
    const result = module.types.read();
    const { start: offset } = lexer;
    const name = lexer.expect(Token.GLOBAL, 'the name of the function');
    const { parameters, isVariadic } = this.readParameters(locals);
    while (!lexer.isFirst) {
      if (lexer.kind === Token.NAMED_METADATA) {
        info = this.readAttachments();
      } else if (lexer.kind === Token.WORD && WITH_CONSTANT.has(lexer.value)) {
        lexer.next();
        module.constants.readTyped();
      } else if (!skipAttribute(lexer, module.types)) {
        break;
      }
    }
    return { name, offset, result, parameters, isVariadic, info };
  }

  /** The attachments of a function have no commas between them. */
  private readAttachments(): FunctionInfo | undefined {
    const { lexer, module } = this;
    let info: FunctionInfo | undefined;
    while (lexer.kind === Token.NAMED_METADATA && !lexer.isFirst) {
      const isPlace = lexer.value === 'dbg';
      lexer.next();
      const value = readMetadata(lexer);
      if (isPlace) info = module.debug.function(value);
    }
    return info;
  }

  private readParameters(locals: Locals): { parameters: readonly Parameter[]; isVariadic: boolean } {
    const { lexer } = this;
    const parameters: Parameter[] = [];
    let isVariadic = false;
    lexer.expect(Token.OPEN, "'('");
    if (lexer.accept(Token.CLOSE)) return { parameters, isVariadic };
    do {
      isVariadic = lexer.acceptWord('...');
      if (!isVariadic) parameters.push(this.readParameter(locals));
    } while (!isVariadic && lexer.accept(Token.COMMA));
    lexer.expect(Token.CLOSE, "')'");
    return { parameters, isVariadic };
  }

  private readParameter(locals: Locals): Parameter {
    const { lexer, module } = this;
    const { start } = lexer;
    const type = module.types.read();
    if (type === VOID) throw lexer.error('a parameter may not be void', start);
    const copied = readParameterAttributes(lexer, module.types);
    let written: string | undefined;
    if (lexer.kind === Token.LOCAL) {
      written = lexer.value;
      lexer.next();
    }
    return { name: locals.define(written, type, start), type, copied };
  }

  // ---- the body ----

  private readBody(context: FunctionContext, header: Header): Block[] {
    const { lexer } = this;
    const instructions = new InstructionReader(context);
    const blocks: Block[] = [];
    lexer.expect(Token.OPEN_BRACE, "'{'");
    while (lexer.kind !== Token.CLOSE_BRACE) {
      if (lexer.isWord('uselistorder') || lexer.isWord('uselistorder_bb')) lexer.skipLine();
      else blocks.push(this.readBlock(context, instructions));
    }
    if (blocks.length === 0) throw lexer.error(`the function @${header.name} has no blocks`, header.offset);
    lexer.next();
    return blocks;
  }

  private readBlock(context: FunctionContext, reader: InstructionReader): Block {
    const { lexer } = this;
    const { start } = lexer;
    let label: string | undefined;
    if (lexer.kind === Token.LABEL) {
      label = lexer.value;
      lexer.next();
    }
    const name = context.locals.defineBlock(label, start);
    const instructions: Instruction[] = [];
    for (;;) {
      if (lexer.kind === Token.HASH) {
        readDebugRecord(context);
        continue;
      }
      if (lexer.kind === Token.CLOSE_BRACE || lexer.kind === Token.LABEL) {
        throw lexer.error(`the block ${name} does not end with a jump or a return`, start);
      }
      const instruction = reader.read();
      if (instruction === undefined) continue;
      instructions.push(instruction);
      if (reader.isTerminator) return { name, instructions };
    }
  }
}
