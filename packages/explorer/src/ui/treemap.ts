export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a box into one box per value, whose areas are in the ratio of the values and whose sides are as alike as they can
 * be: rows along the shorter side, each closed when one more would make its boxes longer. Large values come first, whatever
 * the order of the list; the answer has the order of the list. A value of zero has an empty box.
 */
export function treemap(values: readonly number[], box: Box): Box[] {
  const boxes = values.map((): Box => ({ x: box.x, y: box.y, width: 0, height: 0 }));
  const order = values
    .map((value, index) => ({ value, index }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const sum = order.reduce((total, { value }) => total + value, 0);
  if (sum === 0 || box.width <= 0 || box.height <= 0) return boxes;
  const scale = (box.width * box.height) / sum;
  let rest = box;
  let next = 0;
  while (next < order.length) {
    const side = Math.min(rest.width, rest.height);
    let end = next + 1;
    let area = (order[next]?.value ?? 0) * scale;
    const largest = area;
    for (; end < order.length; end += 1) {
      const smallest = (order[end]?.value ?? 0) * scale;
      const before = (order[end - 1]?.value ?? 0) * scale;
      if (longest(largest, smallest, area + smallest, side) > longest(largest, before, area, side)) break;
      area += smallest;
    }
    const row = order.slice(next, end);
    rest = placeRow(row, { rest, area, scale, boxes });
    next = end;
  }
  return boxes;
}

/** The ratio of the sides of the box of a row that is least like a square. */
const longest = (largest: number, smallest: number, area: number, side: number): number =>
  Math.max((side * side * largest) / (area * area), (area * area) / (side * side * smallest));

interface Placing {
  readonly rest: Box;
  readonly area: number;
  readonly scale: number;
  /** Filled in. */
  readonly boxes: Box[];
}

/** Puts a row along the shorter side of what is left, and returns what is left then. */
function placeRow(
  row: readonly { readonly value: number; readonly index: number }[],
  { rest, area, scale, boxes }: Placing,
): Box {
  const isColumn = rest.width >= rest.height;
  const [side, most] = isColumn ? [rest.height, rest.width] : [rest.width, rest.height];
  // Rounding can leave nothing for the smallest values: then their boxes are empty, and not without end.
  const depth = side === 0 ? 0 : Math.min(most, area / side);
  let along = isColumn ? rest.y : rest.x;
  for (const { value, index } of row) {
    const length = area === 0 ? 0 : (side * value * scale) / area;
    boxes[index] = isColumn
      ? { x: rest.x, y: along, width: depth, height: length }
      : { x: along, y: rest.y, width: length, height: depth };
    along += length;
  }
  return isColumn
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) };
}
