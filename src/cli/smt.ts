/**
 * `euforia smt FILE`: answers an SMT-LIB script. Status 0, or 2 if a command of the script was in error. Standard input (`-`) is answered
 * command by command, so that another program can drive it.
 */
import { type Piece, Pieces } from '../formats/smtlib/pieces.ts';
import { Interpreter } from '../smt/interpreter.ts';
import { readText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { version } from './version.ts';

export async function smtCommand(
  path: string,
  options: { readonly timeout: number | undefined },
): Promise<number> {
  const { timeout } = options;
  const deadline = timeout === undefined ? undefined : Date.now() + 1000 * timeout;
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  const interpreter = new Interpreter({
    write: line => void process.stdout.write(`${line}\n`),
    warn,
    deadline,
    version,
    heavy: heavyBackEnd(warn),
  });
  const isDone =
    path === STANDARD_INPUT
      ? interpreter.converse('stdin', commands())
      : interpreter.run(path, readText(path));
  return (await isDone) ? 0 : 2;
}

/** Commands as they come. */
async function* commands(): AsyncGenerator<Piece> {
  const pieces = new Pieces();
  process.stdin.setEncoding('utf8');
  for await (const text of process.stdin) yield* pieces.add(text as string);
  const last = pieces.end();
  if (last !== undefined) yield last;
}
