import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart, ratio, total, wholeShares } from '../arithmetic.ts';
import type { DebtBackingCount } from './debt-tally.ts';

/**
 * Where tokens of a vault are: in the vault, in reserves and not lent, lent against collateral, lent against none, or lent to
 * loans that cannot be valued.
 */
export type ExposureKind = 'IDLE' | 'LIQUIDITY' | 'COLLATERAL' | 'UNSECURED' | 'UNKNOWN';

export interface Exposure {
  readonly kind: ExposureKind;
  /** The token that stands for the part; null where none does. */
  readonly mint: Address | null;
  readonly share: Rational;
}

/** A reserve that a vault lends through. */
export interface LentPart {
  /** Of the vault's tokens. */
  readonly share: Rational;
  readonly utilization: Rational;
  /** Undefined when no valued loan owes to the reserve. */
  readonly backing: DebtBackingCount | undefined;
  /** Everything that borrowers owe to the reserve; null without a price. */
  readonly borrowedUsd: Rational | null;
  /** Whether loans of the market are missing from the backing. */
  readonly isPartial: boolean;
}

/** The collateral behind the tokens of a vault, weighted by where they are. The shares add up to 1. */
export function vaultExposures(
  token: Address,
  parts: readonly LentPart[],
  mintOf: (reserve: Address) => Address | null,
): Exposure[] {
  const sums = new Map<string, { kind: ExposureKind; mint: Address | null; shares: Rational[] }>();
  const add = (kind: ExposureKind, mint: Address | null, share: Rational) => {
    if (share.isZero) return;
    const key = `${kind} ${mint}`;
    const known = sums.get(key) ?? { kind, mint, shares: [] };
    sums.set(key, known);
    known.shares.push(share);
  };
  const invested = total(parts.map(({ share }) => share));
  add('IDLE', token, ONE.sub(invested));
  for (const part of parts) {
    const lent = part.utilization.min(ONE);
    add('LIQUIDITY', token, part.share.mul(ONE.sub(lent)));
    addLent(part, part.share.mul(lent), mintOf, add);
  }
  const exposures = [...sums.values()]
    .map(({ kind, mint, shares }) => ({ kind, mint, share: total(shares) }))
    .sort((a, b) => b.share.compare(a.share));
  const rounded = wholeShares(exposures.map(({ share }) => share));
  return exposures.map((exposure, i) => ({ ...exposure, share: rounded[i] ?? exposure.share }));
}

function addLent(
  { backing, borrowedUsd, isPartial }: LentPart,
  share: Rational,
  mintOf: (reserve: Address) => Address | null,
  add: (kind: ExposureKind, mint: Address | null, share: Rational) => void,
): void {
  if (backing === undefined || backing.debtSf === 0n || (isPartial && borrowedUsd === null)) {
    add('UNKNOWN', null, share);
    return;
  }
  const valued = fromScaledFraction(backing.debtSf);
  // Without missing loans the debts are those of the reserve, apart from rounding and from changes since the index was read.
  const missing = isPartial && borrowedUsd !== null ? positivePart(borrowedUsd.sub(valued)) : ZERO;
  const of = (usd: Rational) => share.mul(ratio(usd, valued.add(missing)));
  add('UNKNOWN', null, of(missing));
  add('UNSECURED', null, of(fromScaledFraction(backing.unsecuredSf)));
  for (const [reserve, debtSf] of backing.bySf) {
    const mint = mintOf(reserve);
    add(mint === null ? 'UNKNOWN' : 'COLLATERAL', mint, of(fromScaledFraction(debtSf)));
  }
}
