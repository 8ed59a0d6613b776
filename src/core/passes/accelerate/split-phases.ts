/**
 * A loop that does one thing up to some point and another thing from there on is two loops, one after the other (the idea of
 * splitter predicates: Sharma, Dillig, Dillig and Aiken, "Simplifying loop invariant generation using splitter predicates",
 * CAV 2011):
 *
 *   L(x) ∧ g ⇒ L(p ? f(x) : h(x))     becomes     L(x) ∧ g ∧ p ⇒ L(f(x)),  L(x) ∧ ¬p ⇒ L'(x),  L'(x) ∧ g ⇒ L'(h(x))
 *
 * if a round with h never makes p true again, which is decided bit by bit. Each of the two may count where both together do not.
 * A model of the one loop says of a state what that of its phase says; steps from one phase to the other are no steps.
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import type { EquationSolver } from '../../../bv/preprocess/equation-solver.ts';
import { ConcreteSolver } from '../../../bv/solver.ts';
import { Op } from '../../../term/operators.ts';
import type { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substitute, substituteAll } from '../../../term/substitute.ts';
import type { Value } from '../../../term/value.ts';
import type { Step } from '../../problem/derivation.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { negated } from '../../problem/literals.ts';
import {
  type Edge,
  inputsOf,
  isOver,
  type Location,
  type Problem,
  placesTo,
  sourceOf,
  step,
} from '../../problem/problem.ts';
import { lemmasBack, type Origin, type Pass, unchanged, WORK_OF_A_LOCATION } from '../pass.ts';

/** So many conditions of a loop are tried, each with a question that may cost so much. */
const MAX_CANDIDATES = 6;
const CONFLICTS = 2000;

const COMPARISONS: ReadonlySet<Op> = new Set([Op.EQ, Op.BVULT, Op.BVSLT]);

export function splitPhases(problem: Problem, solver: EquationSolver): Pass {
  const table = new EdgeTable(problem.edges);
  const splits = new Map<Location, Phases>();
  for (const location of problem.locations) {
    solver.checkpoint.pass(WORK_OF_A_LOCATION);
    const rounds = table.into(location).filter(e => sourceOf(e) === location);
    const all = [...table.into(location), ...table.outOf(location)];
    if (rounds.length !== 1 || all.some(e => e.sources.length > 1)) continue;
    const phases = phasesOf(solver.rewriter, location, rounds[0]);
    if (phases !== undefined) splits.set(location, phases);
  }
  return splits.size === 0 ? unchanged(problem) : split(problem, splits);
}

/** The two phases of a loop: the first one's literal, and what a round is in each. */
interface Phases {
  readonly round: Edge;
  readonly literal: TermId;
  readonly first: Edge;
  /** Over places of its own. */
  readonly second: Edge;
  readonly later: Location;
  /** From the places of the loop to those of its second phase. */
  readonly names: ReadonlyMap<TermId, TermId>;
}

function phasesOf(rewriter: Rewriter, location: Location, round: Edge): Phases | undefined {
  const { terms } = rewriter;
  if (inputsOf(terms, round).length > 0 || location.constraints.length > 0) return undefined;
  for (const atom of candidates(rewriter, location, round)) {
    for (const literal of [atom, terms.not(atom)]) {
      const first = under(rewriter, round, literal);
      const second = under(rewriter, round, negated(terms, literal));
      const isSame = first.values.every((v, i) => v === second.values[i]);
      if (isSame || first.guard === terms.false || second.guard === terms.false) continue;
      if (!isForGood(rewriter, location, second, negated(terms, literal))) continue;
      const names = new Map(
        location.places.map(p => [p, terms.variable(`${nameOf(terms, p)}'`, terms.sort(p))] as const),
      );
      const later: Location = { name: `${location.name}'`, places: [...names.values()], constraints: [] };
      const [guard, ...values] = substituteAll(terms, [second.guard, ...second.values], names);
      return {
        round,
        literal,
        first: { ...first, guard: rewriter.rewrite(terms.and([literal, first.guard])) },
        second: { sources: step(later), guard, head: later, values },
        later,
        names,
      };
    }
  }
  return undefined;
}

/** Comparisons that what a round does depends on. */
function candidates(rewriter: Rewriter, { places }: Location, { guard, values }: Edge): TermId[] {
  const { terms } = rewriter;
  const own = new Set(places);
  const asked = new Set(
    conjunctsOf(rewriter, [guard]).map(c => (terms.op(c) === Op.NOT ? terms.arg(c, 0) : c)),
  );
  return terms
    .postorder(values)
    .filter(t => COMPARISONS.has(terms.op(t)) && !asked.has(t) && isOver(terms, t, own))
    .slice(0, MAX_CANDIDATES);
}

/** A round of which a literal is known; the guard does not say it again. */
function under(rewriter: Rewriter, round: Edge, literal: TermId): Edge {
  const { terms } = rewriter;
  const known = new Map<TermId, TermId>();
  const learn = (l: TermId) => {
    if (terms.op(l) === Op.NOT) known.set(terms.arg(l, 0), terms.false);
    else known.set(l, terms.true);
  };
  learn(literal);
  const guard = rewriter.rewrite(substitute(terms, round.guard, known));
  for (const c of conjunctsOf(rewriter, [guard])) learn(c);
  const values = substituteAll(terms, round.values, known).map(v => rewriter.rewrite(v));
  return { ...round, guard, values };
}

/** Does a round keep a literal true? */
function isForGood(rewriter: Rewriter, location: Location, round: Edge, literal: TermId): boolean {
  const { terms } = rewriter;
  const after = substitute(terms, negated(terms, literal), placesTo(location, round.values));
  const solver = new ConcreteSolver(terms);
  for (const f of [literal, round.guard, after]) solver.assert(f);
  return solver.solve([], { conflicts: CONFLICTS }) === 'unsat';
}

function nameOf(terms: TermStore, variable: TermId): string {
  return terms.nameOf(variable);
}

/** What an edge was: another one, perhaps over other names; or only the change from one phase to the other. */
type From = { readonly edge: Edge; readonly phases?: Phases } | 'change';

function split(problem: Problem, splits: ReadonlyMap<Location, Phases>): Pass {
  const { terms, next } = problem;
  const origins = new Map<Edge, From>();
  for (const edge of problem.edges) {
    const phases = splits.get(sourceOf(edge) as Location);
    if (phases === undefined) {
      origins.set(edge, { edge });
      continue;
    }
    const { round, literal, first, second, later, names } = phases;
    if (edge === round) {
      origins.set(first, { edge });
      const isOver = { ...edge, guard: negated(terms, literal), head: later };
      origins.set({ ...isOver, values: (sourceOf(edge) as Location).places }, 'change');
      origins.set(second, { edge, phases });
    } else {
      origins.set({ ...edge, guard: terms.and([literal, edge.guard]) }, { edge });
      const [guard, ...values] = substituteAll(terms, [edge.guard, ...edge.values], names);
      origins.set({ sources: step(later), guard, head: edge.head, values }, { edge, phases });
    }
  }
  const backOf = ({ names }: Phases) => new Map([...names].map(([p, q]) => [q, p] as const));
  const lemmaOrigins = (edge: Edge): Origin[] => {
    const from = origins.get(edge) as From;
    if (from === 'change') return [];
    if (from.phases === undefined) return [{ edge: from.edge }];
    const back = backOf(from.phases);
    const after = [...back].map(([q, p]) => [next.of(q), next.of(p)] as const);
    return [{ edge: from.edge, names: new Map([...back, ...after]) }];
  };
  return {
    problem: {
      ...problem,
      locations: problem.locations.flatMap(l => [
        l,
        ...(splits.has(l) ? [(splits.get(l) as Phases).later] : []),
      ]),
      edges: [...origins.keys()],
    },
    back: {
      proof: proof => ({
        ...proof,
        model: new Map(
          problem.locations.map(l => {
            const own = proof.model.get(l) as TermId;
            const phases = splits.get(l);
            if (phases === undefined) return [l, own];
            const later = substitute(terms, proof.model.get(phases.later) as TermId, backOf(phases));
            return [l, terms.app(Op.ITE, [phases.literal, own, later])];
          }),
        ),
        lemmas: lemmasBack(terms, proof.lemmas, lemmaOrigins),
      }),
      derivation: derivation => {
        const steps: Step[] = [];
        const numbers: number[] = []; // by old number of a step, the one that derives the same state now
        for (const old of derivation.steps) {
          const from = origins.get(old.edge) as From;
          if (from === 'change') {
            numbers.push(numbers[old.premises[0]]);
            continue;
          }
          const values = new Map<TermId, Value>(old.values);
          for (const [p, q] of from.phases?.names ?? []) {
            const value = old.values.get(q);
            if (value !== undefined) values.set(p, value);
          }
          steps.push({ ...old, edge: from.edge, values, premises: old.premises.map(n => numbers[n]) });
          numbers.push(steps.length - 1);
        }
        return { ...derivation, steps };
      },
      keepsSteps: false,
    },
  };
}
