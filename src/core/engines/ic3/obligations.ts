/** Proof obligations ⟨cube, level⟩ that are to be blocked: the lowest level first, and of one level the latest. */

/** States as a cube, and whatever else its engine wants to remember of the step that leads from there to the successor. */
export interface State<Cube> {
  readonly cube: Cube;
}

export interface Obligation<S> {
  readonly state: S;
  readonly level: number;
  /** What the states lead to; undefined if they violate the property. */
  readonly successor: Obligation<S> | undefined;
}

export class Obligations<S> {
  private readonly byLevel: Obligation<S>[][] = [];

  push(o: Obligation<S>): void {
    while (this.byLevel.length <= o.level) this.byLevel.push([]);
    this.byLevel[o.level].push(o);
  }

  pop(): Obligation<S> | undefined {
    return this.byLevel.find(o => o.length > 0)?.pop();
  }
}
