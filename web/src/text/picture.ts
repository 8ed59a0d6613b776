/** The control graph as it is drawn: edges between the same nodes are one, the start and the violation are nodes, too. */
import type { ControlGraph } from '../../../src/formats/control-graph-data.ts';

export interface PictureNode {
  readonly id: string;
  readonly kind: 'place' | 'start' | 'violation' | 'joint';
  readonly label: string;
  /** The line of the text that it is about, if its name tells. */
  readonly line: number | undefined;
  readonly isOnPath: boolean;
}

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** What all of its edges are. */
  readonly title: string;
  /** When the violation uses it, counted from 1. */
  readonly uses: readonly number[];
}

export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

const START = 'start';
const VIOLATION = 'violation';

export function pictureOf({ nodes, edges, path }: ControlGraph): Picture {
  const merged = new Map<string, { from: string; to: string; labels: string[]; uses: number[] }>();
  const joints = new Set<string>();
  const add = (from: string, to: string, label: string, uses: readonly number[]) => {
    const key = `${from} ${to}`;
    const known = merged.get(key) ?? { from, to, labels: [], uses: [] };
    known.labels.push(label);
    known.uses.push(...uses);
    merged.set(key, known);
  };
  edges.forEach(({ from, to, label }, i) => {
    const uses = path.flatMap((edge, step) => (edge === i ? [step + 1] : []));
    const target = to === null ? VIOLATION : `n${to}`;
    if (from.length <= 1) {
      add(from.length === 0 ? START : `n${from[0]}`, target, label, uses);
      return;
    }
    // Several premises come together in a joint.
    const joint = `j${i}`;
    joints.add(joint);
    for (const source of from) add(`n${source}`, joint, '', uses);
    add(joint, target, label, uses);
  });
  const all = [...merged.values()];
  const touched = new Set(all.flatMap(e => [e.from, e.to]));
  const walked = new Set(all.filter(e => e.uses.length > 0).flatMap(e => [e.from, e.to]));
  const node = (id: string, kind: PictureNode['kind'], name: string): PictureNode => ({
    id,
    kind,
    ...nodeLabel(name),
    isOnPath: walked.has(id),
  });
  return {
    nodes: [
      node(START, 'start', 'start'),
      ...nodes.map((name, i) => node(`n${i}`, 'place', name)),
      ...[...joints].map(id => node(id, 'joint', '')),
      node(VIOLATION, 'violation', 'violation'),
    ].filter(n => touched.has(n.id)),
    edges: all.map(({ from, to, labels, uses }) => ({
      from,
      to,
      label: edgeLabel(labels),
      title: labels.filter(l => l !== '').join('\n'),
      uses: [...new Set(uses)].sort((a, b) => a - b),
    })),
  };
}

/** Program points are called `main:21#0`. */
function nodeLabel(name: string): Pick<PictureNode, 'label' | 'line'> {
  const match = /^(.*?)(?::(\d+))?#\d+$/.exec(name);
  if (match === null) return { label: name, line: undefined };
  const [, place, line] = match;
  return {
    label: line === undefined ? place : `${place}:${line}`,
    line: line === undefined ? undefined : Number(line),
  };
}

/** Lines if all of them are about lines, which is short; what leads to the violation need not say so. */
function edgeLabel(labels: readonly string[]): string {
  if (labels.every(l => l === 'a violation')) return '';
  const lines = labels.map(l => /(?:\bline |:)(\d+)$/.exec(l)?.[1]);
  if (lines.some(l => l === undefined))
    return [...new Set(labels.map(l => l.replace(/^(?:an?|the) /, '')))].join(', ');
  const distinct = [...new Set(lines)];
  const shown = distinct.length > 4 ? [...distinct.slice(0, 3), '…'] : distinct;
  return `${distinct.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}`;
}
