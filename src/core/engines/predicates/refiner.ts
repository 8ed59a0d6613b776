/**
 * Refinement (thesis, section 3.4): no step from a frame leads to a state, but steps lead into its cube. An interpolant tells
 * them apart. Without an interpolating solver it comes from a core: of what can be said about the state, from what says
 * most of other states as well to its single bits, as little as the steps cannot reach. What a core says is added as
 * predicates one by one, never as a whole: parts are of use again. An equality is said by two inequalities, of which often
 * one suffices; a bound is moved to where it covers what else leads to the same violation and cannot be reached.
 */
import type { Lit } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { Evaluator } from '../../../term/evaluator.ts';
import { Op } from '../../../term/operators.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { evaluatorOf } from '../../problem/derivation.ts';
import { negated } from '../../problem/literals.ts';
import { isOver, type Location, sourceOf } from '../../problem/problem.ts';
import { type Cube, cubeOf } from '../ic3/literal-cube.ts';
import { Bound } from '../interpolation/bounds.ts';
import type { Shared } from './encoding.ts';
import type { Miner } from './mining.ts';
import type { PredicateState, Refinement } from './queries.ts';
import type { Solvers } from './solvers.ts';
import type { StepSolver } from './step-solver.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What tells odd from even. */
const LOW_BITS = 1;

/** What can be said of a state: a formula that is true there, and the bound that it is, if it is one. */
interface Candidate {
  readonly formula: TermId;
  readonly bound: Bound | undefined;
}

export class Refiner implements Refinement {
  readonly counts = { interpolations: 0, mined: 0 };
  private readonly shared: Shared;
  private readonly solvers: Solvers;
  private readonly vocabulary: Vocabulary;
  private readonly miner: Miner | undefined;

  constructor(shared: Shared, solvers: Solvers, vocabulary: Vocabulary, miner: Miner | undefined) {
    this.shared = shared;
    this.solvers = solvers;
    this.vocabulary = vocabulary;
    this.miner = miner;
  }

  /** The state with a cube that cannot be reached at the level. No step from the frame before leads to its values. */
  *refine(state: PredicateState, level: number): Work<PredicateState> {
    const { shared, solvers } = this;
    const { domain, circuit } = shared;
    const location = sourceOf(state.edge) as Location;
    const solver = solvers.fresh(location);
    const point = { labels: [], bits: circuit.bitsOf(location.places, state.values) };
    if (solvers.isLoop(location)) solver.encoding.require(solver.outsideRegion(location, point));
    const evaluator = evaluatorOf(domain.terms, state.values);
    const labels = domain.labelsOf(location, state.values);
    const question = new Question(solver, level - 1, solver.encoding.into({ labels, bits: [] }));
    const stages = this.stages(state, location, evaluator);
    const core = (yield* question.single(stages)) ?? (yield* question.core(stages));
    const found = yield* this.learn(state, location, question, core);
    return { ...state, cube: this.extended(state.cube, [...question.usedLabels(labels), ...found]) };
  }

  private extended(cube: Cube, literals: readonly number[]): Cube {
    return cubeOf(new Set([...cube.literals, ...literals]));
  }

  /** The literals of new predicates for a core. */
  private *learn(
    state: PredicateState,
    location: Location,
    question: Question,
    core: readonly Candidate[],
  ): Work<number[]> {
    const { domain } = this.shared;
    if (core.length === 0) return [];
    this.counts.interpolations++;
    const found: number[] = [];
    let formulas = core.map(c => c.formula);
    for (const { formula, bound } of core) {
      const others = formulas.filter(f => f !== formula);
      const moved =
        bound === undefined
          ? formula
          : yield* bound.movedTo(this.vocabulary.constants, l => question.isImpossibleWith([...others, l]));
      formulas = [...others, moved];
      const literal = domain.literal(location, moved);
      if (literal !== undefined) found.push(literal);
    }
    for (const formula of this.miner?.mined(location, state.values) ?? []) {
      if (domain.literal(location, formula) !== undefined) this.counts.mined++;
    }
    return found;
  }

  /** What can be said of a state, what is said of many states first; all of it suffices in any case. */
  private stages(state: PredicateState, location: Location, evaluator: Evaluator): Candidate[][] {
    const { terms } = this.shared.domain;
    const { terms: words, pairs } = this.vocabulary.of(location);
    const differences = pairs.map(([x, y]) => terms.app(Op.BVSUB, [x, y]));
    const bits = (count: number) => location.places.flatMap(p => bitsOf(terms, p, evaluator.value(p), count));
    return [
      this.relations(pairs, evaluator),
      this.pulledBack(state, location),
      // There are finitely many of these: they cannot lead on and on, as bounds can.
      bits(LOW_BITS),
      differences.flatMap(t => this.bounds(t, evaluator)),
      words.flatMap(t => this.bounds(t, evaluator)),
      bits(Number.POSITIVE_INFINITY),
    ];
  }

  /**
   * What the successor's labels say of the state before the step, if that speaks of nothing new: with terms that it brings
   * along, x + 1 and x + 2 and so on, there would be no end to it.
   */
  private pulledBack({ edge, target }: PredicateState, location: Location): Candidate[] {
    const { domain, circuit } = this.shared;
    const { terms } = domain;
    const known = new Set([...location.places, ...this.vocabulary.of(location).terms]);
    const isKnown = (t: TermId) => terms.sort(t) === terms.sorts.bool || terms.isConstant(t) || known.has(t);
    const own = new Set(location.places);
    return target.labels
      .map(l => circuit.before(edge, domain.formula(l)))
      .filter(f => f !== terms.true && isOver(terms, f, own) && terms.postorder([f]).every(isKnown))
      .map(formula => ({ formula, bound: undefined }));
  }

  private relations(pairs: readonly (readonly [TermId, TermId])[], evaluator: Evaluator): Candidate[] {
    const { terms } = this.shared.domain;
    return pairs
      .flatMap(([x, y]) => [terms.eq(x, y), ...this.vocabulary.orders(x, y), ...this.vocabulary.orders(y, x)])
      .map(f => ({ formula: evaluator.value(f) === true ? f : negated(terms, f), bound: undefined }));
  }

  private bounds(t: TermId, evaluator: Evaluator): Candidate[] {
    const { terms } = this.shared.domain;
    if (terms.width(t) <= 1) return [];
    const all = Bound.ofValue(terms, t, evaluator.value(t), this.vocabulary.comparesSigned);
    return all.map(bound => ({ formula: bound.literal, bound }));
  }
}

/** The lowest bits of a place. */
function bitsOf(terms: TermStore, place: TermId, value: Value, count: number): Candidate[] {
  if (typeof value === 'boolean') return [{ formula: value ? place : terms.not(place), bound: undefined }];
  const width = terms.width(place);
  return Array.from({ length: Math.min(count, width) }, (_, i) => {
    const bit = width === 1 ? place : terms.app(Op.EXTRACT, [place], [i, i]);
    const isSet = ((BigInt(value as number | bigint) >> BigInt(i)) & 1n) === 1n;
    const one = terms.eq(terms.bv(1, 1), bit);
    return { formula: isSet ? one : terms.not(one), bound: undefined };
  });
}

/** Can steps lead to where labels and candidates hold? */
class Question {
  private readonly solver: StepSolver;
  private readonly level: number;
  private readonly labels: readonly Lit[];
  private used: readonly boolean[] = []; // of the labels, by the last impossible question

  constructor(solver: StepSolver, level: number, labels: readonly Lit[]) {
    this.solver = solver;
    this.level = level;
    this.labels = labels;
  }

  /** The labels that a core needs. */
  usedLabels(labels: readonly number[]): number[] {
    return labels.filter((_, i) => this.used[i]);
  }

  /** The first candidate that is impossible with the labels, or none of them if the labels are by themselves. */
  *single(stages: readonly (readonly Candidate[])[]): Work<Candidate[] | undefined> {
    if (yield* this.isImpossible([])) return [];
    for (const stage of stages) {
      let open = this.withLiterals(stage);
      while (open.length > 0) {
        const [first] = open;
        if (yield* this.isImpossible([first.lit])) return [first.candidate];
        // What holds where a step leads is no obstacle either.
        open = open.filter(c => c !== first && !this.solver.encoding.isTrue(c.lit));
      }
    }
    return undefined;
  }

  /** As few candidates as suffice with the labels. What says least of other states is left out first. */
  *core(stages: readonly (readonly Candidate[])[]): Work<Candidate[]> {
    let all: { candidate: Candidate; lit: Lit }[] = [];
    for (const stage of stages) {
      all = [...all, ...this.withLiterals(stage)];
      if (!(yield* this.isImpossible(all.map(c => c.lit)))) continue;
      all = all.filter(c => this.solver.encoding.isUsed(c.lit));
      for (let i = all.length - 1; i >= 0; i = Math.min(i, all.length) - 1) {
        const without = all.filter((_, j) => j !== i);
        if (yield* this.isImpossible(without.map(c => c.lit)))
          all = without.filter(c => this.solver.encoding.isUsed(c.lit));
      }
      return all.map(c => c.candidate);
    }
    throw new Error('a state that cannot be reached is told apart by its bits');
  }

  /** With the labels of the core, and other formulas in the place of candidates. */
  *isImpossibleWith(formulas: readonly TermId[]): Work<boolean> {
    const { solver, used } = this;
    const labels = this.labels.filter((_, i) => used[i]);
    return !(yield* solver.ask(this.level, [
      ...labels,
      ...formulas.map(f => solver.encoding.literalAfter(f)),
    ]));
  }

  private withLiterals(candidates: readonly Candidate[]): { candidate: Candidate; lit: Lit }[] {
    return candidates.map(candidate => ({
      candidate,
      lit: this.solver.encoding.literalAfter(candidate.formula),
    }));
  }

  private *isImpossible(candidates: readonly Lit[]): Work<boolean> {
    const { solver, labels } = this;
    if (yield* solver.ask(this.level, [...labels, ...candidates])) return false;
    this.used = labels.map(l => solver.encoding.isUsed(l));
    return true;
  }
}
