/** Fills the heap, with what is kept or with what nobody needs, until the limits say stop or there has been enough of it. */
import { Limits } from '../../src/cli/limits.ts';

const isKept = process.argv[2] === 'kept';
const limits = new Limits(undefined, undefined);
const kept: object[] = [];
let made = 0;
while (made < 30_000_000 && limits.budget.signal?.aborted !== true) {
  const objects = Array.from({ length: 1000 }, (_, i) => ({ i }));
  if (isKept) kept.push(objects);
  made += objects.length;
}
console.log(limits.budget.signal?.aborted === true ? limits.spelt('aborted') : 'enough');
