/** The operators of BTOR2: what the reader makes of them, against an interpreter that shares no code with it. */
import t from 'tap';
import { readBtor2 } from '../../../src/formats/btor2/reader.ts';
import { Evaluator } from '../../../src/term/evaluator.ts';
import { TermStore } from '../../../src/term/store.ts';
import { ArrayValue, domain, type Value } from '../../../src/term/value.ts';
import { Btor2Model } from '../../support/btor2.ts';
import { OPERATORS } from '../../support/btor2-random.ts';

const read = (text: string) => readBtor2(new TermStore(), 'm.btor2', text);

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
