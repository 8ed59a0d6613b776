/**
 * The annotations of a VMT file as they are met: which state variable has which next state, which formulas are
 * initial conditions, transitions and properties, each with its place. Their form is checked here; whether they fit
 * together is known only at the end of the file and is the business of `assemble.ts`.
 *
 * Unknown attributes are ignored, as SMT-LIB asks, but for those known to change the question: liveness, and the
 * axioms and actions of the dialect for distributed protocols.
 */
import type { TermId, TermStore } from '../../term/store.ts';
import { SYSTEMS } from '../smtlib/fragment.ts';
import type { Node, SExprs } from '../smtlib/sexpr.ts';

/** A formula that has been annotated, and the annotation's keyword in the text. */
export interface Annotated {
  readonly term: TermId;
  readonly place: Node;
}

/** `(! term :next value)`. The next state may be declared later, so its name is looked up at the end of the file. */
export interface NextState extends Annotated {
  readonly value: Node;
}

export interface InvariantProperty extends Annotated {
  readonly index: number;
  readonly name: string | undefined;
}

/** What the annotated term is part of. */
export interface Surroundings {
  /** The whole term. */
  readonly body: Node;
  /** The definition's name, if the term is the body of one. */
  readonly name: string | undefined;
  readonly hasParameters: boolean;
}

const LIVENESS = /^:(live|liveness|ltl|ctl|fairness|justice)(-property)?$/;
const PROTOCOLS = new Set([':action', ':axiom', ':definition', ':global']);

export class Annotations {
  readonly nextStates: NextState[] = [];
  readonly init: Annotated[] = [];
  readonly trans: Annotated[] = [];
  private readonly byIndex = new Map<number, InvariantProperty>();
  private readonly terms: TermStore;
  private readonly sexprs: SExprs;

  constructor(terms: TermStore, sexprs: SExprs) {
    this.terms = terms;
    this.sexprs = sexprs;
  }

  /** By their numbers, ascending. */
  get properties(): InvariantProperty[] {
    return [...this.byIndex.values()].sort((a, b) => a.index - b.index);
  }

  /** Takes note of one attribute; answers whether it has a meaning here. */
  add(term: TermId, place: Node, value: Node | undefined, around: Surroundings): boolean {
    const keyword = this.sexprs.atom(place);
    switch (keyword) {
      case ':next':
        this.expectNoParameters(place, around);
        this.addNextState(term, place, value);
        return true;
      case ':init':
      case ':trans':
        this.expectNoParameters(place, around);
        this.expectFormula(term, place);
        if (value !== undefined && this.sexprs.atom(value) === 'false') {
          throw this.sexprs.error(value, `expected true after ${keyword}`);
        }
        (keyword === ':init' ? this.init : this.trans).push({ term, place });
        return true;
      case ':invar-property':
        this.expectNoParameters(place, around);
        this.expectFormula(term, place);
        this.addProperty(term, place, value, around);
        return true;
      default:
        this.refuse(place, keyword);
        return false;
    }
  }

  private addNextState(term: TermId, place: Node, value: Node | undefined): void {
    const { sexprs, terms } = this;
    if (value === undefined) throw sexprs.error(place, 'expected a variable after :next');
    sexprs.expectSymbol(value, 'a variable after :next');
    if (!terms.isVariable(term)) throw sexprs.error(place, 'only a variable has a next state, no other term');
    this.nextStates.push({ term, place, value });
  }

  private addProperty(term: TermId, place: Node, value: Node | undefined, around: Surroundings): void {
    const { sexprs } = this;
    if (value === undefined) throw sexprs.error(place, 'expected the number of the property');
    const index = sexprs.expectNumeral(value, 'the number of the property');
    const earlier = this.byIndex.get(index);
    if (earlier?.term === term) return;
    if (earlier !== undefined) {
      const { line } = sexprs.position(earlier.place);
      throw sexprs.error(value, `there is a property ${index} already, in line ${line}`);
    }
    const name = sexprs.isChild(around.body, place) ? around.name : undefined;
    this.byIndex.set(index, { term, place, index, name });
  }

  private expectFormula(term: TermId, place: Node): void {
    const { sorts } = this.terms;
    const sort = this.terms.sort(term);
    if (sort === sorts.bool) return;
    throw this.sexprs.error(
      place,
      `${this.sexprs.atom(place)} belongs to a formula, not to a term of sort ${sorts.name(sort)}`,
    );
  }

  private expectNoParameters(place: Node, { hasParameters }: Surroundings): void {
    if (!hasParameters) return;
    const what = `${this.sexprs.atom(place)} in a definition with parameters (functions that change)`;
    throw this.sexprs.error(place, SYSTEMS.refusal(what));
  }

  private refuse(place: Node, keyword: string): void {
    if (LIVENESS.test(keyword)) {
      throw this.sexprs.error(
        place,
        `${keyword} is not supported: only invariants (:invar-property) are checked, not liveness`,
      );
    }
    if (PROTOCOLS.has(keyword)) {
      throw this.sexprs.error(place, `${keyword} is not supported: it belongs to a dialect of VMT`);
    }
  }
}
