/** Cubes that are to be blocked: the lowest level first, and of one level the latest. */
import type { Cube } from './cube.ts';

export interface Obligation {
  /** States with the given inputs that satisfy the constraints and lead into the successor, or violate the property. */
  readonly cube: Cube;
  readonly level: number;
  readonly successor: Obligation | undefined;
  /** The nodes of inputs that are true. */
  readonly inputs: Int32Array;
}

export class Obligations {
  private readonly byLevel: Obligation[][] = [];

  push(o: Obligation): void {
    while (this.byLevel.length <= o.level) this.byLevel.push([]);
    this.byLevel[o.level].push(o);
  }

  pop(): Obligation | undefined {
    return this.byLevel.find(o => o.length > 0)?.pop();
  }
}
