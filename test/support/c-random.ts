/**
 * Random C programs without undefined or unspecified behaviour, apart from arithmetic that overflows, which wraps, and from
 * aliasing: compile them with -fwrapv -fno-strict-aliasing. Each is one function that computes a checksum of all its variables,
 * and many fit into one file.
 *
 * What keeps them defined: everything is initialised; indices are taken modulo the room that a pointer is known to have; static
 * pointers point to static objects only; calls with effects are statements of their own; what is shifted is cast to a type of
 * known width; divisors are positive; unions and what is accessed as bytes have neither padding, pointers nor Booleans.
 */
import type { Random } from './random.ts';

interface IntType {
  readonly kind: 'int';
  readonly name: string;
  /** The least width that it has in any data model. */
  readonly bits: number;
}

interface Field {
  readonly name: string;
  readonly type: Type;
  /** Of a bit-field. */
  readonly bits?: number;
}

interface RecordType {
  readonly kind: 'struct' | 'union';
  readonly name: string;
  readonly fields: readonly Field[];
}

interface ArrayType {
  readonly kind: 'array';
  readonly of: Type;
  readonly length: number;
}

interface PointerType {
  readonly kind: 'pointer';
  readonly to: Type;
  /** So many elements can be reached from where it points. */
  readonly room: number;
  /** Does it point to static objects only? */
  readonly isStatic: boolean;
}

type Type = IntType | RecordType | ArrayType | PointerType;

interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly isStatic: boolean;
  readonly isConst?: boolean;
}

/** Something that has an address or at least a value. */
interface Path {
  readonly text: string;
  readonly type: Type;
  readonly isStatic: boolean;
  readonly isConst: boolean;
  readonly bits?: number | undefined;
}

interface FunctionInfo {
  readonly name: string;
  readonly result: Type;
  readonly parameters: readonly Variable[];
  /** Has it no effects? Then expressions may call it. */
  readonly isPure: boolean;
}

const int = (name: string, bits: number): IntType => ({ kind: 'int', name, bits });
const BOOL = int('_Bool', 1);
const INTS: readonly IntType[] = [
  int('char', 8),
  int('signed char', 8),
  int('unsigned char', 8),
  int('short', 16),
  int('unsigned short', 16),
  int('int', 32),
  int('int', 32),
  int('unsigned', 32),
  int('long', 32),
  int('unsigned long', 32),
  int('long long', 64),
  int('unsigned long long', 64),
];
const INT = INTS[5];

/** The text of a file with so many programs, `u64 test_0(void)` and so on, all of their names different. */
export function randomPrograms(random: Random, count: number): string {
  const programs = Array.from({ length: count }, (_, i) => new Generator(random, i).text());
  return `${PRELUDE}\n${programs.join('\n')}`;
}

const PRELUDE = `typedef unsigned long long u64;
typedef __SIZE_TYPE__ size;
void *malloc(size);
void *memcpy(void *, const void *, size);
void *memmove(void *, const void *, size);
void *memset(void *, int, size);
static int add(void *p, int n) { return *(int *)p += n; }
static int put(void *p, int n) { int old = *(int *)p; *(int *)p = n; return old; }
static void copy(void *t, const void *s, size n) { for (size i = 0; i < n; i++) ((char *)t)[i] = ((const char *)s)[i]; }
#define H(x) h = h * 1099511628211ULL + (u64)(x)
`;

class Generator {
  private readonly random: Random;
  private readonly number: number;
  private readonly declarations: string[] = [];
  private readonly records: RecordType[] = [];
  private readonly globals: Variable[] = [];
  private readonly functions: FunctionInfo[] = [];
  private names = 0;
  private lines: string[] = []; // of the function that is being made
  private locals: Variable[] = []; // and what it can use besides globals
  private loops: string[] = []; // the variables that count, which nothing else may change
  private isPure = false;
  private depth = 0; // of statements
  private indexing = 0; // indices within indices
  private calls = 0; // that the function may still make

  constructor(random: Random, number: number) {
    this.random = random;
    this.number = number;
  }

  text(): string {
    const { random } = this;
    for (let i = 1 + random.below(3); i > 0; i--) this.record();
    for (let i = 3 + random.below(5); i > 0; i--) this.global();
    for (let i = 1 + random.below(4); i > 0; i--) this.function();
    if (random.chance(0.5)) this.table();
    this.test();
    return this.declarations.join('\n');
  }

  private name(prefix: string): string {
    return `${prefix}${this.names++}_${this.number}`;
  }

  private pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }

  private chance(p: number): boolean {
    return this.random.chance(p);
  }

  // ---- types ----

  private record(): void {
    const isUnion = this.chance(0.25);
    const record: RecordType = isUnion ? this.union() : this.struct();
    this.records.push(record);
    const fields = record.fields.map(
      f => `${declaration(f.type, f.name)}${f.bits === undefined ? '' : ` : ${f.bits}`};`,
    );
    if (record.kind === 'struct' && this.chance(0.15))
      fields.splice(this.random.below(fields.length), 0, 'int : 0;');
    const packed = record.kind === 'struct' && this.chance(0.1) ? ' __attribute__((packed))' : '';
    this.declarations.push(`${record.name} { ${fields.join(' ')} }${packed};`);
  }

  private struct(): RecordType {
    const count = 1 + this.random.below(5);
    const fields: Field[] = [];
    for (let i = 0; i < count; i++) {
      const name = `f${i}`;
      const kind = this.random.below(10);
      if (kind < 4) fields.push({ name, type: this.anyInt() });
      else if (kind < 6) fields.push({ name, ...this.bitField() });
      else if (kind === 6) fields.push({ name, type: this.array(this.anyInt()) });
      else if (kind === 7 && this.records.length > 0) fields.push({ name, type: this.pick(this.records) });
      else if (kind === 8) fields.push({ name, type: this.pointerField() });
      else if (kind === 9 && this.records.length > 0)
        fields.push({ name, type: this.array(this.pick(this.records)) });
      else fields.push({ name, type: this.pick(INTS) });
    }
    // A struct that nothing but bit-fields are in has no address of a member to take, which is fine.
    return { kind: 'struct', name: `struct ${this.name('S')}`, fields };
  }

  private pointerField(): Type {
    const isRecord = this.records.length > 0 && this.chance(0.4);
    const to = isRecord ? this.pick(this.records) : this.pick(INTS);
    const pointer: PointerType = { kind: 'pointer', to, room: 1, isStatic: true };
    return this.chance(0.3) ? this.array(pointer) : pointer;
  }

  /** Its largest member is the first. */
  private union(): RecordType {
    const word = this.pick(INTS);
    const solid = this.records.filter(r => isSolid(r));
    const fields: Field[] = [
      { name: 'f0', type: { kind: 'array', of: int('unsigned char', 8), length: 16 } },
    ];
    fields.push({ name: 'f1', type: word });
    fields.push({ name: 'f2', type: { kind: 'array', of: this.pick(INTS.slice(0, 8)), length: 2 } });
    if (this.chance(0.5)) fields.push({ name: 'f3', type: this.pick(INTS) });
    const small = solid.filter(r => r.kind === 'struct' && r.fields.length <= 2);
    if (small.length > 0) fields.push({ name: 'f4', type: this.pick(small) });
    return { kind: 'union', name: `union ${this.name('U')}`, fields };
  }

  private bitField(): { readonly type: IntType; readonly bits: number } {
    const [type, most] = this.pick([
      [int('int', 32), 32],
      [int('unsigned', 32), 32],
      [int('unsigned char', 8), 8],
      [int('signed char', 8), 8],
      [int('short', 16), 16],
      [int('unsigned long long', 64), 64],
      [int('long long', 64), 64],
      [BOOL, 1],
    ] as const);
    return { type, bits: 1 + this.random.below(most) };
  }

  private anyInt(): IntType {
    return this.chance(0.06) ? BOOL : this.pick(INTS);
  }

  private array(of: Type): ArrayType {
    return { kind: 'array', of, length: 2 + this.random.below(4) };
  }

  /** Of variables. */
  private variableType(isStatic: boolean): Type {
    const kind = this.random.below(16);
    const { records } = this;
    if (kind < 4) return this.anyInt();
    if (kind < 6) return this.array(this.anyInt());
    if (kind === 6) return this.array(this.array(this.pick(INTS)));
    if (kind < 9) return this.pick(records);
    if (kind === 9) return this.array(this.pick(records));
    if (kind === 10) return this.array(this.staticPointer());
    if (kind === 11) return this.array(this.array(this.pick(records)));
    const to = this.chance(0.5) ? this.pick(INTS) : this.pick(records);
    return { kind: 'pointer', to, room: 1 + this.random.below(2), isStatic };
  }

  /** To objects that are there all the time. */
  private staticPointer(): PointerType {
    const to = this.chance(0.6) ? this.pick(INTS) : this.pick(this.records);
    return { kind: 'pointer', to, room: 1, isStatic: true };
  }

  // ---- globals ----

  private global(): void {
    let type = this.variableType(true);
    let initial: string | undefined;
    if (type.kind === 'pointer') {
      initial = this.staticAddress(type);
      if (initial === undefined) type = type.to;
    }
    const name = this.name('g');
    const isConst = type.kind !== 'pointer' && !hasPointer(type) && this.chance(0.1);
    if (type.kind !== 'pointer') {
      const isPlain = !hasPointer(type) && this.chance(0.2) && !isConst;
      initial = isPlain ? undefined : this.constantInitializer(type);
    }
    const storage = this.chance(0.5) ? 'static ' : '';
    const isVolatile = type.kind === 'int' && !isConst && this.chance(0.05);
    const text = `${storage}${isConst ? 'const ' : ''}${isVolatile ? 'volatile ' : ''}${declaration(type, name)}`;
    this.declarations.push(`${text}${initial === undefined ? '' : ` = ${initial}`};`);
    this.globals.push({ name, type, isStatic: true, isConst });
  }

  private constantInitializer(type: Type): string {
    switch (type.kind) {
      case 'int':
        return this.constant(type);
      case 'array': {
        if (type.of.kind === 'int' && type.of.name === 'char' && this.chance(0.5))
          return `"${'hello'.slice(0, 1 + this.random.below(type.length - 1))}"`;
        const count = this.chance(0.3) ? 1 + this.random.below(type.length) : type.length;
        const isShort = !hasPointer(type) && !hasUnion(type);
        const elements = Array.from({ length: isShort ? count : type.length }, () =>
          this.constantInitializer(type.of),
        );
        return `{ ${elements.join(', ')} }`;
      }
      case 'struct': {
        const isShort = this.chance(0.3) && !hasPointer(type) && !hasUnion(type);
        const fields = isShort ? type.fields.slice(0, 1) : type.fields;
        if (isShort && this.chance(0.5)) {
          const last = this.pick(type.fields);
          return `{ .${last.name} = ${this.fieldConstant(last)} }`;
        }
        return `{ ${fields.map(f => this.fieldConstant(f)).join(', ')} }`;
      }
      case 'union':
        return `{ { ${Array.from({ length: 16 }, () => this.random.below(256)).join(', ')} } }`;
      case 'pointer':
        return this.staticAddress(type) ?? `(${declaration(type.to, '')} *)${this.spare(type)}`;
    }
  }

  private fieldConstant({ type, bits }: Field): string {
    if (bits !== undefined) return String(this.random.below(2 ** Math.min(bits - 1, 20)));
    return this.constantInitializer(type);
  }

  /** The address of a global or a part of it, as an initialiser may have it. */
  private staticAddress({ to, room }: PointerType): string | undefined {
    const found: string[] = [];
    const look = (text: string, type: Type, isPart: boolean) => {
      if (found.length > 40) return;
      if (room === 1 && same(type, to)) found.push(`&${text}`);
      if (type.kind === 'array' && same(type.of, to) && type.length >= room)
        found.push(`&${text}[${this.random.below(type.length - room + 1)}]`);
      if (type.kind === 'array') look(`${text}[${this.random.below(type.length)}]`, type.of, isPart);
      if (type.kind === 'struct' || type.kind === 'union')
        for (const f of type.fields) if (f.bits === undefined) look(`${text}.${f.name}`, f.type, isPart);
    };
    for (const g of this.globals) if (g.isConst !== true) look(g.name, g.type, false);
    return found.length === 0 ? undefined : this.pick(found);
  }

  /** A new object for a pointer that nothing suits. */
  private spare({ to, room }: PointerType): string {
    const name = this.name('g');
    const type: ArrayType = { kind: 'array', of: to, length: room + 1 };
    this.declarations.push(`${declaration(type, name)} = ${this.constantInitializer(type)};`);
    this.globals.push({ name, type, isStatic: true });
    return name;
  }

  // ---- functions ----

  private function(): void {
    this.begin();
    this.isPure = this.chance(0.4);
    const result = this.chance(0.25) ? this.pick(this.records) : this.pick(INTS);
    const parameters = Array.from({ length: this.random.below(4) }, () => this.parameter());
    this.locals.push(...parameters);
    const name = this.name('f');
    this.body(this.isPure ? 2 : 4);
    this.lines.push(`return ${this.returned(result)};`);
    const list = parameters.map(p => declaration(p.type, p.name)).join(', ') || 'void';
    const storage = this.pick(['static ', '', 'static inline ']);
    this.declarations.push(`${storage}${declaration(result, `${name}(${list})`)} {\n${this.block()}\n}`);
    this.functions.push({ name, result, parameters, isPure: this.isPure });
  }

  private parameter(): Variable {
    const kind = this.random.below(6);
    const name = this.name('p');
    if (kind < 3) return { name, type: this.pick(INTS), isStatic: false };
    if (kind === 3) return { name, type: this.pick(this.records), isStatic: false };
    const to = this.chance(0.5) ? this.pick(INTS) : this.pick(this.records);
    return {
      name,
      type: { kind: 'pointer', to, room: 1 + this.random.below(2), isStatic: false },
      isStatic: false,
    };
  }

  private returned(result: Type): string {
    if (result.kind === 'int') return this.expression(3);
    const known = this.paths(p => same(p.type, result));
    return known === undefined ? `(${this.freshRecord(result)})` : known.text;
  }

  /** A table of functions of one type, called by index. */
  private table(): void {
    const type = this.pick(INTS);
    const other = this.pick(INTS);
    const names = Array.from({ length: 2 }, () => {
      this.begin();
      this.isPure = true;
      const name = this.name('t');
      const p: Variable = { name: this.name('p'), type: other, isStatic: false };
      this.locals.push(p);
      this.lines.push(`return ${this.expression(3)};`);
      this.declarations.push(
        `static ${declaration(type, `${name}(${declaration(other, p.name)})`)} {\n${this.block()}\n}`,
      );
      return name;
    });
    const table = this.name('table');
    this.declarations.push(
      `static ${declaration(type, `(*${table}[2])(${other.name})`)} = { ${names.join(', ')} };`,
    );
    this.functions.push({
      name: `${table}[#]`,
      result: type,
      parameters: [{ name: '', type: other, isStatic: false }],
      isPure: true,
    });
  }

  private test(): void {
    this.begin();
    this.calls = 5;
    this.lines.push('u64 h = 14695981039346656037ULL;');
    this.body(9 + this.random.below(8));
    for (const v of [...this.globals, ...this.locals]) this.sum(v.name, v.type, 0);
    this.lines.push('return h;');
    this.declarations.push(`u64 test_${this.number}(void) {\n${this.block()}\n}`);
  }

  private begin(): void {
    this.lines = [];
    this.locals = [];
    this.loops = [];
    this.isPure = false;
    this.calls = 2;
  }

  private block(): string {
    return this.lines.map(l => `  ${l}`).join('\n');
  }

  private body(statements: number): void {
    for (let i = 2 + this.random.below(3); i > 0; i--) this.local();
    for (let i = statements; i > 0; i--) this.statement();
  }

  /** All that a variable has goes into the checksum. */
  private sum(text: string, type: Type, depth: number): void {
    switch (type.kind) {
      case 'int':
        this.lines.push(`H(${text});`);
        break;
      case 'array': {
        const i = this.name('i');
        this.lines.push(`for (int ${i} = 0; ${i} < ${type.length}; ${i}++) {`);
        this.sum(`${text}[${i}]`, type.of, depth);
        this.lines.push('}');
        break;
      }
      case 'struct':
      case 'union':
        for (const f of type.fields) this.sum(`${text}.${f.name}`, f.type, depth);
        break;
      case 'pointer':
        if (depth < 2) this.sum(`(*${text})`, type.to, depth + 1);
        break;
    }
  }

  // ---- locals ----

  private local(): void {
    const isStatic = !this.isPure && this.chance(0.12);
    let type = this.variableType(false);
    const name = this.name('v');
    if (isStatic) {
      if (type.kind === 'pointer') type = type.to;
      this.lines.push(`static ${declaration(type, name)} = ${this.constantInitializer(type)};`);
      this.locals.push({ name, type, isStatic: true });
      return;
    }
    if (type.kind === 'pointer') {
      const address = this.address(type);
      if (address !== undefined) {
        this.lines.push(`${declaration(type, name)} = ${address};`);
        this.locals.push({ name, type, isStatic: false });
        return;
      }
      type = type.to;
    }
    this.lines.push(`${declaration(type, name)}${this.initializer(type, name)}`);
    this.locals.push({ name, type, isStatic: false });
  }

  private initializer(type: Type, name: string): string {
    if (type.kind === 'int') return ` = ${this.expression(2)};`;
    if (type.kind === 'struct' || type.kind === 'union') {
      const known = this.chance(0.4) ? this.paths(p => same(p.type, type)) : undefined;
      if (known !== undefined) return ` = ${known.text};`;
    }
    if (type.kind === 'array' && type.of.kind === 'int' && this.chance(0.4))
      return ` = { ${Array.from({ length: type.length }, () => this.expression(1)).join(', ')} };`;
    if (!hasPointer(type) && isSolid(type) && this.chance(0.3)) {
      if (this.chance(0.5)) return `; memset(&${name}, ${this.random.below(256)}, sizeof ${name});`;
      const i = this.name('i');
      return `; for (unsigned ${i} = 0; ${i} < sizeof ${name}; ${i}++) ((unsigned char *)&${name})[${i}] = (unsigned char)(${i} * ${this.random.below(256)} + ${this.random.below(256)});`;
    }
    return ` = ${this.constantInitializer(type)};`;
  }

  /** A compound literal. */
  private freshRecord(type: Type): string {
    return `(${declaration(type, '')})${this.constantInitializer(type)}`;
  }

  // ---- paths ----

  private scope(): readonly Variable[] {
    return [...this.globals, ...this.locals];
  }

  /** A part of some variable that is as wanted. */
  private paths(isWanted: (p: Path) => boolean): Path | undefined {
    for (let tries = 0; tries < 12; tries++) {
      const scope = this.scope();
      if (scope.length === 0) return undefined;
      const v = this.chance(0.6) && this.locals.length > 0 ? this.pick(this.locals) : this.pick(scope);
      let path: Path = { text: v.name, type: v.type, isStatic: v.isStatic, isConst: v.isConst === true };
      for (let depth = 0; depth < 8; depth++) {
        if (isWanted(path) && (depth === 0 || this.chance(0.7) || path.type.kind === 'int')) return path;
        const inner = this.inside(path);
        if (inner === undefined) break;
        path = inner;
      }
    }
    return undefined;
  }

  private inside(path: Path): Path | undefined {
    const { text, type, isConst, isStatic } = path;
    switch (type.kind) {
      case 'int':
        return undefined;
      case 'array':
        return { text: `${text}[${this.index(type.length)}]`, type: type.of, isConst, isStatic };
      case 'struct':
      case 'union': {
        const f = this.pick(type.fields);
        return { text: `${text}.${f.name}`, type: f.type, isConst, isStatic, bits: f.bits };
      }
      case 'pointer': {
        const at = { type: type.to, isConst: false, isStatic: type.isStatic };
        const kind = this.random.below(3);
        if (kind === 0) return { ...at, text: `(*${text})` };
        if (kind === 1) return { ...at, text: `${text}[${this.index(type.room)}]` };
        return { ...at, text: `(*(${text} + ${this.index(type.room)}))` };
      }
    }
  }

  private index(length: number): string {
    if (length === 1) return '0';
    if (this.chance(0.5)) return String(this.random.below(length));
    if (this.loops.length > 0 && this.chance(0.6)) return `(${this.pick(this.loops)} % ${length}u)`;
    if (this.indexing > 1) return String(this.random.below(length));
    this.indexing++;
    const index = `((unsigned)(${this.expression(1)}) % ${length}u)`;
    this.indexing--;
    return index;
  }

  private integer(): Path | undefined {
    return this.paths(p => p.type.kind === 'int');
  }

  private target(isWanted: (p: Path) => boolean): Path | undefined {
    return this.paths(p => !p.isConst && (!this.isPure || !p.isStatic) && isWanted(p) && this.isOwn(p));
  }

  /** A function without effects changes nothing that its parameters point to. */
  private isOwn(p: Path): boolean {
    if (!this.isPure) return true;
    return (
      this.locals.some(v => v.type.kind !== 'pointer' && p.text.startsWith(v.name)) && !p.text.includes('*')
    );
  }

  /** An address for a pointer. */
  private address(type: PointerType): string | undefined {
    const { to, room, isStatic } = type;
    const path = this.paths(p => {
      if (p.isConst || (isStatic && !p.isStatic) || p.bits !== undefined) return false;
      if (p.type.kind === 'array') return same(p.type.of, to) && p.type.length >= room;
      if (p.type.kind === 'pointer')
        return same(p.type.to, to) && p.type.room >= room && (!isStatic || p.type.isStatic);
      return room === 1 && same(p.type, to);
    });
    if (path === undefined) return undefined;
    if (path.type.kind === 'array') {
      const last = path.type.length - room;
      if (last === 0) return path.text;
      return this.chance(0.5)
        ? `&${path.text}[${this.index(last + 1)}]`
        : `${path.text} + ${this.index(last + 1)}`;
    }
    if (path.type.kind === 'pointer') {
      const last = path.type.room - room;
      return last === 0 ? path.text : `${path.text} + ${this.index(last + 1)}`;
    }
    return `&${path.text}`;
  }

  // ---- expressions, none of which has effects ----

  private constant(type: IntType): string {
    const { random } = this;
    if (type.bits === 1) return String(random.below(2));
    const kind = random.below(5);
    if (kind === 0) return String(random.below(4));
    if (kind === 1) return `-${1 + random.below(130)}`;
    if (kind === 2) return this.pick(['127', '128', '255', '256', '32767', '65535', '65536']);
    if (kind === 3)
      return this.pick([
        '2147483647',
        '(-2147483647 - 1)',
        '4294967295u',
        '0x80000000u',
        '0x7fffffffffffffffLL',
      ]);
    const digits = Array.from({ length: 1 + random.below(type.bits === 64 ? 16 : 8) }, () =>
      random.below(16).toString(16),
    ).join('');
    return `0x${digits}${type.bits === 64 ? 'ULL' : 'u'}`;
  }

  private expression(depth: number): string {
    const { random } = this;
    if (depth <= 0 || this.chance(0.15)) return this.leaf();
    const e = () => this.expression(depth - 1);
    switch (random.below(16)) {
      case 0:
      case 1:
      case 2:
        return `(${e()} ${this.pick(['+', '-', '*', '&', '|', '^'])} ${e()})`;
      case 3:
        return `(${e()} ${this.pick(['/', '%'])} ${this.divisor(e)})`;
      case 4:
        return this.shift(e);
      case 5:
      case 6:
        return `((${this.anyInt().name})${e()})`;
      case 7:
        return `(${this.pick(['-', '~', '!', '+'])} ${e()})`;
      case 8:
        return `(${e()} ${this.pick(['<', '<=', '>', '>=', '==', '!='])} ${e()})`;
      case 9:
        return `(${e()} ${this.pick(['&&', '||'])} ${e()})`;
      case 10:
        return `(${e()} ? ${e()} : ${e()})`;
      case 11:
        return this.pureCall(depth) ?? this.leaf();
      case 12:
        return this.punned() ?? this.leaf();
      case 13:
        return this.aboutPointers() ?? this.leaf();
      case 14:
        return this.member(depth) ?? this.leaf();
      default:
        return `(${this.leaf()} ${this.pick(['+', '-', '*', '^'])} ${e()})`;
    }
  }

  private leaf(): string {
    if (this.loops.length > 0 && this.chance(0.2)) return this.pick(this.loops);
    if (this.chance(0.2)) return this.constant(this.pick(INTS));
    const path = this.integer();
    if (path === undefined) return this.constant(INT);
    // Compilers differ in the type of a bit-field that is wider than int.
    return path.bits !== undefined && (path.type as IntType).bits === 64
      ? `((${(path.type as IntType).name})${path.text})`
      : path.text;
  }

  private divisor(e: () => string): string {
    const kind = this.random.below(3);
    if (kind === 0) return `(((${e()}) & 15) + 1)`;
    return kind === 1 ? `-${2 + this.random.below(50)}` : String(1 + this.random.below(100));
  }

  private shift(e: () => string): string {
    const type = this.pick(INTS);
    const by = this.chance(0.5) ? String(this.random.below(type.bits === 64 ? 64 : 32)) : '';
    const masked = by !== '' ? by : `((${e()}) & ${type.bits === 64 ? 63 : 31})`;
    return `((${type.name})${e()} ${this.pick(['<<', '>>'])} ${masked})`;
  }

  /** Expressions of pure functions: what they call is pure. */
  private pureCall(depth: number): string | undefined {
    if (this.calls === 0) return undefined;
    const pure = this.functions.filter(f => f.isPure && f.result.kind === 'int');
    if (pure.length === 0) return undefined;
    const f = this.pick(pure);
    const args = this.args(f, Math.min(1, depth - 1));
    if (args === undefined) return undefined;
    this.calls--;
    return `${f.name.replace('#', `${this.leaf()} & 1`)}(${args})`;
  }

  private args({ parameters }: FunctionInfo, depth: number): string | undefined {
    const args = parameters.map(({ type }) => {
      if (type.kind === 'int') return this.expression(depth);
      if (type.kind === 'pointer') return this.address(type);
      return this.paths(p => same(p.type, type))?.text ?? this.freshRecord(type);
    });
    return args.includes(undefined) ? undefined : args.join(', ');
  }

  /** A member of a struct that a function returns, or of one of two. */
  private member(depth: number): string | undefined {
    const [a] = [this.paths(p => p.type.kind === 'struct')];
    if (a === undefined || a.type.kind !== 'struct') return undefined;
    const { type } = a;
    const field = type.fields.find(f => f.type.kind === 'int');
    if (field === undefined) return undefined;
    const read = (text: string) => `((${(field.type as IntType).name})${text}.${field.name})`;
    const pure = this.functions.filter(f => f.isPure && f.result === type);
    const args = pure.length > 0 && this.calls > 0 ? this.args(pure[0], 0) : undefined;
    if (args !== undefined) {
      this.calls--;
      return read(`${pure[0].name}(${args})`);
    }
    const b = this.paths(p => p.type === type) ?? a;
    return read(`(${this.expression(Math.min(1, depth - 1))} ? ${a.text} : ${b.text})`);
  }

  /** The same bytes as another type. */
  private punned(): string | undefined {
    const path = this.paths(p => p.bits === undefined && isSolid(p.type));
    if (path === undefined) return undefined;
    const width = leafWidth(path.type);
    const type = this.pick(INTS.filter(t => t.bits <= width && !/^(unsigned )?long$/.test(t.name)));
    const at = this.random.below(Math.floor(leastSize(path.type) / (type.bits / 8)));
    return `((${type.name} *)&${path.text})[${at}]`;
  }

  private aboutPointers(): string | undefined {
    const array = this.paths(p => p.type.kind === 'array');
    if (array !== undefined && array.type.kind === 'array' && this.chance(0.5)) {
      const { length } = array.type;
      const [a, b] = [this.index(length), this.index(length)];
      return this.chance(0.5)
        ? `((int)(&${array.text}[${a}] - &${array.text}[${b}]))`
        : `(&${array.text}[${a}] ${this.pick(['<', '>=', '==', '!='])} &${array.text}[${b}])`;
    }
    const p = this.paths(q => q.type.kind === 'pointer');
    if (p === undefined || p.type.kind !== 'pointer') return undefined;
    const { to } = p.type;
    const other = this.paths(q => q.type.kind === 'pointer' && same(q.type.to, to));
    return this.chance(0.3) || other === undefined ? `(${p.text} != 0)` : `(${p.text} == ${other.text})`;
  }

  // ---- statements ----

  private statement(): void {
    const { random } = this;
    switch (this.depth > 2 ? 19 : random.below(20)) {
      case 0:
      case 1:
        this.conditional();
        break;
      case 2:
      case 3:
        this.loop();
        break;
      case 4:
        this.switching();
        break;
      case 5:
      case 6:
        this.call();
        break;
      case 7:
      case 8:
        this.aggregate();
        break;
      case 9:
      case 10:
        this.repoint();
        break;
      case 11:
        this.bytes();
        break;
      case 12:
      case 13:
      case 14:
        this.gadget();
        break;
      default:
        this.assignment();
        break;
    }
  }

  private nested(count: number): void {
    this.depth++;
    for (let i = 1 + this.random.below(count); i > 0; i--) this.statement();
    this.depth--;
  }

  private assignment(): void {
    const path = this.target(p => p.type.kind === 'int');
    if (path === undefined) return;
    const type = path.type as IntType;
    const isWide = path.bits !== undefined && type.bits === 64;
    const { text } = path;
    const kind = this.random.below(8);
    // A function that is called in the expression must not be told of what is assigned to.
    if (kind < 4 || isWide || type === BOOL) this.lines.push(`${text} = ${this.expression(3)};`);
    else if (kind === 4) this.lines.push(`${text}${this.pick(['++', '--'])};`);
    else if (kind === 5)
      this.lines.push(`${text} ${this.pick(['/=', '%='])} ${this.divisor(() => this.leaf())};`);
    else if (kind === 6 && type.bits >= 32)
      this.lines.push(`${text} ${this.pick(['<<=', '>>='])} ${this.random.below(type.bits)};`);
    else this.lines.push(`${text} ${this.pick(['+=', '-=', '*=', '&=', '|=', '^='])} ${this.expression(2)};`);
  }

  private conditional(): void {
    this.lines.push(`if (${this.expression(2)}) {`);
    this.nested(2);
    if (this.chance(0.5)) {
      this.lines.push('} else {');
      this.nested(2);
    }
    this.lines.push('}');
  }

  private loop(): void {
    const i = this.name('i');
    const count = 1 + this.random.below(5);
    const kind = this.random.below(4);
    if (kind === 0) this.lines.push(`{ unsigned ${i} = 0; do {`);
    else if (kind === 1) this.lines.push(`{ unsigned ${i} = 0; while (${i} < ${count}) {`);
    else if (kind === 2) this.lines.push(`{ unsigned ${i} = 0; again${i}: {`);
    else this.lines.push(`{ for (unsigned ${i} = 0; ${i} < ${count}; ${i}++) {`);
    this.loops.push(i);
    this.nested(3);
    if (this.chance(0.3) && kind === 3) this.lines.push(`if (${this.expression(1)}) continue;`);
    if (this.chance(0.3) && kind !== 2) this.lines.push(`if (${this.expression(1)}) break;`);
    if (this.chance(0.5)) this.assignment();
    this.loops.pop();
    if (kind === 0) this.lines.push(`} while (++${i} < ${count}); }`);
    else if (kind === 1) this.lines.push(`${i}++; } }`);
    else if (kind === 2) this.lines.push(`if (++${i} < ${count}) goto again${i}; } }`);
    else this.lines.push('} }');
  }

  private switching(): void {
    const type = this.pick(INTS.filter(x => x.bits >= 16));
    this.lines.push(`switch ((${type.name})${this.expression(2)}${this.chance(0.7) ? ' & 7' : ''}) {`);
    const cases = [0, 1, 2, 3, 5, 7, -1].filter(() => this.chance(0.5));
    if (this.chance(0.6)) cases.splice(this.random.below(cases.length + 1), 0, NaN);
    for (const c of cases) {
      this.lines.push(Number.isNaN(c) ? 'default:' : `case ${c}:`);
      if (this.chance(0.8)) this.nested(2);
      this.lines.push(this.chance(0.6) ? 'break;' : ';');
    }
    this.lines.push('}');
  }

  /** A call whose result is kept. */
  private call(): void {
    const callable = this.functions.filter(f => !this.isPure || f.isPure);
    if (callable.length === 0 || this.calls === 0) return;
    const f = this.pick(callable);
    const args = this.args(f, 2);
    if (args === undefined) return;
    this.calls--;
    const name = f.name.replace('#', `${this.leaf()} & 1`);
    const target = this.target(
      p => same(p.type, f.result) || (p.type.kind === 'int' && f.result.kind === 'int'),
    );
    const result = this.name('r');
    this.lines.push(`{ ${declaration(f.result, result)} = ${name}(${args});`);
    if (target !== undefined) this.lines.push(`${target.text} = ${result};`);
    this.lines.push('}');
  }

  /** A struct is copied. */
  private aggregate(): void {
    const target = this.target(p => p.type.kind === 'struct' || p.type.kind === 'union');
    if (target === undefined) return;
    const source = this.paths(p => same(p.type, target.type));
    if (source === undefined || this.chance(0.1))
      this.lines.push(`${target.text} = ${this.freshRecord(target.type)};`);
    else if (this.chance(0.3))
      this.lines.push(`memmove(&${target.text}, &${source.text}, sizeof(${declaration(target.type, '')}));`);
    else this.lines.push(`${target.text} = ${source.text};`);
  }

  private repoint(): void {
    const target = this.target(p => p.type.kind === 'pointer');
    if (target === undefined || target.type.kind !== 'pointer') return;
    const [a, b] = [this.address(target.type), this.address(target.type)];
    if (a === undefined || b === undefined) return;
    this.lines.push(`${target.text} = ${this.chance(0.5) ? a : `${this.expression(1)} ? ${a} : ${b}`};`);
  }

  /** Bytes are written, one by one or many at once. */
  private bytes(): void {
    const target = this.target(p => p.bits === undefined && isSolid(p.type));
    if (target === undefined) return;
    const size = leastSize(target.type);
    const at = this.random.below(size);
    switch (this.random.below(4)) {
      case 0:
        this.lines.push(`((unsigned char *)&${target.text})[${at}] = (unsigned char)${this.expression(2)};`);
        break;
      case 1:
        this.lines.push(`memset(&${target.text}, (int)${this.expression(1)}, ${1 + at});`);
        break;
      case 2: {
        const source = this.paths(p => p.bits === undefined && isSolid(p.type));
        if (source === undefined) return;
        const length = 1 + this.random.below(Math.min(size, leastSize(source.type)));
        this.lines.push(`memmove(&${target.text}, &${source.text}, ${length});`);
        break;
      }
      default: {
        const i = this.name('i');
        this.lines.push(
          `for (unsigned ${i} = 0; ${i} < ${1 + at}; ${i}++) ((unsigned char *)&${target.text})[${i}] ^= (unsigned char)(${i} + ${this.leaf()});`,
        );
      }
    }
  }

  /** Small pieces as programs have them. */
  private gadget(): void {
    const n = this.name('n');
    const e = () => this.expression(1);
    if (this.isPure) return;
    const target = this.target(p => p.type.kind === 'int' && p.bits === undefined && p.type !== BOOL);
    if (target === undefined) return;
    const out = target.text;
    this.lines.push(
      this.pick([
        // A list on the heap.
        `{ struct L${n} { ${this.pick(INTS).name} v; struct L${n} *next; } *l${n} = 0;
          for (int i = 0; i < 3; i++) { struct L${n} *c = malloc(sizeof *c); c->v = i * 3 + (int)${e()}; c->next = l${n}; l${n} = c; }
          for (struct L${n} *c = l${n}; c; c = c->next) ${out} += c->v; }`,
        // From a member to what it is in.
        `{ struct C${n} { char a; ${this.pick(INTS).name} b; short c; } c${n} = { 1, (char)${e()}, 3 }; short *p = &c${n}.c;
          struct C${n} *q = (struct C${n} *)((char *)p - __builtin_offsetof(struct C${n}, c)); q->b += 2; ${out} = c${n}.b + q->a; }`,
        // A member of variable length.
        `{ struct F${n} { int k; ${this.pick(INTS).name} d[]; } *f = malloc(sizeof *f + 3 * sizeof f->d[0]); f->k = 3;
          for (int i = 0; i < f->k; i++) f->d[i] = i + ${e()}; ${out} ^= f->d[${this.index(3)}] + f->k; }`,
        // Exchange through pointers.
        `{ int a${n} = (int)${e()}, b${n} = (int)${e()}; int *p = &a${n}, *q = &b${n}; if (*p > *q) { int t = *p; *p = *q; *q = t; } ${out} = a${n} - 2 * b${n}; }`,
        // A string.
        `{ const char *s = ${this.pick(['"abc"', '"\\377z"', '""'])}; int k = 0; while (s[k]) k++; ${out} += k * 7 + s[0]; }`,
        // An array whose length is known at run time only.
        `{ unsigned k = ((unsigned)${e()} & 3) + 1; ${this.pick(INTS).name} a${n}[k]; for (unsigned i = 0; i < k; i++) a${n}[i] = i * i - 2; ${out} -= a${n}[k - 1]; }`,
        // Sorting.
        `{ ${this.pick(INTS).name} a${n}[4] = { ${e()}, ${e()}, ${e()}, 5 }; for (int i = 0; i < 3; i++) for (int j = 0; j < 3 - i; j++) if (a${n}[j] > a${n}[j + 1]) { long long t = a${n}[j]; a${n}[j] = a${n}[j + 1]; a${n}[j + 1] = t; } ${out} = a${n}[0] + 3 * a${n}[2]; }`,
        // A pointer that runs along an array.
        `{ ${this.pick(INTS).name} a${n}[5] = { 1, 2, ${e()} }, *p = a${n}, *q = a${n} + 5; while (p != q) { *p++ += 3; } while (p-- != a${n}) ${out} = ${out} * 3 + *p; }`,
        // A pointer to a pointer.
        `{ int a${n} = 4, b${n} = (int)${e()}; int *p = &a${n}; int **pp = &p; **pp += 3; *pp = &b${n}; *p ^= 5; ${out} += a${n} * b${n}; }`,
        // Objects of two types behind one pointer.
        `{ struct V${n} { char t; ${this.pick(INTS).name} v; } s${n} = { 1, ${e()} }; ${this.pick(INTS).name} i${n} = ${e()}; void *p = ${e()} ? (void *)&s${n} : (void *)&i${n};
          if (p == (void *)&s${n}) ((struct V${n} *)p)->v++; else ++*(__typeof__(i${n}) *)p; ${out} += s${n}.v * 3 + i${n} + s${n}.t; }`,
        // Pointers as numbers and back.
        `{ int a${n}[3] = { 1, ${e()}, 3 }; size u = (size)&a${n}[1]; int *p = (int *)(u + ${this.pick(['4', '0', 'sizeof(int)'])}); *p += 2; p = (int *)(u - 4); *p ^= 1; ${out} += a${n}[0] + a${n}[1] * 3 + a${n}[2] * 5 + !(u & 3); }`,
        `{ int a${n} = ${e()}, b${n} = 7; u64 w = (u64)(size)&a${n}; int *p = (int *)(size)w; *p += 5; ${out} ^= a${n} + b${n}; }`,
        `{ int a${n} = ${e()}, b${n} = 7; size u = (size)&a${n} | 1, w = (size)&a${n} ^ (size)&b${n}; if (u & 1) *(int *)(u & ~(size)1) += 3; *(int *)(w ^ (size)&a${n}) -= 2; ${out} ^= a${n} * 3 + b${n}; }`,
        // A union of a pointer and something else.
        `{ int a${n} = 3, b${n} = ${e()}; union { int *p; size u; char c[sizeof(int *)]; } x${n}; x${n}.p = &a${n}; *x${n}.p += 1; union { int *p; size u; char c[sizeof(int *)]; } *q = (void *)&x${n}; q->p = &b${n}; *x${n}.p ^= 9; ${out} += a${n} * 5 - b${n}; }`,
        // Pointers copied with what they are in, byte by byte or all at once.
        `{ int a${n} = 1, b${n} = ${e()}; struct P${n} { int *p; char c; int *q[2]; } x = { &a${n}, 2, { &b${n}, &a${n} } }, y; ${this.pick(['memcpy', 'copy', 'memmove'])}(&y, &x, sizeof x); *y.p += 4; *y.q[${this.index(2)}] *= 3; struct P${n} z[2] = { y, x }; z[${this.index(2)}].q[1] = &b${n}; *z[0].q[1] -= 7; *z[1].p += 1; ${out} ^= a${n} + 11 * b${n} + z[1].c; }`,
        // Rows of a table.
        `{ ${this.pick(INTS).name} m${n}[3][4] = { { 1, 2 }, { ${e()} } }; __typeof__(m${n}[0]) *r = m${n} + 1; r[0][2] = 5; (*r)[1] += 3; r++; (*r)[3] = r[-1][0]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) ${out} = ${out} * 3 + m${n}[i][j]; }`,
        // Effects within expressions.
        `{ int k = 0, a${n}[4] = { 0 }; int x = 5, y; while (k < 3) a${n}[k++] = (y = x--, y * 2) + ${e()}; a${n}[--k] += ++x; ${out} -= a${n}[0] + a${n}[2] * 7 + (y += 3) + k; }`,
        // A loop that is entered in its middle.
        `{ int k = 0; unsigned c = ((unsigned)${e()} & 3) + 1; switch (c & 3) { case 0: do { k += 5; case 3: k *= 3; case 2: k -= 1; case 1: k ^= 2; } while (--c > 3); } ${out} += k; }`,
        // A tree.
        `{ struct T${n} { struct T${n} *l, *r; int v; } t${n}[4]; for (int i = 0; i < 4; i++) { t${n}[i].l = t${n}[i].r = 0; t${n}[i].v = i * 37 % 11 + ${e()} % 3; }
          for (int i = 1; i < 4; i++) { struct T${n} *c = &t${n}[0]; for (;;) { struct T${n} **w = t${n}[i].v < c->v ? &c->l : &c->r; if (*w == 0) { *w = &t${n}[i]; break; } c = *w; } }
          struct T${n} *c = t${n}; int d = 0; while (c->l) { c = c->l; d++; } ${out} += c->v * 5 + d; }`,
        // Functions behind a struct and a pointer without a type.
        `{ struct O${n} { int (*f)(void *, int); void *self; } o${n}[2]; int a${n} = ${e()}; struct { short s; int t; } b${n} = { 3, 4 }; o${n}[0].f = add; o${n}[0].self = &a${n}; o${n}[1].f = put; o${n}[1].self = &b${n}.t;
          for (int i = 0; i < 2; i++) ${out} += o${n}[i].f(o${n}[i].self, i + 2); ${out} ^= a${n} + b${n}.t * 3 + b${n}.s; }`,
        // A queue in an array.
        `{ struct { unsigned char head, tail; ${this.pick(INTS).name} d[4]; } q${n} = { 0 }; for (int i = 0; i < 6; i++) { q${n}.d[q${n}.tail++ & 3] = i + ${e()}; if (i & 1) ${out} = ${out} * 5 + q${n}.d[q${n}.head++ & 3]; } ${out} -= q${n}.tail - q${n}.head; }`,
        // Memory of variable size in a loop.
        `{ unsigned char *p[3]; for (unsigned i = 0; i < 3; i++) { p[i] = malloc(i + 2); for (unsigned j = 0; j < i + 2; j++) p[i][j] = (unsigned char)(i * 16 + j + ${e()}); } ${out} += p[0][1] * 3 + p[2][${this.index(4)}] + p[1][2]; }`,
        // Floating point, which is never infinite nor out of range.
        `{ double d = ${e()}; float f = (float)${e()} / 7; d = d * 0.3 - f; ${out} += d > -1e9 && d < 1e9 ? (int)d : 3; ${out} ^= (d < f) + 2 * (f >= 0.5f) + 4 * ((float)d == d); union { double d; u64 u; } x${n}; x${n}.d = 1 / (d * d + 1) + (unsigned short)${e()}; ${out} += (int)(x${n}.u >> 13) ^ (int)x${n}.u; }`,
        `{ float s = 0; for (int i = 1; i < 4; i++) s += 1.1f / (i + (unsigned char)${e()}); union { float f; int i; } x${n} = { -s }; ${out} ^= x${n}.i + (int)(s * 1000) + (unsigned char)(s * 2); x${n}.f = (float)(${e()}) * 1e-40f; ${out} += x${n}.i; }`,
        // Bytes whose number is known at run time only.
        `{ unsigned char a${n}[8] = "abcdefg", b${n}[8] = { 0 }; memcpy(b${n}, a${n} + 1, ((unsigned)${e()} & 3) + 2); ${out} += b${n}[${this.index(8)}] + b${n}[1]; }`,
      ]),
    );
  }
}

// ---- about types ----

function declaration(type: Type, name: string): string {
  switch (type.kind) {
    case 'int':
    case 'struct':
    case 'union':
      return `${type.name}${name === '' ? '' : ` ${name}`}`;
    case 'array':
      return declaration(type.of, `${name}[${type.length}]`);
    case 'pointer':
      return declaration(type.to, `*${name}`);
  }
}

function same(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind === 'int' && b.kind === 'int') return a.name === b.name;
  if (a.kind === 'array' && b.kind === 'array') return a.length === b.length && same(a.of, b.of);
  return false;
}

function hasPointer(type: Type): boolean {
  if (type.kind === 'pointer') return true;
  if (type.kind === 'array') return hasPointer(type.of);
  return type.kind !== 'int' && type.fields.some(f => hasPointer(f.type));
}

function hasUnion(type: Type): boolean {
  if (type.kind === 'array') return hasUnion(type.of);
  return type.kind === 'union' || (type.kind === 'struct' && type.fields.some(f => hasUnion(f.type)));
}

/** Is every byte of it part of a number that may be anything? */
function isSolid(type: Type): boolean {
  switch (type.kind) {
    case 'int':
      return type.bits > 1;
    case 'array':
      return isSolid(type.of);
    case 'pointer':
      return false;
    case 'union':
      return true;
    case 'struct': {
      const [{ type: first }] = type.fields;
      return (
        first.kind === 'int' &&
        isSolid(first) &&
        type.fields.every(f => f.bits === undefined && same(f.type, first))
      );
    }
  }
}

/** In bytes, in the data model in which it is least. */
function leastSize(type: Type): number {
  switch (type.kind) {
    case 'int':
      return Math.ceil(type.bits / 8);
    case 'array':
      return type.length * leastSize(type.of);
    case 'pointer':
      return 4;
    case 'union':
      return Math.max(...type.fields.map(f => leastSize(f.type)));
    case 'struct':
      return type.fields.reduce((sum, f) => sum + leastSize(f.type), 0);
  }
}

/** Of the numbers that it begins with, in bits. */
function leafWidth(type: Type): number {
  switch (type.kind) {
    case 'int':
      return type.bits;
    case 'array':
      return leafWidth(type.of);
    case 'pointer':
      return 32;
    case 'struct':
    case 'union':
      return leafWidth(type.fields[0].type);
  }
}
