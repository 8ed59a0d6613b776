/**
 * BTOR2 in and out: what the reader makes of a file, what the writers make of a system, and whether witnesses and
 * certificates mean what they should. The judge is an interpreter of BTOR2 that shares no code with any of them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { HeavyBackEnd } from '../src/bv/tiered.ts';
import { replay } from '../src/core/check/replay.ts';
import { Checker, type Verdict } from '../src/core/checker.ts';
import type { Property, System } from '../src/core/system/system.ts';
import { readBtor2 } from '../src/input/btor2.ts';
import { InputError } from '../src/input/diagnostic.ts';
import { readVmt } from '../src/input/vmt.ts';
import { btor2Certificate, NotInBtor2, writeBtor2 } from '../src/output/btor2.ts';
import { btor2Witness } from '../src/output/btor2-witness.ts';
import { writeSmt2Bmc } from '../src/output/smt2-bmc.ts';
import { writeVmt } from '../src/output/vmt.ts';
import { Interpreter } from '../src/smt/interpreter.ts';
import { Evaluator } from '../src/term/evaluator.ts';
import { Op } from '../src/term/operators.ts';
import { type TermId, TermStore } from '../src/term/store.ts';
import { ArrayValue, domain, type Value } from '../src/term/value.ts';
import { isUnsafe } from './core/explicit.ts';
import { HandMade } from './core/hand-made.ts';
import { Btor2Model, witnessCircuitComplaint } from './support/btor2.ts';
import { OPERATORS, randomModel } from './support/btor2-random.ts';
import { loadCadicalForTests } from './support/cadical.ts';
import { type Random, seeded } from './support/random.ts';
import { growPool } from './support/terms.ts';

const read = (text: string) => readBtor2(new TermStore(), 'm.btor2', text);

const heavy = new HeavyBackEnd(loadCadicalForTests, message => t.fail(message));
await heavy.load();

function check(system: System, property: Property, seconds: number): Promise<Verdict> {
  const budget = { deadline: Date.now() + 1000 * seconds };
  const options = { evaluateConstants: true, generalize: true, budget, heavy, onProgress: () => undefined };
  return new Checker(system, property, options).run();
}

// ---- operators ----

/** What some operators must give, by their definitions: the judge is judged first. */
const KNOWN: readonly (readonly [keyword: string, width: number, a: number, b: number, result: number])[] = [
  ['udiv', 3, 5, 0, 7],
  ['urem', 3, 5, 0, 5],
  ['sdiv', 3, 5, 0, 1], // -3 / 0 is 1
  ['sdiv', 3, 3, 0, 7], // 3 / 0 is -1
  ['sdiv', 3, 4, 7, 4], // -4 / -1 is 4, which is -4
  ['srem', 3, 5, 2, 7], // -3 = -1 * 2 - 1
  ['smod', 3, 5, 2, 1], // -3 = -2 * 2 + 1
  ['smod', 3, 3, 6, 7], // 3 = -2 * -2 - 1
  ['sra', 3, 4, 1, 6],
  ['sra', 3, 4, 5, 7],
  ['sll', 3, 3, 3, 0],
  ['rol', 3, 3, 4, 6],
  ['ror', 3, 3, 1, 5],
  ['rol', 1, 1, 1, 1],
  ['concat', 2, 1, 2, 6],
  ['sgt', 2, 1, 2, 1],
  ['saddo', 3, 3, 1, 1],
  ['uaddo', 3, 3, 1, 0],
  ['ssubo', 3, 4, 1, 1],
  ['usubo', 3, 0, 1, 1],
  ['smulo', 3, 2, 2, 1],
  ['umulo', 3, 2, 2, 0],
  ['sdivo', 3, 4, 7, 1],
  ['sdivo', 3, 4, 0, 0],
  ['udivo', 3, 4, 0, 0],
  ['implies', 1, 1, 0, 0],
  ['xnor', 2, 1, 2, 0],
];

const ONE_BIT_RESULT = /^(eq|neq|[su](gt|lt)e?|[su](add|div|mul|sub)o|iff|implies|red.*)$/;
const UNARY = /^(not|inc|dec|neg|red.*|slice|[su]ext)$/;

/** A model whose bad state is: the operator does not give the value of the input r. */
function operatorModel(
  keyword: string,
  width: number,
): { text: string; inputs: readonly number[] } | undefined {
  if (/^(iff|implies)$/.test(keyword) && width > 1) return undefined;
  const [low, by] = [Math.min(1, width - 1), 2];
  const result = ONE_BIT_RESULT.test(keyword)
    ? 1
    : ({ concat: 2 * width, slice: width - low, sext: width + by, uext: width + by }[keyword] ?? width);
  const numbers = { slice: `${width - 1} ${low}`, sext: by, uext: by }[keyword] ?? '';
  if (keyword === 'read' || keyword === 'write') {
    // An array of two elements, filled by writes to one that is zero everywhere.
    const write = keyword === 'write';
    const text = `1 sort bitvec 1\n2 sort bitvec ${width}\n3 sort array 1 2\n4 input 2\n5 input 1\n6 input 2\n7 zero 2\n8 state 3
9 init 3 8 7\n10 zero 1\n11 write 3 8 10 4\n12 write 3 11 5 6\n13 read 2 ${write ? 12 : 11} ${write ? 10 : 5}
14 neq 1 13 6\n15 bad 14`;
    return { text, inputs: [width, 1, width] };
  }
  const operands = UNARY.test(keyword) ? '4' : keyword === 'ite' ? '7 4 5' : '4 5';
  const text = `1 sort bitvec 1\n2 sort bitvec ${width}\n3 sort bitvec ${result}\n4 input 2 a\n5 input 2 b\n6 input 3 r
7 input 1 c\n8 ${keyword} 3 ${operands} ${numbers}\n9 neq 1 8 6\n10 bad 9`;
  return { text, inputs: [width, width, result, 1] };
}

t.test('the interpreter of the tests knows what operators mean', t => {
  for (const [keyword, width, a, b, result] of KNOWN) {
    const model = new Btor2Model(operatorModel(keyword, width)?.text ?? '');
    const value = model.evaluate([], [BigInt(a), BigInt(b), BigInt(result), 0n]);
    t.equal(value(8), BigInt(result), `${keyword} ${a} ${b}, ${width} bits`);
  }
  t.end();
});

t.test('every operator means what BTOR2 says, for all operands of 1 to 3 bits', t => {
  for (const keyword of OPERATORS) {
    for (let width = 1; width <= 3; width++) {
      const made = operatorModel(keyword, width);
      if (made === undefined) continue;
      const system = read(made.text);
      const model = new Btor2Model(made.text);
      const state = model.initialStates()[0];
      const [array] = system.states;
      const wrong: string[] = [];
      for (const input of model.allInputs()) {
        const values = new Map<number, Value>(
          system.inputs.map((v, i) => [
            system.terms.functionOf(v),
            made.inputs[i] === 1 ? input[i] === 1n : Number(input[i]),
          ]),
        );
        if (array !== undefined) {
          const { sorts } = system.terms;
          const zeros = ArrayValue.constant(0, domain(sorts, sorts.bitVec(1)));
          values.set(system.terms.functionOf(array.current), zeros);
        }
        const ours = new Evaluator(system.terms, f => values.get(f) as Value);
        const isBad = model.evaluate(state, input)(model.bads[0]) === 1n;
        if (ours.value(system.properties[0].formula) !== !isBad) wrong.push(String(input));
      }
      t.same(wrong, [], `${keyword}, ${width} bits`);
    }
  }
  t.end();
});

t.test('vectors beyond 32 and 64 bits', t => {
  const system = read(`1 sort bitvec 1\n2 sort bitvec 100\n3 consth 2 fffffffffffffffffffffffff\n4 constd 2 -1
5 one 2\n6 constd 2 1267650600228229401496703205375\n7 eq 1 3 4\n8 eq 1 4 6\n9 inc 2 3\n10 redor 1 9\n11 and 1 7 8
12 and 1 11 -10\n13 sort bitvec 200\n14 concat 13 3 5\n15 slice 2 14 199 100\n16 eq 1 15 3\n17 and 1 12 16\n18 bad -17`);
  t.equal(new Evaluator(system.terms, () => 0).value(system.properties[0].formula), true);
  t.end();
});

// ---- what a file may say ----

/** Name, text and for each bad state the answer, by thinking. */
const EXAMPLES: readonly (readonly [name: string, text: string, answers: readonly ('safe' | 'unsafe')[]])[] =
  [
    [
      'a constraint on an input blocks every successor, but not the step it stands in',
      // x counts 0, 1, then no input is allowed; bad asks for the input and x = 1 in one step
      `1 sort bitvec 1\n2 sort bitvec 2\n3 zero 2\n4 one 2\n5 state 2 x\n6 init 2 5 3\n7 add 2 5 4\n8 next 2 5 7\n9 input 1 i
10 constd 2 2\n11 ult 1 5 10\n12 and 1 9 11\n13 constraint 12\n14 eq 1 5 4\n15 and 1 14 9\n16 bad 15
17 eq 1 5 10\n18 bad 17\n19 and 1 14 -9\n20 bad 19`,
      ['unsafe', 'safe', 'safe'],
    ],
    [
      'an initial value is taken from another state, which may be any',
      `1 sort bitvec 1\n2 sort bitvec 4\n3 state 2 y\n4 one 2\n5 add 2 3 4\n6 state 2 x\n7 init 2 6 5\n8 next 2 6 6\n9 next 2 3 3
10 eq 1 6 3\n11 bad 10\n12 constd 2 9\n13 eq 1 3 12\n14 bad 13`,
      ['safe', 'unsafe'],
    ],
    [
      'an initial value from a state that is initialised later in the file',
      `1 sort bitvec 1\n2 sort bitvec 4\n3 state 2 y\n4 not 2 3\n5 state 2 x\n6 init 2 5 4\n7 zero 2\n8 init 2 3 7\n9 next 2 5 5
10 next 2 3 7\n11 redand 1 5\n12 bad -11`,
      ['safe'],
    ],
    [
      'a state without next is any value after the first step, and its initial value before',
      `1 sort bitvec 1\n2 sort bitvec 3\n3 zero 2\n4 state 2 x\n5 init 2 4 3\n6 one 1\n7 zero 1\n8 state 1 first\n9 init 1 8 6
10 next 1 8 7\n11 constd 2 5\n12 eq 1 4 11\n13 and 1 12 8\n14 bad 13\n15 bad 12`,
      ['safe', 'unsafe'],
    ],
    [
      'a vector fills an array, and writes put other numbers there',
      `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 one 2\n5 state 3 mem\n6 init 3 5 4\n7 input 1 i\n8 input 1 j
9 read 2 5 7\n10 constd 2 2\n11 add 2 9 10\n12 write 3 5 8 11\n13 next 3 5 12\n14 ones 2\n15 eq 1 9 14\n16 bad 15
17 state 3 rom\n18 init 3 17 5\n19 next 3 17 17\n20 read 2 17 7\n21 neq 1 20 4\n22 bad 21`,
      ['unsafe', 'safe'],
    ],
    [
      'arrays of bits',
      `1 sort bitvec 1\n2 sort array 1 1\n3 zero 1\n4 state 2 a\n5 init 2 4 3\n6 input 1 i\n7 read 1 4 6\n8 write 2 4 6 -7
9 next 2 4 8\n10 one 1\n11 read 1 4 3\n12 read 1 4 10\n13 and 1 11 12\n14 bad 13\n15 state 2 b\n16 init 2 15 4\n17 next 2 15 15
18 read 1 15 6\n19 bad 18`,
      ['unsafe', 'safe'],
    ],
    [
      'equality and choice of arrays',
      `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 state 3 a\n5 state 3 b\n6 init 3 5 4\n7 input 1 c\n8 ite 3 7 4 5
9 next 3 4 8\n10 next 3 5 5\n11 neq 1 4 5\n12 bad 11`,
      ['safe'],
    ],
    [
      'the bad state is an input, and nothing forbids it',
      '1 sort bitvec 1\n2 input 1\n3 bad 2 the_bad\n4 fair 2\n5 justice 1 2\n6 output 2 out ; a remark\n7 constraint 2',
      ['unsafe'],
    ],
  ];

t.test('examples', async t => {
  for (const [name, text, answers] of EXAMPLES) {
    const system = read(text);
    const model = new Btor2Model(text);
    t.same(
      system.properties.map(p => p.index),
      answers.map((_, i) => i),
    );
    for (const property of system.properties) {
      const verdict = await check(system, property, 30);
      t.equal(verdict.kind, answers[property.index], `${name}, b${property.index}`);
      t.equal(evidenceComplaint(system, property, verdict, model), undefined, name);
      t.equal(
        new Btor2Model(writeBtor2(system)).reaches(property.index),
        verdict.kind === 'unsafe',
        `${name}, written`,
      );
    }
  }
});

t.test('the examples of the project', async t => {
  for (const [file, answers] of [
    ['handshake.btor2', ['safe', 'unsafe']],
    ['memory.btor2', ['safe']],
  ] as const) {
    const text = readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8');
    const system = read(text);
    const verdicts = [];
    for (const property of system.properties) verdicts.push(await check(system, property, 30));
    t.same(
      verdicts.map(v => v.kind),
      answers,
      file,
    );
    const violated = verdicts.findIndex(v => v.kind === 'unsafe');
    if (violated < 0) continue;
    const [property, verdict] = [system.properties[violated], verdicts[violated]];
    t.equal(evidenceComplaint(system, property, verdict, new Btor2Model(text)), undefined);
  }
});

/** Of models with more state bits than this, certificates are not walked through state by state. */
const WALKABLE_BITS = 10;

/** What is wrong with the evidence of a verdict, by the interpreter; undefined if nothing is. */
function evidenceComplaint(
  system: System,
  property: Property,
  verdict: Verdict,
  model: Btor2Model,
): string | undefined {
  if (verdict.kind === 'unsafe') {
    return (
      replay(system, property, verdict.trace) ?? model.replay(btor2Witness(system, property, verdict.trace))
    );
  }
  if (verdict.kind === 'unknown') return verdict.reason;
  const circuit = new Btor2Model(btor2Certificate(system, property, verdict.proof));
  const bits = model.states.reduce((sum, { sort }) => sum + sort.width * 2 ** sort.indexWidth, 0);
  if (bits > WALKABLE_BITS) return undefined;
  return witnessCircuitComplaint(model, property.index, circuit);
}

t.test('constants', t => {
  const value = (constant: string) => {
    const { terms, properties } = read(
      `1 sort bitvec 4\n2 sort bitvec 1\n3 input 1 x\n4 ${constant}\n5 eq 2 3 4\n6 bad 5`,
    );
    const formula = properties[0].formula; // not (x = constant)
    return terms
      .postorder([formula])
      .filter(c => terms.op(c) === Op.BV_CONST)
      .map(c => terms.bvValue(c));
  };
  // By the reference parser, only binary constants have a digit for each bit.
  for (const five of ['const 1 0101', 'constd 1 5', 'constd 1 05', 'consth 1 5', 'consth 1 005']) {
    t.same(value(five), [5], five);
  }
  t.same(value('constd 1 -8'), [8]);
  t.same(value('ones 1'), [15]);
  t.end();
});

t.test('names of variables', t => {
  const { terms, states, inputs, properties } = read(`1 sort bitvec 1 ; of all
2 state 1 x\n3 state 1 x\n 4\tstate 1 y;z ; a remark\n5 state 1 ; z\n6 input 1 state3\n7 input 1\n\n8 bad 7 |p| ; really\r\n9 bad -7`);
  const name = (v: TermId) => terms.symbol(terms.functionOf(v)).name;
  t.same(
    states.map(s => name(s.current)),
    ['state2', 'state3_', 'y;z', 'state5'],
  );
  t.same(inputs.map(name), ['state3', 'input7']);
  t.same(
    properties.map(p => p.name),
    ['|p|', undefined],
  );
  t.end();
});

t.test('bits connect Booleans, and turn into vectors only where they must', t => {
  const { terms, trans, properties } =
    read(`1 sort bitvec 1\n2 sort bitvec 2\n3 state 1 p\n4 state 2 x\n5 input 1 q
6 slice 1 4 0 0\n7 and 1 3 6\n8 ite 1 5 7 -3\n9 next 1 3 8\n10 concat 2 3 6\n11 next 2 4 10\n12 ult 1 4 10\n13 iff 1 12 3
14 xor 1 13 5\n15 bad 14`);
  const all = terms.postorder([trans, ...properties.map(p => p.formula)]);
  const vectors = new Set<Op>([Op.BVAND, Op.BVXOR, Op.BVNOT, Op.BVCOMP]);
  t.same(
    all.filter(s => vectors.has(terms.op(s))),
    [],
  );
  // Only the concatenation needs p as a vector; the slice is one already.
  t.equal(all.filter(s => terms.op(s) === Op.ITE && terms.width(s) === 1).length, 1);
  t.end();
});

t.test('nesting as deep as a file is long', t => {
  const lines = [
    '1 sort bitvec 8',
    '2 sort bitvec 1',
    '3 zero 1',
    '4 state 1 x',
    '5 init 1 4 3',
    '6 input 1',
  ];
  const depth = 100_000;
  for (let i = 0; i < depth; i++)
    lines.push(`${7 + i} ${i % 2 === 0 ? 'add' : 'xor'} 1 ${6 + i} ${4 + (i % 3 === 0 ? 0 : 2)}`);
  lines.push(
    `${7 + depth} next 1 4 ${6 + depth}`,
    `${8 + depth} redand 2 4`,
    `${9 + depth} bad ${8 + depth}`,
  );
  const text = lines.join('\n');
  const system = read(text);
  t.ok(system.terms.size > depth);
  const again = read(writeBtor2(system));
  t.equal(again.states.length, 1);
  t.ok(again.terms.size > depth / 2, 'and the text of it is read again');
  t.end();
});

t.test('what is no BTOR2 is refused, with line and column', t => {
  const HEADER =
    '1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 2\n4 state 2 x\n5 state 3 mem\n6 input 2 in\n';
  for (const [text, message] of [
    ['x sort bitvec 1', "1:1: expected the number of a line, found 'x'"],
    ['0 sort bitvec 1', '1:1: lines are numbered from 1'],
    ['1', '1:2: expected an operator, found the end of the line'],
    ['1 sort', "1:7: expected 'bitvec' or 'array', found the end of the line"],
    ['1 sort bool', "1:8: expected 'bitvec' or 'array', found 'bool'"],
    ['1 sort bitvec 0', "1:15: a bit-vector's width must be between 1 and 16777216, not 0"],
    ['1 sort bitvec 1\n2 state 1', "2:10: there is no property: expected a line with 'bad'"],
    [
      '1 sort bitvec 1\n2 input 1\n3 justice 1 2',
      "3:3: 'justice' properties are not supported, and there is no 'bad' one",
    ],
    [`${HEADER}4 zero 2`, '7:1: there is a line 4 already'],
    [`${HEADER}7 frob 2 4`, "7:3: 'frob' is no operator of BTOR2"],
    [`${HEADER}7 fr\u001b[31mob 2 4`, "7:3: 'fr\\u001b[31mob' is no operator of BTOR2"],
    [`${HEADER}7 add 9 4 4`, '7:7: there is no sort 9 so far'],
    [`${HEADER}7 add 2 4 8`, '7:11: there is no node 8 so far'],
    [`${HEADER}7 add 2 4 -5`, "7:11: an array has no complement, such as '-5'"],
    [`${HEADER}7 add 2 4`, '7:10: expected the number of a node, found the end of the line'],
    [`${HEADER}7 add 1 4 4`, '7:3: the sort is (_ BitVec 4), not (_ BitVec 1)'],
    [
      `${HEADER}7 add 2 4 5`,
      "7:3: 'add': 'bvadd' expects two bit-vectors of one width, not (_ BitVec 4) (Array (_ BitVec 4) (_ BitVec 4))",
    ],
    [`${HEADER}7 redxor 1 5`, "7:3: 'redxor': expected a bit-vector, not (Array (_ BitVec 4) (_ BitVec 4))"],
    [
      `${HEADER}7 slice 2 4 4 1`,
      "7:3: 'slice': '(_ extract 4 1)' expects indices 3 ≥ i ≥ j ≥ 0, not (_ BitVec 4)",
    ],
    [`${HEADER}7 const 2 10000`, '7:11: expected as many binary digits as the sort has bits, 4, not 5'],
    [`${HEADER}7 const 2 101`, '7:11: expected as many binary digits as the sort has bits, 4, not 3'],
    [`${HEADER}7 const 2 102`, "7:11: expected a binary number, found '102'"],
    [`${HEADER}7 consth 2 10`, '7:12: 10 needs more than 4 bits'],
    [`${HEADER}7 constd 2 -9`, '7:12: -9 needs more than 4 bits'],
    [`${HEADER}7 consth 2 g`, "7:12: expected a hexadecimal number, found 'g'"],
    [`${HEADER}7 one 3`, '7:7: expected a sort of bit-vectors, not (Array (_ BitVec 4) (_ BitVec 4))'],
    [`${HEADER}7 bad 4`, '7:7: expected one bit, not (_ BitVec 4)'],
    [`${HEADER}7 next 2 6 4`, '7:10: line 6 is no state'],
    [`${HEADER}7 next 1 4 4`, '7:10: state 4 is of sort (_ BitVec 4), not (_ BitVec 1)'],
    [`${HEADER}7 next 2 4 4\n8 next 2 4 4`, '8:10: this state has a next value already'],
    [`${HEADER}7 init 2 4 6\n8 redor 1 4\n9 bad 8`, "7:12: an initial value may not mention the input 'in'"],
    [`${HEADER}7 add 2 4 4 sum more`, "7:17: expected the end of the line, found 'more'"],
  ] as const) {
    t.throws(() => read(text), new InputError('m.btor2', ...positionOf(message)), message);
  }
  t.end();
});

function positionOf(message: string): [line: number, column: number, reason: string] {
  const [, line, column, reason] = /^(\d+):(\d+): (.*)$/.exec(message) as RegExpExecArray;
  return [Number(line), Number(column), reason];
}

// ---- random models ----

t.test('random models: verdicts by search, witnesses by replay, certificates and round trips', async t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, unknown: 0 };
  for (let round = 0; round < 60; round++) {
    const { text, badCount } = randomModel(random);
    const model = new Btor2Model(text);
    const system = read(text);
    const copies = [
      writeBtor2(system),
      writeBtor2(readVmt(new TermStore(), 'copy.vmt', writeVmt(system), VMT)),
    ];
    for (const property of system.properties) {
      const isBad = model.reaches(property.index);
      for (const [i, copy] of copies.entries()) {
        if (new Btor2Model(copy).reaches(property.index) !== isBad)
          t.fail(`round ${round}: copy ${i} has another verdict\n${text}\n${copy}`);
      }
      const verdict = await check(system, property, 5);
      counts[verdict.kind]++;
      if (verdict.kind === 'unknown') {
        if (verdict.reason.includes('internal failure')) t.fail(`round ${round}: ${verdict.reason}\n${text}`);
        continue;
      }
      if (verdict.kind !== (isBad ? 'unsafe' : 'safe'))
        t.fail(`round ${round}: not ${verdict.kind}\n${text}`);
      const wrong = evidenceComplaint(system, property, verdict, model);
      if (wrong !== undefined) t.fail(`round ${round}: ${wrong}\n${text}`);
    }
    if (system.properties.length !== badCount) t.fail(`round ${round}: a bad state is missing`);
  }
  t.ok(counts.safe > 15 && counts.unsafe > 15, JSON.stringify(counts));
  t.ok(counts.unknown < 10, 'few are left open');
});

const VMT = { strict: true, warn: () => {} };

/** The system with a relation in place of one definition, conditions in place of initial values, or both. */
function relational(system: System, random: Random): System {
  const { terms, states, inputs } = system;
  const variables = states.map(s => s.current);
  const formula = (leaves: readonly TermId[]) => {
    const pool = growPool(terms, random, [...leaves, terms.true], 30, 4);
    return random.pick(pool.filter(f => terms.sort(f) === terms.sorts.bool));
  };
  const parts = terms.op(system.trans) === Op.AND ? terms.args(system.trans) : [system.trans];
  const spared = random.below(parts.length);
  const relation = formula([...variables, ...inputs, random.pick(states).next]);
  return {
    ...system,
    init: terms.and([random.chance(0.5) ? system.init : terms.true, formula(variables)]),
    trans: terms.and([...parts.filter((_, i) => i !== spared), relation]),
  };
}

t.test('random relations as BTOR2 keep the verdict, and so do their first steps as SMT-LIB', async t => {
  const random = seeded(t);
  const counts = { safe: 0, unsafe: 0, sat: 0, unsat: 0 };
  for (let round = 0; round < 80; round++) {
    const system = relational(read(randomModel(random).text), random);
    const [property] = system.properties;
    const isBad = isUnsafe(system, property);
    counts[isBad ? 'unsafe' : 'safe']++;
    const text = writeBtor2(system);
    if (new Btor2Model(text).reaches(0) !== isBad) t.fail(`round ${round}: expected ${isBad}\n${text}`);
    if (round % 4 !== 0) continue;
    const steps = random.below(3);
    const answer = new Btor2Model(text).reaches(0, steps) ? 'sat' : 'unsat';
    counts[answer]++;
    t.equal(await smt(writeSmt2Bmc(system, steps, [property])), answer, `round ${round}, ${steps} steps`);
  }
  t.ok(counts.safe > 10 && counts.unsafe > 10 && counts.sat > 1 && counts.unsat > 1, JSON.stringify(counts));
});

async function smt(script: string): Promise<string> {
  const lines: string[] = [];
  const interpreter = new Interpreter({
    write: line => lines.push(line),
    warn: line => void lines.push(line),
    deadline: Date.now() + 20_000,
    version: '0',
    heavy,
  });
  await interpreter.run('bmc.smt2', script);
  return lines.join('\n');
}

// ---- writers ----

t.test('relations bind where a step is taken, and constraints everywhere', async t => {
  // From x = 1 there is no step; in x = 1 the property fails all the same.
  const stuck = new HandMade(`(declare-const x (_ BitVec 2)) (declare-const x.next (_ BitVec 2))
    (assert (! (= x #b00) :named init)) (assert (! (and (bvugt x.next x) (bvult x #b01) (bvult x.next #b10)) :named trans))
    (assert (! (not (= x #b01)) :named property))`).system;
  t.ok(new Btor2Model(writeBtor2(stuck)).reaches(0));
  t.equal(await smt(writeSmt2Bmc(stuck, 1)), 'sat');
  t.equal(await smt(writeSmt2Bmc(stuck, 0)), 'unsat', 'not before the first step');
  t.equal(await smt(writeSmt2Bmc(stuck, 4)), 'sat', 'the run need not go on');
  const [only] = stuck.properties;
  const beyond = {
    ...stuck,
    properties: [
      { ...only, formula: stuck.terms.not(stuck.terms.eq(stuck.states[0].current, stuck.terms.bv(2, 2))) },
    ],
  };
  t.notOk(new Btor2Model(writeBtor2(beyond)).reaches(0), 'nothing is reached by a step that there is not');
  t.equal(await smt(writeSmt2Bmc(beyond, 4)), 'unsat');
  const constraint = stuck.terms.not(stuck.terms.eq(stuck.states[0].current, stuck.terms.bv(2, 1)));
  const bound = { ...stuck, constraints: [constraint] };
  t.notOk(new Btor2Model(writeBtor2(bound)).reaches(0), 'a constraint binds the last step');
  t.equal(await smt(writeSmt2Bmc(bound, 4)), 'unsat');
});

t.test('constant arrays, by writes or as states that stay as they are', t => {
  for (const width of [1, 9]) {
    const array = `(Array (_ BitVec ${width}) (_ BitVec 2))`;
    const index = `(concat #b${'0'.repeat(width)} i)`;
    const at = `((_ extract ${width - 1} 0) ${index})`;
    const { system } =
      new HandMade(`(declare-const a ${array}) (declare-const a.next ${array}) (declare-const i (_ BitVec 1))
      (assert (! (= a (store ((as const ${array}) #b01) ${at.replace(' i)', ' #b1)')} #b10)) :named init))
      (assert (! (= a.next (ite (= i #b1) a ((as const ${array}) #b11))) :named trans))
      (assert (! (not (= (select a ${at}) #b11)) :named property0)) (assert (! (not (= (select a ${at}) #b00)) :named property1))`);
    const text = writeBtor2(system);
    if (width === 1) {
      const model = new Btor2Model(text);
      t.same([model.reaches(0), model.reaches(1)], [true, false]);
    }
    const again = read(text);
    t.equal(
      again.states.length,
      width === 1 ? 2 : 4,
      'the array, first, and for the large one two constant arrays',
    );
    const proof = { invariant: system.init, lemmas: [] };
    const certificate = () => btor2Certificate(system, system.properties[1], proof);
    if (width === 1) t.equal(new Btor2Model(certificate()).bads.length, 1);
    else t.throws(certificate, { message: 'BTOR2 has no constant arrays so large as in this invariant' });
  }
  t.end();
});

t.test('what BTOR2 has no word for is refused by name', t => {
  const written = (declarations: string, property: string) => () =>
    writeBtor2(
      new HandMade(`${declarations} (assert (! true :named init)) (assert (! true :named trans))
        (assert (! ${property} :named property))`).system,
    );
  for (const [declarations, property, message] of [
    [
      '(declare-fun f (Bool) Bool) (declare-const x Bool)',
      '(f x)',
      "BTOR2 has no declared functions, such as 'f'",
    ],
    [
      '(declare-sort S 0) (declare-const x S) (declare-const y S)',
      '(= x y)',
      'BTOR2 has no uninterpreted sorts, such as S',
    ],
    [
      '(declare-const x (Array Bool (Array Bool Bool)))',
      '(select (select x true) true)',
      'BTOR2 has no arrays of arrays, such as (Array Bool (Array Bool Bool))',
    ],
    [
      '(declare-const x Bool) (declare-const a (Array (_ BitVec 9) Bool))',
      '(= a ((as const (Array (_ BitVec 9) Bool)) x))',
      'BTOR2 has no constant arrays whose element may change',
    ],
  ] as const) {
    t.throws(written(declarations, property), { name: NotInBtor2.name, message });
  }
  t.end();
});

t.test('a witness, word by word', async t => {
  const text = `1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 zero 2\n5 state 2 x\n6 init 2 5 4\n7 state 3 mem\n8 state 1 free
9 input 1 go\n10 one 1\n11 read 2 7 10\n12 ite 2 9 11 5\n13 next 2 5 12\n14 next 3 7 7\n15 constd 2 2\n16 eq 1 5 15\n17 and 1 16 8
18 bad 17\n19 redor 1 11\n20 constraint -8\n21 bad 16 two`;
  const system = read(text);
  const verdict = await check(system, system.properties[1], 20);
  if (verdict.kind !== 'unsafe') {
    t.fail(verdict.kind);
    return;
  }
  t.equal(
    btor2Witness(system, system.properties[1], verdict.trace),
    'sat\nb1\n#0\n1 [1] 10 mem#0\n2 0 free#0\n@0\n0 1 go@0\n#1\n2 0 free#1\n@1\n' +
      `0 ${Number(verdict.trace.steps[1].get(system.inputs[0]))} go@1\n.\n`,
  );
});

// ---- other people's files ----

const CORPUS = new URL('../../shared/corpus/btor2/', import.meta.url).pathname;

t.test('the corpus is read, and what is written is read again', { skip: !existsSync(CORPUS) }, t => {
  const files = (readdirSync(CORPUS, { recursive: true }) as string[]).filter(f => f.endsWith('.btor2'));
  t.ok(files.length > 0);
  let largest = { file: '', bytes: 0, milliseconds: 0, megabytes: 0 };
  for (const file of files) {
    const text = readFileSync(join(CORPUS, file), 'utf8');
    const [memory, start] = [process.memoryUsage().rss, performance.now()];
    try {
      const system = read(text);
      const milliseconds = Math.round(performance.now() - start);
      const megabytes = Math.max(0, Math.round((process.memoryUsage().rss - memory) / 2 ** 20));
      if (text.length > largest.bytes) largest = { file, bytes: text.length, milliseconds, megabytes };
      if (text.length > 60_000) continue;
      const again = read(writeBtor2(system));
      if (again.states.length < system.states.length) t.fail(`${file} lost states`);
    } catch (error) {
      // Some have no question to ask.
      if (!(error instanceof InputError) || / bad /.test(text)) t.fail(`${file}: ${error}`);
    }
  }
  t.comment(JSON.stringify(largest));
  t.end();
});
