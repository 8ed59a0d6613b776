/** What a page has to load: it grows quickly if nobody looks. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { buildPage } from '../../web/build.mjs';

const CHECKER = 200_000;
const PAGE = 40_000;

t.test('what comes before the first question is small', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'euforia-size-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { outputs } = await buildPage({ outdir: folder, withC: false });
  const named = (name: RegExp) => Object.keys(outputs).filter(path => name.test(basename(path)));
  /** Files and all that they cannot do without, compressed. */
  const size = (files: readonly string[]) => {
    const all = new Set(files);
    for (const file of all)
      for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') all.add(path);
    t.notOk(
      [...all].some(f => /programs|graph|editor/.test(f)),
      'what few need comes later',
    );
    return [...all].reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  };
  const checker = size(named(/^(thread|cadical)\b/));
  const page = size(named(/^(main\.js|style\.css)$/));
  t.comment(`checker ${checker}, page ${page} bytes`);
  t.ok(checker > 50_000 && checker <= CHECKER, `the checker, without WebAssembly: ${checker} bytes`);
  t.ok(page > 5000 && page <= PAGE, `the page, without its editor: ${page} bytes`);
});
