/** The reader of BTOR2: what it makes of a file, and what it refuses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readBtor2 } from '../../../src/formats/btor2/reader.ts';
import { writeBtor2 } from '../../../src/formats/btor2/writer.ts';
import { InputError } from '../../../src/formats/diagnostic.ts';
import { Op } from '../../../src/term/operators.ts';
import { type TermId, TermStore } from '../../../src/term/store.ts';

const read = (text: string) => readBtor2(new TermStore(), 'm.btor2', text);

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
  const name = (v: TermId) => terms.nameOf(v);
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

const CORPUS = new URL('../../../../shared/corpus/btor2/', import.meta.url).pathname;

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
