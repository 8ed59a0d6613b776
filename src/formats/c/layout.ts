/**
 * The file system that the compiler sees. It takes `a/../b` for `a/b`, so the user's files are numbered in it, and a map that the
 * compiler reads (an overlay) says which path is which number; there `..` is understood. Paths are those that the user
 * wrote, so that messages, `__FILE__` and places in the output need no translation; relative ones are seen from a folder
 * that is deep enough for all the `..` in them.
 */
import type { FileTree } from './clang-package.ts';
import { HEADERS } from './headers/all.ts';
import type { NamedText } from './includes.ts';
import { ascent, joined, normalized } from './paths.ts';

/** Our own headers, and those of the compiler. */
const OWN_HEADERS = '/euforia/include';
const COMPILER_HEADERS = '/usr/include';
const OVERLAY = 'overlay.json';

export interface Layout {
  readonly files: FileTree;
  /** What the compiler must be told about where things are. */
  readonly args: readonly string[];
}

export function layoutOf(texts: readonly NamedText[], folders: readonly string[]): Layout {
  const highest = Math.max(...[...texts.map(t => t.name), ...folders].map(ascent));
  const here = `/here${'/here'.repeat(highest)}`;
  const overlay = {
    version: 0,
    'case-sensitive': true,
    'use-external-names': false,
    roots: texts.map(({ name }, i) => ({
      type: 'file',
      name: normalized(joined(here, name)),
      'external-contents': `/texts/${i}`,
    })),
  };
  return {
    files: {
      [OVERLAY]: JSON.stringify(overlay),
      texts: Object.fromEntries(texts.map(({ text }, i) => [String(i), text])),
      euforia: { include: HEADER_TREE },
    },
    args: [
      ...['-ivfsoverlay', `/${OVERLAY}`],
      ...['-working-directory', here, `-fdebug-compilation-dir=${here}`],
      ...folders.flatMap(folder => ['-I', folder]),
      // In this order: the compiler's headers include ours of the same name.
      ...['-internal-isystem', COMPILER_HEADERS, '-internal-isystem', OWN_HEADERS],
    ],
  };
}

const HEADER_TREE = treeOf(HEADERS);

/** Folders of paths with slashes. */
function treeOf(texts: Readonly<Record<string, string>>): FileTree {
  const tree: FileTree = {};
  for (const [path, text] of Object.entries(texts)) {
    const folders = path.split('/');
    const name = folders.pop() as string;
    let place = tree;
    for (const folder of folders) place = (place[folder] ??= {}) as FileTree;
    place[name] = text;
  }
  return tree;
}
