/** The two figures of a comparison of solvers, as SVG text; hovering over a point names its task. */
import * as echarts from 'echarts';
import { escapeHtml } from './html.ts';

const SHORTEST = 0.01; // s: no process takes less
const COLOURS = ['#3b5bb5', '#d1662b', '#2c8f5c', '#8a4fa3', '#a08414', '#5b6770'];
const GREY = '#999';
const SIZE = { cactus: { width: 620, height: 400 }, scatter: { width: 460, height: 480 } };
const GRID = { left: 60, right: 25, top: 40, bottom: 50 };

export interface Curve {
  readonly name: string;
  readonly times: readonly number[]; // s, of the tasks that are solved
}

/** How many tasks are solved if each may take so long. */
export function cactusPlot(curves: readonly Curve[], limit: number): string {
  return render(SIZE.cactus, {
    color: COLOURS,
    legend: { top: 5 },
    grid: GRID,
    xAxis: { ...named('solved tasks'), type: 'value', min: 0, minInterval: 1 },
    yAxis: timeAxis('time of a task, s', limit, limit),
    series: curves.map(({ name, times }) => ({
      name,
      type: 'line',
      symbolSize: 4,
      data: [...times].sort((a, b) => a - b).map((time, i) => [i + 1, Math.max(time, SHORTEST)]),
    })),
  });
}

export interface Point {
  readonly task: string;
  readonly kind: 'safe' | 'unsafe';
  readonly x: number | undefined; // s, unless not solved
  readonly y: number | undefined;
}

/** Time against time: below the diagonal, the engine of the vertical axis is faster. What is not solved is on the border. */
export function scatterPlot(points: readonly Point[], x: string, y: string, limit: number): string {
  const border = 1.6 * limit;
  const place = (time: number | undefined) => (time === undefined ? border : Math.max(time, SHORTEST));
  const kinds = [
    { kind: 'safe', symbol: 'circle', symbolSize: 7 },
    { kind: 'unsafe', symbol: 'triangle', symbolSize: 8 },
  ] as const;
  const ofKind = kinds.map(({ kind }) => points.filter(point => point.kind === kind));
  const svg = render(SIZE.scatter, {
    color: COLOURS,
    legend: { top: 5, data: kinds.map(({ kind }) => kind) },
    grid: GRID,
    xAxis: timeAxis(`${x}, s`, limit, border),
    yAxis: timeAxis(`${y}, s`, limit, border),
    series: [
      ...kinds.map(({ kind, ...look }, i) => ({
        name: kind,
        type: 'scatter' as const,
        ...look,
        clip: false,
        data: ofKind[i].map(point => [place(point.x), place(point.y)]),
      })),
      line('solid', [SHORTEST, SHORTEST], [border, border]),
      line('dashed', [limit, SHORTEST], [limit, border]),
      line('dashed', [SHORTEST, limit], [border, limit]),
    ],
  });
  return withTitles(svg, (series, index) => ofKind[series][index].task);
}

function line(type: 'solid' | 'dashed', from: readonly [number, number], to: readonly [number, number]) {
  const lineStyle = { type, width: 1, color: GREY };
  return { type: 'line' as const, symbol: 'none', silent: true, lineStyle, data: [[...from], [...to]] };
}

function named(name: string) {
  const splitLine = { lineStyle: { color: '#eee' } };
  return { name, nameLocation: 'middle' as const, nameGap: 32, splitLine };
}

/** From the shortest time up to `max`, with labels up to the time limit. */
function timeAxis(name: string, limit: number, max: number) {
  return {
    ...named(name),
    type: 'log' as const,
    min: SHORTEST,
    max,
    minorTick: { show: true, splitNumber: 9 },
    axisLabel: { formatter: (value: number) => (value <= limit ? String(value) : '') },
  };
}

function render(size: { width: number; height: number }, option: echarts.EChartsOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'sans-serif' }, ...option });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** The renderer marks the path of each point with its place in the data. */
function withTitles(svg: string, title: (series: number, index: number) => string): string {
  const point =
    /(<path [^>]*ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)" ecmeta_ssr_type="chart"[^>]*>)(?=<\/path>)/g;
  return svg.replace(
    point,
    (path, _, series, index) => `${path}<title>${escapeHtml(title(Number(series), Number(index)))}</title>`,
  );
}
