/**
 * A module of LLVM's intermediate representation, as far as Clang makes use of it for C: what the reader makes of the text
 * and the translation reads. It is the text with its names resolved, and no more: values of a function are named by the
 * text (`%x`, `%0`), so that messages can speak of them, and nothing is simplified.
 *
 * What has no meaning here (attributes, flags such as `nsw` and `inbounds`, alignment, aliasing metadata) is left out:
 * arithmetic wraps, and reads of what is undefined may give anything.
 */

// ---- types ----

export type Type =
  | { readonly kind: 'void' }
  | { readonly kind: 'int'; readonly width: number }
  | { readonly kind: 'float'; readonly name: FloatName }
  | { readonly kind: 'pointer' }
  | { readonly kind: 'array'; readonly count: number; readonly element: Type }
  | { readonly kind: 'vector'; readonly count: number; readonly element: Type }
  | StructType
  /** A struct that is declared and never defined. */
  | { readonly kind: 'opaque'; readonly name: string }
  | FunctionType
  | { readonly kind: 'metadata' };

export type FloatName = 'half' | 'float' | 'double' | 'x86_fp80' | 'fp128';

/** Named ones are made once each, so that types may be recursive and compared by identity. */
export interface StructType {
  readonly kind: 'struct';
  readonly name: string | undefined;
  readonly fields: readonly Type[];
  readonly isPacked: boolean;
}

export interface FunctionType {
  readonly kind: 'function';
  readonly result: Type;
  readonly parameters: readonly Type[];
  readonly isVariadic: boolean;
}

// ---- values ----

export type Operand = { readonly kind: 'local'; readonly name: string; readonly type: Type } | Constant;

export type Constant =
  | { readonly kind: 'integer'; readonly value: bigint; readonly type: Type } // as written, perhaps negative; 0 and 1 for i1
  | { readonly kind: 'float'; readonly text: string; readonly type: Type }
  | { readonly kind: 'null'; readonly type: Type }
  | { readonly kind: 'zero'; readonly type: Type } // zeroinitializer
  | { readonly kind: 'undefined'; readonly type: Type } // undef and poison
  | { readonly kind: 'global'; readonly name: string; readonly type: Type } // the address of a variable or a function
  | { readonly kind: 'blockaddress'; readonly function: string; readonly block: string; readonly type: Type }
  | { readonly kind: 'aggregate'; readonly elements: readonly Constant[]; readonly type: Type }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly type: Type } // c"..."
  | ConstantExpression;

export interface ConstantExpression {
  readonly kind: 'expression';
  /** `getelementptr`, a cast or a binary operator. */
  readonly operator: string;
  readonly operands: readonly Constant[];
  /** What a getelementptr walks. */
  readonly sourceType: Type | undefined;
  readonly type: Type;
}

// ---- instructions ----

/** Where something stands in the user's text. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Instruction = { readonly place: Place | undefined } & (
  | {
      readonly op: 'binary';
      readonly result: string;
      readonly operator: BinaryOperator;
      readonly a: Operand;
      readonly b: Operand;
    }
  | {
      readonly op: 'icmp';
      readonly result: string;
      readonly predicate: IntPredicate;
      readonly a: Operand;
      readonly b: Operand;
    }
  | {
      readonly op: 'cast';
      readonly result: string;
      readonly operator: CastOperator;
      readonly value: Operand;
      readonly type: Type;
    }
  /** Everything with floating point but casts: the operator says what (`fadd`, `fneg`, `fcmp olt`, …). */
  | {
      readonly op: 'float';
      readonly result: string;
      readonly operator: string;
      readonly operands: readonly Operand[];
      readonly type: Type;
    }
  | { readonly op: 'alloca'; readonly result: string; readonly allocated: Type; readonly count: Operand }
  | { readonly op: 'load'; readonly result: string; readonly pointer: Operand; readonly type: Type }
  /** `isUninitialized`: Clang's mark that a local variable begins to exist here, without a value. */
  | {
      readonly op: 'store';
      readonly value: Operand;
      readonly pointer: Operand;
      readonly isUninitialized: boolean;
    }
  | {
      readonly op: 'gep';
      readonly result: string;
      readonly sourceType: Type;
      readonly base: Operand;
      readonly indices: readonly Operand[];
    }
  | {
      readonly op: 'phi';
      readonly result: string;
      readonly type: Type;
      readonly incoming: readonly Incoming[];
    }
  | {
      readonly op: 'select';
      readonly result: string;
      readonly condition: Operand;
      readonly a: Operand;
      readonly b: Operand;
    }
  | { readonly op: 'freeze'; readonly result: string; readonly value: Operand }
  | {
      readonly op: 'extractvalue';
      readonly result: string;
      readonly value: Operand;
      readonly indices: readonly number[];
      readonly type: Type;
    }
  | {
      readonly op: 'insertvalue';
      readonly result: string;
      readonly value: Operand;
      readonly element: Operand;
      readonly indices: readonly number[];
    }
  | CallInstruction
  | { readonly op: 'va_arg'; readonly result: string; readonly list: Operand; readonly type: Type }
  /** `loop`: the loop that ends a round with this jump. */
  | { readonly op: 'br'; readonly target: string; readonly loop?: Loop }
  | {
      readonly op: 'condbr';
      readonly condition: Operand;
      readonly ifTrue: string;
      readonly ifFalse: string;
      readonly loop?: Loop;
    }
  | {
      readonly op: 'switch';
      readonly value: Operand;
      readonly default: string;
      readonly cases: readonly SwitchCase[];
    }
  | { readonly op: 'indirectbr'; readonly address: Operand; readonly targets: readonly string[] }
  | { readonly op: 'ret'; readonly value: Operand | undefined }
  | { readonly op: 'unreachable' }
  /** What the reader knows the name of and nothing else: refused where it would be executed. */
  | { readonly op: 'unsupported'; readonly name: string; readonly result: string | undefined }
);

/** A loop of the user's text: where its statement begins, and what is around that. */
export interface Loop {
  readonly place: Place;
  readonly scope: Scope;
}

/** A part of the text in which variables are visible: a function or a block, and what is around it. */
export interface Scope {
  readonly parent: Scope | undefined;
}

export interface CallInstruction {
  readonly op: 'call';
  readonly result: string | undefined;
  /** A global for direct calls; `asm` for inline assembly. */
  readonly callee: Operand | 'asm';
  readonly type: FunctionType;
  readonly args: readonly Operand[];
  readonly isUninitialized: boolean; // of a memset, as for stores
}

export interface Incoming {
  readonly value: Operand;
  readonly block: string;
}

export interface SwitchCase {
  readonly value: bigint;
  readonly target: string;
}

export type BinaryOperator =
  | 'add'
  | 'sub'
  | 'mul'
  | 'udiv'
  | 'sdiv'
  | 'urem'
  | 'srem'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'and'
  | 'or'
  | 'xor';

export type IntPredicate = 'eq' | 'ne' | 'ugt' | 'uge' | 'ult' | 'ule' | 'sgt' | 'sge' | 'slt' | 'sle';

export type CastOperator =
  | 'trunc'
  | 'zext'
  | 'sext'
  | 'ptrtoint'
  | 'inttoptr'
  | 'bitcast'
  | 'addrspacecast'
  | 'fptrunc'
  | 'fpext'
  | 'fptoui'
  | 'fptosi'
  | 'uitofp'
  | 'sitofp';

// ---- functions and variables ----

export interface Block {
  readonly name: string;
  /** The last one, and no other, is a terminator. */
  readonly instructions: readonly Instruction[];
}

/** A variable of the user's text that lies where an alloca points. */
export interface DeclaredVariable {
  /** The local that is its address. */
  readonly address: string;
  readonly name: string;
  readonly type: DebugType | undefined;
  readonly place: Place | undefined;
  readonly scope: Scope | undefined;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly type: FunctionType;
  readonly parameters: readonly string[]; // the locals
  /** Of each parameter that is a copy of what the caller's pointer points to (`byval`), the type that is copied. */
  readonly copied: readonly (Type | undefined)[];
  /** The first one is the entry. None: the function is only declared. */
  readonly blocks: readonly Block[];
  readonly variables: readonly DeclaredVariable[];
  readonly place: Place | undefined;
  /** What it returns, as the user wrote it; undefined is nothing, and what is not known. */
  readonly returns: DebugType | undefined;
}

export interface GlobalVariable {
  readonly name: string;
  readonly type: Type;
  /** Undefined for what another module defines. */
  readonly initializer: Constant | undefined;
  readonly isConstant: boolean;
  /** Can no other module name it? */
  readonly isLocal: boolean;
  /** As the user wrote it. */
  readonly debug:
    | {
        readonly name: string;
        readonly type: DebugType | undefined;
        readonly place: Place | undefined;
        /** Undefined outside of all functions. */
        readonly scope: Scope | undefined;
      }
    | undefined;
}

export interface Module {
  readonly file: string;
  readonly pointerWidth: 32 | 64;
  readonly variables: ReadonlyMap<string, GlobalVariable>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
}

// ---- the types that the user wrote ----

export type DebugType =
  | {
      readonly kind: 'basic';
      readonly name: string;
      readonly bits: number;
      readonly encoding: 'signed' | 'unsigned' | 'char' | 'boolean' | 'float';
    }
  | { readonly kind: 'pointer'; readonly to: () => DebugType | undefined } // undefined: void
  | {
      readonly kind: 'struct' | 'union';
      readonly name: string;
      readonly bits: number;
      readonly members: () => readonly DebugMember[];
    }
  | {
      readonly kind: 'array';
      readonly element: () => DebugType | undefined;
      readonly count: number | undefined;
    }
  | {
      readonly kind: 'enum';
      readonly name: string;
      readonly bits: number;
      readonly isSigned: boolean;
      readonly values: readonly (readonly [name: string, value: bigint])[];
    }
  | { readonly kind: 'typedef'; readonly name: string; readonly of: () => DebugType | undefined }
  | { readonly kind: 'function' };

export interface DebugMember {
  readonly name: string;
  readonly offset: number; // in bits
  readonly bits: number;
  readonly type: DebugType | undefined;
}
