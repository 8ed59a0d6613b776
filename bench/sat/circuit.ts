/**
 * A little circuit builder that writes CNF in DIMACS numbers: gates by Tseitin's encoding, enough to make
 * multipliers, counters and registers.
 */
export class Circuit {
  varCount = 0;
  readonly clauses: number[][] = [];
  readonly true: number;

  constructor() {
    this.true = this.input();
    this.clause(this.true);
  }

  input(): number {
    return ++this.varCount;
  }

  inputs(count: number): number[] {
    return Array.from({ length: count }, () => this.input());
  }

  clause(...literals: number[]): void {
    this.clauses.push(literals);
  }

  and(a: number, b: number): number {
    const out = this.input();
    this.clause(-out, a);
    this.clause(-out, b);
    this.clause(out, -a, -b);
    return out;
  }

  or(a: number, b: number): number {
    return -this.and(-a, -b);
  }

  xor(a: number, b: number): number {
    const out = this.input();
    this.clause(-out, a, b);
    this.clause(-out, -a, -b);
    this.clause(out, -a, b);
    this.clause(out, a, -b);
    return out;
  }

  /** `select ? a : b` */
  mux(select: number, a: number, b: number): number {
    const out = this.input();
    this.clause(-select, -a, out);
    this.clause(-select, a, -out);
    this.clause(select, -b, out);
    this.clause(select, b, -out);
    return out;
  }

  all(bits: readonly number[]): number {
    return bits.reduce((a, b) => this.and(a, b), this.true);
  }

  any(bits: readonly number[]): number {
    return bits.reduce((a, b) => this.or(a, b), -this.true);
  }

  equal(a: readonly number[], b: readonly number[]): number {
    return this.all(a.map((bit, i) => -this.xor(bit, b[i])));
  }

  constant(value: number, width: number): number[] {
    return Array.from({ length: width }, (_, i) => (((value >> i) & 1) !== 0 ? this.true : -this.true));
  }

  add(a: readonly number[], b: readonly number[], carryIn = -this.true): number[] {
    let carry = carryIn;
    return a.map((bit, i) => {
      const half = this.xor(bit, b[i]);
      const sum = this.xor(half, carry);
      carry = this.or(this.and(bit, b[i]), this.and(half, carry));
      return sum;
    });
  }

  /** Schoolbook multiplication, the rows of `b` added one after the other. */
  multiply(a: readonly number[], b: readonly number[]): number[] {
    const width = a.length + b.length;
    let sum = this.constant(0, width);
    b.forEach((bit, shift) => {
      const row = this.constant(0, width);
      a.forEach((abit, i) => {
        row[i + shift] = this.and(abit, bit);
      });
      sum = this.add(sum, row);
    });
    return sum;
  }
}
