/** VMT: what the reader accepts and what it means, the error that everything else gets, the writer, `convert`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { System } from '../src/core/system/system.ts';
import { InputError } from '../src/input/diagnostic.ts';
import { readVmt } from '../src/input/vmt.ts';
import { writeVmt } from '../src/output/vmt.ts';
import { Op } from '../src/term/operators.ts';
import { printTerm } from '../src/term/printer.ts';
import { type TermId, TermStore } from '../src/term/store.ts';

const root = new URL('..', import.meta.url).pathname;

/** Reads a text, with the warnings that it causes. */
function read(text: string, strict = false): { system: System; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  return { system: readVmt(new TermStore(), 'f.vmt', text, { strict, warn }), warnings };
}

/** What a system is, but for the numbers of its terms. */
function shape({ terms, states, inputs, init, trans, constraints, properties }: System) {
  const variable = (v: TermId) => `${printTerm(terms, v)} ${terms.sorts.name(terms.sort(v))}`;
  return {
    states: states.map(s => [variable(s.current), variable(s.next)]),
    inputs: inputs.map(variable),
    init: printTerm(terms, init),
    trans: printTerm(terms, trans),
    constraints: constraints.map(c => printTerm(terms, c)),
    properties: properties.map(p => [p.index, p.name, printTerm(terms, p.formula)]),
  };
}

const HEAD = `(declare-fun x () (_ BitVec 8))
(declare-fun x+ () (_ BitVec 8))
(declare-fun b () Bool)
(declare-fun b+ () Bool)
(declare-fun i () Bool)
(declare-fun f ((_ BitVec 8)) Bool)
(define-fun .x () (_ BitVec 8) (! x :next x+))
`;
const PROPERTY = '\n(define-fun ok () Bool (! (f x) :invar-property 0))\n';

t.test('a file with everything', t => {
  const { system, warnings } = read(
    `(set-logic QF_UFBV) (set-info :source |by hand|)
    (declare-sort S 0) (define-sort Memory () (Array (_ BitVec 2) S))
    (declare-fun g (S) S) (declare-const m Memory) (declare-const |m next| Memory)
    (declare-const a (_ BitVec 2)) (declare-const a' (_ BitVec 2)) (declare-const free S)
    (define-fun .a () (_ BitVec 2) (! a :next a')) (define-const .m Memory (! m :next |m next|))
    (define-fun at ((k (_ BitVec 2))) S (select m k))
    (define-fun .init () Bool (! (= (at #b00) (at #b01)) :init true))
    (define-fun .trans () Bool (! (and (= |m next| (store m a (g free))) (bvult a a')) :trans true))
    (define-fun two () Bool (! (distinct a #b11) :weight 2 :invar-property 7 :comment "not ours"))
    (define-fun one () Bool (! (= free (at a)) :invar-property 3)) (assert true) (check-sat)`.replaceAll(
      "a'",
      'a+',
    ),
  );
  t.same(warnings, []);
  t.same(shape(system), {
    states: [
      ['m (Array (_ BitVec 2) S)', '|m next| (Array (_ BitVec 2) S)'],
      ['a (_ BitVec 2)', 'a+ (_ BitVec 2)'],
    ],
    inputs: ['free S'],
    init: '(= (select m #b00) (select m #b01))',
    trans: '(and (= |m next| (store m a (g free))) (bvult a a+))',
    constraints: [],
    properties: [
      [3, 'one', '(= free (select m a))'],
      [7, 'two', '(distinct a #b11)'],
    ],
  });
  t.end();
});

t.test('where annotations may stand, and what their absence means', t => {
  const cases: readonly (readonly [string, Partial<ReturnType<typeof shape>>])[] = [
    ['', { init: 'true', trans: 'true', states: [['x (_ BitVec 8)', 'x+ (_ BitVec 8)']] }],
    ['', { inputs: ['b Bool', 'b+ Bool', 'i Bool'] }],
    ['(define-fun p () Bool (f x)) (define-fun .i () Bool (! p :init true))', { init: '(f x)' }],
    ['(define-fun .i () Bool (! (f x) :init true)) (define-fun p () Bool .i)', { init: '(f x)' }],
    ['(assert (! (f x) :init true))', { init: '(f x)' }],
    ['(assert (! (f x) :trans true :init true))', { init: '(f x)', trans: '(f x)' }],
    [
      '(assert (! (f x) :init true)) (assert (! (f .x) :init true)) (assert (! (f #x00) :init true))',
      { init: '(and (f x) (f #x00))' },
    ],
    ['(assert (! (f x) :trans true)) (assert (! (f x+) :trans true))', { trans: '(and (f x) (f x+))' }],
    ['(define-fun q () Bool (and i (! (f x) :init true)))', { init: '(f x)' }],
    ['(define-fun q () Bool (let ((y x)) (! (f y) :init true)))', { init: '(f x)' }],
    ['(assert (! (f x) :init yes)) (assert (! i :trans))', { init: '(f x)', trans: 'i' }],
    ['(define-fun q () Bool (! (f x) :named again)) (assert (! again :init true))', { init: '(f x)' }],
    [
      '(assert (! b :next b+))',
      {
        states: [
          ['x (_ BitVec 8)', 'x+ (_ BitVec 8)'],
          ['b Bool', 'b+ Bool'],
        ],
        inputs: ['i Bool'],
      },
    ],
    [
      '(define-fun c () Bool b) (define-fun c+ () Bool b+) (define-fun .b () Bool (! c :next c+))',
      { inputs: ['i Bool'] },
    ],
    [
      '(define-fun .b () Bool (! b :next late)) (declare-fun late () Bool)',
      { inputs: ['b+ Bool', 'i Bool'] },
    ],
    ['(define-fun .b () Bool (! b :next b+)) (define-fun .c () Bool (! b :next b+))', { inputs: ['i Bool'] }],
    [
      '(assert (! (=> i (f x)) :invar-property 1))',
      {
        properties: [
          [0, 'ok', '(f x)'],
          [1, undefined, '(=> i (f x))'],
        ],
      },
    ],
    ['(assert (! (f x) :invar-property 0))', { properties: [[0, undefined, '(f x)']] }],
  ];
  for (const [text, expected] of cases) {
    const whole = shape(read(HEAD + text + PROPERTY).system);
    for (const key of Object.keys(expected) as (keyof typeof whole)[]) {
      t.strictSame(whole[key], expected[key], `${key}: ${text}`);
    }
  }
  t.end();
});

t.test('a next state that no formula mentions need not be declared', t => {
  const text = '(declare-fun b () Bool) (define-fun p () Bool (! (! b :next |b.next|) :invar-property 0))';
  const { system, warnings } = read(text, true);
  t.same(shape(system).states, [['b Bool', 'b.next Bool']]);
  t.same(warnings, []);
  t.end();
});

t.test('a definition with the wrong sort', t => {
  const text = `(declare-fun x () (_ BitVec 32))
(declare-fun x+ () (_ BitVec 32))
(define-fun .x () (_ BitVec 4) (! x :next x+))
(define-fun y () Bool (bvadd .x x))
(define-fun p () Bool (! (= y x+) :trans true))
(define-fun q () Bool (! (= x x) :invar-property 0))`;
  const { system, warnings } = read(text);
  t.same(warnings, [
    "f.vmt:3:32: warning: '.x' is declared (_ BitVec 4), but its body is (_ BitVec 32) (and so for 1 more definition); the sort of the body counts",
  ]);
  t.equal(shape(system).trans, '(= (bvadd x x) x+)');
  t.throws(() => read(text, true), {
    message: "f.vmt:3:32: '.x' is declared (_ BitVec 4), but its body is (_ BitVec 32)",
  });
  const one = `(declare-fun b () Bool) (define-const c (_ BitVec 1) b)\n(assert (! c :invar-property 0))`;
  t.same(read(one).warnings, [
    "f.vmt:1:54: warning: 'c' is declared (_ BitVec 1), but its body is Bool; the sort of the body counts",
  ]);
  t.end();
});

/** Each with « before the place that the error must name. */
const ERRORS: readonly (readonly [string, string])[] = [
  [
    '(assert (! (f x+) «:invar-property 1))',
    "the formula of :invar-property may not mention the next state 'x+'",
  ],
  [
    '(define-fun n () Bool (f x+)) (assert (! n «:init true))',
    "the formula of :init may not mention the next state 'x+'",
  ],
  ['(assert (! (and (f x) i) «:init true))', "the formula of :init may not mention the input 'i'"],
  [
    '(define-fun n () (_ BitVec 8) (! x «:init true))',
    ':init belongs to a formula, not to a term of sort (_ BitVec 8)',
  ],
  ['(define-fun n () (_ BitVec 8) (! x «:invar-property 1))', ':invar-property belongs to a formula'],
  ['(assert (! i :trans «false))', 'expected true after :trans'],
  [
    '(assert (! i «:live-property 0))',
    ':live-property is not supported: only invariants (:invar-property) are checked',
  ],
  ['(assert (! i «:ltl-property 0))', ':ltl-property is not supported'],
  [
    '(assert (! («ltl.G i) :ltl-property 0))',
    "'ltl.G' (temporal operators) is outside the supported fragment",
  ],
  ['(assert (! i «:axiom true))', ':axiom is not supported'],
  ['(assert (! b :next «x+))', "'x+' is of sort (_ BitVec 8), but 'b' of Bool"],
  ['(assert (! b :next «b))', "'b' cannot be its own next state"],
  ['(assert (! b :next b+))\n (assert (! b :next «i))', "'b' has the next state 'b+' already"],
  ['(assert (! b :next b+))\n (assert (! i :next «b+))', "'b+' is the next state of 'b' already"],
  ['(assert (! b :next n)) (assert (! i :next «n))', "'n' is the next state of 'b' already"],
  [
    '(assert (! b :next b+))\n (assert (! b+ «:next i))',
    "'b+' is the next state of 'b' and cannot have one itself",
  ],
  [
    '(assert (! b :next b+))\n (assert (! i :next «b))',
    "'b' is a state variable with the next state 'b+' itself",
  ],
  ['(assert (! b :next «f))', "'f' is no variable: expected one after :next"],
  ['(assert (! b :next «bvadd))', "'bvadd' is no variable: expected one after :next"],
  ['(assert (! b :next «+))', "'+' is no variable: expected one after :next"],
  ['(define-fun n () Bool (not b)) (assert (! b :next «n))', "'n' is no variable: expected one after :next"],
  ['(assert (! b :next «5))', 'expected a variable after :next, a symbol'],
  ['(assert (! b «:next))', 'expected a variable after :next'],
  ['(assert (! (not b) «:next b+))', 'only a variable has a next state, no other term'],
  [
    '(assert (! i :invar-property 1))\n(assert (! b :invar-property «1))',
    'there is a property 1 already, in line 8',
  ],
  ['(assert (! i :invar-property «one))', 'expected the number of the property, a numeral'],
  ['(assert (! i «:invar-property))', 'expected the number of the property'],
  ['(define-fun n ((a Bool)) Bool (! a «:init true))', ':init in a definition with parameters'],
  [
    '(define-fun n ((a (_ BitVec 8))) Bool (! (f a) «:next f+))',
    ':next in a definition with parameters (functions that change) is outside the supported fragment',
  ],
  ['(assert «i)', 'an assertion has no meaning in VMT'],
  ['(assert «(! i :named n))', 'an assertion has no meaning in VMT'],
  ['(assert «(and i (! i :trans true)))', 'an assertion has no meaning in VMT'],
  ['(assert «x)', 'an assertion must be of sort Bool, not (_ BitVec 8)'],
  ['(assert true «true)', "expected ')' here"],
  ['«(assert)', 'expected a formula in this list'],
  ['(«push 1)', "'push' is no command of VMT"],
  ['«x', 'expected a command in parentheses'],
  ['«()', 'expected a command in this list'],
  ['(define-fun n () Bool «(bvult x i))', "'bvult' expects"],
  ['(define-fun n () Bool (or i «(= x b)))', "'=' expects"],
  ['(define-fun n () Bool (or i «zz))', "unknown symbol 'zz'"],
  ['(define-fun n ((a Bool)) Bool «x)', "'n' is declared Bool, but its body is (_ BitVec 8)"],
  ['«(define-fun n)', 'expected the parameters in this list'],
  ['«(define-fun)', 'expected the parameters in this list'],
  ['(declare-fun «x () Bool)', "'x' is declared already"],
  ['(define-fun «ok () Bool i) (assert true)', "'ok' is declared already"],
  ['(declare-fun n () «Int)', "'Int' (integers) is outside the supported fragment"],
  [
    '(define-fun n () Bool («forall ((y Bool)) y))',
    "'forall' (quantifiers) is outside the supported fragment",
  ],
  ['(define-fun n () «Real 1.0)', "'Real' (real numbers) is outside the supported fragment"],
  ['«(declare-datatypes ((L 0)) (((nil))))', "'declare-datatypes' (algebraic data types) is outside"],
];

t.test('errors, each with its line and column', t => {
  for (const [marked, reason] of ERRORS) {
    // One that is declared twice is the later one, so the property comes first.
    const text = marked.includes('«ok') ? HEAD.trimEnd() + PROPERTY + marked : HEAD + marked + PROPERTY;
    const at = text.indexOf('«');
    const before = text.slice(0, at).split('\n');
    const place = `f.vmt:${before.length}:${(before.at(-1) as string).length + 1}: `;
    try {
      read(text.replace('«', ''));
      t.fail(`no error: ${marked}`);
    } catch (error) {
      t.type(error, InputError);
      t.equal((error as Error).message.slice(0, place.length + reason.length), place + reason, marked);
    }
  }
  t.end();
});

t.test('errors of a whole file', t => {
  t.throws(() => read(HEAD), {
    message: 'f.vmt:8:1: there is no property: expected a formula with :invar-property',
  });
  t.throws(() => read(''), {
    message: 'f.vmt:1:1: there is no property: expected a formula with :invar-property',
  });
  const both =
    '(declare-fun b () Bool)\n(define-fun c () (_ BitVec 2) (! b :next zz)) (assert (! b :invar-property 0))';
  t.throws(
    () => read(both),
    { message: "f.vmt:2:42: unknown symbol 'zz': it is not declared" },
    'a name that is not declared, in a file with wrong sorts',
  );
  t.end();
});

t.test('reading is linear', t => {
  const chain = (n: number) => {
    const lines = ['(declare-fun x () (_ BitVec 8))', '(define-fun .d0 () Bool (! x :next x+))'];
    for (let i = 1; i < n; i++) lines.push(`(define-fun .d${i} () Bool (bvadd .d${i - 1} .d${i - 1}))`);
    // Many properties over one deep graph, and a wrong sort in every line.
    for (let i = 0; i < n; i++) lines.push(`(assert (! (= .d${n - 1} .d${i}) :invar-property ${i}))`);
    return lines
      .join('\n')
      .replace(' () (_ BitVec 8))', ' () (_ BitVec 8)) (declare-fun x+ () (_ BitVec 8))');
  };
  const text = chain(30_000);
  const start = Date.now();
  const { system, warnings } = read(text);
  const seconds = (Date.now() - start) / 1000;
  t.equal(system.properties.length, 30_000);
  t.equal(warnings.length, 1);
  t.ok(seconds < 10, `${seconds} s for ${text.length} characters`);
  t.end();
});

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
  for (const [args, message] of [
    [[loose, '--strict'], `${loose}:2:31: 'p' is declared (_ BitVec 1), but its body is Bool\n`],
    [['examples/towers.smt2'], 'examples/towers.smt2:1:1: expected VMT, Horn clauses or BTOR2'],
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

const corpus = new URL('../../shared/corpus/vmt/', import.meta.url).pathname;

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
