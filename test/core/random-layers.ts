/**
 * Random Horn clauses in layers: a loop at the bottom, above it relations each of which is derived from those below, often from two
 * facts of one relation, by operators that cannot be inverted; so hardly any of them has a strongest model without quantifiers.
 */
import type { Question } from '../../src/formats/question.ts';
import { readQuestion } from '../../src/formats/read.ts';
import type { Random } from '../support/random.ts';

const LAYERS = 3;

export function randomLayers(random: Random, width: number): Question {
  const word = `(_ BitVec ${width})`;
  const constant = () => `(_ bv${random.below(2 ** width)} ${width})`;
  const term = (): string => {
    const [v, w] = [random.pick(['x', 'y']), random.pick(['x', 'y', constant()])];
    return random.pick([v, v, `(bvand ${v} ${w})`, `(bvmul ${v} ${w})`, `(bvadd ${v} ${w})`, constant()]);
  };
  const condition = () =>
    random.pick(['true', '(bvult x y)', '(not (= x y))', `(= y ${constant()})`, `(bvule x ${constant()})`]);
  const clauses: string[] = [];
  const clause = (body: readonly string[], head: string) => {
    clauses.push(`(assert (forall ((x ${word}) (y ${word})) (=> (and true ${body.join(' ')}) ${head})))`);
  };
  clause([], `(R0 ${constant()})`);
  clause(['(R0 x)', condition()], `(R0 ${term()})`);
  for (let layer = 1; layer <= LAYERS; layer++) {
    const below = () => `R${random.chance(0.8) ? layer - 1 : random.below(layer)}`;
    for (let ways = random.chance(0.7) ? 1 : 2; ways > 0; ways--) {
      const second = random.chance(0.8) ? [`(${below()} y)`] : [];
      clause([`(${below()} x)`, ...second, condition()], `(R${layer} ${term()})`);
    }
  }
  const asked = random.chance(0.5) ? `(not (= x ${constant()}))` : `(= x ${constant()})`;
  clause([`(R${LAYERS} x)`, `(R${random.below(LAYERS + 1)} y)`, condition(), condition(), asked], 'false');
  const declared = Array.from({ length: LAYERS + 1 }, (_, i) => `(declare-fun R${i} (${word}) Bool)`);
  const text = ['(set-logic HORN)', ...declared, ...clauses, '(check-sat)'].join('\n');
  return readQuestion('layers.smt2', text, { strict: true, warn: () => {} });
}
