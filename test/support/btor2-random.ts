/** Random BTOR2 models of a few bits, as text: all operators, negative operands, arrays, several bad states, constraints. */
import type { Random } from './random.ts';

/** Operators by the sorts of operands and result: w is any width, the same throughout, 1 is one bit. */
const SAME_WIDTH = 'and nand nor or xnor xor rol ror sll sra srl add mul sdiv udiv smod srem urem sub'.split(
  ' ',
);
const COMPARE =
  'eq neq sgt ugt sgte ugte slt ult slte ulte saddo uaddo sdivo udivo smulo umulo ssubo usubo'.split(' ');
const UNARY = 'not inc dec neg'.split(' ');
const REDUCE = 'redand redor redxor'.split(' ');
const ONE_BIT = 'iff implies'.split(' ');
const OTHERS = 'slice sext uext concat ite read write eq'.split(' ');
export const OPERATORS: readonly string[] = [
  ...new Set([...SAME_WIDTH, ...COMPARE, ...UNARY, ...REDUCE, ...ONE_BIT, ...OTHERS]),
];

const MAX_WIDTH = 4;

interface Node {
  readonly id: number;
  readonly sort: string; // 'bitvec 3', or 'array 1 2' with the widths of index and element
}

export interface RandomModel {
  readonly text: string;
  readonly badCount: number;
}

export function randomModel(random: Random): RandomModel {
  return new Generator(random).model();
}

class Generator {
  private readonly random: Random;
  private readonly lines: string[] = [];
  private readonly sorts = new Map<string, number>();
  private readonly nodes: Node[] = [];
  private readonly states: Node[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  model(): RandomModel {
    const { random, lines } = this;
    lines.push('; a random model');
    for (let w = 1; w <= 3; w++) this.constants(w);
    for (let i = 1 + random.below(3); i > 0; i--) {
      this.grow(2);
      const mayBeArray = !this.states.some(s => isArray(s.sort));
      this.state(mayBeArray && random.chance(0.2) ? 'array 1 2' : `bitvec ${1 + random.below(3)}`);
    }
    for (let i = random.below(3); i > 0; i--) {
      const sort = `bitvec ${1 + random.below(2)}`;
      this.nodes.push({ id: this.line('input', this.sort(sort)), sort });
    }
    this.grow(25);
    for (const { id, sort } of this.states) {
      if (random.chance(0.9)) this.line('next', this.sort(sort), id, this.operand(sort));
    }
    const badCount = 1 + random.below(2);
    for (let i = 0; i < badCount; i++)
      this.line('bad', this.operand('bitvec 1'), random.pick(['', `bad${i}`]));
    if (random.chance(0.25)) this.line('constraint', this.operand('bitvec 1'), '; why not');
    if (random.chance(0.1)) this.line('output', this.operand('bitvec 2'), 'out');
    return { text: `${lines.join('\n')}\n`, badCount };
  }

  private constants(width: number): void {
    const { random } = this;
    const sort = `bitvec ${width}`;
    const keyword = random.pick(['zero', 'one', 'ones', 'const', 'constd', 'consth']);
    const value = random.below(2 ** width);
    const digits = {
      const: value.toString(2).padStart(width, '0'),
      constd: String(random.chance(0.3) ? -(2 ** (width - 1)) : value),
      consth: value.toString(16),
    }[keyword];
    this.nodes.push({ id: this.line(keyword, this.sort(sort), digits ?? ''), sort });
  }

  /** A state, initialised by what there is so far, other states included. */
  private state(sort: string): void {
    const { random } = this;
    const candidates = this.nodes.filter(n => n.sort === sort || (isArray(sort) && n.sort === 'bitvec 2'));
    const symbol = random.pick(['', '', 'x', `s${this.lines.length}`]);
    const id = this.line('state', this.sort(sort), symbol);
    if (candidates.length > 0 && random.chance(0.75))
      this.line('init', this.sort(sort), id, random.pick(candidates).id);
    this.nodes.push({ id, sort });
    this.states.push({ id, sort });
  }

  private grow(count: number): void {
    for (let i = 0; i < count; i++) this.application(this.random.pick(OPERATORS));
  }

  private application(keyword: string): void {
    const { random } = this;
    const a = random.pick(this.nodes);
    const width = widthOf(a.sort);
    if (keyword === 'ite' || ((keyword === 'eq' || keyword === 'neq') && isArray(a.sort))) {
      if (keyword === 'ite')
        this.add(a.sort, 'ite', this.operand('bitvec 1'), this.operand(a.sort), this.operand(a.sort));
      else this.add('bitvec 1', keyword, a.id, this.operand(a.sort));
      return;
    }
    if (keyword === 'read' || keyword === 'write') {
      const array = this.nodes.find(n => isArray(n.sort));
      if (array === undefined) return;
      if (keyword === 'read')
        this.add('bitvec 2', 'read', this.operand(array.sort), this.operand('bitvec 1'));
      else this.add(array.sort, 'write', array.id, this.operand('bitvec 1'), this.operand('bitvec 2'));
      return;
    }
    if (isArray(a.sort)) return;
    const same = () => this.operand(a.sort);
    if (UNARY.includes(keyword)) this.add(a.sort, keyword, same());
    else if (REDUCE.includes(keyword)) this.add('bitvec 1', keyword, same());
    else if (ONE_BIT.includes(keyword))
      this.add('bitvec 1', keyword, this.operand('bitvec 1'), this.operand('bitvec 1'));
    else if (COMPARE.includes(keyword)) this.add('bitvec 1', keyword, same(), same());
    else if (SAME_WIDTH.includes(keyword)) this.add(a.sort, keyword, same(), same());
    else if (keyword === 'slice') {
      const low = random.below(width);
      const high = low + random.below(width - low);
      this.add(`bitvec ${high - low + 1}`, 'slice', same(), high, low);
    } else if (keyword === 'concat') {
      const b = random.pick(this.nodes.filter(n => !isArray(n.sort)));
      if (width + widthOf(b.sort) <= MAX_WIDTH)
        this.add(`bitvec ${width + widthOf(b.sort)}`, 'concat', same(), this.operand(b.sort));
    } else {
      const by = random.below(MAX_WIDTH - width + 1);
      this.add(`bitvec ${width + by}`, keyword, same(), by);
    }
  }

  private add(sort: string, keyword: string, ...rest: readonly number[]): void {
    const id = this.line(keyword, this.sort(sort), ...rest);
    this.nodes.push({ id, sort });
  }

  /** Some node of a sort, or its complement. */
  private operand(sort: string): number {
    const { random } = this;
    const candidates = this.nodes.filter(n => n.sort === sort);
    if (candidates.length === 0) {
      const id = this.line('ones', this.sort(sort));
      this.nodes.push({ id, sort });
      return id;
    }
    const { id } = random.pick(candidates);
    return !isArray(sort) && random.chance(0.15) ? -id : id;
  }

  private sort(sort: string): number {
    let id = this.sorts.get(sort);
    if (id !== undefined) return id;
    const [kind, ...widths] = sort.split(' ');
    const parts = kind === 'array' ? widths.map(w => this.sort(`bitvec ${w}`)) : widths;
    id = this.line('sort', kind, ...parts);
    this.sorts.set(sort, id);
    return id;
  }

  private line(...words: readonly (string | number)[]): number {
    const id = this.lines.length + 1;
    this.lines.push([id, ...words].join(' ').trimEnd());
    return id;
  }
}

function isArray(sort: string): boolean {
  return sort.startsWith('array');
}

function widthOf(sort: string): number {
  return Number(sort.split(' ')[1]);
}
