/**
 * The command line: finds the command, checks its options against the table, runs it and turns its
 * outcome into an exit status. Status 2 means that the input or the call was wrong, 3 that this program
 * failed; neither ever prints a stack trace unless EUFORIA_DEBUG is set. On a thread of its own making it does the tasks that the
 * main thread gives it.
 */

import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { engineOptions } from '../core/env/options.ts';
import { DATA_MODELS } from '../formats/c/flags.ts';
import { checksOf } from '../formats/checks.ts';
import { DEFAULT_LLVM_OPTIONS } from '../formats/llvm/front-end.ts';
import { TARGETS, type Target } from '../formats/targets.ts';
import { certifyCommand } from './certify.ts';
import { checkCommand } from './check.ts';
import { type CheckOptions, EXIT_CODE_KINDS } from './check-options.ts';
import { COMMANDS, type CommandSpec, commandHelp, generalHelp, type OptionSpec } from './commands.ts';
import { completionScript, SHELLS, type Shell } from './completion.ts';
import { convertCommand } from './convert.ts';
import { failureOf, say } from './failure.ts';
import { isProgram, type ProgramOptions } from './read-question.ts';
import { DEFAULT_RUN_STEPS, runCommand } from './run.ts';
import { satCommand } from './sat.ts';
import { smtCommand } from './smt.ts';
import { STANDARD_INPUT } from './standard-input.ts';
import { serveTasks } from './threads.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** Option values by name, checked: numbers are numbers. */
interface OptionValues {
  timeout: number | undefined;
  memory: number | undefined;
  property: number | string | undefined;
  proof: string | undefined;
  output: string | undefined;
  trace: string | undefined;
  vcd: string | undefined;
  invariant: string | undefined;
  certificate: string | undefined;
  harness: string | undefined;
  witness: string | undefined;
  json: boolean | undefined;
  quiet: boolean | undefined;
  stats: boolean | undefined;
  profile: boolean | undefined;
  strict: boolean | undefined;
  preprocessed: boolean | undefined;
  each: boolean | undefined;
  jobs: number | undefined;
  format: CheckOptions['format'] | undefined;
  encoding: CheckOptions['encoding'] | undefined;
  engines: readonly string[] | undefined;
  to: Target | undefined;
  steps: number | undefined;
  seed: number | undefined;
  inputs: string | undefined;
  ask: boolean | undefined;
  'exit-code': CheckOptions['exitCode'] | undefined;
  'data-model': ProgramOptions['dataModel'] | undefined;
  include: readonly string[] | undefined;
  define: readonly string[] | undefined;
  entry: string | undefined;
  slice: ProgramOptions['slice'] | undefined;
  calls: ProgramOptions['calls'] | undefined;
  warnings: boolean | undefined;
  cache: string | undefined;
  checks: readonly string[] | undefined;
  externals: ProgramOptions['externals'] | undefined;
  malloc: ProgramOptions['malloc'] | undefined;
  floats: ProgramOptions['floats'] | undefined;
  blocks: ProgramOptions['blocks'] | undefined;
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  switch (name) {
    case undefined:
      process.stdout.write(generalHelp(version));
      return 2;
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(rest.length === 0 ? generalHelp(version) : commandHelp(commandOf(rest[0])));
      return 0;
    case '--version':
    case '-V':
      process.stdout.write(`${version}\n`);
      return 0;
    case 'completion':
      process.stdout.write(completionScript(shellOf(rest[0])));
      return 0;
  }
  const command = commandOf(name);
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  const { files, options } = parseCall(command, rest);
  const [file] = files;
  const program = programOf(options);
  switch (command.name) {
    case 'sat':
      return satCommand(file, options);
    case 'smt':
      return smtCommand(file, { timeout: options.timeout });
    case 'check':
      return checkCommand(files, {
        ...options,
        program,
        json: options.json === true,
        quiet: options.quiet === true,
        stats: options.stats === true,
        profile: options.profile === true,
        strict: options.strict === true,
        each: options.each === true,
        jobs: options.jobs ?? 1,
        exitCode: options['exit-code'] ?? EXIT_CODE_KINDS[0],
        format: options.format ?? 'plain',
        encoding: options.encoding,
        engines: options.engines,
        engine: engineOptions(options as unknown as Readonly<Record<string, string | number | undefined>>),
      });
    case 'run':
      if (options.inputs !== undefined && options.ask === true)
        throw new UsageError('--inputs and --ask exclude each other; see euforia run --help');
      if (options.ask === true && file === STANDARD_INPUT)
        throw new UsageError('--ask reads standard input, so that the system must be in a file');
      return runCommand(files, {
        property: options.property,
        timeout: options.timeout,
        steps: options.steps ?? DEFAULT_RUN_STEPS,
        seed: options.seed ?? 0,
        inputs: options.inputs,
        ask: options.ask === true,
        quiet: options.quiet === true,
        exitCode: options['exit-code'] ?? EXIT_CODE_KINDS[0],
        strict: options.strict === true,
        // Whoever runs a program wants to see all of it, path by path, in its order.
        program: {
          ...program,
          slice: options.slice ?? 'off',
          blocks: 'small',
          calls: options.calls ?? 'inline',
        },
      });
    case 'certify':
      if (options.invariant === undefined)
        throw new UsageError('certify needs --invariant FILE; see euforia certify --help');
      return certifyCommand(files, {
        ...options,
        program,
        invariant: options.invariant,
        strict: options.strict === true,
      });
    case 'convert':
      return convertCommand(files, {
        to: options.to ?? TARGETS[0],
        steps: options.steps,
        property: options.property,
        isPreprocessed: options.preprocessed === true,
        strict: options.strict === true,
        output: options.output,
        program,
      });
    default:
      throw new Error(`the command '${command.name}' has no implementation`);
  }
}

function commandOf(name: string): CommandSpec {
  const command = COMMANDS.find(c => c.name === name);
  if (command !== undefined) return command;
  const names = COMMANDS.map(c => c.name).join(', ');
  throw new UsageError(`unknown command '${name}': expected one of ${names}; see euforia --help`);
}

function shellOf(name: string | undefined): Shell {
  const shell = SHELLS.find(s => s === name);
  if (shell !== undefined) return shell;
  const problem = name === undefined ? 'expected a shell' : `unknown shell '${name}'`;
  throw new UsageError(`${problem}: completion is for ${SHELLS.join(', ')}`);
}

function programOf(options: OptionValues): ProgramOptions {
  return {
    dataModel: options['data-model'] ?? DATA_MODELS[0],
    entry: options.entry ?? DEFAULT_LLVM_OPTIONS.entry,
    slice: options.slice ?? DEFAULT_LLVM_OPTIONS.slice,
    calls: options.calls ?? DEFAULT_LLVM_OPTIONS.calls,
    include: options.include ?? [],
    define: options.define ?? [],
    warnings: options.warnings === true,
    cache: options.cache,
    checks: checksOf(options.checks ?? []),
    externals: options.externals ?? DEFAULT_LLVM_OPTIONS.externals,
    floats: options.floats ?? DEFAULT_LLVM_OPTIONS.floats,
    malloc: options.malloc ?? DEFAULT_LLVM_OPTIONS.malloc,
    blocks: options.blocks ?? DEFAULT_LLVM_OPTIONS.blocks,
  };
}

/** Types of options whose values are numbers. */
const NUMBERS: readonly OptionSpec['type'][] = ['number', 'count', 'index'];

function parseCall(command: CommandSpec, argv: string[]): { files: string[]; options: OptionValues } {
  const specs = command.options.map(
    ({ name, short, type }) =>
      [
        name,
        {
          type: type === 'switch' ? ('boolean' as const) : ('string' as const),
          multiple: type === 'texts',
          ...(short === undefined ? {} : { short }),
        },
      ] as const,
  );
  const help = `see euforia ${command.name} --help`;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: argv, options: Object.fromEntries(specs), allowPositionals: true });
  } catch (error) {
    const [message] = (error as Error).message.split(/\.\s/);
    throw new UsageError(`${message}; ${help}`);
  }
  const files = parsed.positionals;
  if (files.length === 0) throw new UsageError(`expected ${command.argument}; ${help}`);
  if (files.length > 1 && command.takes === undefined)
    throw new UsageError(`unexpected argument '${files[1]}'; ${help}`);
  const stranger = files.find(f => !isProgram(f));
  if (files.length > 1 && command.takes === 'a program' && stranger !== undefined)
    throw new UsageError(
      `several files must all be C or LLVM IR (.c, .i, .ll), '${stranger}' is not; ${help}`,
    );
  const options: Record<string, string | number | boolean | readonly string[] | undefined> = {};
  for (const { name, type, choices } of command.options) {
    const value = parsed.values[name];
    if (value === undefined) continue;
    if (type === 'texts') {
      options[name] = value as string[];
      continue;
    }
    if (type === 'number' && !(Number(value) > 0)) {
      throw new UsageError(`--${name} takes a positive number, not '${value}'; ${help}`);
    }
    if (type === 'count' && !/^[1-9]\d{0,8}$/.test(value as string)) {
      throw new UsageError(`--${name} takes a number from 1, not '${value}'; ${help}`);
    }
    if (type === 'index' && !/^\d{1,9}$/.test(value as string)) {
      throw new UsageError(`--${name} takes a number from 0, not '${value}'; ${help}`);
    }
    if (type === 'name') {
      options[name] = /^\d{1,9}$/.test(value as string) ? Number(value) : (value as string);
      continue;
    }
    const parts = type === 'list' ? (value as string).split(',') : [value as string];
    const stranger = parts.find(part => choices !== undefined && !choices.includes(part));
    if (stranger !== undefined) {
      const known = choices?.join(' or ');
      throw new UsageError(`--${name} takes ${known}, not '${stranger}'; ${help}`);
    }
    if (type === 'list') options[name] = parts;
    else options[name] = NUMBERS.includes(type) ? Number(value) : (value as string | boolean);
  }
  return { files, options: options as unknown as OptionValues }; // what was not given is undefined
}

/** To be called on the main thread. */
function start(): void {
  process.stdout.on('error', error => {
    // The reader of our output has gone (as with `| head`): nobody is left to tell anything.
    process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 3);
  });
  main(process.argv.slice(2)).then(
    status => {
      process.exitCode = status;
    },
    (error: unknown) => {
      const failure = failureOf(error);
      say(failure);
      process.exitCode = failure.status;
    },
  );
}

if (isMainThread) start();
else serveTasks();
