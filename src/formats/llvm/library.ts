/**
 * What functions do that a program need not define: those with which verification tasks say what is an error, what may be assumed
 * and where a choice is left open; allocation and the copying of memory; and the compiler's own intrinsics. These names mean
 * what they mean here even where the program defines them, since a task's label speaks of the name.
 */
import { Unknown } from '../../sat/unknown.ts';
import type { Value } from './flow.ts';
import { floatIntrinsic } from './lower-floats.ts';
import type { CallInstruction, Constant, Operand } from './module.ts';
import type { ModuleBuilder } from './module-builder.ts';
import { sanitizerCall } from './sanitizers.ts';

type Args = readonly (readonly Value[])[];
type Meaning = (b: ModuleBuilder, args: Args, call: CallInstruction, name: string) => readonly Value[];

/** What a call of a known function does, emitted, and what it returns; undefined if the name says nothing. */
export function libraryCall(
  b: ModuleBuilder,
  name: string,
  call: CallInstruction,
  args: Args,
): readonly Value[] | undefined {
  if (CHOICE.test(name)) return anyResult(b, args, call, name);
  if (sanitizerCall(b, name, call) !== undefined) return [];
  const isDefined = (b.module.functions.get(name)?.blocks.length ?? 0) > 0;
  if (WITH_MEMORY.has(name) && !isDefined)
    throw new Unknown('unsupported', `'${name}' is not supported, and the program does not define it`);
  const float = name.startsWith('llvm.') ? floatIntrinsic(b, name.slice(5), call, args) : undefined;
  if (float !== undefined) return [float];
  const meaning =
    MEANINGS.get(name) ??
    (name.startsWith('llvm.') ? intrinsic(name) : undefined) ??
    (isDefined ? undefined : unlessDefined(name));
  return meaning?.(b, args, call, name);
}

/** Who calls these wants any value of the type. */
const CHOICE = /^__VERIFIER_nondet_/;
const OTHER_CHOICE = /^(?:__CPROVER_nondet_|sea_nd_|nd_|nondet_)/;
/** Other verifiers' names: one that is not known here is not just any function. */
const RESERVED = /^(?:__CPROVER_|__SEA_|__SEAHORN_|sea_|klee_)/;

/** What a name means in programs that do not define it. */
function unlessDefined(name: string): Meaning | undefined {
  const known = OTHER_MEANINGS.get(name);
  if (known !== undefined) return known;
  if (OTHER_CHOICE.test(name)) return anyResult;
  return RESERVED.test(name) ? refused : undefined;
}

// ---- errors, assumptions, ends ----

const error: Meaning = (b, _, call, name) => {
  b.error(errorText(b, call, name));
  return [];
};

/** An assertion says what it asserts in its first argument. */
function errorText(b: ModuleBuilder, { args }: CallInstruction, name: string): string {
  const text = name.startsWith('__assert') ? stringOf(b, args[0]) : undefined;
  return text === undefined ? name : `assert(${text})`;
}

function stringOf({ module }: ModuleBuilder, operand: Operand | undefined): string | undefined {
  if (operand?.kind !== 'global') return undefined;
  const initial = module.variables.get(operand.name)?.initializer;
  if (initial?.kind !== 'bytes') return undefined;
  return String.fromCharCode(...initial.bytes).replace(/\0+$/, '');
}

const assume: Meaning = (b, [[condition]]) => {
  b.emit({ op: 'assume', condition: isTrue(b, condition) });
  return [];
};

/** The error is that the condition does not hold. */
const assertion: Meaning = (b, args, call, name) => {
  const [failed, after] = [b.block(b.current.function), b.block(b.current.function)];
  b.branch(isTrue(b, args[0][0]), after, failed);
  b.current = failed;
  error(b, args, call, name);
  b.current = after;
  return [];
};

const stop: Meaning = (b, _args, _call, name) => {
  b.stop(/exit/i.test(name));
  return [];
};

function isTrue(b: ModuleBuilder, condition: Value): Value {
  return condition.width === 1 ? condition : b.compare('ne', condition, b.constant(0, condition.width));
}

// ---- memory ----

const allocate =
  (isZeroed: boolean): Meaning =>
  (b, args, _, name) => {
    const word = (v: Value) => b.resized(v, b.pointerWidth, false);
    const sizes = args.slice(0, isZeroed ? 2 : 1).map(a => word(a[0]));
    const size = sizes.length === 1 ? sizes[0] : product(b, sizes[0], sizes[1]);
    if (b.assumptions.malloc === 'succeeds') return [allocated(b, 'heap', size, isZeroed)];
    b.externals.set(name, 'may fail and return null');
    return [orNull(b, name, () => allocated(b, 'heap', size, isZeroed))];
  };

const allocateOnStack: Meaning = (b, [[size]]) => [
  allocated(b, 'stack', b.resized(size, b.pointerWidth, false), false),
];

/** What is allocated if that succeeds, and null if not, which is a choice. */
function orNull(b: ModuleBuilder, name: string, make: () => Value): Value {
  const fails = b.any(1, `${name} fails`);
  const [succeeds, after] = [b.block(b.current.function), b.block(b.current.function)];
  const incoming = new Map<number, Value>([[b.current.id, b.constant(0, b.pointerWidth)]]);
  b.branch(fails, after, succeeds);
  b.current = succeeds;
  const made = make();
  incoming.set(b.current.id, made);
  b.goTo(after);
  const to = b.register(b.pointerWidth);
  after.phis.push({ to, incoming });
  return to;
}

function product(b: ModuleBuilder, x: Value, y: Value): Value {
  if (x.kind === 'constant' && y.kind === 'constant') return b.constant(x.value * y.value, b.pointerWidth);
  return b.binary('mul', x, y);
}

function allocated(b: ModuleBuilder, kind: 'heap' | 'stack', size: Value, isZeroed: boolean): Value {
  const site = b.site({
    kind,
    name: 'malloc',
    symbol: undefined,
    type: undefined,
    place: b.place,
    scope: undefined,
    size: size.kind === 'constant' ? Number(size.value) : undefined,
    initial: undefined,
  });
  const to = b.register(b.pointerWidth);
  b.emit({ op: 'allocate', to, site, size, isZeroed });
  if (kind === 'heap' && isMissing(b, 'realloc'))
    b.emit({ op: 'record', key: to, value: b.binary('add', size, b.constant(1, b.pointerWidth)) });
  return to;
}

function isMissing({ module }: ModuleBuilder, name: string): boolean {
  return module.functions.get(name)?.blocks.length === 0;
}

/** A new object with what fits of the old one, whose size is in the table, one added. */
const reallocate: Meaning = (b, [[old], [wanted]], _, name) => {
  const width = b.pointerWidth;
  const size = b.resized(wanted, width, false);
  const make = () => {
    const room = b.register(width);
    b.emit({ op: 'recall', to: room, key: old });
    const isNone = b.compare('eq', room, b.constant(0, width));
    const held = b.select(isNone, room, b.binary('sub', room, b.constant(1, width)));
    const made = allocated(b, 'heap', size, false);
    b.emit({ op: 'relate', a: made, b: old });
    b.forEachBelow(b.select(b.compare('ult', held, size), held, size), i => {
      const value = b.load(b.offset(old, 0n, [{ index: i, stride: 1n }]), 8);
      b.emit({ op: 'store', value, pointer: b.offset(made, 0n, [{ index: i, stride: 1n }]) });
    });
    b.emit({ op: 'release', pointer: old });
    return made;
  };
  if (b.assumptions.malloc === 'succeeds') return [make()];
  b.externals.set(name, 'may fail and return null');
  return [orNull(b, name, make)];
};

const release: Meaning = (b, [[pointer]]) => {
  b.emit({ op: 'release', pointer });
  return [];
};

/** So many bytes get any value. */
const makeSymbolic: Meaning = (b, [[pointer], [length]]) => {
  if (length.kind !== 'constant')
    throw new Unknown('unsupported', "'klee_make_symbolic' of a variable length is not supported");
  b.emit({ op: 'fill', pointer, byte: { kind: 'any', width: 8 }, length: Number(length.value) });
  return [];
};

const anyResult: Meaning = (b, _, call, name) =>
  b.layout.leaves(call.type.result).map(l => b.any(l.width, name));

const skip: Meaning = () => [];
const first: Meaning = (_, args) => args[0];

const move: Meaning = (b, args, _, name) => {
  const [[target], [source], [length]] = args;
  if (length.kind === 'constant') {
    if (length.value > 0n) b.emit({ op: 'move', target, source, length: Number(length.value) });
    return [target];
  }
  b.emit({ op: 'relate', a: target, b: source });
  const copy = (i: Value) => {
    const from = b.offset(source, 0n, [{ index: i, stride: 1n }]);
    const value = b.load(from, 8);
    b.emit({ op: 'store', value, pointer: b.offset(target, 0n, [{ index: i, stride: 1n }]) });
  };
  if (name.includes('memmove')) {
    // From the end on, if what is still to be read would be overwritten otherwise.
    const [forwards, backwards, after] = [0, 1, 2].map(() => b.block(b.current.function));
    b.branch(b.compare('ule', target, source), forwards, backwards);
    b.current = forwards;
    b.forEachBelow(length, copy);
    b.goTo(after);
    b.current = backwards;
    const last = b.binary('sub', b.resized(length, b.pointerWidth, false), b.constant(1, b.pointerWidth));
    b.forEachBelow(length, i => copy(b.binary('sub', last, i)));
    b.goTo(after);
  } else b.forEachBelow(length, copy);
  return [target];
};

const fill: Meaning = (b, args, call) => {
  const [[target], [given], [length]] = args;
  const byte: Value = call.isUninitialized ? { kind: 'any', width: 8 } : b.resized(given, 8, false);
  if (length.kind === 'constant') {
    if (length.value > 0n) b.emit({ op: 'fill', pointer: target, byte, length: Number(length.value) });
  } else if (!call.isUninitialized)
    // An object of variable size lies where nothing has been yet, so it holds anything as it is.
    b.forEachBelow(length, i => {
      b.emit({ op: 'store', value: byte, pointer: b.offset(target, 0n, [{ index: i, stride: 1n }]) });
    });
  return [target];
};

/** What is read from a string is any value, or nothing at all is read. */
const scan: Meaning = (b, args, call, name) => {
  const format = stringOf(b, call.args[1]);
  const sizes = format === undefined ? undefined : scannedSizes(format, b.pointerWidth / 8);
  if (sizes === undefined) throw new Unknown('unsupported', `'${name}' with this format is not supported`);
  sizes.forEach((length, i) => {
    const [read, after] = [b.block(b.current.function), b.block(b.current.function)];
    b.branch(b.any(1, name), read, after);
    b.current = read;
    b.emit({ op: 'fill', pointer: args[i + 2][0], byte: { kind: 'any', width: 8 }, length });
    b.goTo(after);
  });
  return [b.any(b.layout.width(call.type.result), name)];
};

/** How many bytes each conversion of a format writes; undefined if that cannot be told. */
function scannedSizes(format: string, wordBytes: number): number[] | undefined {
  const sizes: number[] = [];
  for (const [, skipped, length, conversion] of format.matchAll(/%(\*?)\d*(hh|h|ll|l|z|j|t|)(.)/g)) {
    if (conversion === '%' || skipped === '*') continue;
    if (!/[diouxXn]/.test(conversion)) return undefined;
    sizes.push({ hh: 1, h: 2, ll: 8, j: 8 }[length] ?? (length === '' ? 4 : wordBytes));
  }
  return sizes;
}

// ---- intrinsics ----

function intrinsic(name: string): Meaning | undefined {
  const [, base] = name.split('.');
  if (name.includes('.with.overflow.')) return overflow;
  return INTRINSICS.get(base);
}

/** The result, and whether it is not what mathematics says. */
const overflow: Meaning = (b, [[x], [y]], _, name) => {
  const isSigned = name.startsWith('llvm.s');
  const operator = (['add', 'sub', 'mul'] as const).find(o => name.slice(6).startsWith(o)) as
    | 'add'
    | 'sub'
    | 'mul';
  const wide = operator === 'mul' ? 2 * x.width : x.width + 1;
  const exact = b.binary(operator, b.resized(x, wide, isSigned), b.resized(y, wide, isSigned));
  const result = b.resized(exact, x.width, false);
  return [result, b.compare('ne', b.resized(result, wide, isSigned), exact)];
};

const swapBytes: Meaning = (b, [[x]]) => {
  const bytes = x.width / 8;
  let result: Value = b.constant(0, x.width);
  for (let i = 0; i < bytes; i++) {
    const byte = b.binary('and', b.binary('lshr', x, b.constant(8 * i, x.width)), b.constant(255, x.width));
    result = b.binary('or', result, b.binary('shl', byte, b.constant(8 * (bytes - 1 - i), x.width)));
  }
  return [result];
};

const countOnes: Meaning = (b, [[x]]) => [sumOfBits(b, x)];

function sumOfBits(b: ModuleBuilder, x: Value): Value {
  let sum: Value = b.constant(0, x.width);
  for (let i = 0; i < x.width; i++) {
    const bit = b.binary('and', b.binary('lshr', x, b.constant(i, x.width)), b.constant(1, x.width));
    sum = b.binary('add', sum, bit);
  }
  return sum;
}

/** Zeros at one end: ones below the lowest one, or above what the highest one fills. */
const countZeros: Meaning = (b, [[x]], _, name) => {
  if (name.startsWith('llvm.cttz')) {
    const below = b.binary(
      'and',
      b.binary('xor', x, b.constant(-1, x.width)),
      b.binary('sub', x, b.constant(1, x.width)),
    );
    return [sumOfBits(b, below)];
  }
  let filled = x;
  for (let shift = 1; shift < x.width; shift *= 2)
    filled = b.binary('or', filled, b.binary('lshr', filled, b.constant(shift, x.width)));
  return [sumOfBits(b, b.binary('xor', filled, b.constant(-1, x.width)))];
};

const absolute: Meaning = (b, [[x]]) => {
  const zero = b.constant(0, x.width);
  return [b.select(b.compare('slt', x, zero), b.binary('sub', zero, x), x)];
};

const extreme: Meaning = (b, [[x], [y]], _, name) => {
  const predicate = { smax: 'sgt', smin: 'slt', umax: 'ugt', umin: 'ult' }[name.split('.')[1]] as
    | 'sgt'
    | 'slt'
    | 'ugt'
    | 'ult';
  return [b.select(b.compare(predicate, x, y), x, y)];
};

const funnel: Meaning = (b, [[x], [y], [by]], _, name) => {
  const width = 2 * x.width;
  const wide = (v: Value) => b.resized(v, width, false);
  const both = b.binary('or', b.binary('shl', wide(x), b.constant(x.width, width)), wide(y));
  const amount = wide(b.binary('urem', by, b.constant(x.width, x.width)));
  if (name.startsWith('llvm.fshr')) return [b.resized(b.binary('lshr', both, amount), x.width, false)];
  const shifted = b.binary('lshr', b.binary('shl', both, amount), b.constant(x.width, width));
  return [b.resized(shifted, x.width, false)];
};

/** How much memory there is cannot be told: zero if the least is asked for, otherwise as much as there may be. */
const objectSize: Meaning = (b, _args, call) => {
  const least = constantOf(call.args[1]) === 1n;
  return [b.constant(least ? 0 : -1, b.layout.width(call.type.result))];
};

function constantOf(operand: Operand | undefined): bigint | undefined {
  return operand?.kind === 'integer' ? (operand as Extract<Constant, { kind: 'integer' }>).value : undefined;
}

const zero: Meaning = (b, _, call) => [b.constant(0, b.layout.width(call.type.result))];

/** A list of variable arguments begins to exist: what is read of it may be anything. */
const variableArguments: Meaning = (b, [[list]]) => {
  const length = b.pointerWidth === 32 ? 4 : 24;
  b.emit({ op: 'fill', pointer: list, byte: { kind: 'any', width: 8 }, length });
  return [];
};

const copyArguments: Meaning = (b, [[target]]) => variableArguments(b, [[target]], undefined as never, '');

const anyPointer: Meaning = (b, _, call, name) => [b.any(b.layout.width(call.type.result), name)];

const refused: Meaning = (_b, _a, _c, name) => {
  throw new Unknown('unsupported', `'${name}' is not supported`);
};

const INTRINSICS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[
    'lifetime',
    'dbg',
    'assume',
    'prefetch',
    'stackrestore',
    'va_end',
    'donothing',
    'experimental',
    'invariant',
    'annotation',
    'var',
  ].map(n => [n, skip] as [string, Meaning]),
  ['expect', first],
  ['threadlocal', first],
  ['ptr', first],
  ['launder', first],
  ['strip', first],
  ['objectsize', objectSize],
  ['is', zero],
  ['memcpy', move],
  ['memmove', move],
  ['memset', fill],
  ['va_start', variableArguments],
  ['va_copy', copyArguments],
  ['stacksave', anyPointer],
  ['returnaddress', anyPointer],
  ['frameaddress', anyPointer],
  ['readcyclecounter', anyPointer],
  ['bswap', swapBytes],
  ['ctpop', countOnes],
  ['ctlz', countZeros],
  ['cttz', countZeros],
  ['abs', absolute],
  ['smax', extreme],
  ['smin', extreme],
  ['umax', extreme],
  ['umin', extreme],
  ['fshl', funnel],
  ['fshr', funnel],
  ['trap', stop],
  ['debugtrap', skip],
  ['ubsantrap', error],
]);

/** Calls of these are errors. */
export const ERROR_FUNCTIONS: readonly string[] = [
  '__VERIFIER_error',
  'reach_error',
  '__assert_fail',
  '__assert',
  '__assert_rtn',
  '__assert_func',
  '__SEAHORN_error',
  'klee_abort',
];

/** A run goes on only if their argument is not 0. */
export const ASSUME_FUNCTIONS: readonly string[] = [
  '__VERIFIER_assume',
  'klee_assume',
  '__CPROVER_assume',
  '__SEAHORN_assume',
  '__SEA_assume',
  'sea_assume',
];

/** Calls of these are errors if their argument is 0. */
export const ASSERT_FUNCTIONS: readonly string[] = ['__CPROVER_assert', 'sea_assert'];

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...ERROR_FUNCTIONS.map(n => [n, error] as [string, Meaning]),
  ...ASSUME_FUNCTIONS.map(n => [n, assume] as [string, Meaning]),
  ...ASSERT_FUNCTIONS.map(n => [n, assertion] as [string, Meaning]),
  ...['abort', 'exit', '_exit', '_Exit', 'quick_exit'].map(n => [n, stop] as [string, Meaning]),
  ['malloc', allocate(false)],
  ['alloca', allocateOnStack],
  ['__builtin_alloca', allocateOnStack],
  ['calloc', allocate(true)],
  ['free', release],
  ['cfree', release],
  ['memcpy', move],
  ['memmove', move],
  ['memset', fill],
  ['sscanf', scan],
  ['__isoc99_sscanf', scan],
  ...[
    'setjmp',
    '_setjmp',
    'sigsetjmp',
    '__sigsetjmp',
    'longjmp',
    'siglongjmp',
    'pthread_create',
    'thrd_create',
    'fork',
    'vfork',
  ].map(n => [n, refused] as [string, Meaning]),
]);

/** Names that programs define, too, and not always as others do. */
const OTHER_MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...['__VERIFIER_assert', '__SEA_assert', 'sassert', 'klee_assert'].map(
    n => [n, assertion] as [string, Meaning],
  ),
  ...['__SEA_error', 'klee_report_error'].map(n => [n, error] as [string, Meaning]),
  ...['assume', 'assume_abort_if_not'].map(n => [n, assume] as [string, Meaning]),
  ...['klee_int', 'klee_get_value_i32', 'klee_get_value_i64'].map(n => [n, anyResult] as [string, Meaning]),
  ...['sea_tracking_on', 'sea_tracking_off', 'klee_print_expr', 'klee_prefer_cex', 'klee_warning'].map(
    n => [n, skip] as [string, Meaning],
  ),
  ['klee_make_symbolic', makeSymbolic],
  ['realloc', reallocate],
  ['klee_silent_exit', stop],
]);

/**
 * Functions of the standard library that read or write what their arguments point to. To say that they return any value and
 * leave memory alone would be wrong, and what they do is not said here yet.
 */
const WITH_MEMORY: ReadonlySet<string> = new Set([
  ...['strcasecmp', 'strstr'],
  ...['strtok', 'mempcpy', 'memccpy', 'bcopy', 'bzero'],
  ...['scanf', 'fscanf', '__isoc99_scanf', '__isoc99_fscanf', 'gets', 'fgets', 'fread'],
  ...['reallocarray', 'qsort', 'bsearch', 'getline'],
]);
