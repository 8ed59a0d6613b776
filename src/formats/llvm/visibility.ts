/**
 * Which variable of a program a name stands for at some place of its text. Of several that are declared there under one name, the
 * innermost counts, and no name stands for a variable of another call.
 */
import type { Flow, Site } from './flow.ts';
import type { Loop, Place, Scope } from './module.ts';

export class Visibility {
  private readonly byName = new Map<string, Site[]>();

  constructor({ sites }: Flow) {
    for (const site of sites) {
      if (site.kind === 'heap' || site.type === undefined) continue;
      const own = this.byName.get(site.name);
      if (own === undefined) this.byName.set(site.name, [site]);
      else own.push(site);
    }
  }

  /** A name like this one that nothing in the program has, nor anybody else. */
  unused(name: string, others: readonly string[]): string {
    let found = name;
    while (this.byName.has(found) || others.includes(found)) found += '_';
    return found;
  }

  /** Is an object what its name means where a loop begins, in a copy of its function? */
  isVisible(site: Site, { place, scope }: Loop, frame: number): boolean {
    let best: Site | undefined;
    let bestDepth = -1;
    for (const other of this.byName.get(site.name) ?? []) {
      if (other.kind === 'stack' && other.frame !== frame) continue;
      const depth = depthIn(other.scope, scope);
      if (depth === undefined || depth < bestDepth || !isBefore(other.place, place)) continue;
      // Two at once: the debug information does not tell them apart.
      best = depth === bestDepth ? undefined : other;
      bestDepth = depth;
    }
    return best === site;
  }
}

/** How deep a scope lies if it is around another one, or the same; outside of all functions is -0. */
function depthIn(scope: Scope | undefined, inner: Scope): number | undefined {
  if (scope === undefined) return 0;
  for (let s: Scope | undefined = inner; s !== undefined; s = s.parent) if (s === scope) return depthOf(s);
  return undefined;
}

function depthOf(scope: Scope): number {
  let depth = 0;
  for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) depth++;
  return depth;
}

/** Is something declared in the same file, before a place or on its line? */
function isBefore(declared: Place | undefined, place: Place): boolean {
  return declared !== undefined && declared.file === place.file && declared.line <= place.line;
}
