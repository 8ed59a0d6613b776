/** How runs are shown: as a table, as JSON and as waveforms. What is written for programs is read back. */
import t from 'tap';
import { checkDerivation } from '../../../src/core/evidence/check-derivation.ts';
import type { System } from '../../../src/core/problem/system.ts';
import type { Trace } from '../../../src/core/problem/trace.ts';
import { traceJson } from '../../../src/formats/run/json.ts';
import { traceTable } from '../../../src/formats/run/table.ts';
import { traceVcd } from '../../../src/formats/run/vcd.ts';
import { Evaluator } from '../../../src/term/evaluator.ts';
import type { SortId } from '../../../src/term/sort.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';
import { ArrayValue, allValues, domain, sameValue, type Value } from '../../../src/term/value.ts';
import { isValueOf, valueText } from '../../../src/term/value-text.ts';
import { COUNTER, HandMade, MEMORY, WALK } from '../../core/hand-made.ts';
import { questionOf } from '../../support/checking.ts';
import { assertionsOf } from '../../support/smtlib.ts';

function memoryRun(): { h: HandMade; trace: Trace } {
  const h = new HandMade(MEMORY);
  const m = ArrayValue.constant(0, domain(h.terms.sorts, h.terms.sorts.bitVec(2)));
  const trace = h.trace([
    { m, at: 1, data: 10 },
    { m: m.store(1, 10), at: 2, data: 7 },
    { m: m.store(1, 10).store(2, 7), at: 2, data: 7 },
  ]);
  const derivation = h.derivation(trace, 1);
  const complaint = checkDerivation(h.asProblem.problem, 1, derivation, e => h.asProblem.nameOf(e));
  if (complaint !== undefined) throw new Error(`this should be a run: ${complaint}`);
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
      'step 1 (from here on, values that do not change are left out)',
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
      'step 1 (from here on, values that do not change are left out)',
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
  t.match(table, /step 1 .*\n {2}state {2}m {33}\.\.\., \[0x05\]=0x00, \[0xfa\]=0x03\nstep 1 violates/);
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

t.test('elements that change with the default of an array', t => {
  const terms = new TermStore();
  const { sorts } = terms;
  const memory = terms.variable('m', sorts.array(sorts.bitVec(2), sorts.bitVec(8)));
  const indices = domain(sorts, sorts.bitVec(2));
  const rest = { terms, states: [], init: terms.true, trans: terms.true, constraints: [], properties: [] };
  const steps = [ArrayValue.constant(0, indices), ArrayValue.constant(7, indices).store(1, 0)].map(
    value => new Map<TermId, Value>([[memory, value]]),
  );
  const { names, at } = readVcd(traceVcd({ ...rest, inputs: [memory] }, { steps, functionValue: () => 0 }));
  t.same(names, ['m<0>', 'm<1>', 'm<2>', 'm<3>']);
  t.same([...at[1].values()], ['111', '0', '111', '111']);
  t.end();
});

t.test('dotted names are names in scopes', t => {
  const terms = new TermStore();
  const inputs = ['cpu.pc', 'clk', 'cpu.alu.sum', '.x', 'mem.at', 'cpu.alu.carry'].map(n =>
    terms.variable(n, terms.sorts.bool),
  );
  const rest = { terms, states: [], init: terms.true, trans: terms.true, constraints: [], properties: [] };
  const step = new Map<TermId, Value>(inputs.map((v, i) => [v, i % 2 === 0]));
  const text = traceVcd({ ...rest, inputs }, { steps: [step], functionValue: () => 0 });
  const scopes: string[] = [];
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const [what, , name, identifier, own] = line.split(' ');
    if (what === '$scope') scopes.push(name);
    if (what === '$upscope') scopes.pop();
    if (what === '$var')
      found.push(`${[...scopes, own].join(' ')} ${new RegExp(`^1\\${identifier}$`, 'm').test(text)}`);
    if (what === '$enddefinitions') t.equal(scopes.length, 0, 'all scopes are closed');
  }
  t.same(found.sort(), [
    'trace .x false',
    'trace clk false',
    'trace cpu alu carry false',
    'trace cpu alu sum true',
    'trace cpu pc true',
    'trace mem at true',
  ]);
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

t.test('the words of a question about a system are the same, made of a derivation', t => {
  const { h, trace } = memoryRun();
  const { words, problem } = questionOf(h.system);
  const [, property] = h.system.properties;
  const own = h.derivation(trace, 1);
  // The same derivation by the edges of the question's own problem.
  const edgeOf = new Map(h.asProblem.problem.edges.map((e, i) => [e, problem.edges[i]]));
  const derivation = {
    ...own,
    steps: own.steps.map(s => ({ ...s, edge: edgeOf.get(s.edge) ?? s.edge })),
  };
  t.equal(checkDerivation(problem, 1, derivation, words.nameOf), undefined);
  t.equal(words.derivation(property, derivation), traceTable(h.system, property, trace));
  t.equal(words.json(property, derivation), traceJson(h.system, property, trace));
  t.equal(words.vcd(derivation), traceVcd(h.system, trace));
  t.end();
});
