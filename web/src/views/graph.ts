/** The control graph as a picture, laid out in layers by dagre; the way of the violation is marked and numbered. */
import { Graph, layout } from '@dagrejs/dagre';
import type { ControlGraph } from '../../../src/formats/control-graph-data.ts';
import { h, s } from '../dom.ts';
import { type PictureEdge, type PictureNode, pictureOf } from '../text/picture.ts';

const CHARACTER = 7;
const LABEL_CHARACTER = 6.2;
const NODE_HEIGHT = 30;
/** How far an edge from a node to itself reaches out. */
const LOOP = 24;
const MARGIN = 12;
/** Larger graphs take long to lay out, and nobody can see anything in them. */
const MOST_NODES = 250;
const MOST_EDGES = 600;
/** More numbers than these would not fit on an edge. */
const MOST_NUMBERS = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

export function graphView(graph: ControlGraph, goTo: (line: number) => void): HTMLElement {
  const { nodes, edges } = pictureOf(graph);
  if (nodes.length > MOST_NODES || edges.length > MOST_EDGES)
    return h(
      'p',
      { class: 'lead' },
      `A graph of ${nodes.length} places and ${edges.length} edges is too large to be drawn.`,
    );
  const drawing = new Graph();
  drawing.setGraph({
    rankdir: 'TB',
    nodesep: 36,
    ranksep: 44,
    edgesep: 18,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  for (const node of nodes) drawing.setNode(node.id, sizeOf(node));
  for (const edge of edges) {
    const width = labelOf(edge).length * LABEL_CHARACTER + (edge.from === edge.to ? LOOP : 0);
    drawing.setEdge(edge.from, edge.to, { width, height: 16, labelpos: 'c' });
  }
  layout(drawing);
  const { width = 0, height = 0 } = drawing.graph() as { width?: number; height?: number };
  const picture = s(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      class: 'graph',
      role: 'img',
      'aria-label': summary(graph),
    },
    s('defs', {}, arrow('arrow', ''), arrow('arrow-path', 'on-path')),
    ...edges.map(edge => {
      const node = drawing.node(edge.from) as Point & Size;
      return edgeElement(edge, drawing.edge(edge.from, edge.to) as Line, node);
    }),
    ...nodes.map(node => nodeElement(node, drawing.node(node.id) as Point & Size, goTo)),
  );
  return h(
    'figure',
    { class: 'framed' },
    h(
      'div',
      { class: 'scroll graph-scroll', tabindex: 0, role: 'region', 'aria-label': 'the control graph' },
      picture,
    ),
    graph.path.length === 0
      ? undefined
      : h('figcaption', {}, 'The numbers are the steps of the run, from the start to the violation.'),
  );
}

/** Where an edge goes along, and the middle of its label. */
interface Line extends Point {
  readonly points: readonly Point[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function sizeOf({ kind, label }: PictureNode): Size {
  if (kind === 'joint') return { width: 8, height: 8 };
  if (kind === 'start') return { width: 14, height: 14 };
  return { width: Math.max(44, label.length * CHARACTER + 24), height: NODE_HEIGHT };
}

function labelOf({ label, uses }: PictureEdge): string {
  if (uses.length === 0) return label;
  const shown = uses.length > MOST_NUMBERS ? [...uses.slice(0, MOST_NUMBERS - 1), '…'] : uses;
  return label === '' ? shown.join(', ') : `${shown.join(', ')}: ${label}`;
}

function nodeElement(
  node: PictureNode,
  { x, y, width, height }: Point & Size,
  goTo: (line: number) => void,
): SVGElement {
  const { kind, label, line, isOnPath } = node;
  const shape =
    kind === 'start' || kind === 'joint'
      ? s('circle', { cx: x, cy: y, r: width / 2 })
      : s('rect', {
          x: x - width / 2,
          y: y - height / 2,
          width,
          height,
          rx: kind === 'violation' ? height / 2 : 6,
        });
  const text =
    kind === 'place' || kind === 'violation'
      ? [s('text', { x, y: y + 4, 'text-anchor': 'middle' }, label)]
      : [];
  const go = line === undefined ? {} : { onclick: () => goTo(line) };
  const classes = ['node', kind, isOnPath ? 'on-path' : '', line === undefined ? '' : 'clickable']
    .join(' ')
    .trim();
  return s('g', { class: classes, ...go }, s('title', {}, label), shape, ...text);
}

function edgeElement(edge: PictureEdge, { points, x, y }: Line, node: Point & Size): SVGElement {
  const isOnPath = edge.uses.length > 0;
  const label = labelOf(edge);
  const width = label.length * LABEL_CHARACTER;
  const isLoop = edge.from === edge.to;
  const middle = isLoop ? { x: node.x + node.width / 2 + LOOP + 4 + width / 2, y: node.y } : { x, y };
  const marker = `url(#${isOnPath ? 'arrow-path' : 'arrow'})`;
  return s(
    'g',
    { class: isOnPath ? 'edge on-path' : 'edge' },
    s('title', {}, edge.title),
    s('path', { d: isLoop ? loop(node) : curve(points), 'marker-end': marker }),
    ...(label === ''
      ? []
      : [
          s('rect', {
            x: middle.x - width / 2 - 2,
            y: middle.y - 8,
            width: width + 4,
            height: 16,
            class: 'label-back',
          }),
          s('text', { x: middle.x, y: middle.y + 4, 'text-anchor': 'middle' }, label),
        ]),
  );
}

/** Out of the right side of a node and back; the layout leaves room for it and does not draw it. */
function loop({ x, y, width }: Point & Size): string {
  const right = x + width / 2;
  const out = right + 1.33 * LOOP;
  return `M${right} ${y - 7}C${out} ${y - 20} ${out} ${y + 20} ${right} ${y + 7}`;
}

/** Through the middles between the points, so that it bends gently. */
function curve(points: readonly Point[]): string {
  const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first, ...rest] = points;
  const parts = rest.slice(0, -1).map((p, i) => {
    const next = rest[i + 1];
    const isLast = i === rest.length - 2;
    return `Q${at(p)} ${at(isLast ? next : { x: (p.x + next.x) / 2, y: (p.y + next.y) / 2 })}`;
  });
  return `M${at(first)}${parts.length === 0 ? `L${at(rest[0])}` : parts.join('')}`;
}

function arrow(id: string, className: string): SVGElement {
  const size = {
    viewBox: '0 0 8 8',
    markerWidth: 9,
    markerHeight: 9,
    refX: 7,
    refY: 4,
    orient: 'auto',
    markerUnits: 'userSpaceOnUse',
  };
  return s('marker', { id, ...size, class: `arrow ${className}` }, s('path', { d: 'M0 0L8 4L0 8Z' }));
}

function summary({ nodes, edges, path }: ControlGraph): string {
  const way = path.length === 0 ? '' : `; the violation takes ${path.length} steps`;
  return `${nodes.length} places and ${edges.length} edges${way}`;
}
