/**
 * The worker's side: calls the functions that a page asks for and passes on what they say meanwhile. What a page cannot send,
 * since it is no plain data, is put in its place here: the bytes of the SAT solver, the C compiler, and the files that C
 * includes.
 */
import { ClangLoader } from './loading-clang.ts';
import { type Answer, type Call, packed } from './messages.ts';

/** What is used of a worker's own scope. */
export interface Scope {
  postMessage(message: Answer): void;
  onmessage: ((event: { readonly data: Call }) => void) | null;
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

export function serve(scope: Scope, functions: Functions): void {
  const loader = new ClangLoader();
  scope.onmessage = async ({ data: call }) => {
    try {
      const served = functions[call.name] as (...args: unknown[]) => unknown;
      const result = await served(...call.args.map(arg => completed(scope, loader, call, arg)));
      scope.postMessage({ kind: 'result', result });
    } catch (error) {
      scope.postMessage({ kind: 'failure', error: packed(error) });
    }
  };
}

/** An argument as the page has sent it; options with what was left out of them. */
function completed(scope: Scope, loader: ClangLoader, { heard, surroundings }: Call, arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null) return arg;
  const { files, ...options } = arg as { readonly files?: Readonly<Record<string, string>> };
  const tell = (option: string, ...args: unknown[]) => scope.postMessage({ kind: 'heard', option, args });
  const { wasm, compiler } = surroundings;
  return {
    ...options,
    ...Object.fromEntries(heard.map(option => [option, (...args: unknown[]) => tell(option, ...args)])),
    ...(wasm === undefined ? {} : { wasm: () => bytesAt(wasm) }),
    ...(files === undefined ? {} : { lookUp: (path: string) => files[path] }),
    ...(compiler === undefined
      ? {}
      : {
          compiler: loader.package(compiler, progress => {
            if (heard.includes('onProgress')) tell('onProgress', progress);
          }),
        }),
  };
}

async function bytesAt(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not there: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
