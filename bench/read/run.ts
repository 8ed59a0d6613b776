/**
 * `npm run bench -- read [--quick]`: reading SMT-LIB text of growing size. There is no peer to compare with; what
 * counts is that the last column stays where it is when the size doubles.
 */
import { ScriptReader } from '../../src/input/smtlib/script.ts';
import { TermStore } from '../../src/term/store.ts';

interface Shape {
  readonly name: string;
  /** About so many bytes of script. */
  readonly make: (bytes: number) => string;
}

const DECLARATION = '(declare-const x (_ BitVec 32))\n';

/** Repeats a line until there are enough bytes. */
function repeated(bytes: number, line: (i: number) => string): string {
  const lines: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    lines.push(line(i));
    size += lines[i].length + 1;
  }
  return lines.join('\n');
}

const SHAPES: readonly Shape[] = [
  {
    name: 'declarations and assertions',
    make: bytes =>
      repeated(
        bytes,
        i =>
          `(declare-const y${i} (_ BitVec 32)) (assert (bvult y${i} (bvadd y${i} #x000000${10 + (i % 90)})))`,
      ),
  },
  {
    name: 'quoted symbols and comments',
    make: bytes => repeated(bytes, i => `(declare-const |a name, ${i}| Bool) ; and a remark about it`),
  },
  {
    name: 'one deep term',
    make: bytes => {
      const depth = Math.floor(bytes / 8);
      return `${DECLARATION}(assert (= x ${'(bvnot '.repeat(depth)}x${')'.repeat(depth)}))`;
    },
  },
  {
    name: 'nested lets',
    make: bytes => {
      const count = Math.floor(bytes / 40);
      const lets = Array.from({ length: count }, (_, i) => `(let ((v${i + 1} (bvadd v${i} v${i})))`);
      return `(declare-const v0 (_ BitVec 32)) (assert (= v0 ${lets.join(' ')} v${count}${')'.repeat(count)}))`;
    },
  },
  {
    name: 'one wide disjunction',
    make: bytes =>
      `${DECLARATION}(assert (or ${repeated(bytes, i => `(= x #x${i.toString(16).padStart(8, '0')})`)}))`,
  },
];

export async function benchRead(args: readonly string[]): Promise<void> {
  const megabytes = args.includes('--quick') ? [1, 2] : [2.5, 5, 10, 20];
  console.log(`${'shape'.padEnd(30)}${'MB'.padStart(6)}${'s'.padStart(8)}${'s / MB'.padStart(9)}`);
  for (const { name, make } of SHAPES) {
    for (const size of megabytes) {
      const text = make(size * 1e6);
      const start = performance.now();
      const reader = new ScriptReader(new TermStore(), 'generated.smt2', text);
      while (reader.next() !== undefined);
      const seconds = (performance.now() - start) / 1000;
      const mb = text.length / 1e6;
      const row = [
        mb.toFixed(1).padStart(6),
        seconds.toFixed(2).padStart(8),
        (seconds / mb).toFixed(3).padStart(9),
      ];
      console.log(name.padEnd(30) + row.join(''));
    }
  }
}
