/** What all readers have in common: limits, byte order marks, line ends, and what they say of the formats that they refuse. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import t from 'tap';
import { check } from '../../src/api.ts';
import { ConcreteSolver } from '../../src/bv/solver.ts';
import { expectFolder, expectWritable, FileError, readText, writeText } from '../../src/cli/files.ts';
import { preprocess } from '../../src/core/passes/pipeline.ts';
import { readDimacs } from '../../src/formats/dimacs/reader.ts';
import { readInvariant } from '../../src/formats/proof/reader.ts';
import type { Question } from '../../src/formats/question.ts';
import { readQuestion } from '../../src/formats/read.ts';
import { ScriptReader } from '../../src/formats/smtlib/script.ts';
import type { Budget } from '../../src/sat/budget.ts';
import { Checkpoint } from '../../src/sat/checkpoint.ts';
import { Unknown } from '../../src/sat/unknown.ts';
import { Op } from '../../src/term/operators.ts';
import { printTerm } from '../../src/term/printer.ts';
import { TermStore } from '../../src/term/store.ts';

const root = new URL('../..', import.meta.url).pathname;

const read = (file: string, text: string, budget?: Budget): Question =>
  readQuestion(file, text, {
    strict: true,
    warn: message => t.fail(message),
    ...(budget === undefined ? {} : { budget }),
  });

/** So many lines, numbered from 0. */
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** A file of each format, as long as wanted. */
const FILES: Readonly<Record<string, (size: number) => string>> = {
  'a.vmt': size => `(declare-fun x () (_ BitVec 8)) (declare-fun y () (_ BitVec 8))
(define-fun d0 () (_ BitVec 8) (! x :next y))
${lines(size, i => `(define-fun d${i + 1} () (_ BitVec 8) (bvadd d${i} x))`)}
(define-fun i () Bool (! (= x #x00) :init true))
(define-fun t () Bool (! (= y d${size}) :trans true))
(define-fun p () Bool (! (= x #x00) :invar-property 0))`,
  'a.btor2': size =>
    `1 sort bitvec 8\n2 zero 1\n3 state 1 x\n4 init 1 3 2
${lines(size, i => `${i + 5} add 1 ${i === 0 ? 3 : i + 4} 3`)}
${size + 5} next 1 3 ${size + 4}\n${size + 6} redor ${size + 9} 3\n`
      .replace('1 sort bitvec 8', `1 sort bitvec 8\n${size + 9} sort bitvec 1`)
      .concat(`${size + 7} bad ${size + 6}\n`),
  'smt-lib.smt2': size => `(set-logic HORN)\n(declare-fun P ((_ BitVec 8)) Bool)\n(assert (P #x00))
${lines(size, i => `(assert (forall ((x (_ BitVec 8))) (=> (and (P x) (= x (_ bv${i} 8))) (P (bvadd x x)))))`)}
(assert (forall ((x (_ BitVec 8))) (=> (and (P x) (not (= x #x00))) false)))`,
  'rules.smt2':
    size => `(declare-var x (_ BitVec 8))\n(declare-rel P0 ((_ BitVec 8)))\n(rule (P0 #x00))\n(declare-rel Q ())
${lines(size, i => `(declare-rel P${i + 1} ((_ BitVec 8)))\n(rule (=> (P${i} x) (P${i + 1} (bvadd x x))))`)}
(rule (=> (and (P${size} x) (not (= x #x00))) Q))\n(query Q)`,
};

/** Counts how often a limit is looked at, and is up from a certain look on. */
class CountingSignal {
  looks = 0;
  private readonly upFrom: number;

  constructor(upFrom = Number.POSITIVE_INFINITY) {
    this.upFrom = upFrom;
  }

  get aborted(): boolean {
    return ++this.looks >= this.upFrom;
  }
}

t.test('limits are honoured from the first token to the last', t => {
  for (const [file, text] of Object.entries(FILES)) {
    const free = new CountingSignal();
    read(file, text(1000), { signal: free });
    t.ok(free.looks > 4, `${file} is looked at often`);
    for (const upFrom of [1, 2, free.looks >> 1, free.looks]) {
      const signal = new CountingSignal(upFrom);
      t.throws(() => read(file, text(1000), { signal }), new Unknown('aborted'), `${file}, look ${upFrom}`);
      t.equal(signal.looks, upFrom, 'and nothing is done after that');
    }
    t.throws(() => read(file, text(1), { deadline: Date.now() - 1 }), new Unknown('deadline'), file);
  }
  t.end();
});

t.test('problems have limits while they are prepared, too', t => {
  for (const [file, text] of Object.entries(FILES)) {
    const { problem } = read(file, text(1000));
    const free = new CountingSignal();
    preprocess(problem, 'sliced', new Checkpoint({ signal: free }));
    t.ok(free.looks > 4, `${file}: ${free.looks} looks`);
    for (const upFrom of [1, free.looks >> 1, free.looks]) {
      const signal = new CountingSignal(upFrom);
      const { problem: again } = read(file, text(1000));
      t.throws(
        () => preprocess(again, 'sliced', new Checkpoint({ signal })),
        new Unknown('aborted'),
        `${file}, look ${upFrom}`,
      );
      t.equal(signal.looks, upFrom, 'and nothing is done after that');
    }
  }
  t.end();
});

t.test('scripts and formulas have limits', t => {
  const text = `${lines(2000, i => `(declare-const x${i} Bool) (assert x${i})`)}(check-sat)(push)(check-sat)(check-sat-assuming (x1))`;
  const signal = new CountingSignal(30);
  const reader = new ScriptReader(new TermStore(), 'f', text, new Checkpoint({ signal }));
  const readAll = () => {
    while (reader.next() !== undefined);
  };
  t.throws(readAll, new Unknown('aborted'));
  t.equal(reader.questionsLeft, 3, 'what was not read is known to be asked');
  t.throws(
    () => readDimacs('p cnf 1 1\n1 0\n', 'f', new Checkpoint({ deadline: 0 })),
    new Unknown('deadline'),
  );
  t.end();
});

t.test('the library answers unknown if the text cannot be read in time', async t => {
  const result = await check(FILES['a.vmt'](2000), { timeout: 0, property: 0 });
  const unread = { verdict: 'unknown', property: 0, name: undefined, reason: 'deadline', engines: [] };
  t.same(result, { ...unread, properties: [unread] });
});

t.test('one operator on wide vectors is broken off in the middle, and taken up again', t => {
  const width = 20_000;
  const terms = new TermStore();
  const sort = terms.sorts.bitVec(width);
  const [x, y, z] = ['x', 'y', 'z'].map(name => terms.variable(name, sort));
  const [a, b] = [7n ** 4000n, 11n ** 5000n];
  const solver = new ConcreteSolver(terms, { preprocess: false });
  solver.assert(terms.eq(x, terms.bv(width, a)));
  solver.assert(terms.eq(y, terms.bv(width, b)));
  solver.assert(terms.eq(z, terms.app(Op.BVADD, [x, y])));
  const signal = new CountingSignal(12);
  t.equal(solver.solve([], { signal }), 'unknown');
  t.equal(solver.unknownReason, 'aborted');
  t.equal(solver.stats.clauses, 0, 'clauses come after the circuit, which was not finished');
  t.equal(solver.solve(), 'sat');
  t.equal(solver.model().value(z), BigInt.asUintN(width, a + b));
  t.end();
});

t.test('a long chain of relations is one step after the other', async t => {
  // P0(0) and Pi(x) ⇒ Pi+1(x + x) for 500 i: the derivation uses each clause once, and the query.
  const text = FILES['rules.smt2'](500).replace('(not (= x #x00))', '(= x #x00)');
  const result = await check(text, { file: 'chain.smt2' });
  t.equal(result.verdict, 'unsafe');
  if (result.verdict === 'unsafe') t.equal(result.table.match(/\(step /g)?.length, 503);
});

t.test('byte order marks and the line ends of other systems say nothing', t => {
  for (const [file, text] of Object.entries(FILES)) {
    const shown = ({ problem: { terms, edges } }: Question) =>
      edges.flatMap(e => [e.guard, ...e.values]).map(f => printTerm(terms, f));
    const plain = shown(read(file, text(3)));
    t.same(shown(read(file, `\ufeff${text(3)}`)), plain, `${file} with a mark`);
    t.same(shown(read(file, text(3).replaceAll('\n', '\r\n'))), plain, `${file} with carriage returns`);
    t.equal(
      read('unnamed', `\ufeff${text(3)}`).format,
      read(file, text(3)).format,
      'the format is known as well',
    );
  }
  const script = new ScriptReader(new TermStore(), 'f', '\ufeff(check-sat)');
  t.equal(script.next()?.kind, 'check-sat');
  t.equal(readDimacs('\ufeffp cnf 1 1\r\n-1 0\r\n', 'f').clauseCount, 1);
  const system = read('a.vmt', FILES['a.vmt'](0)).system();
  t.equal(readInvariant(system, 'f', '\ufeff(assert true)').invariant, system.terms.true);
  const comment = new ScriptReader(new TermStore(), 'f', '; a comment\r(check-sat)\r; another one');
  t.equal(comment.next()?.kind, 'check-sat', 'a carriage return ends a comment, as SMT-LIB has it');
  const utf16 = Buffer.from('\ufeff(check-sat)', 'utf16le').toString('utf8');
  for (const file of Object.keys(FILES)) {
    t.throws(() => read(file, utf16), { message: `${file}:1:1: this is UTF-16; save it as UTF-8` });
  }
  t.throws(() => read('a.vmt', '\ufefffoo'), { message: 'a.vmt:1:1: expected a command in parentheses' });
  t.end();
});

t.test('a file of Horn clauses and VMT is neither', t => {
  const clauses = '(set-logic HORN)\n(declare-fun x () Bool)\n';
  for (const [command, place, name] of [
    ['(define-fun s () Bool (! x :next y))', '3:28', ':next'],
    ['(define-fun i () Bool (! x :init true))', '3:28', ':init'],
    ['(assert (! x :trans true))', '3:14', ':trans'],
    ['(assert (forall ((y Bool)) (! (=> y x) :invar-property 0)))', '3:40', ':invar-property'],
  ]) {
    t.throws(() => read('a.smt2', clauses + command), {
      message: `a.smt2:${place}: ${name} is an annotation of VMT, but this file has Horn clauses: it must be one or the other`,
    });
  }
  read('a.smt2', `(set-info :init true)\n${clauses}(declare-fun |:next| () Bool) (assert (! x :named n))`);
  t.end();
});

t.test('what is supported is said of the format at hand', t => {
  const QUANTIFIED =
    /Horn clauses over Bool, bit-vectors and arrays, with quantifiers around a clause as a whole$/;
  const FREE = /over Bool, bit-vectors, arrays and uninterpreted sorts, without quantifiers$/;
  for (const text of [
    '(declare-fun P (Int) Bool)',
    '(declare-sort S 0)',
    '(assert (forall ((x Bool)) (exists ((y Bool)) (= x y))))',
    '(assert (= 1 1))',
    '(declare-datatypes () ())',
  ]) {
    t.throws(() => read('a.smt2', `(set-logic HORN)${text}`), { message: QUANTIFIED }, text);
  }
  for (const text of [
    '(declare-fun n () Int)',
    '(define-fun p () Bool (! (forall ((x Bool)) x) :invar-property 0))',
    '(define-fun f ((b Bool)) Bool (! b :init true))',
  ]) {
    t.throws(() => read('a.vmt', text), { message: FREE }, text);
  }
  t.end();
});

t.test('models of clauses are simple, and what is shown is what was checked', async t => {
  // B holds of x and true for every x that A holds of; A stays below 16; nothing says anything of U.
  const result = await check(
    `(set-logic HORN) (declare-fun A ((_ BitVec 8)) Bool) (declare-fun B ((_ BitVec 8) Bool) Bool)
(declare-fun U (Bool) Bool) (assert (A #x00))
(assert (forall ((x (_ BitVec 8))) (=> (and (A x) (bvult x #x05)) (A (bvadd x #x01)))))
(assert (forall ((x (_ BitVec 8))) (=> (A x) (B x true))))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (B x b) (not b)) false)))
(assert (forall ((x (_ BitVec 8)) (b Bool)) (=> (and (B x b) (bvugt x #x10)) false)))`,
    { file: 'a.smt2' },
  );
  t.equal(result.verdict, 'safe');
  if (result.verdict !== 'safe') return;
  for (const name of ['A', 'B', 'U']) t.match(result.invariant, `(define-fun ${name} (`);
  t.notMatch(result.invariant, /\((and|or|not|=)[^()]* (true|false)\b/, 'no constant inside of a formula');
});

t.test('files that cannot be read or written are told in a sentence', t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const inside = (...names: string[]) => join(folder, ...names);
  writeFileSync(inside('file'), 'text');
  mkdirSync(inside('folder'));
  const complaint = (action: () => unknown) => {
    try {
      action();
    } catch (error) {
      if (error instanceof FileError) return error.message.replaceAll(folder, 'F');
      throw error;
    }
    return 'nothing';
  };
  t.equal(readText(inside('file')), 'text');
  for (const [action, message] of [
    [() => readText(inside('none')), 'euforia: cannot read F/none: there is no such file'],
    [() => readText(folder), 'euforia: cannot read F: it is a folder, and a file is expected'],
    [
      () => readText(inside('file', 'a')),
      'euforia: cannot read F/file/a: a part of its path is a file, not a folder',
    ],
    [() => readText(''), 'euforia: cannot read : the path is empty'],
    [() => expectWritable(''), 'euforia: cannot write : the path is empty'],
    [() => expectFolder(''), 'euforia: cannot write to : the path is empty'],
    [
      () => expectWritable(inside('none', 'a')),
      'euforia: cannot write F/none/a: there is no such folder, make it first',
    ],
    [
      () => expectWritable(inside('folder')),
      'euforia: cannot write F/folder: it is a folder, and a file is expected',
    ],
    [
      () => writeText(inside('none', 'a'), ''),
      'euforia: cannot write F/none/a: there is no such folder, make it first',
    ],
    [
      () => expectFolder(inside('file')),
      'euforia: cannot write to F/file: it is a file, and a folder is expected',
    ],
    [
      () => expectFolder(inside('file', 'a')),
      'euforia: cannot write to F/file/a: a part of its path is a file, not a folder',
    ],
    [() => expectFolder(inside('none', 'none')), 'nothing'],
    [() => expectWritable(inside('new')), 'nothing'],
    [() => expectWritable(inside('file')), 'nothing'],
  ] as const) {
    t.equal(complaint(action), message);
  }
  if (process.getuid?.() !== 0) {
    // The superuser may do everything.
    chmodSync(inside('file'), 0);
    t.equal(
      complaint(() => readText(inside('file'))),
      'euforia: cannot read F/file: its permissions do not allow it',
    );
    t.match(
      complaint(() => expectWritable(inside('file'))),
      'permissions',
    );
  }
  t.end();
});

t.test('the commands say so, and in time', async t => {
  // Inside the project, so that the package of the SAT solver is found from there.
  const folder = mkdtempSync(join(root, 'node_modules', '.test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const command = join(folder, 'euforia.mjs');
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: command,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['cadical-wasm'],
    logLevel: 'silent',
  });
  const euforia = (...args: string[]) => {
    const run = spawnSync(process.execPath, [command, ...args], { cwd: root, encoding: 'utf8' });
    return [run.status, run.stdout, run.stderr.replaceAll(folder, 'F')];
  };
  const large = join(folder, 'large.btor2');
  writeFileSync(large, FILES['a.btor2'](50_000));
  const reason = (limit: string) => `the ${limit} limit was reached while the file was being read`;
  t.same(euforia('check', large, '--timeout', '0.001'), [20, `unknown\nreason: ${reason('time')}\n`, '']);
  t.same(euforia('check', large, '--memory', '1', '--quiet', '--trace', join(folder, 'run')), [
    20,
    'unknown\n',
    'no run was written, since no property was found to be violated\n',
  ]);
  const [, json] = euforia('check', large, '--memory', '1', '--json');
  t.match(JSON.parse(json as string), {
    file: large,
    verdict: 'unknown',
    reason: reason('memory'),
    properties: [],
  });
  t.same(euforia('check', large, '--format', 'hwmcc', '--timeout', '0.001'), [20, 'unknown\n', '']);

  const nowhere = join(folder, 'none', 'file');
  const unwritable = 'euforia: cannot write F/none/file: there is no such folder, make it first\n';
  // The question is malformed as well, which would be found out first if the file were read first.
  writeFileSync(join(folder, 'bad.vmt'), '(');
  for (const option of ['--trace', '--vcd', '--invariant']) {
    t.same(euforia('check', join(folder, 'bad.vmt'), option, nowhere), [2, '', unwritable], option);
  }
  t.same(euforia('convert', join(folder, 'bad.vmt'), '--output', nowhere), [2, '', unwritable]);
  t.same(euforia('check', join(folder, 'none.vmt')), [
    2,
    '',
    'euforia: cannot read F/none.vmt: there is no such file\n',
  ]);
  t.same(euforia('check', 'examples/copy.vmt', '--quiet', '--vcd', join(folder, 'run')), [
    0,
    'safe\n',
    'no run was written, since no property was found to be violated\n',
  ]);
  const unsafe = ['check', 'examples/counter.vmt', '--property', '1', '--quiet'];
  t.same(euforia(...unsafe, '--invariant', join(folder, 'inv')), [
    10,
    'unsafe\n',
    'no proof was written, since no property was found to hold\n',
  ]);
});
