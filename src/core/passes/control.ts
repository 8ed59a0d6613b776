/**
 * Which places are a program's control? Two kinds:
 *
 *   set        every edge into a location sets the place to a constant or copies a place that is control as well, and most
 *              edges that leave the location insist on a value: a program counter of a program that is written edge by edge.
 *              Places that are rarely asked about, such as flags, are data, since they would multiply the locations and not
 *              explain them
 *   computed   one edge says what the next location is: a vector whose next value is a choice among constants, or Booleans of
 *              which no two are ever true together, one for each location. That they exclude one another is guessed from
 *              a few random runs, and members are struck out for which some step breaks it, until none does (compare
 *              Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java", FME 2001)
 */
import { conjunctsOf } from '../../bv/preprocess/conjuncts.ts';
import { EufSolver } from '../../euf/solver.ts';
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { atMostOne } from '../problem/exactly-one.ts';
import { conditionsOf, headOf, type Location, type Problem, sourceOf } from '../problem/problem.ts';
import { randomStates } from './random-states.ts';

/** Values of control places, as constants, and the condition under which an edge gives them. */
export interface Alternative {
  readonly control: ReadonlyMap<TermId, TermId>;
  readonly condition: TermId;
}

/** A place, or a group of places, that says where a state is. */
export interface Control {
  readonly places: readonly TermId[];
  /** What it may be where an edge gives these values to its places. */
  readonly alternatives: (rewriter: Rewriter, valueAt: (place: TermId) => TermId) => Alternative[];
}

// ---- control that is set ----

export function controlThatIsSet({ terms, locations, edges }: Problem, rewriter: Rewriter): Control[] {
  const insistences = new Map<TermId, number>(); // by place, edges that insist on a value
  const departures = new Map<Location, number>();
  for (const edge of edges) {
    const source = sourceOf(edge);
    if (source === undefined) continue;
    departures.set(source, (departures.get(source) ?? 0) + 1);
    for (const p of valuesIn(rewriter, edge.guard).keys()) {
      insistences.set(p, (insistences.get(p) ?? 0) + 1);
    }
  }
  const control = new Set(
    locations.flatMap(l =>
      l.places.filter(p => 2 * (insistences.get(p) ?? 0) >= (departures.get(l) ?? Number.POSITIVE_INFINITY)),
    ),
  );
  // What an edge sets to something else is none, nor what copies such a place.
  for (let before = -1; before !== control.size; ) {
    before = control.size;
    for (const edge of edges) {
      headOf(edge)?.places.forEach((p, i) => {
        const value = edge.values[i];
        if (!terms.isConstant(value) && !control.has(value)) control.delete(p);
      });
    }
  }
  return [...control].map(place => ({
    places: [place],
    alternatives: (_, valueAt) => [{ control: new Map([[place, valueAt(place)]]), condition: terms.true }],
  }));
}

/** The constants that a formula says that variables are. */
function valuesIn(rewriter: Rewriter, formula: TermId): Map<TermId, TermId> {
  const { terms } = rewriter;
  const values = new Map<TermId, TermId>();
  for (const c of conjunctsOf(rewriter, [rewriter.rewrite(formula)])) {
    const isNegated = terms.op(c) === Op.NOT;
    const atom = isNegated ? terms.arg(c, 0) : c;
    if (terms.isVariable(atom)) values.set(atom, terms.bool(!isNegated));
    if (terms.op(c) !== Op.EQ) continue;
    const [value, variable] = terms.args(c); // constants come first in normal forms
    if (terms.isConstant(value) && terms.isVariable(variable)) values.set(variable, value);
  }
  return values;
}

// ---- control that is computed ----

/** Where more is said than this, nothing is looked for. */
const MAX_TERMS = 12_000;
/** What a question about Booleans that exclude each other may cost. */
const MAX_PROPAGATIONS = 200_000;
/** A program counter has at least so many values, and no more than these. */
const MIN_VALUES = 2;
const MAX_VALUES = 200;

/** Of problems with one location. */
export function controlThatIsComputed(problem: Problem, checkpoint: Checkpoint): Control[] {
  const { terms, locations, edges } = problem;
  if (locations.length !== 1) return [];
  if (terms.postorder(edges.flatMap(e => [e.guard, ...e.values])).length > MAX_TERMS) return [];
  const counters = programCounters(problem, locations[0]);
  if (counters.length > 0) return counters;
  const group = exclusiveGroup(problem, locations[0], checkpoint);
  return group.length < 2 ? [] : [oneOf(terms, group)];
}

/** Vectors that begin with a constant, and whose next value is a choice among constants and the value now. */
function programCounters({ terms, edges }: Problem, { places }: Location): Control[] {
  return places.flatMap((place, i) => {
    if (terms.width(place) < 2) return [];
    const constants = new Set<TermId>();
    let isTested = false;
    for (const edge of edges) {
      if (headOf(edge) === undefined) continue;
      for (const leaf of leavesOf(terms, edge.values[i])) {
        if (terms.isConstant(leaf)) constants.add(leaf);
        else if (leaf !== place || edge.sources.length === 0) return [];
      }
      isTested ||= terms.postorder([edge.values[i]]).some(t => isTest(terms, t, place));
    }
    if (!isTested || constants.size < MIN_VALUES || constants.size > MAX_VALUES) return [];
    return [counter(terms, place)];
  });
}

/** What an ite may be, whatever its conditions. */
function leavesOf(terms: TermStore, value: TermId): Set<TermId> {
  const leaves = new Set<TermId>();
  const seen = new Set<TermId>();
  const stack = [value];
  for (let t = stack.pop(); t !== undefined; t = stack.pop()) {
    if (seen.has(t)) continue;
    seen.add(t);
    if (terms.op(t) === Op.ITE) stack.push(terms.arg(t, 1), terms.arg(t, 2));
    else leaves.add(t);
  }
  return leaves;
}

function isTest(terms: TermStore, t: TermId, place: TermId): boolean {
  return terms.op(t) === Op.EQ && terms.arg(t, 1) === place && terms.isConstant(terms.arg(t, 0));
}

function counter(terms: TermStore, place: TermId): Control {
  return {
    places: [place],
    alternatives: (rewriter, valueAt) => {
      const value = valueAt(place);
      return [...leavesOf(terms, value)].map(leaf => ({
        control: new Map([[place, leaf]]),
        condition: rewriter.rewrite(terms.eq(leaf, value)),
      }));
    },
  };
}

/** Booleans of which at most one is true. */
function oneOf(terms: TermStore, group: readonly TermId[]): Control {
  const only = (place: TermId | undefined) => new Map(group.map(p => [p, terms.bool(p === place)]));
  return {
    places: group,
    alternatives: (rewriter, valueAt) => {
      const values = group.map(valueAt);
      const certain = values.indexOf(terms.true);
      if (certain >= 0) return [{ control: only(group[certain]), condition: terms.true }];
      const none = { control: only(undefined), condition: rewriter.rewrite(terms.not(terms.or(values))) };
      const some = group.map((p, i) => ({ control: only(p), condition: values[i] }));
      return [...some, none].filter(a => a.condition !== terms.false);
    },
  };
}

/**
 * A large group of Booleans of which no two are ever true together: one that a few random steps do not contradict, without
 * those members that keep it from being inductive.
 */
function exclusiveGroup(problem: Problem, { places }: Location, checkpoint: Checkpoint): TermId[] {
  const { terms, edges } = problem;
  const starts = edges.filter(e => e.sources.length === 0);
  const booleans = places.filter((p, i) => {
    return terms.sort(p) === terms.sorts.bool && starts.every(e => terms.isConstant(e.values[i]));
  });
  if (booleans.length < MIN_VALUES) return [];
  const together = seenTogether(problem, booleans);
  const isApart = (p: TermId, q: TermId) => !together.has(pairKey(p, q));
  const neighbours = new Map(booleans.map(p => [p, booleans.filter(q => q !== p && isApart(p, q)).length]));
  const byDegree = [...booleans].sort(
    (p, q) => (neighbours.get(q) as number) - (neighbours.get(p) as number),
  );
  const group: TermId[] = [];
  for (const p of byDegree) if (group.every(q => isApart(p, q))) group.push(p);
  return inductiveGroup(problem, group, checkpoint);
}

function pairKey(p: TermId, q: TermId): string {
  return p < q ? `${p} ${q}` : `${q} ${p}`;
}

/** The pairs of Booleans that are both true in some state of a few random runs. */
function seenTogether(problem: Problem, booleans: readonly TermId[]): Set<string> {
  const together = new Set<string>();
  for (const isTrue of randomStates(problem)) {
    const on = booleans.filter(isTrue);
    for (const [i, p] of on.entries()) for (const q of on.slice(0, i)) together.add(pairKey(p, q));
  }
  return together;
}

/** Members of which at most one is true after a step if at most one is before it; those that break it are left out. */
function inductiveGroup(problem: Problem, given: readonly TermId[], checkpoint: Checkpoint): TermId[] {
  const { terms, edges } = problem;
  const [location] = problem.locations;
  const solver = new EufSolver(terms);
  const steps = edges.filter(e => e.sources.length > 0 && headOf(e) !== undefined);
  const choices = steps.map(() => terms.variable('step', terms.sorts.bool));
  solver.assert(terms.or(choices));
  steps.forEach((edge, i) => {
    for (const c of conditionsOf(edge)) solver.assert(c, choices[i]);
  });
  const index = new Map(location.places.map((p, i) => [p, i]));
  const after = (p: TermId) =>
    terms.or(steps.map((e, i) => terms.and([choices[i], e.values[index.get(p) as number]])));
  let group = [...given];
  while (group.length >= MIN_VALUES) {
    checkpoint.pass(WORK_OF_A_ROUND);
    const round = terms.variable('round', terms.sorts.bool);
    for (const f of atMostOne(terms, group)) solver.assert(f, round);
    const nexts = group.map(after);
    solver.assert(terms.or(nexts.map((n, i) => terms.and([n, terms.or(nexts.slice(0, i))]))), round);
    const answer = solver.solve([round], { propagations: MAX_PROPAGATIONS });
    if (answer === 'unsat') return location.places.filter(p => group.includes(p));
    if (answer === 'unknown') return [];
    const model = solver.model();
    const [, ...tooMany] = group.filter((_, i) => model.isTrue(nexts[i]));
    group = group.filter(p => !tooMany.includes(p));
  }
  return [];
}

/** Against that of reading a token. */
const WORK_OF_A_ROUND = 1000;
