/**
 * `euforia certify FILE --invariant FILE`: checks somebody's invariant. Prints `valid` if it proves all properties asked about, or
 * `invalid` or `unknown` with the reason; status 0, or 1 if there is a property that it does not prove.
 */
import { certified, expectCertifiable } from '../formats/proof/certify.ts';
import type { Question } from '../formats/question.ts';
import { selectProperties } from '../formats/select.ts';
import { Unknown } from '../sat/unknown.ts';
import { drive } from '../sat/work.ts';
import { readText } from './files.ts';
import { heavyBackEnd } from './heavy.ts';
import { Limits } from './limits.ts';
import { type ProgramOptions, readQuestionFile } from './read-question.ts';

export interface CertifyOptions {
  readonly invariant: string;
  readonly property: number | string | undefined;
  readonly timeout: number | undefined;
  readonly strict: boolean;
  readonly program: ProgramOptions;
}

export async function certifyCommand(paths: readonly string[], options: CertifyOptions): Promise<number> {
  const limits = new Limits(options.timeout, undefined);
  const { budget } = limits;
  const invariant = { file: options.invariant, text: readText(options.invariant) };
  let question: Question;
  try {
    question = await readQuestionFile(paths, { strict: options.strict, limits, ...options.program });
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    process.stdout.write(`unknown\nreason: ${limits.spelt(error.reason)} while the file was being read\n`);
    return 1;
  }
  expectCertifiable(question);
  const heavy = heavyBackEnd(line => void process.stderr.write(`${line}\n`));
  const properties = selectProperties(question, options.property);
  const failures: { readonly kind: 'invalid' | 'unknown'; readonly reason: string }[] = [];
  for (const property of properties) {
    const check = certified(question, property, invariant, { heavy, budget });
    const outcome = await drive(check, {
      load: () => heavy.load(),
      turn: () => new Promise(resolve => setImmediate(resolve)),
    });
    if (outcome.kind === 'valid') continue;
    const text = outcome.kind === 'unknown' ? limits.spelt(outcome.reason, outcome.text) : outcome.text;
    const reason = properties.length > 1 ? `property ${property.index}: ${text}` : text;
    failures.push({ kind: outcome.kind, reason });
  }
  if (failures.length === 0) {
    process.stdout.write('valid\n');
    return 0;
  }
  const verdict = failures.some(f => f.kind === 'invalid') ? 'invalid' : 'unknown';
  process.stdout.write(`${verdict}\n${failures.map(f => `reason: ${f.reason}\n`).join('')}`);
  return 1;
}
