/**
 * Functions of the standard library on strings and bytes, as LLVM's intermediate representation: a program that declares one of them and
 * does not define it gets it from here. Where the standard leaves open which number says that one string is greater, it is
 * the difference of the bytes.
 */
import type { Checkpoint } from '../../sat/checkpoint.ts';
import type { FunctionDefinition, Module } from './module.ts';
import { readModule } from './text/reader.ts';

/** The program with what it lacks. */
export function withStrings(module: Module, checkpoint: Checkpoint): Module {
  const isMissing = (name: string) => module.functions.get(name)?.blocks.length === 0;
  const known = [...DEFINITIONS.keys()];
  if (!known.some(isMissing)) return module;
  const word = module.pointerWidth === 32 ? 'i32' : 'i64';
  const datalayout = `target datalayout = "e-m:e-p:${module.pointerWidth}:${module.pointerWidth}"\n`;
  const text = [...DEFINITIONS.values()].join('').replaceAll('WORD', word);
  const library = readModule(
    'standard library',
    `${datalayout}declare ptr @malloc(${word})\n${text}`,
    checkpoint,
  );
  const functions = new Map(module.functions);
  const waiting = known.filter(isMissing);
  for (const name of waiting) {
    functions.set(name, library.functions.get(name) as FunctionDefinition);
    for (const needed of NEEDED.get(name) ?? []) {
      if (functions.has(needed)) continue;
      functions.set(needed, library.functions.get(needed) as FunctionDefinition);
      waiting.push(needed);
    }
  }
  return { ...module, functions };
}

/** What functions of the library call. */
const NEEDED: ReadonlyMap<string, readonly string[]> = new Map([
  ['strcat', ['strlen', 'strcpy']],
  ['strncat', ['strlen']],
  ['stpcpy', ['strlen', 'strcpy']],
  ['strdup', ['strlen', 'strcpy', 'malloc']],
]);

const DEFINITIONS: ReadonlyMap<string, string> = new Map([
  [
    'strlen',
    `define WORD @strlen(ptr %s) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  ret WORD %i
}
`,
  ],
  [
    'strnlen',
    `define WORD @strnlen(ptr %s, WORD %n) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %full = icmp uge WORD %i, %n
  br i1 %full, label %done, label %look
look:
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  ret WORD %i
}
`,
  ],
  [
    'strcmp',
    `define i32 @strcmp(ptr %s, ptr %t) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %q = getelementptr i8, ptr %t, WORD %i
  %d = load i8, ptr %q
  %differ = icmp ne i8 %c, %d
  br i1 %differ, label %done, label %same
same:
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  %x = zext i8 %c to i32
  %y = zext i8 %d to i32
  %r = sub i32 %x, %y
  ret i32 %r
}
`,
  ],
  [
    'strncmp',
    `define i32 @strncmp(ptr %s, ptr %t, WORD %n) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %full = icmp uge WORD %i, %n
  br i1 %full, label %equal, label %look
look:
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %q = getelementptr i8, ptr %t, WORD %i
  %d = load i8, ptr %q
  %differ = icmp ne i8 %c, %d
  br i1 %differ, label %done, label %same
same:
  %end = icmp eq i8 %c, 0
  br i1 %end, label %equal, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  %x = zext i8 %c to i32
  %y = zext i8 %d to i32
  %r = sub i32 %x, %y
  ret i32 %r
equal:
  ret i32 0
}
`,
  ],
  ['memcmp', comparison('memcmp')],
  ['bcmp', comparison('bcmp')],
  [
    'strcpy',
    `define ptr @strcpy(ptr %t, ptr %s) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %q = getelementptr i8, ptr %t, WORD %i
  store i8 %c, ptr %q
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  ret ptr %t
}
`,
  ],
  [
    'strncpy',
    `define ptr @strncpy(ptr %t, ptr %s, WORD %n) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %full = icmp uge WORD %i, %n
  br i1 %full, label %done, label %copy
copy:
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %end = icmp eq i8 %c, 0
  br i1 %end, label %fill, label %next
next:
  %q = getelementptr i8, ptr %t, WORD %i
  store i8 %c, ptr %q
  %j = add WORD %i, 1
  br label %loop
fill:
  %k = phi WORD [ %i, %copy ], [ %l, %zero ]
  %filled = icmp uge WORD %k, %n
  br i1 %filled, label %done, label %zero
zero:
  %z = getelementptr i8, ptr %t, WORD %k
  store i8 0, ptr %z
  %l = add WORD %k, 1
  br label %fill
done:
  ret ptr %t
}
`,
  ],
  [
    'strcat',
    `define ptr @strcat(ptr %t, ptr %s) {
  %n = call WORD @strlen(ptr %t)
  %end = getelementptr i8, ptr %t, WORD %n
  %copy = call ptr @strcpy(ptr %end, ptr %s)
  ret ptr %t
}
`,
  ],
  [
    'strncat',
    `define ptr @strncat(ptr %t, ptr %s, WORD %n) {
start:
  %m = call WORD @strlen(ptr %t)
  %last = getelementptr i8, ptr %t, WORD %m
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %q = getelementptr i8, ptr %last, WORD %i
  %full = icmp uge WORD %i, %n
  br i1 %full, label %done, label %copy
copy:
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  store i8 %c, ptr %q
  %j = add WORD %i, 1
  br label %loop
done:
  store i8 0, ptr %q
  ret ptr %t
}
`,
  ],
  [
    'stpcpy',
    `define ptr @stpcpy(ptr %t, ptr %s) {
  %n = call WORD @strlen(ptr %s)
  %copy = call ptr @strcpy(ptr %t, ptr %s)
  %end = getelementptr i8, ptr %t, WORD %n
  ret ptr %end
}
`,
  ],
  [
    'strdup',
    `define ptr @strdup(ptr %s) {
  %n = call WORD @strlen(ptr %s)
  %size = add WORD %n, 1
  %t = call ptr @malloc(WORD %size)
  %copy = call ptr @strcpy(ptr %t, ptr %s)
  ret ptr %t
}
`,
  ],
  [
    'strchr',
    `define ptr @strchr(ptr %s, i32 %n) {
start:
  %wanted = trunc i32 %n to i8
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %found = icmp eq i8 %c, %wanted
  br i1 %found, label %there, label %look
look:
  %end = icmp eq i8 %c, 0
  br i1 %end, label %nowhere, label %next
next:
  %j = add WORD %i, 1
  br label %loop
there:
  ret ptr %p
nowhere:
  ret ptr null
}
`,
  ],
  [
    'strrchr',
    `define ptr @strrchr(ptr %s, i32 %n) {
start:
  %wanted = trunc i32 %n to i8
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %last = phi ptr [ null, %start ], [ %now, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %found = icmp eq i8 %c, %wanted
  %now = select i1 %found, ptr %p, ptr %last
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  ret ptr %now
}
`,
  ],
  [
    'memchr',
    `define ptr @memchr(ptr %s, i32 %n, WORD %size) {
start:
  %wanted = trunc i32 %n to i8
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %full = icmp uge WORD %i, %size
  br i1 %full, label %nowhere, label %look
look:
  %c = load i8, ptr %p
  %found = icmp eq i8 %c, %wanted
  br i1 %found, label %there, label %next
next:
  %j = add WORD %i, 1
  br label %loop
there:
  ret ptr %p
nowhere:
  ret ptr null
}
`,
  ],
  ['strspn', span('strspn', 'label %next', 'label %done')],
  ['strcspn', span('strcspn', 'label %done', 'label %next')],
]);

function comparison(name: string): string {
  return `define i32 @${name}(ptr %s, ptr %t, WORD %n) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %full = icmp uge WORD %i, %n
  br i1 %full, label %equal, label %look
look:
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %q = getelementptr i8, ptr %t, WORD %i
  %d = load i8, ptr %q
  %differ = icmp ne i8 %c, %d
  br i1 %differ, label %done, label %next
next:
  %j = add WORD %i, 1
  br label %loop
done:
  %x = zext i8 %c to i32
  %y = zext i8 %d to i32
  %r = sub i32 %x, %y
  ret i32 %r
equal:
  ret i32 0
}
`;
}

/** How many bytes at the start are in a set, or are not. */
function span(name: string, ifIn: string, ifOut: string): string {
  return `define WORD @${name}(ptr %s, ptr %set) {
start:
  br label %loop
loop:
  %i = phi WORD [ 0, %start ], [ %j, %next ]
  %p = getelementptr i8, ptr %s, WORD %i
  %c = load i8, ptr %p
  %end = icmp eq i8 %c, 0
  br i1 %end, label %done, label %member
member:
  %k = phi WORD [ 0, %loop ], [ %l, %other ]
  %q = getelementptr i8, ptr %set, WORD %k
  %d = load i8, ptr %q
  %none = icmp eq i8 %d, 0
  br i1 %none, ${ifOut}, label %compare
compare:
  %same = icmp eq i8 %c, %d
  br i1 %same, ${ifIn}, label %other
other:
  %l = add WORD %k, 1
  br label %member
next:
  %j = add WORD %i, 1
  br label %loop
done:
  ret WORD %i
}
`;
}
