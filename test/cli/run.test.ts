/** `euforia run`: all formats, inputs by chance, from a file and from standard input, and all ways to end. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import t from 'tap';

const root = normalize(new URL('../..', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

function run(name: string, options: readonly string[] = [], input = '') {
  // What is compiled is kept, since loading the compiler takes longer than anything else here.
  const cache = name.endsWith('.c') ? ['--cache', 'cache'] : [];
  const args = [join(root, 'dist/euforia.cjs'), 'run', name, ...cache, ...options];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: folder,
    input,
  });
  return { stdout, stderr, status };
}

/** Of what is printed, the first line, and the last one, which says why the run ended. */
function ends({ stdout }: { stdout: string }): string[] {
  const lines = stdout.trimEnd().split('\n');
  return [lines[0], lines[lines.length - 1]];
}

// ---- programs ----

const CHOICES = file(
  'choices.c',
  `int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), a = 0, b = 0;
  if (n > 0) {
    a = __VERIFIER_nondet_int();
    if (a == -5) b = __VERIFIER_nondet_int();
  } else
    b = __VERIFIER_nondet_int();
  if (n == 2 && a == -5 && b == 77) __VERIFIER_error();
  return 0;
}
`,
);

t.test('inputs of a program from a file, in the order in which it asks for them', t => {
  const inputs = file('right.txt', '2 # n\n\n# a comment\n-5\n0x4d\n');
  const result = run(CHOICES, ['--inputs', inputs]);
  t.equal(result.status, 10);
  t.match(ends(result), ['unsafe', 'choices.c:10: __VERIFIER_error is reached']);
  t.match(result.stdout, /choices.c:6 +a = -5\n.*choices.c:7 +__VERIFIER_nondet_int\(\) gives 77\n/s);

  const without = run(CHOICES, ['--inputs', inputs, '--quiet']);
  t.same([without.stdout, without.status], ['unsafe\n', 10], 'the status says it, too');

  // Only the branch that is taken asks.
  const other = run(CHOICES, ['--inputs', file('other.txt', '-1\n4\n')]);
  t.equal(other.status, 0);
  t.match(ends(other), ['no violation', /^reason: the run ends after \d+ steps?$/]);
  t.match(other.stdout, /choices.c:9 +b = 4\n/);

  t.match(ends(run(CHOICES, ['--inputs', file('short.txt', '2\n')])), [
    'no violation',
    /^reason: there are no more inputs, after \d+ steps?$/,
  ]);
  for (const [text, message] of [
    ['2\nfive\n', "bad.txt:2:1: expected a number, not 'five', for __VERIFIER_nondet_int() (choices.c:6)"],
    [
      '99999999999\n',
      'bad.txt:1:1: 99999999999 does not fit 32 bits, for __VERIFIER_nondet_int() (choices.c:4)',
    ],
  ]) {
    const { stderr, status } = run(CHOICES, ['--inputs', file('bad.txt', text)]);
    t.same([stderr, status], [`${message}\n`, 2]);
  }
  t.end();
});

t.test('inputs of a program as they are typed', t => {
  const { stdout, stderr, status } = run(CHOICES, ['--ask'], '2\nminus five\n-5\n77\n');
  t.equal(status, 10);
  t.match(stdout, /^unsafe\n/);
  t.equal(
    stderr.replaceAll(/\(choices.c:(\d+)\) = /g, '$1 '),
    "__VERIFIER_nondet_int() 4 __VERIFIER_nondet_int() 6 expected a number, not 'minus five'\n" +
      '__VERIFIER_nondet_int() 6 __VERIFIER_nondet_int() 7 ',
  );
  t.end();
});

t.test('a program by chance', t => {
  const guess = file(
    'guess.c',
    'int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_error(void);\nint main(void) { if (3 * __VERIFIER_nondet_int() == 370368) __VERIFIER_error(); }\n',
  );
  // Equations are solved, so that the one number in many is not missed.
  const runs = [1, 2].map(seed => run(guess, ['--seed', String(seed)]).stdout);
  const found = 'unsafe\n  guess.c:3                 __VERIFIER_nondet_int() gives 123456\n';
  t.same(
    runs.filter(r => !r.startsWith(found)),
    [],
  );
  const others = [3, 4, 3].map(seed => run(CHOICES, ['--seed', String(seed)]).stdout);
  t.equal(others[0], others[2], 'a seed says it all');
  t.not(others[0], others[1], 'and another something else');

  const loop = file(
    'loop.c',
    'void __VERIFIER_error(void);\nint main(void) { unsigned n = 0; while (n < 5000) n += 1; if (n == 5000) __VERIFIER_error(); }\n',
  );
  t.match(ends(run(loop)), ['unsafe', 'loop.c:2: __VERIFIER_error is reached'], '5000 rounds');
  t.match(ends(run(loop, ['--steps', '50'])), ['no violation', 'reason: the run was stopped after 50 steps']);

  const recursive = file(
    'recursive.c',
    'int f(int n) { return n == 0 ? 0 : f(n - 1); }\nint main(void) { return f(100); }\n',
  );
  t.match(ends(run(recursive)), ['no violation', /^reason: .*'f' calls itself.*, after \d+ steps?$/]);
  t.end();
});

// ---- the other formats ----

t.test('a transition system', t => {
  const counter = join(root, 'examples/counter.vmt');
  const inputs = file('hold.txt', 'false\nfalse\ntrue\nfalse\nfalse\nfalse\nfalse\nfalse\n');
  const result = run(counter, ['--inputs', inputs, '--property', '1']);
  t.equal(result.status, 10);
  t.match(ends(result), ['unsafe', 'step 6 violates property 1 (never-five)']);
  t.match(
    result.stdout,
    /step 2\n {2}state {2}count {2}0x2 \(2\)\n {2}input {2}hold {3}true\nstep 3\n {2}input {2}hold {3}false\n/,
  );
  t.match(ends(run(counter, ['--property', '0', '--steps', '20'])), [
    'no violation',
    'reason: the run was stopped after 20 steps',
  ]);
  t.match(run(counter, ['--steps', '200']).stdout, /^unsafe\nproperty 1\n/, 'all properties are looked at');
  t.end();
});

t.test('a circuit that gets stuck', t => {
  // The constraint holds as long as the counter is below 2.
  const stuck = file(
    'stuck.btor2',
    `1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 state 2 count
5 init 2 4 3
6 one 2
7 add 2 4 6
8 next 2 4 7
9 constd 2 2
10 ult 1 4 9
11 constraint 10
12 ones 2
13 eq 1 4 12
14 bad 13
`,
  );
  const result = run(stuck);
  t.match(ends(result), ['no violation', 'reason: the run ends after 3 steps']);
  t.match(result.stdout, /step 2\n {2}state {2}count {2}0x2 \(2\)\n/, 'the state in which it ends is shown');
  t.end();
});

t.test('Horn clauses', t => {
  const linear = file(
    'linear.smt2',
    `(set-logic HORN)
(declare-fun p ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (= x #x00) (= y #x03)) (p x y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (p x y) (= (bvadd z #x01) (bvadd x y))) (p z y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (p x y) (= x #x64)) false)))
(check-sat)
`,
  );
  // 2 more in each step, by an equation that says what z is.
  const result = run(linear, []);
  t.equal(result.status, 10);
  t.match(
    result.stdout,
    /^unsafe\n\(\n {2}\(step 0 .*:derives \(p #x00 #x03\)\)\n.*:derives false\)\n\)\n$/s,
  );
  t.equal(result.stdout.match(/\(step /g)?.length, 52);

  const several = file(
    'several.smt2',
    `(set-logic HORN)
(declare-fun p ((_ BitVec 4)) Bool)
(assert (p #x1))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (p x) (p y)) (p (bvadd x y)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (p x) (= x #x5)) false)))
(check-sat)
`,
  );
  t.match(run(several).stdout, /^unsafe\n.*:premises \(\d+ \d+\).*:derives false\)\n\)\n$/s);
  t.end();
});

t.test('calls that make no sense', t => {
  t.match(run(CHOICES, ['--ask', '--inputs', 'right.txt']), {
    status: 2,
    stderr: /--inputs and --ask exclude each other/,
  });
  t.match(run(CHOICES, ['--steps', '0']), { status: 2, stderr: /--steps takes a positive number/ });
  t.match(run(CHOICES, ['--inputs', 'nowhere.txt']), { status: 2, stderr: /cannot read nowhere.txt/ });
  t.match(run(join(root, 'examples/counter.vmt'), ['--property', '7']), {
    status: 2,
    stderr: /no property 7/,
  });
  t.end();
});
