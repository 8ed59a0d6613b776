/** How a text is read as a question, whatever its format. */
import type { Budget } from '../sat/budget.ts';
import type { LlvmOptions } from './llvm/front-end.ts';

export interface ReadOptions {
  /** Wrong sorts that are otherwise worth a warning are errors. */
  readonly strict: boolean;
  readonly warn: (message: string) => void;
  /** The deadline and the signal of these limits count. */
  readonly budget?: Budget;
  /** What there is to say about programs. */
  readonly program?: Partial<LlvmOptions>;
}
