/**
 * Functions on strings and bytes do here what they do natively: on random strings by execution, and with bytes that are left
 * open by the engines, each with a claim that holds and its negation.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion, runOf } from '../../support/programs.ts';
import { chooseSeed, Random } from '../../support/random.ts';

const PRELUDE = '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n';

/** Each adds numbers to a checksum that any implementation agrees on. */
const USES: readonly string[] = [
  'add(strlen(a)); add(strlen(b));',
  'add(strnlen(a, 2)); add(strnlen(b, 9));',
  'sign(strcmp(a, b)); sign(strcmp(b, a)); sign(strcmp(a, a));',
  'sign(strncmp(a, b, n)); sign(strncmp(a, a, 9));',
  'sign(memcmp(a, b, n)); sign(memcmp(b, a, n));',
  'strcpy(t, a); bytes(t);',
  'strncpy(t, a, n); bytes(t);',
  'strcpy(t, a); strcat(t, b); bytes(t);',
  'strcpy(t, a); strncat(t, b, n); bytes(t);',
  "place(a, strchr(a, 'b')); place(a, strchr(a, 0)); place(b, strchr(b, 'c'));",
  "place(a, strrchr(a, 'b')); place(a, strrchr(a, 0)); place(b, strrchr(b, 'a'));",
  "place(a, memchr(a, 'b', n));",
  'add(strspn(a, "ab")); add(strspn(a, b)); add(strcspn(a, "c")); add(strcspn(b, a));',
  'char *d = strdup(a); add(strlen(d)); sign(strcmp(a, d)); d[0]++; sign(strcmp(a, d));',
  'strcpy(t, "abcdefgh"); memmove(t + 2, t, n); bytes(t); memmove(t, t + 1, n); bytes(t); memmove(t, t, n); bytes(t);',
];

const SUM = `
static unsigned long long sum;
static void add(unsigned long n) { sum = sum * 31 + n; }
static void sign(int n) { add(n < 0 ? 1 : n > 0 ? 2 : 3); }
static void place(const char *s, const char *p) { add(p ? (unsigned long)(p - s) : 99); }
static void bytes(const char *t) { for (int i = 0; i < 16; i++) add((unsigned char)t[i]); }
`;

function randomString(random: Random): string {
  const length = random.below(6);
  return Array.from({ length }, () => 'abc\\xe9'.match(/\\x..|./g)?.[random.below(4)]).join('""');
}

function useText(use: string, number: number, random: Random): string {
  const [a, b] = [randomString(random), randomString(random)];
  return `unsigned long long use_${number}(void) {
    char a[16] = "${a}", b[16] = "${b}", t[16] = "zzzzzzzzzzzzzzz"; unsigned n = ${random.below(7)};
    (void)b; (void)t; (void)n; sum = 0; ${use} return sum; }\n`;
}

const folder = mkdtempSync(join(tmpdir(), 'euforia-'));
t.teardown(() => rmSync(folder, { recursive: true }));

function nativeOutput(text: string): string[] | undefined {
  const [source, program] = [join(folder, 'a.c'), join(folder, 'a.out')];
  writeFileSync(source, text);
  if (spawnSync('cc', ['-w', '-o', program, source]).status !== 0) return undefined;
  return spawnSync(program, { encoding: 'utf8', timeout: 20_000 }).stdout.trim().split('\n');
}

const hasCompiler = nativeOutput('int main(void) { return 0; }\n') !== undefined;

t.test('by execution', { skip: hasCompiler ? false : 'there is no C compiler' }, async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed} (EUFORIA_SEED=${seed} replays it)`);
  const random = new Random(seed);
  const text = PRELUDE + SUM + USES.map((u, i) => useText(u, i, random)).join('');
  const prints = USES.map((_, i) => `printf("%llx\\n", use_${i}());`).join(' ');
  const sums = nativeOutput(`${text}int main(void) { ${prints} return 0; }\n`) as string[];
  const errors = 'void __VERIFIER_error(void);\nvoid reach_error(void);\n';
  const checks = sums
    .map(
      (s, i) => `void check_${i}(void) { if (use_${i}() != 0x${s}ULL) __VERIFIER_error(); reach_error(); }\n`,
    )
    .join('');
  for (const model of ['lp64', 'ilp32'] as const) {
    const modules = await modulesOf(text + errors + checks, model);
    USES.forEach((use, i) => {
      const question = programQuestion(modules, `check_${i}`);
      const { ending, derivation } = runOf(question, { seed });
      const last = derivation.steps.at(-1)?.edge;
      const trap = last && question.traps?.get(last);
      const error =
        ending === 'violation' && trap === undefined
          ? JSON.parse(question.words.json(question.properties[0], derivation)).error.text
          : (trap ?? ending);
      t.equal(error, 'reach_error', `${model}: ${use}`);
    });
  }
});

/** Bytes that are left open, and what holds of them. */
const CLAIMS: readonly { readonly body: string; readonly claim: string; readonly isOpen?: boolean }[] = [
  { body: 'char s[3] = { x, y, 0 };', claim: 'strlen(s) == (x ? y ? 2 : 1 : 0)' },
  { body: 'char s[2] = { x, 0 }, r[2] = { y, 0 };', claim: '(strcmp(s, r) == 0) == (x == y)' },
  {
    body: 'unsigned char s[2] = { x, 0 }, r[2];',
    claim: 'strcpy(r, s) == r && r[0] == x && (x == 0 || r[1] == 0)',
  },
  { body: 'char s[2] = { x, 0 };', claim: "(memchr(s, 'a', 1) == s) == (x == 'a')" },
  { body: 'char s[2] = { x, 1 }, r[2] = { y, 2 };', claim: '(memcmp(s, r, 1) == 0) == (x == y)' },
  { body: 'int n = 7, m = 1; sscanf("1", "%d", &n);', claim: 'm == 1' },
  { body: 'int n = 7; sscanf("1", "%d", &n);', claim: 'n == 7', isOpen: true },
];

t.test('by the engines', async t => {
  const heavy = await loadedBackEnd();
  const text = CLAIMS.map(
    ({ body, claim }, i) => `
void holds_${i}(void) { unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar(); ${body} if (!(${claim})) __VERIFIER_error(); }
void fails_${i}(void) { unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar(); ${body} if (${claim}) __VERIFIER_error(); }
`,
  );
  const errors = 'void __VERIFIER_error(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n';
  const modules = await modulesOf(`${PRELUDE}${errors}${text.join('')}`, 'lp64');
  CLAIMS.forEach(({ claim, isOpen }, i) => {
    const verdicts = ['holds', 'fails'].map(which => {
      const options = { budget: { deadline: Date.now() + 60_000 } };
      const verdict = verdictOf(programQuestion(modules, `${which}_${i}`), heavy, options);
      return verdict.kind === 'unknown' ? `unknown: ${verdict.text}` : verdict.kind;
    });
    t.same(verdicts, [isOpen === true ? 'unsafe' : 'safe', 'unsafe'], claim);
  });
});
