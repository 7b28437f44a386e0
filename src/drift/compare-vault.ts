import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart } from '../domain/arithmetic.ts';
import type { Moment } from '../domain/moment.ts';
import { interestPerSecond, type VaultHoldings } from '../domain/vault.ts';
import { type Comparison, relativeExcess } from './comparison.ts';

/** Allows rates since the last fee charge to have been this many times the current ones. */
const MAX_RATE_RATIO = integer(2n);

/**
 * Compares our assets of a vault with those stored at the last fee charge. Since then they can only have
 * grown, by the interest earned. Null for a vault that was never charged or was empty.
 */
export function compareVault(
  address: Address,
  vault: VaultState,
  holdings: VaultHoldings,
  moment: Moment,
): Comparison | null {
  const stored = fromScaledFraction(vault.prevAumSf);
  if (vault.lastFeeChargeTimestamp === 0n || stored.isZero) return null;
  const passed = positivePart(integer(moment.timestamp - vault.lastFeeChargeTimestamp));
  const growth = interestPerSecond(holdings, moment).mul(passed).mul(MAX_RATE_RATIO);
  const relative = relativeExcess(holdings.aum, stored, stored.add(growth));
  return { kind: 'vault_aum', address, field: 'prevAumSf', relative };
}
