/** The views of a problem that engines share, each made when it is first asked for. */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import { Unknown } from '../../sat/unknown.ts';
import { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { Evidence, FlatViews, Views } from '../engines/engine.ts';
import { narrowWidths } from '../passes/facts/narrow-widths.ts';
import { flatten } from '../passes/flatten.ts';
import type { Back, Pass } from '../passes/pass.ts';
import type { Problem } from '../problem/problem.ts';
import { FlatView } from '../problem/transition-system.ts';

/** What a pass carries back, whichever kind it is. */
export function carriedBack(back: Back, evidence: Evidence): Evidence {
  return evidence.kind === 'safe'
    ? { kind: 'safe', proof: back.proof(evidence.proof) }
    : { kind: 'unsafe', derivation: back.derivation(evidence.derivation) };
}

/**
 * `early`: what makes an earlier problem whose steps are the user's, if there is one. `hasWidths`: places may be as narrow as
 * intervals say.
 */
export function viewsOf(
  problem: Problem,
  early: Pass | undefined,
  checkpoint: Checkpoint,
  hasWidths = false,
): Views {
  let flat: { readonly pass: Pass; readonly view: FlatView } | Unknown | undefined;
  const flattened = () => {
    flat ??= flatViewOf(problem, checkpoint);
    if (flat instanceof Unknown) throw flat;
    return flat;
  };
  const flatViews: FlatViews = {
    get flat() {
      return flattened().view;
    },
    fromFlat: evidence => ({ about: problem, ...carriedBack(flattened().pass.back, evidence) }),
  };
  let narrow: FlatViews | undefined;
  return {
    problem,
    get flat() {
      return flatViews.flat;
    },
    fromFlat: flatViews.fromFlat,
    get narrow() {
      narrow ??= (hasWidths ? narrowViewsOf(problem, checkpoint) : undefined) ?? flatViews;
      return narrow;
    },
    early: early && {
      views: viewsOf(early.problem, undefined, checkpoint),
      joinsStates: early.back.joinsStates === true,
    },
  };
}

/** Undefined if all places are as narrow as they can be. */
function narrowViewsOf(problem: Problem, checkpoint: Checkpoint): FlatViews | undefined {
  const pass = narrowWidths(problem, new Rewriter(problem.terms), checkpoint);
  if (pass.problem === problem) return undefined;
  const views = viewsOf(pass.problem, undefined, checkpoint);
  return {
    get flat() {
      return views.flat;
    },
    fromFlat: evidence => ({ about: problem, ...carriedBack(pass.back, views.fromFlat(evidence)) }),
  };
}

/** Or why there is none. */
function flatViewOf(problem: Problem, checkpoint: Checkpoint): { pass: Pass; view: FlatView } | Unknown {
  try {
    const rewriter = new Rewriter(problem.terms);
    const pass = flatten(problem, rewriter, checkpoint);
    return { pass, view: new FlatView(pass.problem, rewriter) };
  } catch (error) {
    if (!(error instanceof Unknown) || error.reason !== 'unsupported') throw error;
    return error;
  }
}
