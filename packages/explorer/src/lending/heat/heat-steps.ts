import { Decimal } from '@sluice/client';
import type { HeatCell } from './heat-documents.ts';
import { CHANGES, type HeatRow } from './heat-shocks.ts';

/** What the cells show: liquidatable debt with bad debt below it, or one of them. */
export type Shown = 'both' | 'liquidatable' | 'bad';

/** A row with its cells, one for each change. */
export interface FilledRow extends HeatRow {
  readonly cells: readonly HeatCell[];
}

const ZERO = Decimal.of('0');

/** The number by which a cell is coloured. */
export const heatOf = ({ atRisk }: Pick<HeatCell, 'atRisk'>, shown: Shown): Decimal =>
  Decimal.of(shown === 'bad' ? atRisk.badDebtUsd : atRisk.debtUsd);

/** Rows with their cells: first that of all tokens, then those that a deep fall hurts most. */
export function filledRows(
  rows: readonly HeatRow[],
  cells: readonly HeatCell[],
  shown: Shown,
): readonly FilledRow[] {
  const filled = rows.map((row, index) => ({
    ...row,
    cells: cells.slice(index * CHANGES.length, (index + 1) * CHANGES.length),
  }));
  const deepest = ({ cells: own }: FilledRow): Decimal => {
    const last = own.at(-1);
    return last === undefined ? ZERO : heatOf(last, shown);
  };
  const [all, ...tokens] = filled;
  return all === undefined ? [] : [all, ...tokens.sort((a, b) => deepest(b).compare(deepest(a)))];
}

/** Whether a fall of the token changes nothing, however deep. */
export const isUnmoved = ({ cells }: FilledRow, { atRisk: today }: Pick<HeatCell, 'atRisk'>): boolean =>
  cells.every(
    ({ atRisk }) =>
      Decimal.of(atRisk.debtUsd).compare(Decimal.of(today.debtUsd)) === 0 &&
      Decimal.of(atRisk.badDebtUsd).compare(Decimal.of(today.badDebtUsd)) === 0,
  );

/** Values at which a deeper colour begins, in ascending order. */
const STEPS = 5;
/** Leading digits of a round number. */
const ROUND = [1, 1.25, 1.6, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * The upper ends of the colours but the deepest: round numbers in equal proportions from the debt of today to the largest of
 * the map. A cell up to today's debt has no colour.
 */
export function heatSteps(today: Decimal, values: readonly Decimal[]): readonly Decimal[] {
  const most = Math.max(0, ...values.map((value) => value.toApproximateNumber()));
  const least = Math.max(today.toApproximateNumber(), most / 100);
  if (most <= least) return [];
  const steps = Array.from({ length: STEPS - 1 }, (_, i) =>
    roundNear(least * (most / least) ** ((i + 1) / STEPS)),
  );
  return [...new Set(steps)]
    .filter((step) => step > today.toApproximateNumber())
    .map((step) => Decimal.of(step.toFixed(2)));
}

function roundNear(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const near = ROUND.reduce((best, digit) =>
    Math.abs(Math.log(digit * power) - Math.log(value)) < Math.abs(Math.log(best * power) - Math.log(value))
      ? digit
      : best,
  );
  return near * power;
}

/** 0 for up to today, then 1 to 5. The deepest colour is that of values above all steps. */
export function levelOf(value: Decimal, today: Decimal, steps: readonly Decimal[]): number {
  if (value.compare(today) <= 0 || value.isZero) return 0;
  const above = steps.filter((step) => value.compare(step) > 0).length;
  return steps.length === 0 ? 1 : above + 1 + (STEPS - 1 - steps.length);
}

/** A row whose number falls from one cell to the next, to explain on its example. */
export const fallingRow = (rows: readonly FilledRow[], shown: Shown): FilledRow | null =>
  rows.find(({ cells }) =>
    cells.some((cell, i) => {
      const before = cells[i - 1];
      return before !== undefined && heatOf(cell, shown).compare(heatOf(before, shown)) < 0;
    }),
  ) ?? null;
