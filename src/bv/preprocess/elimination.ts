/**
 * One round of variable elimination: from a set of formulas, as many definitions as can be read off at
 * once. Each formula is solved for a variable that no other formula of the round is solved for; definitions
 * that would be circular are turned back into formulas. The conjunction of the definitions, as equations,
 * and the remaining formulas is equivalent to the formulas given, up to fresh variables for parts of
 * variables.
 */
import { Op } from '../../term/operators.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';
import { DefinitionGraph } from './definition-order.ts';
import { type Slice, Slicer, withoutOverlaps } from './slices.ts';
import { type SliceSolution, type Solution, solve } from './solve-equation.ts';
import type { Definition } from './substitution.ts';

export interface Round {
  /** Each after those that its body mentions. */
  readonly definitions: readonly Definition[];
  /** The formulas that are left; they may still mention the variables defined. */
  readonly formulas: readonly TermId[];
  /** Was a definition circular, so that another variable may be worth a try? */
  readonly retry: boolean;
}

/** Formulas and the variables for which it was in vain to solve them. */
export type Failures = Map<TermId, Set<TermId>>;

/** What a variable is to stand for, and the formulas to keep if it cannot. */
interface Candidate {
  readonly body: TermId;
  readonly instead: readonly TermId[];
}

type PendingSlice = Slice & { readonly instead: TermId };

/** The candidates of one round. */
interface Collection {
  readonly candidates: Map<TermId, Candidate>;
  readonly slices: Map<TermId, PendingSlice[]>;
  readonly formulas: TermId[];
}

export class Elimination {
  private readonly rewriter: Rewriter;
  private readonly isFree: (variable: TermId) => boolean;
  private readonly graph: DefinitionGraph;
  private readonly slicer: Slicer;

  constructor(rewriter: Rewriter, isFree: (variable: TermId) => boolean) {
    this.rewriter = rewriter;
    this.isFree = isFree;
    this.graph = new DefinitionGraph(rewriter.terms);
    this.slicer = new Slicer(rewriter);
  }

  round(formulas: readonly TermId[], failures: Failures): Round {
    const found = this.collect(formulas, failures);
    this.joinSlices(found);
    const { candidates } = found;
    const { order, cyclic } = this.graph.order(new Map([...candidates].map(([v, c]) => [v, c.body])));
    for (const variable of cyclic) {
      for (const f of (candidates.get(variable) as Candidate).instead) {
        found.formulas.push(f);
        const failed = failures.get(f);
        if (failed === undefined) failures.set(f, new Set([variable]));
        else failed.add(variable);
      }
    }
    const definitions = order.map(variable => {
      return { variable, body: (candidates.get(variable) as Candidate).body };
    });
    return { definitions, formulas: found.formulas, retry: cyclic.length > 0 };
  }

  /** Solves every formula, and what remains of it, for a variable of its own. */
  private collect(formulas: readonly TermId[], failures: Failures): Collection {
    const found: Collection = { candidates: new Map(), slices: new Map(), formulas: [] };
    const stack = [...formulas].reverse();
    for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
      const failed = failures.get(f);
      const solution = solve(
        this.rewriter,
        f,
        v => !found.candidates.has(v) && failed?.has(v) !== true && this.isFree(v),
      );
      if (solution === undefined) {
        found.formulas.push(f);
        continue;
      }
      this.take(found, f, solution);
      stack.push(...solution.residuals);
    }
    return found;
  }

  private take(found: Collection, formula: TermId, solution: Solution | SliceSolution): void {
    const { variable, residuals } = solution;
    const isWhole = residuals.length === 0;
    if (solution.kind === 'variable') {
      const { body } = solution;
      const instead = isWhole ? formula : this.rewriter.mk(Op.EQ, [variable, body]);
      found.candidates.set(variable, { body, instead: [instead] });
      return;
    }
    const { high, low, value } = solution;
    const bits = this.rewriter.mk(Op.EXTRACT, [variable], [high, low]);
    const instead = isWhole ? formula : this.rewriter.mk(Op.EQ, [bits, value]);
    const slices = found.slices.get(variable);
    if (slices === undefined) found.slices.set(variable, [{ high, low, value, instead }]);
    else slices.push({ high, low, value, instead });
  }

  /** Makes candidates of the variables whose bits are known, unless they have become candidates as a whole. */
  private joinSlices({ candidates, slices, formulas }: Collection): void {
    for (const [variable, all] of slices) {
      const { taken, left } = candidates.has(variable)
        ? { taken: [], left: all }
        : withoutOverlaps<PendingSlice>(all);
      for (const { instead } of left) formulas.push(instead);
      if (taken.length === 0) continue;
      const body = this.slicer.assemble(variable, taken);
      candidates.set(variable, { body, instead: taken.map(s => s.instead) });
    }
  }
}
