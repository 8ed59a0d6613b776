/** Which of its properties a question is to be asked about. */
import { InputError } from './diagnostic.ts';
import type { PropertyName, Question } from './question.ts';

/** The property with a number, or all of them. */
export function selectProperties(
  { file, properties }: Question,
  index: number | undefined,
): readonly PropertyName[] {
  if (index === undefined) return properties;
  const chosen = properties.filter(p => p.index === index);
  if (chosen.length > 0) return chosen;
  const known = properties.map(p => p.index).join(', ');
  throw new InputError(file, 1, 1, `there is no property ${index}: the file has ${known}`);
}
