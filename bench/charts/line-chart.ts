import { threeDigits } from '../statistics.ts';
import { logScale, tickLabel } from './log-scale.ts';
import { COLOURS, drawing, element, FAINT, GRID, INK, text } from './svg.ts';

export interface Line {
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface LineChart {
  readonly title: string;
  readonly xUnit: string;
  readonly yUnit: string;
  readonly lines: readonly Line[];
}

const WIDTH = 820;
const HEIGHT = 460;
const LEFT = 64;
const RIGHT = 290;
const TOP = 56;
const BOTTOM = 48;
const LABEL_HEIGHT = 15;

/** Moves labels apart so that they do not overlap. `wanted` is sorted from top to bottom. */
function apart(wanted: readonly number[]): number[] {
  const placed: number[] = [];
  for (const y of wanted)
    placed.push(Math.max(y, (placed.at(-1) ?? Number.NEGATIVE_INFINITY) + LABEL_HEIGHT));
  const over = (placed.at(-1) ?? 0) - (HEIGHT - BOTTOM + 8);
  return over > 0 ? placed.map((y) => y - over) : placed;
}

/** Line chart with two logarithmic axes: proportional growth is a straight diagonal, constant time is level. */
export function lineChart({ title, xUnit, yUnit, lines }: LineChart): string {
  const points = lines.flatMap((line) => line.points);
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const across = logScale(xs, LEFT, WIDTH - RIGHT);
  const up = logScale(
    points.map(({ y }) => y),
    HEIGHT - BOTTOM,
    TOP,
  );
  const grid = [
    ...up.ticks.flatMap((tick) => [
      element('line', { x1: LEFT, y1: up.place(tick), x2: WIDTH - RIGHT, y2: up.place(tick), stroke: GRID }),
      text(LEFT - 8, up.place(tick) + 4, tickLabel(tick), { size: 10, anchor: 'end', fill: FAINT }),
    ]),
    ...xs.map((x) =>
      text(across.place(x), HEIGHT - BOTTOM + 18, `${x}×`, { size: 11, anchor: 'middle', fill: FAINT }),
    ),
  ];
  const ordered = [...lines].sort((a, b) => (b.points.at(-1)?.y ?? 0) - (a.points.at(-1)?.y ?? 0));
  const labels = apart(ordered.map(({ points: own }) => up.place(own.at(-1)?.y ?? 0) + 4));
  const drawn = ordered.flatMap(({ label, points: own }, i) => {
    const colour = COLOURS[i % COLOURS.length] ?? INK;
    const places = own.map(({ x, y }) => ({ cx: across.place(x), cy: up.place(y) }));
    const path = places.map(({ cx, cy }) => `${cx.toFixed(1)},${cy.toFixed(1)}`).join(' ');
    const dashes = i < COLOURS.length ? {} : { 'stroke-dasharray': '5 3' };
    const ends = [own[0], own.at(-1)].map((point) => threeDigits(point?.y ?? Number.NaN)).join(' → ');
    return [
      element('polyline', { points: path, fill: 'none', stroke: colour, 'stroke-width': 2, ...dashes }),
      ...places.map((place) => element('circle', { ...place, r: 3, fill: colour })),
      text(WIDTH - RIGHT + 12, labels[i] ?? 0, `${label}: ${ends}`, { size: 11, fill: colour }),
    ];
  });
  return drawing(WIDTH, HEIGHT, title, [
    text(16, 22, title, { size: 14, weight: 600 }),
    text(16, 38, yUnit, { size: 11, fill: FAINT }),
    ...grid,
    element('line', { x1: LEFT, y1: HEIGHT - BOTTOM, x2: WIDTH - RIGHT, y2: HEIGHT - BOTTOM, stroke: INK }),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, xUnit, { size: 11, anchor: 'middle', fill: FAINT }),
    ...drawn,
  ]);
}
