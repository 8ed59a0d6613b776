/**
 * Which functions are kept instead of being inlined. Those must be that call themselves, by themselves or by way of others: enough of
 * them that each cycle of calls goes through one. These are what a search through the calls from the start on finds still
 * open; of two functions that call each other only the one that is called first is kept, and the other one is inlined into it. Those may be
 * that have loops and are called more than once: what is true of a loop need be found only once.
 */
import { loopHeads, ranksOf } from './cut-points.ts';
import type { Flow } from './flow.ts';
import type { PointsTo } from './points-to.ts';

export function keptFunctions(flow: Flow, pointsTo: PointsTo, withLoops: boolean): ReadonlySet<string> {
  const { procedures } = flow;
  const calleesOf = (name: string): string[] =>
    (procedures.get(name)?.blocks ?? []).flatMap(b =>
      b.statements.flatMap(s => {
        if (s.op !== 'call') return [];
        return s.callee.kind === 'named' ? [s.callee.name] : pointsTo.callees(s.callee).names;
      }),
    );
  const kept = new Set<string>();
  const calls = new Map<string, number>();
  const open = new Set(['']);
  const seen = new Set(['']);
  const stack = [{ name: '', callees: calleesOf('') }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.callees.shift();
    if (next === undefined) {
      open.delete(top.name);
      stack.pop();
    } else {
      calls.set(next, (calls.get(next) ?? 0) + 1);
      if (open.has(next)) kept.add(next);
      else if (!seen.has(next)) {
        seen.add(next);
        open.add(next);
        stack.push({ name: next, callees: calleesOf(next) });
      }
    }
  }
  if (withLoops) {
    const isLoopHead = loopHeads(flow, ranksOf(flow));
    for (const [name, count] of calls)
      if (count > 1 && procedures.get(name)?.blocks.some(b => isLoopHead(b.id))) kept.add(name);
  }
  return kept;
}
