/** What the reader of LLVM's textual IR takes from debug information: places, variables and the types that the user wrote. */
import t from 'tap';
import type { DebugType, FunctionDefinition, Module } from '../../../src/formats/llvm/module.ts';
import { readModule } from '../../../src/formats/llvm/text/reader.ts';
import { Checkpoint } from '../../../src/sat/checkpoint.ts';

const read = (text: string): Module => readModule('f.ll', text, new Checkpoint());

const f = (text: string): FunctionDefinition => read(text).functions.get('f') as FunctionDefinition;

/** The type of a variable whose type is node 10 of these. */
function typeOf(nodes: string): DebugType | undefined {
  const text = `@x = global i32 0, align 4, !dbg !0
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 4, type: !10, isLocal: false)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3)
!3 = !DIFile(filename: "a.c", directory: "/d", checksumkind: CSK_MD5, checksum: "00")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
${nodes}`;
  return read(text).variables.get('x')?.debug?.type;
}

const INT: DebugType = { kind: 'basic', name: 'int', bits: 32, encoding: 'signed' };

const BODY = `define i32 @f(i32 noundef %n) !dbg !5 {
entry:
  %x = alloca i32, align 4
  %y = alloca i32, align 4
    #dbg_declare(ptr %x, !7, !DIExpression(), !8)
  store i32 0, ptr %x, align 4, !dbg !8, !annotation !9
  store i32 1, ptr %x, align 4, !dbg !11, !annotation !12
    #dbg_declare(ptr %y, !7, !DIExpression(DW_OP_deref), !8)
    #dbg_value(i32 %n, !7, !DIExpression(), !8)
    #dbg_value(!DIArgList(i32 %n, i32 1), !7, !DIExpression(DW_OP_LLVM_arg, 0), !8)
    #dbg_declare(ptr poison, !7, !DIExpression(), !8)
    #dbg_declare(ptr %n.addr, !7, !DIExpression(), !8)
    #dbg_label(!13, !8)
  %s = add i32 %n, 1, !dbg !14
  ret i32 %s, !dbg !99
}
!0 = !DIFile(filename: "b\\C3\\A9.h", directory: "/d")
!3 = !DIFile(filename: "a.c", directory: "/d")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized)
!6 = distinct !DILexicalBlock(scope: !5, line: 5, column: 2)
!7 = !DILocalVariable(name: "x", scope: !6, file: !3, line: 7, type: !4)
!8 = !DILocation(line: 7, column: 9, scope: !6)
!9 = !{!"auto-init"}
!11 = !DILocation(line: 1, column: 2, scope: !15, inlinedAt: !8)
!12 = !{!"something else"}
!13 = !DILabel(scope: !6, name: "l", file: !3, line: 8)
!14 = !DILocation(line: 0, scope: !6)
!15 = !DILexicalBlockFile(scope: !6, file: !0, discriminator: 0)
`;

t.test('places and variables', t => {
  const { blocks, place, variables } = f(BODY);
  const instructions = blocks[0]?.instructions ?? [];
  t.same(place, { file: 'a.c', line: 3, column: 1 }, 'a function has a line only');
  t.same(variables, [
    {
      ...{ address: 'x', name: 'x', type: INT, place: { file: 'a.c', line: 7, column: 9 } },
      scope: { parent: { parent: undefined } }, // a block of the function
    },
  ]);
  t.same(
    instructions.map(i => i.place),
    [
      undefined,
      undefined,
      { file: 'a.c', line: 7, column: 9 },
      { file: 'bé.h', line: 1, column: 2 },
      undefined, // made by the compiler
      undefined, // not there
    ],
  );
  t.match(instructions.slice(2, 4), [
    { op: 'store', isUninitialized: true },
    { op: 'store', isUninitialized: false },
  ]);
  t.end();
});

t.test('the same in the calls of older versions', t => {
  const { blocks, variables } = f(
    `declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare i64 @llvm.read_register.i64(metadata)
${BODY.replace(/^ *#dbg_declare\(ptr (poison|%n).*\n| *#dbg_label.*\n/gm, '')
  .replaceAll(
    /#dbg_(\w+)\(([^!].*), (!7), (!DIExpression\(.*?\)), !8\)/g,
    (_, kind, value, variable, expression) => {
      return `  call void @llvm.dbg.${kind}(metadata ${value}, metadata ${variable}, metadata ${expression}) #2, !dbg !8`;
    },
  )
  .replace(/^ *#dbg.*\n/gm, '  %r = call i64 @llvm.read_register.i64(metadata !12)\n')}`,
  );
  t.same(variables, [
    {
      ...{ address: 'x', name: 'x', type: INT, place: { file: 'a.c', line: 7, column: 9 } },
      scope: { parent: { parent: undefined } }, // a block of the function
    },
  ]);
  t.same(
    blocks[0]?.instructions.map(i => i.op),
    ['alloca', 'alloca', 'store', 'store', 'call', 'binary', 'ret'],
    'they are no instructions',
  );
  t.end();
});

t.test('arguments that are copies are variables too', t => {
  const { variables } = f(`define void @f(ptr byval(i32) %x, ptr %y) {
    #dbg_declare(ptr %x, !7, !DIExpression(), !8)
    #dbg_declare(ptr %y, !7, !DIExpression(), !8)
  ret void
}
!7 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !3, line: 7)
!8 = !{}
!3 = !DIFile(filename: "a.c", directory: "/d")`);
  t.same(variables, [
    { address: 'x', name: 'x', type: undefined, place: { file: 'a.c', line: 7, column: 1 } },
  ]);
  t.end();
});

t.test('loops, and what functions return', t => {
  const module = read(`define void @f() !dbg !5 {
a:
  br label %b
b:
  br i1 true, label %b, label %c, !llvm.loop !20
c:
  br label %b, !llvm.loop !21
}
declare !dbg !6 i32 @g()
declare !dbg !7 void @h()
!3 = !DIFile(filename: "a.c", directory: "/d")
!5 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1)
!6 = !DISubprogram(name: "g", scope: !3, file: !3, line: 2, type: !30)
!7 = !DISubprogram(name: "h", scope: !3, file: !3, line: 2, type: !31)
!8 = distinct !DILexicalBlock(scope: !5, file: !3, line: 3, column: 2)
!20 = distinct !{!20, !22, !23, !24}
!21 = distinct !{!21, !24}
!22 = !DILocation(line: 4, column: 6, scope: !8)
!23 = !DILocation(line: 5, column: 7, scope: !8)
!24 = !{!"llvm.loop.mustprogress"}
!30 = !DISubroutineType(types: !32)
!31 = !DISubroutineType(types: !33)
!32 = !{!34}
!33 = !{null}
!34 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`);
  const jumps = module.functions.get('f')?.blocks.map(b => b.instructions[0]);
  t.same(
    jumps?.map(j => ('loop' in j ? j.loop?.place : undefined)),
    [undefined, { file: 'a.c', line: 4, column: 6 }, undefined],
    'where the statement begins, if that is told',
  );
  t.equal(module.functions.get('g')?.returns?.kind, 'basic');
  t.equal(module.functions.get('h')?.returns, undefined);
  t.end();
});

t.test('globals', t => {
  const { variables } = read(`@x = global i32 0, !dbg !0, !dbg !9
@y = global i32 0, !dbg !5
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "the x", scope: !3, file: !3, line: 4)
!3 = !DIFile(filename: "a.c", directory: "/d")
!5 = !{}`);
  t.same(variables.get('x')?.debug, {
    name: 'the x',
    type: undefined,
    place: { file: 'a.c', line: 4, column: 1 },
  });
  t.equal(variables.get('y')?.debug, undefined);
  t.end();
});

t.test('basic types', t => {
  const cases: readonly (readonly [string, DebugType | undefined])[] = [
    ['!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)', INT],
    ...(
      [
        ['char', 'signed_char', 'char'],
        ['char', 'unsigned_char', 'char'],
        ['unsigned char', 'unsigned_char', 'unsigned'],
        ['signed char', 'signed_char', 'signed'],
        ['_Bool', 'boolean', 'boolean'],
      ] as const
    ).map(([name, written, encoding]): readonly [string, DebugType] => [
      `!DIBasicType(name: "${name}", size: 8, encoding: DW_ATE_${written})`,
      { kind: 'basic', name, bits: 8, encoding },
    ]),
    ['!DIBasicType(name: "complex", size: 128, encoding: DW_ATE_complex_float)', undefined],
    ['!DIDerivedType(tag: DW_TAG_const_type, baseType: !4)', INT],
    ['!DIDerivedType(tag: DW_TAG_volatile_type, baseType: !10)', undefined], // a circle
    ['!DIDerivedType(tag: DW_TAG_member, baseType: !4)', undefined],
    ['!DISubroutineType(types: !{null, !4})', { kind: 'function' }],
    ['!{!4}', undefined],
  ];
  for (const [text, wanted] of cases) t.same(typeOf(`!10 = ${text}`), wanted, text);
  t.equal(typeOf(''), undefined);
  t.end();
});

t.test('types made of others', t => {
  const struct =
    typeOf(`!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "node_t", file: !3, line: 1, baseType: !11)
!11 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 1, size: 96, elements: !12)
!12 = !{!13, !14, !15, !16}
!13 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !11, file: !3, line: 1, baseType: !17, size: 32)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "f", baseType: !4, size: 3, offset: 32, flags: DIFlagBitField, extraData: i64 32)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "u", baseType: !18, size: 32, offset: 64)
!16 = distinct !DISubprogram(name: "not a member")
!17 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 32)
!18 = distinct !DICompositeType(tag: DW_TAG_union_type, size: 32, elements: !{})`);
  t.match(struct, { kind: 'typedef', name: 'node_t' });
  const node = (struct as DebugType & { kind: 'typedef' }).of();
  t.match(node, { kind: 'struct', name: 'node', bits: 96 });
  const members = (node as DebugType & { kind: 'struct' }).members();
  t.match(members, [
    { name: 'next', offset: 0, bits: 32, type: { kind: 'pointer' } },
    { name: 'f', offset: 32, bits: 3, type: INT },
    { name: 'u', offset: 64, bits: 32, type: { kind: 'union', name: '' } },
  ]);
  t.equal((members[0].type as DebugType & { kind: 'pointer' }).to(), node, 'a circle is one');

  const pointer = typeOf('!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 32)');
  t.equal((pointer as DebugType & { kind: 'pointer' }).to(), undefined, 'to void');
  t.end();
});

t.test('arrays and enumerations', t => {
  const array = typeOf(`!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 192, elements: !11)
!11 = !{!12, !13, !14, !15}
!12 = !DISubrange(count: 2)
!13 = !DISubrange(lowerBound: 1, upperBound: 3)
!14 = !DISubrange(count: !16)
!15 = !DISubrange(count: -1)`);
  const counts: (number | undefined)[] = [];
  let type = array;
  for (; type?.kind === 'array'; type = type.element()) counts.push(type.count);
  t.same(counts, [2, 3, undefined, undefined]);
  t.same(type, INT);

  const enumeration = (rest: string, enumerators: string) =>
    typeOf(`!10 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e"${rest}, size: 32, elements: !11)
!11 = !{!12}
!12 = !DIEnumerator(${enumerators})
!13 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)`);
  const wanted = { kind: 'enum', name: 'e', bits: 32 } as const;
  t.same(enumeration(', baseType: !13', 'name: "A", value: 4294967295'), {
    ...wanted,
    isSigned: false,
    values: [['A', 4294967295n]],
  });
  t.match(enumeration('', 'name: "A", value: -1'), { isSigned: true, values: [['A', -1n]] });
  t.match(enumeration('', 'name: "A", value: 1, isUnsigned: true'), { isSigned: false });
  t.end();
});

t.test('metadata that nobody asks for is not read', t => {
  t.doesNotThrow(() => read('!0 = what is this\n!1 = !{'));
  t.throws(() => read('define void @f() !dbg !0 {\n  ret void\n}\n!0 = distinct what'), {
    message: "f.ll:4:15: expected metadata, found 'what'",
  });
  t.end();
});
