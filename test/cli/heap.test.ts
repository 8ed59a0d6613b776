/** Where the heap is too small, the limits are up before the engine ends the process; garbage does not count. */
import { spawnSync } from 'node:child_process';
import t from 'tap';

function fill(what: 'kept' | 'garbage') {
  const script = new URL('fill-heap.ts', import.meta.url).pathname;
  const args = ['--max-old-space-size=600', '--import=tsx', script, what];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { stdout, status };
}

t.test('a heap that is too small', t => {
  const text = 'memory ran out (NODE_OPTIONS=--max-old-space-size=8192 allows for more)\n';
  t.same(fill('kept'), { stdout: text, status: 0 });
  t.same(fill('garbage'), { stdout: 'enough\n', status: 0 });
  t.end();
});
