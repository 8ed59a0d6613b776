/**
 * Term projection (dissertation 3.3.3, Algorithm 3, Figure 3.5): what of a formula a model needs to be one. The model
 * chooses a branch of every ite and a witness of every false conjunction and true disjunction; what remains is a set S
 * of literals that justifies the formula, and a set Q of terms. Next state variables are followed into their
 * definitions, which become literals x' = f of S.
 *
 * Nothing here is recursive: formulas may be very deep.
 */
import type { EufModel } from '../../../euf/model.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { TermColumn } from '../../../term/term-column.ts';
import { negated } from '../../problem/literals.ts';

export interface Projection {
  /** Literals that together imply the formula, in the sense of EUF. */
  readonly literals: readonly TermId[];
  /** The terms of other sorts than Bool that occur in them or in the formula's chosen part. */
  readonly terms: readonly TermId[];
}

export class Projector {
  private readonly terms: TermStore;
  private definitions!: ReadonlyMap<TermId, TermId>; // of the projection under way
  private model!: EufModel; // of the projection under way
  private readonly isMarked = new TermColumn<number>();
  private readonly images = new TermColumn<TermId>(); // marked terms with their ites decided
  private marked: TermId[] = []; // what the model needs
  private readonly work: TermId[] = [];

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** Projects formulas that the model satisfies, as it does the definitions. */
  project(
    model: EufModel,
    formulas: readonly TermId[],
    definitions: ReadonlyMap<TermId, TermId>,
  ): Projection {
    const { terms } = this;
    this.model = model;
    this.definitions = definitions;
    this.marked = [];
    this.isMarked.clear();
    this.images.clear();
    for (const f of formulas) this.need(f);
    for (let t = this.work.pop(); t !== undefined; t = this.work.pop()) this.visit(t);
    const literals = new Set<TermId>();
    const values = new Set<TermId>();
    for (const t of this.marked) {
      const isBoolean = terms.sort(t) === terms.sorts.bool;
      const image = this.image(t);
      if (!isBoolean) values.add(image);
      else if (this.isAtom(t) && !terms.isConstant(image)) literals.add(this.literal(image, t));
      const body = this.definitions.get(t);
      if (body !== undefined) literals.add(this.definitionLiteral(t, body));
    }
    return { literals: [...literals], terms: [...values] };
  }

  private need(t: TermId): void {
    if (this.isMarked.has(t)) return;
    this.isMarked.set(t, 1);
    this.marked.push(t);
    this.work.push(t);
  }

  /** Marks what the value of a term rests on. */
  private visit(t: TermId): void {
    const { terms, model } = this;
    const op = terms.op(t);
    if (op === Op.ITE) {
      this.need(terms.arg(t, 0));
      this.need(this.chosen(t));
    } else if ((op === Op.AND || op === Op.OR) && model.isTrue(t) === (op === Op.OR)) {
      this.need(this.witness(t));
    } else {
      for (let i = 0; i < terms.arity(t); i++) this.need(terms.arg(t, i));
    }
    const body = this.definitions.get(t);
    if (body !== undefined) this.need(body);
  }

  /** The branch of an ite that the model takes. */
  private chosen(t: TermId): TermId {
    return this.terms.arg(t, this.model.isTrue(this.terms.arg(t, 0)) ? 1 : 2);
  }

  /** An argument that alone decides a true disjunction or a false conjunction; one that is needed anyway, if any. */
  private witness(t: TermId): TermId {
    const { terms, model } = this;
    const isDisjunction = terms.op(t) === Op.OR;
    let found: TermId | undefined;
    for (let i = 0; i < terms.arity(t); i++) {
      const a = terms.arg(t, i);
      if (model.isTrue(a) !== isDisjunction) continue;
      if (this.isMarked.has(a)) return a;
      found ??= a;
    }
    if (found === undefined) throw new Error('the model does not decide what it should');
    return found;
  }

  /** A Boolean term that is no connective. */
  private isAtom(t: TermId): boolean {
    const { terms } = this;
    switch (terms.op(t)) {
      case Op.NOT:
      case Op.AND:
      case Op.OR:
      case Op.XOR:
      case Op.IMPLIES:
      case Op.ITE:
        return false;
      case Op.EQ:
      case Op.DISTINCT:
        return terms.sort(terms.arg(t, 0)) !== terms.sorts.bool;
      default:
        return true;
    }
  }

  private literal(image: TermId, t: TermId): TermId {
    return this.model.isTrue(t) ? image : negated(this.terms, image);
  }

  /** x' = f for the chosen part of f; for a Boolean x', its value, which the literals of f justify. */
  private definitionLiteral(variable: TermId, body: TermId): TermId {
    const { terms } = this;
    if (terms.sort(variable) === terms.sorts.bool) return this.literal(variable, variable);
    return terms.eq(variable, this.image(body));
  }

  /** A needed term with every ite replaced by its chosen branch and Booleans inside terms by their value. */
  private image(root: TermId): TermId {
    const { images } = this;
    const stack = [root];
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      const height = stack.length;
      if (!images.has(t)) {
        this.pushMissing(t, stack);
        if (stack.length > height) continue;
        images.set(t, this.rebuilt(t));
      }
      stack.pop();
    }
    return images.get(root);
  }

  /** The terms whose images make up a term's image and are still to be found. */
  private pushMissing(t: TermId, stack: TermId[]): void {
    const { terms, images } = this;
    if (terms.sort(t) === terms.sorts.bool && !this.isAtom(t)) return;
    if (terms.op(t) === Op.ITE) {
      const branch = this.chosen(t);
      if (!images.has(branch)) stack.push(branch);
      return;
    }
    for (let i = 0; i < terms.arity(t); i++) {
      const a = terms.arg(t, i);
      if (!images.has(a)) stack.push(a);
    }
  }

  private rebuilt(t: TermId): TermId {
    const { terms, images, model } = this;
    if (terms.sort(t) === terms.sorts.bool && !this.isAtom(t)) return terms.bool(model.isTrue(t));
    if (terms.op(t) === Op.ITE) return images.get(this.chosen(t));
    const args = terms.args(t);
    let isChanged = false;
    for (let i = 0; i < args.length; i++) {
      const a = args[i];
      // A Boolean inside a term is known by its value; its atoms are literals of their own.
      const image = terms.sort(a) === terms.sorts.bool ? terms.bool(model.isTrue(a)) : images.get(a);
      if (image !== a) isChanged = true;
      args[i] = image;
    }
    return isChanged ? terms.withArgs(t, args) : t;
  }
}
