/**
 * What is known to hold, applied to terms: variables that stand for terms (definitions) and terms whose
 * value is known because a formula in force says so (facts). Both belong to scopes and go with them.
 *
 * Invariants: definitions have no cycle; a body mentions no variable that was defined before it in another
 * batch, so every term has a finite unfolding, and evaluating the definitions from the last to the first
 * finds all that a body needs. An older body may mention a variable that is defined later: images are
 * therefore found by walking into bodies, and forgotten whenever something is added or taken back.
 *
 * `simplifyTogether` uses the formulas of the present moment on one another. They are looked up in terms as
 * they were given, before substitution, and none of them is replaced as a whole. So where the truth of one
 * formula is used to simplify another, the first has the smaller unfolding, and no two formulas can justify
 * each other away.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { ScratchMap } from './scratch-map.ts';

/** An eliminated variable and the term that it stands for. */
export interface Definition {
  readonly variable: TermId;
  readonly body: TermId;
}

export class Substitution {
  private readonly terms: TermStore;
  private readonly rewriter: Rewriter;
  private readonly bodies = new Map<TermId, TermId>();
  private readonly facts = new Map<TermId, TermId>(); // a term and the constant that it equals
  private readonly defined: TermId[] = []; // the keys of `bodies`, dependents before what they mention
  private readonly known: TermId[] = []; // the keys of `facts`, oldest first
  private readonly scopes: { defined: number; known: number }[] = [];
  private readonly images = new ScratchMap<TermId>();

  constructor(rewriter: Rewriter) {
    this.terms = rewriter.terms;
    this.rewriter = rewriter;
  }

  push(): void {
    this.scopes.push({ defined: this.defined.length, known: this.known.length });
  }

  pop(): void {
    const scope = this.scopes.pop();
    if (scope === undefined) throw new RangeError('there is no open scope');
    if (this.defined.length === scope.defined && this.known.length === scope.known) return;
    for (const v of this.defined.splice(scope.defined)) this.bodies.delete(v);
    for (const t of this.known.splice(scope.known)) this.facts.delete(t);
    this.images.clear();
  }

  isDefined(variable: TermId): boolean {
    return this.bodies.has(variable);
  }

  /** Takes definitions, each after those that its body mentions. */
  define(batch: readonly Definition[]): void {
    for (let i = batch.length - 1; i >= 0; i--) {
      const { variable, body } = batch[i];
      this.bodies.set(variable, body);
      this.defined.push(variable);
    }
    this.images.clear();
  }

  /** In an order in which each body mentions only variables defined before it. */
  definitions(): Definition[] {
    const list: Definition[] = [];
    for (let i = this.defined.length - 1; i >= 0; i--) {
      const variable = this.defined[i];
      list.push({ variable, body: this.bodies.get(variable) as TermId });
    }
    return list;
  }

  /** Formulas that stay in force as they are until the present scope is popped. */
  learn(formulas: readonly TermId[]): void {
    for (const f of formulas) {
      const [term, value] = factOf(this.terms, f);
      if (this.terms.isConstant(term) || this.facts.has(term)) continue;
      this.facts.set(term, value);
      this.known.push(term);
    }
    this.images.clear();
  }

  /**
   * The images of formulas that hold together, each used to simplify the others, in place of all facts
   * assumed before; undefined if two of them contradict each other.
   */
  simplifyTogether(formulas: readonly TermId[]): TermId[] | undefined {
    this.images.clear();
    const results = this.assume(formulas) ? formulas.map(f => this.assumedImage(f)) : undefined;
    this.images.clear(); // what rested on these formulas must not outlive them
    return results;
  }

  /** Enters what the formulas say among the images; false if two of them contradict each other. */
  private assume(formulas: readonly TermId[]): boolean {
    const { images } = this;
    for (const f of formulas) {
      const [term, value] = factOf(this.terms, f);
      if (this.bodies.has(term)) continue; // it is about to be replaced
      if (images.has(term) && images.get(term) !== value) return false;
      images.set(term, value);
    }
    return true;
  }

  /** The term with definitions and facts applied, in normal form. */
  image(term: TermId): TermId {
    const { images, bodies, terms } = this;
    const stack = [term];
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      const value = images.has(t) ? images.get(t) : this.facts.get(t);
      const body = value === undefined && terms.arity(t) === 0 ? bodies.get(t) : undefined;
      if (value !== undefined) {
        images.set(t, value);
      } else if (body !== undefined) {
        if (!images.has(body)) {
          stack.push(body);
          continue;
        }
        images.set(t, images.get(body));
      } else {
        const height = stack.length;
        for (let i = terms.arity(t) - 1; i >= 0; i--) {
          if (!images.has(terms.arg(t, i))) stack.push(terms.arg(t, i));
        }
        if (stack.length > height) continue;
        const rebuilt = this.rebuilt(t);
        images.set(t, this.facts.get(rebuilt) ?? rebuilt);
      }
      stack.pop();
    }
    return images.get(term);
  }

  /** The image of a formula that was assumed: of what is inside it, not of the formula itself. */
  private assumedImage(formula: TermId): TermId {
    const { terms } = this;
    const [term] = factOf(terms, formula);
    if (terms.isVariable(term)) return this.bodies.has(term) ? this.image(formula) : formula;
    for (let i = 0; i < terms.arity(term); i++) this.image(terms.arg(term, i));
    const inside = this.rebuilt(term);
    return term === formula ? inside : this.rewriter.not(inside);
  }

  /** The node over the images of its arguments, in normal form. */
  private rebuilt(t: TermId): TermId {
    const { terms, images } = this;
    const arity = terms.arity(t);
    let i = 0;
    while (i < arity && images.get(terms.arg(t, i)) === terms.arg(t, i)) i++;
    if (i === arity) return this.rewriter.rewrite(t);
    const args = terms.args(t).map(a => images.get(a));
    return this.rewriter.rewrite(terms.withArgs(t, args));
  }
}

/** What an asserted formula says of which term: that a variable has a constant value, or a formula a truth value. */
function factOf(terms: TermStore, formula: TermId): readonly [term: TermId, value: TermId] {
  const isNegated = terms.op(formula) === Op.NOT;
  const atom = isNegated ? terms.arg(formula, 0) : formula;
  if (terms.op(atom) === Op.EQ && terms.isVariable(terms.arg(atom, 1))) {
    const [constant, variable] = [terms.arg(atom, 0), terms.arg(atom, 1)];
    if (terms.isConstant(constant)) {
      if (!isNegated) return [variable, constant];
      if (constant === terms.bv(1, 1)) return [variable, terms.bv(1, 0)];
      if (constant === terms.bv(1, 0)) return [variable, terms.bv(1, 1)];
    }
  }
  return [atom, terms.bool(!isNegated)];
}
