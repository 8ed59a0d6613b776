/**
 * The values of words in a solution of the clauses, as numbers that tell them apart: two words of one width have the same
 * number exactly if they have the same value. Narrow words are their value; wide ones are numbered as they come.
 * A solution is good until the next clause is added.
 */
import { SMALL_WIDTH } from '../../../term/bitvector.ts';
import { type SortId, SortKind } from '../../../term/sort.ts';
import type { Value } from '../../../term/value.ts';
import type { Encoding } from './encoding.ts';
import type { Question } from './question.ts';
import type { Words } from './words.ts';

const NARROW = 30;

export class Solution {
  private readonly question: Question;
  private readonly words: Words;
  private readonly wide = new Map<string, number>();

  constructor(question: Question, words: Words) {
    this.question = question;
    this.words = words;
  }

  isTrue(literal: number): boolean {
    return this.question.value(literal);
  }

  /** See above. */
  number(word: number, width: number): number {
    const { question } = this;
    const { data } = this.words.pool;
    if (width <= NARROW) {
      let value = 0;
      for (let i = width - 1; i >= 0; i--) value = 2 * value + (question.value(data[word + i]) ? 1 : 0);
      return value;
    }
    const digits = this.digits(word, width);
    let number = this.wide.get(digits);
    if (number === undefined) {
      number = this.wide.size;
      this.wide.set(digits, number);
    }
    return number;
  }

  /** The value of a word that stands for an element of a sort. */
  value(word: number, sort: SortId, encoding: Encoding): Value {
    const { sorts } = encoding.graph.terms;
    const width = encoding.widthOf(sort);
    const digits = this.digits(word, width);
    switch (sorts.kind(sort)) {
      case SortKind.BOOL:
        return digits === '1';
      case SortKind.BITVEC:
        return width <= SMALL_WIDTH ? Number.parseInt(digits, 2) : BigInt(`0b${digits}`);
      default:
        return Number.parseInt(digits, 2);
    }
  }

  /** The value in binary, the highest bit first. */
  digits(word: number, width: number): string {
    const { data } = this.words.pool;
    let digits = '';
    for (let i = width - 1; i >= 0; i--) digits += this.question.value(data[word + i]) ? '1' : '0';
    return digits;
  }
}
