/** Random Horn clauses with loops in which places move: something for analyses of values to find, small enough to enumerate. */
import type { Random } from '../support/random.ts';

/** Two loops, one after the other, in which places move, with random conditions. */
export function randomLoops(random: Random): string {
  const width = 2 + random.below(2);
  const bits = (n: number) => `#b${(n % 2 ** width).toString(2).padStart(width, '0')}`;
  const variables = ['x', 'y', 'z'].slice(0, width === 3 ? 2 : 3);
  const sort = `(_ BitVec ${width})`;
  const all = `(${variables.map(v => `(${v} ${sort})`).join(' ')})`;
  const constant = () => bits(random.below(2 ** width));
  const term = (): string => {
    const v = random.pick(variables);
    return random.pick([
      v,
      v,
      constant(),
      `(bvadd ${v} ${random.pick(variables)})`,
      `(bvsub ${v} ${random.pick(variables)})`,
      `(bvmul ${constant()} ${v})`,
      `(bvand ${v} ${random.pick(variables)})`,
    ]);
  };
  const condition = (): string =>
    random.pick([
      `(bvult ${term()} ${term()})`,
      `(bvslt ${term()} ${constant()})`,
      `(not (bvslt ${term()} ${term()}))`,
      `(= ${term()} ${term()})`,
      `(not (= ${term()} ${constant()}))`,
      `(or (bvult ${term()} ${constant()}) (bvslt ${constant()} ${term()}))`,
      'true',
    ]);
  const clause = (body: string, head: string) =>
    `(assert (forall ${all} (=> (and ${body} ${condition()} ${condition()}) ${head})))`;
  const state = (r: string) => `(${r} ${variables.join(' ')})`;
  const moved = (v: string) => (random.chance(0.8) ? random.pick([v, `(bvadd ${constant()} ${v})`]) : term());
  const lines = ['A', 'B'].map(r => `(declare-fun ${r} (${variables.map(() => sort).join(' ')}) Bool)`);
  lines.push(
    clause('true', `(A ${variables.map(() => (random.chance(0.7) ? constant() : term())).join(' ')})`),
  );
  for (const r of ['A', 'B'])
    for (let i = 1 + random.below(2); i > 0; i--)
      lines.push(clause(state(r), `(${r} ${variables.map(moved).join(' ')})`));
  lines.push(clause(state('A'), `(B ${variables.map(() => term()).join(' ')})`));
  if (random.chance(0.3)) lines.push(clause(state('B'), state('A')));
  lines.push(clause(state('B'), 'false'));
  return lines.join('\n');
}
