/**
 * CaDiCaL, compiled to WebAssembly, as a back end (the package `cadical-wasm`). The module is loaded from bytes: those that the
 * caller has fetched, or those that were packed into what is built; after that everything is synchronous.
 */
import { Cadical, type CadicalModule, createModule } from 'cadical-wasm';
import { type Budget, exceededLimit } from '../sat/budget.ts';
import { type Lit, toDimacs } from '../sat/literals.ts';
import type { Result } from '../sat/solver.ts';
import type { UnknownReason } from '../sat/unknown.ts';
import type { BackEndModule, SatBackEnd } from './back-end.ts';

/** WebAssembly memory never shrinks: a module beyond this size is left to the garbage collector when it is idle. */
const WORN_BYTES = 24 * 2 ** 20;

/** What is used of the surroundings, of which the language's own library has no types. */
interface Surroundings {
  readonly WebAssembly?: {
    compile(bytes: Uint8Array): Promise<object>;
    instantiate(module: object, imports: object): Promise<object>;
  };
  readonly DecompressionStream: new (format: 'deflate-raw') => object;
  readonly Response: new (
    body: Uint8Array | object,
  ) => {
    readonly body: { pipeThrough(stream: object): object };
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  atob(text: string): string;
}

/** Makes CaDiCaL available, given the bytes of `cadical.wasm`, or with those that were packed. */
export async function loadCadical(given?: Uint8Array): Promise<BackEndModule> {
  const { WebAssembly: wasm } = globalThis as unknown as Surroundings;
  if (wasm === undefined) throw new Error('there is no WebAssembly here');
  const bytes = given ?? (await packedBytes());
  if (bytes === undefined) return new CadicalSource(await createModule());
  // Compiled here, since left to itself the package would look for the file, which a browser need not have.
  const compiled = await wasm.compile(bytes);
  const instantiateWasm = (imports: object, receive: (instance: object) => void) =>
    void wasm.instantiate(compiled, imports).then(receive);
  return new CadicalSource(await createModule({ instantiateWasm }));
}

/** They are a file of their own, which those who bring their own bytes do not load. */
async function packedBytes(): Promise<Uint8Array | undefined> {
  const { PACKED } = await import('./packed-cadical.ts');
  if (PACKED === undefined) return undefined;
  const { atob, DecompressionStream, Response } = globalThis as unknown as Surroundings;
  const packed = Uint8Array.from(atob(PACKED), c => c.charCodeAt(0));
  const unpacked = new Response(packed).body.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

class CadicalSource implements BackEndModule {
  private readonly module: CadicalModule;
  private solvers = 0; // in use

  constructor(module: CadicalModule) {
    this.module = module;
  }

  make(): SatBackEnd {
    this.solvers++;
    return new CadicalBackEnd(this.module, () => {
      this.solvers--;
    });
  }

  get isWorn(): boolean {
    return this.solvers === 0 && this.module.HEAP32.buffer.byteLength > WORN_BYTES;
  }
}

class CadicalBackEnd implements SatBackEnd {
  private readonly solver: Cadical;
  private readonly onDispose: () => void;
  private varCount = 0;
  private result: Result | undefined;
  private reason: UnknownReason | undefined;
  private budget: Budget | undefined; // of the running call

  constructor(module: CadicalModule, onDispose: () => void) {
    this.onDispose = onDispose;
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
    if (this.budget !== undefined) this.reason = exceededLimit(this.budget);
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

  get unknownReason(): UnknownReason | undefined {
    return this.reason;
  }

  dispose(): void {
    if (this.solver.disposed) return;
    this.solver.dispose();
    this.onDispose();
  }
}
