/**
 * BTOR2 on its own: a direct interpreter of the text over BigInts, which knows nothing of terms or systems, with a search
 * through all states, a replay of witnesses in the manner of `btorsim`, and a check of witness circuits. What the reader
 * and the writers do is held against it.
 *
 * Vectors are BigInts, arrays are lists of BigInts, one for each index.
 */
type Value = bigint | readonly bigint[];

interface Sort {
  readonly width: number; // of elements, for an array
  readonly indexWidth: number; // 0 for a vector
}

interface Line {
  readonly id: number;
  readonly keyword: string;
  readonly sort: Sort | undefined;
  readonly words: readonly string[]; // after the sort
}

interface Variable {
  readonly id: number;
  readonly sort: Sort;
  init: number | undefined;
  next: number | undefined;
}

export type State = readonly Value[];

export class Btor2Model {
  readonly states: Variable[] = [];
  readonly inputs: Variable[] = [];
  readonly bads: number[] = [];
  private readonly constraints: number[] = [];
  private readonly lines: Line[] = []; // those with a value
  private readonly byId = new Map<number, Line>();

  constructor(text: string) {
    const sorts = new Map<number, Sort>();
    for (const row of text.split('\n')) {
      const [id, keyword, ...words] = row
        .replace(/(^|\s);.*$/, '')
        .trim()
        .split(/\s+/);
      if (keyword === undefined) continue;
      if (keyword === 'sort') sorts.set(Number(id), sortOf(words, sorts));
      else this.add(Number(id), keyword, words, sorts);
    }
  }

  private add(id: number, keyword: string, words: readonly string[], sorts: ReadonlyMap<number, Sort>): void {
    const [first, second, third] = words.map(Number);
    const stateOf = (state: number) => this.states.find(s => s.id === state) as Variable;
    switch (keyword) {
      case 'bad':
        this.bads.push(first);
        return;
      case 'constraint':
        this.constraints.push(first);
        return;
      case 'output':
      case 'fair':
      case 'justice':
        return;
      case 'init':
        stateOf(second).init = third;
        return;
      case 'next':
        stateOf(second).next = third;
        return;
    }
    const sort = sorts.get(first) as Sort;
    const variable = { id, sort, init: undefined, next: undefined };
    if (keyword === 'state') this.states.push(variable);
    if (keyword === 'input') this.inputs.push(variable);
    const line = { id, keyword, sort, words: words.slice(1) };
    this.lines.push(line);
    this.byId.set(id, line);
  }

  /** The values of all lines in one step. */
  evaluate(state: State, input: State): (id: number) => Value {
    const values = new Map<number, Value>();
    this.states.forEach((s, i) => void values.set(s.id, state[i]));
    this.inputs.forEach((v, i) => void values.set(v.id, input[i]));
    const value = (id: number): Value => {
      const found = values.get(Math.abs(id)) as Value;
      const sort = this.byId.get(Math.abs(id))?.sort as Sort;
      return id > 0 ? found : BigInt.asUintN(sort.width, ~(found as bigint));
    };
    for (const line of this.lines) {
      if (!values.has(line.id)) values.set(line.id, this.compute(line, value));
    }
    return value;
  }

  allowed(value: (id: number) => Value): boolean {
    return this.constraints.every(c => value(c) === 1n);
  }

  /** All initial states, with the given values of states that have no initial value; every value if none is given. */
  initialStates(given: readonly (Value | undefined)[] = []): State[] {
    let found: (Value | undefined)[][] = [[]];
    this.states.forEach((s, i) => {
      const choices =
        s.init !== undefined ? [undefined] : given[i] !== undefined ? [given[i]] : allValues(s.sort);
      found = found.flatMap(f => choices.map(c => [...f, c]));
    });
    return found.map(f => this.completed(f));
  }

  /** Fills in initial values, which may depend on each other, until nothing is missing. */
  private completed(partial: readonly (Value | undefined)[]): State {
    const state = [...partial];
    for (let round = 0; state.includes(undefined); round++) {
      if (round > this.states.length) throw new Error('initial values depend on each other in a circle');
      this.states.forEach((s, i) => {
        if (state[i] !== undefined || s.init === undefined || !this.isKnown(s.init, state)) return;
        const blank = this.states.map((other, k) => state[k] ?? allValues(other.sort)[0]);
        const value = this.evaluate(
          blank,
          this.inputs.map(v => allValues(v.sort)[0]),
        )(s.init);
        const isFilled = s.sort.indexWidth > 0 && typeof value === 'bigint';
        state[i] = isFilled ? new Array<bigint>(1 << s.sort.indexWidth).fill(value) : value;
      });
    }
    return state as State;
  }

  /** Does an initial value mention only states whose value is known? */
  private isKnown(root: number, state: readonly (Value | undefined)[]): boolean {
    const stack = [Math.abs(root)];
    const seen = new Set<number>();
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const index = this.states.findIndex(s => s.id === id);
      if (index >= 0 && state[index] === undefined) return false;
      const line = this.byId.get(id) as Line;
      for (const a of line.words.slice(0, operandCount(line.keyword))) stack.push(Math.abs(Number(a)));
    }
    return true;
  }

  /** The states after a step; states without a next value are given, or take every value. */
  successors(value: (id: number) => Value, given: readonly (Value | undefined)[] = []): State[] {
    let found: Value[][] = [[]];
    this.states.forEach((s, i) => {
      const free = given[i] === undefined ? allValues(s.sort) : [given[i]];
      const choices = s.next === undefined ? free : [value(s.next)];
      found = found.flatMap(f => choices.map(c => [...f, c]));
    });
    return found;
  }

  allInputs(): State[] {
    return product(this.inputs.map(v => allValues(v.sort)));
  }

  /** All values of the states, or of the first of them. */
  allStates(count = this.states.length): State[] {
    return product(this.states.slice(0, count).map(v => allValues(v.sort)));
  }

  /** Can a bad state be reached, in so many steps? */
  reaches(bad: number, maxSteps = Number.POSITIVE_INFINITY): boolean {
    const seen = new Set<string>();
    let frontier = this.initialStates();
    const inputs = this.allInputs();
    for (let k = 0; k <= maxSteps && frontier.length > 0; k++) {
      const next: State[] = [];
      for (const state of frontier) {
        for (const input of inputs) {
          const value = this.evaluate(state, input);
          if (!this.allowed(value)) continue;
          if (value(this.bads[bad]) === 1n) return true;
          for (const successor of this.successors(value)) {
            const key = keyOf(successor);
            if (seen.has(key)) continue;
            seen.add(key);
            next.push(successor);
          }
        }
      }
      frontier = next;
    }
    return false;
  }

  /** What is wrong with a witness; undefined if it leads to the bad state it names. */
  replay(witness: string): string | undefined {
    const lines = witness.trimEnd().split('\n');
    if (lines.shift() !== 'sat') return 'no sat';
    const bad = Number(/^b(\d+)$/.exec(lines.shift() ?? '')?.[1]);
    if (lines.pop() !== '.') return 'no end';
    const frames: { states: Map<number, Value>; inputs: Map<number, Value> }[] = [];
    let part: { of: readonly Variable[]; to: Map<number, Value> } | undefined;
    for (const line of lines) {
      const header = /^([#@])(\d+)$/.exec(line);
      if (header !== null) {
        const frame = (frames[Number(header[2])] ??= { states: new Map(), inputs: new Map() });
        part =
          header[1] === '#' ? { of: this.states, to: frame.states } : { of: this.inputs, to: frame.inputs };
        continue;
      }
      const match = /^(\d+) (?:\[([01]+)\] )?([01]+)(?: \S+)?$/.exec(line);
      if (match === null || part === undefined) return `cannot read '${line}'`;
      const complaint = assign(part, Number(match[1]), match[2], match[3]);
      if (complaint !== undefined) return `${complaint}: '${line}'`;
    }
    return this.run(frames, bad);
  }

  private run(
    frames: readonly { states: ReadonlyMap<number, Value>; inputs: ReadonlyMap<number, Value> }[],
    bad: number,
  ): string | undefined {
    let value: ((id: number) => Value) | undefined;
    for (const [k, frame] of frames.entries()) {
      for (const index of frame.states.keys()) {
        const { init, next } = this.states[index];
        if ((k === 0 ? init : next) !== undefined) return `state ${index} is not free in step ${k}`;
      }
      // What a witness does not say is zero.
      const given = this.states.map((s, i) => frame.states.get(i) ?? allZero(s.sort));
      const inputs = this.inputs.map((v, i) => frame.inputs.get(i) ?? allZero(v.sort));
      const [state] = value === undefined ? this.initialStates(given) : this.successors(value, given);
      value = this.evaluate(state, inputs);
      if (!this.allowed(value)) return `a constraint is violated in step ${k}`;
    }
    return value?.(this.bads[bad]) === 1n ? undefined : `b${bad} is not reached`;
  }

  private compute(line: Line, value: (id: number) => Value): Value {
    const { keyword, words } = line;
    const sort = line.sort as Sort;
    const count = operandCount(keyword);
    const args = words.slice(0, count).map(w => value(Number(w)));
    const widths = words.slice(0, count).map(w => this.byId.get(Math.abs(Number(w)))?.sort?.width as number);
    if (keyword === 'read') return (args[0] as readonly bigint[])[Number(args[1])];
    if (keyword === 'write')
      return (args[0] as readonly bigint[]).map((e, i) => (i === Number(args[1]) ? (args[2] as bigint) : e));
    if (keyword === 'ite') return args[0] === 1n ? args[1] : args[2];
    if (keyword === 'eq' || keyword === 'neq')
      return BigInt((keyOf([args[0]]) === keyOf([args[1]])) === (keyword === 'eq'));
    const result = meaning(keyword, args as bigint[], widths, words.slice(count));
    return BigInt.asUintN(sort.width, typeof result === 'boolean' ? BigInt(result) : result);
  }
}

/**
 * What is wrong with a witness circuit of a model: its states and inputs must be the model's, and its one property must
 * hold initially, be kept by every step and imply the model's.
 */
export function witnessCircuitComplaint(
  model: Btor2Model,
  bad: number,
  circuit: Btor2Model,
): string | undefined {
  const shapes = (variables: readonly Variable[]) => JSON.stringify(variables.map(v => v.sort));
  if (shapes(model.states) !== shapes(circuit.states)) return 'it has other states';
  if (shapes(model.inputs) !== shapes(circuit.inputs)) return 'it has other inputs';
  const inputs = model.allInputs();
  const initial = new Set(model.initialStates().map(keyOf));
  if (circuit.initialStates().map(keyOf).sort().join() !== [...initial].sort().join())
    return 'it has other initial states';
  const good = new Set<string>(); // states in which the property holds whatever the inputs
  const states = model.allStates();
  for (const state of states) {
    const values = inputs.map(i => circuit.evaluate(state, i)).filter(v => circuit.allowed(v));
    if (values.every(v => v(circuit.bads[0]) === 0n)) good.add(keyOf(state));
    else if (initial.has(keyOf(state))) return 'its property does not hold initially';
  }
  for (const state of states) {
    for (const input of inputs) {
      const [ofModel, value] = [model.evaluate(state, input), circuit.evaluate(state, input)];
      if (model.allowed(ofModel) !== circuit.allowed(value)) return 'it has other constraints';
      if (!circuit.allowed(value) || value(circuit.bads[0]) === 1n) continue;
      if (ofModel(model.bads[bad]) === 1n) return 'its property does not imply that of the model';
      const [next] = [circuit.successors(value).map(keyOf)];
      if (next.join() !== model.successors(ofModel).map(keyOf).join()) return 'it has other steps';
      if (!next.every(n => good.has(n))) return 'its property is not inductive';
    }
  }
  return undefined;
}

function assign(
  { of, to }: { of: readonly Variable[]; to: Map<number, Value> },
  index: number,
  at: string | undefined,
  bits: string,
): string | undefined {
  const sort = of[index]?.sort;
  if (sort === undefined) return 'no such variable';
  if (bits.length !== sort.width) return 'wrong width';
  if ((at?.length ?? 0) !== sort.indexWidth) return 'wrong index';
  if (at === undefined) {
    if (to.has(index)) return 'assigned twice';
    to.set(index, BigInt(`0b${bits}`));
  } else {
    const array = [...((to.get(index) ?? allZero(sort)) as bigint[])];
    array[Number(`0b${at}`)] = BigInt(`0b${bits}`);
    to.set(index, array);
  }
  return undefined;
}

function sortOf([kind, a, b]: readonly string[], sorts: ReadonlyMap<number, Sort>): Sort {
  if (kind === 'bitvec') return { width: Number(a), indexWidth: 0 };
  return {
    width: (sorts.get(Number(b)) as Sort).width,
    indexWidth: (sorts.get(Number(a)) as Sort).width,
  };
}

const NO_OPERANDS = new Set(['state', 'input', 'zero', 'one', 'ones', 'const', 'constd', 'consth']);
const ONE_OPERAND = new Set('slice sext uext not inc dec neg redand redor redxor'.split(' '));

function operandCount(keyword: string): number {
  if (NO_OPERANDS.has(keyword)) return 0;
  if (ONE_OPERAND.has(keyword)) return 1;
  return keyword === 'ite' || keyword === 'write' ? 3 : 2;
}

/** Results are taken modulo the width. `w` is the width of the first operand. */
function meaning(
  keyword: string,
  [a, b]: readonly bigint[],
  [w = 1, v]: readonly number[],
  words: readonly string[],
): bigint | boolean {
  const signed = (x: bigint) => BigInt.asIntN(w, x);
  const size = 1n << BigInt(w);
  const fits = (x: bigint) => x >= -size / 2n && x < size / 2n;
  const shift = () => (b > BigInt(w) ? BigInt(w) : b);
  const turn = (by: bigint) => (a << by) | (a >> (BigInt(w) - by));
  switch (keyword) {
    case 'zero':
      return 0n;
    case 'one':
      return 1n;
    case 'ones':
      return -1n;
    case 'const':
      return BigInt(`0b${words[0]}`);
    case 'constd':
      return BigInt(words[0]);
    case 'consth':
      return BigInt(`0x${words[0]}`);
    case 'slice':
      return a >> BigInt(words[1]);
    case 'uext':
      return a;
    case 'sext':
      return signed(a);
    case 'not':
      return ~a;
    case 'inc':
      return a + 1n;
    case 'dec':
      return a - 1n;
    case 'neg':
      return -a;
    case 'redand':
      return a === size - 1n;
    case 'redor':
      return a !== 0n;
    case 'redxor':
      return [...a.toString(2)].filter(c => c === '1').length % 2 === 1;
    case 'iff':
      return a === b;
    case 'implies':
      return a <= b;
    case 'sgt':
      return signed(a) > signed(b);
    case 'ugt':
      return a > b;
    case 'sgte':
      return signed(a) >= signed(b);
    case 'ugte':
      return a >= b;
    case 'slt':
      return signed(a) < signed(b);
    case 'ult':
      return a < b;
    case 'slte':
      return signed(a) <= signed(b);
    case 'ulte':
      return a <= b;
    case 'and':
      return a & b;
    case 'nand':
      return ~(a & b);
    case 'or':
      return a | b;
    case 'nor':
      return ~(a | b);
    case 'xor':
      return a ^ b;
    case 'xnor':
      return ~(a ^ b);
    case 'rol':
      return turn(b % BigInt(w));
    case 'ror':
      return turn(BigInt(w) - (b % BigInt(w)));
    case 'sll':
      return a << shift();
    case 'srl':
      return a >> shift();
    case 'sra':
      return signed(a) >> shift();
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'udiv':
      return b === 0n ? -1n : a / b;
    case 'urem':
      return b === 0n ? a : a % b;
    case 'sdiv':
      if (b === 0n) return signed(a) < 0n ? 1n : -1n;
      return signed(a) / signed(b);
    case 'srem':
      return b === 0n ? a : signed(a) % signed(b);
    case 'smod': {
      if (b === 0n) return a;
      const rest = signed(a) % signed(b);
      const hasSignOfDivisor = rest === 0n || rest < 0n === signed(b) < 0n;
      return hasSignOfDivisor ? rest : rest + signed(b);
    }
    case 'uaddo':
      return a + b >= size;
    case 'usubo':
      return a < b;
    case 'umulo':
      return a * b >= size;
    case 'udivo':
      return false;
    case 'saddo':
      return !fits(signed(a) + signed(b));
    case 'ssubo':
      return !fits(signed(a) - signed(b));
    case 'smulo':
      return !fits(signed(a) * signed(b));
    case 'sdivo':
      return b !== 0n && !fits(signed(a) / signed(b));
    case 'concat':
      return (a << BigInt(v)) | b;
    default:
      throw new Error(`no operator ${keyword}`);
  }
}

function allValues({ width, indexWidth }: Sort): Value[] {
  const vectors = Array.from({ length: 1 << width }, (_, i) => BigInt(i));
  return indexWidth === 0 ? vectors : product(new Array<bigint[]>(1 << indexWidth).fill(vectors));
}

function allZero({ indexWidth }: Sort): Value {
  return indexWidth === 0 ? 0n : new Array<bigint>(1 << indexWidth).fill(0n);
}

function product<T>(choices: readonly (readonly T[])[]): T[][] {
  return choices.reduce<T[][]>((all, values) => all.flatMap(a => values.map(v => [...a, v])), [[]]);
}

function keyOf(state: State): string {
  return state.map(v => (typeof v === 'bigint' ? String(v) : `[${v.join(' ')}]`)).join(' ');
}

/** The states whose initial values are defined after them: btor2tools refuse such a file. */
export function initialisedTooEarly(text: string): string[] {
  const inits = text.matchAll(/^\d+ init \d+ (\d+) (-?\d+)/gm);
  return [...inits].filter(([, state, value]) => Math.abs(Number(value)) > Number(state)).map(([, s]) => s);
}
