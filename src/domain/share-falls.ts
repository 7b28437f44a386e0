import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { ratio } from './arithmetic.ts';

/** A vault at the end of a bucket. Amounts are whole tokens; null where they were imported or not recorded yet. */
export interface RecordedShareValue {
  readonly bucket: Date;
  readonly tokensPerShare: Rational | null;
  readonly sharesIssued: Rational | null;
  /** Since the vault was created. */
  readonly performanceFees: Rational | null;
  readonly managementFees: Rational | null;
}

export interface ShareFall {
  readonly bucket: Date;
  /** Of the value before, as a fraction, without what fees took. */
  readonly fall: Rational;
}

/** Smaller falls may come from rounding, and from interest up to the moment of a record, which is an estimate. */
const LEAST_FALL = Rational.of(1n, 100_000n);

/**
 * Buckets in which a share lost more value than fees took. Without a loss of tokens there is none: interest is never negative,
 * and penalties stay in the vault. A bucket without recorded fees says nothing.
 */
export function shareFalls(points: readonly RecordedShareValue[]): ShareFall[] {
  let before: { readonly perShare: Rational; readonly fees: Rational } | null = null;
  const falls: ShareFall[] = [];
  for (const point of points) {
    const { bucket, tokensPerShare: perShare, sharesIssued: shares } = point;
    const { performanceFees, managementFees } = point;
    // Without shares the value is 0.
    if (perShare === null || perShare.isZero || shares === null) continue;
    if (performanceFees === null || managementFees === null) continue;
    const fees = performanceFees.add(managementFees);
    if (before !== null) {
      const withFees = perShare.add(ratio(fees.sub(before.fees), shares));
      const fall = ONE.sub(withFees.div(before.perShare));
      if (fall.compare(LEAST_FALL) >= 0) falls.push({ bucket, fall });
    }
    before = { perShare, fees };
  }
  return falls;
}
