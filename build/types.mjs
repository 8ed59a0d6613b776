/**
 * Writes the library's declarations: those of its entry points and of every file that they speak of, one by one and without a
 * type checker, which takes a second where a whole program would take half a minute. So what they export must say its types;
 * where it does not, the build fails. They are written twice, because CommonJS under `node16` accepts no declarations of modules.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const OPTIONS = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, isolatedDeclarations: true };

/** What a declaration imports, from beside it. */
const IMPORT = /(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g;

export function writeTypes(entries, folders) {
  const files = new Set(entries);
  for (const file of files) {
    const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
      compilerOptions: OPTIONS,
      fileName: file,
      reportDiagnostics: true,
    });
    if (diagnostics.length > 0) {
      const [{ messageText, start, file: source }] = diagnostics;
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      throw new Error(`${file}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    for (const [, , , path] of outputText.matchAll(IMPORT)) files.add(join(dirname(file), `${path}.ts`));
    const text = outputText.replace(IMPORT, '$1$2$3.js$2');
    for (const folder of folders) {
      const target = join(folder, relative('src', file).replace(/\.ts$/, '.d.ts'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
}
