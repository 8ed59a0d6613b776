/** What --json prints is what the schema says, for every kind of input and answer. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';

const root = fileURLToPath(new URL('../..', import.meta.url));
const schema = (name: string) => JSON.parse(readFileSync(join(root, 'docs/schema', name), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true });
ajv.addSchema(schema('run.json'));
const isResult = ajv.compile(schema('result.json'));

const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function call(...args: readonly string[]) {
  const { stdout, stderr, status } = spawnSync('node', [join(root, 'dist/euforia.cjs'), 'check', ...args], {
    encoding: 'utf8',
    cwd: root,
  });
  return { stdout, stderr, status };
}

const HORN = `(set-logic HORN) (declare-fun P ((_ BitVec 4)) Bool)
(assert (P #x0))
(assert (forall ((x (_ BitVec 4))) (=> (P x) (P (bvadd x #x1)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (P x) (= x #x2)) false)))
(check-sat)`;

t.test('answers', t => {
  for (const [name, args, verdict] of [
    ['a system with two properties', ['examples/counter.vmt'], 'unsafe'],
    ['a circuit', ['examples/memory.btor2'], 'safe'],
    ['clauses that are unsafe', [file('h.smt2', HORN)], 'unsafe'],
    ['a program', ['examples/lock-bug.c'], 'unsafe'],
    ['a program that is safe', ['examples/lock.c'], 'safe'],
    ['a limit', ['examples/two-loops.vmt', '--timeout', '0.01'], 'unknown'],
    [
      'a limit of the depth',
      ['examples/counter.vmt', '--property', '1', '--engines', 'bounded', '--bound', '1'],
      'unknown',
    ],
  ] as const) {
    const { stdout } = call(...args, '--json');
    const document = JSON.parse(stdout);
    t.equal(isResult(document), true, `${name}: ${ajv.errorsText(isResult.errors)}`);
    t.equal(document.verdict, verdict, name);
  }
  const { properties } = JSON.parse(call(file('h.smt2', HORN), '--json').stdout);
  const derived = properties[0].trace.steps.map((s: { derives: string }) => s.derives);
  t.same(derived, ['(P #x0)', '(P #x1)', '(P #x2)', 'false'], 'the derivation is all there');
  t.end();
});

t.test('errors', t => {
  const bad = file('bad.vmt', '(declare-fun x () Bool)\n(define-fun i () Bool (! (= x 1) :init true))\n');
  const { stdout, stderr, status } = call(bad, '--json');
  const document = JSON.parse(stdout);
  t.equal(isResult(document), true, ajv.errorsText(isResult.errors));
  t.equal(status, 2);
  t.match(document.error, { status: 2, messages: [{ file: bad, line: 2 }] });
  t.match(stderr, /bad\.vmt:2:/, 'people are told as well');
  const c = file('bad.c', 'int main(void) { return x + y; }\n');
  const { error } = JSON.parse(call(c, '--json').stdout);
  t.same(
    error.messages.map((m: { line: number; column: number }) => [m.line, m.column]),
    [
      [1, 25],
      [1, 29],
    ],
    'all that the compiler says',
  );
  t.equal(isResult(JSON.parse(call(join(folder, 'none'), '--json').stdout)), true);
  t.end();
});

t.test('many files, a line each', t => {
  const bad = file('bad.btor2', '1 sort bitvec\n');
  const { stdout, status } = call('examples/counter.vmt', bad, 'examples/memory.btor2', '--json');
  const documents = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  t.equal(status, 2);
  for (const d of documents) t.equal(isResult(d), true, ajv.errorsText(isResult.errors));
  t.same(
    documents.map(d => [d.file, d.verdict ?? 'error']),
    [
      ['examples/counter.vmt', 'unsafe'],
      [bad, 'error'],
      ['examples/memory.btor2', 'safe'],
    ],
  );
  t.end();
});

t.test('what goes together and what does not', t => {
  const { stderr, status } = call('examples/two-loops.smt2', '--json', '--format', 'chc-comp');
  t.equal(status, 2);
  t.match(stderr, /^--json and --format chc-comp are two ways to answer/);
  t.end();
});

t.test('the schema rejects what is no result', t => {
  const [good] = [JSON.parse(call('examples/counter.vmt', '--json').stdout)];
  for (const [what, wrong] of [
    ['no version', { ...good, version: undefined }],
    ['another version', { ...good, version: 2 }],
    ['an unknown verdict', { ...good, verdict: 'maybe' }],
    [
      'a proof without an invariant',
      { ...good, properties: [{ ...good.properties[0], invariant: undefined }] },
    ],
    ['an answer and an error', { ...good, error: { status: 2, messages: [{ text: 'x' }] } }],
  ] as const)
    t.equal(isResult(JSON.parse(JSON.stringify(wrong))), false, what);
  t.end();
});
