/**
 * Leaving out what has no bearing on errors changes no verdict: what stops a program, or keeps it busy for ever, has a bearing on
 * all that comes after it. Each program is checked as it is and sliced, against what is true of it.
 */
import t from 'tap';
import { readProgram } from '../../../src/formats/programs.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf } from '../../support/programs.ts';

interface Program {
  readonly name: string;
  readonly outside?: string;
  readonly body: string;
  readonly verdict: 'safe' | 'unsafe';
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'a loop without an exit',
    body: 'while (1) {} error();',
    verdict: 'safe',
  },
  {
    name: 'a loop with an exit that is never taken',
    body: 'unsigned i = 1; while (i != 0) i += 2; error();',
    verdict: 'safe',
  },
  {
    name: 'a loop inside of a loop with an exit that is never taken',
    body: 'for (;;) { unsigned i = 1; while (i != 0) i += 2; if (any()) break; } error();',
    verdict: 'safe',
  },
  {
    name: 'a loop that ends',
    body: 'for (int i = 0; i < 3; i++) unused += i; error();',
    verdict: 'unsafe',
  },
  {
    name: 'a function that never returns',
    outside: 'static void stuck(void) { for (;;) unused++; }',
    body: 'stuck(); error();',
    verdict: 'safe',
  },
  {
    name: 'a function that returns in one case only',
    outside: 'static void perhaps(int x) { if (x > 0) exit(1); unused++; }',
    body: 'int x = any(); perhaps(x); if (x > 0) error();',
    verdict: 'safe',
  },
  {
    name: 'an assumption in a function without a result',
    outside: 'static void assumed(int x) { __VERIFIER_assume(x < 10); }',
    body: 'int x = any(); assumed(x); if (x == 10) error();',
    verdict: 'safe',
  },
  {
    name: 'a write through a pointer that is a parameter',
    outside: 'static void put(int *p, int v) { unused = v; *p = v; }',
    body: 'int a = 0, b = 0; put(&b, 2); put(&a, 1); if (a != 1) error();',
    verdict: 'safe',
  },
  {
    name: 'a choice that decides what is written',
    body: 'int a = 0, b = any(); if (b) a = 1; else unused = 2; if (a) error();',
    verdict: 'unsafe',
  },
  {
    name: 'a condition that has no bearing, around one that has',
    body: 'int a = 0; if (any()) { unused = 1; if (any()) unused = 2; } a = 1; if (!a) error();',
    verdict: 'safe',
  },
  {
    name: 'a function that calls itself and has no bearing',
    outside: 'static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }',
    body: 'int a = any(); unused = fib(20); if (a != a) error();',
    verdict: 'safe',
  },
  {
    name: 'a function that is called through a pointer in a table',
    outside: `struct ops { void (*first)(int *); void (*second)(int *); };
      static void one(int *p) { *p = 1; } static void two(int *p) { *p = 2; }
      static struct ops table = { one, two };`,
    body: 'int a = 0; struct ops *o = &table; o->second(&a); if (a != 2) error();',
    verdict: 'safe',
  },
  {
    name: 'a function that is put into a table later',
    outside: `struct late { int (*call)(void); }; static int three(void) { return 3; } static int four(void) { return 4; }
      static struct late late; static void set(struct late *l, int (*f)(void)) { l->call = f; }`,
    body: 'set(&late, three); if (any()) set(&late, four); if (late.call() == 4) error();',
    verdict: 'unsafe',
  },
  {
    name: 'what a function without a body returns a pointer to',
    outside: 'struct node { int x; struct node *next; }; struct node *given(void);',
    body: 'struct node *p = given(); p->x = 1; if (p->x != 1) error();',
    verdict: 'safe',
  },
  {
    name: 'what such a pointer pointed to in the round before',
    outside: 'struct link { int x; }; struct link *fresh(void);',
    body: `struct link *last = 0; for (int i = 0; i < 2; i++) { struct link *now = fresh(); now->x = 1;
      if (last && last->x != 1) error(); last = now; }`,
    verdict: 'safe',
  },
  {
    name: 'what lies behind such a pointer at first',
    outside: 'int *somewhere(void);',
    body: 'for (;;) { int *p = somewhere(); if (*p == 7) error(); *p = 8; }',
    verdict: 'unsafe',
  },
];

const PRELUDE = `void __VERIFIER_error(void); int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int); void exit(int);
static int unused;
#define any __VERIFIER_nondet_int
#define error __VERIFIER_error
`;

t.test('verdicts', async t => {
  const heavy = await loadedBackEnd();
  const text = PROGRAMS.map(
    ({ outside = '', body }, i) => `${outside}\nvoid program_${i}(void) { ${body} }\n`,
  );
  const modules = await modulesOf(PRELUDE + text.join(''), 'lp64');
  PROGRAMS.forEach(({ name, verdict }, i) => {
    for (const slice of ['on', 'off'] as const) {
      const program = { entry: `program_${i}`, slice };
      const question = readProgram(modules, { strict: false, warn: () => {}, program });
      if (slice === 'off' && name.includes('calls itself')) continue; // that is what slicing is needed for
      const found = verdictOf(question, heavy, { budget: { deadline: Date.now() + 60_000 } });
      t.equal(found.kind === 'unknown' ? found.text : found.kind, verdict, `${name}, slice: ${slice}`);
    }
  });
});
