/** `euforia completion SHELL`: a script for a shell that completes commands, options and the values of those that take a few. */
import { COMMANDS, type CommandSpec, GENERAL_COMMANDS, type OptionSpec } from './commands.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bashScript();
    case 'zsh':
      return zshScript();
    case 'fish':
      return fishScript();
  }
}

/** What follows a command that takes no files. */
const WORDS_AFTER: Readonly<Record<string, readonly string[]>> = {
  help: COMMANDS.map(c => c.name),
  completion: SHELLS,
};

const NAMES = [...COMMANDS, ...GENERAL_COMMANDS].map(c => c.name);

/** The options of a command as they may be typed. */
function spellings({ options }: CommandSpec): string[] {
  return [
    ...options.flatMap(o => (o.short === undefined ? [`--${o.name}`] : [`--${o.name}`, `-${o.short}`])),
    '--help',
  ];
}

/** What the value of an option is, if it is not one of a few words. */
function kindOf({ value }: OptionSpec): 'folder' | 'file' | 'other' {
  if (value === 'DIR') return 'folder';
  return value?.startsWith('FILE') === true ? 'file' : 'other';
}

// ---- bash ----

function bashScript(): string {
  const commands = COMMANDS.map(command => {
    const values = command.options
      .filter(o => o.type !== 'switch')
      .map(o => `        ${o.short === undefined ? '' : `-${o.short}|`}--${o.name}) ${bashValues(o)} ;;`);
    return [
      `    ${command.name})`,
      '      case "$previous" in',
      ...values,
      '      esac',
      `      words="${spellings(command).join(' ')}" ;;`,
    ].join('\n');
  });
  const others = Object.entries(WORDS_AFTER).map(([name, words]) => `    ${name}) ${bashWords(words)} ;;`);
  return `# Completion for euforia in bash: put "source <(euforia completion bash)" into ~/.bashrc
_euforia() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${bashWords([...NAMES, '--help', '--version'])}
  fi
  case "\${COMP_WORDS[1]}" in
${[...commands, ...others].join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _euforia euforia
`;
}

function bashValues(option: OptionSpec): string {
  if (option.choices !== undefined) return bashWords(option.choices);
  const kind = kindOf(option);
  if (kind === 'other') return 'return';
  return `COMPREPLY=($(compgen ${kind === 'folder' ? '-d' : '-f'} -- "$current")); return`;
}

function bashWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")); return`;
}

// ---- zsh ----

function zshScript(): string {
  const commands = COMMANDS.map(command => {
    const options = command.options.map(o => `        ${zshOption(o)} \\`);
    return [
      `    ${command.name})`,
      '      _arguments -S \\',
      ...options,
      "        '(- *)'{-h,--help}'[show help]' \\",
      "        '*:file:_files' ;;",
    ].join('\n');
  });
  const others = Object.entries(WORDS_AFTER).map(
    ([name, words]) => `    ${name}) compadd ${words.join(' ')} ;;`,
  );
  return `#compdef euforia
# Completion for euforia in zsh: euforia completion zsh > a folder of $fpath/_euforia
_euforia() {
  local -a commands
  commands=(
${[...COMMANDS, ...GENERAL_COMMANDS].map(c => `    ${quoted(`${c.name}:${c.summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${[...commands, ...others].join('\n')}
  esac
}
_euforia "$@"
`;
}

const ZSH_VALUES = { folder: '_files -/', file: '_files', other: ' ' };

function zshOption(option: OptionSpec): string {
  const { name, short, type, help, choices } = option;
  const text = `[${help.replaceAll(/[[\]:]/g, '\\$&')}]`;
  const values = choices === undefined ? ZSH_VALUES[kindOf(option)] : `(${choices.join(' ')})`;
  const value = type === 'switch' ? '' : `:${name}:${values}`;
  const star = type === 'texts' ? '*' : '';
  const rest = quoted(`${text}${value}`);
  if (short === undefined) return `${quoted(`${star}--${name}`)}${rest}`;
  return `${star === '' ? '' : quoted(star)}{-${short},--${name}}${rest}`;
}

// ---- fish ----

function fishScript(): string {
  const first = [...COMMANDS, ...GENERAL_COMMANDS].map(
    c => `complete -c euforia -n __fish_use_subcommand -f -a ${c.name} -d ${fishQuoted(c.summary)}`,
  );
  const options = COMMANDS.flatMap(command =>
    command.options.map(o => {
      const parts = [`complete -c euforia -n '__fish_seen_subcommand_from ${command.name}' -l ${o.name}`];
      if (o.short !== undefined) parts.push(`-s ${o.short}`);
      if (o.type !== 'switch') parts.push(kindOf(o) === 'other' ? '-x' : '-r');
      if (o.choices !== undefined) parts.push(`-a ${fishQuoted(o.choices.join(' '))}`);
      return `${parts.join(' ')} -d ${fishQuoted(o.help)}`;
    }),
  );
  const others = Object.entries(WORDS_AFTER).map(
    ([name, words]) =>
      `complete -c euforia -n '__fish_seen_subcommand_from ${name}' -f -a ${fishQuoted(words.join(' '))}`,
  );
  const head =
    '# Completion for euforia in fish: euforia completion fish > ~/.config/fish/completions/euforia.fish';
  return `${[head, ...first, ...options, ...others].join('\n')}\n`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
