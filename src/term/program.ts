/**
 * Terms compiled for being evaluated again and again, with other values of their variables each time: a list of
 * instructions, each of which computes one value from earlier ones. What an operator means is taken from the operator
 * table, as the evaluator does; only looking it up is done once.
 */
import { SMALL_WIDTH } from './bitvector.ts';
import { applyOperator } from './evaluator.ts';
import { OPERATORS, Op } from './operators.ts';
import type { TermId, TermStore } from './store.ts';
import type { Value } from './value.ts';

type Values = readonly Value[];
type Instruction = (values: Values) => Value;

export class Program {
  private readonly terms: TermStore;
  private readonly slots = new Map<TermId, number>();
  private readonly values: Value[] = []; // by slot: variables first, then what instructions compute, in their order
  private readonly instructions: Instruction[] = [];
  private readonly first: number; // slot of the first instruction

  constructor(terms: TermStore, variables: readonly TermId[]) {
    this.terms = terms;
    for (const v of variables) {
      this.slots.set(v, this.values.length);
      this.values.push(false);
    }
    this.first = this.values.length;
  }

  /** From now on the terms are computed, after what they need. */
  add(roots: readonly TermId[]): void {
    for (const t of this.terms.postorder(roots, this.slots)) this.append(t, this.compiled(t));
  }

  /** From now on the variable has the value of a term that is computed already. */
  define(variable: TermId, body: TermId): void {
    if (this.slots.has(variable)) return;
    const slot = this.slots.get(body) as number;
    this.append(variable, values => values[slot]);
  }

  /** How many values there are. */
  get size(): number {
    return this.values.length;
  }

  /** Where the value of a term is. */
  slot(t: TermId): number {
    return this.slots.get(t) as number;
  }

  /** All values, given those of the variables; they are good until the next run. */
  run(...given: readonly Values[]): Values {
    const { values, instructions, first } = this;
    let slot = 0;
    for (const part of given) for (let i = 0; i < part.length; i++) values[slot++] = part[i];
    for (let i = 0; i < instructions.length; i++) values[first + i] = instructions[i](values);
    return values;
  }

  /** Lets go of what the last run computed: an old version of an array would keep all later ones alive. */
  forget(): void {
    this.values.fill(false);
  }

  private append(t: TermId, instruction: Instruction): void {
    this.slots.set(t, this.values.length);
    this.values.push(false);
    this.instructions.push(instruction);
  }

  private compiled(t: TermId): Instruction {
    const { terms } = this;
    const op = terms.op(t);
    const slots = terms.args(t).map(a => this.slot(a));
    const [a, b, c] = slots;
    switch (op) {
      case Op.BV_CONST: {
        const value = terms.bvValue(t);
        return () => value;
      }
      case Op.NOT:
        return values => values[a] !== true;
      case Op.AND:
        return values => {
          for (let i = 0; i < slots.length; i++) if (values[slots[i]] !== true) return false;
          return true;
        };
      case Op.OR:
        return values => {
          for (let i = 0; i < slots.length; i++) if (values[slots[i]] === true) return true;
          return false;
        };
      case Op.EQ:
        if (terms.sorts.isArray(terms.sort(terms.arg(t, 0)))) return this.compiledOperator(t, slots);
        return values => values[a] === values[b];
      case Op.ITE:
        return values => values[values[a] === true ? b : c];
      default:
        return this.compiledOperator(t, slots);
    }
  }

  private compiledOperator(t: TermId, slots: readonly number[]): Instruction {
    const { terms } = this;
    const { meaning } = OPERATORS[terms.op(t)];
    const args = terms.args(t);
    const isSmall = () => [t, ...args].every(u => terms.width(u) <= SMALL_WIDTH);
    if (typeof meaning === 'function' || !isSmall()) {
      return values =>
        applyOperator(
          terms,
          t,
          slots.map(s => values[s]),
        );
    }
    const { small } = meaning;
    const [width, resultWidth, index] = [terms.width(args[0]), terms.width(t), terms.payload(t)];
    const [a, b] = slots;
    if (b === undefined) return values => small(values[a] as number, 0, width, resultWidth, index);
    return values => small(values[a] as number, values[b] as number, width, resultWidth, index);
  }
}
