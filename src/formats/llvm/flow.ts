/**
 * A program as graphs of basic blocks, one for each function: all values are scalars in registers that are assigned once, and
 * what is known of library functions is said in statements. It is the small typed representation between LLVM's and the
 * problem graph; `lower.ts` makes it, `points-to.ts` says which memory each pointer may point to, `slice.ts` leaves out what has
 * no bearing on errors, `inline.ts` makes one graph of all, and `execution.ts` turns that into terms.
 *
 * Arithmetic wraps, as a machine's does. A shift by too much, a division by zero and everything else that C leaves
 * undefined is what SMT-LIB's operators make of it; a read of what has no value gives any value.
 */
import type { FloatOperation } from './float-format.ts';
import type {
  BinaryOperator,
  Constant,
  DebugType,
  IntPredicate,
  Loop,
  Place,
  Scope,
  Type,
} from './module.ts';

/** A register; those of one bit are Booleans. */
export interface Register {
  readonly kind: 'register';
  readonly id: number;
  /** In bits. */
  readonly width: number;
  /** It is no pointer, whatever it is computed from. */
  readonly isNumber?: true;
}

export type Value =
  | Register
  | { readonly kind: 'constant'; readonly value: bigint; readonly width: number }
  | { readonly kind: 'address'; readonly site: Site; readonly offset: bigint; readonly width: number }
  | { readonly kind: 'function'; readonly name: string; readonly width: number }
  /** Any value, a new one wherever it is used. */
  | { readonly kind: 'any'; readonly width: number };

/** An object in memory, or all that one allocation makes. */
export interface Site {
  readonly id: number;
  readonly kind: 'global' | 'stack' | 'heap';
  /** What the user calls it. */
  readonly name: string;
  /** Of a global: its name in the module. */
  readonly symbol: string | undefined;
  readonly type: DebugType | undefined;
  readonly place: Place | undefined;
  /** Where the user may speak of it; undefined for what is declared outside of all functions, or has no name. */
  readonly scope: Scope | undefined;
  /** The copy of a function that it belongs to, as blocks have it. */
  readonly frame: number;
  /** In bytes; undefined where it is not a constant. */
  readonly size: number | undefined;
  /** Of a global: what lies there at the start. A global without one is defined elsewhere and may hold anything. */
  readonly initial: { readonly type: Type; readonly value: Constant } | undefined;
  /** Of a global: what can code do to it that is not part of the program? */
  readonly access?: 'named' | 'constant';
}

/** A scalar that lies in a global at the start; what is not listed is zero. */
export interface InitialLeaf {
  readonly offset: number;
  readonly value: Value;
}

/** The source of what the entry function is called with. */
export const ARGUMENT = 'argument of main';

export type Operation =
  | {
      readonly op: 'binary';
      readonly to: Register;
      readonly operator: BinaryOperator;
      readonly a: Value;
      readonly b: Value;
    }
  | {
      readonly op: 'compare';
      readonly to: Register;
      readonly predicate: IntPredicate;
      readonly a: Value;
      readonly b: Value;
    }
  | { readonly op: 'resize'; readonly to: Register; readonly value: Value; readonly isSigned: boolean } // cut off, or extended
  /** Of floating-point numbers, which are words of their bits. */
  | {
      readonly op: 'float';
      readonly to: Register;
      readonly operation: FloatOperation;
      readonly operands: readonly Value[];
    }
  | {
      readonly op: 'select';
      readonly to: Register;
      readonly condition: Value;
      readonly a: Value;
      readonly b: Value;
    }
  /** The base with a constant and multiples of indices added, in bytes. */
  | {
      readonly op: 'offset';
      readonly to: Register;
      readonly base: Value;
      readonly constant: bigint;
      readonly scaled: readonly Scaled[];
    }
  /** With `base`, what object the pointer that lies there points into is read or written beside it. */
  | { readonly op: 'load'; readonly to: Register; readonly pointer: Value; readonly base?: Register }
  | { readonly op: 'store'; readonly value: Value; readonly pointer: Value; readonly base?: Value }
  /** Something outside of the program is called with these, and may write whatever it can reach. */
  | { readonly op: 'havoc'; readonly reached: readonly Value[] }
  /** An object is given back. By itself that does nothing. */
  | { readonly op: 'release'; readonly pointer: Value }
  /** A table from words to words, of zeros at the start, which is no memory of the program's. */
  | { readonly op: 'recall'; readonly to: Register; readonly key: Value }
  | { readonly op: 'record'; readonly key: Value; readonly value: Value }
  /** A choice that nothing in the program makes. */
  | {
      readonly op: 'any';
      readonly to: Register;
      readonly source: string;
      readonly type: DebugType | undefined;
    }
  | {
      readonly op: 'allocate';
      readonly to: Register;
      readonly site: Site;
      readonly size: Value;
      readonly isZeroed: boolean;
    }
  | { readonly op: 'move'; readonly target: Value; readonly source: Value; readonly length: number } // copies bytes
  | { readonly op: 'fill'; readonly pointer: Value; readonly byte: Value; readonly length: number }
  /** Says nothing but that pointers in one place may be found in the other, since bytes are copied. */
  | { readonly op: 'relate'; readonly a: Value; readonly b: Value }
  | { readonly op: 'assume'; readonly condition: Value }
  /** Inlining leaves only calls of functions that are kept. */
  | {
      readonly op: 'call';
      /** The leaves of what is returned. */
      readonly results: readonly Register[];
      readonly callee: Callee;
      /** Each with its leaves. */
      readonly args: readonly (readonly Value[])[];
    };

/** What a call calls: a function by its name, or what a pointer points to. */
export type Callee =
  | { readonly kind: 'named'; readonly name: string }
  | {
      readonly kind: 'pointer';
      readonly pointer: Value;
      /** Functions of the type whose address is taken. */
      readonly fitting: readonly string[];
      /** Those of them that the program puts into the field that the pointer is read from. */
      readonly inField: readonly string[];
    };

export type Call = Extract<Operation, { op: 'call' }>;

export interface Scaled {
  readonly index: Value;
  readonly stride: bigint;
}

export type Statement = Operation & { readonly place: Place | undefined };

export interface Phi {
  readonly to: Register;
  /** By the number of the block that is left. */
  readonly incoming: Map<number, Value>;
}

export type End =
  | { readonly op: 'goto'; readonly target: number }
  | { readonly op: 'branch'; readonly condition: Value; readonly ifTrue: number; readonly ifFalse: number }
  | {
      readonly op: 'switch';
      readonly value: Value;
      readonly cases: readonly (readonly [value: bigint, target: number])[];
      readonly default: number;
    }
  /** `isExit`: the program ends in the way it wants to, and not because something went wrong or never returns. */
  | { readonly op: 'stop'; readonly isExit: boolean }
  /** Inlining leaves these only in functions that are kept. */
  | { readonly op: 'return'; readonly values: readonly Value[] }
  | { readonly op: 'error'; readonly error: ErrorSite }
  /** Here the program does something that is not supported: whether there is an error further on is not known. */
  | { readonly op: 'trap'; readonly reason: string };

/** A place of the text where the program says that something is wrong. */
export interface ErrorSite {
  /** Such as `assert(i < n)`. */
  readonly text: string;
  readonly place: Place | undefined;
}

export interface FlowBlock {
  readonly id: number;
  readonly phis: Phi[];
  readonly statements: Statement[];
  end: End;
  /** Of the end. */
  place: Place | undefined;
  /** The function whose text this is. */
  readonly function: string;
  /** The number of its copy: each inlined call is one. */
  readonly frame: number;
  /** The loop that every round begins with this block. */
  loop: Loop | undefined;
  /** Calls of a function that is kept enter it here: see `inline.ts`. */
  readonly isEntry?: true;
}

/** A function that is not inlined, or not yet. */
export interface Procedure {
  readonly name: string;
  /** Each with its leaves. */
  readonly parameters: readonly (readonly Register[])[];
  /** What the parameters are called. */
  readonly names: readonly string[];
  readonly blocks: readonly FlowBlock[]; // the first one is the entry
}

export interface Flow {
  readonly pointerWidth: 32 | 64;
  /** All blocks, by number; the first one is the entry. */
  readonly blocks: readonly FlowBlock[];
  /** By name; where calls are inlined, the program itself under the empty name, and the functions that are kept. */
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly sites: readonly Site[];
  readonly initial: ReadonlyMap<Site, readonly InitialLeaf[]>;
  readonly registers: number;
  /** By frame: the number of the body that is part of, for those of bodies that many calls have in common. */
  readonly bodies?: ReadonlyMap<number, number>;
  /** Functions without a body that are called, and what was assumed of them. */
  readonly externals: ReadonlyMap<string, string>;
  /** Functions whose address is a number of its own. */
  readonly functions: readonly string[];
  /** The errors that the text speaks of, also those that no path leads to. */
  readonly errors: readonly ErrorSite[];
  /** What functions return, in the words of the text. */
  readonly returns: ReadonlyMap<string, DebugType>;
}

/** The blocks that procedures begin with. */
export function entriesOf({ procedures }: Flow): number[] {
  return [...procedures.values()].map(p => p.blocks[0].id);
}

export function targetsOf({ end }: FlowBlock): number[] {
  switch (end.op) {
    case 'goto':
      return [end.target];
    case 'branch':
      return [end.ifTrue, end.ifFalse];
    case 'switch':
      return [...end.cases.map(c => c[1]), end.default];
    default:
      return [];
  }
}

/** What a statement reads. */
export function operandsOf(s: Operation): readonly Value[] {
  switch (s.op) {
    case 'binary':
    case 'compare':
    case 'relate':
      return [s.a, s.b];
    case 'resize':
      return [s.value];
    case 'float':
      return s.operands;
    case 'select':
      return [s.condition, s.a, s.b];
    case 'offset':
      return [s.base, ...s.scaled.map(x => x.index)];
    case 'load':
      return [s.pointer];
    case 'store':
      return s.base === undefined ? [s.value, s.pointer] : [s.value, s.pointer, s.base];
    case 'havoc':
      return s.reached;
    case 'release':
      return [s.pointer];
    case 'recall':
      return [s.key];
    case 'record':
      return [s.key, s.value];
    case 'any':
      return [];
    case 'allocate':
      return [s.size];
    case 'move':
      return [s.target, s.source];
    case 'fill':
      return [s.pointer, s.byte];
    case 'assume':
      return [s.condition];
    case 'call':
      return [...s.args.flat(), ...(s.callee.kind === 'pointer' ? [s.callee.pointer] : [])];
  }
}
