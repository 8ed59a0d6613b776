/**
 * Term projection (dissertation 3.3.3, Algorithm 3, Figure 3.5): what of a formula a model needs to be one. The model
 * chooses a branch of every ite and a witness of every false conjunction and true disjunction; what remains is a set S
 * of literals that justifies the formula, and a set Q of terms. Next state variables are followed into their
 * definitions, which become literals x' = f of S.
 *
 * Nothing here is recursive: formulas may be very deep.
 */
import type { EufModel } from '../../euf/model.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { negated } from '../system/literals.ts';

export interface Projection {
  /** Literals that together imply the formula, in the sense of EUF. */
  readonly literals: readonly TermId[];
  /** The terms of other sorts than Bool that occur in them or in the formula's chosen part. */
  readonly terms: readonly TermId[];
}

/** Projects formulas that the model satisfies. */
export function project(
  terms: TermStore,
  model: EufModel,
  formulas: readonly TermId[],
  definitions: ReadonlyMap<TermId, TermId>,
): Projection {
  return new Projector(terms, model, definitions).run(formulas);
}

class Projector {
  private readonly terms: TermStore;
  private readonly model: EufModel;
  private readonly definitions: ReadonlyMap<TermId, TermId>;
  private readonly marked = new Set<TermId>(); // what the model needs
  private readonly work: TermId[] = [];
  private readonly images = new Map<TermId, TermId>(); // marked terms with their ites decided

  constructor(terms: TermStore, model: EufModel, definitions: ReadonlyMap<TermId, TermId>) {
    this.terms = terms;
    this.model = model;
    this.definitions = definitions;
  }

  run(formulas: readonly TermId[]): Projection {
    const { terms } = this;
    for (const f of formulas) this.need(f);
    for (let t = this.work.pop(); t !== undefined; t = this.work.pop()) this.visit(t);
    const literals = new Set<TermId>();
    const values = new Set<TermId>();
    for (const t of [...this.marked]) {
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
    if (this.marked.has(t)) return;
    this.marked.add(t);
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
      if (this.marked.has(a)) return a;
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
    const { images, terms } = this;
    const stack = [root];
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      if (images.has(t)) {
        stack.pop();
        continue;
      }
      const parts = this.parts(t);
      const missing = parts.filter(p => !images.has(p));
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      images.set(t, this.rebuilt(t, parts));
    }
    return images.get(root) ?? terms.true;
  }

  /** The terms whose images make up a term's image. */
  private parts(t: TermId): TermId[] {
    const { terms } = this;
    const isBoolean = terms.sort(t) === terms.sorts.bool;
    if (isBoolean && !this.isAtom(t)) return [];
    if (terms.op(t) === Op.ITE) return [this.chosen(t)];
    return terms.args(t);
  }

  private rebuilt(t: TermId, parts: readonly TermId[]): TermId {
    const { terms, images, model } = this;
    const isBoolean = terms.sort(t) === terms.sorts.bool;
    if (isBoolean && !this.isAtom(t)) return terms.bool(model.isTrue(t));
    const args = parts.map(p => {
      const image = images.get(p) as TermId;
      // A Boolean inside a term is known by its value; its atoms are literals of their own.
      return terms.sort(p) === terms.sorts.bool ? terms.bool(model.isTrue(p)) : image;
    });
    if (terms.op(t) === Op.ITE) return args[0];
    return args.length === 0 ? t : terms.withArgs(t, args);
  }
}
