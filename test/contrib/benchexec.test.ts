/**
 * BenchExec's module, called as BenchExec calls it and given what real runs print. Where BenchExec is not installed, a stub of its
 * base class stands in; without Python nothing is tested.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, normalize } from 'node:path';
import t, { type Test } from 'tap';

const root = normalize(new URL('../..', import.meta.url).pathname);
const isModern = 'import sys; sys.exit(sys.version_info < (3, 9))';
const skip = spawnSync('python3', ['-c', isModern]).status === 0 ? false : 'there is no python3';

type Call = readonly [name: 'info' | 'cmdline' | 'result', ...args: unknown[]];

/** The module's answers; `euforia` is in PATH, as it is where the package is installed. */
function answers(t: Test, calls: readonly Call[]): unknown[] {
  const bin = mkdtempSync(join(tmpdir(), 'euforia-bin-'));
  symlinkSync(join(root, 'dist/euforia.cjs'), join(bin, 'euforia'));
  const { status, stdout, stderr } = spawnSync('python3', [join(root, 'test/contrib/drive.py')], {
    cwd: bin,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    input: JSON.stringify(calls),
  });
  rmSync(bin, { recursive: true });
  t.equal(status, 0, 'the module ends well', { stderr });
  return JSON.parse(stdout);
}

t.test('what is said of the tool', { skip }, t => {
  const [info] = answers(t, [['info']]) as [{ stub: boolean }];
  if (info.stub) t.comment('BenchExec is not installed: a stub stands in');
  t.match(info, {
    name: 'Euforia',
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  });
  t.end();
});

t.test('command lines', { skip }, t => {
  const limits = { cputime: 900, cputime_hard: 960, memory: 15_000_000_000 };
  const c = { language: 'C', data_model: 'LP64' };
  const rows: readonly [args: readonly unknown[], expected: unknown][] = [
    [
      [[], ['a.btor2'], null, null, {}],
      ['euforia', 'check', 'a.btor2'],
    ],
    [
      [['--stats'], ['a.smt2'], 'x/check-sat.prp', null, limits],
      ['euforia', 'check', '--timeout', '720', '--memory', '12874', '--stats', 'a.smt2'],
    ],
    [
      [[], ['a.vmt'], null, null, { ...limits, cpu_cores: 1 }],
      ['euforia', 'check', '--timeout', '855', '--memory', '12874', 'a.vmt'],
    ],
    [
      [[], ['a.vmt'], null, null, { ...limits, walltime: 100 }],
      ['euforia', 'check', '--timeout', '95', '--memory', '12874', 'a.vmt'],
    ],
    [
      [['--timeout', '5'], ['a.vmt'], null, null, { cputime: 900 }],
      ['euforia', 'check', '--timeout', '5', 'a.vmt'],
    ],
    [
      [[], ['a.c', 'b.c'], 'x/unreach-call.prp', c, {}],
      ['euforia', 'check', '--data-model', 'lp64', 'a.c', 'b.c'],
    ],
    [
      [[], ['a.i'], null, { ...c, data_model: 'ILP32' }, {}],
      ['euforia', 'check', '--data-model', 'ilp32', 'a.i'],
    ],
    [
      [[], ['a.btor2'], null, c, {}],
      ['euforia', 'check', 'a.btor2'],
    ],
    [[[], ['a.c'], null, { data_model: 'IP16' }, {}], { unsupported: /IP16/ }],
    [[[], ['a.c'], 'x/no-overflow.prp', c, {}], { unsupported: /unreach-call/ }],
    [[[], ['a.vmt', 'b.vmt'], null, null, {}], { unsupported: /more than one input file/ }],
  ];
  const found = answers(
    t,
    rows.map(([args]) => ['cmdline', ...args]),
  );
  rows.forEach(([args, expected], i) => {
    if (Array.isArray(expected)) t.same(found[i], expected, JSON.stringify(args));
    else t.match(found[i], expected as object, JSON.stringify(args));
  });
  t.end();
});

/** Columns of the benchmark definitions, and some more. */
const COLUMNS = ['found by', 'reason', 'time of reading', 'abstract depth', 'abstract effort', 'nothing'];

t.test('results of real runs', { skip }, t => {
  const rows: readonly [args: string, result: string][] = [
    ['examples/copy.vmt --stats', 'true'],
    ['examples/counter.vmt --stats', 'false'],
    ['examples/counter.vmt --json', 'false'],
    ['examples/two-loops.smt2 --format chc-comp', 'true'],
    ['examples/traffic-rules.smt2 --format=chc-comp --property 0', 'false'],
    ['examples/memory.btor2 --format hwmcc', 'true'],
    ['examples/handshake.btor2 --format hwmcc', 'false'],
    ['examples/lock.c --quiet --timeout 100', 'true'],
    ['examples/lock-bug.c --data-model lp64', 'false(unreach-call)'],
    ['examples/counter.vmt --timeout 0.001', 'unknown'],
    ['examples/counter.vmt --timeout 0.001 --json', 'unknown'],
    ['examples/two-loops.smt2 --timeout 0.001 --format chc-comp', 'unknown'],
    ['README.md', 'ERROR (wrong call or input)'],
    ['README.md --json', 'ERROR (wrong call or input)'],
    // An exit status that says nothing is not taken for an answer.
    ['examples/counter.vmt --exit-code zero', 'ERROR (exit status 0, but the output does not say safe)'],
  ];
  const calls = rows.map(([args]): Call => {
    const words = ['check', ...args.split(' ')];
    const run = spawnSync(process.execPath, ['dist/euforia.cjs', ...words], { cwd: root, encoding: 'utf8' });
    // BenchExec has both in one file.
    return ['result', ['euforia', ...words], run.status, run.stderr + run.stdout, null, COLUMNS];
  });
  const found = answers(t, calls) as { result: string; values: Record<string, string | null> }[];
  rows.forEach(([args, result], i) => {
    t.equal(found[i].result, result, args);
  });
  const values = (args: string) => found[rows.findIndex(row => row[0] === args)].values;
  const [text, json] = [values('examples/counter.vmt --stats'), values('examples/counter.vmt --json')];
  t.match(text, { 'found by': /^\w/, 'time of reading': /^[\d.e-]+s$/, 'abstract depth': /^\d+$/ });
  for (const column of ['found by', 'abstract depth', 'abstract effort', 'nothing', 'reason'])
    t.equal(text[column], json[column], `${column} is the same in both`);
  t.match(json['time of reading'], /^[\d.e-]+s$/);
  t.equal(text.nothing, null);
  for (const args of rows.map(row => row[0]).filter(a => /0\.001( --json)?$/.test(a)))
    t.match(values(args).reason, /the time limit was reached/, args);
  t.end();
});

t.test('results of runs that did not end by themselves', { skip }, t => {
  const run = (status: number | null, output: string, ended: string | null): Call => [
    'result',
    ['euforia', 'check', 'a.vmt'],
    status,
    output,
    ended,
    [],
  ];
  const calls = [
    run(null, 'safe\n', 'cputime'),
    run(null, '', 'memory'),
    run(null, '', null),
    run(130, '', null),
    run(3, 'internal failure\n', null),
    run(134, 'out of memory\n', null),
    run(10, 'safe\n', null),
    run(0, '', null),
  ];
  const found = answers(t, calls) as { result: string }[];
  t.same(
    found.map(f => f.result),
    [
      'ERROR',
      'ERROR',
      'ERROR',
      'ERROR (interrupted)',
      'ERROR (internal failure)',
      'ERROR (exit status 134)',
      'ERROR (exit status 10, but the output does not say unsafe)',
      'ERROR (exit status 0, but the output does not say safe)',
    ],
  );
  t.end();
});

t.test('benchmark definitions', { skip }, t => {
  const files = readdirSync(join(root, 'contrib/benchexec')).filter(f => f.endsWith('.xml'));
  t.same(files.sort(), ['chc-comp.xml', 'hwmcc.xml', 'sv-comp.xml', 'vmt.xml']);
  const parse = 'import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]';
  const parsed = spawnSync('python3', ['-c', parse, ...files], { cwd: join(root, 'contrib/benchexec') });
  t.equal(parsed.status, 0, 'are well-formed', { stderr: String(parsed.stderr) });
  const help = spawnSync(process.execPath, ['dist/euforia.cjs', 'check', '--help'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files) {
    const text = readFileSync(join(root, 'contrib/benchexec', file), 'utf8');
    t.match(text, 'tool="contrib.benchexec.euforia"', file);
    for (const [, option] of text.matchAll(/<option name="(--[^"]+)"/g)) t.match(help.stdout, option, file);
    const columns = [...text.matchAll(/<column [^>]*>([^<]+)</g)].map(m => m[1]);
    t.ok(columns.length > 0 && columns.every(c => COLUMNS.includes(c) || c === 'time of checking'), file);
  }
  t.end();
});
