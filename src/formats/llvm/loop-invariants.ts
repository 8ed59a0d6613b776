/**
 * What a model says where loops begin, in the words of the text: conjuncts over variables that are visible there become C
 * expressions with the same value, and what speaks of anything else stays a term.
 */
import type { Location } from '../../core/problem/problem.ts';
import { boundIn, type Proof } from '../../core/problem/proof.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { CExpressions, type CVariable } from './c-expressions.ts';
import { entriesOf, type Flow, type FlowBlock, targetsOf } from './flow.ts';
import type { ProgramGraph } from './graph.ts';
import { bitsTogether } from './known-bits.ts';
import type { Loop, Place } from './module.ts';
import { exactNameAt } from './source-names.ts';
import { Visibility } from './visibility.ts';

export interface LoopInvariant {
  /** Where the loop begins, as well as that is known. */
  readonly place: Place | undefined;
  /** The loop statement; undefined if there is none, as for a jump backwards. */
  readonly loop: Loop | undefined;
  readonly function: string;
  /** Is it no loop, but where calls of a function that is kept begin? */
  readonly isEntry: boolean;
  /** C expressions that all hold whenever a round begins. */
  readonly expressions: readonly string[];
  /** What holds besides, for all values of the bound variables. */
  readonly terms: readonly TermId[];
  readonly bound: readonly TermId[];
}

/** One for each loop of each copy of a function. */
export function loopInvariants(graph: ProgramGraph, flow: Flow, proof: Proof): LoopInvariant[] {
  const { problem, blocks } = graph;
  const heads = loopHeads(flow);
  const visibility = new Visibility(flow);
  return problem.locations.flatMap(location => {
    const block = blocks.get(location);
    const formula = proof.model.get(location) as TermId;
    if (block === undefined || !(heads.has(block.id) || block.isEntry)) return [];
    const place =
      block.loop?.place ?? block.statements.find(s => s.place !== undefined)?.place ?? block.place;
    const { expressions, rest } = spoken(graph, visibility, location, block, formula);
    const { loop, function: name, isEntry = false } = block;
    const bound = boundIn(problem.terms, proof, location);
    return [{ place, loop, function: name, isEntry, expressions, terms: rest, bound }];
  });
}

function spoken(
  { problem, parts }: ProgramGraph,
  visibility: Visibility,
  location: Location,
  { loop, frame }: FlowBlock,
  formula: TermId,
): { readonly expressions: readonly string[]; readonly rest: readonly TermId[] } {
  const { terms } = problem;
  const places = new Set(location.places);
  const variableOf = (t: TermId): CVariable | undefined => {
    const part = places.has(t) ? parts.get(t) : undefined;
    if (part === undefined || loop === undefined) return undefined;
    const named = exactNameAt(part.site, part.offset, part.bytes);
    if (named?.type === undefined || !visibility.isVisible(part.site, loop, frame)) return undefined;
    return { text: named.name, type: named.type };
  };
  const writer = new CExpressions(terms, variableOf);
  const expressions: string[] = [];
  const rest: TermId[] = [];
  const conjuncts = conjunctsOf(terms, formula).filter(c => c !== terms.true);
  for (const conjunct of bitsTogether(terms, conjuncts)) {
    const text = writer.formula(conjunct);
    if (text === undefined) rest.push(conjunct);
    else expressions.push(text);
  }
  return { expressions, rest };
}

function conjunctsOf(terms: TermStore, formula: TermId): TermId[] {
  const found: TermId[] = [];
  const waiting = [formula];
  for (let t = waiting.pop(); t !== undefined; t = waiting.pop()) {
    if (terms.op(t) === Op.AND) waiting.push(...[...terms.args(t)].reverse());
    else found.push(t);
  }
  return found;
}

/** Blocks that a path from them leads back to, in the order in which blocks are first reached. */
function loopHeads(flow: Flow): Set<number> {
  const { blocks } = flow;
  const heads = new Set<number>();
  const state = new Uint8Array(blocks.length); // 1: on the path, 2: done
  for (const entry of entriesOf(flow)) {
    const path = [{ id: entry, targets: targetsOf(blocks[entry]) }];
    state[entry] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = top.targets.pop();
      if (target === undefined) {
        state[top.id] = 2;
        path.pop();
      } else if (state[target] === 1) heads.add(target);
      else if (state[target] === 0) {
        state[target] = 1;
        path.push({ id: target, targets: targetsOf(blocks[target]) });
      }
    }
  }
  return heads;
}
