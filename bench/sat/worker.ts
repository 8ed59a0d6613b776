/**
 * One measurement in a process of its own: `worker SOLVER one-shot|incremental INDEX [--quick]`. The time runs from
 * making the solver to the answer, so warming up the just-in-time compiler counts, and starting node does not.
 */
import { oneShotInstances } from './families.ts';
import { incrementalStreams } from './incremental.ts';
import { createPeer, type PeerName } from './peers.ts';

const [name, family, index, quick] = process.argv.slice(2);
const isQuick = quick === '--quick';
const measured = family === 'one-shot' ? await oneShot(Number(index)) : await incremental(Number(index));
process.stdout.write(JSON.stringify(measured));

async function oneShot(at: number): Promise<{ ms: number; answer: string }> {
  const { varCount, clauses } = oneShotInstances(isQuick)[at];
  const start = performance.now();
  const peer = await createPeer(name as PeerName, varCount);
  for (const clause of clauses) peer.addClause(clause);
  const isSatisfiable = peer.solve([]);
  const ms = performance.now() - start;
  if (isSatisfiable && !clauses.every(clause => clause.some(lit => peer.value(Math.abs(lit)) === lit > 0))) {
    throw new Error(`${name} gives a wrong model`);
  }
  return { ms, answer: isSatisfiable ? 'sat' : 'unsat' };
}

async function incremental(at: number): Promise<{ ms: number; answer: string }> {
  const { varCount, clauses, calls, readVars } = incrementalStreams(isQuick)[at];
  const start = performance.now();
  const peer = await createPeer(name as PeerName, varCount);
  for (const clause of clauses) peer.addClause(clause);
  let satisfiable = 0;
  let hash = 0;
  let read = 0;
  for (const { newClauses, assumptions } of calls) {
    for (const clause of newClauses) peer.addClause(clause);
    hash = Math.imul(hash, 31);
    if (peer.solve(assumptions)) {
      satisfiable++;
      hash++;
      for (const v of readVars) if (peer.value(v)) read++;
    } else {
      read += peer.core().length;
    }
  }
  const ms = performance.now() - start;
  if (read === 0) throw new Error('nothing was read');
  return { ms, answer: `${satisfiable} sat, hash ${hash >>> 0}` };
}
