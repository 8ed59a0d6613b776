/**
 * Drops conditions that speak of nothing but inputs which nothing else speaks of: whatever the state, there are values for
 * them, or there are none, and then the edge cannot be used at all. The first step of a circuit that is reset looks so: it
 * starts in constants, and what is assumed of its inputs has no bearing on them.
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import { ConcreteSolver } from '../../bv/solver.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import { SortKind } from '../../term/sort.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import type { Value } from '../../term/value.ts';
import { mapped } from '../problem/derivation.ts';
import { constraintInputs, type Edge, type Problem, placesOf } from '../problem/problem.ts';
import { lemmasBack, type Pass, unchanged } from './pass.ts';

/** What finding values may cost. */
const MAX_CONFLICTS = 1000;

interface Dropped {
  readonly origin: Edge;
  readonly values: ReadonlyMap<TermId, Value>; // of the inputs that nothing speaks of any more
}

/** `keepsInputs`: nothing of an edge is to be dropped. */
export function dropClosedConditions(
  problem: Problem,
  rewriter: Rewriter,
  keepsInputs: (edge: Edge) => boolean = () => false,
): Pass {
  const { terms } = problem;
  const dropped = new Map<Edge, Dropped>();
  let isSame = true;
  for (const origin of problem.edges) {
    const { closed, open } = conditionsApart(rewriter, origin);
    const isKept = closed.length === 0 || keepsInputs(origin);
    const values = isKept ? undefined : valuesFor(terms, closed);
    if (values === undefined) {
      dropped.set(origin, { origin, values: new Map() });
      continue;
    }
    isSame = false;
    if (values !== 'none') dropped.set({ ...origin, guard: terms.and(open) }, { origin, values });
  }
  if (isSame) return unchanged(problem);
  const originOf = (edge: Edge) => dropped.get(edge) as Dropped;
  return {
    problem: { ...problem, edges: [...dropped.keys()] },
    back: {
      proof: proof => ({
        ...proof,
        lemmas: lemmasBack(terms, proof.lemmas, e => [{ edge: originOf(e).origin }]),
      }),
      derivation: derivation =>
        mapped(derivation, ({ edge, values }) => {
          const { origin, values: found } = originOf(edge);
          return { edge: origin, values: found.size === 0 ? values : new Map([...values, ...found]) };
        }),
      keepsSteps: true,
    },
  };
}

/** The conditions of an edge's guard, those that are closed and the others. */
function conditionsApart(
  rewriter: Rewriter,
  edge: Edge,
): { readonly closed: TermId[]; readonly open: TermId[] } {
  const { terms } = rewriter;
  const conditions = conjunctsOf(rewriter, [rewriter.rewrite(edge.guard)]);
  const variablesOf = (t: TermId) => terms.postorder([t]).filter(s => terms.isVariable(s));
  const used = new Set([
    ...placesOf(edge),
    ...edge.sources.flatMap(s => [...constraintInputs(terms, s.location)]),
  ]);
  for (const v of terms.postorder(edge.values)) if (terms.isVariable(v)) used.add(v);
  // What shares a variable with something that is used is used, too.
  let open: TermId[] = [];
  let closed = conditions;
  for (let before = -1; before !== open.length; ) {
    before = open.length;
    const isUsed = (c: TermId) => isOpen(terms, c) || variablesOf(c).some(v => used.has(v));
    const found = closed.filter(isUsed);
    for (const c of found) for (const v of variablesOf(c)) used.add(v);
    open = [...open, ...found];
    closed = closed.filter(c => !found.includes(c));
  }
  return { closed, open: conditions.filter(c => !closed.includes(c)) };
}

/** Functions are the same in all edges, so what is said of one is never closed; and arrays are dear to find values for. */
function isOpen(terms: TermStore, condition: TermId): boolean {
  const { sorts } = terms;
  return terms
    .postorder([condition])
    .some(t => terms.isApplication(t) || sorts.kind(terms.sort(t)) === SortKind.ARRAY);
}

/** Values of the variables that make the conditions true; undefined if that is not found out. */
function valuesFor(terms: TermStore, conditions: readonly TermId[]): Map<TermId, Value> | 'none' | undefined {
  const solver = new ConcreteSolver(terms);
  for (const c of conditions) solver.assert(c);
  const answer = solver.solve([], { conflicts: MAX_CONFLICTS });
  if (answer === 'unknown') return undefined;
  if (answer === 'unsat') return 'none';
  const model = solver.model();
  const variables = terms.postorder(conditions).filter(t => terms.isVariable(t));
  return new Map(variables.map(v => [v, model.value(v)]));
}
