/**
 * Writes what a question asks in any of the formats that there are writers for: as it was read, or as the passes leave it. Clauses and
 * programs are graphs, and stay graphs as Horn clauses; in the other formats they become one transition system.
 */
import { flatten } from '../core/passes/flatten.ts';
import { joinQueries } from '../core/passes/join-queries.ts';
import { preprocess } from '../core/passes/pipeline.ts';
import { flatSystem } from '../core/problem/flat-system.ts';
import { isLinear, type Problem, restrictedTo } from '../core/problem/problem.ts';
import type { System } from '../core/problem/system.ts';
import { FlatView } from '../core/problem/transition-system.ts';
import { Checkpoint } from '../sat/checkpoint.ts';
import { Unknown } from '../sat/unknown.ts';
import { Rewriter } from '../term/rewrite/rewriter.ts';
import { writeBtor2 } from './btor2/writer.ts';
import { writeClauses } from './horn/clauses-writer.ts';
import { writeHorn } from './horn/writer.ts';
import { NotExpressible } from './not-expressible.ts';
import { type PropertyName, type Question, queriesOf } from './question.ts';
import { selectProperties } from './select.ts';
import { writeSmt2Bmc } from './smt2-bmc/writer.ts';
import { DEFAULT_STEPS, type Target } from './targets.ts';
import { writeVmt } from './vmt/writer.ts';

export interface WriteOptions {
  readonly to: Target;
  /** How many steps an unrolling has. */
  readonly steps?: number | undefined;
  /** The number or the name of a property; all of them otherwise. */
  readonly property?: number | string | undefined;
  /** Is it what the passes leave that is written? */
  readonly isPreprocessed?: boolean;
  readonly checkpoint?: Checkpoint;
}

/** Throws a NotExpressible if the format has no words for it. */
export function written(question: Question, options: WriteOptions): string {
  const { to, steps = DEFAULT_STEPS, isPreprocessed = false, checkpoint = new Checkpoint() } = options;
  const isSystem = question.format === 'vmt' || question.format === 'btor2';
  const properties = selectProperties(question, options.property);
  if (to === 'chc' && !(isSystem && !isPreprocessed)) {
    const given = asked(question, properties);
    const left = isPreprocessed ? preprocess(joined(given), 'sliced', checkpoint).all.problem : given.problem;
    return writeClauses(left, edge => {
      const trap = question.traps?.get(edge);
      return trap === undefined
        ? undefined
        : `not supported, and an error here: ${trap.replace(/\s+/g, ' ')}`;
    });
  }
  const system =
    isSystem && !isPreprocessed
      ? withProperties(question.system(), properties)
      : flat(asked(question, properties), isPreprocessed, checkpoint);
  return writtenSystem(system, to, steps);
}

export function writtenSystem(system: System, to: Target, steps: number): string {
  switch (to) {
    case 'vmt':
      return writeVmt(system);
    case 'chc':
      return writeHorn(system);
    case 'btor2':
      return writeBtor2(system);
    case 'smt2-bmc':
      return writeSmt2Bmc(system, steps);
  }
}

interface Asked {
  readonly problem: Problem;
  readonly properties: readonly PropertyName[];
}

/** What is not a query of these properties is left out. */
function asked({ problem }: Question, properties: readonly PropertyName[]): Asked {
  const queries = new Set(
    properties.flatMap(p => {
      const own = queriesOf(p);
      return typeof own === 'number' ? [own] : [...own];
    }),
  );
  return { problem: restrictedTo(problem, queries), properties };
}

/** A property with queries of several numbers has one in the end. */
function joined({ problem, properties }: Asked): Problem {
  const isOne = properties.length === 1 && properties[0].queries !== undefined;
  return isOne ? joinQueries(problem, properties[0].index).problem : problem;
}

function withProperties(system: System, properties: readonly PropertyName[]): System {
  const wanted = new Set(properties.map(p => p.index));
  return { ...system, properties: system.properties.filter(p => wanted.has(p.index)) };
}

function flat(given: Asked, isPreprocessed: boolean, checkpoint: Checkpoint): System {
  const problem = joined(given);
  if (!isLinear(problem))
    throw new NotExpressible('these clauses are no transition system: one has several relations in its body');
  try {
    const one = isPreprocessed
      ? preprocess(problem, 'functional', checkpoint).all.problem
      : flatten(problem, new Rewriter(problem.terms), checkpoint).problem;
    return flatSystem(new FlatView(one, new Rewriter(one.terms)), given.properties);
  } catch (error) {
    if (!(error instanceof Unknown) || error.reason !== 'unsupported') throw error;
    throw new NotExpressible(`this is no transition system: ${error.message}`);
  }
}
