/**
 * Where the paths of a flow are cut: at blocks where they come together, and at the heads of loops among those, which every cycle
 * goes through.
 */
import { entriesOf, type Flow, targetsOf } from './flow.ts';

/** Paths between locations have no more blocks than this, so that neither terms nor the call stack grow without bound. */
const MAX_PATH = 200;

/** Blocks that more than one way leads to, among those that can be reached, and some in between on long ways. */
export function joinsOf(flow: Flow): number[] {
  const { blocks } = flow;
  const ways = new Int32Array(blocks.length);
  const depth = new Int32Array(blocks.length);
  const seen = new Set<number>(entriesOf(flow));
  for (const id of seen) ways[id] = 1;
  for (const id of seen) {
    for (const target of new Set(targetsOf(blocks[id]))) {
      ways[target]++;
      if (seen.has(target)) continue;
      seen.add(target);
      depth[target] = depth[id] + 1;
    }
  }
  return blocks
    .filter(b => ways[b.id] > 1 || (depth[b.id] > 0 && depth[b.id] % MAX_PATH === 0))
    .map(b => b.id);
}

/** An edge has no more calls than this if a cut can prevent it. */
const MAX_CALLS = 3;

/** Ways that differ in what they call stay apart where they come together, as long as they are no more than this. */
const MAX_WAYS = 4;

/** The blocks at which paths are cut, with some more, so that there are not too many calls on the paths in between. */
export function cutAtCalls(flow: Flow, ranks: Int32Array, cut: ReadonlySet<number>): Set<number> {
  const { blocks } = flow;
  const all = new Set(cut);
  if (flow.procedures.size < 2) return all;
  const ways = new Map<number, Map<string, number>>(entriesOf(flow).map(id => [id, new Map([['', 0]])]));
  const inOrder = blocks.map(b => b.id).sort((a, b) => ranks[a] - ranks[b]);
  for (const id of inOrder) {
    let own = ways.get(id);
    if (own === undefined) continue;
    const isTooMuch = own.size > MAX_WAYS || [...own.values()].some(n => n >= MAX_CALLS);
    if (isTooMuch) all.add(id);
    if (all.has(id)) own = new Map([['', 0]]);
    const calls = blocks[id].statements.flatMap((s, i) => (s.op === 'call' ? [`${id}.${i}`] : []));
    for (const target of targetsOf(blocks[id])) {
      let known = ways.get(target);
      if (known === undefined) ways.set(target, (known = new Map()));
      for (const [way, n] of own) known.set([way, ...calls].join(' '), n + calls.length);
    }
  }
  return all;
}

/** The number of each block in a reverse postorder. */
export function ranksOf(flow: Flow): Int32Array {
  const { blocks } = flow;
  const ranks = new Int32Array(blocks.length);
  const entries = entriesOf(flow);
  const seen = new Set(entries);
  const stack = entries.map(id => ({ id, targets: targetsOf(blocks[id]) }));
  let rank = blocks.length;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const target = top.targets.pop();
    if (target === undefined) {
      ranks[top.id] = --rank;
      stack.pop();
    } else if (!seen.has(target)) {
      seen.add(target);
      stack.push({ id: target, targets: targetsOf(blocks[target]) });
    }
  }
  return ranks;
}

/** Is a block one that some step leads back to? */
export function loopHeads({ blocks }: Flow, ranks: Int32Array): (id: number) => boolean {
  const heads = new Set(blocks.flatMap(b => targetsOf(b).filter(target => ranks[target] <= ranks[b.id])));
  return id => heads.has(id);
}
