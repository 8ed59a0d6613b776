/** `euforia smt FILE`: answers an SMT-LIB script. Status 0, or 2 if a command of the script was in error. */
import { readFileSync } from 'node:fs';
import { Interpreter } from '../smt/interpreter.ts';
import { version } from './version.ts';

export function smtCommand(path: string, options: { readonly timeout: number | undefined }): number {
  const { timeout } = options;
  const deadline = timeout === undefined ? undefined : Date.now() + 1000 * timeout;
  const interpreter = new Interpreter({
    write: line => void process.stdout.write(`${line}\n`),
    warn: line => void process.stderr.write(`${line}\n`),
    deadline,
    version,
  });
  return interpreter.run(path, readFileSync(path, 'utf8')) ? 0 : 2;
}
