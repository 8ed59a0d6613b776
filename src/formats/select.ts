/** Which of its properties a question is to be asked about. */
import { InputError } from './diagnostic.ts';
import type { PropertyName, Question } from './question.ts';

/** The property with a number or a name, or all of them. */
export function selectProperties(
  { file, properties, areTogether }: Question,
  wanted: number | string | undefined,
): readonly PropertyName[] {
  if (wanted === undefined) return areTogether === true ? properties.slice(0, 1) : properties;
  const chosen = properties.filter(p => p.index === wanted || p.name === wanted);
  if (chosen.length > 0) return chosen;
  const named = ({ index, name }: PropertyName) => (name === undefined ? `${index}` : `${index} (${name})`);
  const missing = typeof wanted === 'number' ? wanted : `'${wanted}'`;
  const known = properties.map(named).join(', ');
  throw new InputError(file, 1, 1, `there is no property ${missing}: the file has ${known}`);
}
