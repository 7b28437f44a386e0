import { ONE, Rational } from '@sluice/protocol/numeric/rational';

/** Value of a share at the end of a bucket. */
export interface RecordedShareValue {
  readonly bucket: Date;
  /** Null in imported history. */
  readonly tokensPerShare: Rational | null;
}

export interface ShareFall {
  readonly bucket: Date;
  /** Of the value before, as a fraction. */
  readonly fall: Rational;
}

/** Smaller falls are rounding of the program. */
const LEAST_FALL = Rational.of(1n, 1_000_000n);

/** Buckets in which a share lost value. Without losses it never does: fees are taken from interest and penalties stay. */
export function shareFalls(points: readonly RecordedShareValue[]): ShareFall[] {
  let before: Rational | null = null;
  const falls: ShareFall[] = [];
  for (const { bucket, tokensPerShare: now } of points) {
    // Without shares the value is 0.
    if (now === null || now.isZero) continue;
    const fall = before === null ? null : ONE.sub(now.div(before));
    if (fall !== null && fall.compare(LEAST_FALL) >= 0) falls.push({ bucket, fall });
    before = now;
  }
  return falls;
}
