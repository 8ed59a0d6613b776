/** The solvers under comparison, behind one small interface in DIMACS numbers. */
import { createRequire } from 'node:module';
import { fromDimacs, type Lit, toDimacs } from '../../src/sat/literals.ts';
import { Solver } from '../../src/sat/solver.ts';

export interface Peer {
  addClause(clause: readonly number[]): void;
  solve(assumptions: readonly number[]): boolean;
  value(v: number): boolean;
  core(): number[];
}

export type PeerName = 'euforia' | 'logic-solver' | 'cadical-wasm';

export async function createPeer(name: PeerName, varCount: number): Promise<Peer> {
  if (name === 'euforia') return new EuforiaPeer(varCount);
  if (name === 'logic-solver') return new LogicSolverPeer(varCount);
  const { Cadical } = await import('cadical-wasm');
  const solver = await Cadical.create({ quiet: true });
  solver.ensureVars(varCount);
  return {
    addClause: clause => solver.addClause(clause),
    solve: assumptions => solver.solve({ assumptions }) === 'satisfiable',
    value: v => solver.value(v),
    core: () => solver.failedAssumptions(),
  };
}

class EuforiaPeer implements Peer {
  private readonly solver = new Solver();

  constructor(varCount: number) {
    for (let v = 0; v < varCount; v++) this.solver.newVar();
  }

  addClause(clause: readonly number[]): void {
    this.solver.addClause(clause.map(fromDimacs));
  }

  solve(assumptions: readonly number[]): boolean {
    return this.solver.solve(assumptions.map(fromDimacs)) === 'sat';
  }

  value(v: number): boolean {
    return this.solver.value(fromDimacs(v) as Lit) === true;
  }

  core(): number[] {
    return this.solver.core().map(toDimacs);
  }
}

interface MiniSat {
  ensureVar(v: number): void;
  addClause(clause: readonly number[]): boolean;
  solve(): boolean;
  getSolution(): boolean[];
}

class LogicSolverPeer implements Peer {
  private readonly solver: MiniSat;
  private model: boolean[] = [];

  constructor(varCount: number) {
    const load = createRequire(import.meta.url);
    this.solver = new (load('logic-solver/minisat_wrapper.js') as new () => MiniSat)();
    this.solver.ensureVar(varCount);
  }

  addClause(clause: readonly number[]): void {
    this.solver.addClause(clause);
  }

  solve(assumptions: readonly number[]): boolean {
    if (assumptions.length > 0) throw new Error('logic-solver takes no list of assumptions');
    const isSatisfiable = this.solver.solve();
    if (isSatisfiable) this.model = this.solver.getSolution();
    return isSatisfiable;
  }

  value(v: number): boolean {
    return this.model[v];
  }

  core(): number[] {
    return [];
  }
}
