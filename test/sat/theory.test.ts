import t from 'tap';
import { ProofChecker } from '../../src/sat/checker.ts';
import { type Lit, NO_LIT, negate, negative, positive, type Var } from '../../src/sat/literals.ts';
import { AXIOM, MemoryProof, type StepKind } from '../../src/sat/proof.ts';
import { Solver } from '../../src/sat/solver.ts';
import type { ReasonClause, Theory, TheoryPort } from '../../src/sat/theory.ts';
import { bruteForce, chooseSeed, extremeOptions, Random } from './support.ts';

/** How the theory makes itself heard. */
type Style = 'imply' | 'clauses' | 'conflicts' | 'final' | 'mixed';
const STYLES: Style[] = ['imply', 'clauses', 'conflicts', 'final', 'mixed'];

interface AtMost {
  readonly lits: Lit[]; // different variables
  readonly bound: number; // at most this many of them are true
}

/**
 * Cardinality constraints, for testing the port. It mirrors the trail, so it notices when the solver breaks the
 * contract: a report out of order, a level that does not fit, a report of something known.
 */
class Cardinality implements Theory {
  readonly constraints: AtMost[] = [];
  readonly faults: string[] = [];
  decideCalls = 0;
  private readonly style: Style;
  private readonly random: Random;
  private readonly trail: Lit[] = [];
  private readonly levels: number[] = []; // trail size at each level
  private readonly impliedAt = new Map<Lit, [AtMost, number]>(); // constraint and trail size then
  private observesLate: Var[] = [];

  constructor(style: Style, random: Random) {
    this.style = style;
    this.random = random;
  }

  /** Variables that are to be observed in the middle of the search only. */
  observeLater(vars: Var[]): void {
    this.observesLate.push(...vars);
  }

  assigned(lit: Lit): void {
    if (this.trail.includes(lit) || this.trail.includes(negate(lit)))
      this.faults.push(`second report of ${lit}`);
    this.trail.push(lit);
  }

  newLevel(): void {
    this.levels.push(this.trail.length);
  }

  backtrack(level: number): void {
    if (level >= this.levels.length) this.faults.push(`backtrack to ${level} from ${this.levels.length}`);
    this.trail.length = this.levels[level];
    this.levels.length = level;
  }

  propagate(port: TheoryPort): void {
    if (port.decisionLevel !== this.levels.length) this.faults.push('levels differ');
    for (const lit of this.trail)
      if (port.value(lit) !== true) this.faults.push(`${lit} is not true any more`);
    if (this.observesLate.length > 0 && this.random.below(3) === 0) port.observe(this.observesLate.pop()!);
    if (this.style === 'final') return;
    for (const constraint of this.constraints) {
      const trueLits = this.trueLits(constraint, this.trail.length);
      if (trueLits.length < constraint.bound) continue;
      if (trueLits.length > constraint.bound) {
        port.addClause(trueLits.slice(0, constraint.bound + 1).map(negate), this.random.below(2) === 0);
        return;
      }
      if (this.style === 'conflicts') continue;
      for (const lit of constraint.lits) {
        if (trueLits.includes(lit) || port.value(lit) === false) continue;
        if (this.style === 'imply' || (this.style === 'mixed' && this.random.below(2) === 0)) {
          if (port.value(lit) === undefined || this.random.below(2) === 0)
            this.impliedAt.set(negate(lit), [constraint, this.trail.length]);
          else continue;
          if (!port.imply(negate(lit))) return;
        } else if (!port.addClause([...trueLits.map(negate), negate(lit)], this.random.below(2) === 0)) {
          return;
        }
      }
    }
  }

  explain(lit: Lit, reason: ReasonClause): void {
    const [constraint, size] = this.impliedAt.get(lit)!;
    for (const other of this.trueLits(constraint, size)) reason.push(negate(other));
  }

  checkModel(port: TheoryPort): boolean {
    let isAccepted = true;
    for (const v of this.observesLate) port.observe(v);
    this.observesLate = [];
    for (const constraint of this.constraints) {
      const trueLits = constraint.lits.filter(lit => port.value(lit) === true);
      if (trueLits.length <= constraint.bound) continue;
      isAccepted = false;
      if (this.random.below(2) === 0) {
        port.addClause(trueLits.slice(0, constraint.bound + 1).map(negate));
      } else {
        // The same in two clauses over a new variable.
        const fresh = port.newVar();
        port.observe(fresh);
        port.addClause([positive(fresh), negate(trueLits[0])]);
        port.addClause([negative(fresh), ...trueLits.slice(1, constraint.bound + 1).map(negate)]);
      }
    }
    return isAccepted;
  }

  decide(): Lit {
    this.decideCalls++;
    return NO_LIT;
  }

  private trueLits(constraint: AtMost, size: number): Lit[] {
    return this.trail.slice(0, size).filter(lit => constraint.lits.includes(lit));
  }
}

function countTrue(assignment: number, lits: readonly Lit[]): number {
  return lits.filter(lit => ((assignment >> (lit >> 1)) & 1) !== (lit & 1)).length;
}

t.test('random clauses and cardinality constraints against brute force', async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed}`);
  const random = new Random(seed);
  const wrong: string[] = [];
  const totals = { explanations: 0, propagations: 0, clauses: 0, conflicts: 0, sat: 0, unsat: 0 };
  for (let round = 0; round < 600; round++) {
    const style = STYLES[round % STYLES.length];
    const solver = new Solver(random.below(2) === 0 ? { checkTheory: true } : extremeOptions(random));
    const proof = new MemoryProof();
    const checker = new ProofChecker();
    const isProved = random.below(3) !== 0;
    if (isProved) solver.setProof(proof);
    const varCount = 6 + random.below(7);
    const vars = Array.from({ length: varCount }, () => solver.newVar());
    const theory = new Cardinality(style, random);
    const port = solver.connectTheory(theory);
    for (const v of vars) {
      if (random.below(4) !== 0) port.observe(v);
      else theory.observeLater([v]);
    }
    const clauses: Lit[][] = [];
    let checkedUpTo = 0;
    for (let call = 0; call < 4; call++) {
      for (let i = random.below(3); i >= 0; i--) {
        const size = 2 + random.below(varCount - 2);
        const lits: Lit[] = [];
        for (const v of vars)
          if (random.below(varCount) < size) lits.push(random.below(2) === 0 ? positive(v) : negative(v));
        theory.constraints.push({ lits, bound: lits.length >> 1 });
      }
      for (let i = random.below(2 * varCount); i >= 0; i--) {
        const clause = Array.from({ length: 2 + random.below(3) }, () => random.lit(varCount));
        clauses.push(clause);
        solver.addClause(clause);
      }
      const assumptions = Array.from({ length: random.below(3) }, () => random.lit(varCount));
      const isConsistent = (assignment: number) =>
        theory.constraints.every(({ lits, bound }) => countTrue(assignment, lits) <= bound);
      const answer = solver.solve(assumptions);
      const expected = bruteForce(varCount, [...clauses, ...assumptions.map(lit => [lit])], isConsistent)
        ? 'sat'
        : 'unsat';
      totals[expected]++;
      const where = `round ${round} call ${call} (${style})`;
      if (answer !== expected) wrong.push(`${where}: ${answer} instead of ${expected}`);
      if (answer === 'sat') {
        let assignment = 0;
        for (const v of vars) if (solver.value(positive(v)) === true) assignment |= 1 << v;
        if (!isConsistent(assignment)) wrong.push(`${where}: model against the theory`);
        const holds = (lit: Lit) => solver.value(lit) === true;
        if (!clauses.every(clause => clause.some(holds)) || !assumptions.every(holds))
          wrong.push(`${where}: no model`);
      }
      if (answer !== 'unsat') continue;
      const core = solver.core();
      if (bruteForce(varCount, [...clauses, ...core.map(lit => [lit])], isConsistent))
        wrong.push(`${where}: no core`);
      if (!isProved) continue;
      checkedUpTo = proof.replay(checker, checkedUpTo);
      if (!checker.follows(core.map(negate))) wrong.push(`${where}: the core does not follow`);
    }
    // Clauses over variables of the theory's own making are definitions; all others must be valid in the theory.
    const invalid: string[] = [];
    proof.replay({
      step: (kind: StepKind, source: ArrayLike<number>, from: number, to: number) => {
        const clause = Array.from(source).slice(from, to) as Lit[];
        if (kind !== AXIOM || clause.some(lit => lit >> 1 >= varCount)) return;
        const isConsistent = (assignment: number) =>
          theory.constraints.every(({ lits, bound }) => countTrue(assignment, lits) <= bound);
        if (
          bruteForce(
            varCount,
            clause.map(lit => [negate(lit)]),
            isConsistent,
          )
        )
          invalid.push(clause.join(' '));
      },
    });
    if (invalid.length > 0) wrong.push(`round ${round}: invalid axioms ${invalid.join(', ')}`);
    if (theory.faults.length > 0) wrong.push(`round ${round} (${style}): ${theory.faults[0]}`);
    totals.explanations += solver.stats.theoryExplanations;
    totals.propagations += solver.stats.theoryPropagations;
    totals.clauses += solver.stats.theoryClauses;
    totals.conflicts += solver.stats.conflicts;
  }
  t.strictSame(wrong, []);
  for (const [name, total] of Object.entries(totals)) t.ok(total > 50, `${name} occur`);
});

t.test('pigeonhole by cardinality constraints', async t => {
  for (const style of STYLES) {
    const random = new Random(3);
    const theory = new Cardinality(style, random);
    const solver = new Solver({ checkTheory: true });
    const port = solver.connectTheory(theory);
    const holes = 4;
    const at = Array.from({ length: holes + 1 }, () => Array.from({ length: holes }, () => solver.newVar()));
    for (const v of at.flat()) port.observe(v);
    for (const row of at) solver.addClause(row.map(positive));
    for (let h = 0; h < holes; h++)
      theory.constraints.push({ lits: at.map(row => positive(row[h])), bound: 1 });
    t.equal(solver.solve(), 'unsat', style);
    t.strictSame(theory.faults, []);
    if (style === 'imply') {
      t.ok(
        solver.stats.theoryExplanations < solver.stats.theoryPropagations,
        'not everything gets explained',
      );
    }
  }
});

/** A theory that does nothing; the tests below override what they need. */
class Silent implements Theory {
  assigned(_lit: Lit): void {}
  newLevel(): void {}
  backtrack(_level: number): void {}
  propagate(_port: TheoryPort): void {}
  explain(_lit: Lit, _reason: ReasonClause): void {}
  checkModel(_port: TheoryPort): boolean {
    return true;
  }
}

t.test('the contract is enforced', async t => {
  class Refuses extends Silent {
    override checkModel(): boolean {
      return false;
    }
  }
  const refused = new Solver();
  refused.newVar();
  refused.connectTheory(new Refuses());
  t.throws(() => refused.solve(), /refused a model/);
  t.throws(() => refused.connectTheory(new Silent()), /connected already/);

  class LiesAboutReasons extends Silent {
    lits: Lit[] = [];
    override propagate(port: TheoryPort): void {
      if (port.value(this.lits[0]) === true) port.imply(this.lits[1]);
    }
    override explain(_lit: Lit, reason: ReasonClause): void {
      reason.push(this.lits[2]);
    }
  }
  const solver = new Solver({ checkTheory: true });
  const [a, b, c, d] = [solver.newVar(), solver.newVar(), solver.newVar(), solver.newVar()];
  const liar = new LiesAboutReasons();
  liar.lits = [positive(a), positive(b), positive(c)];
  const port = solver.connectTheory(liar);
  port.observe(a);
  t.throws(() => port.imply(positive(d)), /propagate only/);
  solver.addClause([negative(b), positive(d)]);
  solver.addClause([negative(b), negative(d)]);
  t.throws(() => solver.solve([positive(a)]), /was not false before/);

  class Meddles extends Silent {
    lit: Lit = NO_LIT;
    port: TheoryPort | undefined;
    override propagate(port: TheoryPort): void {
      if (port.decisionLevel > 0) port.imply(this.lit);
    }
    override explain(): void {
      this.port?.newVar();
    }
  }
  const meddled = new Solver();
  const [e, f] = [meddled.newVar(), meddled.newVar()];
  const meddler = new Meddles();
  meddler.lit = negative(e);
  meddler.port = meddled.connectTheory(meddler);
  meddled.addClause([positive(e), positive(f)]);
  t.throws(() => meddled.solve([positive(e)]), /must not add variables/);
});

t.test('units, empty clauses and decisions of a theory', async t => {
  class AddsAtLevel extends Silent {
    clauses: Lit[][] = [];
    level = 2;
    override propagate(port: TheoryPort): void {
      if (port.decisionLevel < this.level) return;
      for (const clause of this.clauses) port.addClause(clause);
      this.clauses = [];
    }
  }
  const solver = new Solver();
  const vars = Array.from({ length: 6 }, () => solver.newVar());
  const adds = new AddsAtLevel();
  solver.connectTheory(adds);
  adds.clauses = [
    [negative(vars[0])],
    [negative(vars[1]), negative(vars[1])],
    [positive(vars[5]), negative(vars[5])],
  ];
  t.equal(solver.solve(), 'sat');
  t.equal(solver.value(positive(vars[0])), false);
  t.equal(solver.fixedValue(positive(vars[1])), false);
  adds.clauses = [[negative(vars[2]), negative(vars[3])]];
  t.equal(solver.solve([positive(vars[2]), positive(vars[3]), positive(vars[4])]), 'unsat');
  t.strictSame(solver.core().sort(), [positive(vars[2]), positive(vars[3])]);
  adds.level = 1;
  adds.clauses = [[]];
  t.equal(solver.solve([positive(vars[4])]), 'unsat');
  t.strictSame(solver.core(), []);

  class Decides extends Silent {
    wishes: Lit[] = [];
    decide(): Lit {
      return this.wishes.pop() ?? NO_LIT;
    }
  }
  const guided = new Solver();
  const [a, b] = [guided.newVar(), guided.newVar()];
  guided.addClause([positive(a), positive(b)]);
  const decides = new Decides();
  decides.wishes = [positive(b), negative(a)];
  guided.connectTheory(decides);
  t.equal(guided.solve(), 'sat');
  t.equal(guided.value(positive(a)), false);
  t.equal(guided.value(positive(b)), true);
});
