/** What `check` does with several properties of a file and with several files, on one thread and on more. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import t from 'tap';

const root = normalize(new URL('../..', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** The built command line, in a folder of its own. */
function check(args: readonly string[], input?: string) {
  const all = [join(root, 'dist/euforia.cjs'), 'check', ...args];
  const options = { encoding: 'utf8', cwd: folder, ...(input === undefined ? {} : { input }) } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, all, options);
  return { stdout, stderr, status };
}

const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
const withoutTimes = (text: string) => text.replaceAll(/ +[\d.]+ (us|ms|s)\b/g, ' T');

const SYSTEM = `
  (declare-fun x () (_ BitVec 64)) (declare-fun x.n () (_ BitVec 64)) (define-fun s0 () (_ BitVec 64) (! x :next x.n))
  (declare-fun y () (_ BitVec 64)) (declare-fun y.n () (_ BitVec 64)) (define-fun s1 () (_ BitVec 64) (! y :next y.n))
  (declare-fun c () (_ BitVec 4)) (declare-fun c.n () (_ BitVec 4)) (define-fun s2 () (_ BitVec 4) (! c :next c.n))
  (declare-fun a () (_ BitVec 64)) (declare-fun b () (_ BitVec 64))
  (define-fun init () Bool (! (and (= x (_ bv0 64)) (= y (_ bv0 64)) (= c #x0)) :init true))
  (define-fun trans () Bool (! (and (= x.n (bvmul a b)) (= y.n (bvor a b))
    (= c.n (ite (= c #x4) #x0 (bvadd c #x1)))) :trans true))`;
/** A prime has no two factors, which nothing here can show. */
const HARD = `(define-fun hard () Bool (! (not (and (= x #x7fffffffffffffe7) (bvult y #x00000000ffffffff)
  (bvult (_ bv1 64) y))) :invar-property 0))`;
const HOLDS = '(define-fun below () Bool (! (not (= c #x9)) :invar-property 1))';
const FAILS = '(define-fun three () Bool (! (not (= c #x3)) :invar-property 2))';

file('all.vmt', SYSTEM + HARD + HOLDS + FAILS);
file('easy.vmt', SYSTEM + HOLDS + FAILS);
file('safe.vmt', SYSTEM + HOLDS);
file('unsafe.vmt', SYSTEM + FAILS);
file('wrong.vmt', '(declare-fun x () Bool)\n(define-fun p () Bool (! (and x yy) :invar-property 0))');

// ---- properties ----

t.test('a hard property does not starve the others', t => {
  const { stdout, stderr, status } = check(['all.vmt', '--timeout', '5']);
  t.equal(status, 10);
  t.same(withoutTimes(stdout).split('\n').slice(-6), [
    'property   verdict      time  engine',
    '0 (hard)   unknown T  (the time limit was reached)',
    '1 (below)  safe T  abstract',
    '2 (three)  unsafe T  abstract',
    '3 properties: 1 safe, 1 unsafe, 1 unknown',
    '',
  ]);
  t.match(stdout, /^unsafe\n\nproperty 0 \(hard\): unknown\nreason: /, 'the verdict about all comes first');
  t.same(
    stderr
      .trimEnd()
      .split('\n')
      .map(line => line.replace(/, .*/, '')),
    ['property 2 (three): unsafe', 'property 1 (below): safe', 'property 0 (hard): unknown'],
    'verdicts as they come',
  );
  t.end();
});

t.test('a property among others is checked in the same way as alone, on however many threads', t => {
  const search = (args: readonly string[]) => {
    const { properties } = JSON.parse(check([...args, '--json']).stdout);
    const [below] = properties.filter((p: { name: string }) => p.name === 'below');
    return { ...below, milliseconds: undefined };
  };
  const alone = search(['easy.vmt', '--property', 'below']);
  t.equal(alone.verdict, 'safe');
  t.same(search(['easy.vmt']), alone);
  t.same(search(['easy.vmt', '--jobs', '2']), alone);
  t.end();
});

t.test('quiet is quiet, and each thread writes the evidence of its properties', t => {
  const quiet = check([
    'easy.vmt',
    '--quiet',
    '--jobs',
    '2',
    '--invariant',
    'inv.smt2',
    '--trace',
    'run.json',
  ]);
  t.same(quiet, { stdout: 'unsafe\n', stderr: '', status: 10 });
  t.same(check(['safe.vmt', 'unsafe.vmt', '--quiet']).stdout, 'safe.vmt: safe\nunsafe.vmt: unsafe\n');
  const certified = spawnSync(
    process.execPath,
    [join(root, 'dist/euforia.cjs'), 'certify', 'easy.vmt', '--property', '1', '--invariant', 'inv.p1.smt2'],
    { encoding: 'utf8', cwd: folder },
  );
  t.equal(certified.stdout, 'valid\n');
  t.end();
});

// ---- files ----

t.test('several files, one of them wrong', t => {
  const files = ['safe.vmt', 'wrong.vmt', 'nowhere.vmt', 'easy.vmt', 'unsafe.vmt'];
  for (const jobs of ['1', '2']) {
    const { stdout, stderr, status } = check([...files, '--jobs', jobs]);
    t.equal(status, 2, 'wrong input is the worst');
    t.same(withoutTimes(stdout).split('\n'), [
      'file         verdict      time  engine',
      'safe.vmt     safe T  abstract',
      'wrong.vmt    error T',
      'nowhere.vmt  error T',
      'easy.vmt     unsafe T  abstract',
      'unsafe.vmt   unsafe T  abstract',
      '5 files: 1 safe, 2 unsafe, 2 error; T',
      '',
    ]);
    t.match(stderr, /^wrong\.vmt:2:\d+: .*yy.*\neuforia: cannot read nowhere\.vmt: there is no such file\n$/);
  }
  t.end();
});

t.test('the status is the worst', t => {
  const status = (...args: string[]) => check(args).status;
  t.equal(status('safe.vmt', 'safe.vmt'), 0);
  t.equal(
    status('safe.vmt', 'all.vmt', '--property', '0', '--timeout', '1'),
    2,
    'a file has no such property',
  );
  const bounded = ['--engines', 'bounded', '--bound', '2'];
  t.equal(status('safe.vmt', 'unsafe.vmt', ...bounded), 20);
  t.equal(status('safe.vmt', 'unsafe.vmt', '--engines', 'bounded', '--bound', '9'), 10, 'unknown and unsafe');
  t.equal(status('safe.vmt', 'unsafe.vmt', '--exit-code', 'zero'), 0);
  t.equal(status('safe.vmt', 'wrong.vmt', '--exit-code', 'zero'), 2);
  t.end();
});

t.test('limits are those of each file', t => {
  file('hard.vmt', SYSTEM + HARD);
  const { stdout } = check([
    'hard.vmt',
    'safe.vmt',
    'hard.vmt',
    '--timeout',
    '1',
    '--memory',
    '2000',
    '--quiet',
  ]);
  t.equal(stdout, 'hard.vmt: unknown\nsafe.vmt: safe\nhard.vmt: unknown\n');
  const { stdout: small } = check(['safe.vmt', 'unsafe.vmt', '--memory', '1', '--json']);
  const lines = small
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  t.same(
    lines.map(l => l.properties[0]?.reason ?? l.reason),
    Array(2).fill('the memory limit was reached while the file was being read'),
  );
  t.end();
});

t.test('a line with an object for each file', t => {
  const { stdout, status } = check(['easy.vmt', 'wrong.vmt', 'safe.vmt', '--json', '--jobs', '2']);
  t.equal(status, 2);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  t.same(
    lines.map(l => [l.file, l.verdict, l.properties?.length]),
    [
      ['easy.vmt', 'unsafe', 2],
      ['wrong.vmt', undefined, undefined],
      ['safe.vmt', 'safe', 1],
    ],
  );
  t.match(lines[1].error.messages[0], { file: 'wrong.vmt', line: 2 });
  t.end();
});

t.test('standard input', t => {
  t.same(check(['-', '--quiet'], SYSTEM + FAILS), { stdout: 'unsafe\n', stderr: '', status: 10 });
  t.match(check(['-'], '(declare-fun x () Bool)\n(assert (! y :init true))'), {
    status: 2,
    stderr: /^stdin:2:\d+: /,
  });
  t.match(check(['-'], 'no system'), { status: 2, stderr: /^stdin:1:1: expected VMT/ });
  const among = check(['safe.vmt', '-', '--quiet', '--jobs', '2'], SYSTEM + FAILS);
  t.equal(among.stdout, 'safe.vmt: safe\n-: unsafe\n');
  t.match(check(['-', '-'], ''), { status: 2, stderr: /standard input can be read once/ });
  t.end();
});

t.test('what makes no sense for several files is refused', t => {
  for (const [args, message] of [
    [['--trace', 'run.json'], /--trace is for one file at a time/],
    [['--certificate', 'proof'], /--certificate is for one file at a time/],
    [['--stats'], /--stats is for one file at a time; --json/],
    [['--format', 'hwmcc'], /--format hwmcc is for one file at a time/],
    [['a.c', 'b.c'], /a\.c and b\.c may be one program or two: say --each/],
    [['--jobs', '0'], /--jobs takes a number from 1, not '0'/],
  ] as [string[], RegExp][]) {
    const { stdout, stderr, status } = check(['safe.vmt', 'unsafe.vmt', ...args]);
    t.same([stdout, status], ['', 2]);
    t.match(stderr, message);
  }
  t.end();
});

t.test('programs are parts of one, or each by itself', t => {
  file(
    'half.ll',
    'declare void @__VERIFIER_error()\ndefine void @f() {\n  call void @__VERIFIER_error()\n  ret void\n}\n',
  );
  file('main.ll', 'declare void @f()\ndefine i32 @main() {\n  call void @f()\n  ret i32 0\n}\n');
  t.equal(check(['main.ll', 'half.ll', '--quiet']).stdout, 'unsafe\n');
  const { stdout, stderr } = check(['main.ll', 'half.ll', '--quiet', '--each']);
  t.equal(stdout, 'main.ll: safe\nhalf.ll: error\n');
  t.match(stderr, /half\.ll.*main/);
  t.end();
});
