/**
 * Brings terms into a normal form that means the same: constants folded, commutative arguments ordered
 * (constants first, then by id), comparisons in one direction, connectives simplified, Booleans out of
 * their one-bit disguise. Every rule is checked against the evaluator on all values of small widths.
 *
 * `mk` is the normalising constructor for one node, `rewrite` the walk over a whole graph; both return
 * terms of the same store. A term is rewritten once and remembered.
 */
import { applyOperator, termOfValue } from '../evaluator.ts';
import { OPERATORS, Op } from '../operators.ts';
import type { TermId, TermStore } from '../store.ts';
import { TermMap } from '../term-map.ts';
import type { Value } from '../value.ts';
import { arrayRules } from './array-rules.ts';
import { bitVectorRules } from './bitvector-rules.ts';
import { booleanRules } from './boolean-rules.ts';
import { extensionRules } from './extension-rules.ts';
import { oneBitRules } from './one-bit-rules.ts';
import type { Normalizer, Rule } from './rule.ts';

export const RULES: readonly Rule[] = [
  ...booleanRules,
  ...oneBitRules,
  ...bitVectorRules,
  ...extensionRules,
  ...arrayRules,
];

/** The rules of each operator, in the order in which they are tried. */
const RULES_OF: readonly (readonly Rule[])[] = OPERATORS.map(({ op }) =>
  RULES.filter(rule => rule.ops.includes(op)),
);

/**
 * A rule may call for another one below it (an extract moving through a chain of concats, say). Past this
 * depth the node is left as it is: equal, only less simple, and no deep term can exhaust the call stack.
 */
const MAX_DEPTH = 200;

export class Rewriter implements Normalizer {
  readonly terms: TermStore;
  private readonly done = new TermMap();
  private depth = 0; // how many rules are at work inside one another
  private readonly onRule: ((rule: string) => void) | undefined;
  private readonly onTerm: (() => void) | undefined;

  /**
   * `onRule` hears the name of every rule that changed something. `onTerm` hears of every term that is asked for or
   * visited; it may throw to end the work, after which the rewriter must not be used any more.
   */
  constructor(terms: TermStore, onRule?: (rule: string) => void, onTerm?: () => void) {
    this.terms = terms;
    this.onRule = onRule;
    this.onTerm = onTerm;
  }

  rewrite(term: TermId): TermId {
    const { terms, done } = this;
    this.onTerm?.();
    if (done.has(term)) return done.get(term);
    for (const t of terms.postorder([term], done)) {
      this.onTerm?.();
      const image = this.normalize(this.withImages(t));
      done.set(t, image);
      if (!done.has(image)) done.set(image, image);
    }
    return done.get(term);
  }

  /** The term over the normal forms of its arguments. */
  private withImages(t: TermId): TermId {
    const { terms, done } = this;
    const arity = terms.arity(t);
    let i = 0;
    while (i < arity && done.get(terms.arg(t, i)) === terms.arg(t, i)) i++;
    return i === arity
      ? t
      : terms.withArgs(
          t,
          terms.args(t).map(a => done.get(a)),
        );
  }

  mk(op: Op, args: readonly TermId[], indices: readonly number[] = []): TermId {
    const node = this.terms.app(op, args, indices);
    if (this.depth === MAX_DEPTH) return node;
    this.depth++;
    try {
      return this.normalize(node);
    } finally {
      this.depth--;
    }
  }

  not(a: TermId): TermId {
    return this.mk(Op.NOT, [a]);
  }

  /** The normal form of a node whose arguments are in normal form. */
  private normalize(node: TermId): TermId {
    const { terms } = this;
    const op = terms.op(node);
    if (op <= Op.APPLY) return node;
    const folded = this.fold(node);
    if (folded !== undefined) return folded;
    const t = OPERATORS[op].commutative ? this.ordered(node) : node;
    const rules = RULES_OF[op];
    if (rules.length === 0) return t;
    const application = { op, args: terms.args(t), indices: terms.indices(t), sort: terms.sort(t) };
    for (const rule of rules) {
      const result = rule.rewrite(this, application);
      if (result !== undefined && result !== t) {
        this.onRule?.(rule.name);
        return result;
      }
    }
    return t;
  }

  /** Evaluates an operator on constants. */
  private fold(node: TermId): TermId | undefined {
    const { terms } = this;
    if (terms.sorts.isArray(terms.sort(node))) return undefined;
    const values: Value[] = [];
    for (let i = 0; i < terms.arity(node); i++) {
      const a = terms.arg(node, i);
      if (!terms.isConstant(a)) return undefined;
      values.push(terms.op(a) === Op.BV_CONST ? terms.bvValue(a) : a === terms.true);
    }
    this.onRule?.('constant-fold');
    return termOfValue(terms, terms.sort(node), applyOperator(terms, node, values));
  }

  private ordered(node: TermId): TermId {
    const { terms } = this;
    const args = terms.args(node);
    const rank = (t: TermId) => (terms.isConstant(t) ? 0 : 1);
    const inOrder = (a: TermId, b: TermId) => rank(a) - rank(b) || a - b;
    for (let i = 1; i < args.length; i++) {
      if (inOrder(args[i - 1], args[i]) > 0) {
        this.onRule?.('commutative-order');
        return terms.withArgs(node, args.sort(inOrder));
      }
    }
    return node;
  }
}
