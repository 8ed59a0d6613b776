/**
 * VMT, the format of nuXmv and of the original EUFORIA: an SMT-LIB script of declarations and definitions in which
 * annotations say what is what (vmt-lib.fbk.eu).
 *
 *   (! x :next x')                x is a state variable, and x' its value after a step
 *   (! formula :init true)        holds in initial states; several are a conjunction, none means every state
 *   (! formula :trans true)       the transition relation; several are a conjunction, none means any step
 *   (! formula :invar-property n) the question number n; there must be one
 *
 * Variables without :next are inputs. The name after :next may stay undeclared if no formula mentions it. An annotation may stand at any term that is read, in a definition or an
 * assertion, before or after what it refers to; asserting anything else but true has no meaning and is an error.
 * Files from the original's test suite declare definitions without parameters with a wrong sort: there the sort of
 * the body counts, and a warning says so, unless `strict` makes it an error.
 */
import type { System } from '../../core/problem/system.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { plural } from '../../term/plural.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { DeclarationReader, type OnMismatch } from '../smtlib/declarations.ts';
import { SYSTEMS } from '../smtlib/fragment.ts';
import { type Node, SExprs } from '../smtlib/sexpr.ts';
import { SymbolTable } from '../smtlib/symbols.ts';
import { type OnAttribute, TermReader } from '../smtlib/term-reader.ts';
import { Annotations } from './annotations.ts';
import { Assembler } from './assemble.ts';

export interface VmtOptions {
  /** Is a definition with another sort than its body's an error? */
  readonly strict: boolean;
  readonly warn: (line: string) => void;
  readonly checkpoint?: Checkpoint;
}

/** Commands that say nothing about the system. */
const SKIPPED = new Set(['set-logic', 'set-info', 'set-option', 'check-sat', 'exit']);

/** The system that a VMT file describes; throws an InputError if it describes none. */
export function readVmt(terms: TermStore, file: string, text: string, options: VmtOptions): System {
  return new VmtReader(terms, file, text, options).read();
}

class VmtReader {
  private readonly terms: TermStore;
  private readonly options: VmtOptions;
  private readonly sexprs: SExprs;
  private readonly symbols = new SymbolTable(SYSTEMS);
  private readonly reader: TermReader;
  private readonly declarations: DeclarationReader;
  private readonly annotations: Annotations;
  private readonly variables: TermId[] = []; // declared, in order
  private readonly mismatches: (readonly [body: Node, reason: string])[] = [];

  constructor(terms: TermStore, file: string, text: string, options: VmtOptions) {
    this.terms = terms;
    this.options = options;
    this.sexprs = new SExprs(file, text, options.checkpoint);
    this.reader = new TermReader(terms, this.sexprs, this.symbols);
    const onMismatch: OnMismatch = (body, reason) => void this.mismatches.push([body, reason]);
    this.declarations = new DeclarationReader(
      terms,
      this.sexprs,
      this.symbols,
      this.reader,
      options.strict ? undefined : onMismatch,
    );
    this.annotations = new Annotations(terms, this.sexprs);
  }

  read(): System {
    const { terms, sexprs, symbols } = this;
    let end = 0 as Node;
    for (const node of sexprs.topLevel()) {
      this.command(node);
      end = sexprs.next(node);
    }
    const assembler = new Assembler(terms, sexprs, symbols, this.mismatches.length === 0);
    const system = assembler.assemble(this.variables, this.annotations, end);
    this.warnOfMismatches();
    return system;
  }

  private command(node: Node): void {
    const { sexprs, terms } = this;
    if (!sexprs.isList(node)) throw sexprs.error(node, 'expected a command in parentheses');
    const name = sexprs.spelling(sexprs.expectSymbol(sexprs.expectChild(node, 0, 'a command'), 'a command'));
    if (SKIPPED.has(name)) return;
    if (name === 'assert') {
      this.assertion(node);
      return;
    }
    const declaration = this.declarations.read(name, node, this.definitionListener(node));
    if (declaration === undefined) {
      throw sexprs.error(
        (node + 1) as Node,
        `'${name}' is no command of VMT: expected a declaration or definition`,
      );
    }
    if (declaration.kind !== 'declare-fun') return;
    const { parameters } = terms.symbol(declaration.function);
    if (parameters.length === 0) this.variables.push(terms.apply(declaration.function, []));
  }

  /** Hears the annotations in the body of a definition. */
  private definitionListener(node: Node): OnAttribute {
    const { sexprs } = this;
    const [command, name, parameters, ...rest] = sexprs.children(node);
    const around = {
      body: rest.at(-1) ?? node,
      name: name !== undefined && sexprs.isSymbol(name) ? sexprs.atom(name) : undefined,
      hasParameters: sexprs.atom(command) === 'define-fun' && !sexprs.isEmpty(parameters),
    };
    return (term, keyword, value) => {
      const isKnown = this.annotations.add(term, keyword, value, around);
      if (!isKnown && !around.hasParameters) this.declarations.nameTerm(term, keyword, value);
    };
  }

  private assertion(node: Node): void {
    const { sexprs, terms, reader } = this;
    const body = sexprs.expectChild(node, 1, 'a formula');
    if (sexprs.next(body) !== sexprs.next(node)) throw sexprs.error(sexprs.next(body), "expected ')' here");
    const around = { body, name: undefined, hasParameters: false };
    let hasMeaning = false;
    const term = reader.termOfSort(body, terms.sorts.bool, 'an assertion', (t, keyword, value) => {
      const isKnown = this.annotations.add(t, keyword, value, around);
      if (!isKnown) this.declarations.nameTerm(t, keyword, value);
      else if (sexprs.isChild(body, keyword)) hasMeaning = true;
    });
    if (term !== terms.true && !hasMeaning) {
      throw sexprs.error(
        body,
        'an assertion has no meaning in VMT: expected true, or an annotation such as :init',
      );
    }
  }

  /** One line for all, so that a file with a thousand of them can still be read on a screen. */
  private warnOfMismatches(): void {
    const { mismatches, sexprs } = this;
    if (mismatches.length === 0) return;
    const [[body, reason]] = mismatches;
    const others = mismatches.length - 1;
    const more = others === 0 ? '' : ` (and so for ${plural(others, 'more definition')})`;
    const { message } = sexprs.error(body, `warning: ${reason}${more}; the sort of the body counts`);
    this.options.warn(message);
  }
}
