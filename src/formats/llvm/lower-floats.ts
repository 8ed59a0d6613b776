/**
 * What instructions and intrinsics do with floating-point numbers: exactly what IEEE 754 says, or, if the user prefers that,
 * they give any result. Numbers of 80 bits and remainders have no exact meaning here and are refused by name.
 */
import { Unknown } from '../../sat/unknown.ts';
import {
  FLOAT_OPERATORS,
  FLOAT_PREDICATES,
  type FloatFormat,
  type FloatOperation,
  formatOf,
} from './float-format.ts';
import type { Value } from './flow.ts';
import type { CallInstruction, CastOperator, Type } from './module.ts';
import type { ModuleBuilder } from './module-builder.ts';

/** What there is to say of results that are not computed. */
const ANY = 'floating-point arithmetic';

/** `type` is that of the operands; the operator is an instruction's, such as `fadd` or `fcmp olt`. */
export function floatResult(
  b: ModuleBuilder,
  operator: string,
  type: Type,
  operands: readonly Value[],
): Value {
  const width = operator.startsWith('fcmp') ? 1 : b.layout.width(type);
  if (operator === 'fneg') return b.binary('xor', operands[0], signBit(b, width));
  const [name, predicate] = operator.split(' ');
  const arithmetic = FLOAT_OPERATORS.find(o => o === name);
  const comparison = FLOAT_PREDICATES.find(p => p === predicate);
  return computed(b, width, operands, () => {
    const format = knownFormat(type, operator);
    if (arithmetic !== undefined) return { kind: 'arithmetic', operator: arithmetic, format };
    if (comparison !== undefined) return { kind: 'compare', predicate: comparison, format };
    throw new Unknown('unsupported', `the instruction '${operator}' is not supported`);
  });
}

/** The value of a cast from or to floating point; undefined if it is another cast. */
export function floatCast(
  b: ModuleBuilder,
  operator: CastOperator,
  value: Value,
  from: Type,
  to: Type,
): Value | undefined {
  const width = b.layout.width(to);
  const make = (operation: () => FloatOperation) => computed(b, width, [value], operation);
  switch (operator) {
    case 'fptoui':
    case 'fptosi':
      return make(() => ({
        kind: 'to-integer',
        format: knownFormat(from, operator),
        isSigned: operator === 'fptosi',
      }));
    case 'uitofp':
    case 'sitofp':
      return make(() => ({
        kind: 'from-integer',
        format: knownFormat(to, operator),
        isSigned: operator === 'sitofp',
      }));
    case 'fptrunc':
    case 'fpext':
      return make(() => ({
        kind: 'convert',
        from: knownFormat(from, operator),
        to: knownFormat(to, operator),
      }));
    default:
      return undefined;
  }
}

/** What an intrinsic gives, by its name without `llvm.`; undefined if it is none of these. */
export function floatIntrinsic(
  b: ModuleBuilder,
  name: string,
  { args: written }: CallInstruction,
  args: readonly (readonly Value[])[],
): Value | undefined {
  const type = written[0]?.type;
  if (type?.kind !== 'float') return undefined;
  const [x, y, z] = args.map(a => a[0]);
  const width = b.layout.width(type);
  const sign = signBit(b, width);
  const magnitude = (v: Value) => b.binary('and', v, b.constant(~(1n << BigInt(width - 1)), width));
  const result = (operator: string, ...operands: readonly Value[]) =>
    floatResult(b, operator, type, operands);
  switch (name.split('.')[0]) {
    case 'fabs':
      return magnitude(x);
    case 'copysign':
      return b.binary('or', magnitude(x), b.binary('and', y, sign));
    case 'fmuladd': // whether it is rounded once or twice is left open: twice, as without it
      return result('fadd', result('fmul', x, y), z);
    case 'minnum':
    case 'maxnum': {
      const isFirst = result(name.startsWith('min') ? 'fcmp olt' : 'fcmp ogt', x, y);
      return b.select(b.binary('or', isFirst, result('fcmp uno', y, y)), x, y);
    }
    case 'is': {
      const mask = y.kind === 'constant' ? Number(y.value) : 0;
      return computed(b, 1, [x], () => ({ kind: 'classify', format: knownFormat(type, name), mask }));
    }
    default:
      return undefined;
  }
}

function computed(
  b: ModuleBuilder,
  width: number,
  operands: readonly Value[],
  operation: () => FloatOperation,
): Value {
  if (b.assumptions.floats === 'exact') return b.float(operation(), operands, width);
  b.externals.set(ANY, 'gives any result');
  return b.any(width, ANY);
}

function knownFormat(type: Type, what: string): FloatFormat {
  const format = type.kind === 'float' ? formatOf(type.name) : undefined;
  if (format !== undefined) return format;
  const name = type.kind === 'float' ? type.name : type.kind;
  throw new Unknown(
    'unsupported',
    `'${what}' of the type '${name}' is not supported; --floats any takes any result`,
  );
}

function signBit(b: ModuleBuilder, width: number): Value {
  return b.constant(1n << BigInt(width - 1), width);
}
