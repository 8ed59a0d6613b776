/**
 * What is easily got wrong about C, checked by the engines: a claim that holds is proved, and its negation refuted. Inputs are
 * whatever makes folding constants not enough.
 */
import t from 'tap';
import type { DataModel } from '../../../src/formats/c/flags.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';
import { modulesOf, programQuestion } from '../../support/programs.ts';

interface Trap {
  readonly name: string;
  /** Declarations before the function, with names that no other trap has. */
  readonly outside?: string;
  readonly body: string;
  readonly claim: string;
  /** May the claim be true or false, whatever the text says? */
  readonly isOpen?: boolean;
  /** Both, if none is given. */
  readonly model?: DataModel;
}

const INT = '__VERIFIER_nondet_int()';
const UCHAR = '__VERIFIER_nondet_uchar()';
const UINT = '__VERIFIER_nondet_uint()';

const FLOAT = '__VERIFIER_nondet_float()';

const TRAPS: readonly Trap[] = [
  // ---- numbers ----
  {
    name: 'small types are promoted to int before arithmetic',
    body: `unsigned char a = ${UCHAR}, b = ${UCHAR};`,
    claim: 'a - b <= 255 && a - b >= -255 && ~a < 0 && (a + b) / 2 <= 255',
  },
  {
    name: 'an assignment to a small type cuts off',
    body: `unsigned char a = ${UCHAR}; a += 256; signed char c = (signed char)(a | 0x80);`,
    claim: 'c < 0 && a <= 255',
  },
  {
    name: 'comparing signed with unsigned is unsigned',
    body: `int a = ${INT}; __VERIFIER_assume(a < 0); unsigned b = 1;`,
    claim: 'a > b && !(a > (int)b)',
  },
  {
    name: 'char is signed',
    body: `char c = (char)${UCHAR}; __VERIFIER_assume(c & 0x80);`,
    claim: 'c < 0 && (unsigned char)c >= 128',
  },
  {
    name: 'shifting a negative number to the right keeps its sign',
    body: `int a = ${INT}; __VERIFIER_assume(a < 0);`,
    claim: 'a >> 1 < 0 && ((unsigned)a >> 1) > 0x3fffffffu && (a >> 31) == -1',
  },
  {
    name: 'a division cuts off towards zero and a remainder has the sign of what is divided',
    body: `signed char a = (signed char)${UCHAR}; __VERIFIER_assume(a < 0);`,
    claim: 'a % 4 <= 0 && a % 4 > -4 && a / 4 * 4 + a % 4 == a && -7 / 2 == -3 && -7 % 2 == -1',
  },
  {
    name: 'sums of decimal fractions are not exact, and those of floats and doubles are different',
    body: `double d = 0.1; float f = 0.1f; d += 0.2; f += 0.2f; int a = ${INT}; __VERIFIER_assume(a == 3);`,
    claim: 'd != 0.3 && f == 0.3f && (double)f != d && a * 0.1 != 0.3',
  },
  {
    name: 'what is not a number is different from itself',
    body: `float f = ${FLOAT}; __VERIFIER_assume(f != f);`,
    claim: '!(f < 1) && !(f >= 1) && !(f == f) && f + 1 != f && __builtin_isnan(f)',
  },
  {
    name: 'a float has the bits that the standard says',
    body: `union { float f; unsigned u; } x; x.f = ${FLOAT}; __VERIFIER_assume(x.f == 1.5f || x.f == 0);`,
    claim: 'x.u == 0x3fc00000 || (x.u & 0x7fffffff) == 0',
  },
  {
    name: 'a constant and a sum read as integers', // once any value, so that errors were reported that do not exist
    body: `union { float f; int i; } x; x.f = 1.0f; double d = 2.0, e = d + ${UCHAR}; int *p = (int *)&e;`,
    claim: 'x.i == 0x3f800000 && *p == 0',
  },
  {
    name: 'a conversion to an integer cuts off, one from an integer rounds',
    body: `float f = ${FLOAT}; __VERIFIER_assume(f > -3.0f && f < -2.0f); int a = ${INT}; __VERIFIER_assume(a == 16777217);`,
    claim: '(int)f == -2 && (float)a == 16777216 && (double)a == 16777217',
  },
  {
    name: 'calloc gives zeros, however many',
    body: `unsigned n = ${UINT}; __VERIFIER_assume(n >= 3 && n < 1000); int *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *p); p[1] = 5;`,
    claim: 'p[0] == 0 && p[1] == 5 && q[1] == 0 && p[n - 1] == 0',
  },
  {
    name: 'zeroed memory is not all that there is behind a pointer',
    outside:
      'struct ext { int a, b; } *ext(void); static void *zalloc(__SIZE_TYPE__ n) { return calloc(1, n); }',
    body: `struct ext *p = zalloc(sizeof *p), *q = ${INT} ? p : ext();`,
    claim: 'q->a == 0',
    isOpen: true,
  },
  {
    name: 'realloc keeps what fits',
    body: `unsigned n = ${UINT}; __VERIFIER_assume(n >= 1 && n < 4); char *p = malloc(2), *q = malloc(1); p[0] = 7; p[1] = 9; *q = 4; p = realloc(p, n); if (n > 1) p[1]++; p = realloc(p, 1); char *r = realloc(0, 2); r[1] = 3;`,
    claim: 'p[0] == 7 && *q == 4 && r[1] == 3',
  },
  {
    name: 'what realloc adds has no value',
    body: `char *p = malloc(1); p[0] = 7; p = realloc(p, 3);`,
    claim: 'p[2] == 0',
    isOpen: true,
  },
  {
    name: 'signed overflow wraps',
    body: `int a = ${INT}; __VERIFIER_assume(a == 2147483647);`,
    claim: 'a + 1 < 0 && a * 2 == -2',
  },
  {
    name: 'a Boolean is zero or one',
    body: `_Bool b = (_Bool)(${INT} & 256); int n = b + b;`,
    claim: 'n == 0 || n == 2',
  },
  {
    name: '64 bits in the 32-bit data model',
    body: `unsigned a = ${UINT}; unsigned long long w = (unsigned long long)a << 20; long long s = -(long long)a;`,
    claim: '(w >> 20) == a && s <= 0 && sizeof(long) == 4 && sizeof(w) == 8',
    model: 'ilp32',
  },
  {
    name: 'long has 64 bits in the 64-bit data model',
    body: `long a = ${INT}; a <<= 20;`,
    claim: '(a >> 20) >= -2147483648L && sizeof(long) == 8 && sizeof(void *) == 8',
    model: 'lp64',
  },
  {
    name: 'sizes and alignments of 64-bit numbers in the 32-bit data model',
    outside: 'struct wide { char a; long long b; char c; };',
    body: 'struct wide s; s.b = 1; struct wide *p = &s; char *q = (char *)p; q[4] = 7;',
    claim: 'sizeof(struct wide) == 16 && s.b == 7',
    model: 'ilp32',
  },
  {
    name: 'sizes and alignments of 64-bit numbers in the 64-bit data model',
    outside: 'struct wide { char a; long long b; char c; };',
    body: 'struct wide s; s.b = 1; struct wide *p = &s; char *q = (char *)p; q[8] = 7;',
    claim: 'sizeof(struct wide) == 24 && s.b == 7',
    model: 'lp64',
  },
  {
    name: 'only what decides is evaluated',
    body: `int n = 0, a = ${INT}; if (a > 0 || ++n) {} int r = a > 0 ? 1 : (n += 2, 2);`,
    claim: 'a > 0 ? n == 0 && r == 1 : n == 3 && r == 2',
  },
  // ---- what has no value ----
  {
    name: 'a local that is not initialised may be anything',
    body: 'int a;',
    claim: 'a == 0',
    isOpen: true,
  },
  {
    name: 'a local of a loop body does not keep its value',
    body: 'int n = 0; for (int i = 0; i < 2; i++) { int a; if (i == 1) n = a; a = 5; }',
    claim: 'n == 5',
    isOpen: true,
  },
  {
    name: 'an array that is not initialised may hold anything',
    body: `int a[4]; unsigned i = ${UINT} & 3; a[0] = 1;`,
    claim: 'a[i] == 1',
    isOpen: true,
  },
  {
    name: 'what is allocated may hold anything',
    body: 'int *p = malloc(8); p[0] = 3;',
    claim: 'p[1] == 0',
    isOpen: true,
  },
  {
    name: 'an uninitialised value is the same each time it is read',
    body: 'int a; int b = a, c = a;',
    claim: 'b == c',
  },
  {
    name: 'an initialiser sets all that it does not mention to zero',
    body: 'struct { int a; int b[3]; } s = { 1, { 2 } }; int c[4] = { 5 };',
    claim: 's.a == 1 && s.b[0] == 2 && s.b[2] == 0 && c[3] == 0',
  },
  // ---- memory ----
  {
    name: 'a copy of a struct is its own',
    outside: 'struct pair { int a; char b[3]; };',
    body: `struct pair p = { ${INT}, { 1, 2, 3 } }, q = p; q.a++; q.b[1] = 9;`,
    claim: 'p.a + 1 == q.a && p.b[1] == 2 && q.b[2] == 3',
  },
  {
    name: 'structs are passed and returned by value',
    outside: `struct twin { int a; long long b; };
      static struct twin swapped(struct twin p) { p.a ^= 1; struct twin q = { (int)p.b, p.a }; return q; }`,
    body: `struct twin p = { ${INT} & 255, 7 }, q = swapped(p);`,
    claim: 'q.a == 7 && q.b == (p.a ^ 1)',
  },
  {
    name: 'large structs are passed by value, too',
    outside: `struct large { int a[8]; };
      static int changed(struct large p, int i) { p.a[i] = 5; return p.a[i]; }
      static struct large made(int n) { struct large r = { { n } }; return r; }`,
    body: `struct large p = made(${INT}); int before = p.a[0], r = changed(p, 0);`,
    claim: 'r == 5 && p.a[0] == before',
  },
  {
    name: 'members of a union share their bytes',
    body: `union { unsigned word; unsigned char bytes[4]; unsigned short halves[2]; } u; u.word = ${UINT};
      unsigned char b = u.bytes[1]; u.halves[1] = 0xabcd;`,
    claim: 'b == ((u.word >> 8) & 255) && (u.word >> 16) == 0xabcd',
  },
  {
    name: 'bit-fields cut off, keep their neighbours, and have signs',
    body: `struct { unsigned a : 3; int b : 4; unsigned c : 9; } s = { 0 }; s.c = 300; s.a = ${UINT}; s.b = 9;`,
    claim: 's.a <= 7 && s.b == -7 && s.c == 300',
  },
  {
    name: 'bytes are in order of their weight',
    body: `unsigned a = ${UINT}; unsigned char *p = (unsigned char *)&a;`,
    claim: 'p[0] == (a & 255) && (a >> 24) == p[3]',
  },
  {
    name: 'a write through a char pointer is seen',
    body: `int a = ${INT}; char *p = (char *)&a; p[0] = 0; p[1] = 1;`,
    claim: '(a & 0xffff) == 256',
  },
  {
    name: 'a write through a pointer to another type is seen',
    body: `int a = ${INT}; *(unsigned short *)&a = 17; short *p = (short *)&a + 1; *p = 0;`,
    claim: 'a == 17',
  },
  {
    name: 'a pointer to a member is inside of the struct',
    outside: 'struct node { char tag; int value; };',
    body: `struct node n = { 1, 2 }; int *p = &n.value; *p = ${INT};
      struct node *q = (struct node *)((char *)p - __builtin_offsetof(struct node, value));`,
    claim: 'q == &n && q->value == n.value && q->tag == 1',
  },
  {
    name: 'pointers that may alias',
    body: `int a = 1, b = 2; int *p = ${INT} ? &a : &b, *q = &a; *p = 5; *q = 6;`,
    claim: 'a == 6 && (p == q ? b == 2 && *p == 6 : b == 5)',
  },
  {
    name: 'a pointer to a pointer',
    body: `int a = 1, b = 2, *p = &a, **pp = &p; **pp = 3; *pp = &b; *p = ${INT} | 1;`,
    claim: 'a == 3 && (b & 1) == 1',
  },
  {
    name: 'pointer arithmetic counts elements',
    body: `long long a[5] = { 0 }; unsigned i = ${UINT} % 4u; long long *p = a + i; p[1] = 7; *p = 3;`,
    claim: '&p[1] - a == (int)i + 1 && a[i + 1] == 7 && (char *)(p + 1) - (char *)p == 8 && p < p + 1',
  },
  {
    name: 'elements of an array are different from each other',
    body: `int a[4] = { 1, 2, 3, 4 }; unsigned i = ${UINT} & 3, j = ${UINT} & 3; __VERIFIER_assume(i != j); a[i] = 10; a[j] = 20;`,
    claim: 'a[i] == 10 && a[j] == 20',
  },
  {
    name: 'an array of structs with an array in them',
    outside: 'struct row { short n; int cells[2]; };',
    body: `struct row r[3] = { { 1, { 2, 3 } } }; unsigned i = ${UINT} % 3u; r[i].cells[1] = 50; r[i].n = 4;`,
    claim: 'r[i].cells[1] == 50 && r[i].n == 4 && (i == 0 || r[0].cells[1] == 3)',
  },
  {
    name: 'a flexible array member',
    outside: 'struct text { unsigned char length; short data[]; };',
    body: `struct text *p = malloc(sizeof(struct text) + 3 * sizeof(short)); p->length = 3;
      for (int i = 0; i < 3; i++) p->data[i] = (short)(i * 2);`,
    claim: 'p->length == 3 && p->data[2] == 4 && p->data[0] == 0 && sizeof(struct text) == 2',
  },
  {
    name: 'a list on the heap',
    outside: `struct cell { int value; struct cell *next; };
      static struct cell *pushed(struct cell *list, int v) {
        struct cell *c = malloc(sizeof *c); c->value = v; c->next = list; return c; }`,
    body: `int a = ${INT}; struct cell *list = pushed(pushed(0, a), 5);`,
    claim: 'list->value == 5 && list->next->value == a && list->next->next == 0 && list != list->next',
  },
  {
    name: 'objects on the heap are different from each other',
    outside: 'struct lock { int held; int count; };',
    body: `struct lock *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->held = 0; b->held = 1; a->count = ${INT}; b->count = 4; a->held = 2;`,
    claim: 'a != b && b->held == 1 && b->count == 4 && a->held == 2',
  },
  {
    name: 'calloc makes zeros',
    body: 'int *p = calloc(4, sizeof(int)); p[1] = 5;',
    claim: 'p[0] == 0 && p[1] == 5 && p[3] == 0',
  },
  {
    name: 'memcpy, memset and memmove',
    body: `int a[4] = { 1, 2, 3, ${INT} }, b[4]; memcpy(b, a, sizeof a); memset(a, 255, 8); memmove(b + 1, b, 8);`,
    claim: 'a[0] == -1 && a[1] == -1 && a[2] == 3 && b[0] == 1 && b[1] == 1 && b[2] == 2 && b[3] == a[3]',
  },
  {
    name: 'memcpy between types',
    body: `unsigned w = ${UINT}, v; unsigned char b[4]; memcpy(b, &w, 4); b[0] ^= 1; memcpy(&v, b, 4);`,
    claim: 'v == (w ^ 1)',
  },
  {
    name: 'a part of what is moved was moved there by itself',
    outside: `struct mixed { char a; _Bool b; char c[4]; };
      static struct mixed made_mixed(char a) { return (struct mixed){ a, 1, "xyz" }; }`,
    body: `struct mixed p = made_mixed((char)${UCHAR}), q = p;`,
    claim: 'q.c[0] == 120 && q.c[3] == 0 && q.b == 1 && q.a == p.a',
  },
  {
    name: 'a constant that is larger than the elements it is moved to',
    outside: 'static const long long constant = 0x0102030405060708LL;',
    body: `unsigned short a[6] = { 0 }; memcpy(a + 1, &constant, 7); unsigned i = ${UINT} % 6u; if (i > 4) a[i] = 9;`,
    claim: 'a[0] == 0 && a[1] == 0x0708 && a[2] == 0x0506 && a[3] == 0x0304 && a[4] == 0x02',
  },
  {
    name: 'a pointer in a number that is larger',
    body: `int a = 1, b = ${INT}; unsigned long long n = (unsigned long long)(size)&a; int *p = (int *)(size)n; *p = b;`,
    claim: 'a == b && p == &a',
  },
  {
    name: 'an address far away from the object, and back',
    model: 'lp64',
    body: `int a = 1, b = ${INT}; unsigned long n = (unsigned long)&a + 0x7fff880000000001UL; n += 0x7fff880000000001UL; int *p = (int *)(n - 0xffff100000000002UL); *p = b;`,
    claim: 'a == b && p == &a',
  },
  {
    name: 'a pointer that is copied byte by byte',
    outside: `struct box { int *p; };
      static void copied(char *t, const char *s, size n) { for (size i = 0; i < n; i++) t[i] = s[i]; }`,
    body: `int a = 1; struct box x = { &a }, y = { 0 }; copied((char *)&y, (const char *)&x, sizeof x); *y.p = 5;`,
    claim: 'a == 5',
    model: 'ilp32',
  },
  {
    name: 'memcpy of a variable length',
    body: `char a[4] = "abc", b[4] = "xyz"; unsigned n = ${UINT} & 1; memcpy(b, a, n);`,
    claim: 'n > 0 ? b[0] == a[0] && b[3] == 0 : b[0] == 120',
  },
  {
    name: 'string literals',
    body: `const char *s = ${INT} ? "yes" : "no"; char t[] = "ab\\0c"; int n = 0; while (s[n]) n++;`,
    claim: '(s[0] == 121 ? n == 3 : n == 2) && sizeof t == 5 && t[3] == 99',
  },
  {
    name: 'an array of strings',
    body: `const char *names[2] = { "one", "two" }; unsigned i = ${UINT} & 1;`,
    claim: 'names[i][1] == (i ? 119 : 110)',
  },
  // ---- globals ----
  {
    name: 'a large global is zero although a local is copied into it',
    outside: 'struct slot { int p, n; } slots[100000];',
    body: `unsigned i = ${UINT}; __VERIFIER_assume(i > 7 && i < 100000); struct slot s; s.p = 1; s.n = 2; slots[7] = s;`,
    claim: 'slots[i].p == 0 && slots[i].n == 0 && slots[7].p == 1',
  },
  {
    name: 'a local that is copied into a large global may have held anything',
    outside: 'struct seat { int p, n; } seats[100000];',
    body: `unsigned i = ${UINT}; __VERIFIER_assume(i < 100000); struct seat s; s.p = 1; seats[i] = s;`,
    claim: 's.n == 0 || seats[i].p == 0',
    isOpen: true,
  },
  {
    name: 'globals are zero, or what they are initialised with',
    outside: `static int zero, table[3] = { 4, 5 }, *into = &table[1];
      static struct { char a; int *p; } holder = { 'x', &zero };`,
    body: `*into = ${INT}; *holder.p = 8;`,
    claim: 'table[1] == *into && zero == 8 && table[2] == 0 && table[0] == 4',
  },
  {
    name: 'static locals keep their values',
    outside: 'static int next(int by) { static int n = 10; n += by; return n; }',
    body: `int by = ${INT} & 7; next(by); next(by); int r = next(0);`,
    claim: 'r == 10 + 2 * by',
  },
  // ---- control ----
  {
    name: 'function pointers',
    outside: `static int twice(int a) { return 2 * a; } static int negated(int a) { return -a; }
      static int (*const functions[2])(int) = { twice, negated };`,
    body: `int a = ${INT} & 255; unsigned i = ${UINT} & 1; int (*f)(int) = a > 9 ? twice : negated; int r = f(a), q = functions[i](a);`,
    claim: '(a > 9 ? r == 2 * a : r == -a) && (i ? q == -a : q == 2 * a) && functions[0] != functions[1]',
  },
  {
    name: 'a function pointer in a struct',
    outside: `struct operations { int (*get)(void *); void (*set)(void *, int); };
      static int get(void *p) { return *(int *)p; } static void set(void *p, int v) { *(int *)p = v; }
      static const struct operations ops = { get, set };`,
    body: `int a = ${INT}; const struct operations *o = &ops; o->set(&a, 4);`,
    claim: 'o->get(&a) == 4',
  },
  {
    name: 'switch falls through',
    body: `int n = 0; unsigned a = ${UINT} & 7; switch (a) { case 0: n += 1; case 1: n += 2; break; default: n = 9; case 5: n += 4; }`,
    claim: 'a == 0 ? n == 3 : a == 1 ? n == 2 : a == 5 ? n == 4 : n == 13',
  },
  {
    name: 'a switch over 64 bits and ranges',
    body: `long long a = ${INT}; int n; switch (a) { case -5 ... -2: n = 1; break; case 7: n = 2; break; default: n = 3; }`,
    claim: 'n == (a >= -5 && a <= -2 ? 1 : a == 7 ? 2 : 3)',
  },
  {
    name: 'loops by goto',
    body: `int n = 0, m = ${UINT} & 3; again: if (n < m) { n++; goto again; }`,
    claim: 'n == m',
  },
  {
    name: 'break leaves the inner loop only',
    body: 'int n = 0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 5; j++) { if (j == 2) break; n++; } if (i == 1) continue; n += 10; }',
    claim: 'n == 26',
  },
  {
    name: 'a call changes what its argument points to',
    outside:
      'static void increment(int *p) { (*p)++; } static void both(int *p, int *q) { increment(p); increment(q); }',
    body: `int a = ${INT} & 15, b = a; both(&a, &b); both(&a, &a);`,
    claim: 'a == b + 2',
  },
  {
    name: 'an array whose length is known at run time only',
    body: `unsigned n = (${UINT} & 3) + 1; int a[n]; a[0] = 3; a[n - 1] = 4;`,
    claim: 'a[n - 1] == 4 && (n == 1 || a[0] == 3) && sizeof a == n * sizeof(int)',
  },
];

const PRELUDE = `
void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__), *realloc(void *, __SIZE_TYPE__);
typedef __SIZE_TYPE__ size;
void *malloc(size), *calloc(size, size), *memcpy(void *, const void *, size), *memmove(void *, const void *, size), *memset(void *, int, size);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);
float __VERIFIER_nondet_float(void);
void __VERIFIER_assume(int), __VERIFIER_error(void);
`;

/** Functions that say that the claim, and that its negation, holds. */
function textOf({ outside = '', body, claim }: Trap, number: number): string {
  return `${outside}
void holds_${number}(void) { ${body} if (!(${claim})) __VERIFIER_error(); }
void fails_${number}(void) { ${body} if (${claim}) __VERIFIER_error(); }
`;
}

for (const model of ['ilp32', 'lp64'] as const) {
  t.test(model, async t => {
    const heavy = await loadedBackEnd();
    const traps = TRAPS.filter(trap => trap.model === undefined || trap.model === model);
    const modules = await modulesOf(PRELUDE + traps.map(textOf).join(''), model);
    traps.forEach(({ name, isOpen }, i) => {
      const verdicts = ['holds', 'fails'].map(which =>
        verdictOf(programQuestion(modules, `${which}_${i}`), heavy, {
          budget: { deadline: Date.now() + 60_000 },
        }),
      );
      const told = verdicts.map(v => (v.kind === 'unknown' ? `unknown: ${v.text}` : v.kind));
      t.same(told, [isOpen === true ? 'unsafe' : 'safe', 'unsafe'], name);
    });
  });
}
