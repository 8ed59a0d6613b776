/**
 * The page's side: functions that run in a worker and are called like those of the library. A call has a worker for itself, so
 * to abort it is to end its worker, whatever that is doing; a worker that has done its call waits for the next. What an aborted
 * call answers is for the function to say: a fresh worker is asked the same with a signal that is aborted, which takes no time.
 */
import { type Answer, type Call, type Surroundings, unpacked } from './messages.ts';

/** What is used of a worker. */
export interface WorkerLike {
  postMessage(message: Call): void;
  terminate(): unknown;
  onmessage: ((event: { readonly data: Answer }) => void) | null;
  /** The event of a browser, or an error. */
  onerror: ((event: { readonly message?: string }) => void) | null;
}

/** The options of a call, with what only makes sense on the page. */
export interface PageOptions {
  /** Ends the call at once; it answers as if the library had been told to stop. */
  readonly signal?: AbortSignal | undefined;
  /** For C: the texts of the files that may be included, by path. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** What the worker gets in another way: by addresses, or not at all. */
type NotSent = 'signal' | 'wasm' | 'compiler' | 'lookUp';
type Sent<T> = T extends object ? Omit<T, NotSent> & PageOptions : T;

/** A function as a page calls it. */
export type Remote<F> = F extends (...args: infer A) => infer R
  ? (...args: { [K in keyof A]: Sent<A[K]> }) => Promise<Awaited<R>>
  : never;

/** Workers that run functions, of which only the names are known here. */
export class Workers {
  private readonly start: () => WorkerLike;
  private readonly surroundings: Surroundings;
  private idle: WorkerLike | undefined;
  private readonly running = new Map<WorkerLike, (error: Error) => void>();

  constructor(start: () => WorkerLike, surroundings: Surroundings) {
    this.start = start;
    this.surroundings = surroundings;
  }

  /** The function with this name. */
  function<F>(name: string): Remote<F> {
    return ((...args: unknown[]) => this.call(name, args)) as Remote<F>;
  }

  /** Ends all workers; calls that are not done fail. */
  close(): void {
    this.idle?.terminate();
    this.idle = undefined;
    for (const fail of this.running.values()) fail(new Error('the worker has been closed'));
  }

  private async call(name: string, args: readonly unknown[]): Promise<unknown> {
    const { plain, listeners, signal } = takenApart(args);
    const { surroundings } = this;
    const ask = (given: readonly unknown[], aborting?: AbortSignal) =>
      this.ask({ name, args: given, heard: [...listeners.keys()], surroundings }, listeners, aborting);
    const outcome = signal?.aborted === true ? ABORTED : await ask(plain, signal);
    if (outcome !== ABORTED) return outcome;
    return ask(plain.map(arg => (isOptions(arg) ? { ...arg, signal: { aborted: true } } : arg)));
  }

  private ask(call: Call, listeners: Listeners, signal: AbortSignal | undefined): Promise<unknown> {
    const worker = this.idle ?? this.start();
    this.idle = undefined;
    return new Promise((resolve, reject) => {
      const settle = (isReusable: boolean, outcome: () => void) => {
        this.running.delete(worker);
        signal?.removeEventListener('abort', onAbort);
        worker.onmessage = null;
        worker.onerror = null;
        if (isReusable && this.idle === undefined) this.idle = worker;
        else worker.terminate();
        outcome();
      };
      const fail = (error: Error) => settle(false, () => reject(error));
      const onAbort = () => settle(false, () => resolve(ABORTED));
      this.running.set(worker, fail);
      signal?.addEventListener('abort', onAbort);
      worker.onerror = ({ message }) =>
        fail(new Error(`the worker has failed: ${message ?? 'no reason given'}`));
      worker.onmessage = ({ data }) => {
        if (data.kind === 'heard') listeners.get(data.option)?.(...data.args);
        else if (data.kind === 'result') settle(true, () => resolve(data.result));
        else settle(true, () => reject(unpacked(data.error)));
      };
      worker.postMessage(call);
    });
  }
}

type Listeners = ReadonlyMap<string, (...args: readonly unknown[]) => void>;

const ABORTED = Symbol('aborted');

function isOptions(arg: unknown): arg is Readonly<Record<string, unknown>> {
  return typeof arg === 'object' && arg !== null && !Array.isArray(arg);
}

/** Arguments without what is no plain data: listeners, and the signal. */
function takenApart(args: readonly unknown[]): {
  readonly plain: readonly unknown[];
  readonly listeners: Listeners;
  readonly signal: AbortSignal | undefined;
} {
  const listeners = new Map<string, (...args: readonly unknown[]) => void>();
  let signal: AbortSignal | undefined;
  const plain = args.map(arg => {
    if (!isOptions(arg)) return arg;
    const entries = Object.entries(arg).filter(([key, value]) => {
      if (key === 'signal') signal = value as AbortSignal | undefined;
      else if (typeof value !== 'function') return true;
      else if (!/^on[A-Z]/.test(key)) throw new TypeError(`the option ${key} cannot be sent to a worker`);
      else listeners.set(key, value as (...args: readonly unknown[]) => void);
      return false;
    });
    return Object.fromEntries(entries);
  });
  // Without options the worker would have nothing to put what it has been told of its surroundings into.
  return { plain: plain.some(isOptions) ? plain : [...plain, {}], listeners, signal };
}
