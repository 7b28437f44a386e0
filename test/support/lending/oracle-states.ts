import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { LendingSetting } from '../builders/lending-accounts.ts';
import { type Chance, randomState } from './random-states.ts';

const PRICE_DECIMALS = 12n;

/** Nothing of the reserve stands in the way. */
const CALM = {
  status: 0,
  emergencyMode: 0,
  borrowLimit: 10n ** 18n,
  depositLimit: 10n ** 18n,
  borrowLimitOutsideElevationGroup: U64_MAX,
  utilizationLimitBlockBorrowingAbovePct: 0,
  disableUsageAsCollOutsideEmode: 0,
  debtMaturityTimestamp: 0n,
  depositWithdrawalCap: {},
  debtWithdrawalCap: {},
};
const CALM_MARKET = { emergencyMode: 0, borrowDisabled: 0, globalAllowedBorrowValue: U64_MAX };

/**
 * The settings of a seed, two of three without limits, with oracles, since a flash loan needs refreshes inside the
 * transaction, and with fees for it. The protocol takes a part of the interest everywhere: the program skips the account of
 * the referrer for a debt without it.
 *
 * @param balance of the wallet in every token
 */
export function oracleState(seed: number, chance: Chance, balance = 0n): LendingSetting {
  const { setting } = randomState(seed, true);
  const isCalm = seed % 3 !== 0;
  const reserves = (setting.reserves ?? []).map((each) => {
    const price = each.change?.liquidity?.marketPriceSf ?? FRACTION_ONE;
    const factor = BigInt(each.config?.borrowFactorPct ?? 100n);
    const flashLoanFeeSf = chance.hit(0.02)
      ? U64_MAX
      : chance.pick(0n, FRACTION_ONE / 100_000n, FRACTION_ONE / 300n, chance.below(FRACTION_ONE / 50n));
    return {
      ...each,
      oracle: { priceUsd: (BigInt(price) * 10n ** PRICE_DECIMALS) / FRACTION_ONE + 1n, exp: PRICE_DECIMALS },
      config: {
        ...each.config,
        ...(isCalm ? CALM : {}),
        protocolTakeRatePct: 10,
        // The program accepts none below 100.
        borrowFactorPct: factor < 100n ? 100n : factor,
        fees: { ...each.config?.fees, flashLoanFeeSf },
      },
    };
  });
  const market = { ...setting.market, ...(isCalm ? CALM_MARKET : {}) };
  return { ...setting, market, reserves, balances: reserves.map(() => balance) };
}
