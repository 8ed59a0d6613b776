/**
 * From formulas without quantifiers to clauses. The formula is taken apart into a conjunction of disjunctions, but only
 * as far as applications of relations reach; what has none is part of a constraint as it stands. A disjunction is
 * a clause: its negated applications are the body, one that is not negated is the head, and the rest negated is the
 * constraint. Nothing recurses, so formulas may nest without limit.
 */
import type { Location, Query } from '../../core/problem/problem.ts';
import { Checkpoint } from '../../sat/checkpoint.ts';
import { Op } from '../../term/operators.ts';
import type { FunctionId, TermId, TermStore } from '../../term/store.ts';
import { CLAUSES } from '../smtlib/fragment.ts';
import { type Atom, isAtom } from './problem.ts';

export interface ReadClause {
  readonly bodies: readonly Atom[];
  readonly constraint: TermId;
  readonly head: Atom | Query;
  readonly variables: readonly TermId[];
}

/** A disjunct and whether it stands there as it is or negated. */
type Literal = readonly [formula: TermId, isPositive: boolean];

/** A disjunction, partly taken apart. */
interface Disjunction {
  readonly pending: Literal[];
  readonly bodies: Set<TermId>;
  readonly heads: Set<TermId>;
  readonly constraint: TermId[];
}

/** So many clauses may come out of one formula. */
const MAX_CLAUSES = 10_000;

/** Against that of reading a token. */
const WORK_OF_A_PART = 50;

export class ClauseReader {
  private readonly terms: TermStore;
  private readonly relations: ReadonlyMap<FunctionId, Location>;
  private readonly checkpoint: Checkpoint;
  private readonly mentions = new Map<TermId, boolean>(); // does a term have an application of a relation in it?

  constructor(terms: TermStore, relations: ReadonlyMap<FunctionId, Location>, checkpoint = new Checkpoint()) {
    this.terms = terms;
    this.relations = relations;
    this.checkpoint = checkpoint;
  }

  /**
   * The clauses that a formula says. Those without an application as their head have the query instead, and may not
   * be if there is none. `refuse` gets what is wrong.
   */
  clauses(formula: TermId, query: Query | undefined, refuse: (reason: string) => never): ReadClause[] {
    const found: ReadClause[] = [];
    const stack: Disjunction[] = [
      { pending: [[formula, true]], bodies: new Set(), heads: new Set(), constraint: [] },
    ];
    for (let d = stack.pop(); d !== undefined; d = stack.pop()) {
      this.checkpoint.pass(WORK_OF_A_PART);
      const literal = d.pending.pop();
      if (literal === undefined) {
        found.push(this.clause(d, query, refuse));
        continue;
      }
      if (found.length + stack.length > MAX_CLAUSES)
        refuse(`this stands for more than ${MAX_CLAUSES} clauses`);
      for (const part of this.apart(d, literal, refuse)) stack.push(part);
    }
    return found;
  }

  /** The disjunction with one more literal, as a conjunction of disjunctions. */
  private apart(d: Disjunction, [t, isPositive]: Literal, refuse: (reason: string) => never): Disjunction[] {
    const { terms } = this;
    if (!this.hasRelation(t)) {
      d.constraint.push(isPositive ? terms.not(t) : t);
      return [d];
    }
    const args = terms.args(t);
    const joined = (literals: readonly Literal[]) => {
      for (const l of [...literals].reverse()) d.pending.push(l);
      return [d];
    };
    const branches = (all: readonly (readonly Literal[])[]) =>
      [...all].reverse().map(literals => ({
        pending: [...d.pending, ...[...literals].reverse()],
        bodies: new Set(d.bodies),
        heads: new Set(d.heads),
        constraint: [...d.constraint],
      }));
    const literals = args.map((a): Literal => [a, isPositive]);
    switch (terms.op(t)) {
      case Op.APPLY:
        (isPositive ? d.heads : d.bodies).add(t);
        return [d];
      case Op.NOT:
        return joined([[args[0], !isPositive]]);
      case Op.AND:
        return isPositive ? branches(literals.map(l => [l])) : joined(literals);
      case Op.OR:
        return isPositive ? joined(literals) : branches(literals.map(l => [l]));
      case Op.IMPLIES: {
        const parts: Literal[] = [
          [args[0], !isPositive],
          [args[1], isPositive],
        ];
        return isPositive ? joined(parts) : branches(parts.map(l => [l]));
      }
      case Op.ITE:
        return branches([
          [
            [args[0], false],
            [args[1], isPositive],
          ],
          [
            [args[0], true],
            [args[2], isPositive],
          ],
        ]);
      case Op.EQ:
      case Op.XOR: {
        // Equal: each implies the other. Different: one of them holds, and one of them does not.
        const areEqual = (terms.op(t) === Op.EQ) === isPositive;
        return branches([
          [
            [args[0], !areEqual],
            [args[1], true],
          ],
          [
            [args[0], areEqual],
            [args[1], false],
          ],
        ]);
      }
      default:
        return refuse(CLAUSES.refusal('an application of a relation inside a term'));
    }
  }

  private clause(d: Disjunction, query: Query | undefined, refuse: (reason: string) => never): ReadClause {
    const { terms } = this;
    const [bodies, heads] = [[...d.bodies], [...d.heads]];
    if (heads.length > 1) refuse(`not a Horn clause: it has ${heads.length} heads, ${this.names(heads)}`);
    const atoms = bodies.map(body => this.atom(body, refuse));
    const head = heads.length === 0 ? query : this.atom(heads[0], refuse);
    if (head === undefined) return refuse('the head of a rule must be an application of a relation');
    const constraint = terms.and(d.constraint);
    const roots = [...atoms.flatMap(a => a.args), constraint, ...(isAtom(head) ? head.args : [])];
    const variables = terms.postorder(roots).filter(t => terms.isVariable(t));
    return { bodies: atoms, constraint, head, variables };
  }

  private atom(application: TermId, refuse: (reason: string) => never): Atom {
    const { terms } = this;
    const args = terms.args(application);
    if (args.some(a => this.hasRelation(a)))
      refuse(CLAUSES.refusal('an application of a relation inside a term'));
    return { relation: this.relations.get(terms.functionOf(application)) as Location, args };
  }

  private names(applications: readonly TermId[]): string {
    const { terms } = this;
    return applications.map(a => terms.nameOf(a)).join(', ');
  }

  private hasRelation(term: TermId): boolean {
    const { terms, mentions, relations } = this;
    for (const t of terms.postorder([term], mentions)) {
      this.checkpoint.pass();
      const isRelation = terms.op(t) === Op.APPLY && relations.has(terms.functionOf(t));
      mentions.set(t, isRelation || terms.args(t).some(a => mentions.get(a)));
    }
    return mentions.get(term) as boolean;
  }
}
