/**
 * How evidence is shown: traces as a table, as JSON and as waveforms, proofs as files and scripts. What is written for
 * programs is read back, by our readers and, where it is installed, by z3.
 */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { OwnEngine } from '../../src/bv/own-engine.ts';
import { checkProof } from '../../src/core/check/invariant.ts';
import { replay } from '../../src/core/check/replay.ts';
import { refuteConcretely } from '../../src/core/check/unsatisfiable.ts';
import type { Proof } from '../../src/core/system/proof.ts';
import type { System } from '../../src/core/system/system.ts';
import type { Trace } from '../../src/core/system/trace.ts';
import { isValueOf, valueText } from '../../src/core/system/value-text.ts';
import { InputError } from '../../src/input/diagnostic.ts';
import { readInvariant } from '../../src/input/invariant.ts';
import { certificateScripts } from '../../src/output/certificate.ts';
import { invariantText } from '../../src/output/invariant.ts';
import { logicOf, nameApart } from '../../src/output/script.ts';
import { traceJson } from '../../src/output/trace-json.ts';
import { traceTable } from '../../src/output/trace-table.ts';
import { traceVcd } from '../../src/output/vcd.ts';
import { Evaluator } from '../../src/term/evaluator.ts';
import { Op } from '../../src/term/operators.ts';
import type { SortId } from '../../src/term/sort.ts';
import { type TermId, TermStore } from '../../src/term/store.ts';
import { ArrayValue, allValues, domain, sameValue, type Value } from '../../src/term/value.ts';
import { assertionsOf } from '../support/smtlib.ts';
import { COUNTER, HandMade, MEMORY, MUTEX, REQUEST, WALK } from './hand-made.ts';

const OPTIONS = { backEnd: () => new OwnEngine() };

function memoryRun(): { h: HandMade; trace: Trace } {
  const h = new HandMade(MEMORY);
  const m = ArrayValue.constant(0, domain(h.terms.sorts, h.terms.sorts.bitVec(2)));
  const trace = h.trace([
    { m, at: 1, data: 10 },
    { m: m.store(1, 10), at: 2, data: 7 },
    { m: m.store(1, 10).store(2, 7), at: 2, data: 7 },
  ]);
  if (replay(h.system, h.system.properties[1], trace) !== undefined) throw new Error('this should be a run');
  return { h, trace };
}

t.test('a table of what changes', t => {
  const { h, trace } = memoryRun();
  t.equal(
    traceTable(h.system, h.system.properties[1], trace),
    [
      'step 0',
      '  state  m     0x0',
      '  input  at    0x1 (1)',
      '  input  data  0xa (10)',
      'step 1',
      '  state  m     ..., [0x1]=0xa',
      '  input  at    0x2 (2)',
      '  input  data  0x7 (7)',
      'step 2',
      '  state  m     ..., [0x2]=0x7',
      'step 2 violates property 1 (property-seven)',
      '',
    ].join('\n'),
  );
  const counter = new HandMade(COUNTER);
  const steps = [
    { x: 10, go: false },
    { x: 10, go: false },
  ];
  const unnamed = { ...counter.property, name: undefined };
  t.equal(
    traceTable(counter.system, unnamed, counter.trace(steps)),
    [
      'step 0',
      '  state  x   0x0a (10)',
      '  input  go  false',
      'step 1',
      '  nothing changes',
      'step 1 violates property 0',
      '',
    ].join('\n'),
  );
  t.end();
});

t.test('a table of large values stays within its columns, and loses nothing', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const wide = sorts.bitVec(1000);
  const array = sorts.array(sorts.bitVec(8), sorts.bitVec(8));
  const [long, m, nested] = [
    ['a.name.'.repeat(7), wide],
    ['m', array],
    ['nested', sorts.array(sorts.bitVec(1), array)],
  ].map(([name, sort]) => ({
    current: terms.variable(name as string, sort as SortId),
    next: terms.variable(`${name}'`, sort as SortId),
  }));
  const property = { index: 0, formula: terms.false, name: undefined };
  const system: System = {
    terms,
    states: [long, m, nested],
    inputs: [],
    init: terms.true,
    trans: terms.true,
    constraints: [],
    properties: [property],
  };
  let big = ArrayValue.constant(0, domain(sorts, sorts.bitVec(8)));
  for (let i = 0; i < 100; i++) big = big.store(i, i + 1);
  const number = 2n ** 999n + 12345n;
  const deep = ArrayValue.constant(big.store(200, 9), domain(sorts, sorts.bitVec(1))).store(1, big);
  const step = new Map<TermId, Value>([
    [long.current, number],
    [m.current, big],
    [nested.current, deep],
  ]);
  const later = new Map(step).set(m.current, big.store(5, 0).store(250, 3));
  const table = traceTable(system, property, { steps: [step, later], functionValue: () => 0 });
  for (const line of table.split('\n')) t.ok(line.length <= 100, line);
  const joined = table.replace(/\n\s+/g, '');
  t.ok(joined.includes(`0x${number.toString(16)}`), 'the number is there, in pieces');
  for (let i = 0; i < 100; i++) {
    const [index, element] = [i, i + 1].map(n => n.toString(16).padStart(2, '0'));
    if (!joined.includes(`[0x${index}]=0x${element}`)) t.fail(`element ${i} is missing`);
  }
  t.match(table, /step 1\n {2}state {2}m {33}\.\.\., \[0x05\]=0x00, \[0xfa\]=0x03\nstep 1 violates/);
  t.end();
});

t.test('JSON, read back into the same run', t => {
  const { h, trace } = memoryRun();
  const document = JSON.parse(traceJson(h.system, h.system.properties[1], trace));
  t.equal(document.format, 'euforia-trace');
  t.equal(document.version, 1);
  t.same(document.property, { index: 1, name: 'property-seven' });
  t.same(document.steps[1].input, { at: '#b10', data: '#x7' });
  const declarations = '(declare-const m (Array (_ BitVec 2) (_ BitVec 4)))';
  const parsed = (text: string) => {
    const [equation] = assertionsOf(h.terms, `${declarations}(assert (= ${text} ${text}))`);
    return new Evaluator(h.terms, () => 0).value(h.terms.arg(equation, 0));
  };
  document.steps.forEach(
    (step: { state: Record<string, string>; input: Record<string, string> }, i: number) => {
      for (const [name, text] of Object.entries({ ...step.state, ...step.input })) {
        t.ok(sameValue(parsed(text), trace.steps[i].get(h.variable(name)) as Value), `${name} in step ${i}`);
      }
    },
  );
  const unnamed = { index: 3, formula: h.terms.true, name: undefined };
  t.equal(JSON.parse(traceJson(h.system, unnamed, trace)).property.name, null);
  t.end();
});

t.test('values as text, and what is a value of a sort', t => {
  const { sorts } = new TermStore();
  const token = sorts.declare('my token');
  t.equal(valueText(sorts, token, 3), '(as |@my token!3| |my token|)');
  t.equal(valueText(sorts, sorts.bitVec(40), 255n), '#x00000000ff');
  const array = sorts.array(sorts.bitVec(1), sorts.bitVec(2));
  for (const value of allValues(sorts, array)) {
    t.ok(isValueOf(sorts, array, value));
    t.notOk(isValueOf(sorts, sorts.array(sorts.bitVec(1), sorts.bool), value));
    t.notOk(isValueOf(sorts, sorts.bitVec(2), value));
  }
  for (const [sort, value] of [
    [sorts.bool, 0],
    [sorts.bitVec(3), 8],
    [sorts.bitVec(3), -1],
    [sorts.bitVec(3), 0.5],
    [sorts.bitVec(3), true],
    [sorts.bitVec(33), 1],
    [sorts.bitVec(33), 2n ** 33n],
    [sorts.bitVec(33), -1n],
    [token, -1],
    [array, 0],
  ] as [SortId, Value][]) {
    t.notOk(isValueOf(sorts, sort, value), `${value} is no ${sorts.name(sort)}`);
  }
  t.end();
});

/** The values of all wires at all times, by name, as a viewer would collect them. */
function readVcd(text: string): { names: string[]; at: Map<string, string>[] } {
  const lines = text.trim().split('\n');
  const names = new Map<string, string>();
  const widths = new Map<string, number>();
  const at: Map<string, string>[] = [];
  const values = new Map<string, string>();
  let isHeader = true;
  for (const line of lines) {
    const declared = /^\$var (wire|integer) (\d+) (\S+) (\S+) \$end$/.exec(line);
    if (declared !== null) {
      names.set(declared[3], declared[4]);
      widths.set(declared[3], Number(declared[2]));
    } else if (line === '$enddefinitions $end') {
      isHeader = false;
    } else if (!isHeader && /^#\d+$/.test(line)) {
      if (line !== '#0') at.push(new Map(values));
    } else if (!isHeader && !line.startsWith('$')) {
      const change = /^(?:b([01]+) |([01]))(\S+)$/.exec(line);
      const name = names.get(change?.[3] ?? '');
      if (change === null || name === undefined) throw new Error(`bad change ${line}`);
      const bits = change[1] ?? change[2];
      if (bits.length > (widths.get(change[3]) ?? 0)) throw new Error(`too many bits: ${line}`);
      values.set(name, bits);
    }
  }
  return { names: [...names.values()], at };
}

t.test('waveforms', t => {
  const { h, trace } = memoryRun();
  const { names, at } = readVcd(traceVcd(h.system, trace));
  t.same(names, ['m<1>', 'm<2>', 'at', 'data']);
  t.same(
    at.map(values => [...values].map(([name, bits]) => `${name}=${Number.parseInt(bits, 2)}`).join(' ')),
    ['m<1>=0 m<2>=0 at=1 data=10', 'm<1>=10 m<2>=0 at=2 data=7', 'm<1>=10 m<2>=7 at=2 data=7'],
  );
  const counter = new HandMade(COUNTER);
  const steps = Array.from({ length: 20 }, (_, i) => ({ x: i % 10, go: i % 3 > 0 }));
  const waves = readVcd(traceVcd(counter.system, counter.trace(steps)));
  t.same(
    waves.at.map(v => ({ x: Number.parseInt(v.get('x') as string, 2), go: v.get('go') === '1' })),
    steps,
  );
  const walk = new HandMade(WALK);
  t.match(traceVcd(walk.system, walk.trace([{ s: 4, t: 3 }])), /\$var integer 32 " t \$end[\s\S]*b11 "/);
  t.end();
});

t.test('waveforms of many and of strange variables', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const array = sorts.array(sorts.bitVec(10), sorts.bool);
  const strange = sorts.array(sorts.declare('S'), sorts.bool);
  const inputs = [
    ...Array.from({ length: 200 }, (_, i) => terms.variable(`bit ${i}`, sorts.bool)),
    terms.variable('large', array),
    terms.variable('strange', strange),
  ];
  let large = ArrayValue.constant(false, domain(sorts, sorts.bitVec(10)));
  for (let i = 0; i < 300; i++) large = large.store(i, true);
  const values = new Map<TermId, Value>(inputs.map((v, i) => [v, i % 3 === 0]));
  values.set(inputs[200], large);
  values.set(inputs[201], ArrayValue.constant(true, domain(sorts, sorts.indexSort(strange))));
  const system: System = {
    terms,
    states: [],
    inputs,
    init: terms.true,
    trans: terms.true,
    constraints: [],
    properties: [],
  };
  const text = traceVcd(system, { steps: [values], functionValue: () => 0 });
  const { names, at } = readVcd(text);
  t.equal(names.length, 200 + 256);
  t.equal(new Set(names).size, names.length, 'every wire has a name of its own');
  for (let i = 0; i < 200; i++) t.equal(at[0].get(`bit_${i}`), i % 3 === 0 ? '1' : '0');
  t.match(text, '$comment of large the first 256 of 300 elements are shown $end');
  t.match(text, '$comment strange is left out, for it is (Array S Bool) $end');
  t.end();
});

const PROOFS: readonly (readonly [text: string, invariant: string, ...lemmas: string[]])[] = [
  [COUNTER, 'below-ten', 'lemma-step'],
  [COUNTER, 'below-ten'],
  [MUTEX, 'invariant'],
  [MEMORY, 'invariant', 'lemma-constant', 'lemma-store'],
  [REQUEST, 'invariant'],
  [WALK, 'invariant'],
];

t.test('an invariant is read back as it was', t => {
  for (const [text, ...names] of PROOFS) {
    const h = new HandMade(text);
    const proof = h.proof(...names);
    const written = invariantText(h.system, h.property, proof);
    const read = readInvariant(h.system, 'i.smt2', written);
    t.same(read, proof, written);
  }
  // Names that are in the way.
  const h = new HandMade(COUNTER.replace(/\bx\b/g, 'inv'));
  const proof = h.proof('below-ten');
  t.same(readInvariant(h.system, 'i.smt2', invariantText(h.system, h.property, proof)), proof);
  t.end();
});

t.test('invariants as others write them', t => {
  const h = new HandMade(COUNTER);
  const wanted = h.formula('below-ten');
  for (const text of [
    '(assert (bvult x #x0a))',
    '(define-fun inv () Bool (bvult x #x0a))',
    '(define-fun Inv ((x (_ BitVec 8))) Bool (bvult x #x0a))',
    '(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(define-fun inv () Bool (bvult x #x0a))(exit)',
    '(declare-const x (_ BitVec 8))(define-fun limit () (_ BitVec 8) #x0a)(define-fun i () Bool (bvult x limit))',
    '(define-fun less ((a (_ BitVec 8)) (b (_ BitVec 8))) Bool (bvult a b))(define-fun i () Bool (less x #x0a))',
    '(define-fun unused () Bool true)(assert (bvult x #x0a))',
  ]) {
    t.same(readInvariant(h.system, 'f', text), { invariant: wanted, lemmas: [] }, text);
  }
  const two = readInvariant(h.system, 'f', '(assert (bvult x #x0a))(assert (= x x))');
  t.equal(h.terms.op(two.invariant), Op.AND, 'several assertions hold together');
  t.equal(checkProof(h.system, h.property, two, OPTIONS).kind, 'valid');
  const walk = new HandMade(WALK);
  const owner = '(declare-sort Token 0)(declare-fun owner ((_ BitVec 4)) Token)(assert (= t (owner s)))';
  t.equal(readInvariant(walk.system, 'f', owner).invariant, walk.formula('invariant'));
  t.end();
});

t.test('what is no invariant, and where', t => {
  const h = new HandMade(COUNTER);
  for (const [text, message] of [
    ['', 'f:1:1: expected an invariant: (define-fun inv () Bool …)'],
    ['(define-fun limit () (_ BitVec 8) #x0a)', 'f:1:1: expected an invariant: (define-fun inv () Bool …)'],
    ['\n (assert go)', "f:2:2: the invariant mentions 'go', which is not a current state variable"],
    [
      '(assert (= x.next x))',
      "f:1:1: the invariant mentions 'x.next', which is not a current state variable",
    ],
    [
      '(declare-const z Bool)\n(assert z)',
      "f:2:1: the invariant mentions 'z', which is not a current state variable",
    ],
    ['(assert x)', 'f:1:9: an assertion must be of sort Bool, not (_ BitVec 8)'],
    ['(assert (bvult x y))', "f:1:18: unknown symbol 'y': it is not declared"],
    [
      '(assert (bvult x #b1))',
      "f:1:9: 'bvult' expects two bit-vectors of one width, not (_ BitVec 8) (_ BitVec 1)",
    ],
    ['(define-fun i ((y Bool)) Bool y)', "f:1:1: the parameter 'y' is not a state variable of the system"],
    [
      '(define-fun i ((x Bool)) Bool x)',
      "f:1:1: the parameter 'x' is Bool, but the state variable (_ BitVec 8)",
    ],
    [
      '(declare-const x Bool)',
      "f:1:16: 'x' is declared otherwise than in the system, where it is () (_ BitVec 8)",
    ],
    ['(push 1)', "f:1:2: 'push' has no place in an invariant"],
    ['inv', 'f:1:1: expected a command in parentheses'],
    ['(assert', "f:1:1: the list opened here is never closed: expected ')'"],
  ]) {
    try {
      readInvariant(h.system, 'f', text);
      t.fail(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      t.equal(error.message, message);
    }
  }
  t.end();
});

/** Our own answer to a script. */
function answer(text: string): string {
  const terms = new TermStore();
  return refuteConcretely(terms, assertionsOf(terms, text), OPTIONS).kind;
}

t.test('certificates', t => {
  const z3 = spawnSync('z3', ['--version'], { encoding: 'utf8' }).status === 0;
  t.comment(z3 ? 'checked by z3, too' : 'z3 is not installed');
  const check = (text: string, expected: string, what: string) => {
    t.match(
      text,
      /^; .*\n\(set-logic (QF_[A-Z]+|ALL)\)\n\(set-info :status unsat\)\n[\s\S]*\n\(check-sat\)\n\(exit\)\n$/,
    );
    t.equal(answer(text), expected, what);
    if (!z3) return;
    const run = spawnSync('z3', ['-in', '-T:60'], {
      input: text.replace(':status unsat', ':source x'),
      encoding: 'utf8',
    });
    t.equal(run.stdout.trim(), expected, `${what}, says z3`);
  };
  for (const [text, ...names] of PROOFS) {
    const h = new HandMade(text);
    const proof = h.proof(...names);
    const scripts = certificateScripts(h.system, h.property, proof);
    t.same(
      scripts.map(s => s.name),
      ['init.smt2', 'step.smt2', 'property.smt2', ...proof.lemmas.map((_, i) => `lemma-${i + 1}.smt2`)],
    );
    for (const script of scripts) check(script.text, 'unsat', script.name);
  }
  const wrong = (text: string, names: [string, ...string[]], script: string) => {
    const h = new HandMade(text);
    const found = certificateScripts(h.system, h.property, h.proof(...names)).find(s => s.name === script);
    check((found as { text: string }).text, 'sat', `${names} is wrong`);
  };
  wrong(COUNTER, ['below-nine'], 'step.smt2');
  wrong(COUNTER, ['anything'], 'property.smt2');
  wrong(COUNTER, ['below-ten', 'lemma-false'], 'lemma-1.smt2');
  wrong(MUTEX, ['not-initial'], 'init.smt2');
  wrong(MEMORY, ['wrong'], 'step.smt2');
  t.end();
});

t.test('symbols of one name are told apart in scripts', t => {
  const terms = new TermStore();
  const { bool } = terms.sorts;
  const [x, y, z, and] = ['x', 'x', 'x!1', 'and'].map(name => terms.variable(name, bool));
  const bar = terms.variable('a|b\\c', bool);
  const f = terms.apply(terms.declare('x', [bool], bool), [y]);
  const formulas = [terms.app(Op.AND, [x, terms.not(y)]), z, and, bar, f];
  const renamed = nameApart(terms, formulas);
  const functions = terms.postorder(renamed).filter(s => terms.op(s) === Op.APPLY);
  t.same(
    functions.map(s => terms.symbol(terms.functionOf(s)).name),
    ['x', 'x!1', 'x!1!1', 'and!1', 'a_b_c', 'x!2'],
  );
  t.equal(terms.arg(renamed[0], 0), x, 'the first keeps its name');
  // Said of one variable, x ∧ ¬x would have no model.
  const states = [x, y].map(current => ({ current, next: terms.variable('x', bool) }));
  const property = { index: 0, formula: terms.true, name: undefined };
  const system: System = {
    terms,
    states,
    inputs: [],
    init: terms.and([x, terms.not(y)]),
    trans: terms.and(states.map(s => terms.eq(s.next, s.current))),
    constraints: [],
    properties: [property],
  };
  const proof: Proof = { invariant: terms.false, lemmas: [] };
  t.equal(answer(certificateScripts(system, property, proof)[0].text), 'sat');
  const good: Proof = { invariant: terms.and([x, terms.not(y)]), lemmas: [] };
  for (const { text, name } of certificateScripts(system, property, good))
    t.equal(answer(text), 'unsat', name);
  t.end();
});

t.test('logics', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const p = terms.variable('p', sorts.bool);
  const x = terms.variable('x', sorts.bitVec(2));
  const s = terms.variable('s', sorts.declare('S'));
  const a = terms.variable('a', sorts.array(sorts.bitVec(2), sorts.bitVec(1)));
  const b = terms.variable('b', sorts.array(sorts.bool, sorts.bool));
  const f = terms.apply(terms.declare('f', [sorts.bool], sorts.bool), [p]);
  const logic = (...formulas: TermId[]) => logicOf(terms, formulas);
  t.equal(logic(p), 'QF_BV');
  t.equal(logic(x), 'QF_BV');
  t.equal(logic(f), 'QF_UF');
  t.equal(logic(s), 'QF_UF');
  t.equal(logic(f, x), 'QF_UFBV');
  t.equal(logic(a), 'QF_ABV');
  t.equal(logic(a, s), 'QF_AUFBV');
  t.equal(logic(b), 'ALL');
  t.equal(logic(a, terms.constArray(terms.sort(b), p)), 'ALL');
  t.end();
});
