/**
 * Solves equations for variables: from formulas that hold together, definitions of as many of the given variables as
 * possible, and what is left to say. The inverses and the search for cycles are those of the concrete solver's
 * preprocessor; unlike there, formulas are not used to simplify one another, so that an update keeps the form in
 * which the user wrote it. One solver serves all edges, since its tables are as large as the term store.
 */
import { Checkpoint } from '../../sat/checkpoint.ts';
import type { Rewriter } from '../../term/rewrite/rewriter.ts';
import type { TermId } from '../../term/store.ts';
import { conjunctsOf } from './conjuncts.ts';
import { Elimination, type Failures } from './elimination.ts';
import { type Definition, Substitution } from './substitution.ts';

const MAX_ROUNDS = 50;

export interface Solved {
  /** Over the remaining variables; `[false]` if they contradict each other. */
  readonly formulas: readonly TermId[];
  /** What the others are: each body mentions remaining variables and such as are defined before. */
  readonly definitions: readonly Definition[];
  /** The terms that were asked for, over the remaining variables, in normal form. */
  readonly images: readonly TermId[];
}

/** Of a question and of a round, against that of reading a token. */
const WORK_OF_A_ROUND = 50;

export class EquationSolver {
  readonly rewriter: Rewriter;
  /** The limits of this work and of whoever asks many questions. */
  readonly checkpoint: Checkpoint;
  private readonly substitution: Substitution;
  private readonly elimination: Elimination;
  private isWanted: (variable: TermId) => boolean = () => false;

  constructor(rewriter: Rewriter, checkpoint = new Checkpoint()) {
    this.rewriter = rewriter;
    this.checkpoint = checkpoint;
    this.substitution = new Substitution(rewriter);
    this.elimination = new Elimination(rewriter, v => this.isWanted(v) && !this.substitution.isDefined(v));
  }

  /** Solves the formulas for the wanted variables, and says what some terms are then. */
  solve(
    formulas: readonly TermId[],
    isWanted: (variable: TermId) => boolean,
    roots: readonly TermId[],
  ): Solved {
    const { substitution } = this;
    this.isWanted = isWanted;
    substitution.push();
    const left = this.eliminate(formulas);
    const definitions = substitution.definitions();
    const images = roots.map(t => substitution.image(t));
    substitution.pop();
    return { formulas: left, definitions, images };
  }

  private eliminate(formulas: readonly TermId[]): readonly TermId[] {
    const { rewriter, substitution, elimination } = this;
    const failures: Failures = new Map();
    const rewritten = formulas.map(f => rewriter.rewrite(f));
    let left = conjunctsOf(rewriter, rewritten);
    for (let i = 0; i < MAX_ROUNDS && left[0] !== rewriter.terms.false; i++) {
      this.checkpoint.pass(WORK_OF_A_ROUND);
      const round = elimination.round(left, failures);
      if (round.definitions.length === 0 && !round.retry) break;
      substitution.define(round.definitions);
      const images = round.formulas.map(f => substitution.image(f));
      left = conjunctsOf(rewriter, images);
    }
    return left;
  }
}
