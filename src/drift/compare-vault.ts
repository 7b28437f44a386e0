import type { Address } from '@solana/kit';
import { positivePart } from '../domain/arithmetic.ts';
import type { Moment } from '../domain/moment.ts';
import { interestPerSecond, type VaultHoldings } from '../domain/vault.ts';
import { fromScaledFraction } from '../numeric/fraction.ts';
import { integer } from '../numeric/rational.ts';
import type { VaultState } from '../programs/kvault/vault-state.ts';
import { type Comparison, relativeExcess } from './comparison.ts';

/** Rates since the last charge may have been this many times those of now. */
const RATES_MAY_HAVE_BEEN = integer(2n);

/**
 * Our assets of a vault beside those that the program stored when it last charged fees: since then they can only have
 * grown, by the interest of that time. Null for a vault that was never charged or held nothing.
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
  const growth = interestPerSecond(holdings, moment).mul(passed).mul(RATES_MAY_HAVE_BEEN);
  const relative = relativeExcess(holdings.aum, stored, stored.add(growth));
  return { kind: 'vault_aum', address, field: 'prevAumSf', relative };
}
