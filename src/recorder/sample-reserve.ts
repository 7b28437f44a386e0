import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { toTokens } from '../domain/arithmetic.ts';
import { toDecimalString } from '../numeric/decimal.ts';
import { integer, type Rational, ZERO } from '../numeric/rational.ts';
import { reserve as reserveLayout } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import type { ReserveRecord } from '../services/records.ts';
import {
  accumulatedProtocolFees,
  available,
  borrowBaseApy,
  borrowCurve,
  borrowed,
  cumulativeBorrowRate,
  exchangeRate,
  reserveFees,
  reservePrice,
  reserveRisk,
  statusWord,
  supplied,
  supplyBaseApy,
  supplyRewards,
  wholeCollateral,
} from '../services/reserves.ts';
import { tokenSymbol } from '../services/tokens.ts';
import type { ReserveConfigSample, ReserveSample } from '../store/history/samples.ts';

export function sampleReserve(view: View, reserve: ReserveRecord): ReserveSample {
  const { value } = reserve;
  const { liquidity, collateral } = value;
  const inTokens = (baseUnits: bigint) =>
    baseUnits === 0n ? ZERO : toTokens(integer(baseUnits), liquidity.mintDecimals);
  const { farm, campaigns } = supplyRewards(view, reserve);
  return {
    reserve: reserve.address,
    config: configOf(view, reserve, inTokens),
    borrowApy: borrowBaseApy(view, reserve),
    supplyApy: supplyBaseApy(view, reserve),
    totalSupply: supplied(view, reserve).amount,
    totalBorrows: borrowed(view, reserve).amount,
    totalLiquidity: available(view, reserve).amount,
    priceUsd: reservePrice(view, reserve)?.usd ?? null,
    exchangeRate: exchangeRate(view, reserve),
    cumulativeBorrowRate: cumulativeBorrowRate(view, reserve),
    mintTotalSupply: wholeCollateral(view, reserve, collateral.mintTotalSupply),
    accumulatedProtocolFees: accumulatedProtocolFees(view, reserve).amount,
    borrowOutsideGroup: inTokens(value.borrowedAmountOutsideElevationGroup),
    borrowedInGroups: groupsOf(reserve, inTokens),
    borrowLimitCrossedAt: liquidity.borrowLimitCrossedTimestamp,
    depositLimitCrossedAt: liquidity.depositLimitCrossedTimestamp,
    rewards: [...farm, ...campaigns],
  };
}

/**
 * Samples by configuration object, which stays the same until it changes: every few weeks, while it is
 * sampled every minute.
 */
const known = new WeakMap<ReserveConfig, ReserveConfigSample>();

function configOf(
  view: View,
  reserve: ReserveRecord,
  inTokens: (baseUnits: bigint) => Rational,
): ReserveConfigSample {
  const last = known.get(reserve.value.config);
  const symbol = tokenSymbolOf(view, reserve);
  if (last?.symbol === symbol) return last;
  const config = readConfig(reserve, symbol, inTokens);
  known.set(reserve.value.config, config);
  return config;
}

const GROUPS_AT = reserveLayout.offsetOf('borrowedAmountsAgainstThisReserveInElevationGroups');
const GROUPS_END =
  GROUPS_AT + reserveLayout.body.fields.borrowedAmountsAgainstThisReserveInElevationGroups.size;

/** Amounts by reserve. Most of the 32 stay zero, and an unchanged list object is encoded only once. */
const knownGroups = new Map<Address, { readonly bytes: Uint8Array; readonly amounts: readonly Rational[] }>();

function groupsOf(
  { address, data, value }: ReserveRecord,
  inTokens: (baseUnits: bigint) => Rational,
): readonly Rational[] {
  const bytes = data.subarray(GROUPS_AT, GROUPS_END);
  const last = knownGroups.get(address);
  if (last !== undefined && Buffer.compare(last.bytes, bytes) === 0) return last.amounts;
  const amounts = value.borrowedAmountsAgainstThisReserveInElevationGroups.map(inTokens);
  knownGroups.set(address, { bytes: bytes.slice(), amounts });
  return amounts;
}

function tokenSymbolOf(view: View, { value }: ReserveRecord): string {
  const { mintPubkey } = value.liquidity;
  return view.get('mint', mintPubkey) === undefined ? '' : tokenSymbol(view, mintPubkey);
}

function readConfig(
  reserve: ReserveRecord,
  symbol: string,
  inTokens: (baseUnits: bigint) => Rational,
): ReserveConfigSample {
  const { config, liquidity, lendingMarket } = reserve.value;
  const { maxLtv, liquidationLtv, minLiquidationBonus, maxLiquidationBonus } = reserveRisk(reserve.value);
  const { protocolTake, hostFixedRate } = reserveFees(reserve.value);
  return {
    market: lendingMarket,
    status: statusWord(reserve.value),
    symbol,
    mintAddress: liquidity.mintPubkey,
    decimals: Number(liquidity.mintDecimals),
    loanToValue: maxLtv.toNumber(),
    liquidationThreshold: liquidationLtv.toNumber(),
    borrowFactor: Number(config.borrowFactorPct),
    protocolTakeRate: protocolTake.toNumber(),
    minLiquidationBonus: minLiquidationBonus.toNumber(),
    maxLiquidationBonus: maxLiquidationBonus.toNumber(),
    reserveDepositLimit: String(config.depositLimit),
    reserveBorrowLimit: String(config.borrowLimit),
    hostFixedInterestRate: toDecimalString(hostFixedRate),
    borrowLimitOutsideElevationGroup: toDecimalString(inTokens(config.borrowLimitOutsideElevationGroup)),
    borrowLimitAgainstCollateralInElevationGroups:
      config.borrowLimitAgainstThisCollateralInElevationGroup.map((limit) =>
        toDecimalString(inTokens(limit)),
      ),
    borrowCurve: borrowCurve(config).map(({ utilization, rate }) => [
      utilization.toNumber(),
      rate.toNumber(),
    ]),
  };
}
