/** Writes `options.md` from the table of commands: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { COMMANDS, sentenceOf, usageOf } from '../src/cli/commands.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

export function optionsPage(): string {
  const parts = COMMANDS.map(command => {
    const rows = command.options.map(o => `| ${cell(`\`${usageOf(o)}\``)} | ${cell(o.help)} |`);
    const examples = command.examples.map(e => `    ${e}`);
    return [
      `## euforia ${command.name} ${command.argument}`,
      '',
      sentenceOf(command),
      '',
      ...(command.notes ?? []).flatMap(note => [note, '']),
      '| option | meaning |',
      '|---|---|',
      ...rows,
      '',
      ...examples,
      '',
    ].join('\n');
  });
  const head =
    '# Commands and options\n\nMade from the table that `--help` and the checks of values use: `npm run docs`.\n';
  return `${head}\n${parts.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('options.md', import.meta.url), optionsPage());
}
