/** What `check` and `certify` do with several properties: files of evidence for each, and what the exit status says. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

/** The built command line. */
function euforia(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/euforia.cjs', ...args], {
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

/** A counter that stays below 4: two properties hold, one does not. */
const COUNTER = `1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 constd 2 4
5 one 2
6 state 2 count
7 init 2 6 3
8 add 2 6 5
9 eq 1 8 4
10 ite 2 9 3 8
11 next 2 6 10
12 ugte 1 6 4
13 bad 12 too-large
14 constd 2 2
15 eq 1 6 14
16 bad 15 two
17 constd 2 9
18 eq 1 6 17
19 bad 18 nine
`;

t.test('each property has evidence of its own', t => {
  writeFileSync(file('count.btor2'), COUNTER);
  const paths = ['--trace', file('run.json'), '--vcd', file('run.vcd'), '--invariant', file('inv.smt2')];
  const { status, stdout } = euforia(
    ...['check', file('count.btor2'), ...paths, '--certificate', file('proof')],
  );
  t.equal(status, 10);
  t.match(stdout, /^unsafe\n/);
  t.same(readdirSync(folder).sort(), [
    'count.btor2',
    'inv.p0.smt2',
    'inv.p2.smt2',
    'proof',
    'run.p1.json',
    'run.p1.vcd',
  ]);
  t.equal(JSON.parse(readFileSync(file('run.p1.json'), 'utf8')).steps.length, 3, 'counts 0, 1, 2');
  t.same(readdirSync(file('proof')).sort(), ['p0', 'p2']);
  t.ok(existsSync(file('proof/p2/step.smt2')));
  t.end();
});

t.test('an invariant is valid only if it proves every property asked about', t => {
  const certify = (...args: string[]) =>
    euforia('certify', file('count.btor2'), '--invariant', file('inv.p0.smt2'), ...args);
  t.match(certify('--property', '0'), { status: 0, stdout: 'valid\n' });
  const all = certify();
  t.equal(all.status, 1);
  t.match(all.stdout, /^invalid\n/);
  t.match(all.stdout, /^reason: property 1: /m);
  t.end();
});

t.test('what an earlier certificate left behind goes, and nothing else', t => {
  writeFileSync(file('proof/p0/lemma-7.smt2'), '(check-sat)');
  writeFileSync(file('proof/p0/notes.txt'), 'mine');
  euforia('check', file('count.btor2'), '--certificate', file('proof'), '--quiet');
  const names = readdirSync(file('proof/p0'));
  t.notOk(names.includes('lemma-7.smt2'));
  t.ok(names.includes('notes.txt') && names.includes('step.smt2'));
  t.end();
});

t.test('the exit status says what the verdict is', t => {
  const status = (...args: string[]) => euforia('check', file('count.btor2'), '--quiet', ...args).status;
  t.equal(status('--property', '0'), 0);
  t.equal(status('--property', '1'), 10);
  t.equal(status('--property', '0', '--engines', 'bounded', '--bound', '2'), 20);
  t.equal(status('--exit-code', 'zero'), 0);
  t.equal(status('--exit-code', 'one'), 2);
  t.end();
});

t.test('what is said of infinite runs is not passed over in silence', t => {
  writeFileSync(file('live.btor2'), `${COUNTER}20 justice 1 15\n`);
  const { stderr, status } = euforia('check', file('live.btor2'), '--property', '0', '--quiet');
  t.equal(status, 0);
  t.match(stderr, /live\.btor2:20:\d+: warning: 'justice' properties/);
  t.end();
});
