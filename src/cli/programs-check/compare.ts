import { toDecimalString } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { Figures } from './read-back.ts';

/**
 * How far an outcome may be from its preview, relative to the larger of both. Between the build and the block that takes
 * it some slots pass: interest accrues on tokens (a few hundred slots at 100 % a year are 1e-5), and prices are
 * refreshed, which moves a health factor. Shares do not accrue; their number moves only with the price of a share.
 * Figures below `least` count as nothing: programs round to base units.
 */
export const TOLERANCES: Readonly<
  Record<keyof Figures, { readonly relative: Rational; readonly least: Rational }>
> = {
  tokens: { relative: Rational.of(1n, 100_000n), least: Rational.of(2n, 1_000_000n) },
  shares: { relative: Rational.of(1n, 100_000n), least: Rational.of(2n, 1_000_000n) },
  healthFactor: { relative: Rational.of(1n, 100n), least: Rational.of(1n, 1_000n) },
};

export interface Comparison {
  readonly agrees: boolean;
  /** Each figure with what was expected, and what became of it. */
  readonly says: string;
}

/** The figures that the preview foretold beside those that were read. One that either side does not tell is left out. */
export function compare(foretold: Figures, found: Figures): Comparison {
  const told: string[] = [];
  let agrees = true;
  for (const name of ['tokens', 'shares', 'healthFactor'] as const) {
    const [expected, actual] = [foretold[name], found[name]];
    if (expected === null || actual === null) continue;
    const { relative, least } = TOLERANCES[name];
    const distance = expected.sub(actual).abs();
    const allowed = expected.abs().max(actual.abs()).mul(relative).max(least);
    const fits = distance.compare(allowed) <= 0;
    agrees &&= fits;
    told.push(`${name} ${toDecimalString(actual)}${fits ? '' : `, foretold ${toDecimalString(expected)}`}`);
  }
  if (told.length === 0) return { agrees: false, says: 'there is nothing to compare' };
  return { agrees, says: told.join(', ') };
}
