/**
 * Small arrays as words. An array of few elements is the list of them: a read chooses among them, a write changes one of
 * them, an equality compares them one by one. The words of an array variable are its reads at constant indices, which are
 * terms of the system's own language, so what is found out about them can be said to the user as it stands.
 */
import { Op } from '../../../term/operators.ts';
import { type SortId, SortKind, type SortStore } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';

/** An array with more words than this is not taken apart. */
const MAX_WORDS = 32;

/** Why the system cannot be read bit by bit, if it cannot. */
export function bitObstacle(system: TransitionSystem): string | undefined {
  const { terms, states, inputs, init, definitions, relations, constraints, property } = system;
  const formulas = [...init, ...definitions.values(), ...relations, ...constraints, property];
  const variables = [...states.flatMap(s => [s.current, s.next]), ...inputs];
  for (const t of terms.postorder([...variables, ...formulas])) {
    if (terms.op(t) === Op.APPLY && terms.arity(t) > 0) return `the function ${terms.nameOf(t)} has no bits`;
    const obstacle = sortObstacle(terms.sorts, terms.sort(t));
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

function sortObstacle(sorts: SortStore, sort: SortId): string | undefined {
  const isScalar = (s: SortId) => sorts.kind(s) === SortKind.BOOL || sorts.kind(s) === SortKind.BITVEC;
  if (isScalar(sort)) return undefined;
  if (!sorts.isArray(sort)) return `the sort ${sorts.name(sort)} has no bits`;
  const [index, element] = [sorts.indexSort(sort), sorts.elementSort(sort)];
  if (isScalar(index) && isScalar(element) && sorts.size(index) <= MAX_WORDS) return undefined;
  return `the sort ${sorts.name(sort)} has too many bits`;
}

/** Says terms without arrays. */
export class Words {
  private readonly terms: TermStore;
  private readonly scalars = new Map<TermId, TermId>();
  private readonly arrays = new Map<TermId, readonly TermId[]>();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** What the words of a term are: those of an array, or the term itself in the language without arrays. */
  of(term: TermId): readonly TermId[] {
    const { terms, scalars, arrays } = this;
    const isDone = { has: (t: TermId) => scalars.has(t) || arrays.has(t) };
    for (const t of terms.postorder([term], isDone)) {
      if (terms.sorts.isArray(terms.sort(t))) arrays.set(t, this.array(t));
      else scalars.set(t, this.scalar(t));
    }
    return arrays.get(term) ?? [this.image(term)];
  }

  /** A Boolean term without arrays. */
  formula(term: TermId): TermId {
    return this.of(term)[0];
  }

  private image(t: TermId): TermId {
    return this.scalars.get(t) as TermId;
  }

  private wordsOf(t: TermId): readonly TermId[] {
    return this.arrays.get(t) as readonly TermId[];
  }

  private array(t: TermId): TermId[] {
    const { terms } = this;
    const indices = this.indices(terms.sorts.indexSort(terms.sort(t)));
    switch (terms.op(t)) {
      case Op.STORE: {
        const [index, element] = [this.image(terms.arg(t, 1)), this.image(terms.arg(t, 2))];
        return this.wordsOf(terms.arg(t, 0)).map((w, i) => {
          if (terms.isConstant(index)) return index === indices[i] ? element : w;
          return terms.ite(terms.eq(index, indices[i]), element, w);
        });
      }
      case Op.ITE: {
        const [a, b] = [this.wordsOf(terms.arg(t, 1)), this.wordsOf(terms.arg(t, 2))];
        return a.map((w, i) => terms.ite(this.image(terms.arg(t, 0)), w, b[i]));
      }
      case Op.CONST_ARRAY:
        return indices.map(() => this.image(terms.arg(t, 0)));
      default:
        return indices.map(i => terms.app(Op.SELECT, [t, i]));
    }
  }

  private scalar(t: TermId): TermId {
    const { terms } = this;
    const args = terms.args(t);
    if (terms.op(t) === Op.SELECT) return this.read(this.wordsOf(args[0]), this.image(args[1]));
    if (args.length === 0) return t;
    if (!this.arrays.has(args[0])) {
      return terms.withArgs(
        t,
        args.map(a => this.image(a)),
      );
    }
    if (terms.op(t) === Op.EQ) return this.equal(args[0], args[1]);
    return terms.and(args.flatMap((a, i) => args.slice(0, i).map(b => terms.not(this.equal(a, b)))));
  }

  private equal(a: TermId, b: TermId): TermId {
    const { terms } = this;
    const others = this.wordsOf(b);
    return terms.and(this.wordsOf(a).map((w, i) => terms.eq(w, others[i])));
  }

  /** The word at an index, as a tree of choices by the index's bits. */
  private read(words: readonly TermId[], index: TermId): TermId {
    const { terms } = this;
    if (terms.isConstant(index)) {
      return words[this.indices(terms.sort(index)).indexOf(index)];
    }
    let level = words;
    for (let bit = 0; level.length > 1; bit++) {
      const isSet = bitOf(terms, index, bit);
      level = Array.from({ length: level.length / 2 }, (_, i) =>
        terms.ite(isSet, level[2 * i + 1], level[2 * i]),
      );
    }
    return level[0];
  }

  /** The constants of an index sort, in ascending order. */
  private indices(sort: SortId): TermId[] {
    const { terms } = this;
    if (sort === terms.sorts.bool) return [terms.false, terms.true];
    const width = terms.sorts.width(sort);
    return Array.from({ length: 2 ** width }, (_, i) => terms.bv(width, i));
  }
}

/** The formula that says that a bit of a word is set. */
function bitOf(terms: TermStore, word: TermId, bit: number): TermId {
  if (terms.sort(word) === terms.sorts.bool) return word;
  const isWhole = terms.width(word) === 1;
  return terms.eq(terms.bv(1, 1), isWhole ? word : terms.app(Op.EXTRACT, [word], [bit, bit]));
}
