/**
 * The properties of a program: one for each place of the text where an error is, whatever copies of it inlining has made, and
 * before them one that says that there is no error at all, with the number 0. Its number is also that of queries which count
 * against every property: traps, behind which nothing is known.
 */
import type { Query } from '../../core/problem/problem.ts';
import type { PropertyName } from '../question.ts';
import type { ErrorSite, Flow } from './flow.ts';

/** Something that is not supported is done. */
export const TRAP: Query = { property: 0 };

export class ErrorSites {
  readonly properties: readonly PropertyName[];
  private readonly queries = new Map<string, Query>();

  constructor({ blocks, errors }: Flow) {
    const sites = new Map(errors.map(e => [keyOf(e), e]));
    for (const { end } of blocks) if (end.op === 'error') sites.set(keyOf(end.error), end.error);
    const files = [...new Set([...sites.values()].map(s => s.place?.file))];
    const rank = ({ place }: ErrorSite) => [files.indexOf(place?.file), place?.line ?? 0, place?.column ?? 0];
    const inOrder = [...sites].sort(([, a], [, b]) => difference(rank(a), rank(b)));
    const texts = inOrder.map(([, site]) => nameOf(site));
    const own = inOrder.map(([key, site], i): PropertyName => {
      const index = i + 1;
      this.queries.set(key, { property: index });
      const isShared = texts.filter(t => t === texts[i]).length > 1;
      const name = isShared ? nameOf(site, true) : texts[i];
      return { index, name, queries: new Set([TRAP.property, index]) };
    });
    const all = new Set([TRAP.property, ...own.map(p => p.index)]);
    this.properties = [{ index: 0, name: undefined, queries: all }, ...own];
  }

  query(error: ErrorSite): Query {
    return this.queries.get(keyOf(error)) as Query;
  }
}

/** Such as `file.c:42 assert(i < n)`. */
function nameOf({ place, text }: ErrorSite, withColumn = false): string {
  if (place === undefined) return text;
  return `${place.file}:${place.line}${withColumn ? `:${place.column}` : ''} ${text}`;
}

function keyOf({ place, text }: ErrorSite): string {
  return `${place?.file}:${place?.line}:${place?.column} ${text}`;
}

function difference(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((x, i) => x !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}
