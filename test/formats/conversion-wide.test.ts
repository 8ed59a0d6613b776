/**
 * Conversions of systems that are too wide for enumeration, by the concrete solver. Clauses and VMT have a formula for what
 * the system has a formula for, with the same inputs, so the two must be equal. BTOR2 has other inputs, so each of the two
 * is asked for examples of what it allows, and the other one whether it allows them, too.
 */
import t from 'tap';
import type { ConcreteModel } from '../../src/bv/model.ts';
import { ConcreteSolver } from '../../src/bv/solver.ts';
import type { Property, System } from '../../src/core/problem/system.ts';
import { readBtor2 } from '../../src/formats/btor2/reader.ts';
import { writeBtor2 } from '../../src/formats/btor2/writer.ts';
import { type Clause, isAtom } from '../../src/formats/horn/problem.ts';
import { readHorn } from '../../src/formats/horn/reader.ts';
import { writeHorn } from '../../src/formats/horn/writer.ts';
import { readVmt } from '../../src/formats/vmt/reader.ts';
import { writeVmt } from '../../src/formats/vmt/writer.ts';
import { termOfValue } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { HandMade } from '../core/hand-made.ts';
import { loadedBackEnd } from '../support/checking.ts';
import { type Random, seeded } from '../support/random.ts';

const heavy = await loadedBackEnd();

/** Systems of many bits, with guards and relations of every kind. */
const WIDE: readonly (readonly [name: string, text: string])[] = [
  [
    'a program',
    `(declare-const pc (_ BitVec 4)) (declare-const pc.next (_ BitVec 4))
     (declare-const x (_ BitVec 16)) (declare-const x.next (_ BitVec 16))
     (declare-const y (_ BitVec 16)) (declare-const y.next (_ BitVec 16))
     (declare-const i (_ BitVec 16)) (declare-const j (_ BitVec 16)) (declare-const k Bool)
     (assert (! (and (= pc #x0) (bvult x y) (= (bvand y #x00ff) #x0010)) :named init))
     (assert (! (or
       (and (= pc #x0) (= (bvlshr i #x0000) #x0102) (= pc.next #x1) (= x.next i) (= y.next (bvadd y j)))
       (and (= pc #x1) (= (bvadd i x) (bvmul y #x0003)) (= (bvmul j #x0002) i) (= pc.next #x2) (= x.next j))
       (and (= pc #x1) k (= i j) (= (bvxor i j) x) (= pc.next #x0) (= y.next y) (= x.next (bvnot i)))
       (and (= pc #x2) (bvugt x.next y.next) (= (concat ((_ extract 7 0) i) ((_ extract 15 8) j)) x) (= pc.next pc))
       (and (= pc #x2) (= i #x0001) (= i #x0002) (= pc.next #xf) (= x.next x) (= y.next y))) :named trans))
     (assert (! (bvule x y) :named property-order)) (assert (! (=> k (distinct i x)) :named property-input))`,
  ],
  [
    'constraints over inputs that the steps use',
    `(declare-const x (_ BitVec 32)) (declare-const x.next (_ BitVec 32)) (declare-const i (_ BitVec 32))
     (declare-const b Bool) (declare-const b.next Bool) (declare-const j (_ BitVec 8))
     (assert (! (= x #x00000001) :named init))
     (assert (! (and (= i (bvadd x ((_ zero_extend 24) j))) (= x.next (bvmul i #x00000005)) (=> b.next b)) :named trans))
     (assert (! (bvult i #x00010000) :named constraint-small)) (assert (! (or b (distinct j #x00)) :named constraint-moves))
     (assert (! (distinct x #x0000ffff) :named property-x)) (assert (! (bvule i x) :named property-i))`,
  ],
  [
    'arrays',
    `(declare-const m (Array (_ BitVec 4) (_ BitVec 8))) (declare-const m.next (Array (_ BitVec 4) (_ BitVec 8)))
     (declare-const p (_ BitVec 4)) (declare-const p.next (_ BitVec 4)) (declare-const d (_ BitVec 8))
     (declare-const q (_ BitVec 4))
     (assert (! (and (= m ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00)) (bvult p #x8)) :named init))
     (assert (! (and (= m.next (store m p d)) (= (select m q) (bvadd d #x01)) (distinct p.next p)) :named trans))
     (assert (! (= (select m #xf) #x00) :named property-last)) (assert (! (bvult d (select m p)) :named property-read))`,
  ],
];

/** A model of all of this, if there is one. */
function modelOf(terms: TermStore, formulas: readonly TermId[]): ConcreteModel | undefined {
  const solver = new ConcreteSolver(terms, { backEnd: heavy.backEnd });
  for (const f of formulas) solver.assert(f);
  return solver.solve() === 'sat' ? solver.model() : undefined;
}

/** Do two formulas mean the same where variables are the same? */
function isSame(
  terms: TermStore,
  a: TermId,
  b: TermId,
  pairs: readonly (readonly [TermId, TermId])[],
): boolean {
  const equations = pairs.map(([v, w]) => terms.eq(v, w));
  return modelOf(terms, [...equations, terms.not(terms.eq(a, b))]) === undefined;
}

const paired = (a: readonly TermId[], b: readonly TermId[]) => a.map((v, i) => [v, b[i]] as const);

t.test('wide systems as VMT and as clauses, by the concrete solver', t => {
  for (const [name, text] of WIDE) {
    const { system } = new HandMade(text);
    const { terms, states, inputs, constraints } = system;
    const copy = readVmt(terms, 'a.vmt', writeVmt(system), { strict: true, warn: t.fail });
    const pairs = [
      ...paired(
        states.flatMap(s => [s.current, s.next]),
        copy.states.flatMap(s => [s.current, s.next]),
      ),
      ...paired(inputs, copy.inputs),
    ];
    t.ok(isSame(terms, system.init, copy.init, pairs), `${name}: initial states`);
    t.ok(isSame(terms, terms.and([...constraints, system.trans]), copy.trans, pairs), `${name}: steps`);
    const violation = ({ formula }: Property) => terms.and([...constraints, terms.not(formula)]);
    system.properties.forEach((p, i) => {
      t.ok(
        isSame(terms, violation(p), terms.not(copy.properties[i].formula), pairs),
        `${name}: property ${i}`,
      );
    });

    const { clauses } = readHorn(terms, 'a.smt2', writeHorn(system));
    const [start, step, ...queries] = clauses;
    const nameOf = (v: TermId) => terms.nameOf(v);
    /** The variables of a clause are its arguments and inputs, which keep their names. */
    const pairsOf = ({ bodies, head, variables }: Clause) => {
      const places = new Map<TermId, TermId>();
      bodies[0]?.args.forEach((a, i) => void places.set(a, states[i].current));
      if (isAtom(head))
        head.args.forEach(
          (a, i) => void places.set(a, bodies.length === 0 ? states[i].current : states[i].next),
        );
      return variables.map(v => {
        return [v, places.get(v) ?? (inputs.find(i => nameOf(i) === nameOf(v)) as TermId)] as const;
      });
    };
    const says = (clause: Clause, formula: TermId) =>
      isSame(terms, clause.constraint, formula, pairsOf(clause));
    t.ok(says(start, system.init), `${name}: initial states, as a clause`);
    t.ok(says(step, terms.and([...constraints, system.trans])), `${name}: steps, as a clause`);
    t.same(
      queries.map((q, i) => says(q, violation(system.properties[i]))),
      system.properties.map(() => true),
      `${name}: violations, as clauses`,
    );
  }
  t.end();
});

/** Equations that give variables the values that a model has for others. */
function fixed(
  terms: TermStore,
  model: ConcreteModel,
  pairs: readonly (readonly [TermId, TermId])[],
): TermId[] {
  return pairs.map(([v, w]) => terms.eq(w, termOfValue(terms, terms.sort(v), model.value(v))));
}

/** Some bits of some variables, at random. */
function pinned(terms: TermStore, variables: readonly TermId[], random: Random): TermId[] {
  return variables.flatMap(v => {
    const width = terms.width(v);
    if (width === 0 || random.chance(0.3)) return [];
    const low = random.below(width);
    const high = Math.min(width - 1, low + random.below(4));
    const value = terms.bv(high - low + 1, random.below(2 ** (high - low + 1)));
    return [terms.eq(terms.app(Op.EXTRACT, [v], [high, low]), value)];
  });
}

/** What a system and its copy in BTOR2 say of one thing, and the variables of each that it is about. */
interface Aspect {
  readonly what: string;
  readonly ours: readonly TermId[];
  readonly theirs: readonly TermId[];
  readonly pairs: readonly (readonly [ours: TermId, theirs: TermId])[];
}

function aspects(system: System, copy: System): Aspect[] {
  const { terms, states, properties } = system;
  const nameOf = (v: TermId) => terms.nameOf(v);
  const extra = (name: string) => copy.states.slice(states.length).filter(s => nameOf(s.current) === name);
  const valid = extra('valid');
  const later = [...valid.map(s => s.current), ...extra('first').map(s => terms.not(s.current))];
  const current = states.map((s, i) => [s.current, copy.states[i].current] as const);
  const next = states.map((s, i) => [s.next, copy.states[i].next] as const);
  return [
    {
      what: 'initial states',
      ours: [system.init, ...system.constraints],
      theirs: [copy.init, ...copy.constraints],
      pairs: current,
    },
    {
      what: 'steps',
      ours: [system.trans, ...system.constraints],
      theirs: [copy.trans, ...copy.constraints, ...later, ...valid.map(s => s.next)],
      pairs: [...current, ...next],
    },
    ...properties.map(({ formula }, i) => ({
      what: `violations of property ${i}`,
      ours: [terms.not(formula), ...system.constraints],
      theirs: [terms.not(copy.properties[i].formula), ...copy.constraints, ...later],
      pairs: current,
    })),
  ];
}

const EXAMPLES_OF_EACH = 12;

t.test('wide systems as BTOR2: what one allows, the other allows', t => {
  const random = seeded(t);
  for (const [name, text] of WIDE) {
    const { system } = new HandMade(text);
    const { terms } = system;
    const copy = readBtor2(terms, 'a.btor2', writeBtor2(system));
    for (const { what, ours, theirs, pairs } of aspects(system, copy)) {
      const turned = pairs.map(([v, w]) => [w, v] as const);
      for (const [who, asked, other, variables] of [
        ['the system', ours, theirs, pairs],
        ['the circuit', theirs, ours, turned],
      ] as const) {
        let examples = 0;
        for (let i = 0; i < EXAMPLES_OF_EACH; i++) {
          const pins =
            i === 0
              ? []
              : pinned(
                  terms,
                  variables.map(([v]) => v),
                  random,
                );
          const model = modelOf(terms, [...asked, ...pins]);
          if (model === undefined) continue;
          examples++;
          if (modelOf(terms, [...other, ...fixed(terms, model, variables)]) === undefined)
            t.fail(`${name}: ${what} of ${who} are none of the other`);
        }
        t.ok(examples > 0, `${name}: ${examples} ${what} of ${who}`);
      }
    }
  }
  t.end();
});
