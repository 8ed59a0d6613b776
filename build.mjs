/**
 * Bundles the command line into one file, so that starting it opens one file and not dozens, and the library into another,
 * which needs nothing of node.
 */
import { chmodSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const common = {
  bundle: true,
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  external: ['cadical-wasm'],
  logLevel: 'warning',
};
const outfile = 'dist/euforia.js';
await build({
  ...common,
  entryPoints: ['src/cli/main.ts'],
  outfile,
  platform: 'node',
  target: 'node20',
  define: { EUFORIA_VERSION: JSON.stringify(version) },
  banner: { js: '#!/usr/bin/env node' },
});
chmodSync(outfile, 0o755);
await build({
  ...common,
  entryPoints: ['src/api.ts'],
  outfile: 'dist/api.js',
  platform: 'neutral',
  target: 'es2022',
});
