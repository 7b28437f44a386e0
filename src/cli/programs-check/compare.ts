import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Figures } from './figures.ts';

interface Tolerance {
  readonly relative: Rational;
  readonly least: Rational;
}

/**
 * Tolerance between an outcome and its preview, relative to the larger of the two. Some slots pass between the build and its
 * block: interest accrues on tokens (a few hundred slots at 100 % a year are 1e-5), and refreshed prices move a health factor.
 * Shares do not accrue; their number moves only with the share price. Differences below `least` are ignored, because programs
 * round to base units.
 */
const USUAL: Tolerance = { relative: Rational.of(1n, 100_000n), least: Rational.of(2n, 1_000_000n) };
const OF_HEALTH: Tolerance = { relative: Rational.of(1n, 100n), least: Rational.of(1n, 1_000n) };

const FIGURES: readonly (keyof Figures)[] = [
  'tokens',
  'balance',
  'shares',
  'stakedShares',
  'unstakedShares',
  'healthFactor',
  'elevationGroup',
  'queued',
  'weight',
  'fees',
  'settings',
  'order',
  'rollover',
  'referrer',
  'newOwner',
  'feeAccounts',
];

export interface Comparison {
  readonly agrees: boolean;
  /** Each figure, with the predicted value where it differs. */
  readonly text: string;
}

/** Compares the previewed figures with those read back. Skips figures that either side lacks. */
export function compare(predicted: Figures, actualFigures: Figures): Comparison {
  const compared = FIGURES.flatMap((name) => {
    const [expected, actual] = [predicted[name] ?? null, actualFigures[name] ?? null];
    if (expected === null || actual === null) return [];
    const fits = agree(expected, actual, name === 'healthFactor' ? OF_HEALTH : USUAL);
    return [{ fits, text: `${name} ${shown(actual)}${fits ? '' : `, predicted ${shown(expected)}`}` }];
  });
  if (compared.length === 0) return { agrees: false, text: 'nothing to compare' };
  return {
    agrees: compared.every(({ fits }) => fits),
    text: compared.map(({ text }) => text).join(', '),
  };
}

function agree(expected: Rational | string, actual: Rational | string, tolerance: Tolerance): boolean {
  if (typeof expected === 'string' || typeof actual === 'string') return expected === actual;
  const distance = expected.sub(actual).abs();
  const allowed = expected.abs().max(actual.abs()).mul(tolerance.relative).max(tolerance.least);
  return distance.compare(allowed) <= 0;
}

const shown = (figure: Rational | string) => (typeof figure === 'string' ? figure : toDecimalString(figure));
