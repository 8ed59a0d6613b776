import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { satCommand } from '../../src/cli/sat.ts';
import { InputError } from '../../src/formats/diagnostic.ts';
import { clauseOf, readDimacs } from '../../src/formats/dimacs/reader.ts';
import { ProofChecker } from '../../src/sat/checker.ts';
import { fromDimacs, toDimacs } from '../../src/sat/literals.ts';
import { AXIOM, DELETED, DERIVED, INPUT, MemoryProof, type StepKind } from '../../src/sat/proof.ts';

const PIGEONS = new URL('../../examples/pigeonhole-4.cnf', import.meta.url).pathname;
const COLOURING = new URL('../../examples/colouring.cnf', import.meta.url).pathname;

t.test('DIMACS', async t => {
  const text = 'c first\np cnf 4 3\n1 -2 0\nc between\n3\n 4 0 0\n%\n0\n';
  const cnf = readDimacs(text, 'x.cnf');
  t.equal(cnf.varCount, 4);
  t.strictSame(
    [0, 1, 2].map(i => clauseOf(cnf, i).map(toDimacs)),
    [[1, -2], [3, 4], []],
  );
  t.equal(readDimacs('p cnf 0 0\n', 'x.cnf').clauseCount, 0);
  t.equal(readDimacs('p cnf 1 1\r\n1 0\r\n', 'x.cnf').clauseCount, 1, 'carriage returns');

  const failures: [string, string, number, number, RegExp][] = [
    ['empty file', '', 1, 1, /expected the header/],
    ['no header', 'c x\n1 0\n', 2, 1, /expected the header/],
    ['bad header', 'p cnf 3\n', 1, 1, /expected the header/],
    ['wrong format', 'p dnf 3 3\n', 1, 1, /expected the header/],
    ['negative count', 'p cnf -3 3\n', 1, 1, /expected the header/],
    ['too many variables', 'p cnf 99999999999 3\n', 1, 1, /at most/],
    ['literal out of range', 'p cnf 2 2\n1 2 0\n1 -3 0\n', 3, 3, /-3 is out of range.*2 variables/],
    ['missing 0', 'p cnf 2 2\n1 0\n 1 2\n', 3, 2, /expected a 0/],
    ['too few clauses', 'p cnf 2 3\n1 0\n2 0\n', 4, 1, /expected 3 clauses as announced, found 2/],
    ['too many clauses', 'p cnf 2 1\n1 0\n2 0\n', 3, 1, /announces 1 clauses/],
    ['junk', 'p cnf 2 1\n1 x2 0\n', 2, 3, /expected a literal or 0, found 'x2'/],
    ['junk after digits', 'p cnf 2 1\n1 2y 0\n', 2, 3, /found '2y'/],
    ['minus alone', 'p cnf 2 1\n1 - 0\n', 2, 3, /found '-'/],
    ['second header', 'p cnf 2 1\np cnf 2 1\n1 0\n', 2, 1, /found 'p'/],
  ];
  for (const [name, input, line, column, message] of failures) {
    try {
      readDimacs(input, 'bad.cnf');
      t.fail(`${name} is accepted`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      t.match(error.message, message, name);
      t.strictSame([error.file, error.line, error.column], ['bad.cnf', line, column], name);
    }
  }
});

/** Runs a proof given as DIMACS numbers. */
function check(steps: [StepKind, number[]][]): ProofChecker {
  const checker = new ProofChecker();
  for (const [kind, clause] of steps) checker.step(kind, clause.map(fromDimacs), 0, clause.length);
  return checker;
}

t.test('the proof checker', async t => {
  const square: [StepKind, number[]][] = [
    [INPUT, [1, 2]],
    [INPUT, [-1, 2]],
    [INPUT, [1, -2]],
    [INPUT, [-1, -2]],
  ];
  t.ok(check([...square, [DERIVED, [2]], [DERIVED, []]]).isRefuted);
  t.notOk(check(square).isRefuted, 'nothing is refuted without the lemma');
  t.throws(() => check([...square, [DERIVED, []]]), /step 5: clause \(empty\) does not follow/);
  t.throws(() => check([...square.slice(1), [DERIVED, [2]]]), /step 4: clause 2 does not follow/);
  t.throws(
    () => check([...square, [DELETED, [2, 1]], [DERIVED, [2]]]),
    /step 6: clause 2 does not follow/,
    'needed clause deleted',
  );
  t.throws(() => check([...square, [DELETED, [1, 2, 3]]]), /no clause 1 2 3 to delete/);
  t.throws(
    () =>
      check([
        [INPUT, [1, 2]],
        [DELETED, [1, 2]],
        [DELETED, [1, 2]],
      ]),
    /no clause/,
    'deleted twice',
  );
  t.notOk(
    check([
      [INPUT, [1, 2, 3]],
      [AXIOM, [-1]],
      [DERIVED, [2, 3]],
    ]).isRefuted,
  );
  t.ok(
    check([
      [INPUT, [1, 2]],
      [INPUT, [1, 2]],
      [DELETED, [2, 1]],
      [INPUT, [-1]],
      [INPUT, [-2]],
    ]).isRefuted,
    'one copy is left',
  );
  const chain = check([
    [INPUT, [-1, 2]],
    [INPUT, [-2, 3]],
    [INPUT, [-3, 4, 5]],
  ]);
  t.ok(chain.follows([-1, 4, 5].map(fromDimacs)));
  t.notOk(chain.follows([-1, 4].map(fromDimacs)));
  t.ok(chain.follows([7, -7].map(fromDimacs)), 'a tautology');
  t.notOk(chain.isRefuted, 'asking changes nothing');
  t.ok(
    check([
      [INPUT, [1, 1, 1, 2, 2, 2, 1, 1, 2, 1]],
      [INPUT, [-1]],
      [INPUT, [-2, -2]],
    ]).isRefuted,
    'duplicates',
  );

  const proof = new MemoryProof();
  proof.step(INPUT, [0, 2], 0, 2);
  proof.step(DERIVED, [9, 0, 3, 9], 1, 3);
  proof.step(AXIOM, [5], 0, 1);
  proof.step(DELETED, [0, 2], 0, 2);
  proof.step(DERIVED, [], 0, 0);
  t.equal(proof.toText(), '1 -2 0\nd 1 2 0\n0\n');
});

/** Reads DRUP text and checks it against the problem. */
function isRefutation(cnfText: string, proofText: string): boolean {
  const cnf = readDimacs(cnfText, 'problem');
  const checker = new ProofChecker();
  for (let i = 0; i < cnf.clauseCount; i++) {
    const clause = clauseOf(cnf, i);
    checker.step(INPUT, clause, 0, clause.length);
  }
  for (const line of proofText.trimEnd().split('\n')) {
    const isDeletion = line.startsWith('d ');
    const numbers = (isDeletion ? line.slice(2) : line).split(' ').map(Number);
    if (numbers.pop() !== 0) throw new Error(`no 0 at the end of ${line}`);
    checker.step(isDeletion ? DELETED : DERIVED, numbers.map(fromDimacs), 0, numbers.length);
  }
  return checker.isRefuted && proofText.endsWith('\n0\n');
}

t.test('the command', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  const run = (path: string, options: { proof?: string; timeout?: number } = {}) => {
    let out = '';
    let err = '';
    const code = satCommand(path, options, { out: text => (out += text), err: text => (err += text) });
    return { code, out, err };
  };
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  const proof = join(folder, 'proof.drup');
  const unsat = run(PIGEONS, { proof });
  t.equal(unsat.code, 20);
  t.match(unsat.out, /^s UNSATISFIABLE$/m);
  t.ok(isRefutation(readFileSync(PIGEONS, 'utf8'), readFileSync(proof, 'utf8')), 'the proof file checks');
  t.match(run(PIGEONS, { proof: join(folder, 'no', 'such') }).err, /such: there is no such folder/);

  const sat = run(COLOURING);
  t.equal(sat.code, 10);
  t.match(sat.out, /^s SATISFIABLE$/m);
  t.ok(
    sat.out.split('\n').every(line => line === '' || /^[csv] /.test(line)),
    'only c, s and v lines',
  );
  t.ok(sat.out.split('\n').every(line => line.length < 80));
  const model = sat.out
    .split('\n')
    .filter(line => line.startsWith('v '))
    .flatMap(line => line.slice(2).split(' ').map(Number));
  t.equal(model.pop(), 0);
  const cnf = readDimacs(readFileSync(COLOURING, 'utf8'), COLOURING);
  t.equal(model.length, cnf.varCount);
  for (let i = 0; i < cnf.clauseCount; i++) t.ok(clauseOf(cnf, i).some(lit => model.includes(toDimacs(lit))));

  const slow = run(PIGEONS, { timeout: 0 });
  t.equal(slow.code, 0);
  t.match(slow.out, /^s UNKNOWN$/m);
  t.match(slow.out, /^c stopped: deadline$/m);

  const bad = write('bad.cnf', 'p cnf 1 1\n2 0\n');
  const failed = run(bad);
  t.equal(failed.code, 2);
  t.equal(failed.out, '');
  t.equal(failed.err, `${bad}:2:1: literal 2 is out of range, the header announces 1 variables\n`);
  t.equal(run(join(folder, 'missing.cnf')).code, 2);
  t.match(run(join(folder, 'missing.cnf')).err, /missing\.cnf: .*no such file/i);
  t.equal(run(write('empty.cnf', 'p cnf 1 1\n0\n')).code, 20, 'the empty clause');
  t.match(run(write('free.cnf', 'p cnf 2 0\n')).out, /^v -?1 -?2 0$/m, 'no clauses');
});
