/** Transition systems as Horn clauses. */
import t from 'tap';
import type { System } from '../../../src/core/problem/system.ts';
import { formatOf } from '../../../src/formats/format.ts';
import { writeHorn } from '../../../src/formats/horn/writer.ts';
import { readQuestion } from '../../../src/formats/read.ts';
import { readVmt } from '../../../src/formats/vmt/reader.ts';
import { TermStore } from '../../../src/term/store.ts';
import { loadedBackEnd, verdictOf } from '../../support/checking.ts';

const heavy = await loadedBackEnd();
const options = { strict: true, warn: (message: string) => t.fail(message) };

const system = (bound: string): System =>
  readVmt(
    new TermStore(),
    'test.vmt',
    `(declare-fun |x y| () (_ BitVec 4)) (declare-fun x.next () (_ BitVec 4)) (declare-fun i () Bool)
     (define-fun s () (_ BitVec 4) (! |x y| :next x.next))
     (define-fun init () Bool (! (= |x y| #x0) :init true))
     (define-fun trans () Bool (! (= x.next (ite i (bvadd |x y| #x2) |x y|)) :trans true))
     (define-fun p () Bool (! (not (= |x y| #x3)) :invar-property 0))
     (define-fun q () Bool (! (or i (not (= |x y| ${bound}))) :invar-property 1))`,
    options,
  );

const solve = (text: string) => verdictOf(readQuestion('test.smt2', text, options), heavy).kind;

t.test('systems as Horn clauses, read back', t => {
  for (const [bound, expected] of [
    ['#x5', 'safe'],
    ['#x6', 'unsafe'],
  ]) {
    const text = writeHorn(system(bound));
    t.equal(formatOf('a.smt2', text), 'horn');
    t.equal(solve(text), expected);
  }
  const unsafe = system('#x6');
  t.equal(
    solve(writeHorn({ ...unsafe, constraints: [unsafe.inputs[0]] })),
    'safe',
    'the constraint forbids the inputs that violate the property',
  );
  t.end();
});

t.test('what clauses have no word for is refused by name', t => {
  const given = system('#x6');
  const { terms } = given;
  const f = terms.declare('f', [terms.sorts.bool], terms.sorts.bool);
  t.throws(() => writeHorn({ ...given, trans: terms.apply(f, [terms.true]) }), {
    message: "Horn clauses cannot have the function 'f' in them",
  });
  const s = terms.variable('s', terms.sorts.declare('S'));
  t.throws(() => writeHorn({ ...given, trans: terms.eq(s, s) }), {
    message: 'Horn clauses cannot have the sort S in them',
  });
  t.end();
});
