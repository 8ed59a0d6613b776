/** `1 argument`, `2 arguments`: numbers in messages. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
