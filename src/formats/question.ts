/**
 * What a file asks, whatever its format: a problem with properties, and the words in which the format wants its answers. A
 * front end reads text into a question; nothing between reading and answering asks which format it was.
 */
import type { Derivation } from '../core/problem/derivation.ts';
import { type Edge, isQuery, type Problem, type QueriesOf } from '../core/problem/problem.ts';
import type { Proof } from '../core/problem/proof.ts';
import type { System } from '../core/problem/system.ts';
import type { TermId } from '../term/store.ts';
import type { Format } from './format.ts';
import type { CertificateScript } from './proof/certificate.ts';

export interface PropertyName {
  /** As the file counts it. */
  readonly index: number;
  /** What the file calls it, if it has a name. */
  readonly name: string | undefined;
  /** The numbers of its queries, if it has others than those with its own number. */
  readonly queries?: ReadonlySet<number>;
}

export function queriesOf({ index, queries }: PropertyName): QueriesOf {
  return queries ?? index;
}

export interface Question {
  readonly file: string;
  readonly format: Format;
  readonly problem: Problem;
  readonly properties: readonly PropertyName[];
  /** Does the first property say that all the others hold? Then it alone is asked about unless another one is named. */
  readonly areTogether?: boolean;
  readonly words: Words;
  /**
   * Queries that are no violations: something begins there that is not supported, as the text says. A problem in which one
   * can be derived is not known to be safe.
   */
  readonly traps?: ReadonlyMap<Edge, string>;
  /** The inputs of an edge that somebody outside of the text chooses, in its order, where the text has one. */
  readonly choices?: (edge: Edge) => readonly Choice[];
  /**
   * The transition system that the file describes, or that its problem is the same as. A property that is named is one of the
   * system's; whether others are is the format's choice.
   */
  readonly system: (property?: PropertyName) => System;
}

/** The property that a derivation is a violation of: the one that says no more than that. */
export function violatedBy({ properties }: Question, { steps }: Derivation): PropertyName | undefined {
  const head = steps.at(-1)?.edge.head;
  return head !== undefined && isQuery(head) ? properties.find(p => p.index === head.property) : undefined;
}

export interface Choice {
  readonly variable: TermId;
  /** Who wants to know, and where. */
  readonly text: string;
}

/** Evidence in the words of a format. */
export interface Words {
  /** What an edge is called where something is wrong with it. */
  readonly nameOf: (edge: Edge) => string;
  /** An invariant, or a model. */
  readonly proof: (property: PropertyName, proof: Proof) => string;
  /** A run, or a derivation: for people, for programs, and for a waveform viewer. */
  readonly derivation: (property: PropertyName, derivation: Derivation) => string;
  /** A run, or a derivation, that violates nothing as far as it goes. */
  readonly path: (derivation: Derivation) => string;
  readonly json: (property: PropertyName, derivation: Derivation) => string;
  readonly vcd: (derivation: Derivation) => string;
  /** Files that prove that a property holds. */
  readonly certificate: (property: PropertyName, proof: Proof) => CertificateScript[];
  /** As a competition wants it, if the format has one. */
  readonly competition: Competition | undefined;
  /** What there is to say of programs only. */
  readonly program?: ProgramWords;
}

export interface ProgramWords {
  /** A C file that makes the choices of a run, to be compiled together with the program. */
  readonly harness: (derivation: Derivation) => string;
  /** What a run is made of: the results of functions that nothing in the program determines, in order, and the error. */
  readonly violation: (derivation: Derivation) => {
    readonly choices: readonly FunctionResult[];
    readonly error: ErrorCall;
  };
  /** C expressions that hold whenever a round of a loop begins, for each copy of each loop. */
  readonly loops: (proof: Proof) => readonly SpokenLoop[];
  /** The function whose calls are errors, or the best known of them. */
  readonly errorName: string;
}

/** Something that stands in the text of a program. */
interface Spoken {
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | undefined;
  /** The function in which it stands. */
  readonly function: string;
}

export interface FunctionResult extends Spoken {
  readonly name: string;
  /** As C writes it; undefined if that is no number. */
  readonly value: string | undefined;
}

export interface ErrorCall extends Spoken {
  readonly name: string;
}

export interface SpokenLoop extends Spoken {
  readonly expressions: readonly string[];
}

export type CompetitionAnswer = { readonly property: PropertyName } & (
  | { readonly kind: 'safe'; readonly proof: Proof }
  | { readonly kind: 'unsafe'; readonly derivation: Derivation }
  | { readonly kind: 'unknown' }
);

export interface Competition {
  readonly name: 'chc-comp' | 'hwmcc';
  readonly text: (answers: readonly CompetitionAnswer[]) => string;
}
