/**
 * Which functions may a call through a pointer call? Those of its type whose address is taken, at most. Where the pointer is
 * read from a field of a struct, those that the program puts into that field are more likely than others, which counts where nothing
 * is known of the struct. `points-to.ts` knows more about those that the program itself brings there.
 */
import type { Layout } from './layout.ts';
import type {
  CallInstruction,
  Constant,
  FunctionDefinition,
  FunctionType,
  Instruction,
  Module,
  Operand,
  Type,
} from './module.ts';

interface Callees {
  readonly fitting: readonly string[];
  /** Those of them that the program puts into the field that the pointer is read from. */
  readonly inField: readonly string[];
}

export class IndirectCalls {
  private readonly module: Module;
  private readonly layout: Layout;
  private readonly taken = new Set<FunctionDefinition>();
  private readonly inField = new Map<string, Set<FunctionDefinition>>(); // by struct and field
  private readonly definitions = new Map<FunctionDefinition, ReadonlyMap<string, Instruction>>();

  constructor(module: Module, layout: Layout) {
    this.module = module;
    this.layout = layout;
    for (const v of module.variables.values()) {
      if (v.initializer !== undefined) this.look(v.initializer, undefined);
    }
    for (const f of module.functions.values()) {
      for (const block of f.blocks) for (const i of block.instructions) this.lookAt(f, i);
    }
  }

  callees(caller: FunctionDefinition, call: CallInstruction): Callees {
    const fitting = [...this.taken].filter(f => this.fits(f.type, call.type));
    const field = call.callee === 'asm' ? undefined : this.fieldRead(caller, call.callee);
    const own = field === undefined ? undefined : this.inField.get(field);
    return {
      fitting: fitting.map(f => f.name),
      inField: fitting.filter(f => own?.has(f)).map(f => f.name),
    };
  }

  private fits(a: FunctionType, b: FunctionType): boolean {
    const widths = (t: Type) =>
      this.layout
        .leaves(t)
        .map(l => l.width)
        .join(' ');
    if (widths(a.result) !== widths(b.result)) return false;
    if (a.isVariadic || b.isVariadic) return true;
    return (
      a.parameters.length === b.parameters.length &&
      a.parameters.every((p, i) => widths(p) === widths(b.parameters[i]))
    );
  }

  /** A function's name is its address everywhere but where it is called. */
  private lookAt(f: FunctionDefinition, i: Instruction): void {
    if (i.op === 'store') this.look(i.value, this.fieldOf(f, i.pointer));
    else for (const o of addressOperands(i)) this.look(o, undefined);
  }

  private look(operand: Operand | undefined, field: string | undefined): void {
    if (operand === undefined || operand.kind === 'local') return;
    if (operand.kind === 'global') {
      const f = this.module.functions.get(operand.name);
      if (f === undefined) return;
      this.taken.add(f);
      if (field === undefined) return;
      const own = this.inField.get(field);
      if (own === undefined) this.inField.set(field, new Set([f]));
      else own.add(f);
    } else if (operand.kind === 'aggregate') {
      const { type } = operand;
      operand.elements.forEach((e, i) => {
        this.look(e, type.kind === 'struct' && type.name !== undefined ? `${type.name} ${i}` : field);
      });
    } else if (operand.kind === 'expression') for (const o of operand.operands) this.look(o, undefined);
  }

  /** The field of a struct that a pointer was read from. */
  private fieldRead(f: FunctionDefinition, operand: Operand): string | undefined {
    const i = this.definition(f, operand);
    return i?.op === 'load' ? this.fieldOf(f, i.pointer) : undefined;
  }

  /** The field of a struct that an address is of. */
  private fieldOf(f: FunctionDefinition, pointer: Operand): string | undefined {
    const i = this.definition(f, pointer);
    if (i?.op !== 'gep') return undefined;
    let at: Type = i.sourceType;
    let field: string | undefined;
    for (const index of i.indices.slice(1)) {
      if (at.kind === 'array') at = at.element;
      else if (at.kind === 'struct') {
        const n = Number((index as Extract<Constant, { kind: 'integer' }>).value);
        field = at.name === undefined ? undefined : `${at.name} ${n}`;
        at = at.fields[n];
      } else return undefined;
    }
    return field;
  }

  private definition(f: FunctionDefinition, operand: Operand): Instruction | undefined {
    if (operand.kind !== 'local') return undefined;
    let all = this.definitions.get(f);
    if (all === undefined) {
      const found = new Map<string, Instruction>();
      for (const block of f.blocks) {
        for (const i of block.instructions)
          if ('result' in i && i.result !== undefined) found.set(i.result, i);
      }
      all = found;
      this.definitions.set(f, all);
    }
    return all.get(operand.name);
  }
}

function addressOperands(i: Instruction): readonly (Operand | undefined)[] {
  switch (i.op) {
    case 'binary':
    case 'icmp':
    case 'select':
      return [i.a, i.b];
    case 'cast':
    case 'freeze':
      return [i.value];
    case 'phi':
      return i.incoming.map(x => x.value);
    case 'insertvalue':
      return [i.element];
    case 'call':
      return i.args;
    case 'ret':
      return [i.value];
    case 'gep':
      return [i.base];
    default:
      return [];
  }
}
