/** The invariants of an e-graph, checked from scratch; returns what is broken, or nothing. */
import { type EGraph, NONE, NodeKind, Reason } from '../../src/euf/egraph.ts';

export function brokenInvariant(graph: EGraph): string | undefined {
  const { root, next, target, reason, args, firstArg, kind, value } = graph;
  const argsOf = (n: number) => [...args.subarray(firstArg[n], firstArg[n + 1])];
  const areCongruent = (p: number, q: number, crossed: boolean) => {
    const [a, b] = [argsOf(p), argsOf(q)];
    const other = crossed ? b.reverse() : b;
    return graph.symbol[p] === graph.symbol[q] && a.every((x, i) => root[x] === root[other[i]]);
  };
  for (let n = 0; n < graph.count; n++) {
    if (root[root[n]] !== root[n]) return `the root of ${n} is no root`;
    if (root[next[n]] !== root[n]) return `the list of ${n}'s class leaves the class`;
    if ((kind[n] & NodeKind.VALUE) !== 0 && value[root[n]] !== n)
      return `the class of value ${n} does not know it`;
    const to = target[n];
    if (to !== NONE) {
      if (root[to] !== root[n]) return `the edge from ${n} to ${to} leaves the class`;
      const payload = reason[n] >> 2;
      switch (reason[n] & 3) {
        case Reason.CONGRUENT:
          if (!areCongruent(n, to, payload === 1)) return `${n} and ${to} are no longer congruent`;
          break;
        case Reason.EVALUATED:
          if (argsOf(payload).some(a => value[root[a]] === NONE)) return `${payload} has lost its value`;
          break;
        case Reason.REFLEXIVE: {
          const [a, b] = argsOf(payload);
          if (root[a] !== root[b]) return `the equality ${payload} no longer holds`;
        }
      }
    }
    const holder = graph.table.cg[n];
    if (graph.symbol[n] !== NONE) {
      const isEquality = (kind[n] & NodeKind.EQUALITY) !== 0;
      const fits = areCongruent(n, holder, false) || (isEquality && areCongruent(n, holder, true));
      if (!fits) return `${holder} holds the signature of ${n} without being congruent`;
    }
  }
  return undefined;
}

/** When all merges are done: congruent applications are in one class, and so are equal trees. */
export function notClosed(graph: EGraph): string | undefined {
  const bySignature = new Map<string, number>();
  for (let n = 0; n < graph.count; n++) {
    let top = n;
    while (graph.target[top] !== NONE) top = graph.target[top];
    if (graph.root[n] !== n && top === n && graph.target[graph.root[n]] === NONE) return `${n} has no path`;
    if (graph.symbol[n] === NONE) continue;
    const roots = [...graph.args.subarray(graph.firstArg[n], graph.firstArg[n + 1])].map(a => graph.root[a]);
    if ((graph.kind[n] & NodeKind.EQUALITY) !== 0) roots.sort((a, b) => a - b);
    const key = `${graph.symbol[n]}: ${roots}`;
    const other = bySignature.get(key);
    if (other !== undefined && graph.root[other] !== graph.root[n]) return `${n} and ${other} are congruent`;
    bySignature.set(key, n);
  }
  return undefined;
}
