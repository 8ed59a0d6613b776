/** Bundles a probe, with the source of one file altered in memory, and runs it in a process of its own. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { PlantedBug, ProbeName } from './bugs.ts';

const root = normalize(new URL('../..', import.meta.url).pathname);

/** A probe that takes longer than this, in milliseconds, has been made to run forever. */
const TIME_LIMIT = 30_000;

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'caught'; readonly what: string }
  | { readonly kind: 'crash'; readonly what: string }
  | { readonly kind: 'timeout' };

/** How often the text that a bug replaces occurs in its file: it must be once. */
export function occurrences({ file, find }: PlantedBug): number {
  return readFileSync(join(root, file), 'utf8').split(find).length - 1;
}

function planting({ file, find, replace }: PlantedBug): Plugin {
  return {
    name: 'planting',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== join(root, file)) return undefined;
        return { contents: readFileSync(path, 'utf8').replace(find, () => replace), loader: 'ts' };
      });
    },
  };
}

export async function runProbe(probe: ProbeName, bug?: PlantedBug): Promise<Outcome> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/planted', `${probe}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
    plugins: bug === undefined ? [] : [planting(bug)],
  });
  const run = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    input: outputFiles[0].text,
    encoding: 'utf8',
    timeout: TIME_LIMIT,
    killSignal: 'SIGKILL',
  });
  if (run.status === 0) return { kind: 'passed' };
  if (run.error !== undefined && 'code' in run.error && run.error.code === 'ETIMEDOUT')
    return { kind: 'timeout' };
  const [, what] = /^caught: (.*)$/m.exec(run.stdout) ?? [];
  if (run.status === 1 && what !== undefined) return { kind: 'caught', what };
  const [message] = /^\w*Error.*$/m.exec(run.stderr) ?? [run.stderr.slice(0, 200)];
  return { kind: 'crash', what: message };
}
