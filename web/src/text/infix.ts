/**
 * Terms of SMT-LIB as people write formulas: `(or (not (= #x1 x)) (bvult x y))` is `x = 1 ⇒ x < y`. For reading only: widths are
 * not shown, and signed operators are told from unsigned ones by a small s.
 */
import { isApplication, isList, type Tree } from './tree.ts';
import { constantText } from './values.ts';

interface Operator {
  readonly text: string;
  /** The larger, the closer it binds. */
  readonly level: number;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '=>': { text: '⇒', level: 1 },
  or: { text: '∨', level: 2 },
  xor: { text: '⊕', level: 2 },
  and: { text: '∧', level: 3 },
  '=': { text: '=', level: 4 },
  distinct: { text: '≠', level: 4 },
  bvult: { text: '<', level: 4 },
  bvule: { text: '≤', level: 4 },
  bvugt: { text: '>', level: 4 },
  bvuge: { text: '≥', level: 4 },
  bvslt: { text: '<ₛ', level: 4 },
  bvsle: { text: '≤ₛ', level: 4 },
  bvsgt: { text: '>ₛ', level: 4 },
  bvsge: { text: '≥ₛ', level: 4 },
  bvor: { text: '|', level: 5 },
  bvxor: { text: '^', level: 5 },
  bvand: { text: '&', level: 6 },
  bvshl: { text: '<<', level: 7 },
  bvlshr: { text: '>>', level: 7 },
  bvashr: { text: '>>ₛ', level: 7 },
  bvadd: { text: '+', level: 8 },
  bvsub: { text: '−', level: 8 },
  concat: { text: '++', level: 8 },
  bvmul: { text: '·', level: 9 },
  bvudiv: { text: '/', level: 9 },
  bvsdiv: { text: '/ₛ', level: 9 },
  bvurem: { text: 'mod', level: 9 },
  bvsrem: { text: 'modₛ', level: 9 },
};

const PREFIXES: Readonly<Record<string, string>> = { not: '¬', bvnot: '~', bvneg: '−' };
const IF = 0;
const PREFIX = 10;
const ATOM = 11;

/** What comparisons are when they do not hold. */
const OPPOSITES: Readonly<Record<string, string>> = {
  '=': 'distinct',
  distinct: '=',
  bvult: 'bvuge',
  bvuge: 'bvult',
  bvule: 'bvugt',
  bvugt: 'bvule',
  bvslt: 'bvsge',
  bvsge: 'bvslt',
  bvsle: 'bvsgt',
  bvsgt: 'bvsle',
};

export function infix(tree: Tree): string {
  return at(tree, 0);
}

/** A clause as a rule: what must be so, and what follows then. Undefined of what is no clause. */
export function ruleOf(
  tree: Tree,
): { readonly when: readonly Tree[]; readonly follows: readonly Tree[] } | undefined {
  if (!isApplication(tree, 'or')) return undefined;
  const literals = tree.slice(1);
  const when = literals.flatMap(l => (isApplication(l, 'not') ? [l[1]] : []));
  return { when, follows: literals.filter(l => !isApplication(l, 'not')) };
}

/** In parentheses if it binds less than what is around it. */
function at(tree: Tree, level: number): string {
  const { text, level: own } = written(tree);
  return own < level ? `(${text})` : text;
}

function written(tree: Tree): Operator {
  if (!isList(tree)) return { text: constantText(tree) ?? unbarred(tree), level: ATOM };
  const [head, ...args] = tree;
  if (isList(head)) return indexed(head, args) ?? call('(…)', args);
  const rule = ruleOf(tree);
  if (rule !== undefined && rule.when.length > 0 && rule.follows.length > 0)
    return written(['=>', joined('and', rule.when), joined('or', rule.follows)]);
  if (head === 'not' && isList(args[0])) {
    const [inner, ...rest] = args[0];
    const opposite = typeof inner === 'string' && rest.length === 2 ? OPPOSITES[inner] : undefined;
    if (opposite !== undefined) return written([opposite, ...rest]);
  }
  const operator = OPERATORS[head];
  if (operator !== undefined && args.length > 1) {
    const parts = ordered(head, args).map(a => at(a, operator.level + 1));
    return { text: parts.join(` ${operator.text} `), level: operator.level };
  }
  if (head in PREFIXES && args.length === 1)
    return { text: `${PREFIXES[head]}${at(args[0], PREFIX)}`, level: PREFIX };
  switch (head) {
    case 'ite':
      return { text: `${at(args[0], 1)} ? ${at(args[1], 1)} : ${at(args[2], IF)}`, level: IF };
    case 'select':
      return { text: `${at(args[0], ATOM)}[${infix(args[1])}]`, level: ATOM };
    case 'store':
      return { text: `${at(args[0], ATOM)}[${infix(args[1])} ↦ ${infix(args[2])}]`, level: ATOM };
    case '_':
      return { text: constantText(tree) ?? args.map(unbarredTree).join(' '), level: ATOM };
    case '!':
      return written(args[0]);
    default:
      return call(unbarred(head), args);
  }
}

function joined(operator: string, parts: readonly Tree[]): Tree {
  return parts.length === 1 ? parts[0] : [operator, ...parts];
}

/** Constants stand on the right of equations and comparisons that go both ways. */
function ordered(head: string, args: readonly Tree[]): readonly Tree[] {
  const isConstant = (t: Tree) => constantText(t) !== undefined;
  const goesBothWays = head === '=' || head === 'distinct' || head === 'bvadd';
  return goesBothWays && args.length === 2 && isConstant(args[0]) && !isConstant(args[1])
    ? [args[1], args[0]]
    : args;
}

/** `((_ extract 7 0) x)` and its like. */
function indexed(head: readonly Tree[], args: readonly Tree[]): Operator | undefined {
  if (head[0] === 'as') return { text: infix(args[0]), level: ATOM };
  const [, name, ...indices] = head;
  if (name === 'extract') {
    const [high, low] = indices;
    return { text: `${at(args[0], ATOM)}[${high === low ? high : `${high}:${low}`}]`, level: ATOM };
  }
  if (name === 'zero_extend') return { text: at(args[0], ATOM), level: ATOM };
  if (name === 'sign_extend') return call('sext', args);
  return call(`${name}${indices.join(',')}`, args);
}

function call(name: string, args: readonly Tree[]): Operator {
  return { text: `${name}(${args.map(infix).join(', ')})`, level: ATOM };
}

/** Without the bars; and without the number of the program point that variables of a program have. */
function unbarred(symbol: string): string {
  return (symbol.startsWith('|') ? symbol.slice(1, -1) : symbol).replace(/(?<=.)@\d+$/, '');
}

function unbarredTree(tree: Tree): string {
  return isList(tree) ? infix(tree) : unbarred(tree);
}
