/**
 * Exponential moving averages for the restart decision (Biere and Fröhlich, "Evaluating CDCL Restart Schemes",
 * POS 2015). The bias of the start value 0 is corrected as in the ADAM optimiser, so that the average is
 * meaningful from the first value on.
 */
export class Average {
  value = 0; // the average, corrected
  private readonly alpha: number; // weight of a new value
  private biased = 0; // the average as if there had been zeros before
  private remaining = 1; // weight of those zeros

  constructor(alpha: number) {
    this.alpha = alpha;
  }

  update(sample: number): void {
    this.biased += this.alpha * (sample - this.biased);
    this.remaining *= 1 - this.alpha;
    this.value = this.biased / (1 - this.remaining);
  }
}

/**
 * Reluctant doubling, Knuth's formulation of the Luby sequence 1 1 2 1 1 2 4 ... (TAOCP 7.2.2.2), counted in
 * conflicts times a period.
 */
export class ReluctantDoubling {
  private readonly period: number;
  private u = 1;
  private v = 1;
  private countdown: number;

  constructor(period: number) {
    this.period = period;
    this.countdown = period;
  }

  /** Counts a conflict; true when it is time to restart. */
  tick(): boolean {
    if (--this.countdown > 0) return false;
    if ((this.u & -this.u) === this.v) {
      this.u++;
      this.v = 1;
    } else {
      this.v *= 2;
    }
    this.countdown = this.v * this.period;
    return true;
  }
}
