/**
 * SMT-LIB 2.6 scripts, command by command. Declarations are carried out here, in the scopes of `push` and
 * `pop`; everything else comes out as a `Command` for a solver to act on. An error in one command leaves
 * the reader before the next one, so that a solver may report it and go on, as the standard asks.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { plural } from '../../term/plural.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { DeclarationReader } from './declarations.ts';
import { type Node, SExprs, Token } from './sexpr.ts';
import { SymbolTable } from './symbols.ts';
import { TermReader } from './term-reader.ts';

/** A term together with how the user wrote it, which is how answers must show it. */
export interface Written {
  readonly term: TermId;
  readonly source: string;
}

export type Command =
  /** What was declared, if it was a function or a variable: a model will have to give it a meaning. */
  | { readonly kind: 'declaration'; readonly declared: FunctionId | undefined }
  | { readonly kind: 'set-logic'; readonly logic: string }
  | { readonly kind: 'set-option' | 'set-info'; readonly keyword: string; readonly value: string }
  | {
      readonly kind: 'assert';
      readonly term: TermId;
      /** The name of the assertion as a whole. */
      readonly name: string | undefined;
      /** All names given in it. */
      readonly named: readonly Written[];
    }
  | { readonly kind: 'push' | 'pop'; readonly levels: number }
  | { readonly kind: 'check-sat-assuming' | 'get-value'; readonly terms: readonly Written[] }
  | { readonly kind: 'get-info' | 'get-option'; readonly keyword: string }
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: PlainCommand };

const PLAIN_COMMANDS = [
  'check-sat',
  'get-model',
  'get-assertions',
  'get-assignment',
  'get-proof',
  'get-unsat-core',
  'get-unsat-assumptions',
  'reset',
  'reset-assertions',
  'exit',
] as const;
type PlainCommand = (typeof PLAIN_COMMANDS)[number];

const MAX_LEVELS = 1_000_000;

/** Options that are true or false, besides those that start with :produce-. */
const SWITCHES = new Set([':print-success', ':global-declarations']);

/** Options that a script cannot change halfway. */
const START_OPTIONS = new Set([':global-declarations', ':produce-unsat-cores']);

export class ScriptReader {
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;
  private readonly symbols = new SymbolTable();
  private readonly reader: TermReader;
  private readonly declarations: DeclarationReader;
  private commands: readonly Node[];
  private position = 0;
  private hasLogic = false; // set-logic has been read
  private hasContent = false; // something has been declared or asserted

  constructor(terms: TermStore, file: string, text: string, checkpoint?: Checkpoint) {
    this.terms = terms;
    this.sexprs = new SExprs(file, text, checkpoint);
    this.reader = new TermReader(terms, this.sexprs, this.symbols);
    this.declarations = new DeclarationReader(terms, this.sexprs, this.symbols, this.reader);
    this.commands = this.sexprs.topLevel();
  }

  /** Goes on with the next piece of a text that comes in pieces, each of whole commands. */
  readOn(text: string, line: number): void {
    // The body of a sort is read where the sort is used.
    if (this.commands.some(node => this.nameOf(node) === 'define-sort')) this.sexprs.keep();
    this.commands = [];
    this.position = 0;
    this.sexprs.readOn(text, line);
    this.commands = this.sexprs.topLevel();
  }

  /** Where the command that was read last stands. */
  get place(): string {
    const node = this.commands[Math.max(this.position - 1, 0)];
    const { line, column } = this.sexprs.position(node);
    return `${this.sexprs.file}:${line}:${column}`;
  }

  /** The name of the command that was read last, also if it could not be read to its end. */
  get commandName(): string | undefined {
    const node = this.commands[this.position - 1];
    return node === undefined ? undefined : this.nameOf(node);
  }

  private nameOf(node: Node): string | undefined {
    const { sexprs } = this;
    if (!sexprs.isList(node)) return undefined;
    const [name] = sexprs.children(node);
    return name === undefined ? undefined : sexprs.atom(name);
  }

  /** How many questions the script asks from the command on that was read last. */
  get questionsLeft(): number {
    const { sexprs } = this;
    const names = new Set(['check-sat', 'check-sat-assuming'].map(name => sexprs.intern(name)));
    const rest = this.commands.slice(Math.max(this.position - 1, 0));
    return rest.filter(node => !sexprs.isEmpty(node) && names.has(sexprs.symbol((node + 1) as Node))).length;
  }

  /** The next command, or nothing at the end of the script. */
  next(): Command | undefined {
    const node = this.commands[this.position++];
    return node === undefined ? undefined : this.command(node);
  }

  private command(node: Node): Command {
    const { sexprs, reader, terms } = this;
    if (!sexprs.isList(node)) throw sexprs.error(node, 'expected a command in parentheses');
    const name = sexprs.spelling(sexprs.expectSymbol(sexprs.expectChild(node, 0, 'a command'), 'a command'));
    switch (name) {
      case 'set-logic': {
        const [logic] = this.parts(node, 1, 'a logic');
        if (this.hasLogic || this.hasContent) {
          throw sexprs.error(node, 'set-logic must come first, and once only');
        }
        this.hasLogic = true;
        return { kind: name, logic: sexprs.spelling(sexprs.expectSymbol(logic, 'a logic')) };
      }
      case 'set-option':
      case 'set-info': {
        const [keyword, ...value] = sexprs.children(node).slice(1);
        const setting = {
          kind: name,
          keyword: this.keyword(node, keyword),
          value: value.map(v => sexprs.atom(v)).join(' '),
        } as const;
        if (name === 'set-option') this.checkOption(node, setting.keyword, setting.value);
        return setting;
      }
      case 'assert': {
        this.hasContent = true;
        const [body] = this.parts(node, 1, 'a formula');
        let assertionName: string | undefined;
        const named: Written[] = [];
        const term = reader.termOfSort(body, terms.sorts.bool, 'an assertion', (t, keyword, value) => {
          // :named is the one attribute with a meaning in scripts; others are ignored.
          const label = this.declarations.nameTerm(t, keyword, value);
          // The name of the whole assertion is the one on the outside, which is read last.
          if (label === undefined) return;
          named.push({ term: t, source: label });
          assertionName = sexprs.isChild(body, keyword) ? label : undefined;
        });
        return { kind: name, term, name: assertionName, named };
      }
      case 'check-sat-assuming': {
        const [list] = this.parts(node, 1, 'the assumptions');
        const written = sexprs.expectList(list, 'the assumptions').map(assumption => ({
          term: reader.termOfSort(assumption, terms.sorts.bool, 'an assumption'),
          source: sexprs.source(assumption),
        }));
        return { kind: name, terms: written };
      }
      case 'get-value': {
        const [list] = this.parts(node, 1, 'the terms');
        const nodes = sexprs.expectList(list, 'the terms');
        if (nodes.length === 0) throw sexprs.error(list, 'expected at least one term');
        return { kind: name, terms: nodes.map(n => ({ term: reader.term(n), source: sexprs.source(n) })) };
      }
      case 'push':
      case 'pop':
        return this.scope(node, name);
      case 'get-info':
      case 'get-option': {
        const [keyword] = this.parts(node, 1, 'a keyword');
        return { kind: name, keyword: this.keyword(node, keyword) };
      }
      case 'echo': {
        const [text] = this.parts(node, 1, 'a string');
        if (sexprs.kind(text) !== Token.STRING) throw sexprs.error(text, 'expected a string');
        return { kind: name, text: sexprs.atom(text) };
      }
      case 'reset':
        this.parts(node, 0, '');
        this.symbols.reset();
        this.hasContent = false;
        this.hasLogic = false;
        break;
      case 'reset-assertions':
        this.parts(node, 0, '');
        this.symbols.resetAssertions();
        break;
    }
    const plain = PLAIN_COMMANDS.find(c => c === name);
    if (plain !== undefined) {
      this.parts(node, 0, '');
      return { kind: plain };
    }
    const declaration = this.declarations.read(name, node);
    if (declaration !== undefined) {
      this.hasContent = true;
      const declared = declaration.kind === 'declare-fun' ? declaration.function : undefined;
      return { kind: 'declaration', declared };
    }
    throw sexprs.error((node + 1) as Node, `unknown command '${name}'`);
  }

  /** Options with two values have one of them; those that shape the whole script come before its content. */
  private checkOption(node: Node, keyword: string, value: string): void {
    if (keyword.startsWith(':produce-') || SWITCHES.has(keyword)) {
      if (value !== 'true' && value !== 'false') {
        throw this.sexprs.error(node, `${keyword} is true or false, not '${value}'`);
      }
    }
    if (this.hasContent && START_OPTIONS.has(keyword)) {
      throw this.sexprs.error(node, `${keyword} must be set before the first declaration or assertion`);
    }
    if (keyword === ':global-declarations') this.symbols.globalDeclarations = value === 'true';
  }

  private scope(node: Node, kind: 'push' | 'pop'): Command {
    const { sexprs, symbols } = this;
    const [count, surplus] = sexprs.children(node).slice(1);
    if (surplus !== undefined) throw sexprs.error(surplus, "expected ')' here");
    const levels = count === undefined ? 1 : sexprs.expectNumeral(count, 'a number of levels');
    if (levels > MAX_LEVELS) throw sexprs.error(count, `at most ${MAX_LEVELS} levels at once`);
    if (kind === 'pop' && levels > symbols.depth) {
      throw sexprs.error(node, `cannot pop ${plural(levels, 'level')}, for ${symbols.depth} are open`);
    }
    for (let i = 0; i < levels; i++) {
      if (kind === 'push') symbols.push();
      else symbols.pop();
    }
    return { kind, levels };
  }

  private keyword(node: Node, keyword: Node | undefined): string {
    if (keyword === undefined || this.sexprs.kind(keyword) !== Token.KEYWORD) {
      throw this.sexprs.error(keyword ?? node, 'expected a keyword such as :status');
    }
    return this.sexprs.atom(keyword);
  }

  /** The parts of a command after its name, of which there must be exactly so many. */
  private parts(node: Node, count: number, what: string): Node[] {
    const { sexprs } = this;
    const parts = sexprs.children(node).slice(1);
    if (parts.length < count) throw sexprs.error(node, `expected ${what}`);
    if (parts.length > count) throw sexprs.error(parts[count], "expected ')' here");
    return parts;
  }
}
