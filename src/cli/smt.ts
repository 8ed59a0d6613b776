/** `euforia smt FILE`: answers an SMT-LIB script. Status 0, or 2 if a command of the script was in error. */
import { Interpreter } from '../smt/interpreter.ts';
import { readText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
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
  return (await interpreter.run(path, readText(path))) ? 0 : 2;
}
