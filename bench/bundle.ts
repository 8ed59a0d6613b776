/**
 * Measurements run in processes of their own, from one bundled file, because that is how the product starts: this
 * bundles a worker into a folder that is removed when the benchmark is over.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Runs a benchmark with the path of the bundled worker and a folder for scratch files. */
export async function withWorker(
  source: URL,
  run: (worker: string, folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.bench-'));
  try {
    const worker = join(folder, 'worker.mjs');
    await build({
      entryPoints: [source.pathname],
      outfile: worker,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['cadical-wasm', 'logic-solver'],
      logLevel: 'warning',
    });
    await run(worker, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
