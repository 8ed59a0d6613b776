/**
 * Terms with reads of arrays as terms without arrays, for one edge. What is known of arrays are some of their elements, which have variables;
 * a read of a write is the value that was written, or a read of what was there before; and every other read is a new variable,
 * which may have any value, except that reads of one array at equal indices are equal. Formulas about whole arrays become
 * new variables, too: that two arrays are equal implies that they are at the indices that are spoken of.
 *
 * So what is translated says less than before, and never more.
 */
import { Op } from '../../../term/operators.ts';
import type { SortId } from '../../../term/sort.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import { substituteAll } from '../../../term/substitute.ts';

/** Every two reads of an array are related; of more than these, only as far as cells are concerned. */
const MAX_RELATED = 8;

interface Element {
  readonly index: TermId; // as it was
  readonly value: TermId;
}

export class Reads {
  /** What the new variables stand for. */
  readonly meanings = new Map<TermId, TermId>();
  private readonly terms: TermStore;
  private readonly images = new Map<TermId, TermId>(); // of terms that are no arrays
  private readonly cells = new Map<TermId, Element[]>(); // by array
  private readonly elements = new Map<TermId, Element[]>(); // by array, those that have variables and are no cells
  private readonly equations: TermId[] = []; // between arrays, as they were
  private readonly results = new Map<TermId, TermId>(); // of reads of what is more than a variable, as they were

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** An element of an array that has a variable. */
  know(array: TermId, index: TermId, value: TermId): void {
    const known = this.cells.get(array);
    if (known === undefined) this.cells.set(array, [{ index, value }]);
    else known.push({ index, value });
    this.meanings.set(value, this.terms.app(Op.SELECT, [array, index]));
  }

  translated(formulas: readonly TermId[]): TermId[] {
    const { terms, images } = this;
    for (const t of terms.postorder(formulas)) {
      if (!images.has(t) && !this.isArray(t)) images.set(t, this.image(t));
    }
    return formulas.map(f => images.get(f) as TermId);
  }

  /** The element of an array at an index. */
  at(array: TermId, index: TermId): TermId {
    const inside = this.terms.postorder([array, index]).filter(t => !this.isArray(t));
    this.translated(inside);
    return this.read(array, index);
  }

  /** What holds of the new variables. */
  conditions(): TermId[] {
    const { terms } = this;
    const found: TermId[] = [];
    // Equations between arrays first: they may need more elements.
    for (const equation of this.equations) {
      const [a, b] = terms.args(equation);
      const indices = this.indicesOf(terms.sorts.indexSort(terms.sort(a)));
      const agree = terms.and(indices.map(i => terms.eq(this.at(a, i), this.at(b, i))));
      found.push(this.implies(this.images.get(equation) as TermId, agree));
    }
    for (const [, cells] of this.cells) found.push(...this.agreement(cells));
    for (const [, elements] of this.elements) found.push(...this.agreement(elements.slice(0, MAX_RELATED)));
    return found.filter(f => f !== terms.true);
  }

  /** What reads are that are read of more than variables, in terms of what was there: instances of the axioms of arrays. */
  axioms(): TermId[] {
    const { terms, results } = this;
    const images = substituteAll(terms, [...results.values()], this.meanings);
    return [...results.keys()].map((read, i) => terms.eq(read, images[i])).filter(f => f !== terms.true);
  }

  private isArray(t: TermId): boolean {
    return this.terms.sorts.isArray(this.terms.sort(t));
  }

  private isArrayOfArrays(t: TermId): boolean {
    const { sorts } = this.terms;
    return this.isArray(t) && sorts.isArray(sorts.elementSort(this.terms.sort(t)));
  }

  private image(t: TermId): TermId {
    const { terms, images } = this;
    if (terms.op(t) === Op.SELECT) return this.read(terms.arg(t, 0), terms.arg(t, 1));
    const args = terms.args(t);
    if (!args.some(a => this.isArray(a)))
      return terms.withArgs(
        t,
        args.map(a => images.get(a) as TermId),
      );
    if (terms.op(t) === Op.EQ && !this.isArrayOfArrays(args[0])) this.equations.push(t);
    return this.unknown(t);
  }

  /** The terms that arrays with such indices are read at, the cells' first. */
  private indicesOf(sort: SortId): TermId[] {
    const { terms } = this;
    const known = [...this.cells.values(), ...this.elements.values()].flat().map(e => e.index);
    return [...new Set(known)].filter(i => terms.sort(i) === sort).slice(0, MAX_RELATED);
  }

  /** Of an array and an index whose parts have their images. */
  private read(array: TermId, index: TermId): TermId {
    const { terms, images } = this;
    const writes: TermId[] = [];
    let t = array;
    for (; terms.op(t) === Op.STORE; t = terms.arg(t, 0)) writes.push(t);
    let result = this.readBelow(t, index);
    for (const write of writes.reverse()) {
      const isHere = terms.eq(images.get(terms.arg(write, 1)) as TermId, images.get(index) as TermId);
      result = terms.ite(isHere, images.get(terms.arg(write, 2)) as TermId, result);
      this.results.set(terms.app(Op.SELECT, [write, index]), result);
    }
    return result;
  }

  private readBelow(array: TermId, index: TermId): TermId {
    const { terms, images } = this;
    if (terms.op(array) === Op.CONST_ARRAY) {
      const element = images.get(terms.arg(array, 0)) as TermId;
      this.results.set(terms.app(Op.SELECT, [array, index]), element);
      return element;
    }
    if (terms.op(array) === Op.ITE) {
      const [condition, a, b] = terms.args(array);
      const result = terms.ite(images.get(condition) as TermId, this.read(a, index), this.read(b, index));
      this.results.set(terms.app(Op.SELECT, [array, index]), result);
      return result;
    }
    return this.element(array, index);
  }

  /** Of an array that is what it is. */
  private element(array: TermId, index: TermId): TermId {
    const { terms, images } = this;
    const at = images.get(index) as TermId;
    const cells = this.cells.get(array) ?? [];
    const same = [...cells, ...(this.elements.get(array) ?? [])].find(
      e => images.get(e.index) === at || e.index === index,
    );
    if (same !== undefined) return same.value;
    const read = terms.app(Op.SELECT, [array, index]);
    const other = this.unknown(read);
    const known = this.elements.get(array);
    if (known === undefined) this.elements.set(array, [{ index, value: other }]);
    else known.push({ index, value: other });
    return cells.reduceRight(
      (rest, c) => terms.ite(terms.eq(at, this.translated([c.index])[0]), c.value, rest),
      other,
    );
  }

  private agreement(elements: readonly Element[]): TermId[] {
    const { terms } = this;
    return elements.flatMap(({ index, value }, i) =>
      elements.slice(i + 1).map(e => {
        const [a, b] = this.translated([index, e.index]);
        return this.implies(terms.eq(a, b), terms.eq(value, e.value));
      }),
    );
  }

  private implies(a: TermId, b: TermId): TermId {
    return this.terms.or([this.terms.not(a), b]);
  }

  private unknown(t: TermId): TermId {
    const { terms } = this;
    const variable = terms.variable('any', terms.sort(t));
    this.meanings.set(variable, t);
    return variable;
  }
}
