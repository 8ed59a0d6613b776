/** C on the command line: several files, options, errors, the cache, limits while it compiles, and a compiler that is not there. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import * as clangPackage from '@yowasp/clang';
import t from 'tap';
import { check } from '../../src/api.ts';
import { cachedClang } from '../../src/cli/clang-cache.ts';
import { CLANG_VERSION, type Clang } from '../../src/formats/c/clang.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'euforia-c-'));
t.teardown(() => rmSync(folder, { recursive: true }));

const MAIN = `#include <assert.h>
#include "limit.h"
#include <shared.h>
int main(void) {
  int x = choose();
  if (x > LIMIT) x = LIMIT;
  assert(x <= BOUND);
  return undeclared(x);
}
`;
const FILES: Readonly<Record<string, string>> = {
  'src/main.c': MAIN,
  'src/limit.h': '#define LIMIT 10\n',
  'inc/shared.h': 'int choose(void);\n',
  'src/choose.c':
    'extern int __VERIFIER_nondet_int(void);\nint choose(void) { return __VERIFIER_nondet_int(); }\n',
  'src/size.c': '#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n',
  'src/many.c': `#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), *p = malloc(4);
  assert(n < 5 || n > 3);
  assert(n + 1 != 8);
  *p = n;
  return 0;
}
`,
  'src/bad.c': 'int x;\nchar x;\nint main(void) { return y; }\n',
  'src/two-states.ll': `define i32 @main() {
  %x = call i32 @__VERIFIER_nondet_int()
  %wrong = icmp eq i32 %x, 77
  br i1 %wrong, label %bad, label %good
bad:
  call void @__VERIFIER_error()
  unreachable
good:
  ret i32 0
}
declare i32 @__VERIFIER_nondet_int()
declare void @__VERIFIER_error()
`,
};
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(join(folder, dirname(name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function euforia(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [join(root, 'dist/euforia.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

const PROGRAM = ['src/main.c', 'src/choose.c', '-I', 'inc'];

t.test('programs', t => {
  const safe = euforia('check', ...PROGRAM, '-D', 'BOUND=10', '--quiet');
  t.same([safe.stdout, safe.stderr, safe.status], ['safe\n', '', 0]);
  const unsafe = euforia('check', ...PROGRAM, '-DBOUND=9', '--warnings');
  t.equal(unsafe.status, 10, unsafe.stderr);
  t.match(unsafe.stderr, /^src\/main\.c:8:10: warning: call to undeclared function 'undeclared'.*\n$/);
  t.equal(euforia('check', 'src/size.c', '--quiet').stdout, 'safe\n', '32 bits unless said otherwise');
  t.equal(euforia('check', 'src/size.c', '--quiet', '--data-model', 'lp64').stdout, 'unsafe\n');
  t.equal(euforia('check', 'src/two-states.ll', '--quiet').stdout, 'unsafe\n');
  t.equal(euforia('check', 'src/two-states.ll', '--quiet', '--entry', 'absent').status, 2);
  t.match(euforia('convert', 'src/size.c').stdout, ':invar-property');
  t.end();
});

t.test('properties, checks and assumptions', async t => {
  const first = (...args: string[]) => euforia('check', 'src/many.c', '--quiet', ...args).stdout;
  t.equal(first('--property', 'src/many.c:6 assert(n < 5 || n > 3)'), 'safe\n');
  t.equal(first('--property', '2'), 'unsafe\n');
  const told = JSON.parse(euforia('check', 'src/many.c', '--json').stdout);
  const violated = { index: 2, name: 'src/many.c:7 assert(n + 1 != 8)' };
  t.match(told, { verdict: 'unsafe', properties: [{ index: 0, violated, trace: { property: violated } }] });
  const overflow = 'src/many.c:7 signed overflow in +';
  const { stdout } = euforia('check', 'src/many.c', '--checks', 'overflow', '--property', overflow);
  t.ok(stdout.startsWith('unsafe\n') && stdout.includes('src/many.c:7: signed overflow in +\n'), stdout);
  t.match(euforia('run', 'src/many.c', '--checks', 'all').stdout, /^(?:unsafe|no violation)\n/);
  const answer = await check(FILES['src/many.c'], {
    file: 'src/many.c',
    compiler: clangPackage,
    property: 'src/many.c:8 null dereference',
    checks: ['null'],
    malloc: 'may-fail',
  });
  t.match(answer, { verdict: 'unsafe', violated: { name: 'src/many.c:8 null dereference' } });
});

t.test('harness and witness', t => {
  const unsafe = ['check', ...PROGRAM, '-DBOUND=9', '--quiet', '--harness', 'run.c', '--witness', 'w.yml'];
  t.equal(euforia(...unsafe).stdout, 'unsafe\n');
  const harness = readFileSync(join(folder, 'run.c'), 'utf8');
  t.match(harness, 'cc -m32 src/main.c src/choose.c THIS_FILE');
  t.match(harness, /__VERIFIER_nondet_int\(void\) \{\n +static const int choices\[\] = \{\d+\};/);
  const witness = () => readFileSync(join(folder, 'w.yml'), 'utf8');
  t.match(witness(), 'entry_type: "violation_sequence"');
  t.match(witness(), `"src/choose.c": "${sha256('src/choose.c')}"`);
  process.env.SOURCE_DATE_EPOCH = '1000000000';
  const twice = [0, 1].map(() => {
    const { stdout } = euforia('check', ...PROGRAM, '-DBOUND=10', '--quiet', '--witness', 'w.yml');
    return stdout + witness();
  });
  delete process.env.SOURCE_DATE_EPOCH;
  t.match(twice[0], /^safe\n- entry_type: "invariant_set"[\s\S]*creation_time: "2001-09-09T01:46:40Z"/);
  t.equal(twice[0], twice[1], 'the same input gives the same file');
  const ll = euforia('check', 'src/two-states.ll', '--quiet', '--harness', 'run.c');
  t.same([ll.stdout, ll.stderr], ['unsafe\n', '']);
  t.match(readFileSync(join(folder, 'run.c'), 'utf8'), /choices\[\] = \{77/, 'without debug information');
  const none = euforia('check', 'src/size.c', '--quiet', '--harness', 'run.c');
  t.same([none.stdout, none.status], ['safe\n', 0]);
  t.match(none.stderr, 'no run was written');
  t.end();
});

function sha256(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
}

t.test('what is wrong with a call or a text', t => {
  for (const [args, message] of [
    [
      ['check', 'src/many.c', '--property', 'src/many.c:6'],
      "src/many.c:1:1: there is no property 'src/many.c:6': the file has 0, 1 (src/many.c:6 assert(n < 5 || n > 3)), 2 (",
    ],
    [['check', 'src/many.c', '--checks', 'overflow,all,none'], '--checks takes overflow or div or'],
    [
      ['check', 'src/two-states.ll', '--checks', 'div,null'],
      'src/two-states.ll:1:1: the C compiler makes the checks div, and this is compiled already',
    ],
    [['run', 'src/main.c', 'x.vmt'], "several files must all be C or LLVM IR (.c, .i, .ll), 'x.vmt' is not"],
    [['check', 'src/main.c', 'none.c'], 'euforia: cannot read none.c: there is no such file'],
    [['check', 'src/main.c', '--data-model', 'ilp64'], "--data-model takes ilp32 or lp64, not 'ilp64'"],
    [['check', 'src/size.c', '--cache', 'src/bad.c'], 'euforia: cannot write to src/bad.c: it is a file'],
    [['check', 'src/main.c'], "src/main.c:3:10: 'shared.h' file not found"],
    [
      ['check', join(root, 'examples/counter.vmt'), '--harness', 'run.c'],
      'counter.vmt:1:1: --harness is for programs (C, LLVM IR), and this is none',
    ],
    [
      ['check', 'src/two-states.ll', '--witness', 'w.yml'],
      'src/two-states.ll:1:1: --witness is for C, and this is none',
    ],
    [
      ['check', 'src/size.c', '--witness', 'none/w.yml'],
      'euforia: cannot write none/w.yml: there is no such folder',
    ],
  ] as [string[], string][]) {
    const { status, stderr, stdout } = euforia(...args);
    t.equal(status, 2, args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.trim().split('\n').length, 1, 'one line');
    t.equal(stdout, '');
  }
  const { status, stderr } = euforia('check', 'src/bad.c');
  t.equal(status, 2);
  t.same(stderr.split('\n'), [
    "src/bad.c:2:6: redefinition of 'x' with a different type: 'char' vs 'int' (src/bad.c:1:5: previous definition is here)",
    "src/bad.c:3:25: use of undeclared identifier 'y'",
    '',
  ]);
  t.end();
});

t.test('without the package one line says what to install', t => {
  const apart = join(folder, 'apart');
  cpSync(join(root, 'dist'), join(apart, 'dist'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(apart, 'dist/euforia.cjs'), 'check', 'src/size.c'],
    { cwd: folder, encoding: 'utf8' },
  );
  t.same([status, stdout], [2, '']);
  t.equal(
    stderr,
    `euforia: C needs a compiler, which is a package of its own: npm install @yowasp/clang@${CLANG_VERSION}\n`,
  );
  t.end();
});

t.test('the cache', async t => {
  const args = ['check', ...PROGRAM, '-DBOUND=10', '--quiet', '--warnings', '--cache', 'cache/deep'];
  const [first, second] = [euforia(...args), euforia(...args)];
  t.equal(first.stdout, 'safe\n');
  t.same([second.stdout, second.stderr], [first.stdout, first.stderr], 'warnings are kept too');
  t.match(first.stderr, 'warning: call to undeclared');
  t.equal(readdirSync(join(folder, 'cache/deep')).length, 2, 'a file for each module, and nothing else');
  t.equal(euforia('check', 'src/bad.c', '--cache', 'cache/bad').status, 2);
  t.throws(() => readdirSync(join(folder, 'cache/bad')), 'errors are not kept');

  let runs = 0;
  const counting: Clang = {
    run: async args => ({
      output: `${++runs} ${args.join(' ')}`,
      messages: '',
      succeeded: args[0] !== 'fail',
    }),
  };
  const where = join(folder, 'cache/counted');
  const cached = cachedClang(counting, 'v1', where);
  const output = async (clang: Clang, ...[args, files]: Parameters<Clang['run']>) =>
    (await clang.run(args, files)).output;
  t.equal(await output(cached, ['a'], { x: 'text' }), '1 a');
  t.equal(await output(cached, ['a'], { x: 'text' }), '1 a');
  t.equal(await output(cached, ['b'], { x: 'text' }), '2 b', 'other arguments');
  t.equal(await output(cached, ['a'], { x: 'texts' }), '3 a', 'another text');
  t.equal(await output(cachedClang(counting, 'v2', where), ['a'], { x: 'text' }), '4 a', 'another version');
  t.equal(await output(cached, ['fail'], {}), '5 fail');
  t.equal(await output(cached, ['fail'], {}), '6 fail');
  for (const file of readdirSync(where)) {
    const path = join(where, file);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 10));
  }
  t.equal(await output(cached, ['a'], { x: 'text' }), '7 a', 'what is not whole is made anew');
});

t.test('limits hold while the compiler is loaded and runs', async t => {
  const start = Date.now();
  const late = euforia('check', 'src/size.c', '--timeout', '0.2');
  t.same(
    [late.stdout, late.status],
    ['unknown\nreason: the time limit was reached while the file was being read\n', 20],
  );
  t.ok(Date.now() - start < 5000, 'however long loading would take');
  // The answer to a memory limit that no process of ours can keep comes from this one; loading needs 400 MB more.
  const large = euforia('check', 'src/size.c', '--memory', process.platform === 'linux' ? '250' : '20');
  t.equal(large.stdout, 'unknown\nreason: the memory limit was reached while the file was being read\n');

  const args = [join(root, 'dist/euforia.cjs'), 'check', 'src/size.c'];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text;
    });
  setTimeout(() => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGINT'); // as a terminal does, to all processes
  }, 1200);
  const signal = await new Promise(resolve => child.on('close', (_, by) => resolve(by)));
  // A machine may be so slow that nobody listens yet, or so fast that all is done.
  const answered = /^(unknown\nreason: interrupted while the file was being read|safe)\n/.test(output);
  t.ok(answered || signal === 'SIGINT', `no breakdown: ${output}`);
});

t.test('the library', async t => {
  const text =
    '#include <assert.h>\n#include "n.h"\nint main(void) { assert(N == sizeof(long)); return 0; }\n';
  const common = {
    file: 'x.c',
    compiler: clangPackage,
    lookUp: (path: string) => (path === 'n.h' ? '#define N 4\n' : undefined),
  };
  t.equal((await check(text, common)).verdict, 'safe');
  t.equal((await check(text, { ...common, dataModel: 'lp64' })).verdict, 'unsafe');
  await t.rejects(check(text, { file: 'x.c' }), {
    message: /^x\.c:1:1: C needs a compiler: hand over the package/,
  });
  await t.rejects(check('int main(void) { return x; }', common), {
    message: "x.c:1:25: use of undeclared identifier 'x'",
  });
  t.match(await check(text, { ...common, timeout: 1e-9 }), { verdict: 'unknown', reason: 'deadline' });
});
