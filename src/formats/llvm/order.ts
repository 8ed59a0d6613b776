/** Orders of the blocks of a flow. */
import { type Flow, type FlowBlock, targetsOf } from './flow.ts';

/** The blocks that some path leads to from one, each after those that it cannot be reached without. */
export function reversePostorder({ blocks }: Flow, entry: FlowBlock): FlowBlock[] {
  const order: FlowBlock[] = [];
  const seen = new Set([entry]);
  const stack = [{ block: entry, targets: targetsOf(entry) }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const id = top.targets.pop();
    if (id === undefined) {
      order.push(top.block);
      stack.pop();
      continue;
    }
    const block = blocks[id];
    if (seen.has(block)) continue;
    seen.add(block);
    stack.push({ block, targets: targetsOf(block) });
  }
  return order.reverse();
}
