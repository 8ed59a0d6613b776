/** From C to LLVM IR, with the real compiler: data models, messages, included files, macros, headers, old C. */
import { readFileSync } from 'node:fs';
import * as clangPackage from '@yowasp/clang';
import t from 'tap';
import { CLANG_VERSION, type Clang, clangOf } from '../../../src/formats/c/clang.ts';
import { type CompileOptions, compile } from '../../../src/formats/c/compiler.ts';
import { DATA_MODELS, type DataModel } from '../../../src/formats/c/flags.ts';
import { HEADERS } from '../../../src/formats/c/headers/all.ts';
import { CompileError, readMessages } from '../../../src/formats/c/messages.ts';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { isC } from '../../../src/formats/format.ts';

const clang = clangOf(clangPackage);

const PLAIN: CompileOptions = { dataModel: 'ilp32', defines: [], folders: [], lookUp: () => undefined };

/** The IR of one file and the warnings about it. */
async function compiled(text: string, options: Partial<CompileOptions> = {}, name = 'a.c') {
  const { modules, warnings } = await compile(clang, [{ name, text }], { ...PLAIN, ...options });
  return { ir: modules[0].text, warnings };
}

/** What the compiler says of a file that it refuses. */
async function refusal(
  text: string,
  options: Partial<CompileOptions> = {},
  name = 'a.c',
): Promise<CompileError> {
  try {
    await compiled(text, options, name);
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
  throw new Error('it was compiled');
}

const lookUpIn = (files: Readonly<Record<string, string>>) => (path: string) => files[path];

t.test('the package is the one that is asked for', t => {
  const { peerDependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  t.equal(peerDependencies['@yowasp/clang'], CLANG_VERSION);
  t.equal(devDependencies['@yowasp/clang'], CLANG_VERSION);
  t.end();
});

t.test('data models', async t => {
  const SIZES = `#include <stddef.h>
    #include <stdint.h>
    #include <sys/types.h>
    const char of_int[sizeof(int)], of_long[sizeof(long)], of_pointer[sizeof(void *)], of_size[sizeof(size_t)],
      of_ssize[sizeof(ssize_t)], of_wide[sizeof(long long)], of_int64[sizeof(int64_t)], of_extended[sizeof(long double)];
    double sum(double a, double b, double c) { return a * b + c; }`;
  const EXPECTED: Readonly<Record<DataModel, Readonly<Record<string, number>>>> = {
    ilp32: { int: 4, long: 4, pointer: 4, size: 4, ssize: 4, wide: 8, int64: 8, extended: 12 },
    lp64: { int: 4, long: 8, pointer: 8, size: 8, ssize: 8, wide: 8, int64: 8, extended: 16 },
  };
  for (const dataModel of DATA_MODELS) {
    const { ir, warnings } = await compiled(SIZES, { dataModel });
    t.same(warnings, []);
    t.match(ir, dataModel === 'ilp32' ? 'target triple = "i386-' : 'target triple = "x86_64-');
    for (const [name, size] of Object.entries(EXPECTED[dataModel]))
      t.match(ir, `@of_${name} = constant [${size} x i8]`, `${dataModel}: ${name}`);
    t.match(ir, /fmul double.*\n.*\n.*fadd double/, 'sums of doubles are neither wider nor fused');
  }
});

t.test('nothing is optimised, and undefined behaviour stays', async t => {
  const { ir } = await compiled(`
    static inline int helper(int x) { return x + 1; }
    inline int c99(int x) { return x + 2; }
    int main(int n, char **v) {
      int a[3];
      int u;
      for (int i = 0; i < n; i++) { int fresh; u += fresh; }
      while (n) ;
      return helper(u) + c99(a[0]) + (u + 1 > u) + 1 / n;
    }`);
  t.match(ir, /define internal i32 @helper/);
  t.match(ir, /define available_externally i32 @c99/, "the body of C99's inline functions is there");
  t.notMatch(ir, /\bnsw\b|!tbaa/, 'arithmetic wraps, and types say nothing of aliasing');
  t.equal(ir.match(/!annotation/g)?.length, 3, 'uninitialised locals are marked where they begin');
  t.match(ir, /#dbg_declare\(ptr %fresh/, 'locals have names');
  t.match(ir, /!DILocation\(line: 9, column: \d+/, 'and instructions places');
  t.match(ir, '!DIFile(filename: "a.c"');
});

t.test('errors', async t => {
  const one = await refusal('int main(void) {\n  return y;\n}\n', {}, 'src/one.c');
  t.ok(one instanceof InputError);
  t.equal(one.message, "src/one.c:2:10: use of undeclared identifier 'y'");
  t.same([one.file, one.line, one.column], ['src/one.c', 2, 10]);

  const several = await refusal('int x;\nchar x;\nint f(void) { return z; }\n#include "none.h"\n');
  t.match(several.message, /^a\.c:2:6: redefinition of 'x' .* \(and 2 more errors\)$/);
  t.same(
    several.errors.map(e => e.message),
    [
      "a.c:2:6: redefinition of 'x' with a different type: 'char' vs 'int' (a.c:1:5: previous definition is here)",
      "a.c:3:22: use of undeclared identifier 'z'",
      "a.c:4:10: 'none.h' file not found",
    ],
  );

  const lookUp = lookUpIn({ 'lib/x.h': '#define WRONG (1 +\n\nint f(void) { return WRONG; }\n' });
  const inHeader = await refusal('#include "lib/x.h"\n', { lookUp });
  t.equal(inHeader.message.split(':', 2).join(':'), 'lib/x.h:3', 'in a header it is the place there');

  const many = await refusal(
    Array.from({ length: 50 }, (_, i) => `int f${i}(void) { return u${i}; }`).join('\n'),
  );
  t.equal(many.errors.length, 20);

  await t.rejects(compiled('\ufffd\ufffdi'), { message: 'a.c:1:1: this is UTF-16; save it as UTF-8' });
  t.match((await compiled('\ufeffint x;')).ir, '@x = ');
});

t.test('what the compiler cannot take is told as one error', async t => {
  const deep = `int x = ${'('.repeat(100_000)}1${')'.repeat(100_000)};`;
  t.equal((await refusal(deep)).message, 'a.c:1:1: it is nested too deeply for the C compiler');
  const silent: Clang = { run: async () => ({ output: '', messages: 'Killed\n', succeeded: false }) };
  const attempt = compile(silent, [{ name: 'b.c', text: '' }], PLAIN);
  await t.rejects(attempt, { message: 'b.c:1:1: the C compiler failed: Killed' });
  const broken = clangOf({
    runLLVM: args => {
      if (args !== undefined) throw new RangeError('memory access out of bounds');
    },
  });
  await t.rejects(compile(broken, [{ name: 'b.c', text: '' }], PLAIN), {
    message: 'b.c:1:1: the C compiler failed: memory access out of bounds',
  });
});

t.test('messages without a place, and paths with colons', t => {
  const { errors, warnings } = readMessages(
    'a.c',
    [
      "error: unknown argument: '-frob'",
      'In file included from C:/a.c:1:',
      'C:/b.h:3:4: warning: odd [-Wodd]',
      'C:/b.h:3:4: note: see here',
      'C:/b.h:5:6: error: wrong',
      "C:/b.h:1:9: note: expanded from macro 'M'",
      'C:/b.h:7:8: note: in truth here',
      'fatal error: too many errors emitted, stopping now',
    ].join('\n'),
  );
  t.same(
    errors.map(e => e.message),
    ["a.c:1:1: unknown argument: '-frob'", 'C:/b.h:5:6: wrong (C:/b.h:7:8: in truth here)'],
  );
  t.same(warnings, ['C:/b.h:3:4: warning: odd [-Wodd]']);
  t.end();
});

t.test('included files', async t => {
  const asked: string[] = [];
  const files: Readonly<Record<string, string>> = {
    '../lib/own.h': '#include "../above.h"\n#include "sub/inner.h"\nint own = 1;\n',
    '../lib/../above.h': 'int above = 2;\n',
    '../lib/above.h': '#error the wrong file\n',
    '../lib/sub/inner.h': '#include "../own.h"\nint inner = 3;\n',
    'inc/angled.h': 'int angled = 4;\n',
    'inc/own.h': '#error the wrong file\n',
    'inc/macro.h': 'int by_macro = 5;\n',
    '/abs/inc/absolute.h': 'int absolute = 6;\n',
    'inc/stdio.h': 'int printf_is_mine = 7;\n',
  };
  const lookUp = (path: string) => {
    asked.push(path);
    return files[path.replace('sub/../', '')];
  };
  const text = `
    #  include "own.h"
    #include <angled.h>
    #define FILE "macro.h"
    #include FILE
    #if __has_include("absent.h") || !__has_include(<angled.h>)
    #error
    #endif
    #include "absolute.h"
    #include <stdio.h>
    int main(void) { return 0; }`;
  const { ir, warnings } = await compiled(
    text.replace('"own.h"', '"own.h" // once: it has no guard'),
    {
      folders: ['inc', '/abs/inc'],
      lookUp: path => (path.endsWith('inner.h') ? 'int inner = 3;' : lookUp(path)),
    },
    '../lib/a.c',
  );
  t.same(warnings, []);
  for (const name of ['own', 'above', 'inner', 'angled', 'by_macro', 'absolute', 'printf_is_mine'])
    t.match(ir, `@${name} = global`, name);
  t.match(ir, 'filename: "../lib/own.h"', 'paths are the ones that the user knows');
  t.notOk(asked.some(path => path.includes('error')));

  const circle = { 'a.h': '#pragma once\n#include "b.h"\n', 'b.h': '#include "a.h"\nint b;\n' };
  t.match((await compiled('#include "a.h"\n', { lookUp: lookUpIn(circle) })).ir, '@b = ');
  const endless = (path: string) => `#include "x${path}"\n`;
  await t.rejects(compiled('#include "a.h"\n', { lookUp: endless }), {
    message: /^a\.c:1:1: it includes too many files/,
  });
});

t.test('macros, and what is preprocessed', async t => {
  const text = 'int value = VALUE;\n#ifdef FLAG\nint flag = FLAG;\n#endif\nchar *s = TEXT;\n';
  const { ir } = await compiled(text, { defines: ['VALUE=0x10', 'FLAG', 'TEXT="a b\\n"'] });
  t.match(ir, '@value = global i32 16');
  t.match(ir, '@flag = global i32 1');
  t.match(ir, 'c"a b\\0A\\00"');
  const old =
    '# 1 "origin.c"\nint linux = 1, unix = 2;\n# 7 "origin.c"\nint f(void) { return linux + unix; }\n';
  t.match((await compiled(old, {}, 'a.i')).ir, /@linux = [\s\S]*filename: "origin\.c"/);
  t.match((await compiled('#ifdef __GNUC__\nint gnu;\n#endif')).ir, '@gnu = ');
});

t.test('assertions', async t => {
  const text = `#include <assert.h>
    void f(int x) {
      assert(x > 0 && "positive");
    }
    #define NDEBUG
    #include <assert.h>
    void g(int x) { assert(x == 1234); }`;
  const { ir } = await compiled(text, {}, 'dir/a.c');
  t.match(ir, 'c"x > 0 && \\22positive\\22\\00"');
  t.match(ir, 'c"dir/a.c\\00"');
  t.match(
    ir,
    /call void @__assert_fail\(ptr noundef @\S+, ptr noundef @\S+, i32 noundef 3, ptr noundef @__func__\.f\).*\n\s*unreachable/,
  );
  t.equal(ir.match(/call void @__assert_fail/g)?.length, 1, 'NDEBUG takes the other away');
  t.notMatch(ir, '1234');
});

t.test('each header stands alone, and all go together', async t => {
  const names = Object.keys(HEADERS);
  const include = (list: readonly string[]) => list.map(name => `#include <${name}>\n`).join('');
  for (const name of names) {
    const { warnings } = await compiled(include([name, name]));
    t.same(warnings, [], name);
  }
  const COMPILER_HEADERS = [
    'stddef.h',
    'stdarg.h',
    'stdint.h',
    'stdbool.h',
    'float.h',
    'stdalign.h',
    'stdatomic.h',
    'tgmath.h',
  ];
  const all = [...names, ...COMPILER_HEADERS].filter(name => name !== 'smack.h'); // has an assert of its own
  const use = `int main(void) {
      int64_t x = INT64_MAX; size_t n = SIZE_MAX; bool b = true;
      printf("%" PRId64 " %zu %d", x, n, b);
      return errno == EINVAL ? INT_MAX : PATH_MAX + isnan(sqrt(DBL_MAX)) + (int)NULL;
    }`;
  for (const dataModel of DATA_MODELS) {
    for (const list of [all, [...all].reverse()]) {
      const { warnings } = await compiled(include(list) + use.replace('(int)NULL', '(int)(long)NULL'), {
        dataModel,
      });
      t.same(warnings, [], dataModel);
    }
  }
});

t.test('old C', async t => {
  const { ir, warnings } = await compiled(`
    extern void exit();
    static counter;
    implicit(a, b) int a; char *b; { return a; }
    void *pointer(void) { return 5; }
    int number(char *p) { int i = p; unsigned *q = &i; return i + undeclared(q); }
    void nothing(void) { return 1; }
    int something(void) { return; }
    int main() {
      char *p = malloc(10);
      memcpy(p, "x", 2);
      strlen(p);
      void (*f)(int) = number;
      return counter + abs(-1);
    }
    extern inline int twice(int x) { return 2 * x; }`);
  t.match(ir, 'define dso_local i32 @implicit(');
  t.match(ir, /call (noalias )?ptr @malloc\(i32/);
  t.match(ir, 'call void @llvm.memcpy');
  t.ok(warnings.length > 5, 'but it is warned of');
  for (const warning of warnings) t.match(warning, /^a\.c:\d+:\d+: warning: /);
});

t.test('several files are several modules', async t => {
  const sources = [
    { name: 'a.c', text: '#include "s.h"\nint main(void) { return f(1); }\n#warning first' },
    { name: 'b.c', text: '#include "s.h"\nint f(int x) { return x; }\n#warning second' },
  ];
  const { modules, warnings } = await compile(clang, sources, {
    ...PLAIN,
    lookUp: lookUpIn({ 's.h': 'int f(int);' }),
  });
  t.same(
    modules.map(m => m.name),
    ['a.c', 'b.c'],
  );
  t.match(modules[0].text, 'define dso_local i32 @main');
  t.match(modules[1].text, 'define dso_local i32 @f');
  t.equal(warnings.length, 2);
  const wrong = sources.map(s => ({ ...s, text: `${s.text}\nint g(void) { return nowhere; }` }));
  const error = await compile(clang, wrong, PLAIN).catch((e: CompileError) => e);
  t.same(
    (error as CompileError).errors.map(e => e.file),
    ['a.c', 'b.c'],
  );
});

t.test('names of files', t => {
  for (const name of ['a.c', 'A.C', 'dir.x/b.i']) t.ok(isC(name), name);
  for (const name of ['c', 'a.cc', 'a.h', 'a.c.vmt']) t.notOk(isC(name), name);
  t.end();
});
