/** The reader of VMT: what it accepts and what it means, and the error that everything else gets. */
import t from 'tap';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { read, shape } from './shape.ts';

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

t.test('many properties over one deep graph', t => {
  const chain = (n: number) => {
    const lines = ['(declare-fun x () (_ BitVec 8))', '(define-fun .d0 () Bool (! x :next x+))'];
    for (let i = 1; i < n; i++) lines.push(`(define-fun .d${i} () Bool (bvadd .d${i - 1} .d${i - 1}))`);
    // There is a wrong sort in every line.
    for (let i = 0; i < n; i++) lines.push(`(assert (! (= .d${n - 1} .d${i}) :invar-property ${i}))`);
    return lines
      .join('\n')
      .replace(' () (_ BitVec 8))', ' () (_ BitVec 8)) (declare-fun x+ () (_ BitVec 8))');
  };
  // Were the graph walked once for each property, this would take minutes.
  const { system, warnings } = read(chain(30_000));
  t.equal(system.properties.length, 30_000);
  t.equal(warnings.length, 1);
  t.end();
});
