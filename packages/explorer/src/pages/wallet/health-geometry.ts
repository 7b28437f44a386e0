import type { Decimal } from '@sluice/client';

/** Places of the health picture, in pixels, so that its text keeps its size on every screen. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Left and right edge of the field. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Names stand left of the field, or above their lines. */
  readonly namesAbove: boolean;
  /** Largest distance on the axis, as a fraction. */
  readonly most: number;
  readonly ticks: readonly number[];
  /** Middle of the line of each loan. */
  readonly lines: readonly number[];
}

const NARROW = 560;
const STEP = 0.1;
/** The axis always reaches this far, so that pictures of different wallets compare. */
const LEAST = 0.6;

export function pictureOf(width: number, distances: readonly Decimal[]): Picture {
  const namesAbove = width < NARROW;
  const [left, right] = namesAbove ? [6, width - 6] : [220, width - 22];
  const rowHeight = namesAbove ? 80 : 72;
  const top = 24;
  const bottom = top + rowHeight * distances.length + (namesAbove ? 4 : 0);
  const largest = Math.max(0, ...distances.map((distance) => distance.toApproximateNumber()));
  const most = Math.min(1, Math.max(LEAST, Math.ceil((largest + 0.04) / STEP) * STEP));
  const count = Math.round(most / STEP);
  const every = namesAbove && count > 6 ? 2 : 1;
  return {
    width,
    height: bottom + 40,
    left,
    right,
    top,
    bottom,
    namesAbove,
    most,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * STEP).filter(
      (_, index) => index % every === 0,
    ),
    lines: distances.map((_, index) => top + rowHeight * index + (namesAbove ? 44 : rowHeight / 2)),
  };
}

/** Horizontal place of a distance; below zero a loan can be liquidated and stands at the edge. */
export function placeOf({ left, right, most }: Picture, distance: Decimal | number): number {
  const value = typeof distance === 'number' ? distance : distance.toApproximateNumber();
  return left + (Math.min(most, Math.max(0, value)) / most) * (right - left);
}
