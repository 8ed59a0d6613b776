/**
 * Which definitions rest on which, so that a circle is noticed before it is made. A new definition closes one if its body
 * rests, through definitions, on the variable that it defines. That is looked for from both ends at once, a step here and
 * a step there, until one of them has seen all there is: chains of definitions may be long and come in any order, and one
 * of their ends is near (compare the two-way search of Bender, Fineman, Gilbert and Tarjan, "A New Approach to
 * Incremental Cycle Detection and Related Problems", 2016). Most systems never ask, so nothing is done before.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { FreeOf } from './literals.ts';

export class Dependencies {
  private readonly terms: TermStore;
  private readonly plain: FreeOf; // terms without any of the variables, which rest on nothing
  private readonly bodies = new Map<TermId, TermId>(); // by variable
  private readonly users = new Map<TermId, TermId[]>(); // the terms right above a term, and what it defines
  private readonly entered = new Set<TermId>(); // terms that are among the users of their arguments
  private readonly waiting: TermId[] = []; // defined variables that have not been entered

  /** `variables` are those that may ever be defined. */
  constructor(terms: TermStore, variables: ReadonlySet<TermId>) {
    this.terms = terms;
    this.plain = new FreeOf(terms, variables);
  }

  /** Takes down that a variable is defined. */
  define(variable: TermId, body: TermId): void {
    this.bodies.set(variable, body);
    this.waiting.push(variable);
  }

  /** Would the definition of a variable by a body rest on itself? */
  closesCircle(variable: TermId, body: TermId): boolean {
    for (let v = this.waiting.pop(); v !== undefined; v = this.waiting.pop()) this.enterDefinition(v);
    this.enter(body);
    const below = new Search(body, t => this.usedBy(t));
    const above = new Search(variable, t => this.users.get(t) ?? []);
    if (body === variable) return true;
    for (;;) {
      const user = above.next();
      if (user === undefined) return false;
      if (below.seen.has(user)) return true;
      const used = below.next();
      if (used === undefined) return false;
      if (above.seen.has(used)) return true;
    }
  }

  private enterDefinition(variable: TermId): void {
    const body = this.bodies.get(variable) as TermId;
    this.enter(body);
    this.addUser(body, variable);
  }

  private enter(term: TermId): void {
    const { terms, entered, plain } = this;
    const known = { has: (t: TermId) => entered.has(t) || plain.has(t) };
    for (const t of terms.postorder([term], known)) {
      entered.add(t);
      for (const a of this.argumentsOf(t)) this.addUser(a, t);
    }
  }

  private addUser(term: TermId, user: TermId): void {
    const users = this.users.get(term);
    if (users === undefined) this.users.set(term, [user]);
    else users.push(user);
  }

  private usedBy(t: TermId): readonly TermId[] {
    const body = this.bodies.get(t);
    return body === undefined ? this.argumentsOf(t) : [body];
  }

  private argumentsOf(t: TermId): TermId[] {
    return this.terms.args(t).filter(a => !this.plain.has(a));
  }
}

/** Goes through all that some relation leads to from a term, one term at a time. */
class Search {
  readonly seen: Set<TermId>;
  private readonly queue: TermId[];
  private readonly neighboursOf: (t: TermId) => readonly TermId[];
  private neighbours: readonly TermId[] = []; // of the first of the queue that is not done
  private at = 0;

  constructor(start: TermId, neighboursOf: (t: TermId) => readonly TermId[]) {
    this.seen = new Set([start]);
    this.queue = [start];
    this.neighboursOf = neighboursOf;
  }

  /** A term that has not been seen yet. */
  next(): TermId | undefined {
    for (;;) {
      while (this.at < this.neighbours.length) {
        const found = this.neighbours[this.at++];
        if (this.seen.has(found)) continue;
        this.seen.add(found);
        this.queue.push(found);
        return found;
      }
      const t = this.queue.pop();
      if (t === undefined) return undefined;
      this.neighbours = this.neighboursOf(t);
      this.at = 0;
    }
  }
}
