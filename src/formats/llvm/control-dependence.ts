/**
 * Which branches decide whether a block is executed? A block depends on a branch if one way from there leads to it for certain and
 * another one does not (Ferrante, Ottenstein and Warren's control dependence, by way of postdominators; these by Cooper,
 * Harvey and Kennedy's algorithm on the reversed graph).
 *
 * Where no way leads out of a loop, the last of its blocks is taken to have one: it is listed as endless, and whoever uses
 * this must take it that being there matters.
 */
import { type Flow, type FlowBlock, type Procedure, targetsOf } from './flow.ts';
import { reversePostorder } from './order.ts';

export interface ControlDependence {
  /** The blocks whose branches decide about a block. */
  readonly deciders: ReadonlyMap<FlowBlock, readonly FlowBlock[]>;
  /** The next block that is executed whatever happens; undefined for the end of the procedure. */
  readonly next: ReadonlyMap<FlowBlock, FlowBlock | undefined>;
  readonly endless: readonly FlowBlock[];
  /** Branches that may be come back to before the next block that is executed for certain: those that loops end with. */
  readonly repeated: readonly FlowBlock[];
}

/** The number of the end of a procedure, which every way leads to. */
const END = 0;

export function controlDependence(flow: Flow, procedure: Procedure): ControlDependence {
  const order = reversePostorder(flow, procedure.blocks[0]);
  const numbers = new Map(order.map((b, i) => [b, i + 1]));
  const targets: number[][] = [
    [],
    ...order.map(b => {
      const own = targetsOf(b).map(t => numbers.get(flow.blocks[t]) as number);
      return own.length === 0 ? [END] : own;
    }),
  ];
  const endless = openEndless(targets);
  const parent = postdominators(targets);
  const deciders = new Map<FlowBlock, FlowBlock[]>();
  order.forEach((branch, i) => {
    const from = i + 1;
    if (targets[from].length < 2) return;
    const own = new Set<number>();
    for (const target of targets[from])
      for (let at = target; at !== parent[from] && !own.has(at); at = parent[at]) own.add(at);
    for (const at of own) {
      const block = order[at - 1];
      const known = deciders.get(block);
      if (known === undefined) deciders.set(block, [branch]);
      else known.push(branch);
    }
  });
  return {
    deciders,
    next: new Map(order.map((b, i) => [b, parent[i + 1] === END ? undefined : order[parent[i + 1] - 1]])),
    endless: endless.map(n => order[n - 1]),
    repeated: order.filter((_, i) => isRepeated(targets, i + 1, parent[i + 1])),
  };
}

/** Does a way lead back without passing the next number that all ways lead through? */
function isRepeated(targets: readonly (readonly number[])[], from: number, next: number): boolean {
  if (targets[from].length < 2) return false;
  const seen = new Set(targets[from]);
  seen.delete(next);
  for (const n of seen) {
    if (n === from) return true;
    for (const t of targets[n]) if (t !== next) seen.add(t);
  }
  return false;
}

function sourcesOf(targets: readonly (readonly number[])[]): number[][] {
  const sources: number[][] = targets.map(() => []);
  targets.forEach((own, from) => {
    for (const t of new Set(own)) sources[t].push(from);
  });
  return sources;
}

/** Gives loops without an exit one, and returns where. */
function openEndless(targets: number[][]): number[] {
  const sources = sourcesOf(targets);
  const leadsOut = new Uint8Array(targets.length);
  const found: number[] = [];
  const visit = (start: number) => {
    const waiting = [start];
    leadsOut[start] = 1;
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      for (const s of sources[n]) {
        if (leadsOut[s] === 1) continue;
        leadsOut[s] = 1;
        waiting.push(s);
      }
    }
  };
  visit(END);
  for (let n = targets.length - 1; n > 0; n--) {
    if (leadsOut[n] === 1) continue;
    targets[n].push(END);
    found.push(n);
    visit(n);
  }
  return found;
}

/** Of each number, the next one that all ways lead through. */
function postdominators(targets: readonly (readonly number[])[]): Int32Array {
  const sources = sourcesOf(targets);
  // Numbers in an order in which each comes after the one that it is reached from backwards.
  const order: number[] = [];
  const seen = new Uint8Array(targets.length);
  const stack: { readonly n: number; next: number }[] = [{ n: END, next: 0 }];
  seen[END] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const source = sources[top.n][top.next++];
    if (source === undefined) {
      order.push(top.n);
      stack.pop();
    } else if (seen[source] === 0) {
      seen[source] = 1;
      stack.push({ n: source, next: 0 });
    }
  }
  order.reverse();
  const rank = new Int32Array(targets.length);
  order.forEach((n, i) => {
    rank[n] = i;
  });
  const parent = new Int32Array(targets.length).fill(-1);
  parent[END] = END;
  const common = (a: number, b: number) => {
    let [x, y] = [a, b];
    while (x !== y) {
      if (rank[x] > rank[y]) x = parent[x];
      else y = parent[y];
    }
    return x;
  };
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const n of order) {
      if (n === END) continue;
      let best = -1;
      for (const t of targets[n]) if (parent[t] !== -1) best = best === -1 ? t : common(best, t);
      if (best === parent[n]) continue;
      parent[n] = best;
      hasChanged = true;
    }
  }
  return parent;
}
