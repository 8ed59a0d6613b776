/** `solve` of the library. */
import { type Answer, Interpreter } from '../smt/interpreter.ts';
import { version } from '../version.ts';
import { heavyBackEnd, turn } from './heavy.ts';
import { budgetOf } from './limits.ts';
import type { SolveOptions } from './options.ts';
import type { SolveResult } from './results.ts';

export async function solveScript(script: string, options: SolveOptions): Promise<SolveResult> {
  const { deadline, signal } = budgetOf(options);
  const replies: string[] = [];
  const answers: Answer[] = [];
  const interpreter = new Interpreter({
    write: reply => void replies.push(reply),
    answered: answer => void answers.push(answer),
    warn: message => options.onWarning?.(message),
    deadline,
    signal,
    turn,
    version,
    heavy: heavyBackEnd(options),
  });
  const isWell = await interpreter.run(options.file ?? 'input', script);
  return { replies, answers, hasErrors: !isWell };
}
