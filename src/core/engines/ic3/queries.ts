/** The questions that IC3 asks of a reading of the system, whatever cubes are made of. */
import type { Work } from '../../../sat/work.ts';
import type { Obligation, State } from './obligations.ts';

/** The cube cannot be reached in one step: which of its literals the proof used, and from which frame on. */
export interface Unreachable<Cube> {
  readonly core: Cube;
  /** It cannot be reached from the frame before this one either, which may be later than the one asked about. */
  readonly level: number;
}

/** There is a state as asked for. What is known of it can be had until the next question. */
export interface Reached<S> {
  readonly state: () => Work<S>;
}

/** What becomes of states that are to be blocked, and whose cube can be reached. */
export type Resolution<S> =
  | { readonly kind: 'before'; readonly state: S } // those that lead there are blocked first
  | { readonly kind: 'instead'; readonly state: S }; // the same states, with a cube that says more of them

/** What becomes of a step, now that states which it begins from are reached. */
export type Completion<S> =
  | { readonly kind: 'complete' } // it has all that it needs
  | { readonly kind: 'open'; readonly state: S } // other states are needed, too
  | { readonly kind: 'again' } // the step that reached them is none, and another one is to be looked for
  | { readonly kind: 'over' }; // it was found when less was known, and is not looked at any more

export interface Queries<Cube, S extends State<Cube>> {
  /** A state of R_level that violates the property. */
  bad(level: number): Work<Reached<S> | undefined>;
  /**
   * Is there a step from a state of R_(level-1) into the cube, from outside of it if the cube is not known to be excluded
   * there? The cube has no initial state.
   */
  relative(cube: Cube, level: number, isExcluded: boolean): Work<Reached<S> | Unreachable<Cube>>;
  /** Literals of the cube that no initial state satisfies together; undefined if there is an initial state in it. */
  initialCore(cube: Cube): Work<Cube | undefined>;
  /** Excludes a cube from R_level. */
  exclude(cube: Cube, level: number): void;
  /** What leads into the cube of an obligation, if more is known of that than `relative` asks about. */
  derive?(cube: Cube, level: number): Work<Reached<S> | Unreachable<Cube>>;
  /**
   * Where a step may need several states to begin from: the states of an obligation need nothing more, so the step from there leads
   * into the cube of its successor. What becomes of the step from that cube?
   */
  complete?(reached: Obligation<S>): Work<Completion<S>>;
  /**
   * For cubes that say less than the states they are made of: whether the step that was found leads to these states, and
   * what is to be done if not. Where there is no such question, the step is one.
   */
  resolve?(state: S, level: number, reached: Reached<S>): Work<Resolution<S>>;
}

/** What cubes are made of. */
export interface CubeOperations<Cube, Literal> {
  subsumes(a: Cube, b: Cube): boolean;
  size(cube: Cube): number;
  has(cube: Cube, literal: Literal): boolean;
  without(cube: Cube, literal: Literal): Cube;
  union(a: Cube, b: Cube): Cube;
  /** The literals, those first that are best dropped: the least active ones. */
  ascending(cube: Cube): readonly Literal[];
  /** Counts a blocked cube: its literals are likely to be of use again. */
  bump(cube: Cube): void;
  /** The cube with a weaker literal in the place of one that cannot be dropped, if there is such a literal. */
  weakened?(cube: Cube, literal: Literal): { readonly cube: Cube; readonly literal: Literal } | undefined;
}
