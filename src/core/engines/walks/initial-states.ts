/**
 * Initial states for walks, drawn at random. Where the initial condition says what a variable is, in terms of others, it is
 * that; the others get values by chance, and if the rest of the condition does not allow these, others are tried. Arrays
 * of which nothing is said stay as they are in the one initial state that is known.
 */
import { Op } from '../../../term/operators.ts';
import { Program } from '../../../term/program.ts';
import type { TermId } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import type { TransitionSystem } from '../../problem/transition-system.ts';

/** Draws that are tried for one state. */
const TRIES = 8;

export type State = readonly Value[];

export class InitialStates {
  private readonly known: State;
  private readonly drawn: readonly TermId[]; // variables that get values by chance
  private readonly arrays: State; // values of the arrays that nothing is said of
  private readonly program: Program; // of both
  private readonly slots: readonly number[]; // of all state variables
  private readonly conditions: readonly number[]; // slots of the initial condition

  /** `known`: the values of the state variables in some initial state. */
  constructor(system: TransitionSystem, known: State) {
    const { terms, states, init } = system;
    this.known = known;
    const definitions = initialDefinitions(system);
    const isArray = (t: TermId) => terms.sorts.isArray(terms.sort(t));
    const values = new Map(states.map((s, i) => [s.current, known[i]]));
    const free = [...values.keys()].filter(v => !definitions.has(v));
    const arrays = free.filter(isArray);
    this.drawn = free.filter(v => !isArray(v));
    this.arrays = arrays.map(v => values.get(v) as Value);
    this.program = new Program(terms, [...this.drawn, ...arrays]);
    for (const [variable, body] of definitions) {
      this.program.add([body]);
      this.program.define(variable, body);
    }
    this.program.add(init);
    this.slots = states.map(s => this.program.slot(s.current));
    this.conditions = init.map(c => this.program.slot(c));
  }

  /** What a draw costs at most, in nodes. */
  get cost(): number {
    return this.drawn.length === 0 ? 0 : TRIES * this.program.size;
  }

  /** An initial state; `draw` gives a value to a variable. */
  next(draw: (variable: TermId) => Value): State {
    for (let i = 0; i < TRIES && this.drawn.length > 0; i++) {
      const values = this.program.run(this.drawn.map(draw), this.arrays);
      if (this.conditions.every(slot => values[slot] === true)) return this.slots.map(slot => values[slot]);
    }
    return this.known;
  }
}

/** What the initial condition says that variables are, in terms of variables of which it says no such thing. */
function initialDefinitions({ terms, states, init }: TransitionSystem): Map<TermId, TermId> {
  const definitions = new Map<TermId, TermId>();
  const isState = new Set(states.map(s => s.current));
  const isUsed = new Set<TermId>(); // in definitions
  const define = (variable: TermId, body: TermId): boolean => {
    if (!isState.has(variable) || definitions.has(variable) || isUsed.has(variable)) return false;
    const uses = terms.postorder([body]).filter(t => terms.isVariable(t));
    if (!uses.every(v => v !== variable && isState.has(v) && !definitions.has(v))) return false;
    for (const v of uses) isUsed.add(v);
    definitions.set(variable, body);
    return true;
  };
  for (const c of init) {
    const isNegated = terms.op(c) === Op.NOT;
    const atom = isNegated ? terms.arg(c, 0) : c;
    if (define(atom, terms.bool(!isNegated)) || isNegated || terms.op(c) !== Op.EQ) continue;
    const [a, b] = terms.args(c);
    if (!define(a, b)) define(b, a);
  }
  return definitions;
}
