/**
 * Runs as C files: programs with a bug that shows for some choices only are checked, the harness is built together with the program by a native
 * compiler, and the status tells that the error was reached. Without one, the texts alone are looked at.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { DataModel } from '../../../src/formats/c/flags.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { nativeCompiler } from '../../support/native.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

interface Program {
  readonly name: string;
  readonly text: string;
  readonly dataModel?: DataModel;
  /** What the comment must say, if anything. */
  readonly says?: RegExp;
  readonly flags?: readonly string[];
}

const DECLARATIONS = `
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void *__VERIFIER_nondet_pointer(void);
`;

const PROGRAMS: readonly Program[] = [
  {
    name: 'choices in the order of the run, across functions and rounds',
    text: `
static int twice(void) { int a = __VERIFIER_nondet_int(); return 10 * a + __VERIFIER_nondet_int(); }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) { int d = twice(); __VERIFIER_assume(d >= 0 && d < 100); sum = 100 * sum + d; }
  if (sum == 123456) reach_error();
  return 0;
}`,
  },
  {
    name: 'choices of calls that return, where they are made',
    text: `
static int number(int n) { if (n == 0) return 0; int d = __VERIFIER_nondet_int(); int r = number(n - 1); __VERIFIER_assume(d >= 0 && d < 10); return 10 * r + d; }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = number(3);
  int c = __VERIFIER_nondet_int();
  if (a == 17 && b == 123 && c == 18) reach_error();
  return 0;
}`,
  },
  {
    name: 'choices on the way to an error inside of a call',
    text: `
static int g;
static void descend(int n) {
  int d = __VERIFIER_nondet_int();
  if (n == 2 && d == 42 && g == 5) reach_error();
  g += d == 7 ? 3 : 2;
  if (n < 2) descend(n + 1);
}
int main(void) { descend(0); return 0; }`,
  },
  {
    name: 'all widths and signs',
    text: `
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  short s = __VERIFIER_nondet_short();
  _Bool b = __VERIFIER_nondet_bool();
  long long l = __VERIFIER_nondet_longlong();
  unsigned long u = __VERIFIER_nondet_ulong();
  int i = __VERIFIER_nondet_int();
  if (c == 200 && s == -32768 && b && l == -9223372036854775807LL - 1 && u + 1 == 0 && i == -2147483647 - 1)
    reach_error();
  return 0;
}`,
  },
  {
    name: 'the same with 64 bits',
    dataModel: 'lp64',
    text: `
int main(void) {
  unsigned long u = __VERIFIER_nondet_ulong();
  if (u == 0x123456789abcdef0ul && sizeof(u) == 8) reach_error();
  return 0;
}`,
  },
  {
    name: 'functions without a body, one that returns nothing, one that returns a pointer, one that is never called',
    text: `
extern char letter(int); extern void log_it(const char *); extern int *find(int); extern int unused(void);
int dead(void) { return unused(); }
int main(void) {
  int *p = find(1);
  log_it("x");
  if (letter('a') == 'z' && p != 0 && letter('b') == -3) reach_error();
  return 0;
}`,
  },
  {
    name: 'structs that are returned in registers and through memory',
    text: `
struct pair { short a, b; }; struct large { int all[9]; };
extern struct pair make(void); extern struct large other(void);
int main(void) {
  struct large l = other();
  struct pair p = make();
  if (p.a == 7 && p.b == -7) reach_error();
  return l.all[0];
}`,
    dataModel: 'lp64',
  },
  {
    name: 'variables that are defined elsewhere hold what they held',
    text: `
extern int level; extern unsigned short table[4];
int main(void) { if (level == -5 && table[2] == 65000) reach_error(); return 0; }`,
  },
  {
    name: 'functions of the standard library return what the run has',
    text: `
extern int rand(void); extern int puts(const char *); extern int getchar(void);
int main(void) { puts("silent"); if (rand() == 77 && getchar() == 'q') reach_error(); return 0; }`,
  },
  {
    name: 'an assertion',
    text: '\n#include <assert.h>\nint main(void) { assert(__VERIFIER_nondet_int() != 5); return 0; }',
  },
  {
    name: 'an error function that the program defines, and that says nothing',
    text: `
void __VERIFIER_error(void) {}
int main(void) { if (__VERIFIER_nondet_int() == 9) __VERIFIER_error(); return 0; }`,
    flags: ['-finstrument-functions'],
    says: /cc .*-finstrument-functions/,
  },
  {
    name: 'an error function that the program defines with an assertion',
    text: `
extern void __assert_fail(const char *, const char *, unsigned, const char *);
void __VERIFIER_error(void) { __assert_fail("0", "a.c", 1, "f"); }
int main(void) { if (__VERIFIER_nondet_int() == 9) __VERIFIER_error(); return 0; }`,
  },
  {
    name: 'a variable without a value that must be zero',
    text: `
int main(void) { int x; if (x == 0 && __VERIFIER_nondet_int() == 3) reach_error(); return 0; }`,
    flags: ['-ftrivial-auto-var-init=zero'],
    says: / x \(a\.c:\d+\)\n.*is as told if all of this is zero/,
  },
];

const heavy = await loadedBackEnd();

async function harnessOf(text: string, dataModel: DataModel): Promise<string> {
  const question = programQuestion(await modulesOf(`${DECLARATIONS}${text}`, dataModel));
  const verdict = verdictOf(question, heavy);
  if (verdict.kind !== 'unsafe' || question.words.program === undefined)
    throw new Error(`the program is ${verdict.kind}`);
  return question.words.program.harness(verdict.derivation);
}

t.test('a run replays natively', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-harness-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const compilers = { ilp32: nativeCompiler('ilp32'), lp64: nativeCompiler('lp64') };
  for (const { name, text, dataModel = 'ilp32', says, flags = [] } of PROGRAMS) {
    const harness = await harnessOf(text, dataModel);
    if (says === undefined) t.notMatch(harness, /has no value in C/, name);
    else t.match(harness, says, name);
    const compiler = compilers[dataModel];
    if (compiler === undefined) {
      t.comment(`nothing compiles for ${dataModel} here`);
      continue;
    }
    const [program, supply] = [join(folder, 'a.c'), join(folder, 'harness.c')];
    writeFileSync(program, `${DECLARATIONS}${text}`);
    writeFileSync(supply, harness);
    t.same(compiler([program, supply], join(folder, 'a.out'), ...flags).status, 10, `${name}\n${harness}`);
  }
});

t.test('who leaves the run is told', async t => {
  const compiler = nativeCompiler('ilp32');
  const harness = await harnessOf(
    '\nint main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); if (x == 4) reach_error(); return 0; }',
    'ilp32',
  );
  if (compiler === undefined) {
    t.comment('there is no compiler');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'euforia-harness-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const [program, supply] = [join(folder, 'a.c'), join(folder, 'harness.c')];
  writeFileSync(supply, harness);
  const ends = (text: string) => {
    writeFileSync(
      program,
      `${DECLARATIONS}int main(void) { int x = __VERIFIER_nondet_int(); ${text} return 0; }`,
    );
    return compiler([program, supply], join(folder, 'a.out'));
  };
  t.same(ends('if (x == 4) reach_error();'), { output: 'error reached\n', status: 10 });
  t.same(ends('__VERIFIER_assume(x > 4);'), { output: 'an assumption fails\n', status: 11 });
  t.same(ends('__VERIFIER_nondet_int();'), { output: 'another call of __VERIFIER_nondet_int\n', status: 11 });
});

t.test('what the file cannot supply is said', async t => {
  for (const [text, says] of [
    [
      'int main(void) { int x; if (x == 12345) reach_error(); return 0; }',
      / x \(a\.c:\d+\) = 12345\n \* The run needs these values/,
    ],
    ['int main(int argc, char **argv) { if (argc == 3) reach_error(); return 0; }', /argument of main = 3\n/],
    [
      'int main(void) { int x; __asm__("nop" : "=r"(x)); if (x == 8) reach_error(); return 0; }',
      /inline assembly .*= 8\n/,
    ],
    [
      'int __VERIFIER_nondet_other(void) { return 0; }\nint main(void) { if (__VERIFIER_nondet_other()) reach_error(); return 0; }',
      /The program defines __VERIFIER_nondet_other itself/,
    ],
    [
      'int main(void) { int x; int y = x; if (__VERIFIER_nondet_int() == 2) reach_error(); return y; }',
      undefined,
    ],
    ['int main(void) { int x; if (x != 77) reach_error(); return 0; }', undefined],
  ] as const) {
    const harness = await harnessOf(`\n${text}`, 'ilp32');
    if (says === undefined) t.notMatch(harness, /needs these values|if all of this is zero,/, text);
    else t.match(harness, says, text);
  }
});
