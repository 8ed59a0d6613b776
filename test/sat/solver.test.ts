import { createRequire } from 'node:module';
import t from 'tap';
import {
  fromDimacs,
  type Lit,
  literal,
  negate,
  negative,
  positive,
  toDimacs,
  type Var,
} from '../../src/sat/literals.ts';
import { Solver } from '../../src/sat/solver.ts';
import { bruteForce, CheckedSolver, chooseSeed, extremeOptions, Random } from './support.ts';

interface MiniSat {
  ensureVar(v: number): void;
  addClause(clause: number[]): boolean;
  solveAssuming(v: number): boolean;
}
const MiniSat = createRequire(import.meta.url)('logic-solver/minisat_wrapper.js') as new () => MiniSat;

function randomClause(random: Random, varCount: number, width: number): Lit[] {
  return Array.from({ length: width }, () => random.lit(varCount));
}

/** Mixed widths, mostly three; duplicates and tautologies happen. */
function randomWidth(random: Random): number {
  const dice = random.below(20);
  return dice === 0 ? 1 : dice < 5 ? 2 : dice < 16 ? 3 : 4 + random.below(3);
}

t.test('random problems, incrementally, against brute force', async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed}`);
  const random = new Random(seed);
  const wrong: string[] = [];
  const answers = { sat: 0, unsat: 0 };
  for (let round = 0; round < 1600; round++) {
    const checked = new CheckedSolver(random.below(2) === 0 ? {} : extremeOptions(random));
    checked.addVars(4 + random.below(7));
    for (let call = 0; call < 4; call++) {
      if (random.below(3) === 0 && checked.solver.varCount < 12) checked.addVars(1);
      const { varCount } = checked.solver;
      const fresh = random.below(2 * varCount);
      for (let i = 0; i < fresh; i++) checked.add(randomClause(random, varCount, randomWidth(random)));
      const assumptions = randomClause(random, varCount, random.below(6));
      const answer = checked.solve(assumptions);
      const expected = bruteForce(varCount, [...checked.clauses, ...assumptions.map(lit => [lit])])
        ? 'sat'
        : 'unsat';
      answers[expected]++;
      if (answer !== expected) wrong.push(`round ${round} call ${call}: ${answer} instead of ${expected}`);
      if (answer === 'unsat') {
        const core = checked.solver.core();
        if (bruteForce(varCount, [...checked.clauses, ...core.map(lit => [lit])]))
          wrong.push(`round ${round}: no core`);
        if (checked.solve(core) !== 'unsat') wrong.push(`round ${round} call ${call}: core is not confirmed`);
      }
    }
  }
  t.strictSame(wrong, []);
  t.ok(answers.sat > 200 && answers.unsat > 200, 'both answers occur');
});

t.test('random problems that need search, against MiniSat', async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed}`);
  const random = new Random(seed);
  const wrong: string[] = [];
  let conflicts = 0;
  let collections = 0;
  let modeSwitches = 0;
  for (let round = 0; round < 400; round++) {
    const checked = new CheckedSolver(round % 3 === 0 ? {} : extremeOptions(random));
    const varCount = 40 + random.below(round % 10 === 0 ? 70 : 30);
    checked.addVars(varCount);
    const peer = new MiniSat();
    let selector = varCount; // MiniSat takes one assumption a call: a variable that implies them all
    const ratio = 4 + random.below(10) / 10;
    const batches = 1 + random.below(2);
    for (let batch = 0; batch < batches; batch++) {
      const count = Math.round((varCount * ratio) / batches);
      for (let i = 0; i < count; i++) checked.add(randomClause(random, varCount, 3));
      const assumptions = randomClause(random, varCount, random.below(4));
      peer.ensureVar(++selector);
      for (const clause of checked.clauses.slice(-count)) peer.addClause(clause.map(toDimacs));
      for (const lit of assumptions) peer.addClause([-selector, toDimacs(lit)]);
      const expected = peer.solveAssuming(selector) ? 'sat' : 'unsat';
      const answer = checked.solve(assumptions);
      if (answer !== expected) wrong.push(`round ${round} batch ${batch}: ${answer} instead of ${expected}`);
      if (answer === 'unsat' && checked.solve(checked.solver.core()) !== 'unsat')
        wrong.push(`round ${round}: no core`);
    }
    conflicts += checked.solver.stats.conflicts;
    collections += checked.solver.stats.collections;
    modeSwitches += checked.solver.stats.modeSwitches;
  }
  t.strictSame(wrong, []);
  t.ok(conflicts > 2000, 'the problems are not trivial');
  t.ok(collections > 500, 'garbage is collected');
  t.ok(modeSwitches > 500, 'both modes are used');
});

function pigeonhole(checked: CheckedSolver, holes: number): void {
  const at = (pigeon: number, hole: number) => positive((pigeon * holes + hole) as Var);
  checked.addVars((holes + 1) * holes);
  for (let p = 0; p <= holes; p++) checked.add(Array.from({ length: holes }, (_, h) => at(p, h)));
  for (let h = 0; h < holes; h++) {
    for (let p = 0; p <= holes; p++) {
      for (let q = p + 1; q <= holes; q++) checked.add([negate(at(p, h)), negate(at(q, h))]);
    }
  }
}

/** Clauses of `vars[0] xor vars[1] xor ... = parity`. */
function addXor(checked: CheckedSolver, vars: Var[], parity: boolean): void {
  for (let signs = 0; signs < 1 << vars.length; signs++) {
    let ones = 0;
    for (let i = 0; i < vars.length; i++) ones += (signs >> i) & 1;
    if ((ones & 1) === (parity ? 1 : 0)) continue;
    checked.add(vars.map((v, i) => literal(v, ((signs >> i) & 1) !== 0)));
  }
}

t.test('structured problems with checked proofs', async t => {
  for (const options of [{}, extremeOptions(new Random(7)), extremeOptions(new Random(8))]) {
    const holes = new CheckedSolver(options);
    pigeonhole(holes, 5);
    t.equal(holes.solve(), 'unsat', 'pigeonhole');

    // A chain of equal bits whose ends must differ.
    const chain = new CheckedSolver(options);
    chain.addVars(60);
    for (let v = 0; v + 1 < 60; v++) addXor(chain, [v as Var, (v + 1) as Var], false);
    t.equal(chain.solve(), 'sat', 'xor chain');
    t.equal(chain.solve([positive(0 as Var), negative(59 as Var)]), 'unsat', 'xor chain with different ends');
    t.equal(chain.solver.core().length, 2);
    addXor(chain, [0 as Var, 59 as Var], true);
    t.equal(chain.solve(), 'unsat', 'xor cycle of odd parity');

    // Each variable in two of the constraints, so their sum is 0, but the parities sum to 1.
    const parity = new CheckedSolver(options);
    const size = 3;
    parity.addVars(2 * size * size);
    const across = (x: number, y: number) => (((x + size) % size) * size + ((y + size) % size)) as Var;
    const down = (x: number, y: number) => (across(x, y) + size * size) as Var;
    for (let x = 0; x < size; x++) {
      for (let y = 0; y < size; y++) {
        addXor(parity, [across(x, y), across(x - 1, y), down(x, y), down(x, y - 1)], x === 0 && y === 0);
      }
    }
    t.equal(parity.solve(), 'unsat', 'parity on a torus');
  }
});

t.test('small things', async t => {
  const solver = new Solver();
  t.equal(solver.solve(), 'sat', 'nothing is satisfiable');
  const [a, b, c] = [solver.newVar(), solver.newVar(), solver.newVar()];
  t.equal(fromDimacs(toDimacs(negative(b))), negative(b));
  t.throws(() => solver.core(), /unsat/);
  solver.addClause([positive(a), positive(b)]);
  t.throws(() => solver.value(positive(a)), /sat/, 'the model is gone after a change');
  t.throws(() => solver.addClause([99 as Lit]), RangeError);
  t.throws(() => solver.solve([-3 as Lit]), RangeError);
  t.equal(solver.solve([negative(a)]), 'sat');
  t.equal(solver.value(positive(b)), true);
  t.equal(solver.solve([positive(c), negative(a), negative(b)]), 'unsat');
  t.notOk(solver.isFailed(positive(c)), 'an innocent assumption is not in the core');
  t.equal(solver.solve([positive(c), negative(c)]), 'unsat', 'contradictory assumptions');
  t.strictSame(solver.core().sort(), [positive(c), negative(c)]);
  t.equal(solver.solve([positive(c), positive(c)]), 'sat', 'the same assumption twice');
  t.ok(solver.addClause([negative(a)]));
  t.equal(solver.solve(), 'sat');
  t.equal(solver.fixedValue(positive(a)), false);
  t.equal(solver.fixedValue(positive(c)), undefined);
  t.notOk(solver.addClause([]), 'the empty clause');
  t.equal(solver.solve([positive(c)]), 'unsat');
  t.strictSame(solver.core(), []);
});

t.test('phases and decision variables', async t => {
  const solver = new Solver();
  const vars = Array.from({ length: 20 }, () => solver.newVar());
  for (const v of vars) solver.setPhase(v % 2 === 0 ? positive(v) : negative(v));
  t.equal(solver.solve(), 'sat');
  for (const v of vars) t.equal(solver.value(positive(v)), v % 2 === 0);
  for (let i = 0; i + 1 < 20; i++) solver.addClause([negative(vars[i]), positive(vars[i + 1])]);
  for (const v of vars.slice(1)) solver.setDecision(v, false);
  t.equal(solver.solve([negative(vars[0])]), 'sat');
  t.equal(solver.value(positive(vars[7])), undefined, 'not decided and not implied');
  t.equal(solver.solve([positive(vars[0])]), 'sat');
  t.equal(solver.value(positive(vars[19])), true, 'implied');
  for (const v of vars) solver.setDecision(v, true);
  t.equal(solver.solve([negative(vars[0])]), 'sat');
  for (const v of vars) t.not(solver.value(positive(v)), undefined);
});

/** A problem that takes thousands of conflicts. */
function hardProblem(solver: Solver): void {
  const holes = 9;
  const at = (pigeon: number, hole: number) => positive((pigeon * holes + hole) as Var);
  for (let i = 0; i < (holes + 1) * holes; i++) solver.newVar();
  for (let p = 0; p <= holes; p++) solver.addClause(Array.from({ length: holes }, (_, h) => at(p, h)));
  for (let h = 0; h < holes; h++) {
    for (let p = 0; p <= holes; p++) {
      for (let q = p + 1; q <= holes; q++) solver.addClause([negate(at(p, h)), negate(at(q, h))]);
    }
  }
}

t.test('budgets', async t => {
  const solver = new Solver();
  hardProblem(solver);
  const extra = solver.newVar();
  t.equal(solver.solve([], { conflicts: 100 }), 'unknown');
  t.equal(solver.unknownReason, 'conflicts');
  t.equal(solver.stats.conflicts, 100);
  t.throws(() => solver.core(), /unsat/);
  t.equal(solver.solve([], { propagations: 1000 }), 'unknown');
  t.equal(solver.unknownReason, 'propagations');
  t.equal(solver.solve([], { deadline: Date.now() - 1 }), 'unknown');
  t.equal(solver.unknownReason, 'deadline');
  const abort = new AbortController();
  abort.abort();
  t.equal(solver.solve([], { signal: abort.signal }), 'unknown');
  t.equal(solver.unknownReason, 'aborted');
  solver.addClause([positive(extra)]);
  t.equal(solver.solve([negative(extra)], { conflicts: 1000 }), 'unsat', 'usable afterwards');
  t.strictSame(solver.core(), [negative(extra)]);
  t.equal(solver.unknownReason, undefined);
});

t.test('two runs are the same', async t => {
  const run = () => {
    const random = new Random(42);
    const solver = new Solver({ firstPhase: 100 });
    for (let i = 0; i < 120; i++) solver.newVar();
    const answers: string[] = [];
    for (let call = 0; call < 5; call++) {
      for (let i = 0; i < 100; i++) solver.addClause(randomClause(random, 120, 3));
      answers.push(solver.solve(randomClause(random, 120, 2)));
    }
    return { answers, stats: { ...solver.stats } };
  };
  t.strictSame(run(), run());
});

t.test('calls that share assumptions reuse the trail', async t => {
  const solver = new Solver();
  const vars = Array.from({ length: 50 }, () => solver.newVar());
  for (let i = 0; i + 2 < 50; i++)
    solver.addClause([negative(vars[i]), positive(vars[i + 1]), positive(vars[i + 2])]);
  const assumptions = vars.slice(0, 30).map(positive);
  t.equal(solver.solve([...assumptions, negative(vars[40])]), 'sat');
  const before = solver.stats.propagations;
  t.equal(solver.solve([...assumptions, positive(vars[40])]), 'sat');
  t.ok(solver.stats.reused >= 30);
  t.ok(solver.stats.propagations - before <= 20, 'the common part is not propagated again');
  solver.addClause([negative(vars[3])]);
  t.equal(solver.solve([...assumptions]), 'unsat');
  t.strictSame(solver.core(), [positive(vars[3])]);
});

t.test('restricted decisions', async t => {
  const seed = chooseSeed();
  t.comment(`seed ${seed}`);
  const random = new Random(seed);
  const wrong: string[] = [];
  const answers = { sat: 0, unsat: 0 };
  for (let round = 0; round < 150; round++) {
    const base = 20 + random.below(40);
    const gates = random.below(60);
    const solver = new Solver(random.below(2) === 0 ? {} : extremeOptions(random));
    const reference = new Solver();
    const clauses: Lit[][] = [];
    const add = (clause: Lit[]) => {
      clauses.push(clause);
      solver.addClause(clause);
      reference.addClause(clause);
    };
    for (let v = 0; v < base + gates; v++) {
      solver.newVar();
      reference.newVar();
    }
    // Gates that nothing constrains: whatever the base variables are, there is a value for them.
    for (let v = base; v < base + gates; v++) {
      const g = positive(v as Var);
      const [a, b] = [random.lit(v), random.lit(v)];
      add([negate(g), a]);
      add([negate(g), b]);
      add([g, negate(a), negate(b)]);
    }
    const count = Math.floor(base * (3.6 + random.below(12) / 10));
    for (let i = 0; i < count; i++) add(randomClause(random, base, 3));
    const candidates = Int32Array.from({ length: base }, (_, v) => v);
    const needed = new Int32Array(base + gates);
    for (let question = 1; question <= 4; question++) {
      const isRestricted = random.below(3) > 0;
      needed.fill(question, 0, base);
      const assumptions = Array.from({ length: random.below(4) }, () => random.lit(base));
      if (isRestricted) solver.restrictDecisions(candidates, base, needed, question);
      const result = solver.solve(assumptions);
      const expected = reference.solve(assumptions);
      if (expected !== 'unknown') answers[expected]++;
      if (result !== expected) wrong.push(`round ${round}: ${result}, expected ${expected}`);
      if (result !== 'sat') continue;
      const holds = (lit: Lit) => solver.value(lit) === true;
      const isBase = (clause: Lit[]) => clause.every(l => l >> 1 < base);
      const missed = clauses.filter(c => (isBase(c) || !isRestricted) && !c.some(holds));
      if (missed.length > 0 || !assumptions.every(holds)) wrong.push(`round ${round}: no model`);
      if (random.below(2) === 0) add(randomClause(random, base, 3));
    }
  }
  t.same(wrong, []);
  t.ok(answers.sat > 20 && answers.unsat > 20, JSON.stringify(answers));
});
