/**
 * Which of many definitions can be taken together: the graph of what refers to what must have no cycle.
 * One depth-first walk over all bodies decides it, since an occurs-check per definition would be quadratic
 * in the long chains of definitions that real files are made of.
 *
 * A term is open while what lies below it is being visited, clean when nothing below it was open, and else
 * tainted. A variable whose body is not clean is given up: it stays a variable, and as such it is clean.
 * So a definition that is kept refers to variables only whose walk ended before, and a cycle is impossible.
 * Taint is remembered with the outermost open term it comes from; once that is closed, the tainted term is
 * looked at again.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { ScratchMap } from './scratch-map.ts';

export interface DefinitionOrder {
  /** The variables whose definitions stay, each after those that its body mentions. */
  readonly order: readonly TermId[];
  /** The variables that had to be given up. */
  readonly cyclic: readonly TermId[];
}

const CLEAN = 0;

export class DefinitionGraph {
  private readonly terms: TermStore;
  /** CLEAN; or, of an open term, the number with which it was opened; or minus that of what taints it. */
  private readonly marks = new ScratchMap<number>();
  private isOpen: boolean[] = []; // by number
  private bodies: ReadonlyMap<TermId, TermId> = new Map();

  constructor(terms: TermStore) {
    this.terms = terms;
  }

  /** `bodies`: what each variable is to stand for. */
  order(bodies: ReadonlyMap<TermId, TermId>): DefinitionOrder {
    const { marks } = this;
    marks.clear();
    this.bodies = bodies;
    this.isOpen = [false];
    const order: TermId[] = [];
    const cyclic: TermId[] = [];
    const stack = [...bodies.keys()].reverse();
    while (stack.length > 0) {
      const t = stack[stack.length - 1];
      if (this.isUnknown(t)) marks.set(t, this.isOpen.push(true) - 1);
      const number = marks.get(t);
      // Children may have to be visited again, if what tainted one of them lay below another.
      if (number > CLEAN && this.visitChildren(t, stack)) continue;
      stack.pop();
      if (number <= CLEAN) continue; // it was reached on another way in the meantime
      const taint = this.taintOf(t);
      this.isOpen[number] = false;
      marks.set(t, bodies.has(t) ? CLEAN : -taint);
      if (bodies.has(t)) (taint === CLEAN ? order : cyclic).push(t);
    }
    return { order, cyclic };
  }

  /** Has the walk still to go there? */
  private isUnknown(t: TermId): boolean {
    const { marks } = this;
    return !marks.has(t) || (marks.get(t) < CLEAN && !this.isOpen[-marks.get(t)]);
  }

  /** Puts the children that have to be visited on the stack; are there any? */
  private visitChildren(t: TermId, stack: TermId[]): boolean {
    const { terms } = this;
    const height = stack.length;
    const body = terms.arity(t) === 0 ? this.bodies.get(t) : undefined;
    if (body !== undefined && this.isUnknown(body)) stack.push(body);
    for (let i = 0; i < terms.arity(t); i++) {
      if (this.isUnknown(terms.arg(t, i))) stack.push(terms.arg(t, i));
    }
    return stack.length > height;
  }

  /** The number of the outermost open term that the children of a term lead to. */
  private taintOf(t: TermId): number {
    const { terms, marks } = this;
    const body = terms.arity(t) === 0 ? this.bodies.get(t) : undefined;
    let taint = body === undefined ? CLEAN : Math.abs(marks.get(body));
    for (let i = 0; i < terms.arity(t); i++) {
      const number = Math.abs(marks.get(terms.arg(t, i)));
      if (this.isOpen[number] && (taint === CLEAN || number < taint)) taint = number;
    }
    return taint;
  }
}
