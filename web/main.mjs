/**
 * `npm run web`: builds the page and serves it on this machine. `--build-only` ends after the build, `--without-c` leaves out the
 * C compiler, `--port N` serves elsewhere than on 8080.
 */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildPage } from './build.mjs';
import { servePage } from './serve.mjs';

const { values } = parseArgs({
  options: {
    'build-only': { type: 'boolean' },
    'without-c': { type: 'boolean' },
    port: { type: 'string', default: '8080' },
    outdir: { type: 'string' },
  },
});

const { outdir, outputs } = await buildPage({
  withC: values['without-c'] !== true,
  ...(values.outdir === undefined ? {} : { outdir: values.outdir }),
});
for (const path of Object.keys(outputs).filter(p => extname(p) !== '.map')) {
  const bytes = readFileSync(path);
  const kilobytes = n => `${(n / 1000).toFixed(1)} kB`.padStart(9);
  console.log(`${kilobytes(bytes.length)} ${kilobytes(gzipSync(bytes).length)} gzipped  ${basename(path)}`);
}
console.log(`built ${outdir}`);
if (values['build-only'] !== true) {
  const server = await servePage(outdir, Number(values.port));
  console.log(`http://localhost:${server.address().port}/`);
}
