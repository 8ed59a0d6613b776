/**
 * A model as a cube (dissertation, ModelAssertion): of the given terms, those that the model makes equal are said to
 * be equal, by a chain over each class. Classes are said to differ only where the projected literals rest on it: where
 * one denies an equality between them, or where two applications of one predicate have different truth values, so that
 * some of their arguments must differ. That leaves more states in the cube than saying all of what the model
 * says, and the questions about it small. What distinct constants give anyway is left out.
 *
 * Only terms of the system and its lemmas enter cubes, so that there are finitely many (section 3.5).
 */
import type { Element, EufModel } from '../../../euf/model.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { equality, negated } from '../../problem/literals.ts';
import { type Cube, cubeOf } from './cube.ts';

/**
 * The cube over the current state that a projection leaves. `literals` and `values` are all of the projection's;
 * `isOfNow` tells which terms are over current state variables.
 */
export function modelAssertion(
  terms: TermStore,
  model: EufModel,
  literals: readonly TermId[],
  values: readonly TermId[],
  isOfNow: (t: TermId) => boolean,
): Cube {
  const cube = literals.filter(isOfNow);
  const classes = new Map<Element, TermId>(); // representative of each class: a constant if it has one
  const sorted = values.filter(isOfNow).sort((a, b) => rank(terms, a) - rank(terms, b) || a - b);
  for (const t of sorted) {
    if (terms.width(t) === 1) {
      // A bit is spoken of as the rewriter does, by whether it is one; equality knows of no third value then.
      if (!terms.isConstant(t)) cube.push(bitLiteral(terms, model, t));
      continue;
    }
    const element = model.value(t);
    const representative = classes.get(element);
    if (representative === undefined) classes.set(element, t);
    else cube.push(equality(terms, representative, t));
  }
  for (const [x, y] of differences(terms, model, literals)) {
    const [a, b] = [classes.get(x), classes.get(y)];
    if (a === undefined || b === undefined || (terms.isConstant(a) && terms.isConstant(b))) continue;
    cube.push(negated(terms, equality(terms, a, b)));
  }
  return cubeOf(cube);
}

/** The pairs of classes that must stay apart for the literals to hold. */
function differences(
  terms: TermStore,
  model: EufModel,
  literals: readonly TermId[],
): (readonly [Element, Element])[] {
  const pairs: (readonly [Element, Element])[] = [];
  const applications = new Map<string, { isTrue: boolean; args: readonly Element[] }[]>();
  for (const l of literals) {
    const isNegated = terms.op(l) === Op.NOT;
    const atom = isNegated ? terms.arg(l, 0) : l;
    if (terms.arity(atom) === 0) continue;
    const args = terms.args(atom).map(a => model.value(a));
    if (terms.op(atom) === Op.EQ) {
      if (isNegated) pairs.push([args[0], args[1]]);
    } else if (terms.op(atom) === Op.DISTINCT) {
      if (!isNegated)
        for (const [i, x] of args.entries()) for (const y of args.slice(0, i)) pairs.push([x, y]);
    } else {
      const key = `${terms.op(atom)} ${terms.payload(atom)} ${terms.sort(terms.arg(atom, 0))}`;
      const others = applications.get(key) ?? [];
      for (const other of others) {
        if (other.isTrue !== isNegated) continue;
        for (const [i, x] of args.entries()) if (x !== other.args[i]) pairs.push([x, other.args[i]]);
      }
      others.push({ isTrue: !isNegated, args });
      applications.set(key, others);
    }
  }
  return pairs;
}

/** Constants first, then variables. */
function rank(terms: TermStore, t: TermId): number {
  if (terms.isConstant(t)) return 0;
  return terms.arity(t) === 0 ? 1 : 2;
}

function bitLiteral(terms: TermStore, model: EufModel, t: TermId): TermId {
  const isOne = terms.eq(terms.bv(1, 1), t);
  return model.isTrue(isOne) ? isOne : terms.not(isOne);
}
