/** Random systems of counters, small enough for explicit search, that take many steps and hang on orders and differences. */
import type { Random } from '../support/random.ts';
import { HandMade } from './hand-made.ts';

/** Counters of a few bits that are set, added to each other, and compared: systems that take many steps. */
export function counters(random: Random): HandMade {
  const width = 2 + random.below(3);
  const names = ['x', 'y', 'z'].slice(0, width === 4 ? 2 : 2 + random.below(2));
  const constant = () => `(_ bv${random.below(2 ** width)} ${width})`;
  const small = () => `(_ bv${random.pick([1, 1, 2, 2 ** width - 1])} ${width})`;
  const name = () => random.pick(names);
  const word = () => random.pick([name(), name(), constant(), `(bvadd ${name()} ${small()})`]);
  const atom = () => `(${random.pick(['=', 'bvult', 'bvslt'])} ${name()} ${word()})`;
  const condition = () => random.pick([atom(), `(not ${atom()})`, `(and go ${atom()})`, 'go']);
  const update = (x: string) =>
    random.pick([x, `(bvadd ${x} ${small()})`, `(bvadd ${x} ${small()})`, `(bvadd ${x} ${name()})`, name()]);
  const next = (x: string) => `(= ${x}.next (ite ${condition()} ${update(x)} ${update(x)}))`;
  const init = (x: string) =>
    random.pick([`(= ${x} ${constant()})`, `(= ${x} (_ bv0 ${width}))`, `(= ${x} ${name()})`]);
  const sort = `(_ BitVec ${width})`;
  return new HandMade(`
    ${names.map(x => `(declare-const ${x} ${sort}) (declare-const ${x}.next ${sort})`).join(' ')}
    (declare-const go Bool)
    (assert (! (and true ${names.map(init).join(' ')}) :named init))
    (assert (! (and true ${names.map(next).join(' ')}) :named trans))
    (assert (! (not (and ${atom()} ${atom()})) :named property))`);
}
