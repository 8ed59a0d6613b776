/** The abstract solver against Ackermann's expansion: answers, cores, and every clause that the theory contributes. */
import { loadCadical } from 'cadical-wasm';
import { EufSolver } from '../../src/euf/solver.ts';
import { Op } from '../../src/term/operators.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { Ackermann } from '../support/ackermann.ts';
import { caught, probeRandom } from './probe.ts';

const random = probeRandom();
const module = await loadCadical();

/** Atoms over a few variables, constants of two bits, a function of one argument and one of two, and a predicate. */
function randomAtoms(terms: TermStore): TermId[] {
  const { sorts } = terms;
  const bv = sorts.bitVec(2);
  const one = terms.declare('f', [bv], bv);
  const two = terms.declare('g', [bv, bv], bv);
  const holds = terms.declare('p', [bv, bv], sorts.bool);
  const leaves = [...['x', 'y', 'z'].map(n => terms.variable(n, bv)), terms.bv(2, 1), terms.bv(2, 2)];
  const pick = () => random.pick(leaves);
  const makers = [
    () => terms.apply(one, [pick()]),
    () => terms.apply(two, [pick(), pick()]),
    () => terms.app(Op.BVADD, [pick(), pick()]),
  ];
  // Few functions on few arguments, so that arguments become equal.
  const applications = Array.from({ length: 3 }, () => random.pick(makers)).flatMap(make => [make(), make()]);
  const pool = [...leaves, ...applications];
  return Array.from({ length: 12 }, (_, i) => {
    if (i < 5) return terms.eq(pick(), pick());
    if (i < 6) return terms.apply(holds, [pick(), pick()]);
    if (i < 7) return terms.app(Op.BVULT, [pick(), pick()]);
    return terms.eq(random.pick(pool), random.pick(applications));
  });
}

function isSatisfiable(terms: TermStore, evaluateConstants: boolean, formulas: readonly TermId[]): boolean {
  const ackermann = new Ackermann(terms, module, evaluateConstants, formulas);
  const answer = ackermann.isSatisfiable(formulas);
  ackermann.dispose();
  return answer;
}

for (let round = 0; round < 150; round++) {
  const terms = new TermStore();
  const evaluateConstants = random.chance(0.7);
  const atoms = randomAtoms(terms);
  const literal = () => (random.chance(0.5) ? random.pick(atoms) : terms.not(random.pick(atoms)));
  const lemmas: (readonly TermId[])[] = [];
  const solver = new EufSolver(terms, { evaluateConstants, onLemma: clause => lemmas.push([...clause]) });
  const asserted: TermId[] = [];
  for (let call = 0; call < 3; call++) {
    for (let i = 0; i < 2; i++) asserted.push(terms.or([literal(), literal()]));
    for (const f of asserted.slice(-2)) solver.assert(f);
    const assumptions = Array.from({ length: 4 }, literal);
    const expected = isSatisfiable(terms, evaluateConstants, [...asserted, ...assumptions]) ? 'sat' : 'unsat';
    const answer = solver.solve(assumptions);
    if (answer !== expected) caught(`round ${round}: ${answer} instead of ${expected}`);
    if (answer === 'sat') {
      const model = solver.model();
      const isModel = [...asserted, ...assumptions].every(f => model.isTrue(f));
      if (!isModel) caught(`round ${round}: the model does not satisfy the formulas`);
    } else if (isSatisfiable(terms, evaluateConstants, [...asserted, ...solver.core()])) {
      caught(`round ${round}: the core can be satisfied`);
    }
  }
  for (const clause of lemmas.slice(0, 12)) {
    const negation = clause.map(l => terms.not(l));
    if (isSatisfiable(terms, evaluateConstants, negation))
      caught(`round ${round}: a clause of the theory is not valid`);
  }
}
