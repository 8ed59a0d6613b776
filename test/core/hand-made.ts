/**
 * Systems written as SMT-LIB text, for tests. A constant with a partner `NAME.next` is a state variable, any other an
 * input. Named assertions are the parts of the system: init, trans, constraint…, property…; all others are there to be
 * asked for by name, such as invariants and lemmas.
 */
import { type Derivation, NO_FUNCTIONS, type Step } from '../../src/core/problem/derivation.ts';
import type { Property, System } from '../../src/core/problem/system.ts';
import { SystemProblem } from '../../src/core/problem/system-problem.ts';
import type { SystemProof } from '../../src/core/problem/system-proof.ts';
import type { Trace, TraceStep } from '../../src/core/problem/trace.ts';
import { ScriptReader } from '../../src/formats/smtlib/script.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import type { Value } from '../../src/term/value.ts';

export class HandMade {
  readonly terms = new TermStore();
  readonly system: System;
  /** The system as a problem. */
  readonly asProblem: SystemProblem;
  private readonly variables = new Map<string, TermId>();
  private readonly formulas = new Map<string, TermId>();

  constructor(text: string) {
    this.read(text);
    const { terms, variables } = this;
    const isNext = (name: string) => name.endsWith('.next');
    const current = [...variables].filter(([name]) => !isNext(name));
    const part = (prefix: string) => [...this.formulas].filter(([name]) => name.startsWith(prefix));
    this.system = {
      terms,
      states: current.flatMap(([name, variable]) => {
        const next = variables.get(`${name}.next`);
        return next === undefined ? [] : [{ current: variable, next }];
      }),
      inputs: current.filter(([name]) => !variables.has(`${name}.next`)).map(([, variable]) => variable),
      init: this.formula('init'),
      trans: this.formula('trans'),
      constraints: part('constraint').map(([, f]) => f),
      properties: part('property').map(([name, formula], index) => ({ index, formula, name })),
    };
    this.asProblem = new SystemProblem(this.system);
  }

  private read(text: string): void {
    const { terms } = this;
    const reader = new ScriptReader(terms, 'hand-made', text);
    for (let c = reader.next(); c !== undefined; c = reader.next()) {
      if (c.kind === 'assert' && c.name !== undefined) this.formulas.set(c.name, c.term);
      if (c.kind !== 'declaration' || c.declared === undefined) continue;
      const { name, parameters } = terms.symbol(c.declared);
      if (parameters.length === 0) this.variables.set(name, terms.apply(c.declared, []));
    }
  }

  get property(): Property {
    return this.system.properties[0];
  }

  formula(name: string): TermId {
    const formula = this.formulas.get(name);
    if (formula === undefined) throw new Error(`no formula is named ${name}`);
    return formula;
  }

  variable(name: string): TermId {
    return this.variables.get(name) as TermId;
  }

  proof(invariant: string, ...lemmas: string[]): SystemProof {
    return this.kInductive(0, invariant, ...lemmas);
  }

  /** A proof in which a violation is excluded only after so many states without one. */
  kInductive(k: number, invariant: string, ...lemmas: string[]): SystemProof {
    return { invariant: this.formula(invariant), lemmas: lemmas.map(l => this.formula(l)), k };
  }

  trace(steps: readonly Readonly<Record<string, Value>>[], functionValue?: Trace['functionValue']): Trace {
    return {
      steps: steps.map(
        (step): TraceStep =>
          new Map(Object.entries(step).map(([name, value]) => [this.variable(name), value])),
      ),
      functionValue: functionValue ?? NO_FUNCTIONS,
    };
  }

  /** A run, or what is meant to look like one, as the derivation that it is if it violates a property. */
  derivation({ steps, functionValue }: Trace, property = 0): Derivation {
    const [start, step, ...queries] = this.asProblem.problem.edges;
    const nextValues = (after: TraceStep | undefined): [TermId, Value][] =>
      this.system.states.flatMap(({ current, next }) => {
        const value = after?.get(current);
        return value === undefined ? [] : [[next, value]];
      });
    const first: Step = { edge: start, values: new Map(nextValues(steps[0])), premises: [] };
    const rest = steps.map(
      (values, i): Step => ({
        edge: i + 1 < steps.length ? step : queries[property],
        values: new Map([...values, ...nextValues(steps[i + 1])]),
        premises: [i],
      }),
    );
    return { steps: steps.length === 0 ? [] : [first, ...rest], functionValue };
  }
}

/** Counts to nine and starts again, when told to go. Safe: it never reaches ten. Unsafe: it never reaches two. */
export const COUNTER = `
  (declare-const x (_ BitVec 8)) (declare-const x.next (_ BitVec 8)) (declare-const go Bool)
  (assert (! (= x #x00) :named init))
  (assert (! (= x.next (ite go (ite (= x #x09) #x00 (bvadd x #x01)) x)) :named trans))
  (assert (! (not (= x #x0a)) :named property-never-ten))
  (assert (! (not (= x #x02)) :named property-never-two))
  (assert (! (bvult x #x0a) :named below-ten))
  (assert (! (bvult x #x09) :named below-nine))
  (assert (! (bvult x #xff) :named below-255))
  (assert (! (bvuge x #x00) :named anything))
  (assert (! (and (bvult x #x0a) go) :named about-input))
  (assert (! (and (bvult x #x0a) (bvult x.next #x0a)) :named about-next))
  (assert (! (or (not (bvult x #x0a)) (= x #x09) (bvult (bvadd x #x01) #x0a)) :named lemma-step))
  (assert (! (or (not (bvult x #x0a)) (bvult (bvadd x #x01) #x0a)) :named lemma-false))
`;

/** Two processes and a token that says who may enter; two multipliers that a solver of bits should not have to see. */
export const MUTEX = `
  (declare-const p (_ BitVec 2)) (declare-const p.next (_ BitVec 2))
  (declare-const q (_ BitVec 2)) (declare-const q.next (_ BitVec 2))
  (declare-const turn Bool) (declare-const turn.next Bool)
  (declare-const v (_ BitVec 64)) (declare-const v.next (_ BitVec 64))
  (declare-const w (_ BitVec 64)) (declare-const w.next (_ BitVec 64))
  (declare-const who Bool)
  (assert (! (and (= p #b00) (= q #b00) (= v w)) :named init))
  (assert (! (and
    (= p.next (ite who p (ite (= p #b00) #b01 (ite (= p #b01) (ite turn #b10 p) #b00))))
    (= q.next (ite who (ite (= q #b00) #b01 (ite (= q #b01) (ite turn q #b10) #b00)) q))
    (= turn.next (ite (and (not who) (= p #b10)) false (ite (and who (= q #b10)) true turn)))
    (= v.next (bvmul (bvmul v v) (bvudiv v #x0000000000000003)))
    (= w.next (bvmul (bvmul w w) (bvudiv w #x0000000000000003)))) :named trans))
  (assert (! (not (and (= p #b10) (= q #b10))) :named property-exclusion))
  (assert (! (= v w) :named property-equal))
  (assert (! (and (= v w) (=> (= p #b10) turn) (=> (= q #b10) (not turn))) :named invariant))
  (assert (! (and (= v w) (=> (= p #b10) turn)) :named missing-conjunct))
  (assert (! (and (= v w) (=> (= p #b10) turn) (=> (= q #b10) (not turn)) turn) :named not-initial))
  (assert (! (not (and (= p #b10) (= q #b10))) :named not-inductive))
`;

/** A memory that is zero at first and is written at one address per step, never at address 3. */
export const MEMORY = `
  (declare-const m (Array (_ BitVec 2) (_ BitVec 4))) (declare-const m.next (Array (_ BitVec 2) (_ BitVec 4)))
  (declare-const at (_ BitVec 2)) (declare-const data (_ BitVec 4))
  (assert (! (= m ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0)) :named init))
  (assert (! (= m.next (ite (= at #b11) m (store m at data))) :named trans))
  (assert (! (= (select m #b11) #x0) :named property-kept))
  (assert (! (not (= (select m #b10) #x7)) :named property-seven))
  (assert (! (= (select m #b11) #x0) :named invariant))
  (assert (! (= (select m #b10) #x0) :named wrong))
  (assert (! (= (select ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x0) #b11) #x0) :named lemma-constant))
  (assert (! (or (= at #b11) (= (select (store m at data) #b11) (select m #b11))) :named lemma-store))
`;

/** A property of inputs, which a constraint makes true: the request must be the state, and the state is odd. */
export const REQUEST = `
  (declare-const s (_ BitVec 4)) (declare-const s.next (_ BitVec 4)) (declare-const r (_ BitVec 4))
  (assert (! (= s #x1) :named init))
  (assert (! (= s.next (bvadd r #x2)) :named trans))
  (assert (! (= r s) :named constraint-same))
  (assert (! (= ((_ extract 0 0) r) #b1) :named property-odd))
  (assert (! (not (= r #x5)) :named property-not-five))
  (assert (! (= ((_ extract 0 0) s) #b1) :named invariant))
`;

/** Relational: the next state is one larger or one smaller, and always another one; no step leaves 15. */
export const WALK = `
  (declare-sort Token 0) (declare-fun owner ((_ BitVec 4)) Token)
  (declare-const s (_ BitVec 4)) (declare-const s.next (_ BitVec 4))
  (declare-const t Token) (declare-const t.next Token)
  (assert (! (and (bvule #x4 s) (bvule s #x6) (= t (owner s))) :named init))
  (assert (! (and (or (= s.next (bvadd s #x1)) (= s.next (bvsub s #x1))) (not (= s #xf)) (= t.next (owner s.next)))
    :named trans))
  (assert (! (= t (owner s)) :named property-owner))
  (assert (! (not (= s #x8)) :named property-eight))
  (assert (! (= t (owner s)) :named invariant))
`;

/** Two products that differ in the order of factors stay the same, whatever the mode. */
export const PRODUCTS = `
  (declare-const v (_ BitVec 64)) (declare-const v.next (_ BitVec 64))
  (declare-const w (_ BitVec 64)) (declare-const w.next (_ BitVec 64))
  (declare-const mode Bool) (declare-const mode.next Bool) (declare-const u (_ BitVec 64))
  (assert (! (= v w) :named init))
  (assert (! (and (= v.next (bvmul (bvudiv v u) u)) (= w.next (bvmul u (bvudiv w u)))) :named trans))
  (assert (! (= v w) :named property-equal))
  (assert (! (and (=> mode (= v w)) (or mode (= w v))) :named invariant))
`;
