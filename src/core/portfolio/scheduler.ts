/**
 * Lets engines take turns until one of them has found something. It reads the table and knows no engine by name: the engine
 * that is furthest behind in virtual time has the next turn. An engine that has given up is out; when all have, their
 * reasons are the answer.
 */
import { exceededLimit } from '../../sat/budget.ts';
import { isFinal, Unknown } from '../../sat/unknown.ts';
import type { Work } from '../../sat/work.ts';
import type { Engine, Env, Finding, GivenUp, Views } from '../engines/engine.ts';
import type { Share } from './share.ts';
import { LAST_RESORT, type Row, shapeOf } from './table.ts';
import { NO_VARIANTS, type VariantViews } from './variants.ts';

interface Runner {
  readonly row: Row;
  readonly rate: number;
  engine: Engine | undefined; // once it has had a turn
  limit: number; // of its effort
  out: GivenUp | undefined;
}

export class Scheduler {
  private readonly views: Views;
  private readonly variants: VariantViews;
  private readonly env: Env;
  private readonly runners: readonly Runner[];
  private atWork: Runner | undefined;

  /** Rows of the table, in the order in which ties are broken; those about a variant that is not there are left out. */
  constructor(rows: readonly Row[], views: Views, env: Env, variants = NO_VARIANTS) {
    this.views = views;
    this.variants = variants;
    this.env = env;
    const shape = unlessUnsupported(() => shapeOf(views)) ?? 'words';
    this.runners = rows
      .filter(({ variant }) => variant === undefined || variants.has(variant))
      .map(row => ({
        row,
        rate: row.rate[shape instanceof Unknown ? 'words' : shape],
        engine: undefined,
        limit: Number.POSITIVE_INFINITY,
        // A variant is not made before its first turn, so nothing is known of what is in the way there.
        out: row.variant === undefined ? obstacleOf(row, () => views, env) : undefined,
      }));
    this.limitOthers();
  }

  *run(): Work<Finding | GivenUp> {
    const { env } = this;
    for (let runner = this.next(); runner !== undefined; ) {
      const { kind, portion } = runner.row;
      this.atWork = runner;
      const engine = this.started(runner);
      if (engine === undefined) {
        runner = this.next();
        continue;
      }
      const outcome = env.profile.measure(kind.name, () => engine.run(portion));
      if (outcome.kind === 'executed') return outcome;
      if (outcome.kind === 'safe' || outcome.kind === 'unsafe') {
        const serves = runner.row.variant?.serves ?? outcome.kind;
        if (serves === outcome.kind) return outcome;
        this.drop(
          runner,
          givenUp('incomplete', `what is ${outcome.kind} here need not be so as it was written`),
        );
      }
      if (outcome.kind === 'waiting') yield 'load';
      if (outcome.kind === 'unknown') {
        if (isFinal(outcome.reason)) return outcome;
        this.drop(runner, outcome);
      } else if (engine.spent >= runner.limit) this.drop(runner, givenUp('incomplete', 'it found nothing'));
      const reason = exceededLimit(env.budget);
      if (reason !== undefined) return givenUp(reason);
      yield 'turn';
      if (outcome.kind !== 'finishing' || runner.out !== undefined) runner = this.next();
    }
    return this.allOut();
  }

  /** Who is at work, and how far it is. */
  get current(): Pick<Share, 'name' | 'stats'> | undefined {
    const { atWork } = this;
    return atWork === undefined ? undefined : { name: nameOf(atWork.row), stats: atWork.engine?.stats ?? {} };
  }

  /** What each of them has done. */
  get shares(): Share[] {
    return this.runners.map(({ row, engine, out }) => ({
      name: nameOf(row),
      spent: engine?.spent ?? 0,
      stats: engine?.stats ?? {},
      obstacle: out?.text,
    }));
  }

  /** The engines that have had a turn. */
  get engines(): Engine[] {
    return this.runners.flatMap(r => r.engine ?? []);
  }

  private next(): Runner | undefined {
    let first: Runner | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const runner of this.runners) {
      const { row, rate, engine, out } = runner;
      const due = row.start + ((engine?.spent ?? 0) + row.portion) / rate;
      if (out === undefined && due < earliest) [first, earliest] = [runner, due];
    }
    return first;
  }

  /** Its engine; none, and it is out, if the variant that it is about turns out to be nothing for it. */
  private started(runner: Runner): Engine | undefined {
    const { env, variants } = this;
    const { row } = runner;
    if (runner.engine !== undefined) return runner.engine;
    const { variant } = row;
    const views = () => (variant === undefined ? this.views : variants.views(variant));
    const obstacle =
      variant === undefined
        ? undefined
        : env.profile.measure('preparation', () => obstacleOf(row, views, env));
    if (obstacle !== undefined) this.drop(runner, obstacle);
    else runner.engine = row.kind.start(views(), env);
    return runner.engine;
  }

  private drop(runner: Runner, why: GivenUp): void {
    runner.out = why;
    if (runner.row.kind.proves) this.limitOthers();
  }

  /** Where there were engines that can prove something, and none is left, the others have their last resort. */
  private limitOthers(): void {
    const provers = this.runners.filter(r => r.row.kind.proves);
    if (provers.length === 0 || provers.some(r => r.out === undefined)) return;
    for (const r of this.runners) r.limit = (r.engine?.spent ?? 0) + LAST_RESORT;
  }

  /** The first of the table that had taken the problem says why there is no answer. */
  private allOut(): GivenUp {
    const outs = this.runners.flatMap(({ row, out }) =>
      out === undefined ? [] : [{ ...out, name: nameOf(row) }],
    );
    const first = outs.find(o => o.reason !== 'unsupported') ?? outs[0];
    if (first === undefined) return givenUp('unsupported', 'there is no engine to ask');
    const { name, reason, text } = first;
    return givenUp(reason, `${name}: ${text}`);
  }
}

/** What the engine of a row is called: on a variant, by the name of that, too. */
function nameOf({ kind, variant }: Row): string {
  return variant === undefined ? kind.name : `${kind.name} (${variant.name})`;
}

function givenUp(reason: GivenUp['reason'], text = new Unknown(reason).message): GivenUp {
  return { kind: 'unknown', reason, text };
}

function obstacleOf({ kind }: Row, views: () => Views, env: Env): GivenUp | undefined {
  const obstacle = unlessUnsupported(() => kind.obstacle(views(), env));
  if (obstacle === undefined) return undefined;
  return givenUp('unsupported', obstacle instanceof Unknown ? obstacle.message : obstacle);
}

/** The result, or why it is not to be had. */
function unlessUnsupported<T>(ask: () => T): T | Unknown {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof Unknown) || error.reason !== 'unsupported') throw error;
    return error;
  }
}
