/**
 * Where the paths of a flow are cut: at blocks where they come together, and at the heads of loops among those, which every cycle
 * goes through.
 */
import { type Flow, targetsOf } from './flow.ts';

/** Paths between locations have no more blocks than this, so that neither terms nor the call stack grow without bound. */
const MAX_PATH = 200;

/** Blocks that more than one way leads to, among those that can be reached, and some in between on long ways. */
export function joinsOf({ blocks }: Flow): number[] {
  const ways = new Int32Array(blocks.length);
  const depth = new Int32Array(blocks.length);
  ways[0] = 1;
  const seen = new Set<number>([0]);
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

/** The number of each block in a reverse postorder. */
export function ranksOf({ blocks }: Flow): Int32Array {
  const ranks = new Int32Array(blocks.length);
  const seen = new Set([0]);
  const stack = [{ id: 0, targets: targetsOf(blocks[0]) }];
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
