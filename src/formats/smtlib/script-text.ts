/**
 * What formulas need around them to be an SMT-LIB script: a logic, declarations, and names that are different where
 * the symbols are. The store tells symbols apart whatever their names; a script cannot.
 */
import { OPERATORS, Op } from '../../term/operators.ts';
import { quoteSymbol, type SortId, SortKind } from '../../term/sort.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';

const OPERATOR_NAMES: ReadonlySet<string> = new Set(OPERATORS.map(o => o.name));

/**
 * The same formulas, with symbols renamed that share their name with another one or with an operator, or have a name
 * that cannot be written. Of several symbols with one name the one that occurs first keeps it.
 */
export function nameApart(terms: TermStore, formulas: readonly TermId[]): TermId[] {
  const order = terms.postorder(formulas);
  return withNames(terms, formulas, order, renamings(terms, order, writable));
}

/**
 * The same for scripts that every solver is to read, which may not use names that begin with a dot or an at sign: SMT-LIB keeps
 * them for solvers. Also says which symbols are called otherwise than before, a comment a line.
 */
export function namePortably(
  terms: TermStore,
  formulas: readonly TermId[],
): { readonly named: TermId[]; readonly remarks: string[] } {
  const order = terms.postorder(formulas);
  const renamed = renamings(terms, order, name => writable(name).replace(/^[.@]/, 'x$&'));
  const shown = (f: FunctionId) => quoteSymbol(terms.symbol(f).name).replace(/\s/g, ' '); // a comment ends with its line
  const remarks = [...renamed].map(([from, to]) => `; ${shown(from)} is called ${shown(to)} here`);
  return { named: withNames(terms, formulas, order, renamed), remarks };
}

/** Without bars and backslashes, which cannot be spelt in SMT-LIB, not even in a quoted symbol. */
function writable(name: string): string {
  return name.replace(/[|\\]/g, '_');
}

function withNames(
  terms: TermStore,
  formulas: readonly TermId[],
  order: readonly TermId[],
  renamed: ReadonlyMap<FunctionId, FunctionId>,
): TermId[] {
  if (renamed.size === 0) return [...formulas];
  const images = new Map<TermId, TermId>();
  for (const t of order) {
    const args = terms.args(t).map(a => images.get(a) as TermId);
    const f = terms.op(t) === Op.APPLY ? renamed.get(terms.functionOf(t)) : undefined;
    images.set(t, f === undefined ? terms.withArgs(t, args) : terms.apply(f, args));
  }
  return formulas.map(f => images.get(f) as TermId);
}

function renamings(
  terms: TermStore,
  order: readonly TermId[],
  spelt: (name: string) => string,
): Map<FunctionId, FunctionId> {
  const renamed = new Map<FunctionId, FunctionId>();
  const taken = new Set(OPERATOR_NAMES);
  for (const f of functionsOf(terms, order)) {
    const { name, parameters, result } = terms.symbol(f);
    const free = freeName(spelt(name), taken);
    taken.add(free);
    if (free !== name) renamed.set(f, terms.declare(free, parameters, result));
  }
  return renamed;
}

/** The name itself, or with a number behind it if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 1; taken.has(free); i++) free = `${name}!${i}`;
  return free;
}

/** The names of all symbols in some formulas. */
export function namesIn(terms: TermStore, formulas: readonly TermId[]): Set<string> {
  const functions = functionsOf(terms, terms.postorder(formulas));
  return new Set([...OPERATOR_NAMES, ...[...functions].map(f => terms.symbol(f).name)]);
}

/** The commands that declare the sorts and symbols of some formulas. */
export function declarations(terms: TermStore, formulas: readonly TermId[]): string[] {
  const { sorts } = terms;
  const order = terms.postorder(formulas);
  const declaredSorts = [...sortsOf(terms, order)].filter(s => sorts.kind(s) === SortKind.UNINTERPRETED);
  return [
    ...declaredSorts.map(s => `(declare-sort ${sorts.name(s)} 0)`),
    ...[...functionsOf(terms, order)].map(f => {
      const { name, parameters, result } = terms.symbol(f);
      const list = parameters.map(p => sorts.name(p)).join(' ');
      return `(declare-fun ${quoteSymbol(name)} (${list}) ${sorts.name(result)})`;
    }),
  ];
}

/**
 * The smallest usual logic that has it all. No logic but ALL has constant arrays or arrays of anything but bit-vectors,
 * and z3 insists on that.
 */
export function logicOf(terms: TermStore, formulas: readonly TermId[]): string {
  const order = terms.postorder(formulas);
  const { sorts } = terms;
  const isUnusual = (s: SortId) =>
    sorts.isArray(s) && (sorts.width(sorts.indexSort(s)) === 0 || sorts.width(sorts.elementSort(s)) === 0);
  if (order.some(t => terms.op(t) === Op.CONST_ARRAY)) return 'ALL';
  if ([...sortsOf(terms, order)].some(isUnusual)) return 'ALL';
  const kinds = new Set([...sortsOf(terms, order)].map(s => terms.sorts.kind(s)));
  const hasFunctions = [...functionsOf(terms, order)].some(f => terms.symbol(f).parameters.length > 0);
  const arrays = kinds.has(SortKind.ARRAY) ? 'A' : '';
  const functions = hasFunctions || kinds.has(SortKind.UNINTERPRETED) ? 'UF' : '';
  const vectors = arrays !== '' || functions === '' || kinds.has(SortKind.BITVEC) ? 'BV' : '';
  return `QF_${arrays}${functions}${vectors}`;
}

function functionsOf(terms: TermStore, order: readonly TermId[]): Set<FunctionId> {
  return new Set(order.filter(t => terms.op(t) === Op.APPLY).map(t => terms.functionOf(t)));
}

/** The sorts of terms, and what arrays are made of. */
function sortsOf(terms: TermStore, order: readonly TermId[]): Set<SortId> {
  const { sorts } = terms;
  const found = new Set<SortId>();
  const stack = order.map(t => terms.sort(t));
  for (let s = stack.pop(); s !== undefined; s = stack.pop()) {
    if (found.has(s)) continue;
    found.add(s);
    if (sorts.isArray(s)) stack.push(sorts.indexSort(s), sorts.elementSort(s));
  }
  return found;
}
