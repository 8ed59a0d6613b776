/** The reader of LLVM's textual IR: what it makes of a text, and the error that everything else gets. */
import t from 'tap';
import { InputError } from '../../../src/formats/diagnostic.ts';
import type { Constant, Instruction, Module, Type } from '../../../src/formats/llvm/module.ts';
import { readModule } from '../../../src/formats/llvm/text/reader.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';

const read = (text: string): Module => readModule('f.ll', text, new Checkpoint());

const VOID: Type = { kind: 'void' };
const PTR: Type = { kind: 'pointer' };
const int = (width: number): Type => ({ kind: 'int', width });
const I1 = int(1);
const I8 = int(8);
const I32 = int(32);

const local = (name: string, type: Type) => ({ kind: 'local', name, type });
const integer = (value: number, type: Type) => ({ kind: 'integer', value: BigInt(value), type });
const global = (name: string) => ({ kind: 'global', name, type: PTR });

/** The instructions of the first block of the function that is the whole text. */
function instructions(body: string, parameters = '', result = 'void'): readonly Instruction[] {
  const text = `${DECLARATIONS}define ${result} @f(${parameters}) {\nentry:\n${body}\n}\n`;
  return read(text).functions.get('f')?.blocks[0]?.instructions ?? [];
}

const DECLARATIONS = `%s = type { i32, [4 x i8] }
@g = global i32 0
declare i32 @callee(i32, ...)
declare void @none()
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
`;

/** The value of a global of this type. */
function constant(type: string, value: string): Constant | undefined {
  return read(`@x = global ${type} ${value}\n@y = global i32 0\n`).variables.get('x')?.initializer;
}

t.test('instructions that compute', t => {
  const b = local('b', I32);
  const a = local('a', I32);
  const p = local('p', PTR);
  const cases: readonly (readonly [string, object])[] = [
    ['add nsw nuw i32 %a, %b', { op: 'binary', operator: 'add', a, b }],
    ['or disjoint i32 %a, -8', { op: 'binary', operator: 'or', a, b: integer(-8, I32) }],
    ['sdiv exact i32 %a, 3, !dbg !9', { op: 'binary', operator: 'sdiv', a, b: integer(3, I32) }],
    ['icmp samesign ult i32 %a, %b', { op: 'icmp', predicate: 'ult', a, b }],
    ['icmp eq ptr %p, null', { op: 'icmp', predicate: 'eq', a: p, b: { kind: 'null', type: PTR } }],
    ['zext nneg i32 %a to i64', { op: 'cast', operator: 'zext', value: a, type: int(64) }],
    ['trunc nuw nsw i32 %a to i8', { op: 'cast', operator: 'trunc', value: a, type: I8 }],
    ['ptrtoint ptr %p to i32', { op: 'cast', operator: 'ptrtoint', value: p, type: I32 }],
    ['ptrtoaddr ptr %p to i32', { op: 'cast', operator: 'ptrtoint', value: p, type: I32 }],
    ['bitcast i32 %a to float', { op: 'cast', operator: 'bitcast', value: a }],
    ['select i1 true, i32 %a, i32 %b', { op: 'select', condition: integer(1, I1), a, b }],
    ['freeze i32 %a', { op: 'freeze', value: a }],
    ['va_arg ptr %p, i32', { op: 'va_arg', list: p, type: I32 }],
    ['load volatile i32, ptr %p, align 4', { op: 'load', pointer: p, type: I32 }],
    ['load i32, i32* %p', { op: 'load', pointer: p, type: I32 }],
    ['alloca i32, align 4', { op: 'alloca', allocated: I32, count: integer(1, I32) }],
    ['alloca i8, i32 %a, align 16, addrspace(0)', { op: 'alloca', allocated: I8, count: a }],
  ];
  for (const [text, wanted] of cases) {
    const [read] = instructions(`%x = ${text}\nret void`, 'i32 %a, i32 %b, ptr %p');
    t.match(read, { result: 'x', ...wanted }, text);
  }
  t.end();
});

t.test('floating point, aggregates and addresses', t => {
  const DOUBLE = { kind: 'float', name: 'double' };
  const d = local('d', DOUBLE as Type);
  const pair = { kind: 'struct', name: undefined, fields: [I32, I1], isPacked: false };
  const s = { kind: 'struct', name: 's', fields: [I32, { kind: 'array', count: 4, element: I8 }] };
  const cases: readonly (readonly [string, object])[] = [
    ['fadd fast double %d, 1.5e+00', { op: 'float', operator: 'fadd', type: DOUBLE }],
    ['fneg nnan double %d', { op: 'float', operator: 'fneg', operands: [d] }],
    ['fcmp nnan olt double %d, 0x3FF0000000000000', { op: 'float', operator: 'fcmp olt', type: I1 }],
    ['fptosi double %d to i32', { op: 'cast', operator: 'fptosi', type: I32 }],
    ['uitofp nneg i32 1 to double', { op: 'cast', operator: 'uitofp', type: DOUBLE }],
    ['extractvalue { i32, i1 } %v, 1', { op: 'extractvalue', indices: [1], type: I1 }],
    [
      'insertvalue { i32, i1 } undef, i32 5, 0',
      { op: 'insertvalue', value: { kind: 'undefined', type: pair }, element: integer(5, I32), indices: [0] },
    ],
    ['extractvalue %s zeroinitializer, 1, 3', { op: 'extractvalue', indices: [1, 3], type: I8 }],
    [
      'getelementptr inbounds nuw %s, ptr @g, i32 0, i32 1, i32 2',
      { op: 'gep', sourceType: s, base: global('g'), indices: [0, 1, 2].map(i => integer(i, I32)) },
    ],
    ['getelementptr i8, ptr @g, !dbg !1', { op: 'gep', sourceType: I8, indices: [] }],
  ];
  for (const [text, wanted] of cases) {
    const [read] = instructions(`%x = ${text}\nret void`, 'double %d, { i32, i1 } %v');
    t.match(read, { result: 'x', ...wanted }, text);
  }
  t.end();
});

t.test('stores and calls', t => {
  const [store, call, variadic, direct, asm, clear] = instructions(
    `store volatile i32 7, ptr @g, align 4
  %r = call noundef i32 %p(i32 noundef signext 1, ptr nonnull align 4 dereferenceable(4) @g) #3 [ "x"(i32 1) ]
  %v = tail call range(i32 0, 5) i32 (i32, ...) @callee(i32 1, double 0.000000e+00) nounwind "k"="v"
  notail call fastcc void @none() #1
  %y = call i32 asm sideeffect "mov $1, $0", "=r,r,~{memory}"(i32 1) #2
  call void @llvm.memset.p0.i32(ptr align 4 %p, i8 0, i32 12, i1 false), !annotation !{!"auto-init"}
  ret void`,
    'ptr %p',
  );
  const p = local('p', PTR);
  t.match(store, { op: 'store', value: integer(7, I32), pointer: global('g'), isUninitialized: false });
  t.match(call, { op: 'call', result: 'r', callee: p, args: [integer(1, I32), global('g')] });
  t.match(call, { type: { result: I32, parameters: [I32, PTR], isVariadic: false } });
  t.match(variadic, { result: 'v', callee: global('callee'), type: { parameters: [I32], isVariadic: true } });
  t.match(direct, { result: undefined, callee: global('none'), args: [], type: { result: VOID } });
  t.match(asm, { result: 'y', callee: 'asm', args: [integer(1, I32)] });
  t.match(clear, {
    op: 'call',
    isUninitialized: true,
    args: [p, integer(0, I8), integer(12, I32), integer(0, I1)],
  });
  t.end();
});

t.test('control', t => {
  const { functions } = read(`define i32 @f(i32 noundef %x, i1 %c) #0 {
  switch i32 %x, label %d [
    i32 -1, label %a
    i32 4294967295, label %b ; a comment
  ], !dbg !1

a:                                                ; preds = %0
  br i1 %c, label %b, label %d, !llvm.loop !2
b:
  %p = phi i32 [ 1, %a ], [ %x, %0 ], !dbg !3
  br label %d
d:
  indirectbr ptr blockaddress(@f, %a), [label %a, label %b]
"e e":
  ret i32 %x
u:
  unreachable
}`);
  const f = functions.get('f');
  t.same(f?.parameters, ['x', 'c']);
  t.same(
    f?.blocks.map(b => b.name),
    ['0', 'a', 'b', 'd', 'e e', 'u'],
  );
  const last = f?.blocks.map(b => b.instructions.at(-1)) ?? [];
  const cases = [
    { value: -1n, target: 'a' },
    { value: 4294967295n, target: 'b' },
  ];
  t.match(last[0], { op: 'switch', value: local('x', I32), default: 'd', cases });
  t.match(last[1], { op: 'condbr', condition: local('c', I1), ifTrue: 'b', ifFalse: 'd' });
  t.match(last[2], { op: 'br', target: 'd' });
  t.match(last[3], { op: 'indirectbr', targets: ['a', 'b'] });
  t.match(last[3], { address: { kind: 'blockaddress', function: 'f', block: 'a' } });
  t.match(last[4], { op: 'ret', value: local('x', I32) });
  t.match(last[5], { op: 'unreachable' });
  t.match(f?.blocks[2]?.instructions[0], {
    op: 'phi',
    type: I32,
    incoming: [
      { value: integer(1, I32), block: 'a' },
      { value: local('x', I32), block: '0' },
    ],
  });
  t.end();
});

t.test('what has no name is numbered as LLVM does', t => {
  const { functions } = read(`define i32 @f(i32, ptr %p, i32) {
  %4 = load i32, ptr %p
  call i32 @f(i32 %4, ptr %p, i32 %0)
  br label %6
6:
  %7 = add i32 %5, %1
  ret i32 %7
  br label %6
}
define void @g(i32 %"1", i32) {
  %x = add i32 %"1", %0
  ret void
}
declare void @h(i32, ptr captures(none) %x)`);
  const f = functions.get('f');
  t.same(f?.parameters, ['0', 'p', '1']);
  t.same(
    f?.blocks.map(b => b.name),
    ['2', '6', '8'],
    'a block begins after every jump',
  );
  t.same(
    f?.blocks.flatMap(b => b.instructions.flatMap(i => ('result' in i ? [i.result] : []))),
    ['4', '5', '7'],
    'a call without a name has a number, if it has a result',
  );
  t.same(functions.get('g')?.parameters, ['"1"', '0'], 'digits in quotes are a name');
  t.same(functions.get('h')?.parameters, ['0', 'x']);
  t.end();
});

t.test('types', t => {
  const { variables } = read(`%a = type { i32, ptr, %b }
%b = type <{ i8, [2 x %c] }>
%c = type {}
%"o p" = type opaque
@a = external global %a
@a2 = external global [2 x %a]
@o = external global %"o p"
@l = external global { i32, <{ float, x86_fp80 }>, [0 x i8] }
@l2 = external global { i32, <{ float, x86_fp80 }>, [0 x i8] }
@p = external global i32 (i8*, ...)*
@v = external global <4 x i32>
@old = external global %a**
@far = external global ptr addrspace(1)
@wide = external global i128`);
  const type = (name: string) => variables.get(name)?.type;
  const c = { kind: 'struct', name: 'c', fields: [], isPacked: false };
  const b = {
    kind: 'struct',
    name: 'b',
    fields: [I8, { kind: 'array', count: 2, element: c }],
    isPacked: true,
  };
  t.same(type('a'), { kind: 'struct', name: 'a', fields: [I32, PTR, b], isPacked: false });
  t.equal((type('a2') as Type & { kind: 'array' }).element, type('a'), 'a named type is one object');
  t.same(type('o'), { kind: 'opaque', name: 'o p' });
  t.match(type('l'), { kind: 'struct', name: undefined, fields: [I32, { isPacked: true }, { count: 0 }] });
  t.equal(type('l'), type('l2'), 'and so are others');
  for (const name of ['p', 'old', 'far']) t.same(type(name), PTR);
  t.same(type('v'), { kind: 'vector', count: 4, element: I32 });
  t.same(type('wide'), int(128));
  t.end();
});

t.test('constants', t => {
  const cases: readonly (readonly [type: string, value: string, wanted: object])[] = [
    ['i32', '-5', { kind: 'integer', value: -5n }],
    ['i1', 'true', { kind: 'integer', value: 1n }],
    ['i64', '18446744073709551615', { kind: 'integer', value: 2n ** 64n - 1n }],
    ['i128', '-1267650600228229401496703205383', { kind: 'integer', value: -(2n ** 100n) - 7n }],
    ['double', '1.500000e+00', { kind: 'float', text: '1.500000e+00' }],
    ['double', '0x3FB999999999999A', { kind: 'float', text: '0x3FB999999999999A' }],
    ['x86_fp80', '0xK3FFF8000000000000000', { kind: 'float', text: '0xK3FFF8000000000000000' }],
    ['ptr', 'null', { kind: 'null' }],
    ['[9 x i32]', 'zeroinitializer', { kind: 'zero' }],
    ['i32', 'undef', { kind: 'undefined' }],
    ['i32', 'poison', { kind: 'undefined' }],
    ['ptr', '@y', { kind: 'global', name: 'y' }],
    ['[6 x i8]', 'c"a\\00\\22\\\\\\FF;"', { kind: 'bytes', bytes: new Uint8Array([97, 0, 34, 92, 255, 59]) }],
    [
      '[2 x i8]',
      '[i8 1, i8 undef]',
      { kind: 'aggregate', elements: [integer(1, I8), { kind: 'undefined' }] },
    ],
    ['{ i8, i1 }', '{ i8 1, i1 0 }', { kind: 'aggregate', elements: [integer(1, I8), integer(0, I1)] }],
    ['<{ i8 }>', '<{ i8 1 }>', { kind: 'aggregate', elements: [integer(1, I8)] }],
    ['<2 x i8>', '<i8 1, i8 2>', { kind: 'aggregate', elements: [integer(1, I8), integer(2, I8)] }],
    ['<2 x i8>', 'splat (i8 1)', { kind: 'aggregate', elements: [integer(1, I8), integer(1, I8)] }],
    ['{}', '{}', { kind: 'aggregate', elements: [] }],
    [
      'ptr',
      'getelementptr inbounds nuw ([4 x i32], ptr @y, i32 0, i32 2)',
      {
        kind: 'expression',
        operator: 'getelementptr',
        operands: [global('y'), integer(0, I32), integer(2, I32)],
        sourceType: { kind: 'array', count: 4, element: I32 },
      },
    ],
    [
      'ptr',
      'getelementptr inbounds inrange(-16, 16) (i8, ptr @y, i32 1)',
      { operator: 'getelementptr', operands: [global('y'), integer(1, I32)], sourceType: I8 },
    ],
    ['ptr', 'getelementptr (i8, i8* @y, inrange i32 1)', { operands: [global('y'), integer(1, I32)] }],
    [
      'i32',
      'ptrtoint (ptr @y to i32)',
      { operator: 'ptrtoint', operands: [global('y')], sourceType: undefined },
    ],
    [
      'i32',
      'sub nsw (i32 ptrtoint (ptr @y to i32), i32 3)',
      { operator: 'sub', operands: [{ operator: 'ptrtoint' }, integer(3, I32)], type: I32 },
    ],
    ['i1', 'icmp eq (ptr @y, ptr null)', { operator: 'icmp eq', operands: [global('y'), { kind: 'null' }] }],
  ];
  for (const [type, value, wanted] of cases) t.match(constant(type, value), wanted, `${type} ${value}`);
  t.end();
});

t.test('globals', t => {
  const { variables, functions, pointerWidth } = read(`; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-p:32:32-p270:32:32-i64:64-n8:16:32-S128"
target triple = "i386-unknown-linux-gnu"
module asm ".globl x"
$cd = comdat any
@.str = private unnamed_addr constant [2 x i8] c"a\\00", align 1
@t = thread_local(initialexec) global i32 1, section ".x", comdat($cd), align 4, !dbg !0
@e = external dso_local local_unnamed_addr global [0 x i32], align 4 #0
@w = extern_weak hidden global i32
@c = common dso_local global i32 0, no_sanitize_address
@"a\\C3\\A9\\22" = internal global ptr @al, partition "p"
@llvm.used = appending global [1 x ptr] [ptr @al2], section "llvm.metadata"
@al = weak dso_local alias i32, ptr @al2
@al2 = alias i32, ptr @t, partition "p"
@fa = alias void (), ptr @f
attributes #0 = {
  nounwind "x"="{" }
declare !dbg !5 void @f(i32 noundef signext, ptr byval(i32) align 4, ...) unnamed_addr #0 section "y" align 16
define internal fastcc zeroext i8 @g(ptr noalias sret(i64) align 8 %r, ptr byval([2 x i8]) %c) personality ptr @f !dbg !6 {
  call void @fa()
  ret i8 0
}
uselistorder ptr @t, { 1, 0 }
!llvm.ident = !{!7}
^0 = module: (path: "x")
!7 = !{!"clang version 22"}`);
  t.equal(pointerWidth, 32);
  t.same([...variables.keys()], ['.str', 't', 'e', 'w', 'c', 'aé"', 'llvm.used']);
  t.same([...functions.keys()], ['f', 'g']);
  t.match(variables.get('.str'), { isConstant: true, type: { count: 2 }, initializer: { kind: 'bytes' } });
  t.match(variables.get('t'), { isConstant: false, initializer: integer(1, I32), debug: undefined });
  t.equal(variables.get('e')?.initializer, undefined);
  t.equal(variables.get('w')?.initializer, undefined);
  t.match(variables.get('aé"')?.initializer, global('t'), 'an alias is what it stands for');
  t.match(variables.get('llvm.used')?.initializer, { elements: [global('t')] });
  const f = functions.get('f');
  t.match(f, { blocks: [], copied: [undefined, I32], parameters: ['0', '1'] });
  t.match(f?.type, { result: VOID, parameters: [I32, PTR], isVariadic: true });
  const g = functions.get('g');
  t.match(g, { parameters: ['r', 'c'], copied: [undefined, { count: 2 }], type: { result: I8 } });
  t.match(g?.blocks[0]?.instructions[0], { callee: global('f') });
  t.equal(read('').pointerWidth, 64, 'unless it says otherwise');
  t.equal(read('target datalayout = "e-p0:64:64"').pointerWidth, 64);
  t.end();
});

t.test('instructions outside of what can be treated are kept by name', t => {
  const body = `
  %a = atomicrmw add ptr @g, i32 1 seq_cst, align 4
  %b = cmpxchg ptr @g, i32 1, i32 2 acq_rel monotonic
  fence syncscope("x") release
  %c = load atomic i32, ptr @g seq_cst, align 4
  store atomic volatile i32 %c, ptr @g release, align 4
  %d = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  %v = add <2 x i32> <i32 1, i32 2>, splat (i32 3)
  %w = extractelement <2 x i32> %v, i32 0
  %cmp = icmp eq <2 x i32> %v, zeroinitializer
  %s = select <2 x i1> %cmp, <2 x i32> %v, <2 x i32> %v
  %q = getelementptr i32, <2 x ptr> zeroinitializer, <2 x i32> %s
  store <2 x ptr> %q, ptr @g
  %i = invoke i32 @callee(i32 %a)
          to label %x unwind label %y`;
  const list = instructions(
    `${body}\nx:\n  callbr void asm "", ""()\n     to label %y [label %x]\ny:\n ret void`,
  );
  t.same(
    list.map(i => [i.op === 'unsupported' ? i.name : i.op, 'result' in i ? i.result : undefined]),
    [
      ['atomicrmw', 'a'],
      ['cmpxchg', 'b'],
      ['fence', undefined],
      ['load atomic', 'c'],
      ['store atomic', undefined],
      ['landingpad', 'd'],
      ['binary of a vector', 'v'],
      ['extractelement', 'w'],
      ['icmp of a vector', 'cmp'],
      ['select of a vector', 's'],
      ['gep of a vector', 'q'],
      ['store of a vector', undefined],
      ['invoke', 'i'],
    ],
  );
  const vector = read('define <2 x i8> @f() {\n  ret <2 x i8> undef\nb:\n  resume i32 1\n}').functions.get(
    'f',
  );
  t.match(
    vector?.blocks.map(b => b.instructions),
    [[{ name: 'ret of a vector' }], [{ name: 'resume' }]],
  );
  t.end();
});

/** In each text a bar stands before where the error is. */
const ERRORS: readonly (readonly [text: string, reason: string])[] = [
  ['|frobnicate', "expected a definition, found 'frobnicate'"],
  ['target |foo = "x"', "expected 'triple', found 'foo'"],
  ['target datalayout = |"E-p:32:32"', 'a target with the highest byte first is not supported'],
  ['target datalayout = |"e-p:16:16"', 'pointers of 16 bits are not supported'],
  ['source_filename = "a"\n\n  |@', "expected a name after '@'"],
  ['@a = global i32 |', 'expected a value, found the end of the file'],
  ['@a = global |"unclosed', "the string opened here is never closed: expected '\"'"],
  ['@a = global |bfloat 1.0', 'the type bfloat is not supported'],
  ['@a = global <|vscale x 2 x i8> undef', 'vectors of unknown length are not supported'],
  ['@a = global |i99999999 0', "expected a type, found 'i99999999'"],
  ['@a = global |void undef', 'a value may not be of type void'],
  ['@a = global i8 |256', '256 does not fit into i8'],
  ['@a = global i8 |-129', '-129 does not fit into i8'],
  ['@a = global i64 |18446744073709551616', '18446744073709551616 does not fit into i64'],
  ['@a = global i8 |null', "expected a value of type i8, found 'null'"],
  ['@a = global ptr |1', "expected a value of type ptr, found '1'"],
  ['@a = global i32 |%x', "expected a value, found '%x'"],
  ['@a = global [2 x i8] |c"abc"', 'the string has 3 bytes, but its type 2'],
  ['@a = global [2 x i8] |[i8 1]', 'this constant has 1 elements, but its type 2'],
  ['@a = global [2 x i8] [i8 1, |i32 1]', 'expected an element of type i8'],
  ['@a = global { i8 } |<{ i8 1 }>', 'this constant is not of the type { i8 }'],
  ['@a = global ptr |dso_local_equivalent @a', "the constant 'dso_local_equivalent' is not supported"],
  ['@a = global ptr |ptrauth (ptr @a, i32 0)', "the constant 'ptrauth' is not supported"],
  ['@a = global i32 |add (i32 1)', 'add has 2 operands'],
  ['@a = global i32 |trunc (i8 1 to i32)', 'there is no trunc from i8 to i32'],
  ['@a = global ptr |getelementptr ({ i8 }, ptr @a, i32 0, i32 1)', '{ i8 } has no such element'],
  ['@a = global ptr |@b', '@b is not defined'],
  ['@a = global i32 0\n|@a = global i32 0', '@a is defined a second time'],
  ['@a = global i32 0 |=', "expected the end of the line, found '='"],
  ['@a = |externally_initialized global i32 0', 'externally_initialized is not supported'],
  ['@a = |ifunc i32 (), ptr @b', '@a is an ifunc, which is not supported'],
  [
    '@b = global i32 0\n@a = alias i32, |ptr getelementptr (i8, ptr @b, i32 1)',
    'the alias @a is not supported: it is not the name of a global',
  ],
  ['@a = alias i32, |ptr @b\n@b = alias i32, ptr @a', 'the alias @a stands for itself'],
  ['@a = alias i32, |ptr @b', '@b is not defined'],
  ['@a = global |%t zeroinitializer', 'the type %t is not defined'],
  ['|%t = type { i32, [2 x %t] }', '%t holds itself'],
  ['%t = type opaque\n|%t = type opaque', '%t is defined a second time'],
  ['%t = type |i32', "expected a struct or opaque, found 'i32'"],
  ['declare void @f(|void)', 'a parameter may not be void'],
  ['declare void @f(ptr |inalloca(i32))', 'the attribute inalloca is not supported'],
  ['declare void @f() |=', "expected the end of the line, found '='"],
  ['define void |@f() {\n}', 'the function @f has no blocks'],
  ['define void @f() {\n|a:\n}', 'the block a does not end with a jump or a return'],
  ['define void @f() {\na:\n  br label |%b\n}', 'there is no block %b'],
  ['define void @f() {\na:\n  ret void\n|a:\n  ret void\n}', 'the block a is defined a second time'],
  [
    'define void @f() {\n  %x = add i32 1, 2\n  |%x = add i32 1, 2\n  ret void\n}',
    '%x is defined a second time',
  ],
  ['define void @f(i32) {\n  |%0 = add i32 1, 2\n  ret void\n}', 'expected %2 or a larger number, found %0'],
  ['define void @f() {\n  %x = add i32 1, |%y\n  ret void\n}', '%y is not defined'],
  ['define void @f(i8 %y) {\n  %x = add i32 1, |%y\n  ret void\n}', '%y is used as i32, but its type is i8'],
  [
    'define void @f() {\n  %x = add i32 1, |%y\n  %y = add i8 1, 1\n  ret void\n}',
    '%y is used as i32, but its type is i8',
  ],
  ['define void @f() {\n  |foo i32 1\n}', "the instruction 'foo' is not supported"],
  ['define void @f() {\n  |#foo(1)\n}', "expected an instruction, found '#foo'"],
  ['define void @f() {\n  |%x = ret void\n}', 'ret has no result'],
  ['define void @f() {\n  |%x = store i8 0, ptr null\n  ret void\n}', 'store has no result'],
  ['define void @f() {\n  |%x = call void @f()\n  ret void\n}', 'this call has no result'],
  [
    'define void @f() {\n  |call void (i32, ...) @f()\n  ret void\n}',
    'the arguments of this call do not fit its type',
  ],
  ['define void @f() {\n  %x = add |ptr null, null\n  ret void\n}', 'expected an integer'],
  ['define void @f() {\n  %x = icmp |olt i32 1, 2\n  ret void\n}', "expected a comparison, found 'olt'"],
  ['define void @f() {\n  %x = icmp eq |float 1.0, 2.0\n  ret void\n}', 'expected an integer or a pointer'],
  ['define void @f() {\n  %x = load i32, |i32 1\n  ret void\n}', 'expected a pointer'],
  ['define void @f() {\n  %x = zext |i32 1 to i8\n  ret void\n}', 'there is no zext from i32 to i8'],
  ['define void @f() {\n  %x = alloca i32 |i32\n  ret void\n}', "expected the end of the line, found 'i32'"],
  [
    'define void @f() {\n  %x = alloca |inalloca i32\n  ret void\n}',
    'the attribute inalloca is not supported',
  ],
  ['define void @f() {\n  br |i32 1, label %a, label %b\n}', 'expected a condition, of type i1'],
  ['define void @f() {\n  ret |i32 1\n}', 'expected a value of type void'],
  ['define i8 @f() {\n  ret |void\n}', 'expected a value of type i8'],
  ['define void @f() {\n  %x = extractvalue { i8 } undef, |1\n  ret void\n}', '{ i8 } has no element 1'],
  [
    'define void @f() {\n  %x = getelementptr { i8 }, |ptr null, i32 0, i32 1\n  ret void\n}',
    '{ i8 } has no such element',
  ],
  [
    'define void @f() {\n  switch i8 0, label %a [\n    |i32 1, label %a\n  ]\na:\n  ret void\n}',
    'expected a constant of type i8',
  ],
  ['define void @f() {\n  ret void\n}\n@a = global ptr |blockaddress(@f, %a)', '@f has no block %a'],
  ['define void @f() {\n  ret void, |foo\n}', "expected an attachment, found 'foo'"],
  ['define void @f() {\n  ret void, !dbg |foo\n}', "expected metadata, found 'foo'"],
  ['attributes #0 = |{ nounwind', 'the bracket opened here is never closed'],
];

t.test('errors name the file, the line and the column', t => {
  for (const [marked, reason] of ERRORS) {
    const offset = marked.indexOf('|');
    const before = marked.slice(0, offset).split('\n');
    const text = marked.slice(0, offset) + marked.slice(offset + 1);
    const place = `f.ll:${before.length}:${(before.at(-1) as string).length + 1}`;
    t.throws(() => read(text), { name: 'InputError', message: `${place}: ${reason}` }, text);
  }
  t.end();
});

t.test('what is nested too deeply is an error, not the end of the stack', t => {
  const deep = 20_000;
  const texts = [
    `@a = global ${'[1 x '.repeat(deep)}i8`,
    `@a = global ptr ${'getelementptr (i8, ptr '.repeat(deep)}`,
    `define void @f() {\n ret void, !x ${'!{'.repeat(deep)}`,
    `@a = global i8 ${'9'.repeat(deep)}`,
    `${Array.from({ length: deep }, (_, i) => `%t${i} = type { %t${i + 1} }\n`).join('')}%t${deep} = type {}`,
  ];
  for (const text of texts) {
    let error: unknown;
    try {
      read(text);
    } catch (e) {
      error = e;
    }
    t.ok(error instanceof InputError && error.message.length < 200, text.slice(0, 40));
  }
  t.end();
});

t.test('limits are honoured, and the work is linear', t => {
  class Counter extends Checkpoint {
    work = 0;
    override pass(work = 1): void {
      this.work += work;
      super.pass(work);
    }
  }
  const text = (count: number) => {
    const functions: string[] = [];
    const nodes: string[] = ['!0 = !DIFile(filename: "a.c", directory: "")'];
    for (let i = 0; i < count; i++) {
      functions.push(`@g${i} = global ptr @f${count - 1 - i}, align 4
define i32 @f${i}(i32 %x) !dbg !${3 * i + 1} {
  %y = add i32 %x, ${i}, !dbg !${3 * i + 2}
  ret i32 %y, !dbg !${3 * i + 3}
}`);
      nodes.push(`!${3 * i + 1} = distinct !DISubprogram(name: "f${i}", file: !0, line: 1)
!${3 * i + 2} = !DILocation(line: 2, column: 3, scope: !${3 * i + 1})
!${3 * i + 3} = !DILocation(line: 3, column: 3, scope: !${3 * i + 1})`);
    }
    return [...functions, ...nodes].join('\n');
  };
  const work = (count: number) => {
    const counter = new Counter();
    readModule('f.ll', text(count), counter);
    return counter.work;
  };
  const ratio = work(1000) / work(100);
  t.ok(ratio > 9.5 && ratio < 10.5, `ten times as much text is ${ratio} times the work`);
  t.throws(() => readModule('f.ll', text(1000), new Checkpoint({ deadline: 0 })), { name: 'Unknown' });
  t.end();
});
