/**
 * Which terms the formulas in force mention, scope by scope, and which of them are unknowns: terms that clauses
 * alone do not define, so that lemmas may have to (array terms, reads, equalities of arrays, applications of
 * functions, abstracted operators). Looking at unknowns that no formula in force mentions would be a waste, and
 * would never end in a solver that lives long.
 *
 * An equality of arrays brings its witness along: if the arrays differ, they differ at the witness index. A `distinct`
 * of arrays brings the equalities along that it denies.
 */
import { Op } from '../term/operators.ts';
import type { TermId, TermStore } from '../term/store.ts';

interface Level {
  readonly mentioned: TermId[]; // terms that no outer level mentions
  readonly unknowns: TermId[]; // the unknowns among them, arguments first
}

export class Relevance {
  private readonly terms: TermStore;
  private readonly isAbstract: (t: TermId) => boolean;
  private readonly witness: (equality: TermId) => TermId;
  private readonly levels: Level[] = [newLevel()];
  private readonly mentioned = new Set<TermId>();

  /** `witness` gives the formula that defines the witness of an equality of arrays. */
  constructor(terms: TermStore, isAbstract: (t: TermId) => boolean, witness: (equality: TermId) => TermId) {
    this.terms = terms;
    this.isAbstract = isAbstract;
    this.witness = witness;
  }

  /** How many levels there are. */
  get depth(): number {
    return this.levels.length;
  }

  push(): void {
    this.levels.push(newLevel());
  }

  pop(): void {
    const { mentioned } = this.levels.pop() as Level;
    for (const t of mentioned) this.mentioned.delete(t);
  }

  /** Does a formula in force mention the term? */
  has(t: TermId): boolean {
    return this.mentioned.has(t);
  }

  /**
   * The formula is in force until the level is popped; formulas of outer levels are mentioned before those of inner
   * ones. Returns the witness formulas that it needs.
   */
  mention(formula: TermId, depth: number): TermId[] {
    const level = this.levels[depth];
    const { terms, mentioned } = this;
    const witnesses: TermId[] = [];
    for (let roots = [formula]; roots.length > 0; ) {
      const found: TermId[] = [];
      for (const t of terms.postorder(roots, mentioned)) {
        mentioned.add(t);
        level.mentioned.push(t);
        found.push(...arrayEqualities(terms, t));
        if (!this.isUnknown(t)) continue;
        level.unknowns.push(t);
        if (terms.op(t) !== Op.EQ) continue;
        found.push(this.witness(t));
        witnesses.push(this.witness(t));
      }
      roots = found;
    }
    return witnesses;
  }

  /** All unknowns that formulas in force mention, arguments first. */
  unknowns(): TermId[] {
    return this.levels.length === 1 ? this.levels[0].unknowns : this.levels.flatMap(l => l.unknowns);
  }

  private isUnknown(t: TermId): boolean {
    const { terms } = this;
    const { sorts } = terms;
    if (sorts.isArray(terms.sort(t))) return true;
    switch (terms.op(t)) {
      case Op.SELECT:
        return true;
      case Op.EQ:
        return sorts.isArray(terms.sort(terms.arg(t, 0)));
      case Op.APPLY:
        return terms.arity(t) > 0;
      default:
        return this.isAbstract(t);
    }
  }
}

/** The equalities that a `distinct` of arrays denies; nothing for other terms. */
export function arrayEqualities(terms: TermStore, t: TermId): TermId[] {
  if (terms.op(t) !== Op.DISTINCT || !terms.sorts.isArray(terms.sort(terms.arg(t, 0)))) return [];
  const args = terms.args(t);
  return args.flatMap((a, i) => args.slice(0, i).map(b => terms.eq(a, b)));
}

function newLevel(): Level {
  return { mentioned: [], unknowns: [] };
}
