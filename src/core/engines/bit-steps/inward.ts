/**
 * The steps into one location, or the violations, asked about many formulas: which of them some step refutes, and to which of them it is
 * due that there is no step of some kind. What is assumed of the state before a step counts only if the step comes from there.
 */
import { type Lit, negate } from '../../../sat/literals.ts';
import type { Work } from '../../../sat/work.ts';
import type { TermId } from '../../../term/store.ts';
import { EdgeTable } from '../../problem/edge-table.ts';
import { type Edge, isQuery, type Location, type Problem } from '../../problem/problem.ts';
import { Encoding, type Shared } from './encoding.ts';
import { Steps } from './steps.ts';

/** Formulas about each location, all of which hold there. */
export type Conjuncts = ReadonlyMap<Location, readonly TermId[]>;

/** Those of a problem, made when they are asked for. */
export class InwardSteps {
  readonly edges: EdgeTable;
  private readonly shared: Shared;
  private readonly queries: readonly Edge[];
  private readonly known = new Map<Location | undefined, Inward>();

  constructor({ edges }: Problem, shared: Shared) {
    this.shared = shared;
    this.edges = new EdgeTable(edges);
    this.queries = edges.filter(e => isQuery(e.head));
  }

  /** The steps into a location; those into nowhere are the violations. */
  into(location: Location | undefined): Inward {
    let own = this.known.get(location);
    if (own === undefined) {
      own = new Inward(this.shared, location === undefined ? this.queries : this.edges.into(location));
      this.known.set(location, own);
    }
    return own;
  }
}

export class Inward {
  private readonly encoding: Encoding;
  private readonly steps: Steps;
  private readonly assumed = new Map<Location, Map<TermId, Lit>>(); // it holds before the step, if that comes from there
  private readonly after = new Map<TermId, Lit>();

  constructor(shared: Shared, edges: readonly Edge[]) {
    this.encoding = new Encoding(shared);
    this.steps = new Steps(shared.circuit, this.encoding, edges);
  }

  /**
   * Those of the formulas that fail after some step from where all that is held holds; none if there is no such step, and nothing
   * if it takes too long to find out.
   */
  *refuted(
    held: ReadonlyMap<Location, Iterable<TermId>>,
    formulas: readonly TermId[],
    limit: number,
  ): Work<TermId[] | undefined> {
    const { encoding } = this;
    const own = formulas.map(f => [f, this.literalAfter(f)] as const);
    const assumptions = this.assumptions(held).map(a => a.lit);
    encoding.begin();
    const some = encoding.reserve(own.map(([, lit]) => negate(lit)));
    const isPossible = yield* encoding.attempt([...assumptions, some], limit);
    if (isPossible === undefined) return undefined;
    return isPossible ? own.filter(([, lit]) => !encoding.isTrue(lit)).map(([f]) => f) : [];
  }

  /**
   * Those of what is held to which it is due that there is no step after which a formula fails, or no violation; nothing if there is one, or if
   * the limit does not suffice.
   */
  *impossible(
    held: ReadonlyMap<Location, Iterable<TermId>>,
    formula: TermId | undefined,
    limit: number,
  ): Work<Map<Location, TermId[]> | undefined> {
    const { encoding } = this;
    const target = formula === undefined ? [] : [negate(this.literalAfter(formula))];
    const assumptions = this.assumptions(held);
    encoding.begin();
    const isPossible = yield* encoding.attempt([...target, ...assumptions.map(a => a.lit)], limit);
    if (isPossible !== false) return undefined;
    const uses = new Map<Location, TermId[]>();
    for (const { location, formula: f, lit } of assumptions) {
      if (!encoding.isUsed(lit)) continue;
      const own = uses.get(location);
      if (own === undefined) uses.set(location, [f]);
      else own.push(f);
    }
    return uses;
  }

  private assumptions(
    held: ReadonlyMap<Location, Iterable<TermId>>,
  ): { readonly location: Location; readonly formula: TermId; readonly lit: Lit }[] {
    const found: { location: Location; formula: TermId; lit: Lit }[] = [];
    for (const location of this.steps.sources)
      for (const formula of held.get(location) ?? [])
        found.push({ location, formula, lit: this.literalBefore(location, formula) });
    return found;
  }

  private literalBefore(location: Location, formula: TermId): Lit {
    const { encoding, steps } = this;
    let own = this.assumed.get(location);
    if (own === undefined) this.assumed.set(location, (own = new Map()));
    let lit = own.get(formula);
    if (lit === undefined) {
      lit = encoding.newLiteral();
      encoding.require([negate(lit), negate(steps.from(location)), encoding.literal(formula)]);
      own.set(formula, lit);
    }
    return lit;
  }

  private literalAfter(formula: TermId): Lit {
    let lit = this.after.get(formula);
    if (lit === undefined) this.after.set(formula, (lit = this.encoding.literalAfter(formula)));
    return lit;
  }
}
