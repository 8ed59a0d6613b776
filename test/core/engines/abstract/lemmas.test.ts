// SOMEBODY ELSE IS MIGRATING THIS FILE NOW: leave it alone (remove this line when done)
/** What refinement learns beside cores: laws and circuits are valid formulas, and laws replace the lemmas they imply. */
import t from 'tap';
import { Concretizer } from '../../src/core/engines/abstract/refine/concretize.ts';
import { instancesAbout, Laws } from '../../src/core/engines/abstract/refine/laws.ts';
import { printTerm } from '../../src/term/printer.ts';
import { Rewriter } from '../../src/term/rewrite/rewriter.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { seeded } from '../support/random.ts';
import { assertionsOf, isValid } from '../support/smtlib.ts';
import { growPool } from '../support/terms.ts';

/** Random formulas over a few small variables, so that every assignment can be tried. */
function randomFormulas(terms: TermStore, random: Parameters<typeof growPool>[1], width: number): TermId[] {
  const { sorts } = terms;
  const word = sorts.bitVec(width);
  const variables = [
    ...['x', 'y', 'z'].map(name => terms.variable(name, word)),
    ...(width <= 2 ? [terms.variable('a', sorts.array(word, word))] : []),
  ];
  const constants = [0, 1, 2, -1].map(c => terms.bv(width, c));
  const pool = growPool(terms, random, [...variables, ...constants], 60, 2 * width);
  const rewriter = new Rewriter(terms);
  return pool.filter(f => terms.sort(f) === sorts.bool).map(f => rewriter.rewrite(f));
}

t.test('instances of laws are valid, whatever terms they are about', t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < 120; round++) {
    const terms = new TermStore();
    for (const formula of randomFormulas(terms, random, 1 + (round % 3)).slice(0, 12)) {
      for (const law of instancesAbout(terms, formula)) {
        count++;
        if (!isValid(terms, law)) t.fail(`not valid: ${printTerm(terms, law)}`);
      }
    }
  }
  t.ok(count > 300, `${count} instances`);
  t.end();
});

t.test('what a concrete operation is said to mean is valid', t => {
  const random = seeded(t);
  let count = 0;
  for (let round = 0; round < 120; round++) {
    const terms = new TermStore();
    const concretizer = new Concretizer(new Rewriter(terms), [], 1);
    for (const formula of randomFormulas(terms, random, 1 + (round % 3)).slice(0, 12)) {
      for (const meaning of concretizer.note(formula)) {
        count++;
        if (!isValid(terms, meaning)) t.fail(`not valid: ${printTerm(terms, meaning)}`);
      }
    }
  }
  t.ok(count > 300, `${count} formulas`);
  t.end();
});

/** Lemmas with whether laws imply them. */
const LEMMAS: readonly (readonly [name: string, lemma: string, isImplied: boolean])[] = [
  ['an order has no circle of two', '(not (and (bvult x y) (bvult y x)))', true],
  ['an order is total', '(or (bvult x y) (bvult y x) (= x y))', true],
  ['an order is transitive', '(=> (and (bvult x y) (bvult y z)) (bvult x z))', true],
  ['a bound carries over to a higher one', '(=> (bvult x #x05) (bvult x #x09))', true],
  ['a bound does not carry over to a lower one that is compared', '(=> (= x #x03) (bvslt x #x07))', false],
  ['x + 1 is not x', '(=> (= y (bvadd x #x01)) (not (= y x)))', true],
  ['nothing lies between x and x + 1', '(not (and (bvult x y) (bvult y (bvadd x #x01))))', true],
  ['sums cancel', '(=> (and (= v (bvadd x y)) (= v (bvadd x z))) (= y z))', true],
  ['x + 1 + 1', '(=> (= y (bvadd x #x01)) (= (bvadd y #x01) (bvadd x #x02)))', true],
  ['what was written is read', '(=> (= b (store a i v)) (= (select b i) v))', true],
  [
    'what was not written is as before',
    '(=> (and (= b (store a i v)) (not (= i j))) (= (select b j) (select a j)))',
    true,
  ],
  [
    'a product is not commutative beyond the normal form',
    '(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z)))',
    false,
  ],
];

t.test('laws take the place of the lemmas that they imply', t => {
  const declarations = `
    (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
    (declare-const a (Array (_ BitVec 8) (_ BitVec 8))) (declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
    (declare-const i (_ BitVec 8)) (declare-const j (_ BitVec 8)) (declare-const v (_ BitVec 8))`;
  for (const [name, text, isImplied] of LEMMAS) {
    const terms = new TermStore();
    const [lemma] = assertionsOf(terms, `${declarations} (assert ${text})`);
    const laws = new Laws(terms, true, {}).implying(new Rewriter(terms).rewrite(lemma));
    t.equal(laws !== undefined, isImplied, name);
  }
  t.end();
});
