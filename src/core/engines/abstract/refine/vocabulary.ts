/**
 * What an interpolant may speak of at each use of an edge. On a run: the terms and atoms of the use above, and those of the uses
 * above that pulled back through the equations of the uses between. Where other sources are derived beside, what ties the
 * use to them is said on the way up and down again, so the terms and atoms of the whole rest count. Inputs, next state
 * variables and whatever else is not over the places in question are replaced by terms over these that the literals say they
 * equal; what cannot be replaced is left out. Of the terms that are found, those are put in order for which there is a
 * reason (`orders.ts`).
 */
import type { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import { Op } from '../../../../term/operators.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute, substituteAll } from '../../../../term/substitute.ts';
import { onlyOver } from '../../../problem/literals.ts';
import { headOf } from '../../../problem/problem.ts';
import type { Signature } from '../signature.ts';
import type { Node, Saying } from './copies.ts';
import type { Orders } from './orders.ts';

/** Longer vocabularies would make the search for interpolants slow. */
const MAX_TERMS = 400;

export class Vocabulary {
  private readonly known = new Map<Node, readonly TermId[]>(); // without what is put in order
  private readonly all = new Map<Node, readonly TermId[]>();
  private readonly isBeside = new Set<Node>(); // something, or something above it
  private readonly terms: TermStore;
  private readonly solver: EquationSolver;
  private readonly signature: Signature;
  private readonly orders: Orders | undefined;
  private isOfNow: (t: TermId) => boolean; // is a term over the places in question?

  /** `nodes`: each after all below it. */
  constructor(
    solver: EquationSolver,
    signature: Signature,
    orders: Orders | undefined,
    nodes: readonly Node[],
    said: Saying,
  ) {
    this.terms = signature.terms;
    this.solver = solver;
    this.signature = signature;
    this.orders = orders;
    this.isOfNow = t => signature.ofNow.has(t);
    for (const node of [...nodes].reverse()) {
      for (const below of node.premises) {
        if (below === undefined) continue;
        if (node.premises.length > 1 || this.isBeside.has(node)) this.isBeside.add(below);
        else
          this.known.set(below, this.found(said.get(node) as readonly TermId[], this.known.get(node) ?? []));
      }
    }
  }

  /**
   * Terms over the places of a use's head: Booleans that are no connectives, and others. `rest`: what is said of copies outside of
   * what leads to the use.
   */
  above(node: Node, rest: readonly TermId[]): readonly TermId[] {
    let all = this.all.get(node);
    if (all === undefined) {
      const found = this.isBeside.has(node) ? this.ofRest(node, rest) : (this.known.get(node) ?? []);
      // Not pulled back: of each use the same terms are put in order.
      all = [...new Set([...found, ...(this.orders?.between(new Set(found)) ?? [])])];
      this.all.set(node, all);
    }
    return all;
  }

  private ofRest({ fact, derived }: Node, rest: readonly TermId[]): TermId[] {
    const { terms } = this;
    const places = headOf(fact.edge)?.places ?? [];
    const own = onlyOver(terms, new Set(places));
    this.isOfNow = t => own.has(t);
    const images = new Map(derived.map((copy, i) => [copy, places[i]] as const));
    return this.found(substituteAll(terms, rest, images), []);
  }

  /** `later`: terms over the places of the location that the literals lead to. */
  private found(literals: readonly TermId[], later: readonly TermId[]): TermId[] {
    const { terms, signature } = this;
    const equals = this.solved(literals);
    const found = new Set<TermId>();
    const seen = new Set<TermId>();
    const add = (t: TermId) => {
      for (const u of terms.postorder([this.image(t, equals)], seen)) {
        seen.add(u);
        if (found.size < MAX_TERMS && this.isOfNow(u) && !this.isConnective(u)) found.add(u);
        const below = this.readBelow(u);
        if (below !== undefined) add(below);
      }
    };
    const primed = later.map(t => signature.prime.apply(t));
    for (const l of literals) add(l);
    for (const t of primed) add(t);
    // Equations may also be solved for what stands inside of terms.
    const isOther = (v: TermId) => !this.isOfNow(v);
    const open = primed.filter(t => !this.isOfNow(this.image(t, equals)));
    const { formulas, images } = this.solver.solve(literals, isOther, open);
    for (const t of [...formulas, ...images]) add(t);
    return [...found].filter(t => !terms.isConstant(t));
  }

  /** Inputs and next state variables with terms over current state variables that equal them. */
  private solved(literals: readonly TermId[]): Map<TermId, TermId> {
    const { terms } = this;
    const equals = valuesOfBooleans(terms, literals);
    const equations = literals.filter(l => terms.op(l) === Op.EQ);
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const l of equations) {
        const [a, b] = terms.args(l);
        for (const [variable, body] of [
          [a, b],
          [b, a],
        ]) {
          if (!terms.isVariable(variable) || this.isOfNow(variable) || equals.has(variable)) continue;
          const image = this.image(body, equals);
          if (!this.isOfNow(image) && !this.isUpdate(variable, image)) continue;
          equals.set(variable, image);
          isChanged = true;
        }
      }
    }
    return equals;
  }

  /** A next state variable as a write over current variables, perhaps with inputs: what lies below it may be of use. */
  private isUpdate(variable: TermId, image: TermId): boolean {
    const { terms } = this;
    const { after } = this.signature;
    if (!after.has(variable) || terms.op(image) !== Op.STORE) return false;
    return !terms.postorder([image]).some(t => after.has(t));
  }

  /** What a read of a write is if the write was elsewhere. */
  private readBelow(t: TermId): TermId | undefined {
    const { terms } = this;
    if (terms.op(t) !== Op.SELECT || terms.op(terms.arg(t, 0)) !== Op.STORE) return undefined;
    return terms.app(Op.SELECT, [terms.arg(terms.arg(t, 0), 0), terms.arg(t, 1)]);
  }

  private image(t: TermId, equals: ReadonlyMap<TermId, TermId>): TermId {
    return this.solver.rewriter.rewrite(substitute(this.terms, t, equals));
  }

  private isConnective(t: TermId): boolean {
    const { terms } = this;
    const op = terms.op(t);
    return op === Op.NOT || op === Op.AND || op === Op.OR;
  }
}

/** What literals that are Boolean variables say of them. */
export function valuesOfBooleans(terms: TermStore, literals: readonly TermId[]): Map<TermId, TermId> {
  const values = new Map<TermId, TermId>();
  for (const l of literals) {
    const isNegated = terms.op(l) === Op.NOT;
    const atom = isNegated ? terms.arg(l, 0) : l;
    if (terms.isVariable(atom)) values.set(atom, terms.bool(!isNegated));
  }
  return values;
}
