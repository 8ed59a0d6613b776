/**
 * The C compiler's package by its address: imported when it is first called, which fetches a hundred megabytes, and telling
 * how far that is. Once it is there, calls go straight through.
 */
import type { Progress } from '../core/portfolio/share.ts';
import type { ClangPackage } from '../formats/c/clang-package.ts';

/** What the package says while it is fetched. */
interface Fetched {
  readonly doneLength: number;
  readonly totalLength: number;
}

/** The phase in which the compiler is fetched; `stats` has the bytes that are here and those that there are. */
export const LOADING_COMPILER = 'loading the C compiler';

/** A page that is told of each of thousands of pieces has no time for anything else. */
const STEP = 0.005;

export class ClangLoader {
  private readonly packages = new Map<string, ClangPackage>(); // by address

  package(address: string, onProgress: (progress: Progress) => void): ClangPackage {
    return {
      runLLVM: (args, files, options) => {
        const loaded = this.packages.get(address);
        if (loaded !== undefined) return loaded.runLLVM(args, files, options);
        return load(address, onProgress).then(clang => {
          this.packages.set(address, clang);
          return clang.runLLVM(args, files, options);
        });
      },
    };
  }
}

async function load(address: string, onProgress: (progress: Progress) => void): Promise<ClangPackage> {
  let told = -1;
  const fetchProgress = ({ doneLength, totalLength }: Fetched) => {
    const share = Math.floor(doneLength / totalLength / STEP);
    if (share === told) return;
    told = share;
    onProgress({ phase: LOADING_COMPILER, stats: { bytes: doneLength, of: totalLength } });
  };
  const clang: ClangPackage = await import(/* @vite-ignore */ /* webpackIgnore: true */ address);
  // The package declares its listener without the argument that it calls it with.
  await clang.runLLVM(undefined, undefined, { fetchProgress: fetchProgress as () => void });
  return clang;
}
