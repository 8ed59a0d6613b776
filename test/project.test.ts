/** The project itself: import layers, the README's commands, the bundle, the command line's manners. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import t, { type Test } from 'tap';
import { manualPage } from '../docs/man.ts';
import { optionsPage } from '../docs/options.ts';
import { COMMANDS } from '../src/cli/commands.ts';

const root = normalize(new URL('..', import.meta.url).pathname);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Which rooms a room may import from, besides itself. Read downwards, every arrow points up. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  term: [],
  sat: [],
  euf: ['term', 'sat'],
  bv: ['term', 'sat'],
  'core/env': ['sat'],
  'core/problem': ['term', 'sat', 'bv', 'core/env'],
  'core/passes': ['term', 'sat', 'euf', 'bv', 'core/env', 'core/problem'],
  // Engines do not know each other; what two of them need has a room of its own.
  'core/engines': ['term', 'sat', 'bv', 'core/env', 'core/problem'],
  'core/engines/ic3': ['sat'],
  'core/engines/interpolation': ['term', 'sat'],
  'core/engines/unrolled': ['term', 'bv', 'core/problem'],
  'core/engines/abstract': [
    ...['term', 'sat', 'euf', 'bv', 'core/problem'],
    ...['core/engines', 'core/engines/ic3', 'core/engines/interpolation'],
  ],
  'core/engines/bits': ['term', 'sat', 'bv', 'core/problem', 'core/engines', 'core/engines/ic3'],
  'core/engines/bounded': ['term', 'sat', 'core/problem', 'core/engines', 'core/engines/unrolled'],
  'core/engines/bounded-trees': ['term', 'sat', 'bv', 'core/problem', 'core/engines'],
  'core/engines/k-induction': [
    ...['term', 'sat', 'euf', 'bv', 'core/problem'],
    ...['core/engines', 'core/engines/unrolled'],
  ],
  'core/engines/evaluation': ['term', 'sat', 'core/problem'],
  'core/engines/bit-steps': ['term', 'sat', 'bv', 'core/env', 'core/problem', 'core/engines'],
  'core/engines/executions': ['term', 'sat', 'core/problem', 'core/engines', 'core/engines/evaluation'],
  'core/engines/conjectures': [
    ...['term', 'sat', 'bv', 'core/env', 'core/problem'],
    ...['core/engines', 'core/engines/bit-steps', 'core/engines/evaluation'],
  ],
  'core/engines/predicates': [
    ...['term', 'sat', 'bv', 'core/problem'],
    ...['core/engines', 'core/engines/ic3', 'core/engines/interpolation', 'core/engines/bit-steps'],
  ],
  'core/engines/walks': ['term', 'sat', 'bv', 'core/env', 'core/problem', 'core/engines'],
  'core/portfolio': ['term', 'sat', 'core/env', 'core/problem', 'core/passes', 'core/engines/*'],
  'core/evidence': ['term', 'sat', 'bv', 'core/problem'],
  'core/run': ['term', 'sat', 'bv', 'core/env', 'core/problem', 'core/passes'],
  formats: ['term', 'sat', 'bv', 'core/problem', 'core/passes', 'core/evidence'],
  smt: ['term', 'sat', 'euf', 'bv', 'formats'],
  check: ['term', 'sat', 'bv', 'core/*', 'formats'],
  version: [],
  api: ['term', 'sat', 'bv', 'core/*', 'formats', 'smt', 'check', 'version'],
  worker: ['sat', 'core/portfolio', 'formats', 'api'],
  cli: ['term', 'sat', 'euf', 'bv', 'core/*', 'formats', 'smt', 'check', 'version', 'api'],
};

/** The room of a source file: the first folders inside core, each engine's folder, one folder elsewhere. */
function room(file: string): string {
  const folders = file.replace(/\.ts$/, '').split('/').slice(0, -1);
  if (folders[0] !== 'core') return file.replace(/\.ts$/, '').split('/')[0];
  return folders.slice(0, folders[1] === 'engines' ? 3 : 2).join('/');
}

/** Is a room among some, `a/*` being all below `a` and `a` itself? */
function isAmong(room: string, rooms: readonly string[]): boolean {
  return rooms.some(r => {
    const above = r.endsWith('/*') ? r.slice(0, -2) : undefined;
    return r === room || room === above || (above !== undefined && room.startsWith(`${above}/`));
  });
}

const sources = (readdirSync(join(root, 'src'), { recursive: true }) as string[]).filter(f =>
  f.endsWith('.ts'),
);

function imports(file: string): string[] {
  const found = read(`src/${file}`).matchAll(
    /^(?:import|export)\b[^;]*?from '([^']+)'|import\('([^']+)'\)/gm,
  );
  return [...found].map(m => m[1] ?? m[2]);
}

t.test('the rooms import each other in one direction only', t => {
  t.ok(sources.length > 20);
  for (const file of sources) {
    const from = room(file);
    const allowed = MAY_IMPORT[from];
    if (allowed === undefined) {
      t.fail(`${file} is in no known room`);
      continue;
    }
    for (const target of imports(file).filter(i => i.startsWith('.'))) {
      const to = room(join(dirname(file), target));
      if (to !== from && !isAmong(to, allowed)) t.fail(`${file} may not import ${target}: ${from} → ${to}`);
    }
  }
  t.end();
});

t.test('evidence is checked with nothing that finds it', t => {
  const needed = new Set(sources.filter(f => f.startsWith('core/evidence/')));
  for (const file of needed) {
    const code = read(`src/${file}`).replace(/^import type\b[^;]*;/gm, '');
    for (const [, target] of code.matchAll(/from '(\.[^']+)'/g)) needed.add(join(dirname(file), target));
  }
  const shared = [...needed].filter(f =>
    /^(bv|euf|term\/rewrite|core\/(engines|passes|portfolio))\//.test(f),
  );
  t.same(shared, [], 'no solver, no preprocessing, no rewriting, no engine');
  t.end();
});

/** The one package that is used outside the command line, and the one file that uses it. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { 'bv/cadical.ts': ['cadical-wasm'] };

t.test('only the command line touches node; the core has no packages but the SAT solver', t => {
  for (const file of sources.filter(f => room(f) !== 'cli')) {
    const foreign = imports(file).filter(i => !i.startsWith('.'));
    t.same(foreign, PACKAGES[file] ?? [], file);
    if (/\bprocess\.|\beval\(|\brequire\(['"]/.test(read(`src/${file}`)))
      t.fail(`${file} uses process, eval or require`);
  }
  t.end();
});

t.test('the page of options is what the table of options makes of it', t => {
  t.equal(read('docs/options.md'), optionsPage(), 'npm run docs brings it up to date');
  t.equal(read('man/euforia.1'), manualPage(), 'and the manual page');
  t.end();
});

/** The shell blocks of a page: commands without the prompt. */
const blocksOf = (page: string) => [...read(page).matchAll(/```sh\n([\s\S]*?)```/g)].map(m => m[1].trim());
const blocks = blocksOf('README.md');
const INSTALL = 'npm ci && ';

t.test("the README's commands do what it says", t => {
  const tests = blocks.find(b => b.endsWith('npm test')) as string;
  t.ok(blocks[0].startsWith(INSTALL) && tests.startsWith(INSTALL), 'each starts from a fresh clone');
  t.match(read('.ci/run'), new RegExp(`^${tests}$`, 'm'), 'continuous integration runs the test command');
  t.equal(tests, `${INSTALL}npm test`);
  // The package is installed here already, and running the tests inside the tests would never end.
  checkCommands(
    t,
    'README.md',
    blocks.filter(b => b !== tests).flatMap(b => b.split('\n')),
  );
  const inTable = [...read('README.md').matchAll(/\| `(npx euforia [^`]+)` \|/g)].map(m => m[1]);
  t.equal(inTable.length, 3, 'a command each for three audiences');
  checkCommands(t, 'README.md', inTable);
  t.end();
});

for (const page of ['docs/c.md', 'docs/symbiyosys.md']) {
  t.test(`the commands of ${page} do what it says`, t => {
    checkCommands(
      t,
      page,
      blocksOf(page).flatMap(b => b.split('\n')),
    );
    t.end();
  });
}

/** Commands end well, and print what a page shows below them. */
function checkCommands(t: Test, page: string, lines: readonly string[]): void {
  for (const line of lines) {
    const run = spawnSync('bash', ['-c', line.replace(INSTALL, '')], { cwd: root, encoding: 'utf8' });
    t.notMatch(run.stderr, /error|internal failure/i, line);
    t.ok([0, 10, 20].includes(run.status ?? -1), `${line} ends well`);
    const expected = new RegExp(
      `\`\`\`sh\\n[^\`]*${escaped(line)}\\n\`\`\`\\n+\`\`\`text\\n([\\s\\S]*?)\`\`\``,
    ).exec(read(page));
    if (expected !== null)
      t.equal(withoutTimes(run.stdout), withoutTimes(expected[1]), `prints what ${page} shows`);
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Times differ from run to run, and counters of the search whenever a heuristic changes. */
function withoutTimes(text: string): string {
  return text
    .replace(/ *\d+(\.\d+)? (s|ms|us)\b/g, ' T')
    .replace(/\d+(\.\d+)? (MB|conflicts|decisions|propagations)\b/g, 'N $2')
    .trim();
}

function euforia(...args: string[]) {
  return spawnSync(process.execPath, [join(root, 'dist/euforia.cjs'), ...args], {
    cwd: root,
    encoding: 'utf8',
  });
}

t.test('the command line', t => {
  const build = spawnSync(process.execPath, ['build.mjs'], { cwd: root, encoding: 'utf8' });
  t.equal(build.status, 0, build.stderr);

  const help = euforia('--help');
  t.equal(help.status, 0);
  for (const { name } of COMMANDS) t.match(help.stdout, `  ${name} `);
  t.equal(euforia('--version').stdout.trim(), JSON.parse(read('package.json')).version);
  for (const command of COMMANDS) {
    const { stdout, status } = euforia(command.name, '--help');
    t.equal(status, 0);
    for (const option of command.options) t.match(stdout, `--${option.name}`);
    for (const example of command.examples) t.match(stdout, example);
  }

  for (const [args, message] of [
    [['frob'], "unknown command 'frob': expected one of check, run, certify, smt, sat"],
    [
      ['check', 'examples/counter.vmt', '--property', '7'],
      'examples/counter.vmt:1:1: there is no property 7',
    ],
    [
      ['check', 'examples/counter.vmt', '--property', 'x'],
      "there is no property 'x': the file has 0 (never-ten), 1 (never-five)",
    ],
    [['check', 'examples/counter.vmt', '--property', '-1'], "Option '--property' argument is ambiguous"],
    [
      ['check', 'examples/towers.smt2'],
      'examples/towers.smt2:1:1: expected VMT, Horn clauses, BTOR2, C or LLVM IR',
    ],
    [['check', 'examples/copy.vmt', '--generalize', 'maybe'], "--generalize takes on or off, not 'maybe'"],
    [['certify', 'examples/copy.vmt'], 'certify needs --invariant FILE'],
    [['sat'], 'expected FILE.cnf; see euforia sat --help'],
    [['sat', 'a', 'b'], "unexpected argument 'b'"],
    [['sat', 'a', '--frob'], "Unknown option '--frob'"],
    [['sat', 'a', '--timeout', 'soon'], "--timeout takes a positive number, not 'soon'"],
    [['sat', 'a', '--timeout'], "Option '--timeout <value>' argument missing"],
    [['sat', 'no-such-file.cnf'], 'euforia: cannot read no-such-file.cnf: there is no such file'],
    [['sat', '.'], 'euforia: cannot read .: it is a folder, and a file is expected'],
  ] as [string[], string][]) {
    const { status, stderr, stdout } = euforia(...args);
    t.equal(status, 2, args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.trim().split('\n').length, 1, 'one line');
    t.equal(stdout, '');
  }
  t.equal(euforia().status, 2, 'without a command it shows help and fails');
  t.end();
});

t.test('the built command line gets its WebAssembly solver from the package', t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  // 46337 is a prime: its square has no two different factors, which takes more than the light engine's share to show.
  writeFileSync(
    join(folder, 'square.smt2'),
    `(set-logic QF_BV) (declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16))
     (assert (= (bvmul ((_ zero_extend 16) a) ((_ zero_extend 16) b)) (_ bv2147117569 32)))
     (assert (bvugt a #x0001)) (assert (bvult a b)) (check-sat)`,
  );
  const run = euforia('smt', join(folder, 'square.smt2'));
  t.same([run.status, run.stdout, run.stderr], [0, 'unsat\n', '']);
  rmSync(folder, { recursive: true });
  t.end();
});

t.test('check and certify', t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  const file = (name: string) => join(folder, name);
  const safe = euforia('check', 'examples/counter.vmt', '--property', '0', '--quiet');
  t.equal(safe.stdout, 'safe\n');
  t.equal(safe.status, 0);
  const all = euforia('check', 'examples/counter.vmt', '--json');
  t.equal(all.status, 10);
  const { verdict, properties } = JSON.parse(all.stdout);
  t.equal(verdict, 'unsafe');
  t.same(
    properties.map((p: { verdict: string }) => p.verdict),
    ['safe', 'unsafe'],
  );

  const unsafe = euforia(
    ...['check', 'examples/counter.vmt', '--property', '1', '--stats'],
    ...['--trace', file('run.json'), '--vcd', file('run.vcd')],
  );
  t.equal(unsafe.status, 10);
  t.match(unsafe.stdout, /^unsafe\n[\s\S]*never-five[\s\S]*; abstract refinements +\d/);
  t.equal(JSON.parse(readFileSync(file('run.json'), 'utf8')).steps.length, 6);
  t.match(readFileSync(file('run.vcd'), 'utf8'), '$enddefinitions');

  const proof = euforia(
    ...['check', 'examples/copy.vmt', '--invariant', file('inv.smt2'), '--certificate', file('proof')],
  );
  t.match(proof.stdout, /^safe\n/);
  t.ok(readdirSync(file('proof')).includes('step.smt2'));
  t.equal(euforia('certify', 'examples/copy.vmt', '--invariant', file('inv.smt2')).stdout, 'valid\n');
  writeFileSync(file('wrong.smt2'), '(assert (= x y))');
  const wrong = euforia('certify', 'examples/copy.vmt', '--invariant', file('wrong.smt2'));
  t.equal(wrong.status, 1);
  t.match(wrong.stdout, /^invalid\nreason: /);
  rmSync(folder, { recursive: true });
  t.end();
});
