/** Line charts as SVG, for pages of documentation. */

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const [WIDTH, HEIGHT] = [640, 360];
const [LEFT, RIGHT, TOP, BOTTOM] = [56, 110, 20, 44];
const TICKS = 5;
/** Told apart by those who do not see colours by their dashes, too (Okabe and Ito's colours). */
const STYLES = [
  { colour: '#0072b2', dash: '' },
  { colour: '#d55e00', dash: '7 4' },
  { colour: '#009e73', dash: '2 4' },
];

/** Both axes begin at 0. */
export function plot(
  title: string,
  [xAxis, yAxis]: readonly [string, string],
  lines: readonly Line[],
): string {
  const all = lines.flatMap(l => l.points);
  const [right, top] = [0, 1].map(i => roundedUp(Math.max(...all.map(p => p[i]))));
  const x = (v: number) => (LEFT + (v / right) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (v: number) => (HEIGHT - BOTTOM - (v / top) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const ticks = (end: number) => Array.from({ length: TICKS + 1 }, (_, i) => (i * end) / TICKS);
  const number = (v: number) => String(Number(v.toPrecision(3)));
  const grid = [
    ...ticks(top).map(
      v =>
        `<path class="grid" d="M${x(0)} ${y(v)}H${x(right)}"/>` +
        `<text x="${LEFT - 6}" y="${y(v)}" dy="0.35em" text-anchor="end">${number(v)}</text>`,
    ),
    ...ticks(right).map(
      v => `<text x="${x(v)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${number(v)}</text>`,
    ),
  ];
  const curves = lines.map(({ name, points }, i) => {
    const { colour, dash } = STYLES[i % STYLES.length];
    const path = points.map(([a, b]) => `${x(a)} ${y(b)}`).join('L');
    const [lastX, lastY] = points[points.length - 1];
    return (
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      `<text x="${x(lastX)}" y="${y(lastY)}" dx="6" dy="0.35em" fill="${colour}">${name}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<title>${title}</title>
<style>text{font:12px sans-serif}.grid{stroke:#8886;fill:none}</style>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...grid, ...curves].join('\n')}
<text x="${x(right / 2)}" y="${HEIGHT - 8}" text-anchor="middle">${xAxis}</text>
<text transform="translate(14 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${yAxis}</text>
</svg>
`;
}

/** To one of 1, 2, 5, 10, 20, …, the ends of axes that ticks divide well. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find(f => f * power >= value) as number) * power;
}
