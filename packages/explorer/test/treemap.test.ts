import { describe, expect, it } from 'vitest';
import { type Box, treemap } from '../src/ui/treemap.ts';

const FIELD: Box = { x: 10, y: 20, width: 600, height: 400 };
const area = ({ width, height }: Box) => width * height;

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, wide) * Math.max(0, high);
}

describe('a treemap', () => {
  it('lays out the example of the paper about squarified treemaps', () => {
    // Bruls, Huizing, van Wijk: areas 6, 6, 4, 3, 2, 2, 1 in a field of 6 by 4. The first two share a column of width 3.
    const boxes = treemap([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
    expect(boxes[0]).toEqual({ x: 0, y: 0, width: 3, height: 2 });
    expect(boxes[1]).toEqual({ x: 0, y: 2, width: 3, height: 2 });
    expect(boxes[2]?.x).toBe(3);
    expect(boxes[2]?.height).toBeCloseTo(7 / 3, 9);
    expect(boxes[3]?.height).toBeCloseTo(7 / 3, 9);
  });

  it.each([[[27.1, 26, 14.6, 11.7, 11.6, 8.8, 0.1]], [[1, 50, 3, 20, 0.01]], [[1]], [[1, 1, 1, 1, 1, 1, 1]]])(
    'fills the field with areas in the ratio of %j, in their order',
    (values) => {
      const boxes = treemap(values, FIELD);
      const sum = values.reduce((total, value) => total + value, 0);
      for (const [index, value] of values.entries()) {
        const box = boxes[index] ?? FIELD;
        expect(area(box)).toBeCloseTo((area(FIELD) * value) / sum, 4);
        expect(box.x).toBeGreaterThanOrEqual(FIELD.x - 1e-6);
        expect(box.y).toBeGreaterThanOrEqual(FIELD.y - 1e-6);
        expect(box.x + box.width).toBeLessThanOrEqual(FIELD.x + FIELD.width + 1e-6);
        expect(box.y + box.height).toBeLessThanOrEqual(FIELD.y + FIELD.height + 1e-6);
        for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBeLessThan(1e-4);
      }
    },
  );

  it('stays within the field where rounding leaves nothing for the smallest values', () => {
    for (const values of [
      [1, 1e-17],
      [0.7, 0.2, 0.1, 1e-18, 1e-19],
      [0.1, 0.2, 0.3, 1e-300],
    ]) {
      for (const { x, y, width, height } of treemap(values, FIELD)) {
        expect([x, y, width, height].every(Number.isFinite)).toBe(true);
        expect(x + width).toBeLessThanOrEqual(FIELD.x + FIELD.width + 1e-6);
        expect(y + height).toBeLessThanOrEqual(FIELD.y + FIELD.height + 1e-6);
      }
    }
  });

  it('gives nothing to a value of zero, and no box is without end', () => {
    const boxes = treemap([0, 4, 0], FIELD);
    expect(boxes.map(area)).toEqual([0, area(FIELD), 0]);
    expect(treemap([0, 0], FIELD).map(area)).toEqual([0, 0]);
    expect(treemap([], FIELD)).toEqual([]);
    expect(treemap([1, 2], { x: 0, y: 0, width: 0, height: 0 }).map(area)).toEqual([0, 0]);
  });
});
