/** What is assumed of what a program does not define, and what others call assumptions, assertions and choices. */
import t from 'tap';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

const PRELUDE = `typedef __SIZE_TYPE__ size;
void *malloc(size), *calloc(size, size);
void free(void *), __VERIFIER_error(void);
`;

t.test('functions without a body', async t => {
  const heavy = await loadedBackEnd();
  const conditions = {
    x: 'unsafe', // its address is an argument
    'list.next->value': 'unsafe', // and so is a way to this
    open: 'unsafe', // other modules can name it
    escaping: 'unsafe', // and find this there
    hidden: 'safe',
    own: 'safe',
    fixed: 'safe',
  } as const;
  const functions = Object.keys(conditions).map(
    (what, i) => `int main_${i}(void) {
  struct list second = { 1, 0 }, list = { 1, &second };
  int x = 1, own = 1;
  pointer = &escaping;
  outside(&x, &list);
  if (${what} != 1) __VERIFIER_error();
  return own;
}
`,
  );
  const modules = await modulesOf(`${PRELUDE}
struct list { int value; struct list *next; };
int outside(int *, struct list *);
static int hidden = 1, escaping = 1;
static const int fixed = 1;
int open = 1, *pointer;
${functions.join('')}`);
  for (const [i, [what, verdict]] of Object.entries(conditions).entries()) {
    const ask = (externals: 'pure' | 'havoc') => programQuestion(modules, `main_${i}`, { externals });
    t.equal(verdictOf(ask('pure'), heavy).kind, 'safe', `${what} is left alone`);
    const question = ask('havoc');
    const answer = verdictOf(question, heavy);
    t.equal(answer.kind, verdict, `${what} may be written`);
    if (answer.kind === 'unsafe')
      t.match(
        question.words.derivation(question.properties[0], answer.derivation),
        '; assumed: outside returns any value and writes anything to all memory that it can reach\n',
      );
  }
});

t.test('an array of variable length is no longer than memory', async t => {
  const heavy = await loadedBackEnd();
  const modules = await modulesOf(`${PRELUDE}
unsigned any(void);
int many(void) { unsigned n = any(); int a[n]; if (n >= 0x40000000) { a[0] = 0; __VERIFIER_error(); } return 0; }
int some(void) { unsigned n = any(); int a[n]; if (n >= 0x10000) { a[0] = 0; __VERIFIER_error(); } return 0; }
`);
  for (const [entry, verdict] of [
    ['many', 'safe'],
    ['some', 'unsafe'],
  ] as const)
    t.equal(verdictOf(programQuestion(modules, entry), heavy).kind, verdict, entry);
});

t.test('malloc', async t => {
  const heavy = await loadedBackEnd();
  const modules = await modulesOf(`${PRELUDE}
int fails(void) { int *p = malloc(4); if (!p) __VERIFIER_error(); free(p); return 0; }
int zeroed(void) { int *p = calloc(2, 4); if (p ? p[1] != 0 : 0) __VERIFIER_error(); return 0; }
int none(void) { int *p = calloc(2, 4); if (!p) __VERIFIER_error(); return 0; }
`);
  const told = (entry: string, malloc: 'succeeds' | 'may-fail') => {
    const question = programQuestion(modules, entry, { malloc });
    const verdict = verdictOf(question, heavy);
    return verdict.kind === 'unsafe'
      ? question.words.derivation(question.properties[0], verdict.derivation)
      : verdict.kind;
  };
  for (const entry of ['fails', 'zeroed', 'none']) t.equal(told(entry, 'succeeds'), 'safe');
  t.equal(told('zeroed', 'may-fail'), 'safe');
  t.match(
    told('fails', 'may-fail'),
    /malloc fails: 1\n(?:.*\n)*; assumed: malloc may fail and return null\n/,
  );
  t.match(told('none', 'may-fail'), 'assumed: calloc may fail and return null\n');
});

t.test("other verifiers' names", async t => {
  const heavy = await loadedBackEnd();
  const bodies: readonly (readonly [body: string, verdict: string])[] = [
    ['int x = nd_int(); __SEA_assume(x > 3); sassert(x > 2);', 'safe'],
    ['int x = sea_nd_int(); sea_assume(x > 3); sassert(x > 3 && x < 9);', 'unsafe'],
    ['int x; klee_make_symbolic(&x, sizeof x, "x"); klee_assume(x == 7); klee_assert(x == 7);', 'safe'],
    ['int x = 7; klee_make_symbolic(&x, sizeof x, "x"); klee_assert(x == 7);', 'unsafe'],
    ['int x = __CPROVER_nondet_int(); __CPROVER_assume(x < 0); __CPROVER_assert(-1 >= x, "x");', 'safe'],
    ['int x = nondet_int(); __CPROVER_assert(x != 5, "x");', 'unsafe'],
    ['int x = 1; sassert(sea_is_dereferenceable(&x, 4));', "'sea_is_dereferenceable' is not supported"],
    ['int x = 1; if (!__CPROVER_r_ok(&x, 4)) __VERIFIER_error();', "'__CPROVER_r_ok' is not supported"],
    ['assume(0); __VERIFIER_error();', 'unsafe'],
  ];
  const modules = await modulesOf(
    `${PRELUDE}
void assume(int x) { }
${bodies.map(([body], i) => `int main_${i}(void) { ${body} return 0; }`).join('\n')}`,
  );
  for (const [i, [body, expected]] of bodies.entries()) {
    const verdict = verdictOf(programQuestion(modules, `main_${i}`), heavy);
    const told = verdict.kind === 'unknown' ? verdict.text.replace(/ \(a\.c:\d+\)$/, '') : verdict.kind;
    t.equal(told, expected, body);
  }
});
