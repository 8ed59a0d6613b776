/**
 * `euforia certify FILE --invariant FILE`: checks somebody's invariant. Prints `valid`, or `invalid` or `unknown` with the
 * reason; status 0, or 1 if the invariant proves nothing.
 */
import { readFileSync } from 'node:fs';
import { checkProof, isWaiting } from '../core/check/invariant.ts';
import { InputError } from '../input/diagnostic.ts';
import { readInvariant } from '../input/invariant.ts';
import { selectProperties } from '../task.ts';
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
  const { budget } = new Limits(options.timeout, undefined);
  const task = readTaskFile(path, options.strict);
  if (task.clauses !== undefined)
    throw new InputError(path, 1, 1, 'certify is for transition systems (VMT, BTOR2), not for Horn clauses');
  const { system } = task;
  const [property] = selectProperties(task, options.property);
  const proof = readInvariant(system, options.invariant, readFileSync(options.invariant, 'utf8'));
  const heavy = heavyBackEnd(line => void process.stderr.write(`${line}\n`));
  const check = () => checkProof(system, property, proof, { backEnd: heavy.backEnd, budget });
  const outcome = await heavy.afterLoading(check, isWaiting);
  if (outcome.kind === 'valid') {
    process.stdout.write('valid\n');
    return 0;
  }
  process.stdout.write(`${outcome.kind === 'invalid' ? 'invalid' : 'unknown'}\nreason: ${outcome.reason}\n`);
  return 1;
}
