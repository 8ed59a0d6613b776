/** How the command line behaves towards people: help, versions, completion, colours, and a line of progress that fits. */
import { spawnSync } from 'node:child_process';
import { normalize } from 'node:path';
import t from 'tap';
import { paintWith } from '../../src/cli/colour.ts';
import { COMMANDS, commandHelp } from '../../src/cli/commands.ts';
import { completionScript, SHELLS } from '../../src/cli/completion.ts';
import { cut } from '../../src/cli/progress.ts';
import { worst } from '../../src/cli/status.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);

function euforia(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/euforia.cjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

t.test('help and version', t => {
  t.same(euforia('-V'), euforia('--version'));
  for (const command of COMMANDS.slice(0, 2))
    t.same(euforia('help', command.name), { stdout: commandHelp(command), stderr: '', status: 0 });
  t.match(euforia('help').stdout, /\n {2}help COMMAND .*\n {2}completion SHELL /);
  t.match(euforia('help', 'frob'), { stdout: '', status: 2, stderr: /^unknown command 'frob'/ });
  t.end();
});

t.test('completion', t => {
  for (const shell of SHELLS) {
    t.same(euforia('completion', shell), { stdout: completionScript(shell), stderr: '', status: 0 });
    for (const { options } of COMMANDS)
      for (const { name } of options)
        if (!completionScript(shell).includes(name)) t.fail(`${shell}: ${name}`);
  }
  t.match(euforia('completion', 'csh'), {
    stdout: '',
    status: 2,
    stderr: /^unknown shell 'csh': .* bash, zsh, fish/,
  });
  t.match(euforia('completion'), { stdout: '', status: 2, stderr: /^expected a shell/ });
  t.end();
});

t.test('what bash completes', { skip: spawnSync('bash', ['-c', 'true']).status !== 0 }, t => {
  const completions = (...words: string[]) => {
    const script = `${completionScript('bash')}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _euforia; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['-c', script, 'bash', 'euforia', ...words];
    return spawnSync('bash', args, { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
  };
  t.same(completions('ce'), ['certify']);
  t.same(completions('check', '--jo'), ['--jobs']);
  t.same(completions('check', 'x', '--format', ''), ['plain', 'chc-comp', 'hwmcc']);
  t.same(completions('check', 'x', '--timeout', ''), [''], 'a number is for the user to say');
  t.same(completions('check', 'READ'), ['README.md']);
  t.same(completions('convert', '--output', 'READ'), ['README.md']);
  t.same(completions('help', 'c'), ['check', 'certify', 'convert']);
  t.end();
});

t.test('colours', t => {
  t.equal(paintWith(false)('safe'), 'safe');
  t.equal(paintWith(true)('safe', 'safe   '), '\u001b[32msafe   \u001b[39m');
  t.equal(new Set(['safe', 'unsafe', 'unknown'].map(w => paintWith(true)(w as 'safe', ''))).size, 3);
  t.notMatch(euforia('check', 'examples/counter.vmt').stdout, '\u001b', 'no terminal, no colour');
  t.end();
});

t.test('a line of progress is no wider than the terminal', t => {
  const parts = ['12.5 s', '118 MB', '', 'abstract', 'frames 7', 'obligations 1234'];
  t.equal(cut(parts, 80), '12.5 s  118 MB  abstract  frames 7  obligations 1234');
  t.equal(cut(parts, 40), '12.5 s  118 MB  abstract  frames 7');
  t.equal(cut(parts, 35), '12.5 s  118 MB  abstract  frames 7', 'all but the last column');
  t.equal(cut(parts, 34), '12.5 s  118 MB  abstract');
  t.equal(cut(parts, 5), '12.5');
  t.equal(cut(parts, 0), '');
  t.end();
});

t.test('the worst of several statuses', t => {
  t.equal(worst([0, 20, 10, 3, 2]), 2);
  t.equal(worst([0, 20, 10, 3]), 3);
  t.equal(worst([20, 10, 0]), 10);
  t.equal(worst([0, 20]), 20);
  t.equal(worst([0, 0]), 0);
  t.equal(worst([]), 0);
  t.end();
});
