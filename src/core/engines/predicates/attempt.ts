/**
 * One search over predicates, from the first predicates to an answer: the domain, the frames, and what asks and refines. It
 * goes on until it has an answer, however long that takes; whoever has no more patience lets go of it.
 */
import type { Work } from '../../../sat/work.ts';
import { Rewriter } from '../../../term/rewrite/rewriter.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Model } from '../../problem/proof.ts';
import { Circuit } from '../bit-steps/circuit.ts';
import { InwardSteps } from '../bit-steps/inward.ts';
import { type Bounds, sufficient } from '../bit-steps/sufficient.ts';
import type { Effort } from '../effort.ts';
import type { Env, Evidence } from '../engine.ts';
import { Frames } from '../ic3/frames.ts';
import { type Cube, cubeOf, subsumes } from '../ic3/literal-cube.ts';
import { Search } from '../ic3/search.ts';
import type { Listener } from '../proved.ts';
import { Cubes, Domain } from './domain.ts';
import type { Shared } from './encoding.ts';
import { clausesOf, derivationOf } from './evidence.ts';
import { Lifter } from './lift.ts';
import { Miner } from './mining.ts';
import { PredicateQueries, type PredicateState } from './queries.ts';
import { Refiner } from './refiner.ts';
import { Solvers } from './solvers.ts';
import { Vocabulary } from './vocabulary.ts';
import { Chains } from './weaker.ts';

/** Counterexamples to generalisation that may be blocked for one literal. */
const COUNTEREXAMPLES = 3;

/** Propagations for a question about what is needed of a proof. */
const BOUNDS: Bounds = { single: 50_000, all: 500_000 };

const OPTIONS = {
  dropLiterals: true,
  pushFurther: false,
  requeueBlocked: false,
  looksAhead: true,
  pushCores: false,
};

export class Attempt {
  private readonly problem: Problem;
  private readonly env: Env;
  private readonly domain: Domain;
  private readonly frames = new Frames<Cube>(subsumes);
  private readonly shared: Shared;
  private readonly queries: PredicateQueries;
  private readonly refiner: Refiner;
  private readonly search: Search<Cube, number, PredicateState>;
  private weakened = 0; // times that a literal was replaced by a weaker one, and tried
  private fixpoint: readonly Cube[] = [];
  private readonly told: Listener | undefined;

  /** `isLazy`: a spurious step waits until a run needs it. */
  constructor(problem: Problem, env: Env, effort: Effort, isLazy: boolean) {
    const { options } = env;
    this.problem = problem;
    this.env = env;
    this.told = env.proved?.listener(problem);
    const rewriter = new Rewriter(problem.terms);
    this.domain = new Domain(rewriter, problem.locations);
    const { domain, frames } = this;
    this.shared = {
      circuit: new Circuit(rewriter, () => effort.checkpoint()),
      domain,
      effort,
      profile: env.profile,
      seed: options.seed,
      counts: { questions: 0, solvers: 0 },
    };
    const { shared } = this;
    const solvers = new Solvers(problem, frames, shared);
    const vocabulary = new Vocabulary(problem);
    for (const l of problem.locations) for (const f of vocabulary.initial(l)) domain.literal(l, f);
    const miner = options.mining ? new Miner(problem.terms) : undefined;
    this.refiner = new Refiner(shared, solvers, vocabulary, miner);
    this.queries = new PredicateQueries(shared, solvers, new Lifter(shared), this.refiner, isLazy);
    const chains = new Chains(domain);
    const cubes = new Cubes(options.geometric ? l => this.weaker(chains, l) : undefined);
    const counterexamples = options.ctg ? COUNTEREXAMPLES : 0;
    const unreachable = () => this.unreachable();
    this.search = new Search(this.queries, frames, cubes, { ...OPTIONS, counterexamples, unreachable });
  }

  /** The thesis' nine, but for the share of time that questions take, which the profile knows; and a few more. */
  get stats(): Readonly<Record<string, number>> {
    const { frames, queries, refiner, shared, fixpoint } = this;
    const literals = fixpoint.reduce((sum, c) => sum + c.literals.length - 1, 0);
    return {
      depth: frames.depth,
      cubes: frames.added,
      predicates: this.domain.predicates.length,
      interpolations: refiner.counts.interpolations,
      mined: refiner.counts.mined,
      abstractions: queries.counts.abstractions,
      obligationDepth: queries.counts.deepest,
      literalsPerClause: fixpoint.length === 0 ? 0 : literals / fixpoint.length,
      weakerLiterals: this.weakened,
      questions: shared.counts.questions,
      solvers: shared.counts.solvers,
    };
  }

  *run(): Work<Evidence> {
    const { profile } = this.env;
    for (;;) {
      const result = yield* profile.during('search', this.search.run());
      if (result.kind === 'fixpoint') {
        this.fixpoint = this.frames.excluded(result.level);
        const model = yield* profile.during('search', this.model());
        return { kind: 'safe', proof: { model, lemmas: new Map(), k: 0 } };
      }
      const leap = result.path.findIndex(s => s.leap !== undefined);
      if (leap < 0) return { kind: 'unsafe', derivation: derivationOf(this.domain, result.path) };
      yield* profile.during('refinement', this.refine(result.path, leap));
    }
  }

  /** What is needed of what the fixpoint excludes and others have proved; all of it if that takes too long to find out. */
  private *model(): Work<Model> {
    const { domain, problem, shared } = this;
    const clauses = clausesOf(domain, this.fixpoint, this.told?.heard ?? []);
    const needed = (yield* sufficient(new InwardSteps(problem, shared), clauses, BOUNDS)) ?? clauses;
    return new Map([...needed].map(([l, own]) => [l, domain.terms.and([...own])]));
  }

  /** What other engines have proved since the last time, in literals of this one; atoms that are new become predicates. */
  private unreachable(): Cube[] {
    const { domain } = this;
    return (this.told?.news() ?? []).flatMap(({ location, cube, isSupport }) => {
      if (isSupport) return [];
      const literals = cube.map(f => domain.literal(location, f));
      return literals.includes(undefined) ? [] : [cubeOf([domain.at(location), ...(literals as number[])])];
    });
  }

  private weaker(chains: Chains, literal: number): number | undefined {
    const next = chains.weaker(literal);
    if (next !== undefined) this.weakened++;
    return next;
  }

  /** A run has a spurious step: what it leads to is told apart, and excluded as far as it could not be reached. */
  private *refine(path: readonly PredicateState[], at: number): Work<void> {
    const level = path[at].leap as number;
    const { cube } = yield* this.refiner.refine(path[at + 1], level);
    this.queries.exclude(cube, this.frames.add(cube, level));
  }
}
