/** Writes the manual page, `man/euforia.1`, from the table of commands: `npm run docs`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { COMMANDS, type CommandSpec, GENERAL_COMMANDS, sentenceOf, usageOf } from '../src/cli/commands.ts';

/** Text in the language of manual pages: no line is taken for a command, and a hyphen can be searched for and copied. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/gm, '\\&$1');
}

const bold = (text: string) => `\\fB${escaped(text)}\\fR`;

function section(command: CommandSpec): string[] {
  return [
    `.SS euforia ${escaped(command.name)} ${escaped(command.argument)} [OPTIONS]`,
    escaped(sentenceOf(command)),
    ...(command.notes ?? []).flatMap(note => ['.PP', escaped(note)]),
    ...command.options.flatMap(o => ['.TP', bold(usageOf(o)), escaped(o.help)]),
    '.PP',
    'Examples:',
    '.PP',
    '.nf',
    ...command.examples.map(e => `    ${escaped(e)}`),
    '.fi',
  ];
}

export function manualPage(): string {
  const { version, description } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string; description: string };
  const general = GENERAL_COMMANDS.flatMap(c => [
    '.TP',
    bold(`euforia ${c.name} ${c.argument}`),
    escaped(c.summary),
  ]);
  return `${[
    '.\\" Made from the table that --help uses: npm run docs',
    `.TH EUFORIA 1 "" "euforia ${version}" "User Commands"`,
    '.SH NAME',
    `euforia \\- ${escaped(description)}`,
    '.SH SYNOPSIS',
    `${bold('euforia')} COMMAND FILE... [OPTIONS]`,
    '.SH COMMANDS',
    ...COMMANDS.flatMap(section),
    '.SS Others',
    ...general,
    '.TP',
    bold('-V, --version'),
    'show the version',
    '.TP',
    bold('-h, --help'),
    "show help, or with a command that command's",
    '.SH ENVIRONMENT',
    '.TP',
    bold('NO_COLOR'),
    'if it is set and not empty, verdicts have no colour on a terminal',
    '.TP',
    bold('SOURCE_DATE_EPOCH'),
    'the time, in seconds since 1970, that witnesses say they were made at',
    '.TP',
    bold('EUFORIA_DEBUG'),
    'if it is set, failures come with a stack trace',
  ].join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const file = new URL('../man/euforia.1', import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, manualPage());
}
