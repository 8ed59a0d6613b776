/**
 * Random programs of functions that call each other, none of them itself, as Horn clauses over few bits: each function has an
 * argument and a variable, begins, goes around a few loops, calls functions with smaller numbers, and returns.
 */

import type { Question } from '../../src/formats/question.ts';
import { readQuestion } from '../../src/formats/read.ts';
import type { Random } from '../support/random.ts';

const FUNCTIONS = 3; // the last one is what the program begins with

export function randomCalls(random: Random, width: number): Question {
  const word = `(_ BitVec ${width})`;
  const constant = (value: number) => `(_ bv${value % 2 ** width} ${width})`;
  const term = (variables: readonly string[]): string => {
    const v = random.pick(variables);
    const w = random.pick([...variables, constant(1), constant(2)]);
    return random.pick([v, constant(0), `(bvadd ${v} ${w})`, `(bvand ${v} ${w})`, `(bvxor ${v} ${w})`]);
  };
  const condition = (variables: readonly string[]): string => {
    const a = random.pick(variables);
    const b = random.pick([...variables.filter(v => v !== a), constant(1)]);
    return random.pick(['true', `(bvult ${a} ${b})`, `(not (= ${a} ${b}))`, `(bvule ${a} ${b})`]);
  };
  const clauses: string[] = [];
  const clause = (body: readonly string[], head: string) => {
    const names = ['a', 'x', 'r', 'q'].map(v => `(${v} ${word})`).join(' ');
    clauses.push(`(assert (forall (${names}) (=> (and true ${body.join(' ')}) ${head})))`);
  };
  for (let f = 0; f < FUNCTIONS; f++) {
    const points = random.below(2) + 1;
    const at = (l: number, x: string, a = 'a') => `(L${f}.${l} ${a} ${x})`;
    clause([], at(0, term(['a'])));
    for (let n = points + random.below(2); n >= 0; n--) {
      const [from, to] = [random.below(points), random.below(points)];
      const calls = f === 0 ? 0 : random.below(3);
      const callee = () => `F${random.below(f)}`;
      const bodies = [
        at(from, 'x'),
        ...(calls > 0 ? [`(${callee()} ${term(['a', 'x'])} r)`] : []),
        ...(calls > 1 ? [`(${callee()} ${term(['a', 'x', 'r'])} q)`] : []),
      ];
      const known = ['a', 'x', ...(calls > 0 ? ['r'] : []), ...(calls > 1 ? ['q'] : [])];
      clause([...bodies, condition(known)], at(to, term(known), random.chance(0.8) ? 'a' : 'x'));
    }
    if (f + 1 < FUNCTIONS)
      clause([at(points - 1, 'x'), condition(['a', 'x'])], `(F${f} a ${term(['a', 'x'])})`);
    else clause([at(points - 1, 'x'), `(F${random.below(f)} x r)`, `(= r ${term(['a', 'x'])})`], 'false');
  }
  const relations = new Set(clauses.flatMap(c => c.match(/[FL]\d(\.\d)?/g) ?? []));
  const declared = [...relations].map(r => `(declare-fun ${r} (${word} ${word}) Bool)`);
  const text = ['(set-logic HORN)', ...declared, ...clauses, '(check-sat)'].join('\n');
  return readQuestion('calls.smt2', text, { strict: true, warn: () => {} });
}
