import t from 'tap';
import { Unrolling } from '../../../src/core/problem/unrolling.ts';
import { Evaluator } from '../../../src/term/evaluator.ts';
import type { TermId } from '../../../src/term/store.ts';
import { allValues, type Value } from '../../../src/term/value.ts';
import { questionOf } from '../../support/checking.ts';
import { seeded } from '../../support/random.ts';
import { FORMS, viewsOfForm } from '../engines/one-engine.ts';
import { RandomSystem } from '../random-system.ts';

const STEPS = 3;

t.test('a formula in a step means what it means of the states before and after', t => {
  const random = seeded(t);
  let compared = 0;
  for (let round = 0; round < 60; round++) {
    const { flat } = viewsOfForm(questionOf(new RandomSystem(random).system), random.pick(FORMS));
    const { system } = flat;
    const { terms, states, inputs } = system;
    const before = terms.size;
    const unrolling = new Unrolling(system);
    const formulas = [
      ...system.init,
      ...system.definitions.values(),
      ...system.relations,
      ...system.constraints,
      system.property,
    ];
    const copies = formulas.map(f => Array.from({ length: STEPS }, (_, i) => unrolling.at(f, i)));
    t.equal(terms.size, before, 'nothing is added to the terms of the system');
    const draw = (v: TermId) => random.pick([...allValues(terms.sorts, terms.sort(v))]);
    const now = [...states.map(s => s.current), ...inputs];
    const values = Array.from({ length: STEPS + 1 }, () => new Map(now.map(v => [v, draw(v)])));
    const unrolled = new Map<TermId, Value>();
    values.forEach((of, i) => {
      for (const [v, value] of of) unrolled.set(unrolling.variable(v, i), value);
    });
    const there = new Evaluator(unrolling.terms, f => unrolled.get(unrolling.terms.apply(f, [])) as Value);
    for (let i = 0; i < STEPS; i++) {
      const inStep = new Map(values[i]);
      for (const s of states) inStep.set(s.next, values[i + 1].get(s.current) as Value);
      const here = new Evaluator(terms, f => inStep.get(terms.apply(f, [])) as Value);
      for (const [j, f] of formulas.entries()) {
        const [a, b] = [here.value(f), there.value(copies[j][i])];
        if (terms.sorts.isArray(terms.sort(f))) continue; // values of two stores
        compared++;
        if (a !== b) t.fail(`round ${round}, step ${i}: ${String(a)} and ${String(b)}`);
      }
    }
  }
  t.ok(compared > 200, `${compared} were compared`);
  t.end();
});
