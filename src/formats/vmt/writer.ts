/**
 * Writes any transition system as VMT. The text is as long as the graph: a subterm that is used more than once, or
 * nested too deep for readers that recurse, has a definition of its own, made before the formula that needs it first.
 *
 * Names are kept where SMT-LIB can spell them and nothing else has them; a system may have two variables of one name,
 * which are told apart by a suffix. Reading the text and writing it again gives the same text.
 *
 * VMT has no constraints: they join the transition relation, where they bind all steps but the last, and guard the
 * properties, where they bind the last.
 */
import type { Property, System } from '../../core/problem/system.ts';
import { OPERATORS, Op } from '../../term/operators.ts';
import { printBitVector } from '../../term/printer.ts';
import { quoteSymbol, type SortId, SortKind } from '../../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';

/** How deep a term is written before its parts get definitions. */
const MAX_DEPTH = 32;

const RESERVED = '_ ! as let exists forall match par const'.split(' ');
const SORTS = ['Bool', 'BitVec', 'Array'];

export function writeVmt(system: System): string {
  return new VmtWriter(system).write();
}

class VmtWriter {
  private readonly terms: TermStore;
  private readonly system: System;
  private readonly trans: TermId; // with the constraints
  private readonly properties: readonly Property[]; // guarded by the constraints
  private readonly names = new Names([...RESERVED, ...OPERATORS.map(o => o.name)]);
  private readonly sortNames = new Names(SORTS);
  private readonly functionNames = new Map<FunctionId, string>();
  private readonly sortTexts = new Map<SortId, string>();
  private readonly texts = new Map<TermId, string>(); // how each term is written
  private readonly depths = new Map<TermId, number>(); // how deep that text is nested
  private readonly shared = new Set<TermId>(); // terms with more than one use
  private readonly lines: string[] = []; // after the declarations of sorts
  private readonly sortLines: string[] = [];
  private definitions = 0;

  constructor(system: System) {
    const { terms, constraints } = system;
    this.system = system;
    this.terms = terms;
    this.trans = constraints.length === 0 ? system.trans : terms.and([system.trans, ...constraints]);
    this.properties = system.properties.map(property => {
      if (constraints.length === 0) return property;
      return { ...property, formula: terms.app(Op.IMPLIES, [terms.and(constraints), property.formula]) };
    });
  }

  write(): string {
    const { states, inputs, init } = this.system;
    const roots = [init, this.trans, ...this.properties.map(p => p.formula)];
    for (const { current, next } of states) {
      this.declare(this.terms.functionOf(current));
      this.declare(this.terms.functionOf(next));
    }
    for (const input of inputs) this.declare(this.terms.functionOf(input));
    this.survey(roots);
    const propertyNames = this.properties.map(p => this.names.fresh(p.name ?? `.property${p.index}`));
    states.forEach(({ current, next }, i) => {
      this.define(this.names.fresh(`.state${i}`), current, `:next ${this.text(next)}`);
    });
    this.define(this.names.fresh('.init'), init, ':init true');
    this.define(this.names.fresh('.trans'), this.trans, ':trans true');
    this.properties.forEach(({ index, formula }, i) => {
      this.define(propertyNames[i], formula, `:invar-property ${index}`);
    });
    return `${[...this.sortLines, ...this.lines, '(assert true)'].join('\n')}\n`;
  }

  /** Declares the functions of all formulas, and finds out which terms are used more than once. */
  private survey(roots: readonly TermId[]): void {
    const { terms } = this;
    const used = new Set<TermId>();
    const use = (t: TermId) => void (used.has(t) ? this.shared.add(t) : used.add(t));
    for (const t of terms.postorder(roots)) {
      for (const a of terms.args(t)) use(a);
      if (terms.op(t) !== Op.APPLY || this.functionNames.has(terms.functionOf(t))) continue;
      const f = terms.functionOf(t);
      if (terms.arity(t) === 0)
        throw new Error(`the variable '${terms.symbol(f).name}' is no part of the system`);
      this.declare(f);
    }
    for (const root of roots) use(root);
  }

  private declare(f: FunctionId): void {
    const { name, parameters, result } = this.terms.symbol(f);
    const quoted = quoteSymbol(this.names.fresh(name));
    this.functionNames.set(f, quoted);
    const sorts = parameters.map(s => this.sort(s)).join(' ');
    this.lines.push(`(declare-fun ${quoted} (${sorts}) ${this.sort(result)})`);
  }

  /** Defines a name as a term that carries an annotation. */
  private define(name: string, t: TermId, annotation: string): void {
    const text = this.text(t);
    this.lines.push(
      `(define-fun ${quoteSymbol(name)} () ${this.sort(this.terms.sort(t))} (! ${text} ${annotation}))`,
    );
  }

  /** The text of a term, after definitions for those of its parts that need one. */
  private text(root: TermId): string {
    const { terms, texts, depths, shared } = this;
    for (const t of terms.postorder([root], texts)) {
      let text = this.head(t);
      let depth = 0;
      for (const a of terms.args(t)) {
        text += ` ${texts.get(a)}`;
        depth = Math.max(depth, (depths.get(a) as number) + 1);
      }
      if (depth > 0) text = `(${text})`;
      if (depth > 0 && (shared.has(t) || depth > MAX_DEPTH)) {
        const name = quoteSymbol(this.names.fresh(`.t${this.definitions++}`));
        this.lines.push(`(define-fun ${name} () ${this.sort(terms.sort(t))} ${text})`);
        [text, depth] = [name, 0];
      }
      texts.set(t, text);
      depths.set(t, depth);
    }
    return texts.get(root) as string;
  }

  private head(t: TermId): string {
    const { terms } = this;
    const op = terms.op(t);
    switch (op) {
      case Op.APPLY:
        return this.functionNames.get(terms.functionOf(t)) as string;
      case Op.BV_CONST:
        return printBitVector(terms.bvValue(t), terms.width(t));
      case Op.CONST_ARRAY:
        return `(as const ${this.sort(terms.sort(t))})`;
      default: {
        const indices = terms.indices(t);
        const { name } = OPERATORS[op];
        return indices.length > 0 ? `(_ ${name} ${indices.join(' ')})` : name;
      }
    }
  }

  private sort(sort: SortId): string {
    let text = this.sortTexts.get(sort);
    if (text === undefined) {
      text = this.sortText(sort);
      this.sortTexts.set(sort, text);
    }
    return text;
  }

  private sortText(sort: SortId): string {
    const { sorts } = this.terms;
    switch (sorts.kind(sort)) {
      case SortKind.ARRAY:
        return `(Array ${this.sort(sorts.indexSort(sort))} ${this.sort(sorts.elementSort(sort))})`;
      case SortKind.UNINTERPRETED: {
        const name = quoteSymbol(this.sortNames.fresh(sorts.name(sort).replace(/^\|(.*)\|$/s, '$1')));
        this.sortLines.push(`(declare-sort ${name} 0)`);
        return name;
      }
      default:
        return sorts.name(sort);
    }
  }
}

/** Hands out names that SMT-LIB can spell, each once. */
class Names {
  private readonly taken: Map<string, number>; // with each name the last suffix tried for it

  constructor(reserved: readonly string[]) {
    this.taken = new Map(reserved.map(name => [name, 0]));
  }

  fresh(wanted: string): string {
    const base = wanted.replace(/[|\\]/g, '_');
    let name = base;
    let suffix = this.taken.get(base) ?? 0;
    while (this.taken.has(name)) name = `${base}!${++suffix}`;
    this.taken.set(base, suffix);
    if (name !== base) this.taken.set(name, 0);
    return name;
  }
}
