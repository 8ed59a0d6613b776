/**
 * What holds of all elements in the words of the program. A model is made by hand: of each program's loop it says something of the element
 * that the loop writes, with a bound variable in the place of its counter.
 */
import t from 'tap';
import { headOf, placesTo } from '../../../src/core/problem/problem.ts';
import { withoutImplied } from '../../../src/formats/llvm/implied-bounds.ts';
import { Op } from '../../../src/term/operators.ts';
import { printTerm } from '../../../src/term/printer.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { substitute } from '../../../src/term/substitute.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';
import { assertionsOf } from '../../support/smtlib.ts';

const PRELUDE = `void *malloc(__SIZE_TYPE__); void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);
  unsigned __VERIFIER_nondet_uint(void);\n`;

interface Example {
  readonly name: string;
  readonly declared: string;
  /** Before the loop, and in it. */
  readonly before?: string;
  readonly body: string;
  /** Something that is asserted, so that what is written matters. */
  readonly claim: string;
  /** What is said to be 7; undefined if there are no words for it. */
  readonly element: string | undefined;
  /** What the counter is below, if that is said in place of a range. */
  readonly below?: number;
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'an array of numbers',
    declared: 'int a[100];',
    body: 'a[i] = 7;',
    claim: 'a[n] == 7',
    element: 'a[p]',
  },
  {
    name: 'with a factor and a summand',
    declared: 'int a[300];',
    body: 'a[2 * i + 1] = 7;',
    claim: 'a[n] == 7',
    element: 'a[2 * p + 1]',
  },
  {
    name: 'one before',
    declared: 'int b[4], a[100];',
    before: 'i = 1;',
    body: 'a[i - 1] = 7;',
    claim: 'a[n] == 7',
    element: 'a[p - 1]',
  },
  {
    name: 'a member of structs in an array',
    declared: 'struct s { int n; int m; }; struct s a[100];',
    body: 'a[i].m = 7;',
    claim: 'a[n].m == 7',
    element: 'a[p].m',
  },
  {
    name: 'an array in a struct',
    declared: 'struct s { int n; int m[100]; }; struct s a;',
    body: 'a.m[i] = 7;',
    claim: 'a.m[n] == 7 && a.n == 0',
    element: 'a.m[p]',
  },
  {
    name: 'a table',
    declared: 'int a[50][60];',
    body: 'a[i][5] = 7;',
    claim: 'a[n][5] == 7',
    element: 'a[p][5]',
  },
  {
    name: 'behind a pointer',
    declared: '',
    before: 'int *q = malloc(400);',
    body: 'q[i] = 7;',
    claim: 'q[n] == 7',
    element: 'q[p]',
  },
  {
    name: 'an array of a length that is not known before',
    declared: '',
    before: 'int v[n];',
    body: 'v[i] = 7;',
    claim: 'v[n - 1] == 7',
    element: 'v[p]',
  },
  {
    name: 'a pointer to the middle of such an array',
    declared: '',
    before: 'int v[n]; int *q = v + 2;',
    body: 'q[i] = 7;',
    claim: 'q[n] == 7',
    element: 'q[p]',
  },
  {
    name: 'some of the bits of a word',
    declared: 'struct s { unsigned n : 16; unsigned m : 16; }; struct s a[100];',
    body: 'a[i].m = 7;',
    claim: 'a[n].m == 7',
    element: undefined,
  },
  {
    name: 'within bounds',
    declared: 'int a[100];',
    body: 'a[i] = 7;',
    claim: 'a[n] == 7',
    element: 'a[p]',
    below: 100,
  },
  {
    name: 'with more than an array has',
    declared: 'int a[100];',
    body: 'a[i] = 7;',
    claim: 'a[n] == 7',
    element: '(unsigned)p >= 100 || a[p]',
    below: 101,
  },
  {
    name: 'where the program has such a name already',
    declared: 'int p, a[100];',
    body: 'a[i] = 7;',
    claim: 'a[n] == 7 && p == 0',
    element: 'a[p_]',
  },
];

for (const { name, declared, before = '', body, claim, element, below } of EXAMPLES) {
  t.test(name, async t => {
    const text = `${PRELUDE}${declared}
      int main(void) {
        int i = 0; unsigned n = __VERIFIER_nondet_uint(); ${before}
        while (i < 50) { ${body} i++; }
        if (n < 50 && !(${claim})) __VERIFIER_error();
      }`;
    const { problem, words, properties } = programQuestion(await modulesOf(text), 'main', { slice: 'off' });
    const { terms } = problem;
    const round = problem.edges.find(e => e.sources[0]?.location === headOf(e));
    const location = round && headOf(round);
    if (round === undefined || location === undefined) throw new Error('there is no loop');
    const array = round.values.findIndex(v => terms.op(v) === Op.STORE);
    const counter = location.places.find(p => terms.nameOf(p).startsWith('i@')) as TermId;
    // Over the places of the location, as the edge has them.
    const back = new Map([...placesTo(location, round.sources[0].places)].map(([to, from]) => [from, to]));
    const p = terms.variable('p', terms.sort(counter));
    const index = substitute(terms, terms.arg(round.values[array], 1), new Map([...back, [counter, p]]));
    const read = terms.app(Op.SELECT, [location.places[array], index]);
    const [zero, seven] = [0, 7].map(c => terms.bv(32, c));
    const end = below === undefined ? counter : terms.bv(32, below);
    const range = terms.and([terms.not(terms.app(Op.BVSLT, [p, zero])), terms.app(Op.BVSLT, [p, end])]);
    const ofElements = terms.or([terms.not(range), terms.eq(seven, read)]);
    // What pointers point to must be said, or nobody knows.
    const starts = problem.edges.filter(e => e.sources.length === 0);
    const constants = location.places.flatMap((place, i) => {
      const value = starts[0].values[i];
      return place !== counter && terms.op(value) === Op.BV_CONST ? [terms.eq(value, place)] : [];
    });
    const model = new Map(
      problem.locations.map(l => [l, l === location ? terms.and([...constants, ofElements]) : terms.true]),
    );
    const bound = new Map([[location, [p]]]);
    const proof = { model, forAll: { bound, instances: new Map() }, lemmas: new Map(), k: 0 };
    const lines = words.proof(properties[0], proof).split('\n');
    if (element === undefined) {
      t.notOk(lines.some(l => l.startsWith('\\forall')) || !lines.some(l => l.startsWith('(forall')), name, {
        lines,
      });
      return;
    }
    const variable = element.includes('p_') ? 'p_' : 'p';
    const expected = `\\forall int ${variable}; ${variable} >= 0 && ${variable} < ${below ?? 'i'} ==> ${element} == 7`;
    t.ok(lines.includes(expected), expected, { lines });
  });
}

t.test('a witness reads no element that there is not', async t => {
  // Where rounds begin the counter is once what the array has not.
  const text = `${PRELUDE}int c[100]; int d[3][4]; int main(void) {
    for (unsigned k = 0; k < 100; k++) if (c[k] + c[99 - k] + d[k % 3][2] + d[1][k % 4] + d[1][3]) __VERIFIER_error(); }`;
  const { problem, words } = programQuestion(await modulesOf(text), 'main', { slice: 'off' });
  const { terms } = problem;
  const [location] = problem.locations;
  const conjuncts = problem.edges.flatMap(({ sources, guard }) => {
    const back = new Map(
      sources.flatMap(s => [...placesTo(location, s.places)].map(([to, from]) => [from, to])),
    );
    const reads = terms.postorder([guard]).filter(r => terms.op(r) === Op.SELECT);
    return reads.map(r => terms.eq(terms.bv(32, 0), substitute(terms, r, back)));
  });
  const model = new Map([[location, terms.and(conjuncts)]]);
  const said = words.program?.loops({ model, lemmas: new Map(), k: 0 }).flatMap(l => l.expressions);
  const expected = ['(k >= 100 || c[k] == 0)', '(99u - k >= 100 || c[99 - k] == 0)', 'd[1][3] == 0'];
  t.same(new Set(said), new Set(expected));
});

t.test('what follows from a range is not said again', t => {
  const declared = '(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))';
  for (const [range, given, expected] of [
    ['(and (bvult #x05 x) (bvult x #x20))', '(and (bvult x #x21) (= x y))', '(= x y)'],
    ['(and (bvult #x05 x) (bvult x #x20))', '(bvult x #x1f)', '(bvult x #x1f)'],
    ['(and (not (bvslt x #x00)) (bvslt x #x10))', '(and (bvult x #x10) (not (= x #x10)))', 'true'],
    ['(and (not (bvslt x #x00)) (bvslt x #x10))', '(not (= x #x0f))', '(not (= x #x0f))'],
    ['(bvslt x #x10)', '(bvult x #x10)', '(bvult x #x10)'],
  ]) {
    const terms = new TermStore();
    const [r, g] = assertionsOf(terms, `${declared} (assert ${range}) (assert ${given})`);
    t.equal(printTerm(terms, withoutImplied(terms, r, g)), expected, `${given} within ${range}`);
  }
  t.end();
});
