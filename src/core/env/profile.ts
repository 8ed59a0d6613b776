/**
 * Where the time goes: a tree of named spans, each with its calls and its time. A span that is entered inside another is
 * counted below it, so that one kind of question can be told apart by who asks it. Times are for people and never steer
 * the search: two runs of one input do the same whatever the clock says.
 */
import type { Work } from '../../sat/work.ts';

export interface Span {
  readonly name: string;
  calls: number;
  milliseconds: number;
  readonly inner: Map<string, Span>;
}

/** What solvers take to answer, in engines that do other work between their questions. */
export const QUESTIONS = 'questions';

export class Profile {
  readonly root: Span = newSpan('total');
  private current = this.root;

  /** Does the work and counts it under the name. */
  measure<T>(name: string, work: () => T): T {
    const outer = this.enter(name);
    const start = performance.now();
    try {
      return work();
    } finally {
      this.leave(outer, start);
    }
  }

  /** The same for work in portions; what others do while it pauses does not count. */
  *during<T>(name: string, work: Work<T>): Work<T> {
    for (;;) {
      const { done, value } = this.measure(name, () => work.next());
      if (done === true) return value;
      yield value;
    }
  }

  /** The same for something that is waited for, while nothing else is measured. */
  async waiting<T>(name: string, work: Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work;
    this.add(name, performance.now() - start);
    return result;
  }

  /** Counts what was done elsewhere. */
  add(name: string, milliseconds: number): void {
    const outer = this.enter(name);
    this.leave(outer, performance.now() - milliseconds);
  }

  private enter(name: string): Span {
    const outer = this.current;
    let span = outer.inner.get(name);
    if (span === undefined) {
      span = newSpan(name);
      outer.inner.set(name, span);
    }
    this.current = span;
    return outer;
  }

  private leave(outer: Span, start: number): void {
    this.current.calls++;
    this.current.milliseconds += performance.now() - start;
    this.current = outer;
  }
}

function newSpan(name: string): Span {
  return { name, calls: 0, milliseconds: 0, inner: new Map() };
}
