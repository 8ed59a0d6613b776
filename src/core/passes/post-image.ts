/**
 * What an edge derives, said of the places of its head alone: the equations between these and the edge's values are solved
 * for all that the head does not see. Where they cannot be solved for all of it, some of it can still be said.
 */
import type { EquationSolver } from '../../bv/preprocess/equation-solver.ts';
import type { TermId } from '../../term/store.ts';
import { substituteAll } from '../../term/substitute.ts';
import { conditionsOf, type Edge, inputsOf, isOver, type Location, placesOf } from '../problem/problem.ts';

/** What an edge derives, with variables for what its head does not see and equations do not tell. */
export interface Solved {
  readonly formulas: readonly TermId[];
  /** What the places of the edge's sources and its inputs are, over the places of its head and these variables. */
  readonly images: ReadonlyMap<TermId, TermId>;
  /** Which variable of the edge each of them stands for. */
  readonly standFor: ReadonlyMap<TermId, TermId>;
}

/** What an edge derives, as a formula over the places of its head. */
export interface PostImage {
  readonly condition: TermId;
  /** What the places of the edge's sources and its inputs are, over the places of its head. */
  readonly images: ReadonlyMap<TermId, TermId>;
}

/** What can be said of the places of an edge's head without quantifiers: formulas that hold of all that it derives. */
export function postCondition(head: Location, edge: Edge, solver: EquationSolver): TermId[] {
  const { terms } = solver.rewriter;
  const seen = new Set(head.places);
  return hiddenSolved(head, edge, solver).formulas.filter(f => isOver(terms, f, seen));
}

/** Undefined if it cannot be said without quantifiers. */
export function postImage(head: Location, edge: Edge, solver: EquationSolver): PostImage | undefined {
  const { terms } = solver.rewriter;
  const { formulas, images } = hiddenSolved(head, edge, solver);
  const condition = terms.and(formulas);
  const seen = new Set(head.places);
  const places = [...placesOf(edge)].map(p => images.get(p) as TermId);
  if (![condition, ...places].every(t => isOver(terms, t, seen))) return undefined;
  return { condition, images };
}

/** An edge's equations solved for what its head does not see: what is left to say, and what that is then. */
export function hiddenSolved(head: Location, edge: Edge, solver: EquationSolver): Solved {
  const { terms } = solver.rewriter;
  const hidden = [...placesOf(edge), ...inputsOf(terms, edge)];
  // The places of the head may be those of the source as well, so the source's get other names here.
  const renamed = new Map(hidden.map(v => [v, terms.variable('hidden', terms.sort(v))]));
  const roots = [terms.and(conditionsOf(edge)), ...edge.values];
  const [guard, ...values] = substituteAll(terms, roots, renamed);
  const isHidden = new Set(renamed.values());
  const equations = head.places.map((p, i) => terms.eq(p, values[i]));
  const solved = solver.solve([...equations, guard], v => isHidden.has(v), [...renamed.values()]);
  return {
    formulas: solved.formulas,
    images: new Map(hidden.map((v, i) => [v, solved.images[i]])),
    standFor: new Map([...renamed].map(([v, name]) => [name, v])),
  };
}
