import { threeDigits } from '../statistics.ts';
import { logScale, tickLabel } from './log-scale.ts';
import { drawing, element, FAINT, GRID, INK, OTHERS, OURS, text } from './svg.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly ours: boolean;
}

/** Bars that share a scale. */
export interface BarPanel {
  readonly title: string;
  /** Unit, and whether lower or higher is better. */
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 820;
const LABELS = 270;
const NUMBERS = 80;
const ROW = 22;
const BAR = 14;
const HEAD = 46;
const FOOT = 34;

const heightOf = (panel: BarPanel) => HEAD + panel.bars.length * ROW + FOOT;

function drawnPanel({ title, unit, bars }: BarPanel, top: number): string {
  const scale = logScale(
    bars.map(({ value }) => value),
    LABELS,
    WIDTH - NUMBERS,
  );
  const first = top + HEAD;
  const last = first + bars.length * ROW;
  const lines = scale.ticks.flatMap((tick) => {
    const x = scale.place(tick);
    return [
      element('line', { x1: x, y1: first - 4, x2: x, y2: last, stroke: GRID }),
      text(x, last + 14, tickLabel(tick), { size: 10, anchor: 'middle', fill: FAINT }),
    ];
  });
  const rows = bars.flatMap(({ label, value, ours }, i) => {
    const y = first + i * ROW;
    const end = scale.place(value);
    return [
      text(LABELS - 8, y + 11, label, { anchor: 'end', weight: ours ? 600 : 400 }),
      element('rect', {
        x: LABELS,
        y,
        width: Math.max(1, end - LABELS).toFixed(1),
        height: BAR,
        rx: 2,
        fill: ours ? OURS : OTHERS,
      }),
      text(end + 6, y + 11, threeDigits(value), { weight: ours ? 600 : 400 }),
    ];
  });
  return element(
    'g',
    {},
    text(16, top + 20, title, { size: 14, weight: 600 }),
    text(16, top + 36, unit, { size: 11, fill: FAINT }),
    ...lines,
    ...rows,
    element('line', { x1: LABELS, y1: first - 4, x2: LABELS, y2: last, stroke: INK }),
  );
}

/** Panels of horizontal bars on a logarithmic scale. */
export function barChart(title: string, panels: readonly BarPanel[]): string {
  let height = 10;
  const drawn: string[] = [];
  for (const panel of panels) {
    drawn.push(drawnPanel(panel, height));
    height += heightOf(panel);
  }
  return drawing(WIDTH, height, title, drawn);
}
