/** What the library answers: plain data, which can be sent from worker to page. */
import type { Share } from '../core/portfolio/share.ts';
import type { ControlGraph } from '../formats/control-graph-data.ts';

export interface Property {
  /** As the text counts it. */
  readonly index: number;
  /** What the text calls it, if it has a name. */
  readonly name: string | undefined;
}

/** What every answer about a property says. */
interface AboutProperty {
  /** Its number, as the text counts it. */
  readonly property: number;
  /** What the text calls it, if it has a name. */
  readonly name: string | undefined;
}

export interface Safe extends AboutProperty {
  readonly engines: readonly Share[];
  readonly verdict: 'safe';
  /** An SMT-LIB file with the invariant and the lemmas it rests on; for Horn clauses, a model of the relations. */
  readonly invariant: string;
  /** SMT-LIB scripts, each to be answered `unsat`, that prove the verdict. */
  readonly certificate: readonly { readonly name: string; readonly text: string }[];
  /** The control of what was checked, to be drawn. */
  readonly graph: ControlGraph;
}

export interface Unsafe extends AboutProperty {
  readonly engines: readonly Share[];
  readonly verdict: 'unsafe';
  /** The property that the run violates: of programs, the error in their text. */
  readonly violated: Property;
  /**
   * The run as a table for people (for Horn clauses, a derivation), as JSON, and for a waveform viewer, which is empty where the
   * run is too long to list all of it.
   */
  readonly table: string;
  readonly trace: string;
  readonly vcd: string;
  /** The control of what was checked, with the way of the run marked. */
  readonly graph: ControlGraph;
}

export interface Unknown extends AboutProperty {
  /** None if a limit was reached while the text was being read. */
  readonly engines: readonly Share[];
  readonly verdict: 'unknown';
  /** `deadline`, `memory` or `aborted` if a limit of the call was reached, and a sentence otherwise. */
  readonly reason: string;
}

export type PropertyResult = Safe | Unsafe | Unknown;

/**
 * What is true of all properties asked about: unsafe if one is violated, unknown if not all are known to hold, safe otherwise. The
 * evidence is that of the first property with that verdict; each has its own in `properties`.
 */
export type CheckResult = PropertyResult & { readonly properties: readonly PropertyResult[] };

/** Does the invariant prove a property, and if not, why? */
export type PropertyCertified = AboutProperty & Certified;

type Certified =
  | { readonly verdict: 'valid' }
  | { readonly verdict: 'invalid' | 'unknown'; readonly reason: string };

/** Valid if the invariant proves all properties asked about; otherwise the reason is that of the first that decides. There are no
 * properties if a limit was reached while the text was being read. */
export type CertifyResult = Certified & { readonly properties: readonly PropertyCertified[] };

export interface SolveResult {
  /** What the script prints, command by command. An error is one of the replies, `(error "…")`, and the script goes on. */
  readonly replies: readonly string[];
  /** The answers among them. */
  readonly answers: readonly ('sat' | 'unsat' | 'unknown')[];
  /** Was a command in error? */
  readonly hasErrors: boolean;
}
