/** The commands for Yosys in docs/symbiyosys.md, where it is installed: they make the files that are in `examples`, or ones that mean the same. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, normalize } from 'node:path';
import t from 'tap';
import { check } from '../../src/api.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const skip = spawnSync('yosys', ['-V']).status === 0 ? false : 'there is no yosys';

const VERDICTS: Readonly<Record<string, 'safe' | 'unsafe'>> = {
  'fifo.btor2': 'unsafe',
  'fifo-repaired.btor2': 'safe',
};

/** Which Yosys wrote a file. */
const writer = (text: string) => text.split('\n')[0];

t.test('the design as Yosys writes it', { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-verilog-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  const commands = read('docs/symbiyosys.md').match(/^yosys .*$/gm) ?? [];
  t.equal(commands.length, 2);
  for (const command of commands) {
    const { status, stderr } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
    t.equal(status, 0, command, { stderr });
  }
  for (const [file, verdict] of Object.entries(VERDICTS)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const result = await check(text, { file: basename(file), timeout: 100 });
    t.equal(result.verdict, verdict, file);
    const ours = read(`examples/${file}`);
    if (writer(text) === writer(ours)) t.equal(text, ours, `examples/${file} is up to date`);
    else t.comment(`examples/${file} is another Yosys's: not compared`);
  }
  t.end();
});
