/**
 * Two back ends in turn: the light one answers what is easy, and a question that costs it more than a given
 * number of conflicts goes to the heavy one, as do all questions after it. The light one is at hand at once and
 * fast on small questions; the heavy one must be loaded and filled first, and pays off on hard ones
 * (docs/performance.md has the measurements). Loading is asynchronous, solving is not: a question that needs
 * a heavy back end which is not loaded is left open, with the reason `load`.
 */
import type { Budget } from '../sat/budget.ts';
import { IntStack } from '../sat/int-stack.ts';
import type { Lit } from '../sat/literals.ts';
import type { Result } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';
import type { BackEndFactory, BackEndModule, SatBackEnd } from './back-end.ts';
import { OwnEngine } from './own-engine.ts';

/** What the light back end may spend on a question; on large problems few conflicts can take long. */
const LIGHT_CONFLICTS = 2000;
const LIGHT_PROPAGATIONS = 3_000_000;

const END = -1; // of a clause

/** The heavy back end, which solvers share: loaded when first needed, and anew when it has grown large. */
export class HeavyBackEnd {
  private readonly loader: () => Promise<BackEndModule>;
  private readonly warn: (message: string) => void;
  private module: BackEndModule | undefined;
  private hasFailed = false;

  /** `warn` hears of a failure to load; the light back end then does all the work. */
  constructor(loader: () => Promise<BackEndModule>, warn: (message: string) => void) {
    this.loader = loader;
    this.warn = warn;
  }

  async load(): Promise<void> {
    if (this.module !== undefined || this.hasFailed) return;
    try {
      this.module = await this.loader();
    } catch (error) {
      this.hasFailed = true;
      this.warn(
        `the WebAssembly SAT solver cannot be loaded (${(error as Error).message}): going on without`,
      );
    }
  }

  /** Asks, and asks once more if the answer is only waiting for the heavy back end to be loaded. */
  async afterLoading<T>(
    ask: () => T,
    isWaiting: (answer: T) => boolean,
    load: () => Promise<void> = () => this.load(),
  ): Promise<T> {
    const answer = ask();
    if (!isWaiting(answer)) return answer;
    await load();
    return ask();
  }

  /** Makes solvers' back ends. */
  readonly backEnd: BackEndFactory = () => new TieredBackEnd(this);

  /** A new heavy back end, `load` if it must be loaded first, or nothing if there is none to be had. */
  make(): SatBackEnd | 'load' | undefined {
    if (this.hasFailed) return undefined;
    if (this.module?.isWorn) this.module = undefined;
    return this.module === undefined ? 'load' : this.module.make();
  }
}

class TieredBackEnd implements SatBackEnd {
  unknownReason: UnknownReason | undefined;
  private light: OwnEngine | undefined = new OwnEngine(); // until the move; it holds all clauses
  private current: SatBackEnd = this.light as OwnEngine;
  private readonly heavy: HeavyBackEnd;
  // What the light back end had done when the present question was first asked: questions may be continued.
  private asked: { readonly conflicts: number; readonly propagations: number } | undefined;
  private varCount = 0;
  private readonly clauses = new IntStack(); // all clauses so far, for the move

  constructor(heavy: HeavyBackEnd) {
    this.heavy = heavy;
  }

  newVar(): number {
    this.varCount++;
    return this.current.newVar();
  }

  addClause(lits: readonly Lit[]): void {
    this.current.addClause(lits);
    if (this.light === undefined) return;
    for (const lit of lits) this.clauses.push(lit);
    this.clauses.push(END);
  }

  solve(assumptions: readonly Lit[], budget?: Budget): Result {
    const { light } = this;
    const result = light === undefined ? undefined : this.solveLight(light, assumptions, budget);
    if (result !== undefined) return result;
    return this.ask(assumptions, budget);
  }

  /** What the light back end can say; undefined if the question is now for the current one, without a limit. */
  private solveLight(
    light: OwnEngine,
    assumptions: readonly Lit[],
    budget: Budget | undefined,
  ): Result | undefined {
    const { conflicts, propagations } = (this.asked ??= light.work);
    const limits = {
      conflicts: conflicts + LIGHT_CONFLICTS - light.work.conflicts,
      propagations: propagations + LIGHT_PROPAGATIONS - light.work.propagations,
    };
    const result = this.ask(assumptions, {
      ...budget,
      conflicts: Math.min(budget?.conflicts ?? Number.POSITIVE_INFINITY, limits.conflicts),
      propagations: Math.min(budget?.propagations ?? Number.POSITIVE_INFINITY, limits.propagations),
    });
    const isTooHard =
      (this.unknownReason === 'conflicts' && limits.conflicts <= (budget?.conflicts ?? limits.conflicts)) ||
      (this.unknownReason === 'propagations' &&
        limits.propagations <= (budget?.propagations ?? limits.propagations));
    if (result !== 'unknown') this.asked = undefined;
    if (result !== 'unknown' || !isTooHard) return result;
    const heavy = this.heavy.make();
    if (heavy === 'load') {
      this.unknownReason = 'load';
      return 'unknown';
    }
    if (heavy !== undefined) this.moveTo(heavy);
    return undefined;
  }

  private ask(assumptions: readonly Lit[], budget: Budget | undefined): Result {
    const result = this.current.solve(assumptions, budget);
    this.unknownReason = this.current.unknownReason;
    return result;
  }

  private moveTo(heavy: SatBackEnd): void {
    for (let v = 0; v < this.varCount; v++) heavy.newVar();
    const { data, size } = this.clauses;
    const clause: Lit[] = [];
    for (let i = 0; i < size; i++) {
      if (data[i] !== END) {
        clause.push(data[i] as Lit);
        continue;
      }
      heavy.addClause(clause);
      clause.length = 0;
    }
    this.current.dispose();
    this.current = heavy;
    this.light = undefined;
    this.clauses.release();
  }

  value(lit: Lit): boolean {
    return this.current.value(lit);
  }

  isFailed(lit: Lit): boolean {
    return this.current.isFailed(lit);
  }

  dispose(): void {
    this.current.dispose();
  }
}
