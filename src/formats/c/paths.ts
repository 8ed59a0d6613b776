/** Paths as the compiler puts them together from the names of files, with forward slashes. */

/** The folder of a file, empty if the path has none. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === 0 ? '/' : path.slice(0, Math.max(slash, 0));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joined(folder: string, name: string): string {
  if (name.startsWith('/') || folder === '') return name;
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`;
}

/** The same path without `.`, and with `..` at its beginning only. */
export function normalized(path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  return `${isAbsolute ? '/' : ''}${parts.join('/')}`;
}

/** How many folders above the current one a path goes. */
export function ascent(path: string): number {
  return normalized(path)
    .split('/')
    .filter(part => part === '..').length;
}
