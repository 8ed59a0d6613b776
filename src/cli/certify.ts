/**
 * `euforia certify FILE --invariant FILE`: checks somebody's invariant. Prints `valid`, or `invalid` or `unknown` with the
 * reason; status 0, or 1 if the invariant proves nothing.
 */
import { checkProof, isWaiting } from '../core/check/invariant.ts';
import { InputError } from '../input/diagnostic.ts';
import { readInvariant } from '../input/invariant.ts';
import { LimitReached } from '../sat/checkpoint.ts';
import { selectProperties, type Task } from '../task.ts';
import { readText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { readTaskFile } from './read-task.ts';

export interface CertifyOptions {
  readonly invariant: string;
  readonly property: number | undefined;
  readonly timeout: number | undefined;
  readonly strict: boolean;
}

export async function certifyCommand(path: string, options: CertifyOptions): Promise<number> {
  const limits = new Limits(options.timeout, undefined);
  const { budget } = limits;
  const invariant = readText(options.invariant);
  let task: Task;
  try {
    task = readTaskFile(path, { strict: options.strict, budget });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    process.stdout.write(`unknown\nreason: ${limits.spelt(error.reason)} while the file was being read\n`);
    return 1;
  }
  if (task.clauses !== undefined)
    throw new InputError(path, 1, 1, 'certify is for transition systems (VMT, BTOR2), not for Horn clauses');
  const { system } = task;
  const [property] = selectProperties(task, options.property);
  const proof = readInvariant(system, options.invariant, invariant);
  const heavy = heavyBackEnd(line => void process.stderr.write(`${line}\n`));
  const check = () => checkProof(system, property, proof, { backEnd: heavy.backEnd, budget });
  const outcome = await heavy.afterLoading(check, isWaiting);
  if (outcome.kind === 'valid') {
    process.stdout.write('valid\n');
    return 0;
  }
  process.stdout.write(
    `${outcome.kind === 'invalid' ? 'invalid' : 'unknown'}\nreason: ${limits.spelt(outcome.reason)}\n`,
  );
  return 1;
}
