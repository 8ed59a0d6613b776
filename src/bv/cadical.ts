/**
 * CaDiCaL, compiled to WebAssembly, as a back end (the package `cadical-wasm`). The module is loaded from bytes,
 * which the caller fetches as its surroundings allow; after that everything is synchronous.
 */
import { Cadical, type CadicalModule, createModule } from 'cadical-wasm';
import type { Budget, InterruptReason } from '../sat/budget.ts';
import { type Lit, toDimacs } from '../sat/literals.ts';
import type { Result } from '../sat/solver.ts';
import type { BackEndFactory, SatBackEnd } from './back-end.ts';

/** Makes CaDiCaL available, given the bytes of `cadical.wasm`. */
export async function loadCadical(wasmBinary: Uint8Array): Promise<BackEndFactory> {
  const module = await createModule({ wasmBinary });
  return () => new CadicalBackEnd(module);
}

class CadicalBackEnd implements SatBackEnd {
  readonly name = 'cadical';
  private readonly solver: Cadical;
  private varCount = 0;
  private result: Result | undefined;
  private reason: InterruptReason | undefined;
  private budget: Budget | undefined; // of the running call

  constructor(module: CadicalModule) {
    this.solver = new Cadical(module, { quiet: 1 });
    this.solver.setTerminate(() => this.isOver());
  }

  newVar(): number {
    return this.varCount++;
  }

  addClause(lits: readonly Lit[]): void {
    this.result = undefined;
    this.solver.addClause(lits.map(toDimacs));
  }

  solve(assumptions: readonly Lit[], budget?: Budget): Result {
    this.budget = budget;
    this.reason = undefined;
    const conflicts = budget?.conflicts;
    const status = this.solver.solve({
      assumptions: assumptions.map(toDimacs),
      ...(conflicts === undefined ? {} : { conflicts }),
    });
    if (status === 'unknown') {
      this.reason ??= 'conflicts';
      return (this.result = 'unknown');
    }
    return (this.result = status === 'satisfiable' ? 'sat' : 'unsat');
  }

  /** Polled inside the WebAssembly call, about twice a conflict. */
  private isOver(): boolean {
    const { budget } = this;
    if (budget?.signal?.aborted) this.reason = 'aborted';
    else if (budget?.deadline !== undefined && Date.now() >= budget.deadline) this.reason = 'deadline';
    return this.reason !== undefined;
  }

  value(lit: Lit): boolean {
    if (this.result !== 'sat') throw new Error('there is a model only after the answer sat');
    return this.solver.value(toDimacs(lit));
  }

  isFailed(lit: Lit): boolean {
    if (this.result !== 'unsat') throw new Error('there is a core only after the answer unsat');
    return this.solver.failed(toDimacs(lit));
  }

  get interruptReason(): InterruptReason | undefined {
    return this.reason;
  }

  dispose(): void {
    this.solver.dispose();
  }
}
