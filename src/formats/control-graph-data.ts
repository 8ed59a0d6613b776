/** The control of a problem as plain data, part of what the library says to its callers. */

export interface ControlGraph {
  /** The names of the locations. */
  readonly nodes: readonly string[];
  readonly edges: readonly ControlEdge[];
  /** The numbers of the edges that the violation uses, in this order; of a tree of derivation, premises first. */
  readonly path: readonly number[];
}

export interface ControlEdge {
  /** The numbers of the nodes that it needs: none if it is a start, several if it is a call and its return. */
  readonly from: readonly number[];
  /** The number of the node that it leads to, or null if it violates the property. */
  readonly to: number | null;
  /** What it is in the words of the format, such as `the clause in line 5`. */
  readonly label: string;
}
