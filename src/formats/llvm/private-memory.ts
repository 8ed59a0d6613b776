/**
 * Which memory of a function that is kept belongs to one call of it alone? A body that many calls have in common stands for all of
 * them, so an object of it exists as often as calls are open. As long as nothing that one call hands to another leads to it, each call
 * can speak of its own as if it were the only one. What is handed over: arguments, results and whatever globals lead to.
 */
import type { Flow, Value } from './flow.ts';
import type { Memory } from './memory.ts';
import type { PointsTo } from './points-to.ts';

/** The numbers of objects on the stack of which one call may know those of another. */
export function knownBeyondOneCall(flow: Flow, pointsTo: PointsTo): Set<number> {
  const { bodies } = flow;
  if (bodies === undefined || bodies.size === 0) return new Set();
  const shared = sharedNodes(flow, pointsTo);
  return new Set(
    flow.sites
      .filter(s => s.kind === 'stack' && s.size !== undefined && bodies.has(s.frame))
      .filter(s => shared.has(pointsTo.cellOfSite(s).node))
      .map(s => s.id),
  );
}

/** The variables of memory that belong to one call, with the body that has them. */
export function privateVariables(flow: Flow, pointsTo: PointsTo, memory: Memory): Map<number, number> {
  const { bodies } = flow;
  const found = new Map<number, number>();
  if (bodies === undefined || bodies.size === 0) return found;
  const shared = sharedNodes(flow, pointsTo);
  for (const node of pointsTo.nodes) {
    if (shared.has(node)) continue;
    const owners = new Set(
      [...pointsTo.node({ node, offset: 0 }).sites.keys()].map(s => bodies.get(s.frame)),
    );
    const [owner] = owners;
    if (owners.size !== 1 || owner === undefined) continue;
    for (const { variable, base } of memory.region({ node, offset: 0 })?.groups ?? []) {
      found.set(variable, owner);
      if (base !== undefined) found.set(base, owner);
    }
  }
  return found;
}

/** Nodes that calls, or what comes from outside of the program, have in common. */
function sharedNodes(
  { sites, blocks, procedures, pointerWidth: width }: Flow,
  pointsTo: PointsTo,
): Set<number> {
  const globals = sites
    .filter(s => s.kind === 'global')
    .map((site): Value => ({ kind: 'address', site, offset: 0n, width }));
  const handed = blocks.flatMap((b): Value[] => [
    ...b.statements.flatMap(s => {
      if (s.op === 'call') return [...s.args.flat(), ...s.results];
      if (s.op === 'havoc') return s.reached;
      return s.op === 'any' ? [s.to] : [];
    }),
    ...(b.end.op === 'return' ? b.end.values : []),
    ...(b.isEntry ? b.phis.map(p => p.to) : []),
  ]);
  const parameters = [...procedures.values()].flatMap(p => p.parameters.flat());
  return pointsTo.reachableFrom([...globals, ...handed, ...parameters]);
}
