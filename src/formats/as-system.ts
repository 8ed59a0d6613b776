/**
 * What a question asks as one transition system, for formats that are graphs: Horn clauses and programs. All locations become one, either at
 * once or after the passes that come before a search.
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
import { NotExpressible } from './not-expressible.ts';
import { type PropertyName, queriesOf } from './question.ts';

/** The problem without the queries of other properties. */
export function about(problem: Problem, properties: readonly PropertyName[]): Problem {
  const numbers = properties.flatMap(p => {
    const queries = queriesOf(p);
    return typeof queries === 'number' ? [queries] : [...queries];
  });
  return restrictedTo(problem, new Set(numbers));
}

/** As the passes leave it, for the engines that ask about one location at a time. */
export function preprocessed(
  problem: Problem,
  properties: readonly PropertyName[],
  checkpoint = new Checkpoint(),
): Problem {
  return preprocess(joined(problem, properties), 'sliced', checkpoint).all.problem;
}

/** Throws a NotExpressible where there is no such system. */
export function asSystem(
  problem: Problem,
  properties: readonly PropertyName[],
  isPreprocessed: boolean,
  checkpoint = new Checkpoint(),
): System {
  const asked = joined(problem, properties);
  if (!isLinear(asked))
    throw new NotExpressible('these clauses are no transition system: one has several relations in its body');
  try {
    const one = isPreprocessed
      ? preprocess(asked, 'functional', checkpoint).all.problem
      : flatten(asked, new Rewriter(asked.terms), checkpoint).problem;
    return flatSystem(new FlatView(one, new Rewriter(one.terms)), properties);
  } catch (error) {
    if (!(error instanceof Unknown) || error.reason !== 'unsupported') throw error;
    throw new NotExpressible(`this is no transition system: ${error.message}`);
  }
}

/** About these properties only; one with queries of several numbers has one in the end. */
function joined(problem: Problem, properties: readonly PropertyName[]): Problem {
  const asked = about(problem, properties);
  const isOne = properties.length === 1 && properties[0].queries !== undefined;
  return isOne ? joinQueries(asked, properties[0].index).problem : asked;
}
