/**
 * What an interpolant may speak of at each step of a path: the terms and atoms of that step, and those of later steps
 * pulled back through the equations of the steps between. Inputs and next state variables are replaced by terms over
 * current state variables that the step says they equal; what cannot be replaced is left out. Of the terms that are found,
 * those are put in order for which there is a reason (`orders.ts`).
 */
import type { EquationSolver } from '../../../../bv/preprocess/equation-solver.ts';
import { Op } from '../../../../term/operators.ts';
import type { TermId, TermStore } from '../../../../term/store.ts';
import { substitute } from '../../../../term/substitute.ts';
import type { Signature } from '../signature.ts';
import type { Orders } from './orders.ts';

/** Longer vocabularies would make the search for interpolants slow. */
const MAX_TERMS = 400;

export class Vocabulary {
  /** For each step, terms over current state variables: Booleans that are no connectives, and others. */
  readonly at: readonly (readonly TermId[])[];
  private readonly terms: TermStore;
  private readonly solver: EquationSolver;
  private readonly signature: Signature;

  constructor(
    solver: EquationSolver,
    signature: Signature,
    orders: Orders | undefined,
    steps: readonly (readonly TermId[])[],
  ) {
    this.terms = signature.terms;
    this.solver = solver;
    this.signature = signature;
    const at: TermId[][] = [];
    let later: readonly TermId[] = [];
    for (let k = steps.length - 1; k >= 0; k--) {
      later = this.step(steps[k], later);
      // Not pulled back: in each step the same terms are put in order.
      at.unshift([...new Set([...later, ...(orders?.between(new Set(later)) ?? [])])]);
    }
    this.at = at;
  }

  private step(literals: readonly TermId[], later: readonly TermId[]): TermId[] {
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

  private isOfNow(t: TermId): boolean {
    return this.signature.ofNow.has(t);
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
