/**
 * What a small system says of its states, by enumeration, whatever it was written in: which are initial, which steps there
 * are, and which states violate a property with some inputs. Inputs are gone from all of it; constraints are part of what a
 * step and a violation ask for. States are texts, so that what different formats say can be compared.
 */
import type { System } from '../../src/core/problem/system.ts';
import { type Clause, type HornFile, isAtom } from '../../src/formats/horn/problem.ts';
import type { TermId, TermStore } from '../../src/term/store.ts';
import { ArrayValue, type Value } from '../../src/term/value.ts';
import { Btor2Model, type State } from './btor2.ts';
import { allEvaluators } from './smtlib.ts';

export interface Relations {
  readonly initial: ReadonlySet<string>;
  /** From each state the next ones. */
  readonly steps: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each property, in order, the states that violate it. */
  readonly bad: readonly ReadonlySet<string>[];
  /** States in which the constraints hold with some inputs; the others are part of no run. */
  readonly alive: ReadonlySet<string>;
}

/** More combinations of values than this are not tried out. */
const MAX_COMBINATIONS = 1 << 12;

/** Are the states, inputs and next states of a system few enough? */
export function isSmall({ terms, states, inputs }: System): boolean {
  const variables = [...states.flatMap(s => [s.current, s.next]), ...inputs];
  const sizes = variables.map(v => terms.sorts.size(terms.sort(v)));
  return sizes.reduce((product, n) => product * n, 1) <= MAX_COMBINATIONS;
}

export function systemRelations(system: System): Relations {
  const { terms, states, inputs, init, trans, constraints, properties } = system;
  const [current, next] = [states.map(s => s.current), states.map(s => s.next)];
  const initial = tuples(terms, [init], [], current);
  const steps = tuples(terms, [...constraints, trans], inputs, current, next);
  return {
    initial: new Set(initial.map(([s]) => s)),
    steps: grouped(steps),
    bad: properties.map(
      p => new Set(tuples(terms, [...constraints, terms.not(p.formula)], inputs, current).map(([s]) => s)),
    ),
    alive: new Set(tuples(terms, constraints, inputs, current).map(([s]) => s)),
  };
}

/** Of clauses about one relation: facts, steps, and a query for each property, in order. There are no constraints. */
export function clauseRelations({ terms, relations, clauses }: HornFile): Relations {
  const [{ places }] = relations;
  const of = ({ variables, constraint }: Clause, ...shown: (readonly TermId[])[]) =>
    tuples(terms, [constraint], variables, ...shown);
  const initial: string[] = [];
  const steps: string[][] = [];
  const bad: ReadonlySet<string>[] = [];
  for (const clause of clauses) {
    const { head } = clause;
    const [body] = clause.bodies;
    if (body === undefined && isAtom(head)) initial.push(...of(clause, head.args).map(([s]) => s));
    else if (isAtom(head)) steps.push(...of(clause, body.args, head.args));
    else bad.push(new Set(of(clause, body.args).map(([s]) => s)));
  }
  const all = tuples(terms, [], [], places).map(([s]) => s);
  return { initial: new Set(initial), steps: grouped(steps), bad, alive: new Set(all) };
}

export function circuitRelations(model: Btor2Model): Relations {
  const steps: string[][] = [];
  const bad = model.bads.map(() => new Set<string>());
  const alive = new Set<string>();
  const inputs = model.allInputs();
  for (const state of model.allStates()) {
    const key = keyOf(state);
    for (const input of inputs) {
      const value = model.evaluate(state, input);
      if (!model.allowed(value)) continue;
      alive.add(key);
      model.bads.forEach((b, i) => void (value(b) === 1n && bad[i].add(key)));
      for (const successor of model.successors(value)) steps.push([key, keyOf(successor)]);
    }
  }
  return { initial: new Set(model.initialStates().map(keyOf)), steps: grouped(steps), bad, alive };
}

/** What a circuit says of its first states, where those after them are bookkeeping of the writer of BTOR2. */
export interface Projected {
  /** In the first step. */
  readonly first: Relations;
  /** In any later step of a run, if its states were these. */
  readonly later: Relations;
}

/** Bookkeeping has names of its own; what is no Boolean stays as it is at first. */
const LATER: Readonly<Record<string, bigint>> = { first: 0n, valid: 1n };

export function projectedRelations(text: string, count: number): Projected {
  const model = new Btor2Model(text);
  const names = [...text.matchAll(/^\d+ state \d+ (\S+?)(?:_\d+)?$/gm)].map(m => m[1]).slice(count);
  const starts = model.initialStates();
  const inputs = model.allInputs();
  const key = (state: State) => keyOf(state.slice(0, count));
  const values = (state: State) =>
    inputs.map(input => model.evaluate(state, input)).filter(v => model.allowed(v));
  const alive = new Map<string, boolean>(); // by all of a state
  const isAlive = (state: State) => {
    const known = alive.get(keyOf(state));
    if (known !== undefined) return known;
    const found = values(state).length > 0;
    alive.set(keyOf(state), found);
    return found;
  };
  const relations = (initial: readonly State[], states: readonly State[]): Relations => {
    const steps: string[][] = [];
    const bad = model.bads.map(() => new Set<string>());
    for (const state of states) {
      for (const value of values(state)) {
        model.bads.forEach((b, i) => void (value(b) === 1n && bad[i].add(key(state))));
        for (const next of model.successors(value)) if (isAlive(next)) steps.push([key(state), key(next)]);
      }
    }
    return {
      initial: new Set(initial.filter(isAlive).map(key)),
      steps: grouped(steps),
      bad,
      alive: new Set(states.filter(isAlive).map(key)),
    };
  };
  const [anyStart] = starts;
  const extras = names.map((name, i) => LATER[name] ?? anyStart?.[count + i]);
  const later = model.allStates(count).map(s => [...s, ...extras]);
  return { first: relations(starts, starts), later: relations([], later) };
}

/**
 * The same without states that are part of no run: those in which the constraints fail, whatever the inputs. That is what
 * relations have in common which say the same of all runs.
 */
export function withoutDead({ initial, steps, bad, alive }: Relations): Relations {
  const living = (states: ReadonlySet<string>) => new Set([...states].filter(s => alive.has(s)));
  const kept = [...steps].map(([from, to]) => [from, living(to)] as const);
  return {
    initial: living(initial),
    steps: new Map(kept.filter(([from, to]) => alive.has(from) && to.size > 0)),
    bad,
    alive,
  };
}

/** The states of some runs, by the number of steps after which each is first reached. */
export function reached({ initial, steps }: Relations): Map<string, number> {
  const depths = new Map([...initial].map(s => [s, 0]));
  for (const [state, depth] of depths) {
    for (const next of steps.get(state) ?? []) if (!depths.has(next)) depths.set(next, depth + 1);
  }
  return depths;
}

/** After how many steps each property is first violated; infinity if it never is. */
export function violations(relations: Relations): number[] {
  const depths = [...reached(relations)];
  return relations.bad.map(bad =>
    depths.reduce((least, [s, depth]) => (bad.has(s) ? Math.min(least, depth) : least), Infinity),
  );
}

/** What lists of terms are in all assignments that make the formulas true, for all values of the variables and of theirs. */
function tuples(
  terms: TermStore,
  formulas: readonly TermId[],
  variables: readonly TermId[],
  ...shown: (readonly TermId[])[]
): string[][] {
  const all = terms.postorder([...formulas, ...variables, ...shown.flat()]).filter(t => terms.isVariable(t));
  const found = new Map<string, string[]>();
  for (const e of allEvaluators(terms, all)) {
    if (!formulas.every(f => e.value(f) === true)) continue;
    const tuple = shown.map(list => list.map(t => valueText(terms, t, e.value(t))).join(' '));
    found.set(tuple.join(' -> '), tuple);
  }
  return [...found.values()];
}

function grouped(pairs: readonly (readonly string[])[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [from, to] of pairs) {
    const known = groups.get(from);
    if (known === undefined) groups.set(from, new Set([to]));
    else known.add(to);
  }
  return groups;
}

/** A vector is a number, a Boolean one bit, and an array a list of its elements, as BTOR2 has it. */
function valueText(terms: TermStore, t: TermId, value: Value): string {
  if (!(value instanceof ArrayValue)) return String(Number(value));
  const size = terms.sorts.size(terms.sorts.indexSort(terms.sort(t)));
  const isOfBooleans = terms.sorts.indexSort(terms.sort(t)) === terms.sorts.bool;
  const elements = Array.from({ length: size }, (_, i) => value.select(isOfBooleans ? i === 1 : i));
  return `[${elements.map(Number).join(' ')}]`;
}

function keyOf(state: State): string {
  return state.map(v => (typeof v === 'bigint' ? String(v) : `[${v.join(' ')}]`)).join(' ');
}
