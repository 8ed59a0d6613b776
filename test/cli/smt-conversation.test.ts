/** `euforia smt -` as another program drives it: a command is sent, and its answer awaited before the next one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Pieces } from '../../src/formats/smtlib/pieces.ts';

const command = fileURLToPath(new URL('../../dist/euforia.cjs', import.meta.url));

t.test('one answer for each command, at once', async t => {
  const solver = spawn('node', [command, 'smt', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: solver.stdout })[Symbol.asyncIterator]();
  const tell = async (text: string) => {
    solver.stdin.write(`${text}\n`);
    return (await lines.next()).value;
  };
  // What pySMT's generic solver says, in its order.
  t.equal(await tell('(set-option :print-success true)'), 'success');
  t.equal(await tell('(set-option :diagnostic-output-channel "stdout")'), 'success');
  t.equal(await tell('(set-option :produce-models true)'), 'success');
  t.equal(await tell('(set-logic QF_BV)'), 'success');
  t.equal(await tell('(declare-fun x () (_ BitVec 8))'), 'success');
  t.equal(await tell('(define-sort Byte () (_ BitVec 8))'), 'success');
  t.equal(await tell('(assert (= (bvmul x #x03) #x0f))'), 'success');
  t.equal(await tell('(check-sat)'), 'sat');
  t.equal(await tell('(get-value (x))'), '((x #x05))');
  t.equal(await tell('(push 1)'), 'success');
  t.equal(await tell('(declare-fun y () Byte)'), 'success', 'a sort that an earlier command has defined');
  t.equal(await tell('(assert (and (= y x)\n  (bvult y #x05)))'), 'success', 'a command of two lines');
  t.equal(await tell('(check-sat)'), 'unsat');
  t.equal(await tell('(assert (= z x))'), '(error "stdin:15:12: unknown symbol \'z\': it is not declared")');
  t.equal(await tell('(pop 1)'), 'success');
  t.equal(await tell('(check-sat)'), 'sat');
  t.equal(await tell('(exit)'), 'success');
  const [status] = await once(solver, 'exit');
  t.equal(status, 2, 'one command was in error');
});

t.test('pieces are whole commands, wherever the text is cut', t => {
  const text = '(a "x)""(") ; (\n(b |)(| c)\nstray\n(d (e)\n) ) (f';
  const expected = ['1 (a "x)""(")', '1 ; (', '2 (b |)(| c)', '3 stray', '4 (d (e)\n)', '5 )', '5 (f'];
  for (const size of [1, 2, 3, 7, text.length]) {
    const pieces = new Pieces();
    const found: string[] = [];
    for (let i = 0; i < text.length; i += size)
      for (const p of pieces.add(text.slice(i, i + size))) found.push(shown(p));
    const last = pieces.end();
    if (last !== undefined) found.push(shown(last));
    t.same(found, expected, `${size} characters at a time`);
  }
  t.end();
});

function shown({ text, line }: { readonly text: string; readonly line: number }): string {
  const blanks = /^\s*/.exec(text)?.[0] ?? '';
  return `${line + blanks.split('\n').length - 1} ${text.trim()}`;
}
