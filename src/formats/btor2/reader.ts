/**
 * BTOR2, the format of the hardware model checking competition (Niemetz, Preiner, Wolf, Biere: Btor2, BtorMC and
 * Boolector 3.0, CAV 2018): a circuit as numbered lines, each an operator over lines before it.
 *
 *   3 state 1 x        a state variable of sort 1, with an optional symbol
 *   4 init 1 3 2       its initial value is line 2; without such a line it is any
 *   7 next 1 3 6       its value after a step is line 6; without such a line it is any
 *   9 bad 8            the question: can line 8 be true? They are counted from 0, in the order of the file
 *   10 constraint -5   holds in every step of a run, the last one included; -5 is the complement of line 5
 *
 * Initial values may mention other state variables, whatever the order of lines, but no inputs. A vector as the initial
 * value of an array fills all of it. `output` and `fair` say nothing about bad states and are passed over, and so are
 * `justice` properties if there are bad ones, with a warning; alone they are refused, for they ask about infinite runs.
 *
 * Variables of one bit are Booleans here. They are named by their symbols, or where these are missing or not unique, by
 * their line: `state3`, `input12`. All states and all inputs keep the order of the file, by which witnesses count them.
 */
import type { Property, StateVariable, System } from '../../core/problem/system.ts';
import { Checkpoint } from '../../sat/checkpoint.ts';
import { type SortId, SortKind } from '../../term/sort.ts';
import { SortError, type TermId, type TermStore } from '../../term/store.ts';
import { withoutMark } from '../byte-order-mark.ts';
import { btor2Constant } from './constants.ts';
import { Btor2Lines } from './lines.ts';
import { VariableNames } from './names.ts';
import { Bits, BTOR2_OPERATORS, type Btor2Operator } from './operators.ts';

/** The system that a BTOR2 file describes; throws an InputError if it describes none. */
export function readBtor2(
  terms: TermStore,
  file: string,
  text: string,
  checkpoint = new Checkpoint(),
  warn: (line: string) => void = () => {},
): System {
  return new Btor2Reader(terms, file, withoutMark(file, text), checkpoint, warn).read();
}

/** A state variable, and what the file says of it. */
interface State extends StateVariable {
  readonly sort: SortId;
  init: TermId | undefined;
  initAt: number; // where its initial value stands
  body: TermId | undefined; // what it is after a step
}

class Btor2Reader {
  private readonly terms: TermStore;
  private readonly lines: Btor2Lines;
  private readonly bits: Bits;
  private readonly names: VariableNames;
  private readonly sorts = new Map<number, SortId>(); // by line
  private readonly nodes = new Map<number, TermId>(); // by line; of one bit, a Boolean or a vector
  private readonly states = new Map<number, State>(); // by line
  private readonly inputs: TermId[] = [];
  private readonly constraints: TermId[] = [];
  private readonly properties: Property[] = [];
  private justiceAt: number | undefined; // where the first such property stands
  private readonly warn: (line: string) => void;

  constructor(
    terms: TermStore,
    file: string,
    text: string,
    checkpoint: Checkpoint,
    warn: (line: string) => void,
  ) {
    this.terms = terms;
    this.warn = warn;
    this.lines = new Btor2Lines(file, text, checkpoint);
    this.bits = new Bits(terms);
    this.names = new VariableNames(text, checkpoint);
  }

  read(): System {
    const { lines, terms, states, inputs, constraints, properties } = this;
    while (lines.nextLine()) this.line();
    if (properties.length === 0) {
      if (this.justiceAt === undefined) throw lines.error("there is no property: expected a line with 'bad'");
      throw lines.error("'justice' properties are not supported, and there is no 'bad' one", this.justiceAt);
    }
    if (this.justiceAt !== undefined) {
      const reason =
        "warning: 'justice' properties are about infinite runs and are not checked, nor is 'fair'";
      this.warn(lines.error(reason, this.justiceAt).message);
    }
    this.checkInitialValues();
    const all = [...states.values()];
    const equations = (variable: 'current' | 'next', value: 'init' | 'body') =>
      terms.and(all.flatMap(s => (s[value] === undefined ? [] : [terms.eq(s[variable], s[value])])));
    return {
      terms,
      states: all.map(({ current, next }) => ({ current, next })),
      inputs,
      init: equations('current', 'init'),
      trans: equations('next', 'body'),
      constraints,
      properties,
    };
  }

  private line(): void {
    const { lines } = this;
    const id = lines.expectNatural('the number of a line');
    if (id === 0) throw lines.error('lines are numbered from 1');
    if (this.nodes.has(id) || this.sorts.has(id)) throw lines.error(`there is a line ${id} already`);
    const keyword = lines.expectWord('an operator');
    const operator = BTOR2_OPERATORS.get(keyword);
    if (operator !== undefined) this.nodes.set(id, this.application(keyword, operator));
    else this.special(id, keyword);
    lines.symbol();
  }

  private special(id: number, keyword: string): void {
    const { lines, nodes } = this;
    switch (keyword) {
      case 'sort':
        this.sorts.set(id, this.newSort());
        return;
      case 'input':
        nodes.set(id, this.input(id));
        return;
      case 'state':
        nodes.set(id, this.state(id));
        return;
      case 'init':
        this.init();
        return;
      case 'next':
        this.next();
        return;
      case 'bad':
        this.bad();
        return;
      case 'constraint':
        this.constraints.push(this.condition());
        return;
      case 'output':
      case 'fair':
        this.operand();
        return;
      case 'justice':
        this.justice();
        return;
      default: {
        const position = lines.position;
        const constant = this.constant(keyword);
        if (constant === undefined) throw lines.error(`'${keyword}' is no operator of BTOR2`, position);
        nodes.set(id, constant);
      }
    }
  }

  // ---- sorts and constants ----

  private newSort(): SortId {
    const { lines, terms } = this;
    const kind = lines.expectWord("'bitvec' or 'array'");
    if (kind === 'array') return terms.sorts.array(this.sort(), this.sort());
    if (kind !== 'bitvec') throw lines.error(`expected 'bitvec' or 'array', found '${kind}'`);
    const width = lines.expectNatural('a width');
    try {
      return terms.sorts.bitVec(width);
    } catch (error) {
      throw error instanceof RangeError ? lines.error(error.message) : error;
    }
  }

  /** The sort with the number that comes next. */
  private sort(): SortId {
    const { lines, sorts } = this;
    const id = lines.expectNatural('a sort');
    const sort = sorts.get(id);
    if (sort === undefined) throw lines.error(`there is no sort ${id} so far`);
    return sort;
  }

  private vectorSort(): SortId {
    const sort = this.sort();
    if (this.terms.sorts.width(sort) > 0) return sort;
    throw this.lines.error(`expected a sort of bit-vectors, not ${this.terms.sorts.name(sort)}`);
  }

  private constant(keyword: string): TermId | undefined {
    const { lines, terms } = this;
    const read = btor2Constant(keyword);
    if (read === undefined) return undefined;
    const width = terms.sorts.width(this.vectorSort());
    const value = read.hasDigits ? read.value(lines.expectWord('a constant'), width) : read.value('', width);
    if (typeof value === 'string') throw lines.error(value);
    return terms.bv(width, value);
  }

  // ---- variables ----

  private input(id: number): TermId {
    const sort = this.sort();
    const variable = this.terms.variable(
      this.names.choose(this.lines.symbol(), `input${id}`),
      this.sortOfVariable(sort),
    );
    this.inputs.push(variable);
    return variable;
  }

  private state(id: number): TermId {
    const { terms } = this;
    const sort = this.sort();
    const name = this.names.choose(this.lines.symbol(), `state${id}`);
    const [current, next] = [name, `${name}.next`].map(n => terms.variable(n, this.sortOfVariable(sort)));
    this.states.set(id, { current, next, sort, init: undefined, initAt: 0, body: undefined });
    return current;
  }

  /** Bits are Booleans, for the engine sees more of these. */
  private sortOfVariable(sort: SortId): SortId {
    const { sorts } = this.terms;
    return sorts.width(sort) === 1 ? sorts.bool : sort;
  }

  private init(): void {
    const { lines, terms } = this;
    const { state, sort } = this.expectState();
    if (state.init !== undefined) throw lines.error('this state has an initial value already');
    const value = this.operand();
    state.initAt = lines.position;
    const { sorts } = terms;
    const isFilled = sorts.isArray(sort) && this.fits(value, sorts.elementSort(sort));
    state.init = isFilled
      ? terms.constArray(sort, this.bits.vector(value))
      : this.asVariable(this.checked(value, sort));
  }

  private next(): void {
    const { state, sort } = this.expectState();
    if (state.body !== undefined) throw this.lines.error('this state has a next value already');
    state.body = this.asVariable(this.checked(this.operand(), sort));
  }

  /** The sort of an `init` or `next` line, and its state. */
  private expectState(): { readonly state: State; readonly sort: SortId } {
    const { lines, terms } = this;
    const sort = this.sort();
    const id = lines.expectNatural('a state');
    const state = this.states.get(id);
    if (state === undefined) throw lines.error(`line ${id} is no state`);
    if (state.sort !== sort) {
      const [own, given] = [state.sort, sort].map(s => terms.sorts.name(s));
      throw lines.error(`state ${id} is of sort ${own}, not ${given}`);
    }
    return { state, sort };
  }

  /** Complains about an input in an initial value: inputs begin where the first step does. */
  private checkInitialValues(): void {
    const { terms, lines, inputs } = this;
    const isInput = new Set(inputs);
    const found = (roots: readonly TermId[]) => terms.postorder(roots).find(t => isInput.has(t));
    const values = [...this.states.values()].filter(s => s.init !== undefined);
    if (found(values.map(s => s.init as TermId)) === undefined) return;
    for (const { init, initAt } of values) {
      const input = found([init as TermId]);
      if (input === undefined) continue;
      const name = terms.nameOf(input);
      throw lines.error(`an initial value may not mention the input '${name}'`, initAt);
    }
  }

  // ---- properties ----

  private bad(): void {
    const formula = this.terms.not(this.condition());
    const name = this.lines.symbol();
    this.properties.push({ index: this.properties.length, formula, name });
  }

  /** A node of one bit as a formula. */
  private condition(): TermId {
    const node = this.operand();
    if (this.bits.isBit(node)) return this.bits.boolean(node);
    throw this.lines.error(`expected one bit, not ${this.terms.sorts.name(this.terms.sort(node))}`);
  }

  private justice(): void {
    this.justiceAt ??= this.lines.position;
    for (let i = this.lines.expectNatural('the number of conditions'); i > 0; i--) this.condition();
  }

  // ---- nodes ----

  private application(keyword: string, { operands, numbers, build }: Btor2Operator): TermId {
    const { lines, bits } = this;
    const position = lines.position;
    const sort = this.sort();
    const args: TermId[] = [];
    while (args.length < operands) args.push(this.operand());
    const indices: number[] = [];
    while (indices.length < numbers) indices.push(lines.expectNatural('a number'));
    try {
      return this.checked(build(bits, args, indices), sort, position);
    } catch (error) {
      throw error instanceof SortError ? lines.error(`'${keyword}': ${error.message}`, position) : error;
    }
  }

  /** The node with the number that comes next, or its complement. */
  private operand(): TermId {
    const { lines, terms } = this;
    const id = lines.expectNumber('the number of a node');
    const node = this.nodes.get(Math.abs(id));
    if (node === undefined) throw lines.error(`there is no node ${Math.abs(id)} so far`);
    if (id >= 0) return node;
    if (terms.sorts.kind(terms.sort(node)) !== SortKind.ARRAY) return this.bits.not(node);
    throw lines.error(`an array has no complement, such as '${id}'`);
  }

  /** The node, which must be of this sort. */
  private checked(node: TermId, sort: SortId, position?: number): TermId {
    if (this.fits(node, sort)) return node;
    const { sorts } = this.terms;
    const [wanted, given] = [sort, this.terms.sort(this.bits.vector(node))].map(s => sorts.name(s));
    throw this.lines.error(`the sort is ${given}, not ${wanted}`, position);
  }

  private fits(node: TermId, sort: SortId): boolean {
    return this.terms.sort(this.bits.isBoolean(node) ? this.bits.vector(node) : node) === sort;
  }

  /** The node as a term of the sort that variables of its sort have. */
  private asVariable(node: TermId): TermId {
    return this.bits.boolean(node);
  }
}
