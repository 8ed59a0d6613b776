/**
 * The table of commands and options: it feeds the parser, `--help` and the checks of option values, so
 * that none of them can say something the others do not.
 */

import { ENGINE_OPTIONS } from '../core/env/options.ts';
import { ENCODINGS } from '../core/passes/pipeline.ts';
import { ENGINE_NAMES } from '../core/portfolio/engine-names.ts';
import { DATA_MODELS } from '../formats/c/flags.ts';
import { ALL_CHECKS, CHECKS } from '../formats/checks.ts';
import { FLOATS } from '../formats/llvm/float-format.ts';
import { BLOCKS } from '../formats/llvm/graph.ts';
import { CALLS, SLICING } from '../formats/llvm/program-flow.ts';
import { DEFAULT_STEPS, TARGETS } from '../formats/targets.ts';
import { ANSWER_FORMATS, EXIT_CODE_KINDS } from './check-options.ts';
import { DEFAULT_RUN_STEPS } from './run.ts';

export interface OptionSpec {
  readonly name: string;
  /** One letter that may be used in place of the name. */
  readonly short?: string;
  /** What stands for the value in help; options without one are switches. */
  readonly value?: string;
  /** What values are allowed: a number must be positive, a count a whole number from 1, an index one from 0, a name may be an
   *  index too, a list has commas in it, and texts may be given several times. */
  readonly type: 'switch' | 'text' | 'texts' | 'number' | 'count' | 'index' | 'name' | 'list';
  /** The only values of a text or the parts of a list, if not every text is one. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly argument: string;
  /** What several files may be, if there may be more than one: the parts of a program, or any. */
  readonly takes?: 'a program' | 'any';
  readonly summary: string;
  /** What there is to know beyond the options, a paragraph each. */
  readonly notes?: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
}

const TIMEOUT: OptionSpec = {
  name: 'timeout',
  value: 'SECONDS',
  type: 'number',
  help: 'give up after so many seconds and answer unknown',
};

const STRICT: OptionSpec = {
  name: 'strict',
  type: 'switch',
  help: 'make wrong sorts of definitions an error, not a warning',
};

const PROPERTY: OptionSpec = {
  name: 'property',
  value: 'N|NAME',
  type: 'name',
  help: 'only the property with this number or name; all of them otherwise',
};

const exitCode = (help: string): OptionSpec => ({
  name: 'exit-code',
  value: EXIT_CODE_KINDS.join('|'),
  type: 'text',
  choices: EXIT_CODE_KINDS,
  help: `${help} (${EXIT_CODE_KINDS[0]})`,
});

/** How programs are read. */
const PROGRAM_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'data-model',
    value: DATA_MODELS.join('|'),
    type: 'text',
    choices: DATA_MODELS,
    help: `C: the size of long and of pointers, 32 or 64 bits (${DATA_MODELS[0]})`,
  },
  {
    name: 'include',
    short: 'I',
    value: 'DIR',
    type: 'texts',
    help: 'C: look for included files here too; may be repeated',
  },
  {
    name: 'define',
    short: 'D',
    value: 'NAME[=VALUE]',
    type: 'texts',
    help: 'C: define a macro; may be repeated',
  },
  { name: 'entry', value: 'NAME', type: 'text', help: 'the function that a program starts with (main)' },
  {
    name: 'checks',
    value: 'A,B,…',
    type: 'list',
    choices: [...CHECKS, ALL_CHECKS],
    help: `take these for errors of programs too: ${CHECKS.join(', ')}, or ${ALL_CHECKS} (none)`,
  },
  {
    name: 'externals',
    value: 'pure|havoc',
    type: 'text',
    choices: ['pure', 'havoc'],
    help: 'functions without a body leave memory alone, or write whatever they can reach (pure)',
  },
  {
    name: 'malloc',
    value: 'succeeds|may-fail',
    type: 'text',
    choices: ['succeeds', 'may-fail'],
    help: 'malloc never returns null, or may (succeeds)',
  },
  {
    name: 'floats',
    value: FLOATS.join('|'),
    type: 'text',
    choices: FLOATS,
    help: 'compute floating-point arithmetic, or take any result of it (exact)',
  },
  {
    name: 'slice',
    value: SLICING.join('|'),
    type: 'text',
    choices: SLICING,
    help: 'leave out of a program what has no bearing on errors (auto: of large ones; for run: off)',
  },
  {
    name: 'calls',
    value: CALLS.join('|'),
    type: 'text',
    choices: CALLS,
    help: 'inline: copy functions to where they are called, recursive ones a few times; summaries: keep recursive functions; wait: also keep those with loops that are called repeatedly (summaries; for run: inline)',
  },
  { name: 'warnings', type: 'switch', help: "C: show the compiler's warnings" },
  { name: 'cache', value: 'DIR', type: 'text', help: 'C: keep compiled files here for the next time' },
];

/** Not for runs, which go path by path. */
const BLOCKS_OPTION: OptionSpec = {
  name: 'blocks',
  value: BLOCKS.join('|'),
  type: 'text',
  choices: BLOCKS,
  help: 'edges of programs are paths, or all that is between two loop heads (large)',
};

/** The engine's options, as its own table has them. */
const ENGINE_SPECS: readonly OptionSpec[] = ENGINE_OPTIONS.map(option => ({
  name: option.name,
  help: `${option.help} (${option.initial})`,
  ...(option.type === 'choice'
    ? { type: 'text', choices: option.choices, value: option.choices.join('|') }
    : { type: 'index', value: 'N' }),
}));

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'check',
    argument: 'FILE…',
    takes: 'any',
    summary: 'find out whether a system (VMT, Horn clauses, BTOR2, C, LLVM IR) keeps its properties',
    notes: [
      'Several files are checked one by one, each within its own limits, and answered with a table; - is standard input. C and LLVM ' +
        'IR (.c, .i, .ll) alone are parts of one program, unless --each is given. With --json each file has an object on a line of its own, as docs/schema/result.json says.',
      'Several properties of a file take turns, so that a hard one does not keep the others waiting. Verdicts go to standard error as ' +
        'they come; the first line of standard output is the verdict about all of them, and the last ones are a table.',
      'The exit status is 0 if all is safe, 10 if something is unsafe, 20 if something is unknown, 2 if the call or an input is wrong, ' +
        'and 3 if this program fails. Of several that apply it is the first of 2, 3, 10, 20. Ctrl-C ends it with 130.',
    ],
    options: [
      PROPERTY,
      { name: 'jobs', value: 'N', type: 'count', help: 'check so many files or properties at a time (1)' },
      {
        name: 'each',
        type: 'switch',
        help: 'check each of several programs by itself, not all as one program',
      },
      TIMEOUT,
      {
        name: 'memory',
        value: 'MB',
        type: 'number',
        help: 'give up beyond so much memory and answer unknown',
      },
      { name: 'trace', value: 'FILE', type: 'text', help: 'write the run of an unsafe answer as JSON' },
      { name: 'vcd', value: 'FILE', type: 'text', help: 'write the run for a waveform viewer' },
      { name: 'invariant', value: 'FILE', type: 'text', help: 'write the invariant of a safe answer' },
      {
        name: 'harness',
        value: 'FILE.c',
        type: 'text',
        help: 'programs: write the choices of an unsafe answer as C, to be compiled with the program',
      },
      {
        name: 'witness',
        value: 'FILE.yml',
        type: 'text',
        help: 'C: write the run or the invariants as a witness of SV-COMP, format 2.0',
      },
      {
        name: 'certificate',
        value: 'DIR',
        type: 'text',
        help: 'write SMT-LIB scripts that prove a safe answer',
      },
      {
        name: 'format',
        value: 'FORMAT',
        type: 'text',
        choices: ANSWER_FORMATS,
        help: 'plain, or as chc-comp or hwmcc want answers (plain)',
      },
      {
        name: 'engines',
        value: 'A,B,…',
        type: 'list',
        choices: ENGINE_NAMES,
        help: `let only these run: ${ENGINE_NAMES.join(', ')} (all of them)`,
      },
      {
        name: 'encoding',
        value: 'KIND',
        type: 'text',
        choices: ENCODINGS,
        help: 'locations as one functional or relational system, or sliced (sliced)',
      },
      {
        name: 'json',
        type: 'switch',
        help: 'print one JSON object instead of text, or one a line for each of several files',
      },
      { name: 'quiet', type: 'switch', help: 'print the verdict only' },
      { name: 'stats', type: 'switch', help: 'print what the search did' },
      { name: 'profile', type: 'switch', help: 'print where the time went' },
      exitCode('exit with 0 for safe, 10 for unsafe and 20 for unknown, or always with 0'),
      STRICT,
      ...PROGRAM_OPTIONS,
      BLOCKS_OPTION,
      ...ENGINE_SPECS,
    ],
    examples: [
      'euforia check examples/counter.vmt --property 0',
      'euforia check model.vmt --timeout 60 --stats',
      'euforia check model.vmt --certificate proof/',
      'euforia check model.vmt --engines bounded --bound 50',
      'euforia check clauses.smt2 --format chc-comp',
      "euforia check main.c --property 'main.c:42 assert(i < n)'",
      'euforia check main.c --checks overflow,bounds,null --malloc may-fail',
      'euforia check main.c queue.c -I include --data-model lp64',
      'euforia check main.c --witness witness.yml --timeout 900',
      'euforia check examples/average.c --harness run.c && cc -m32 examples/average.c run.c && ./a.out',
      'euforia check design.btor2 --format hwmcc --timeout 900',
      'euforia check models/*.vmt --timeout 10 --jobs 4',
      'euforia check models/*.vmt --json > answers.jsonl',
      'euforia convert model.vmt --to btor2 | euforia check -',
    ],
  },
  {
    name: 'run',
    argument: 'FILE',
    takes: 'a program',
    summary: 'execute a system step by step, with inputs by chance, from a file or as you type them',
    options: [
      PROPERTY,
      {
        name: 'steps',
        value: 'N',
        type: 'number',
        help: `stop after so many steps (${DEFAULT_RUN_STEPS})`,
      },
      {
        name: 'seed',
        value: 'N',
        type: 'index',
        help: 'other inputs by chance, the same for the same number (0)',
      },
      {
        name: 'inputs',
        value: 'FILE',
        type: 'text',
        help: 'take inputs from this file: a value a line, # begins a comment',
      },
      { name: 'ask', type: 'switch', help: 'ask for inputs on the terminal' },
      TIMEOUT,
      { name: 'quiet', type: 'switch', help: 'print unsafe or no violation only' },
      exitCode('exit with 10 if a violation is met, or always with 0'),
      STRICT,
      ...PROGRAM_OPTIONS,
    ],
    examples: [
      'euforia run examples/counter.vmt --seed 7',
      'euforia run main.c --inputs inputs.txt --data-model lp64',
      'euforia run design.btor2 --ask --steps 100',
    ],
  },
  {
    name: 'certify',
    argument: 'FILE',
    takes: 'a program',
    summary: "check somebody's invariant of a transition system",
    options: [
      {
        name: 'invariant',
        value: 'FILE',
        type: 'text',
        help: 'the invariant, as check --invariant writes it',
      },
      PROPERTY,
      TIMEOUT,
      STRICT,
      ...PROGRAM_OPTIONS,
    ],
    examples: ['euforia certify model.vmt --invariant model.inv.smt2'],
  },
  {
    name: 'smt',
    argument: 'FILE.smt2',
    summary: 'answer an SMT-LIB script (QF_UF, QF_BV, QF_ABV, QF_AUFBV, QF_UFBV, QF_AX)',
    options: [TIMEOUT],
    notes: ['With - the script is standard input, and each command is answered as soon as it is complete.'],
    examples: ['euforia smt examples/towers.smt2', 'euforia smt script.smt2 --timeout 20', 'euforia smt -'],
  },
  {
    name: 'sat',
    argument: 'FILE.cnf',
    summary: 'decide a propositional formula in DIMACS format',
    options: [
      TIMEOUT,
      { name: 'proof', value: 'FILE', type: 'text', help: 'write a DRUP proof of unsatisfiability' },
    ],
    examples: ['euforia sat examples/pigeonhole-4.cnf', 'euforia sat formula.cnf --proof proof.drup'],
  },
  {
    name: 'convert',
    argument: 'FILE',
    takes: 'a program',
    summary: 'write a transition system in another format',
    options: [
      {
        name: 'to',
        value: 'FORMAT',
        type: 'text',
        choices: TARGETS,
        help: `${TARGETS.join(', ')} (vmt)`,
      },
      {
        name: 'steps',
        value: 'N',
        type: 'index',
        help: `steps of an unrolling to smt2-bmc (${DEFAULT_STEPS})`,
      },
      PROPERTY,
      {
        name: 'preprocessed',
        type: 'switch',
        help: 'write what is left when the passes before the search are done, not the problem as it was read',
      },
      { name: 'output', value: 'FILE', type: 'text', help: 'write to this file, not to standard output' },
      STRICT,
      ...PROGRAM_OPTIONS,
    ],
    examples: [
      'euforia convert examples/counter.vmt',
      'euforia convert model.vmt --to btor2 --output model.btor2',
    ],
  },
];

/** Commands about this program itself. */
export const GENERAL_COMMANDS: readonly Pick<CommandSpec, 'name' | 'argument' | 'summary'>[] = [
  { name: 'help', argument: 'COMMAND', summary: 'show the options of a command, with examples' },
  {
    name: 'completion',
    argument: 'SHELL',
    summary: 'print a script that completes options in bash, zsh or fish',
  },
];

export function generalHelp(version: string): string {
  const commands = [...COMMANDS, ...GENERAL_COMMANDS].map(
    c => `  ${`${c.name} ${c.argument}`.padEnd(22)}${c.summary}`,
  );
  return `euforia ${version}: a model checker that needs no native solver

Usage: euforia COMMAND FILE [OPTIONS]

Commands:
${commands.join('\n')}

Options:
  -h, --help            show this help, or with a command that command's
  -V, --version         show the version

Examples:
${COMMANDS.flatMap(c => c.examples.slice(0, 1))
  .map(e => `  ${e}`)
  .join('\n')}
`;
}

const OPTION_WIDTH = 28; // of the column with options
const TEXT_WIDTH = 100; // of paragraphs

/** An option as it is written. */
export function usageOf({ name, short, value }: OptionSpec): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

export function commandHelp(command: CommandSpec): string {
  const options = command.options.map(o => `  ${usageOf(o).padEnd(OPTION_WIDTH)}  ${o.help}`);
  return `Usage: euforia ${command.name} ${command.argument} [OPTIONS]

${sentenceOf(command)}
${(command.notes ?? []).map(note => `\n${filled(note)}\n`).join('')}
Options:
${options.join('\n')}
  ${'-h, --help'.padEnd(OPTION_WIDTH)}  show this help

Examples:
${command.examples.map(e => `  ${e}`).join('\n')}
`;
}

/** The summary of a command as a sentence. */
export function sentenceOf({ summary }: CommandSpec): string {
  return `${summary[0].toUpperCase()}${summary.slice(1)}.`;
}

/** A paragraph in lines of some width. */
function filled(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line.length + 1 + word.length > TEXT_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
