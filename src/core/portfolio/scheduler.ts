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

interface Runner {
  readonly row: Row;
  readonly rate: number;
  engine: Engine | undefined; // once it has had a turn
  limit: number; // of its effort
  out: GivenUp | undefined;
}

export class Scheduler {
  private readonly views: Views;
  private readonly env: Env;
  private readonly runners: readonly Runner[];
  private atWork: Runner | undefined;

  /** Rows of the table, in the order in which ties are broken. */
  constructor(rows: readonly Row[], views: Views, env: Env) {
    this.views = views;
    this.env = env;
    const shape = unlessUnsupported(() => shapeOf(views)) ?? 'words';
    this.runners = rows.map(row => ({
      row,
      rate: row.rate[shape instanceof Unknown ? 'words' : shape],
      engine: undefined,
      limit: Number.POSITIVE_INFINITY,
      out: obstacleOf(row, views, env),
    }));
    this.limitOthers();
  }

  *run(): Work<Finding | GivenUp> {
    const { env, views } = this;
    for (let runner = this.next(); runner !== undefined; ) {
      const { kind, portion } = runner.row;
      this.atWork = runner;
      const engine = (runner.engine ??= kind.start(views, env));
      const outcome = env.profile.measure(kind.name, () => engine.run(portion));
      if (outcome.kind === 'safe' || outcome.kind === 'unsafe') return outcome;
      if (outcome.kind === 'waiting') yield 'load';
      if (outcome.kind === 'unknown') {
        if (isFinal(outcome.reason)) return outcome;
        this.drop(runner, outcome);
      } else if (engine.spent >= runner.limit) this.drop(runner, givenUp('incomplete', 'it found nothing'));
      const reason = exceededLimit(env.budget);
      if (reason !== undefined) return givenUp(reason);
      yield 'turn';
      if (outcome.kind !== 'finishing') runner = this.next();
    }
    return this.allOut();
  }

  /** Who is at work, and how far it is. */
  get current(): Pick<Share, 'name' | 'stats'> | undefined {
    const { atWork } = this;
    return atWork === undefined
      ? undefined
      : { name: atWork.row.kind.name, stats: atWork.engine?.stats ?? {} };
  }

  /** What each of them has done. */
  get shares(): Share[] {
    return this.runners.map(({ row, engine, out }) => ({
      name: row.kind.name,
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
      out === undefined ? [] : [{ ...out, name: row.kind.name }],
    );
    const first = outs.find(o => o.reason !== 'unsupported') ?? outs[0];
    if (first === undefined) return givenUp('unsupported', 'there is no engine to ask');
    const { name, reason, text } = first;
    return givenUp(reason, `${name}: ${text}`);
  }
}

function givenUp(reason: GivenUp['reason'], text = new Unknown(reason).message): GivenUp {
  return { kind: 'unknown', reason, text };
}

function obstacleOf({ kind }: Row, views: Views, env: Env): GivenUp | undefined {
  const obstacle = unlessUnsupported(() => kind.obstacle(views, env));
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
