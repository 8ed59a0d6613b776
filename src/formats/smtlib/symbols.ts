/**
 * What names mean in an SMT-LIB script: declared and defined functions, sorts and sort abbreviations, in
 * the scopes of `push` and `pop`; below them the operators of the theories. A script may declare a name
 * that an operator outside the Core theory has (old QF_UF files declare their own `select`), and then
 * the declaration counts.
 */
import { OPERATORS, type Operator } from '../../term/operators.ts';
import type { SortId } from '../../term/sort.ts';
import type { FunctionId, TermId } from '../../term/store.ts';
import { type Fragment, SCRIPTS } from './fragment.ts';

/** A defined function: each application is its body with the arguments in place of the parameters. */
export interface Macro {
  readonly kind: 'macro';
  readonly name: string;
  readonly parameters: readonly TermId[];
  readonly body: TermId;
}

export type Meaning = { readonly kind: 'function'; readonly id: FunctionId } | Macro;

export type SortMeaning =
  | { readonly kind: 'sort'; readonly id: SortId }
  | { readonly kind: 'abbreviation'; readonly arity: number; readonly body: SortBuilder };

/** The sort that an abbreviation stands for, given its arguments. */
export type SortBuilder = (args: readonly SortId[]) => SortId;

const CORE = new Set(['true', 'false', 'not', 'and', 'or', 'xor', '=>', '=', 'distinct', 'ite']);

const OPERATOR_BY_NAME: ReadonlyMap<string, Operator> = new Map(
  OPERATORS.filter(({ name }) => name !== '' && name !== 'const').map(o => [o.name, o]),
);

export class SymbolTable {
  /** What files of this kind may contain. */
  readonly fragment: Fragment;
  /** With SMT-LIB's `:global-declarations`, what is declared outlives `pop`. */
  globalDeclarations = false;
  private readonly aliases: ReadonlyMap<string, string>;
  private readonly functions = new Map<string, Meaning>();
  private readonly sorts = new Map<string, SortMeaning>();
  private readonly undo: (() => void)[] = [];
  private readonly scopes: number[] = []; // length of `undo` at each push

  /** `aliases` are further names of operators. */
  constructor(fragment: Fragment = SCRIPTS, aliases: ReadonlyMap<string, string> = new Map()) {
    this.fragment = fragment;
    this.aliases = aliases;
  }

  get depth(): number {
    return this.scopes.length;
  }

  function(name: string): Meaning | undefined {
    return this.functions.get(name);
  }

  /** The operator of the theories that a name stands for, unless it is declared. */
  operator(name: string): Operator | undefined {
    return OPERATOR_BY_NAME.get(this.aliases.get(name) ?? name);
  }

  sort(name: string): SortMeaning | undefined {
    return this.sorts.get(name);
  }

  /** Gives a name its meaning; returns why it may not have one, or nothing. */
  define(name: string, meaning: Meaning): string | undefined {
    if (CORE.has(name)) return `'${name}' is a symbol of the Core theory and cannot be declared`;
    if (this.functions.has(name)) return `'${name}' is declared already`;
    this.functions.set(name, meaning);
    if (!this.globalDeclarations) this.undo.push(() => this.functions.delete(name));
    return undefined;
  }

  defineSort(name: string, meaning: SortMeaning): string | undefined {
    if (this.sorts.has(name) || name === 'Bool' || name === 'Array' || name === 'BitVec') {
      return `the sort '${name}' is declared already`;
    }
    this.sorts.set(name, meaning);
    if (!this.globalDeclarations) this.undo.push(() => this.sorts.delete(name));
    return undefined;
  }

  push(): void {
    this.scopes.push(this.undo.length);
  }

  pop(): void {
    const mark = this.scopes.pop() ?? 0;
    while (this.undo.length > mark) this.undo.pop()?.();
  }

  /** Forgets everything, but for global declarations. */
  resetAssertions(): void {
    this.scopes.length = 0;
    this.undo.length = 0;
    if (this.globalDeclarations) return;
    this.functions.clear();
    this.sorts.clear();
  }

  reset(): void {
    this.globalDeclarations = false;
    this.resetAssertions();
  }
}
