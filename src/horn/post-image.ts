/**
 * What an edge derives, said of the places of its head alone: the equations between these and the edge's values are solved
 * for all that the head does not see. Where they cannot be solved for all of it, some of it can still be said.
 */
import type { EquationSolver } from '../bv/preprocess/equation-solver.ts';
import type { TermId } from '../term/store.ts';
import { substituteAll } from '../term/substitute.ts';
import { type Edge, inputsOf, isOver } from './graph.ts';
import type { Relation } from './problem.ts';

/** What an edge derives, as a formula over the places of its head. */
export interface PostImage {
  readonly condition: TermId;
  /** The places of the edge's body. */
  readonly places: readonly TermId[];
  /** Inputs of the edge, by name, over the places of its head. */
  readonly inputs: ReadonlyMap<TermId, TermId>;
}

/** What can be said of the places of an edge's head without quantifiers: formulas that hold of all that it derives. */
export function postCondition(relation: Relation, edge: Edge, solver: EquationSolver): TermId[] {
  const { terms } = solver.rewriter;
  const seen = new Set(relation.places);
  return hiddenSolved(relation, edge, solver).formulas.filter(f => isOver(terms, f, seen));
}

/** Undefined if it cannot be said without quantifiers. */
export function postImage(relation: Relation, edge: Edge, solver: EquationSolver): PostImage | undefined {
  const { terms } = solver.rewriter;
  const { formulas, images } = hiddenSolved(relation, edge, solver);
  const condition = terms.and(formulas);
  const seen = new Set(relation.places);
  const image = (v: TermId) => images.get(v) as TermId;
  const places = (edge.body?.places ?? []).map(image);
  if (![condition, ...places].every(t => isOver(terms, t, seen))) return undefined;
  const inputs = new Map(inputsOf(terms, edge).map(v => [v, image(v)]));
  return { condition, places, inputs };
}

/** An edge's equations solved for what its head does not see: what is left to say, and what that is then. */
function hiddenSolved(
  relation: Relation,
  edge: Edge,
  solver: EquationSolver,
): { readonly formulas: readonly TermId[]; readonly images: ReadonlyMap<TermId, TermId> } {
  const { terms } = solver.rewriter;
  const hidden = [...(edge.body?.places ?? []), ...inputsOf(terms, edge)];
  // The places of the head may be those of the body as well, so the body's get other names here.
  const renamed = new Map(hidden.map(v => [v, terms.variable('hidden', terms.sort(v))]));
  const [guard, ...values] = substituteAll(terms, [edge.guard, ...edge.values], renamed);
  const isHidden = new Set(renamed.values());
  const equations = relation.places.map((p, i) => terms.eq(p, values[i]));
  const solved = solver.solve([...equations, guard], v => isHidden.has(v), [...renamed.values()]);
  return { formulas: solved.formulas, images: new Map(hidden.map((v, i) => [v, solved.images[i]])) };
}
