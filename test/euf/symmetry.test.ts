/** Symmetry breaking keeps what is satisfiable satisfiable, and applies where it should. */
import { loadCadical } from 'cadical-wasm';
import t from 'tap';
import { symmetryBreakers } from '../../src/euf/symmetry.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { substitute } from '../../src/term/substitute.ts';
import { Ackermann } from '../support/ackermann.ts';
import { seeded } from '../support/random.ts';
import { assertionsOf } from '../support/smtlib.ts';

const module = await loadCadical();

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((x, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map(rest => [x, ...rest]),
  );
}

t.test('formulas that are made symmetric stay satisfiable exactly if they were', t => {
  const random = seeded(t);
  const counts = { sat: 0, unsat: 0, broken: 0 };
  for (let round = 0; round < 150; round++) {
    const terms = new TermStore();
    const sort = terms.sorts.declare('S');
    const constants = Array.from({ length: 3 }, (_, i) => terms.variable(`c${i}`, sort));
    const others = Array.from({ length: 2 }, (_, i) => terms.variable(`x${i}`, sort));
    const f = terms.declare('f', [sort], sort);
    const g = terms.declare('g', [sort, sort], sort);
    const apply = (): TermId => {
      const leaf = () => random.pick([...constants, ...others]);
      if (random.chance(0.3)) return leaf();
      return random.chance(0.5) ? terms.apply(f, [leaf()]) : terms.apply(g, [leaf(), leaf()]);
    };
    const inRange = (x: TermId) => terms.or(constants.map(c => terms.eq(x, c)));
    const formulas = [
      terms.app(Op.DISTINCT, constants),
      ...others.map(inRange),
      ...constants.map(c => inRange(terms.apply(f, [c]))),
      ...constants.flatMap(c => constants.map(d => inRange(terms.apply(g, [c, d])))),
    ];
    for (let i = 2 + random.below(3); i > 0; i--) {
      const literals = Array.from({ length: 1 + random.below(3) }, () => {
        const atom = terms.eq(apply(), apply());
        return random.chance(0.6) ? terms.not(atom) : atom;
      });
      const clause = terms.or(literals);
      // The conjunction over all renamings is symmetric by construction, now and then spoiled again.
      const renamed = permutations(constants).map(p =>
        substitute(terms, clause, new Map(constants.map((c, k) => [c, p[k]]))),
      );
      formulas.push(...(random.chance(0.1) ? [clause] : renamed));
    }
    const breakers = symmetryBreakers(terms, formulas);
    const isSatisfiable = (all: readonly TermId[]) => {
      const oracle = new Ackermann(terms, module, true, all);
      const answer = oracle.isSatisfiable(all);
      oracle.dispose();
      return answer;
    };
    const expected = isSatisfiable(formulas);
    counts[expected ? 'sat' : 'unsat']++;
    if (breakers.length > 0) counts.broken++;
    if (isSatisfiable([...formulas, ...breakers]) !== expected) {
      t.fail(
        `round ${round}: ${formulas.map(x => printTerm(terms, x))} with ${breakers.map(x => printTerm(terms, x))}`,
      );
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.sat > 10 && counts.unsat > 10 && counts.broken > 50, 'all cases occur');
  t.end();
});

t.test('where it applies', t => {
  const breakersOf = (text: string) => {
    const terms = new TermStore();
    const all = assertionsOf(
      terms,
      `(declare-sort S 0) (declare-const a S) (declare-const b S) (declare-const c S)
       (declare-const x S) (declare-const y S) (declare-fun p (S) Bool) ${text}`,
    );
    return symmetryBreakers(terms, all).map(s => printTerm(terms, s));
  };
  const range = '(assert (or (or (= x a) (= x b)) (= c x))) (assert (or (= y c) (= b y) (= y a)))';
  t.same(breakersOf(`${range} (assert (distinct a b c))`), ['(= x a)', '(or (= y a) (= y b))']);
  t.same(breakersOf(`${range} (assert (p a))`), ['(or (= x a) (= x b))'], 'b and c alone can be exchanged');
  t.same(breakersOf(`${range} (assert (p a)) (assert (not (p b)))`), [], 'nothing can be exchanged');
  t.same(breakersOf('(assert (distinct a b c))'), [], 'without a range there is nothing to break');
  t.end();
});
