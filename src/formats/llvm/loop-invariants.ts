/**
 * What a model says where loops begin, in the words of the text: conjuncts over variables that are visible there become C
 * expressions with the same value, and what speaks of anything else stays a term.
 */
import type { Location } from '../../core/problem/problem.ts';
import { boundIn, type Proof, partsOf } from '../../core/problem/proof.ts';
import { Op } from '../../term/operators.ts';
import type { TermId, TermStore } from '../../term/store.ts';
import { CExpressions, type CVariable } from './c-expressions.ts';
import { integerType } from './c-types.ts';
import { Elements } from './elements.ts';
import { entriesOf, type Flow, type FlowBlock, type Site, targetsOf } from './flow.ts';
import type { ProgramGraph } from './graph.ts';
import { bitsTogether } from './known-bits.ts';
import type { DebugType, Loop, Place } from './module.ts';
import { exactNameAt, type SourceName, stripped } from './source-names.ts';
import { Visibility } from './visibility.ts';

export interface LoopInvariant {
  /** Where the loop begins, as well as that is known. */
  readonly place: Place | undefined;
  /** The loop statement; undefined if there is none, as for a jump backwards. */
  readonly loop: Loop | undefined;
  readonly function: string;
  /** Is it no loop, but where calls of a function that is kept begin? */
  readonly isEntry: boolean;
  /** C expressions that all hold whenever a round begins; none of them reads outside of an object. */
  readonly expressions: readonly string[];
  /** What holds of all elements, and of those of objects whose size is not known, as ACSL says it. */
  readonly ofElements: readonly string[];
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
    if (block === undefined || !(heads.has(block.id) || block.isEntry)) return [];
    const place =
      block.loop?.place ?? block.statements.find(s => s.place !== undefined)?.place ?? block.place;
    const bound = boundIn(problem.terms, proof, location);
    const { formula, ofSome } = withoutExists(problem.terms, proof, location);
    const { expressions, ofElements, rest } = spoken(
      graph,
      flow,
      visibility,
      location,
      block,
      formula,
      proof.exists === undefined ? bound : [],
    );
    const { loop, function: name, isEntry = false } = block;
    const terms = [...rest, ...ofSome];
    return [{ place, loop, function: name, isEntry, expressions, ofElements, terms, bound }];
  });
}

/** A location's formula without what it says of some values only: that has no expression. */
function withoutExists(
  terms: TermStore,
  proof: Proof,
  location: Location,
): { readonly formula: TermId; readonly ofSome: readonly TermId[] } {
  const formula = proof.model.get(location) as TermId;
  if (proof.exists === undefined) return { formula, ofSome: [] };
  const bound = new Set(boundIn(terms, proof, location));
  const parts = partsOf(terms, proof, location);
  const isOfSome = (f: TermId) => terms.postorder([f]).some(t => bound.has(t));
  return { formula: terms.and(parts.filter(f => !isOfSome(f))), ofSome: parts.filter(isOfSome) };
}

interface Spoken {
  readonly expressions: readonly string[];
  readonly ofElements: readonly string[];
  readonly rest: readonly TermId[];
}

function spoken(
  { problem, parts, objects, starts }: ProgramGraph,
  { pointerWidth }: Flow,
  visibility: Visibility,
  location: Location,
  { loop, frame }: FlowBlock,
  formula: TermId,
  bound: readonly TermId[],
): Spoken {
  const { terms } = problem;
  const places = new Set(location.places);
  const conjuncts = conjunctsOf(terms, formula).filter(c => c !== terms.true);
  const orders = terms.postorder([formula]).map(t => terms.op(t));
  const isSigned = orders.includes(Op.BVSLT) || orders.includes(Op.BVSLE);
  const boundNames = new Map<TermId, string>();
  for (const v of bound) {
    const word = terms.nameOf(v).replace(/\W+/g, '_');
    boundNames.set(v, visibility.unused(word, [...boundNames.values()]));
  }
  const isVisible = (site: Site) => loop !== undefined && visibility.isVisible(site, loop, frame);
  const placeName = (t: TermId): CVariable | undefined => {
    const part = places.has(t) ? parts.get(t) : undefined;
    const named = part && exactNameAt(part.site, part.offset, part.bytes);
    if (part === undefined || named?.type === undefined || !isVisible(part.site)) return undefined;
    return { text: named.name, type: named.type };
  };
  const behind = (t: TermId): SourceName | undefined => {
    const named = placeName(t);
    const type = stripped(named?.type);
    if (named === undefined || type?.kind !== 'pointer') return undefined;
    return { name: named.text, type: { kind: 'array', element: type.to, count: undefined } };
  };
  const startOf = (t: TermId): SourceName | undefined => {
    const site = places.has(t) ? starts.get(t) : undefined;
    return site !== undefined && site.kind !== 'heap' && isVisible(site) ? site : undefined;
  };
  // An object has a better name than a pointer to it.
  const pointers = new Map([
    ...pointersIn(terms, conjuncts, behind),
    ...pointersIn(terms, conjuncts, startOf),
  ]);
  const elements = new Elements(terms, {
    pointerWidth,
    objectsOf: array => (places.has(array) ? objects.get(array) : undefined),
    isVisible,
    behind: t => startOf(t) ?? behind(t),
    pointers,
    textOf: word => boundNames.get(word) ?? placeName(word)?.text,
  });
  const variableOf = (t: TermId): CVariable | undefined => {
    const name = boundNames.get(t);
    if (name !== undefined) return { text: name, type: integerOf(terms.width(t), isSigned) };
    return terms.op(t) === Op.SELECT ? elements.at(t) : placeName(t);
  };
  const writer = new CExpressions(terms, variableOf);
  const said: Spoken & { expressions: string[]; ofElements: string[]; rest: TermId[] } = {
    expressions: [],
    ofElements: [],
    rest: [],
  };
  for (const conjunct of bitsTogether(terms, conjuncts)) {
    const mentioned = new Set(terms.postorder([conjunct]));
    const names = bound.filter(v => mentioned.has(v)).map(v => boundNames.get(v) as string);
    const type = integerType(terms.width(bound[0] ?? terms.true), isSigned);
    const read = [...mentioned].flatMap(t => (terms.op(t) === Op.SELECT ? (elements.at(t) ?? []) : []));
    const bounds = [...new Set(read.flatMap(e => e.bounds))];
    const text =
      names.length === 0
        ? writer.formula(terms.or([...bounds.map(b => terms.not(b)), conjunct]))
        : writer.forAll(conjunct, type, names, bounds);
    if (text === undefined) said.rest.push(conjunct);
    else if (names.length === 0 && read.every(e => e.isBounded)) said.expressions.push(text);
    else said.ofElements.push(text);
  }
  return said;
}

/** By address, what is said to lie there, where places that are said to hold it point to something with a name. */
function pointersIn(
  terms: TermStore,
  conjuncts: readonly TermId[],
  nameBehind: (pointer: TermId) => SourceName | undefined,
): Map<bigint, SourceName> {
  const found = new Map<bigint, SourceName>();
  for (const c of conjuncts) {
    if (terms.op(c) !== Op.EQ || terms.width(terms.arg(c, 0)) <= 1) continue;
    const [a, b] = terms.args(c);
    const [constant, place] = terms.isConstant(a) ? [a, b] : [b, a];
    if (!terms.isConstant(constant) || !terms.isVariable(place)) continue;
    const named = nameBehind(place);
    if (named !== undefined) found.set(BigInt(terms.bvValue(constant)), named);
  }
  return found;
}

function integerOf(width: number, isSigned: boolean): DebugType {
  const encoding = isSigned ? 'signed' : 'unsigned';
  return { kind: 'basic', name: integerType(width, isSigned), bits: width, encoding };
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
