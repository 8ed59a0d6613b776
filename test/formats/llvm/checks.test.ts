/**
 * Undefined behaviour as a property: every check with a program that is fine, and one that is not, whose violation has the line
 * and the words that are expected. Choices are whatever makes folding constants not enough.
 */
import t from 'tap';
import type { DataModel } from '../../../src/formats/c/flags.ts';
import { type Check, checksOf } from '../../../src/formats/checks.ts';
import { type Question, violatedBy } from '../../../src/formats/question.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

interface Example {
  readonly name: string;
  readonly check: Check;
  /** Declarations before the function, with names that no other example has. */
  readonly outside?: string;
  /** With `HERE` where the two differ. */
  readonly body: string;
  readonly fine: string;
  readonly wrong: string;
  /** What is said of the violation. */
  readonly text: string;
}

const INT = '__VERIFIER_nondet_int()';

const EXAMPLES: readonly Example[] = [
  {
    name: 'an addition',
    check: 'overflow',
    body: `int a = ${INT}; if (a < HERE) a = a + 1; return a;`,
    fine: '2147483647',
    wrong: '2147483647 + 1u',
    text: 'signed overflow in +',
  },
  {
    name: 'a subtraction and a sign',
    check: 'overflow',
    body: `int a = ${INT}; if (a > HERE) a = -a; return a - 0;`,
    fine: '-2147483647 - 1',
    wrong: '-2147483647 - 2ll',
    text: 'signed overflow in unary -',
  },
  {
    name: 'a product',
    check: 'overflow',
    body: `int a = ${INT} & HERE; return a * 65536;`,
    fine: '32767',
    wrong: '65535',
    text: 'signed overflow in *',
  },
  {
    name: 'what the compiler could compute',
    check: 'overflow',
    body: 'return HERE;',
    fine: '2147483647 + 0',
    wrong: '2147483647 + 1',
    text: 'signed overflow in +',
  },
  {
    name: 'small and unsigned types do not overflow',
    check: 'overflow',
    body: `short a = (short)${INT}; unsigned u = ${INT}; HERE++; u = u * u + 7; return a;`,
    fine: 'a',
    wrong: 'int b = 2147483647; b',
    text: 'signed overflow in +',
  },
  {
    name: 'a division',
    check: 'div',
    body: `unsigned a = ${INT}; return 5u / (a HERE 1);`,
    fine: '|',
    wrong: '+',
    text: 'division by zero',
  },
  {
    name: 'a quotient that does not fit',
    check: 'div',
    body: `int a = ${INT}, b = ${INT} & 1 ? -1 : 3; if (a HERE -2147483647) return a % b; return 0;`,
    fine: '>=',
    wrong: '<',
    text: 'division by zero, or signed overflow in a division',
  },
  {
    name: 'a quotient that does not fit, as an overflow',
    check: 'overflow',
    body: `int a = ${INT}, b = ${INT} & 1 ? -1 : 0; if (a HERE -2147483647) return a / b; return 0;`,
    fine: '>=',
    wrong: '<',
    text: 'signed overflow in /',
  },
  {
    name: 'a shift by too much',
    check: 'shift',
    body: `unsigned a = ${INT} & HERE; return 1u << a;`,
    fine: '31',
    wrong: '63',
    text: 'shift by too much or of what does not fit',
  },
  {
    name: 'a shift of a negative number',
    check: 'shift',
    body: `int a = ${INT}; if (a HERE 0 && a < 4) return a << 2; return 0;`,
    fine: '>=',
    wrong: '>= -1 +',
    text: 'shift by too much or of what does not fit',
  },
  {
    name: 'an array',
    check: 'bounds',
    body: 'int a[5]; int i; for (i = 0; i HERE 5; i++) a[i] = i; return a[0];',
    fine: '<',
    wrong: '<=',
    text: 'access out of bounds',
  },
  {
    name: 'an index below zero',
    check: 'bounds',
    body: `int a[5] = { 0 }; int i = ${INT}; if (i < 5 HERE) return a[i]; return 0;`,
    fine: '&& i >= 0',
    wrong: '&& i >= -1',
    text: 'access out of bounds',
  },
  {
    name: 'the neighbour is another object',
    check: 'bounds',
    outside: 'int left[4], right[4];',
    body: `int *p = ${INT} ? left : right; return p[HERE];`,
    fine: '3',
    wrong: '8',
    text: 'access out of bounds',
  },
  {
    name: 'a pointer out of its object is none to another, in memory either',
    check: 'bounds',
    outside: 'int first[4], second[4], *volatile kept;',
    body: `kept = ${INT} ? first : second; kept = kept + 8; return kept[HERE];`,
    fine: '-5',
    wrong: '0',
    text: 'access out of bounds',
  },
  {
    name: 'a struct that is copied with a pointer in it',
    check: 'bounds',
    outside: 'struct holder { int n; int *p; };',
    body: `int a[2], b[3]; struct holder h = { 1, ${INT} ? a : b }, g; g = h; return g.p[HERE] & 0;`,
    fine: '1',
    wrong: '2',
    text: 'access out of bounds',
  },
  {
    name: 'an access that is partly outside',
    check: 'bounds',
    body: `char a[6]; char *p = a + (${INT} & HERE); *(short *)p = 1; return 0;`,
    fine: '4',
    wrong: '5',
    text: 'access out of bounds',
  },
  {
    name: 'a copy that is too long',
    check: 'bounds',
    body: 'int a[3] = { 1, 2, 3 }, b[3]; memcpy(b, a, HERE * sizeof(int)); return b[0];',
    fine: '3',
    wrong: '4',
    text: 'access out of bounds',
  },
  {
    name: 'memory of variable size',
    check: 'bounds',
    body: `unsigned n = (${INT} & 7) + 1; char *p = malloc(n); p[n HERE] = 1; return 0;`,
    fine: '- 1',
    wrong: '',
    text: 'access out of bounds',
  },
  {
    name: 'a pointer that was never set',
    check: 'bounds',
    body: `int a, *p; if (${INT}) p = &a; HERE; *p = 1; return 0;`,
    fine: 'p = &a',
    wrong: '0',
    text: 'access out of bounds',
  },
  {
    name: 'what was freed',
    check: 'bounds',
    body: `int *p = malloc(4), *q = malloc(4); int *r = ${INT} ? p : q; free(HERE); *r = 1; return 0;`,
    fine: 'r == p ? q : p',
    wrong: 'r',
    text: 'access to what is no object',
  },
  {
    name: 'null is no object',
    check: 'bounds',
    body: `int *p = malloc(4); if (${INT}) p = 0; if (HERE) *p = 1; free(p); return 0;`,
    fine: 'p',
    wrong: '1',
    text: 'access to what is no object',
  },
  {
    name: 'a null pointer to one object',
    check: 'null',
    outside: 'struct two { int a, b; } two;',
    body: `struct two *p = 0; if (${INT}) p = &two; if (HERE) p->b = 1; return 0;`,
    fine: 'p',
    wrong: '1',
    text: 'null dereference',
  },
  {
    name: 'a null pointer to one of several',
    check: 'null',
    body: `int a, b, *p = ${INT} ? &a : 0; if (${INT}) p = &b; HERE *p = 1; return 0;`,
    fine: 'if (p)',
    wrong: '',
    text: 'null dereference',
  },
  {
    name: 'null itself',
    check: 'null',
    body: `if (${INT} HERE) *(volatile int *)0 = 1; return 0;`,
    fine: '& 0',
    wrong: '& 1',
    text: 'null dereference',
  },
  {
    name: 'an object is freed twice',
    check: 'free',
    body: `int *p = malloc(4), *q = malloc(4); free(p); free(${INT} ? HERE : q); return 0;`,
    fine: '0',
    wrong: 'p',
    text: 'free of what is not allocated',
  },
  {
    name: 'objects of a loop are freed twice',
    check: 'free',
    body: 'int *p = 0; for (int i = 0; i < 2; i++) { free(p); p = malloc(4); } free(p); HERE; return 0;',
    fine: 'free(0)',
    wrong: 'free(p)',
    text: 'free of what is not allocated',
  },
  {
    name: 'an object is freed that is not on the heap',
    check: 'free',
    body: `int a; int *p = malloc(4), *q = ${INT} ? p : &a; if (HERE) free(q); return 0;`,
    fine: 'q == p',
    wrong: '1',
    text: 'free of what is not allocated',
  },
  {
    name: 'an object is freed in its middle',
    check: 'free',
    body: 'char *p = malloc(4); free(p HERE); return 0;',
    fine: '+ 0',
    wrong: '+ 1',
    text: 'free of what is not allocated',
  },
  {
    name: 'an object is not freed',
    check: 'leak',
    body: `int *p = malloc(4); if (${INT}) { HERE exit(0); } free(p); return 0;`,
    fine: 'free(p);',
    wrong: '',
    text: 'memory that is never freed',
  },
  {
    name: 'one object of a loop is not freed',
    check: 'leak',
    body: `for (int i = 0; i < 3; i++) { int *p = malloc(4); if (HERE) free(p); } return 0;`,
    fine: 'p',
    wrong: 'i != 1',
    text: 'memory that is never freed',
  },
];

const PRELUDE = `typedef __SIZE_TYPE__ size;
void *malloc(size), *memcpy(void *, const void *, size);
void free(void *), exit(int);
int __VERIFIER_nondet_int(void);
`;

function textOf({ outside = '', body, fine, wrong }: Example, number: number): string {
  return `${outside}
int fine_${number}(void) { ${body.replace('HERE', fine)} }
int wrong_${number}(void) { ${body.replace('HERE', wrong)} }
`;
}

/** Checks whose examples the compiler takes together, and the data models in which they are tried. */
const GROUPS: readonly [checks: readonly Check[], models: readonly DataModel[]][] = [
  [['overflow'], ['ilp32']],
  [['div'], ['ilp32']],
  [['shift'], ['lp64']],
  [
    ['bounds', 'null', 'free', 'leak'],
    ['ilp32', 'lp64'],
  ],
];

for (const [group, models] of GROUPS) {
  for (const model of models) {
    t.test(`${group}, ${model}`, async t => {
      const heavy = await loadedBackEnd();
      const told = (question: Question): string => {
        const verdict = verdictOf(question, heavy, { budget: { deadline: Date.now() + 60_000 } });
        if (verdict.kind === 'unknown') return `unknown: ${verdict.text}`;
        return verdict.kind === 'safe' ? 'safe' : `${violatedBy(question, verdict.derivation)?.name}`;
      };
      const examples = EXAMPLES.filter(e => group.includes(e.check));
      const text = PRELUDE + examples.map(textOf).join('');
      const modules = await modulesOf(text, model, new Set(group));
      for (const [i, { name, check, text }] of examples.entries()) {
        const options = { checks: checksOf([check]) };
        t.equal(told(programQuestion(modules, `fine_${i}`, options)), 'safe', `${name} that is fine`);
        const wrong = told(programQuestion(modules, `wrong_${i}`, options));
        t.match(wrong, /^a\.c:\d+(:\d+)? /, name);
        t.equal(wrong.replace(/^\S+ /, ''), text, name);
        if (model === models[0])
          t.equal(told(programQuestion(modules, `wrong_${i}`)), 'safe', `${name}, where nobody asks`);
      }
    });
  }
}

t.test('what cannot be known is said to be unknown', async t => {
  const heavy = await loadedBackEnd();
  const text = 'int main(int n, char **arguments) { return n > 1 ? arguments[1][0] : 0; }';
  const modules = await modulesOf(text);
  for (const check of ['null', 'bounds'] as const) {
    const verdict = verdictOf(programQuestion(modules, 'main', { checks: checksOf([check]) }), heavy);
    t.match(verdict, {
      kind: 'unknown',
      text: /^what a pointer points into is not known \(a\.c:1\)$/,
    });
  }
});
