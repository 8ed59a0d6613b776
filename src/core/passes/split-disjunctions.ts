/**
 * Splits an edge whose guard is a disjunction of steps, each with its own updates, into an edge for each step: a program
 * written as one clause or one transition relation often looks so, and only within a disjunct can its equations be solved
 * for what is new. Edges whose values are terms over the places already are left alone, for there a disjunction is just a
 * condition; so are starts, whose disjunction is one set of states.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';
import { type Edge, inputsOf, type Problem } from '../problem/problem.ts';
import { edgeByEdge, type Pass } from './pass.ts';

/** How many edges one edge may become. */
const MAX_PARTS = 200;

export function splitDisjunctions(problem: Problem, rewriter: Rewriter): Pass {
  const origins = new Map<Edge, Edge>();
  for (const edge of problem.edges) {
    for (const guard of edge.sources.length === 0 ? [edge.guard] : partsOf(edge, rewriter))
      origins.set(guard === edge.guard ? edge : { ...edge, guard }, edge);
  }
  return {
    problem: { ...problem, edges: [...origins.keys()] },
    back: edgeByEdge(problem.terms, origins),
  };
}

/** Guards whose disjunction is the edge's. */
function partsOf(edge: Edge, rewriter: Rewriter): TermId[] {
  const { terms } = rewriter;
  const isInput = new Set(inputsOf(terms, edge));
  const open = new Set(terms.postorder(edge.values).filter(t => isInput.has(t)));
  const conjuncts = conjunctsOf(rewriter, [edge.guard]);
  // The disjunction that decides about most of what is open. Where its parts are mere literals it is no case
  // distinction but a condition, and splitting it would only make a choice of what was none.
  let best: TermId | undefined;
  let most = 0;
  for (const c of conjuncts) {
    if (terms.op(c) !== Op.OR) continue;
    const cases = terms.args(c).filter(part => terms.op(part) === Op.AND).length;
    if (2 * cases <= terms.arity(c)) continue;
    const count = terms.postorder([c]).filter(t => open.has(t)).length;
    if (count > most) [best, most] = [c, count];
  }
  if (best === undefined || terms.arity(best) > MAX_PARTS) return [edge.guard];
  const others = conjuncts.filter(c => c !== best);
  return terms.args(best).map(part => terms.and([...others, part]));
}
