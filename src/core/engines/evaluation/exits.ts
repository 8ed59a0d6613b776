/** The edges that leave a location, or that start, compiled: which of them can be taken with some inputs, and where one leads. */
import { Program } from '../../../term/program.ts';
import type { TermId, TermStore } from '../../../term/store.ts';
import type { Value } from '../../../term/value.ts';
import { conditionsOf, type Edge, inputsOf } from '../../problem/problem.ts';

/** An edge, and what it derives. */
interface Exit {
  readonly edge: Edge;
  /** Where its own inputs are among those of all exits. */
  readonly own: readonly number[];
  readonly guard: number; // slot
  readonly program: Program;
  readonly slots: readonly number[]; // of the values
}

const NONE: readonly Value[] = [];

export class Exits {
  /** Of all edges together. */
  readonly inputs: readonly TermId[];
  /** Nodes that are evaluated to choose an edge. */
  readonly cost: number;
  private readonly guards: Program;
  private readonly exits: readonly Exit[];

  /** The edges have the same source, or none. */
  constructor(terms: TermStore, places: readonly TermId[], edges: readonly Edge[]) {
    this.inputs = [...new Set(edges.flatMap(e => inputsOf(terms, e)))];
    const variables = [...places, ...this.inputs];
    this.guards = new Program(terms, variables);
    const number = new Map(this.inputs.map((v, i) => [v, i]));
    this.exits = edges.map(edge => {
      const guard = terms.and(conditionsOf(edge));
      this.guards.add([guard]);
      const program = new Program(terms, variables);
      program.add(edge.values);
      return {
        edge,
        own: inputsOf(terms, edge).map(v => number.get(v) as number),
        guard: this.guards.slot(guard),
        program,
        slots: edge.values.map(v => program.slot(v)),
      };
    });
    this.cost = 1 + this.guards.size;
  }

  /** The numbers of the edges that can be taken. */
  possible(places: readonly Value[], inputs: readonly Value[]): number[] {
    const { exits } = this;
    const values = this.guards.run(places, inputs);
    const found: number[] = [];
    for (let i = 0; i < exits.length; i++) if (values[exits[i].guard] === true) found.push(i);
    return found;
  }

  edge(exit: number): Edge {
    return this.exits[exit].edge;
  }

  /** What an edge derives, and what it costs to find out. */
  derived(exit: number, places: readonly Value[], inputs: readonly Value[]): Value[] {
    const { program, slots } = this.exits[exit];
    const values = program.run(places, inputs);
    return slots.map(slot => values[slot]);
  }

  costOf(exit: number): number {
    return this.exits[exit].program.size;
  }

  /** To be called when nobody stays here. */
  forget(): void {
    this.guards.forget();
    for (const { program } of this.exits) program.forget();
  }

  /** The values of an edge's own inputs. */
  ownInputs(exit: number, inputs: readonly Value[]): readonly Value[] {
    const { own } = this.exits[exit];
    return own.length === 0 ? NONE : own.map(i => inputs[i]);
  }
}
