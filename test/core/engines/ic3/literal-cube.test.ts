import t from 'tap';
import { type Cube, cubeOf, subsumes, without } from '../../../../src/core/engines/ic3/literal-cube.ts';
import { seeded } from '../../../support/random.ts';

t.test('a cube subsumes another if its literals are among the other ones', t => {
  const random = seeded(t);
  const draw = (size: number): Cube => {
    const signs = new Map(Array.from({ length: size }, () => [1 + random.below(60), random.below(2)]));
    return cubeOf([...signs].map(([latch, sign]) => 2 * latch + sign));
  };
  let positive = 0;
  for (let round = 0; round < 2000; round++) {
    const b = draw(1 + random.below(12));
    const a = random.chance(0.5) ? cubeOf(b.literals.filter(() => random.chance(0.7))) : draw(2);
    const expected = [...a.literals].every(l => b.literals.includes(l));
    if (expected) positive++;
    if (subsumes(a, b) !== expected) t.fail(`${[...a.literals]} and ${[...b.literals]}`);
  }
  t.ok(positive > 500);
  t.end();
});

t.test('without one of its literals a cube is a larger set', t => {
  const cube = cubeOf([9, 2, 5]);
  const larger = without(cube, 5);
  t.same([...larger.literals], [2, 9]);
  t.ok(subsumes(larger, cube));
  t.notOk(subsumes(cube, larger));
  t.end();
});
