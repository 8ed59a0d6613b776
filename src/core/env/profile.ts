/**
 * Where the time goes: a tree of named spans, each with its calls and its time. A span that is entered inside another is
 * counted below it, so that one kind of question can be told apart by who asks it. Times are for people and never steer
 * the search: two runs of one input do the same whatever the clock says.
 */
export interface Span {
  readonly name: string;
  calls: number;
  milliseconds: number;
  readonly inner: Map<string, Span>;
}

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

  /** The same for work that waits. Only one such piece of work may be under way at a time, or inside another. */
  async measureAsync<T>(name: string, work: () => Promise<T>): Promise<T> {
    const outer = this.enter(name);
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.leave(outer, start);
    }
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
