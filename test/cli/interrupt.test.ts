/**
 * Ctrl-C and `abort()` are heard while one hard question is being worked at, whichever engine works at it. That they are heard at
 * all before the time is up, a minute later, is the point: the answer says that it was interrupted.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import t from 'tap';
import { check } from '../../src/api.ts';
import { ENGINE_NAMES } from '../../src/core/portfolio/engine-names.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);

/** A prime has no two factors: hopeless for bits, and the abstraction knows nothing of it. */
const HARD = `
  (declare-fun x () (_ BitVec 64)) (declare-fun x.n () (_ BitVec 64)) (define-fun s0 () (_ BitVec 64) (! x :next x.n))
  (declare-fun y () (_ BitVec 64)) (declare-fun y.n () (_ BitVec 64)) (define-fun s1 () (_ BitVec 64) (! y :next y.n))
  (declare-fun a () (_ BitVec 64))
  (declare-fun b () (_ BitVec 64))
  (define-fun init () Bool (! (and (= x #x0000000000000000) (= y #x0000000000000000)) :init true))
  (define-fun trans () Bool (! (and (= x.n (bvmul a b)) (= y.n (bvor a b))) :trans true))
  (define-fun p () Bool (! (not (and (= x #x7fffffffffffffe7) (bvult y #x00000000ffffffff)
    (bvult #x0000000000000001 y))) :invar-property 0))`;

t.test('Ctrl-C', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  const file = join(folder, 'hard.vmt');
  writeFileSync(file, HARD);
  // Unfolding trees is for problems whose derivations are no runs, executions for those with several locations, conjectures for arrays.
  const others = /bounded-trees|executions|conjectures/;
  for (const engine of ENGINE_NAMES.filter(n => !others.test(n))) {
    const args = [join(root, 'dist/euforia.cjs'), 'check', file, '--engines', engine, '--timeout', '60'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', text => {
      output += text;
    });
    setTimeout(() => child.kill('SIGINT'), 2500);
    await new Promise(resolve => child.on('close', resolve));
    t.equal(output, 'unknown\nreason: interrupted\n', engine);
  }
  rmSync(folder, { recursive: true });
});

t.test('an AbortSignal', async t => {
  const controller = new AbortController();
  const phases = new Set<string>();
  setTimeout(() => controller.abort(), 2500);
  const result = await check(HARD, {
    timeout: 60,
    signal: controller.signal,
    onProgress: p => phases.add(p.phase),
  });
  t.match(result, { verdict: 'unknown', reason: 'aborted' });
  t.ok(phases.has('abstract') && phases.has('bounded'), `progress was heard of: ${[...phases].join(', ')}`);
});
