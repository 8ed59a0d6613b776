/** Aligned tables, as the benchmark prints them. */

/** The first columns, as many as `textColumns`, are text and stand to the left; the others are numbers. */
export function table(lines: readonly (readonly string[])[], textColumns: number): string {
  const widths = lines[0].map((_, column) => Math.max(...lines.map(line => line[column].length)));
  const format = (line: readonly string[]) =>
    line
      .map((cell, i) => (i < textColumns ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  return lines.map(format).join('\n');
}

/** The same for pages of documentation; the first line is the head. */
export function markdownTable(lines: readonly (readonly string[])[], textColumns: number): string {
  const [head, ...rest] = lines;
  const rule = head.map((_, i) => (i < textColumns ? '---' : '--:'));
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [head, rule, ...rest].map(row).join('\n');
}

export function seconds(ms: number | undefined): string {
  return ms === undefined ? '' : (ms / 1000).toFixed(3);
}

export function ratio(a: number | undefined, b: number | undefined): string {
  return a === undefined || b === undefined ? '' : (a / b).toFixed(2);
}

/** Empty if there is nothing to take the mean of. */
export function geometricMean(values: readonly number[]): string {
  if (values.length === 0) return '';
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length).toFixed(2);
}
