/** The shape of the package `@yowasp/clang`, which callers of the library hand over. */

/** Files and folders by name. */
export interface FileTree {
  [name: string]: FileTree | string;
}

/** What is used of it. */
export interface ClangPackage {
  readonly runLLVM: (
    args?: string[],
    files?: FileTree,
    options?: {
      stdout?: (bytes: Uint8Array | null) => void;
      stderr?: (bytes: Uint8Array | null) => void;
      decodeASCII?: boolean;
      fetchProgress?: () => void;
    },
  ) => unknown;
}
