/**
 * Which state variable holds which place. Only one relation is current in a state, so relations share variables: a
 * place takes the variable of the place that most edges copy it from, if it is still free, as the variables of
 * a program keep their names from one location to the next.
 */
import type { SortId } from '../term/sort.ts';
import type { TermId, TermStore } from '../term/store.ts';
import { EdgeTable } from './edge-table.ts';
import { type Edge, type HornGraph, headRelation } from './graph.ts';
import type { Relation } from './problem.ts';

/** Variables for the places of all relations: places of one relation never share one. */
export interface Slots {
  readonly variables: readonly TermId[];
  readonly of: ReadonlyMap<TermId, TermId>;
}

export function assignSlots({ terms, relations, edges }: HornGraph): Slots {
  const variables: TermId[] = [];
  const of = new Map<TermId, TermId>();
  const table = new EdgeTable(edges);
  for (const relation of breadthFirst(relations, edges)) {
    const free = new Set(variables);
    const wishes = wishesOf(relation, table.into(relation), of);
    for (const [place, slot] of wishes) {
      if (of.has(place) || !free.delete(slot)) continue;
      of.set(place, slot);
    }
    for (const place of relation.places) {
      if (of.has(place)) continue;
      const slot = firstOfSort(terms, free, terms.sort(place)) ?? newSlot(terms, place, variables);
      free.delete(slot);
      of.set(place, slot);
    }
  }
  return { variables, of };
}

/** Relations in the order in which derivations reach them. */
function breadthFirst(relations: readonly Relation[], edges: readonly Edge[]): Set<Relation> {
  const order = new Set<Relation>();
  const successors = new Map<Relation, Relation[]>();
  for (const e of edges) {
    const head = headRelation(e);
    if (head === undefined) continue;
    if (e.body === undefined) order.add(head);
    else if (successors.get(e.body)?.push(head) === undefined) successors.set(e.body, [head]);
  }
  for (const r of order) for (const next of successors.get(r) ?? []) order.add(next);
  for (const r of relations) order.add(r);
  return order;
}

/** The places of a relation with the variables that edges copy into them, most frequent ones first. */
function wishesOf(
  relation: Relation,
  edges: readonly Edge[],
  of: ReadonlyMap<TermId, TermId>,
): (readonly [place: TermId, slot: TermId])[] {
  const votes = new Map<string, { place: TermId; slot: TermId; count: number }>();
  for (const { values } of edges) {
    relation.places.forEach((place, i) => {
      const slot = of.get(values[i]);
      if (slot === undefined) return;
      const key = `${place} ${slot}`;
      const vote = votes.get(key);
      if (vote === undefined) votes.set(key, { place, slot, count: 1 });
      else vote.count++;
    });
  }
  return [...votes.values()].sort((a, b) => b.count - a.count).map(v => [v.place, v.slot]);
}

function firstOfSort(terms: TermStore, slots: Iterable<TermId>, sort: SortId): TermId | undefined {
  for (const slot of slots) if (terms.sort(slot) === sort) return slot;
  return undefined;
}

function newSlot(terms: TermStore, place: TermId, variables: TermId[]): TermId {
  const slot = terms.variable(terms.symbol(terms.functionOf(place)).name, terms.sort(place));
  variables.push(slot);
  return slot;
}
