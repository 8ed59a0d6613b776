/**
 * The command line: finds the command, checks its options against the table, runs it and turns its
 * outcome into an exit status. Status 2 means that the input or the call was wrong, 3 that this program
 * failed; neither ever prints a stack trace unless EUFORIA_DEBUG is set.
 */
import { parseArgs } from 'node:util';
import { engineOptions } from '../core/env/options.ts';
import { InputError } from '../input/diagnostic.ts';
import { NotExpressible } from '../output/not-expressible.ts';
import { certifyCommand } from './certify.ts';
import { type CheckOptions, checkCommand } from './check.ts';
import { COMMANDS, type CommandSpec, commandHelp, generalHelp } from './commands.ts';
import { convertCommand, DEFAULT_STEPS, type Format } from './convert.ts';
import { FileError } from './files.ts';
import { satCommand } from './sat.ts';
import { smtCommand } from './smt.ts';
import { version } from './version.ts';

/** A call that cannot be carried out as it is written. */
class UsageError extends Error {}

/** Option values by name, checked: numbers are numbers. */
interface OptionValues {
  timeout: number | undefined;
  memory: number | undefined;
  property: number | undefined;
  proof: string | undefined;
  output: string | undefined;
  trace: string | undefined;
  vcd: string | undefined;
  invariant: string | undefined;
  certificate: string | undefined;
  json: boolean | undefined;
  quiet: boolean | undefined;
  stats: boolean | undefined;
  profile: boolean | undefined;
  strict: boolean | undefined;
  format: CheckOptions['format'] | undefined;
  encoding: CheckOptions['encoding'] | undefined;
  to: Format | undefined;
  steps: number | undefined;
  'exit-code': boolean | undefined;
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(generalHelp(version));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const command = COMMANDS.find(c => c.name === name);
  if (command === undefined) {
    const names = COMMANDS.map(c => c.name).join(', ');
    throw new UsageError(`unknown command '${name}': expected one of ${names}; see euforia --help`);
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  const { file, options } = parseCall(command, rest);
  switch (command.name) {
    case 'sat':
      return satCommand(file, options);
    case 'smt':
      return smtCommand(file, { timeout: options.timeout });
    case 'check':
      return checkCommand(file, {
        ...options,
        json: options.json === true,
        quiet: options.quiet === true,
        stats: options.stats === true,
        profile: options.profile === true,
        strict: options.strict === true,
        exitCode: options['exit-code'] === true,
        format: options.format ?? 'plain',
        encoding: options.encoding,
        engine: engineOptions(options as unknown as Readonly<Record<string, string | number | undefined>>),
      });
    case 'certify':
      if (options.invariant === undefined)
        throw new UsageError('certify needs --invariant FILE; see euforia certify --help');
      return certifyCommand(file, {
        ...options,
        invariant: options.invariant,
        strict: options.strict === true,
      });
    case 'convert':
      return convertCommand(file, {
        to: options.to ?? 'vmt',
        steps: options.steps ?? DEFAULT_STEPS,
        strict: options.strict === true,
        output: options.output,
      });
    default:
      throw new Error(`the command '${command.name}' has no implementation`);
  }
}

function parseCall(command: CommandSpec, argv: string[]): { file: string; options: OptionValues } {
  const specs = command.options.map(
    o => [o.name, { type: o.type === 'switch' ? ('boolean' as const) : ('string' as const) }] as const,
  );
  const help = `see euforia ${command.name} --help`;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: argv, options: Object.fromEntries(specs), allowPositionals: true });
  } catch (error) {
    const [message] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${message}; ${help}`);
  }
  const [file, extra] = parsed.positionals;
  if (file === undefined) throw new UsageError(`expected ${command.argument}; ${help}`);
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'; ${help}`);
  const options: Record<string, string | number | boolean | undefined> = {};
  for (const { name, type, choices } of command.options) {
    const value = parsed.values[name];
    if (value === undefined) continue;
    if (type === 'number' && !(Number(value) > 0)) {
      throw new UsageError(`--${name} takes a positive number, not '${value}'; ${help}`);
    }
    if (type === 'index' && !/^\d{1,9}$/.test(value as string)) {
      throw new UsageError(`--${name} takes a number from 0, not '${value}'; ${help}`);
    }
    if (choices !== undefined && !choices.includes(value as string)) {
      throw new UsageError(`--${name} takes ${choices.join(' or ')}, not '${value}'; ${help}`);
    }
    options[name] = type === 'number' || type === 'index' ? Number(value) : (value as string | boolean);
  }
  return { file, options: options as unknown as OptionValues }; // what was not given is undefined
}

/** What went wrong, in one line, and the exit status that says whose fault it is. */
function report(error: unknown): number {
  const { message, stack } = error as Error;
  const isRefusal = error instanceof InputError || error instanceof NotExpressible;
  const expected = isRefusal || error instanceof UsageError || error instanceof FileError;
  process.stderr.write(expected ? `${message}\n` : `internal failure: ${message}; please report this\n`);
  if (process.env.EUFORIA_DEBUG !== undefined) process.stderr.write(`${stack}\n`);
  return expected ? 2 : 3;
}

process.stdout.on('error', error => {
  // The reader of our output has gone (as with `| head`): nobody is left to tell anything.
  process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 3);
});
main(process.argv.slice(2)).then(
  status => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.exitCode = report(error);
  },
);
