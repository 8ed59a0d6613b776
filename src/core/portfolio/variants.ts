/**
 * Variants of a problem: other problems that ask the same question, in which an engine may see what it does not see in the
 * problem as it is. A variant is made of the problem as it was given, before all other passes, so that its way back is the last
 * one and no other pass needs to know of it, or of what the passes have made of it; then it is prepared as the problem is. Rows
 * of the portfolio's table name the variant on which they run. Whether there is a variant at all is decided at once; it is
 * prepared when its first turn has come.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { Evidence, Views } from '../engines/engine.ts';
import type { EngineOptions } from '../env/options.ts';
import { composed, type Pass } from '../passes/pass.ts';
import { type Encoding, preprocess } from '../passes/pipeline.ts';
import type { Problem } from '../problem/problem.ts';
import { viewsOf } from './views.ts';

export interface VariantKind {
  /** It goes with the names of the engines that run on it. */
  readonly name: string;
  /** What evidence has a way back; both kinds if that is not said. Other findings only mean that there is nothing more to find. */
  readonly serves?: Evidence['kind'];
  /** What makes the variant of a problem; undefined where it has nothing to offer. */
  readonly make: (given: Given, checkpoint: Checkpoint) => Pass | undefined;
  /** What prepares it, if it is not prepared as the problem is. */
  readonly prepare?: (problem: Problem, checkpoint: Checkpoint) => Pass;
  /** What else is done to it when it is as small as it gets. */
  readonly last?: (problem: Problem, checkpoint: Checkpoint) => Pass;
}

/** What a variant is made of. */
export interface Given {
  readonly problem: Problem;
  /** What passes have made of it, before they add to it what it does not say itself. */
  readonly settled: Pass;
  /** What engines are given of it. */
  readonly plain: Problem;
  readonly options: EngineOptions;
}

/** What a scheduler asks for; those of a row without a variant are there from the beginning. */
export interface VariantViews {
  /** Is there such a variant of this problem? */
  readonly has: (kind: VariantKind) => boolean;
  /** Its views, made when first asked for. */
  readonly views: (kind: VariantKind) => Views;
}

export const NO_VARIANTS: VariantViews = {
  has: () => false,
  views: kind => {
    throw new RangeError(`there is no variant '${kind.name}' here`);
  },
};

/** A problem as it is and its variants, each prepared for engines, and the ways back from all of them. */
export class Variants implements VariantViews {
  /** Of the problem as it is. */
  readonly plain: Views;
  private readonly problem: Problem;
  private readonly encoding: Encoding;
  private readonly checkpoint: Checkpoint;
  private readonly options: EngineOptions;
  private readonly passes = new Map<VariantKind, Pass>(); // what makes each of the variants that there are
  private readonly prepared = new Map<VariantKind, Views>();
  private readonly origins = new Map<Problem, Pass>(); // of each problem that engines are given, what makes it

  constructor(
    problem: Problem,
    kinds: readonly VariantKind[],
    encoding: Encoding,
    options: EngineOptions,
    checkpoint: Checkpoint,
  ) {
    this.problem = problem;
    this.encoding = encoding;
    this.checkpoint = checkpoint;
    this.options = options;
    const { all, settled, early } = preprocess(problem, encoding, checkpoint, options);
    this.origins.set(all.problem, all);
    if (early !== undefined) this.origins.set(early.problem, early);
    this.plain = viewsOf(all.problem, early, checkpoint, hasWidths(options));
    for (const kind of new Set(kinds)) {
      const pass = kind.make({ problem, settled, plain: all.problem, options }, checkpoint);
      if (pass !== undefined) this.passes.set(kind, pass);
    }
  }

  has = (kind: VariantKind): boolean => this.passes.has(kind);

  views = (kind: VariantKind): Views => {
    const known = this.prepared.get(kind);
    if (known !== undefined) return known;
    const { problem, encoding, options, checkpoint } = this;
    const pass = this.passes.get(kind);
    if (pass === undefined) throw new RangeError(`there is no variant '${kind.name}' here`);
    // Steps of a variant need not be those of the problem, so there is no early one.
    const all =
      kind.prepare?.(pass.problem, checkpoint) ??
      preprocess(pass.problem, encoding, checkpoint, options, kind.last).all;
    const views = viewsOf(all.problem, undefined, checkpoint, hasWidths(options));
    this.origins.set(all.problem, composed(problem, [pass, all], checkpoint));
    this.prepared.set(kind, views);
    return views;
  };

  /** What makes a problem that a finding is about, with the way back. */
  passTo(about: Problem): Pass {
    const pass = this.origins.get(about);
    if (pass === undefined) throw new RangeError('the finding is about none of the problems here');
    return pass;
  }
}

function hasWidths({ facts }: EngineOptions): boolean {
  return facts === true || facts === 'intervals';
}
