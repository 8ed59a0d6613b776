/**
 * Conjectures and refutations: what holds of all states that executions come to, within a fixed shape, is conjectured to hold of everything
 * derivable; conjectures that steps refute are dropped, until the rest is inductive. If that excludes all violations, it is an
 * invariant; if not, others may go on from it. Facts about elements, `p < i ⇒ a = b`, and equations between counters have
 * that shape, and hundreds of them are found at once where a search would come upon one after the other.
 *
 *   samples.ts   states that executions come to     guesses.ts   formulas that are true of all of them
 *   columns.ts   what is spoken of                  houdini.ts   those that are inductive together
 */
import { conjunctsOf } from '../../../bv/preprocess/conjuncts.ts';
import { Unknown } from '../../../sat/unknown.ts';
import type { Work } from '../../../sat/work.ts';
import { Op } from '../../../term/operators.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { TermId } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { frozenPlaces } from '../../problem/frozen-places.ts';
import { negated } from '../../problem/literals.ts';
import {
  conditionsOf,
  isLinear,
  isOver,
  isQuery,
  type Location,
  type Problem,
  sourceOf,
} from '../../problem/problem.ts';
import { bitObstacle, Circuit } from '../bit-steps/circuit.ts';
import type { Conjuncts } from '../bit-steps/inward.ts';
import { Effort, Portions } from '../effort.ts';
import type { Engine, EngineKind, Env, Outcome, Views } from '../engine.ts';
import type { ProvedClause } from '../proved.ts';
import { Columns, type Goal, type Order, type Setting } from './columns.ts';
import { Guesses } from './guesses.ts';
import { Houdini } from './houdini.ts';
import { Samples } from './samples.ts';

export const CONJECTURES: EngineKind = {
  name: 'conjectures',
  help: 'what holds of all that executions come to, if it is inductive',
  proves: true,
  refutes: false,
  obstacle: ({ problem }) =>
    isLinear(problem) ? bitObstacle(problem) : 'it takes no edges with several sources (non-linear clauses)',
  start: (views, env) => new ConjectureEngine(views, env),
};

/** Of one location, and of all of them. */
const MOST = 1500;
const MOST_IN_ALL = 12_000;

/** Pairs of words that are compared in a sample; and so many count as one propagation. */
const PAIRS_A_PROPAGATION = 20;

/** What has taken so many propagations is given up: nearly all proofs take a tenth of that. */
const MOST_EFFORT = 30_000_000;

/** The first is about what most proofs are made of, and in the third what was refuted is conjectured on one side of a split. */
const ROUNDS = 3;

export class ConjectureEngine implements Engine {
  private readonly problem: Problem;
  private readonly env: Env;
  private readonly effort: Effort;
  private readonly portions: Portions;
  private readonly samples: Samples;
  private readonly counts = { questions: 0, solvers: 0 };
  private readonly told: ProvedClause[] = [];
  private readonly known = new Map<Location, Set<TermId>>(); // what others have been told
  private guessed = 0;
  private held = 0;

  constructor({ problem }: Views, env: Env) {
    this.problem = problem;
    this.env = env;
    this.effort = new Effort(env.budget);
    this.samples = new Samples(problem, env.options.seed);
    env.proved?.offer(problem, from => this.told.slice(from));
    this.portions = new Portions(this.effort, this.search());
  }

  run(effort: number): Outcome {
    if (this.effort.spent > MOST_EFFORT)
      return {
        kind: 'unknown',
        reason: 'incomplete',
        text: 'too much is conjectured, or it is too hard to refute',
      };
    return this.portions.run(effort);
  }

  get spent(): number {
    return this.effort.spent;
  }

  get stats(): Readonly<Record<string, number>> {
    const { samples, guessed, held, counts } = this;
    return { states: samples.counts.met, guessed, held, ...counts };
  }

  private *search(): Work<Outcome> {
    const { problem, env, effort, samples } = this;
    const { terms } = problem;
    if ((yield* samples.gather(effort)) === 'violation')
      throw new Unknown('incomplete', 'there is a violation, which others may find');
    const rewriter = new Rewriter(terms);
    const shared = {
      circuit: new Circuit(rewriter, () => effort.checkpoint()),
      effort,
      profile: env.profile,
      seed: env.options.seed,
      counts: this.counts,
    };
    const guesses = yield* this.guesses(rewriter);
    const first = new Map([...guesses].map(([l, g]) => [l, g?.first() ?? [terms.false]]));
    const houdini = new Houdini(problem, first, shared);
    for (let round = 1; ; round++) {
      yield* houdini.refute();
      this.tell(houdini.conjectures);
      this.guessed = sizeOf(houdini.conjectures) + sizeOf(houdini.refuted);
      this.held = sizeOf(houdini.conjectures);
      const sufficient = yield* houdini.sufficient();
      if (sufficient !== undefined) {
        const model = new Map(problem.locations.map(l => [l, terms.and(sufficient.get(l) ?? [])]));
        return { about: problem, kind: 'safe', proof: { model, lemmas: new Map(), k: 0 } };
      }
      if (round === ROUNDS)
        throw new Unknown('incomplete', 'what was conjectured and holds does not exclude all violations');
      for (const [l, g] of guesses)
        houdini.add(l, (round === 1 ? g?.all() : g?.instead(houdini.refuted.get(l) ?? new Set())) ?? []);
    }
  }

  /** Others may go on from what is left: from what holds without conditions, and of the rest there are hundreds. */
  private tell(conjectures: Conjuncts): void {
    const { terms } = this.problem;
    for (const [location, formulas] of conjectures) {
      const known = this.known.get(location);
      this.known.set(location, new Set(formulas));
      for (const f of formulas) {
        if (known?.has(f)) continue;
        const isSupport = terms.op(f) === Op.OR;
        const parts = isSupport ? terms.args(f) : [f];
        this.told.push({ location, cube: parts.map(p => negated(terms, p)), isSupport });
      }
    }
  }

  /** What is guessed of each location; nothing of one that nobody got to: that it is empty. */
  private *guesses(rewriter: Rewriter): Work<Map<Location, Guesses | undefined>> {
    const { problem, samples, effort } = this;
    const { terms, locations, edges } = problem;
    const all = terms.postorder(edges.flatMap(e => [...conditionsOf(e), ...e.values]));
    const ops = new Set(all.map(t => terms.op(t)));
    const orders: Order[] = [Op.BVULT, Op.BVSLT].filter((o): o is Order => ops.has(o));
    const frozen = frozenPlaces(problem);
    const setting: Setting = {
      terms,
      rewriter,
      table: new EdgeTable(edges),
      frozen,
      orders: orders.length === 0 ? [Op.BVULT] : orders,
      goals: goalsOf(problem, rewriter, frozen),
    };
    const constants = constantsOf(problem, all);
    const found = new Map<Location, Guesses | undefined>();
    for (const location of locations) {
      effort.checkpoint();
      if (effort.left <= 0) yield 'turn';
      const own = samples.at(location);
      if (own.length === 0) {
        found.set(location, undefined);
        continue;
      }
      const columns = new Columns(setting, location, own);
      effort.spend((columns.words.length ** 2 * own.length) / PAIRS_A_PROPAGATION);
      const most = Math.min(MOST, Math.ceil(MOST_IN_ALL / locations.length));
      found.set(location, new Guesses(setting, columns, own.length, constants, most));
    }
    return found;
  }
}

function sizeOf(formulas: ReadonlyMap<Location, Iterable<TermId>>): number {
  return [...formulas.values()].reduce((sum, own) => sum + [...own].length, 0);
}

/** Of each query, that one of its conditions fails which speak of nothing but places that change. */
function goalsOf(
  { terms, edges }: Problem,
  rewriter: Rewriter,
  frozen: ReadonlyMap<Location, ReadonlySet<TermId>>,
): Goal[] {
  return edges.flatMap(edge => {
    const source = sourceOf(edge);
    if (!isQuery(edge.head) || source === undefined) return [];
    const own = new Set(source.places.filter(p => frozen.get(source)?.has(p) !== true));
    const conditions = conjunctsOf(rewriter, [rewriter.rewrite(edge.guard)]).filter(f =>
      isOver(terms, f, own),
    );
    if (conditions.length === 0) return [];
    const formula = terms.or(conditions.map(f => negated(terms, f)));
    return [{ formula, places: terms.postorder([formula]).filter(t => terms.isVariable(t)) }];
  });
}

/** The constants of each width, their neighbours, and the ends of its orders. */
function constantsOf({ terms }: Problem, all: readonly TermId[]): Map<number, readonly bigint[]> {
  const found = new Map<number, Set<bigint>>();
  for (const t of all) {
    const width = terms.width(t);
    if (width <= 1) continue;
    let own = found.get(width);
    if (own === undefined) {
      const half = 1n << BigInt(width - 1);
      found.set(width, (own = new Set([0n, 1n, half - 1n, half, 2n * half - 1n])));
    }
    if (terms.op(t) !== Op.BV_CONST) continue;
    const value = BigInt(terms.bvValue(t));
    for (const n of [value - 1n, value, value + 1n]) own.add(BigInt.asUintN(width, n));
  }
  return new Map([...found].map(([width, own]) => [width, [...own]]));
}
