/**
 * What is easily got wrong about functions that call themselves, decided by the engines on their summaries: errors deep inside, what they change,
 * what they return and what belongs to one call only. Each claim is asked as it is and the other way round.
 */
import t from 'tap';
import { complaintAbout, loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

const DECLARATIONS = `
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
`;

interface Case {
  readonly name: string;
  readonly text: string;
  readonly verdict: 'safe' | 'unsafe';
}

/** Holds, and its negation does not. */
function both(name: string, outside: string, body: string, claim: string): Case[] {
  const text = (condition: string) =>
    `${outside}\nint main(void) { ${body} if (${condition}) reach_error(); return 0; }`;
  return [
    { name, text: text(`!(${claim})`), verdict: 'safe' },
    { name: `${name}: otherwise`, text: text(claim), verdict: 'unsafe' },
  ];
}

const CASES: readonly Case[] = [
  {
    name: 'an error at depth 4',
    text: `void f(int n) { if (n == 4) reach_error(); f(n + 1); }
int main(void) { f(0); return 0; }`,
    verdict: 'unsafe',
  },
  {
    name: 'an error that no depth comes to',
    text: `void f(unsigned char n) { if (n == 0) return; if (n & 1) reach_error(); f(n - 2); }
int main(void) { f(__VERIFIER_nondet_uchar() & 6); return 0; }`,
    verdict: 'safe',
  },
  {
    name: 'an error inside a second call, which depends on what the first returns',
    text: `int f(int n) { if (n <= 0) return 3; int a = f(n - 1); if (a == 5) reach_error(); return a + 1; }
int main(void) { f(3); return 0; }`,
    verdict: 'unsafe',
  },
  {
    name: 'a call that does not return',
    text: `int f(int n) { return f(n + 1); }
int main(void) { f(__VERIFIER_nondet_int()); reach_error(); return 0; }`,
    verdict: 'safe',
  },
  {
    name: 'a call whose returns are all assumed away',
    text: `int f(int n) { if (n == 0) { __VERIFIER_assume(0); return 1; } return f(n - 1); }
int main(void) { f(2); reach_error(); return 0; }`,
    verdict: 'safe',
  },
  {
    name: 'an error behind an error: the first ends the program',
    text: `void f(int n) { if (n > 2) reach_error(); f(n + 1); }
int main(void) { f(0); return 0; }`,
    verdict: 'unsafe',
  },
  ...both(
    'globals that are changed on the way',
    'int g, h = 7; void f(unsigned n) { if (n == 0) return; g++; f(n - 1); g++; }',
    'f(3);',
    'g == 6 && h == 7',
  ),
  ...both(
    'a global that is read after the call',
    'unsigned char g; int f(unsigned n) { if (n == 0) return g; g += 2; return f(n - 1); }',
    'unsigned char start = __VERIFIER_nondet_uchar(); g = start; int r = f(2);',
    'r == (unsigned char)(start + 4) && g == r',
  ),
  ...both(
    'two functions that call each other',
    'int odd(unsigned n); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); } int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }',
    '',
    'even(4) == 1 && odd(4) == 0 && odd(3) == 1',
  ),
  ...both(
    'locals belong to one call',
    'int f(int n) { int mine = n; if (n > 0) f(n - 1); return mine; }',
    'unsigned char n = __VERIFIER_nondet_uchar();',
    'f(n) == n',
  ),
  ...both(
    'locals of callers are reached by pointers',
    'void f(int n, int *p) { int mine = n; if (n == 0) { *p = 9; return; } f(n - 1, &mine); *p = mine + n; }',
    'int x = 1; f(2, &x);',
    'x == 12',
  ),
  ...both(
    'a pointer to a variable of main is passed on',
    'void f(int n, int *p) { if (n == 0) return; *p += n; f(n - 1, p); }',
    'int x = 1, y = 2; f(2, &x);',
    'x == 4 && y == 2',
  ),
  ...both(
    'an address that is kept in a global',
    'int *seen; int f(int n) { int mine = n; int *before = seen; seen = &mine; if (n == 0) return 0; f(n - 1); int d = seen != &mine; seen = before; return d; }',
    '',
    'f(1) == 1',
  ),
  ...both(
    'calls in a loop',
    'int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }',
    'int s = 0; for (int i = 0; i < 3; i++) s += f(i);',
    's == 3',
  ),
  ...both(
    'a loop in what calls itself',
    'int f(int n) { if (n == 0) return 1; int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }',
    '',
    'f(2) == 2',
  ),
  ...both(
    'calls through a pointer',
    'int f(int); int (*next)(int) = f; int f(int n) { return n == 0 ? 5 : next(n - 1); }',
    '',
    'f(2) == 5',
  ),
  ...both('a call of a call', 'int f(int n) { return n > 20 ? n - 2 : f(f(n + 3)); }', '', 'f(18) == 19'),
];

const heavy = await loadedBackEnd();

for (const { name, text, verdict: expected } of CASES) {
  t.test(name, async t => {
    const modules = await modulesOf(`${DECLARATIONS}${text}`);
    const question = programQuestion(modules);
    t.ok(
      question.problem.locations.some(l => /^[a-z]+$/.test(l.name)),
      'a function is kept',
    );
    const verdict = verdictOf(question, heavy);
    t.equal(verdict.kind, expected, verdict.kind === 'unknown' ? verdict.text : expected);
    t.equal(complaintAbout(question, heavy, verdict), undefined, 'its evidence holds');
  });
}
