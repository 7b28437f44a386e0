import type uPlot from 'uplot';
import { resolvedColor } from './chart-colors.ts';
import type { ChartFlag } from './chart-props.ts';

/** Room for the flags above the field, in CSS pixels. */
export const FLAGS_PX = 24;

const RADIUS = 9;

/** Numbered flags above the field, each with a dotted line down to the axis. */
export function drawFlags(plot: uPlot, element: HTMLElement, flags: readonly ChartFlag[]): void {
  const { ctx, bbox } = plot;
  const pixel = plot.width === 0 ? 1 : ctx.canvas.width / plot.width;
  const ground = resolvedColor(element, 'var(--text)');
  const letters = resolvedColor(element, 'var(--surface)');
  ctx.save();
  for (const { x, label } of flags) {
    const at = plot.valToPos(x, 'x', true);
    if (!(at >= bbox.left - 1 && at <= bbox.left + bbox.width + 1)) continue;
    const middle = bbox.top - (FLAGS_PX / 2) * pixel;
    ctx.strokeStyle = ground;
    ctx.lineWidth = 1.2 * pixel;
    ctx.setLineDash([2 * pixel, 3 * pixel]);
    ctx.beginPath();
    ctx.moveTo(at, middle);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillStyle = ground;
    ctx.beginPath();
    ctx.arc(at, middle, RADIUS * pixel, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillStyle = letters;
    ctx.font = `600 ${12 * pixel}px ${getComputedStyle(element).fontFamily}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(label, at, middle);
  }
  ctx.restore();
}
