/** Generated files of each format, of any size, shaped so that different parts of a reader do the work. */

/** The formats that are read. The two dialects of Horn clauses are read by different commands of one reader. */
export const READ_FORMATS = ['VMT', 'Horn, SMT-LIB', 'Horn, rules', 'BTOR2', 'SMT-LIB'] as const;
export type ReadFormat = (typeof READ_FORMATS)[number];

export interface Shape {
  readonly format: ReadFormat;
  readonly name: string;
  /** About so many bytes. */
  readonly make: (bytes: number) => string;
}

const WORD = '(_ BitVec 32)';

const hexadecimal = (i: number) => `#x${i.toString(16).padStart(8, '0')}`;

/** Repeats lines until there are enough bytes, between a beginning and an end that knows how many there were. */
function repeated(
  bytes: number,
  line: (i: number) => string,
  beginning = '',
  end: (count: number) => string = () => '',
): string {
  const lines: string[] = beginning === '' ? [] : [beginning];
  let count = 0;
  for (let size = 0; size < bytes; count++) {
    const text = line(count);
    lines.push(text);
    size += text.length + 1;
  }
  return [...lines, end(count), ''].join('\n');
}

export const SHAPES: readonly Shape[] = [
  {
    format: 'VMT',
    name: 'definitions that build on one another',
    make: bytes =>
      repeated(
        bytes,
        i => `(define-fun d${i + 1} () ${WORD} (bvadd (bvxor d${i} x) ${hexadecimal(i)}))`,
        `(declare-fun x () ${WORD}) (declare-fun x.next () ${WORD})
(define-fun d0 () ${WORD} (! x :next x.next))`,
        count => `(define-fun init () Bool (! (= x #x00000000) :init true))
(define-fun trans () Bool (! (= x.next d${count}) :trans true))
(define-fun property () Bool (! (not (= x d${count})) :invar-property 0))`,
      ),
  },
  {
    format: 'VMT',
    name: 'state variables',
    make: bytes =>
      repeated(
        bytes,
        i => `(declare-fun s${i} () ${WORD}) (declare-fun s${i}.next () ${WORD})
(define-fun .s${i} () ${WORD} (! s${i} :next s${i}.next))
(define-fun .t${i} () Bool (! (= s${i}.next (bvadd s${i} ${hexadecimal(i)})) :trans true))`,
        '',
        () => '(define-fun property () Bool (! (not (= s0 #x00000007)) :invar-property 0))',
      ),
  },
  {
    format: 'Horn, SMT-LIB',
    name: 'clauses of one relation',
    make: bytes =>
      repeated(
        bytes,
        i => `(assert (forall ((x ${WORD}) (y ${WORD}) (z ${WORD}))
  (=> (and (P x y) (bvult x ${hexadecimal(i)}) (= z (bvadd x y))) (P z (bvxor y ${hexadecimal(i)})))))`,
        `(set-logic HORN)\n(declare-fun P (${WORD} ${WORD}) Bool)`,
        () => `(assert (forall ((x ${WORD}) (y ${WORD})) (=> (and (P x y) (= x y)) false)))\n(check-sat)`,
      ),
  },
  {
    format: 'Horn, rules',
    name: 'a relation for each rule',
    make: bytes =>
      repeated(
        bytes,
        i => `(declare-rel P${i + 1} (${WORD} ${WORD}))
(rule (=> (and (P${i} x y) (bvult x ${hexadecimal(i)}) (= z (bvadd x y))) (P${i + 1} z y)))`,
        `(declare-var x ${WORD}) (declare-var y ${WORD}) (declare-var z ${WORD})
(declare-rel P0 (${WORD} ${WORD}))
(rule (P0 #x00000000 #x00000001))`,
        count => `(query P${count})`,
      ),
  },
  {
    format: 'BTOR2',
    name: 'one long chain of operators',
    make: bytes =>
      repeated(
        bytes,
        i => {
          const id = 6 + 3 * i;
          return `${id} constd 1 ${id}\n${id + 1} add 1 ${id - 1} ${id}\n${id + 2} xor 1 ${id + 1} 4`;
        },
        '1 sort bitvec 32\n2 sort bitvec 1\n3 zero 1\n4 state 1 x\n5 add 1 4 4',
        count => {
          const id = 6 + 3 * count;
          return `${id} next 1 4 ${id - 1}\n${id + 1} eq 2 3 ${id - 1}\n${id + 2} bad ${id + 1}`;
        },
      ),
  },
  {
    format: 'BTOR2',
    name: 'state variables',
    make: bytes =>
      repeated(
        bytes,
        i => {
          const id = 5 + 4 * i;
          const state = `${id} state 1 register_${i}\n${id + 1} init 1 ${id} 3`;
          return `${state}\n${id + 2} add 1 ${id} 4\n${id + 3} next 1 ${id} ${id + 2}`;
        },
        '1 sort bitvec 32\n2 sort bitvec 1\n3 zero 1\n4 one 1',
        count => `${5 + 4 * count} eq 2 5 4\n${6 + 4 * count} bad ${5 + 4 * count}`,
      ),
  },
  {
    format: 'SMT-LIB',
    name: 'declarations and assertions',
    make: bytes =>
      repeated(
        bytes,
        i => `(declare-const y${i} ${WORD}) (assert (bvult y${i} (bvadd y${i} ${hexadecimal(i % 100)})))`,
      ),
  },
  {
    format: 'SMT-LIB',
    name: 'quoted symbols and comments',
    make: bytes => repeated(bytes, i => `(declare-const |a name, ${i}| Bool) ; and a remark about it`),
  },
  {
    format: 'SMT-LIB',
    name: 'one deep term',
    make: bytes => {
      const depth = Math.floor(bytes / 8);
      return `(declare-const x ${WORD})\n(assert (= x ${'(bvnot '.repeat(depth)}x${')'.repeat(depth)}))`;
    },
  },
  {
    format: 'SMT-LIB',
    name: 'nested lets',
    make: bytes => {
      const count = Math.floor(bytes / 40);
      const lets = Array.from({ length: count }, (_, i) => `(let ((v${i + 1} (bvadd v${i} v${i})))`);
      return `(declare-const v0 ${WORD}) (assert (= v0 ${lets.join('\n')} v${count}${')'.repeat(count)}))`;
    },
  },
  {
    format: 'SMT-LIB',
    name: 'one wide disjunction',
    make: bytes =>
      repeated(
        bytes,
        i => `(= x ${hexadecimal(i)})`,
        `(declare-const x ${WORD})\n(assert (or`,
        () => '))',
      ),
  },
];
