/** IC3 over predicates against explicit search, with its options drawn at random; what it finds is checked. */
import { complete } from '../../src/sat/work.ts';
import { isUnsafe } from '../core/explicit.ts';
import { HandMade } from '../core/hand-made.ts';
import { counters } from '../core/random-counters.ts';
import { checkOf, questionOf } from '../support/checking.ts';
import { caught, lightOnly, probeRandom } from './probe.ts';

const random = probeRandom();
const heavy = await lightOnly();

/** Which way the second step goes is up to an input: a state that is lifted without it leads elsewhere as well. */
const CHOICE = `
  (declare-const x (_ BitVec 3)) (declare-const x.next (_ BitVec 3)) (declare-const go Bool)
  (declare-const y (_ BitVec 3)) (declare-const y.next (_ BitVec 3))
  (assert (! (and (= x #b000) (= y #b000)) :named init))
  (assert (! (and (= x.next (ite go (bvadd x #b001) y)) (= y.next (ite go x (bvadd y #b001)))) :named trans))
  (assert (! (not (and (= x #b110) (= y #b001))) :named property))`;

function expectTruth({ system, property }: HandMade, name: string): void {
  const engine = {
    ctg: random.chance(0.5),
    mining: random.chance(0.5),
    lazy: random.chance(0.5),
    geometric: random.chance(0.5),
  };
  const budget = { deadline: Date.now() + 30_000 };
  const check = checkOf(questionOf(system), heavy, { engines: ['predicates'], engine, budget });
  const verdict = complete(check.run());
  const expected = isUnsafe(system, property) ? 'unsafe' : 'safe';
  if (verdict.kind === expected) return;
  caught(`${name}: ${verdict.kind === 'unknown' ? verdict.text : verdict.kind}, but it is ${expected}`);
}

expectTruth(new HandMade(CHOICE), 'a choice');
for (let round = 0; round < 60; round++) expectTruth(counters(random), `round ${round}`);
