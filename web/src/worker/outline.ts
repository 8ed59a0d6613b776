/** What there is to know of a text before it is checked: its properties, or what is wrong with it. */
import type { PropertyName } from '../../../src/formats/question.ts';
import { readSystem } from '../../../src/formats/systems.ts';

export interface OutlineOptions {
  readonly file: string;
}

/** Undefined of a program, which takes a compiler to read. Throws an InputError if the text cannot be read. */
export function outline(text: string, { file }: OutlineOptions): readonly PropertyName[] | undefined {
  const question = readSystem(file, text, { strict: false, warn: () => {} });
  return question?.properties.map(({ index, name }) => ({ index, name }));
}
