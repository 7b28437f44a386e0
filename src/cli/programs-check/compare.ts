import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Figures } from './read-back.ts';

/**
 * Tolerance between an outcome and its preview, relative to the larger of the two. Some slots pass between the
 * build and its block: interest accrues on tokens (a few hundred slots at 100 % a year are 1e-5), and
 * refreshed prices move a health factor. Shares do not accrue; their number moves only with the share price.
 * Differences below `least` are ignored, because programs round to base units.
 */
const TOLERANCES: Readonly<Record<keyof Figures, { readonly relative: Rational; readonly least: Rational }>> =
  {
    tokens: { relative: Rational.of(1n, 100_000n), least: Rational.of(2n, 1_000_000n) },
    shares: { relative: Rational.of(1n, 100_000n), least: Rational.of(2n, 1_000_000n) },
    healthFactor: { relative: Rational.of(1n, 100n), least: Rational.of(1n, 1_000n) },
  };

export interface Comparison {
  readonly agrees: boolean;
  /** Each figure, with the predicted value where it differs. */
  readonly text: string;
}

/** Compares the previewed figures with those read back. Skips figures that either side lacks. */
export function compare(predicted: Figures, actualFigures: Figures): Comparison {
  const parts: string[] = [];
  let agrees = true;
  for (const name of ['tokens', 'shares', 'healthFactor'] as const) {
    const [expected, actual] = [predicted[name], actualFigures[name]];
    if (expected === null || actual === null) continue;
    const { relative, least } = TOLERANCES[name];
    const distance = expected.sub(actual).abs();
    const allowed = expected.abs().max(actual.abs()).mul(relative).max(least);
    const fits = distance.compare(allowed) <= 0;
    agrees &&= fits;
    parts.push(`${name} ${toDecimalString(actual)}${fits ? '' : `, predicted ${toDecimalString(expected)}`}`);
  }
  if (parts.length === 0) return { agrees: false, text: 'nothing to compare' };
  return { agrees, text: parts.join(', ') };
}
