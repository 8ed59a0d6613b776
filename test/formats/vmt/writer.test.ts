/** The writer of VMT: what is written is read back as the same system; and `convert`, which uses it. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { System } from '../../../src/core/problem/system.ts';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { writeVmt } from '../../../src/formats/vmt/writer.ts';
import { Op } from '../../../src/term/operators.ts';
import { TermStore } from '../../../src/term/store.ts';
import { read, shape } from './shape.ts';

const root = new URL('../../..', import.meta.url).pathname;

/** The text of a system, after checks that it can be read again to the same system and the same text. */
function written(t: Test, system: System, name: string): string {
  const text = writeVmt(system);
  const again = read(text, true).system;
  t.equal(writeVmt(again), text, `${name}: the text is stable`);
  return text;
}

t.test('what is written', t => {
  const { system } = read(`(declare-sort S 0) (declare-fun g (S) S) (declare-fun s () S) (declare-fun s+ () S)
    (declare-fun i () (_ BitVec 5)) (define-fun .s () S (! s :next s+))
    (define-fun .i () Bool (! (= s (g (g s))) :init true))
    (define-fun .t () Bool (! (and (= s+ (g (g s))) (= ((_ extract 3 1) i) #b101)) :trans true))
    (define-fun |the property| () Bool (! (distinct s (g s)) :invar-property 4))`);
  t.equal(
    written(t, system, 'all'),
    `(declare-sort S 0)
(declare-fun s () S)
(declare-fun s+ () S)
(declare-fun i () (_ BitVec 5))
(declare-fun g (S) S)
(define-fun .state0 () S (! s :next s+))
(define-fun .t0 () S (g s))
(define-fun .t1 () S (g .t0))
(define-fun .init () Bool (! (= s .t1) :init true))
(define-fun .trans () Bool (! (and (= s+ .t1) (= ((_ extract 3 1) i) #b101)) :trans true))
(define-fun |the property| () Bool (! (distinct s .t0) :invar-property 4))
(assert true)
`,
  );
  t.end();
});

t.test('names that clash or cannot be spelt, constraints, sorts with one name', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const [s1, s2] = [sorts.declare('S'), sorts.declare('S')];
  const a = terms.variable('x', s1);
  const aNext = terms.variable('x', s1);
  const b = terms.variable('bvadd', sorts.array(s2, sorts.bool));
  const bNext = terms.variable('a|b', terms.sort(b));
  const i = terms.variable('let', s2);
  const j = terms.variable('.init', sorts.bool);
  const system: System = {
    terms,
    states: [
      { current: a, next: aNext },
      { current: b, next: bNext },
    ],
    inputs: [i, j],
    init: terms.eq(b, terms.constArray(terms.sort(b), terms.true)),
    trans: terms.eq(a, aNext),
    constraints: [j, terms.app(Op.SELECT, [b, i])],
    properties: [
      { index: 0, formula: terms.eq(a, a), name: undefined },
      { index: 1, formula: j, name: undefined },
    ],
  };
  t.equal(
    written(t, system, 'names'),
    `(declare-sort S 0)
(declare-sort S!1 0)
(declare-fun x () S)
(declare-fun x!1 () S)
(declare-fun bvadd!1 () (Array S!1 Bool))
(declare-fun a_b () (Array S!1 Bool))
(declare-fun let!1 () S!1)
(declare-fun .init () Bool)
(define-fun .state0 () S (! x :next x!1))
(define-fun .state1 () (Array S!1 Bool) (! bvadd!1 :next a_b))
(define-fun .init!1 () Bool (! (= bvadd!1 ((as const (Array S!1 Bool)) true)) :init true))
(define-fun .t0 () Bool (select bvadd!1 let!1))
(define-fun .trans () Bool (! (and (= x x!1) .init .t0) :trans true))
(define-fun .t1 () Bool (and .init .t0))
(define-fun .property0 () Bool (! (=> .t1 (= x x)) :invar-property 0))
(define-fun .property1 () Bool (! (=> .t1 .init) :invar-property 1))
(assert true)
`,
  );
  const stray = { ...system, inputs: [i] };
  t.throws(() => writeVmt(stray), { message: "the variable '.init' is no part of the system" });
  t.end();
});

t.test('a deep term is written in pieces', t => {
  const terms = new TermStore();
  const x = terms.variable('x', terms.sorts.bool);
  const next = terms.variable('y', terms.sorts.bool);
  let deep = x;
  for (let i = 0; i < 100_000; i++) deep = terms.not(deep);
  const system: System = {
    terms,
    states: [{ current: x, next }],
    inputs: [],
    init: deep,
    trans: terms.true,
    constraints: [],
    properties: [{ index: 0, formula: x, name: 'p' }],
  };
  const text = written(t, system, 'deep');
  t.ok(text.split('\n').every(line => line.length < 400));
  t.equal(shape(read(text).system).init, `${'(not '.repeat(100_000)}x${')'.repeat(100_000)}`);
  t.end();
});

t.test('the examples', t => {
  for (const name of readdirSync(join(root, 'examples')).filter(f => f.endsWith('.vmt'))) {
    const { system, warnings } = read(readFileSync(join(root, 'examples', name), 'utf8'), true);
    t.same(warnings, []);
    t.same(shape(read(written(t, system, name), true).system), shape(system), name);
  }
  t.end();
});

t.test('euforia convert', t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const convert = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'convert', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const expected = writeVmt(read(readFileSync(join(root, 'examples/counter.vmt'), 'utf8')).system);
  const plain = convert('examples/counter.vmt');
  t.same([plain.status, plain.stdout, plain.stderr], [0, expected, '']);

  const output = join(folder, 'copy.smt2');
  const toFile = convert('examples/counter.vmt', '--to', 'vmt', '--output', output);
  t.same([toFile.status, toFile.stdout, toFile.stderr], [0, '', '']);
  t.equal(readFileSync(output, 'utf8'), expected);
  t.equal(convert(output).stdout, expected, 'VMT is known by its annotations too');

  const loose = join(folder, 'loose.vmt');
  writeFileSync(loose, '(declare-fun b () Bool)\n(define-fun p () (_ BitVec 1) (! b :invar-property 0))');
  const warned = convert(loose);
  t.equal(warned.status, 0);
  t.equal(
    warned.stderr,
    `${loose}:2:31: warning: 'p' is declared (_ BitVec 1), but its body is Bool; the sort of the body counts\n`,
  );
  const several = join(folder, 'several.smt2');
  writeFileSync(several, '(set-logic HORN) (declare-fun P (Bool) Bool) (assert (P true))\n');
  appendFileSync(several, '(assert (forall ((x Bool) (y Bool)) (=> (and (P x) (P y)) (P (not x)))))\n');
  appendFileSync(several, '(assert (forall ((x Bool)) (=> (P x) x)))\n');
  for (const [args, message] of [
    [[several], 'these clauses are no transition system: one has several relations'],
    [[loose, '--strict'], `${loose}:2:31: 'p' is declared (_ BitVec 1), but its body is Bool\n`],
    [['examples/towers.smt2'], 'examples/towers.smt2:1:1: expected VMT, Horn clauses'],
    [
      [loose, '--to', 'smv'],
      "--to takes vmt or chc or btor2 or smt2-bmc, not 'smv'; see euforia convert --help\n",
    ],
    [['no-such-file.vmt'], 'euforia: cannot read no-such-file.vmt: there is no such file\n'],
  ] as [string[], string][]) {
    const { status, stdout, stderr } = convert(...args);
    t.same([status, stdout], [2, ''], args.join(' '));
    t.match(stderr, message);
    t.equal(stderr.split('\n').length, 2, 'one line');
  }
  t.end();
});

const corpus = new URL('../../../../shared/corpus/vmt/', import.meta.url).pathname;

/** Files that are no well-formed SMT-LIB, and the error that each gets. */
const MALFORMED: Readonly<Record<string, string>> = {
  'euforia/another.vmt': "3:720: unexpected ')': no list is open here",
  'euforia/bad-takes-time.vmt': "3:210: unknown symbol '@_bb33+': it is not declared",
  'euforia/bad_bmc1.vmt': "16:34: unknown symbol 'l2+': it is not declared",
  'euforia/bad_bmc_existential1.vmt': '7:344: the number 0 (integer and real arithmetic)',
  'euforia/bad_dupe_bmc_lemma1.vmt': '46:28: the number 0 (integer and real arithmetic)',
  'euforia/bad_dupe_bmc_lemma2.vmt': "21:14: '1+' is neither a number nor a symbol",
  'euforia-examples/isinitial-bug1.vmt': "3:39: '+' is no variable: expected one after :next",
  'euforia-examples/isinitial-bug2.vmt': "4:40: '+' is no variable: expected one after :next",
  'euforia-examples/isinitial-bug3.vmt': "5:40: '+' is no variable: expected one after :next",
  'euforia-examples/rummer_safe_small.vmt': '35:45: the character "\'" may not stand here',
};

/** Files whose definitions have wrong sorts, as the original tool allows. */
const WRONG_SORTS = ['another1', 'array_ex1', 'array_ex2', 'bad-array-lemma'].map(f => `euforia/${f}.vmt`);

/** How many files of each folder can be read; the others are malformed or outside the fragment. */
const READABLE: Readonly<Record<string, number>> = {
  euforia: 94,
  'euforia-examples': 12,
  hwmcc19: 35,
  ivybench: 0,
  'lustre-int': 0,
  prophic3: 6,
  'prophic3-int-arrays': 0,
};

const OUTSIDE = /(\(integers\)|\(functions that change\)) is outside the supported fragment/;

t.test('the corpus', t => {
  if (!existsSync(corpus)) {
    t.comment('the corpus is not here: skipped');
    t.end();
    return;
  }
  for (const [folder, expected] of Object.entries(READABLE)) {
    let readable = 0;
    for (const file of readdirSync(corpus + folder)) {
      if (sweep(t, `${folder}/${file}`)) readable++;
    }
    t.equal(readable, expected, `readable files of ${folder}`);
  }
  t.end();
});

/** Reads one file and checks what comes out of it; answers whether it is a system. */
function sweep(t: Test, path: string): boolean {
  const text = readFileSync(corpus + path, 'utf8');
  try {
    const { system, warnings } = read(text);
    t.equal(warnings.length, WRONG_SORTS.includes(path) ? 1 : 0, `${path}: warnings`);
    if (warnings.length > 0) t.throws(() => read(text, true), InputError, `${path}: refused if strict`);
    if (MALFORMED[path] !== undefined) t.fail(`${path} is malformed, but was read`);
    t.strictSame(shape(read(written(t, system, path), true).system), shape(system), `${path}: round trip`);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message } = error;
    t.match(message, MALFORMED[path] === undefined ? OUTSIDE : `f.vmt:${MALFORMED[path]}`, path);
    t.match(message, /^f\.vmt:\d+:\d+: /);
    return false;
  }
}
