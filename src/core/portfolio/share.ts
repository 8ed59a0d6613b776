/** What is told of a search while it runs and afterwards: plain data, part of what the library says to its callers. */

/** How far a check is. */
export interface Progress {
  /** What is being done: an engine's name, or another phase. */
  readonly phase: string;
  /** What the engine that is at work has done. */
  readonly stats: Readonly<Record<string, number>>;
}

/** What an engine has done. */
export interface Share {
  readonly name: string;
  /** In its own units. */
  readonly spent: number;
  readonly stats: Readonly<Record<string, number>>;
  /** Why it did not take the problem, or has given up. */
  readonly obstacle: string | undefined;
}
