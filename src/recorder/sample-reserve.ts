import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../chain/view/view.ts';
import { toTokens } from '../domain/arithmetic.ts';
import type { ReserveRecord } from '../services/request/records.ts';
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
} from '../services/reserves/reserves.ts';
import { tokenSymbol } from '../services/tokens/tokens.ts';
import type { ReserveConfigSample, ReserveSample } from '../store/history/samples.ts';

export function sampleReserve(view: View, reserve: ReserveRecord): ReserveSample {
  const { value } = reserve;
  const { liquidity, collateral } = value;
  const inTokens = (baseUnits: bigint) =>
    baseUnits === 0n ? ZERO : toTokens(integer(baseUnits), liquidity.mintDecimals);
  const groupDecimals = groupDecimalsOf(view, reserve);
  const { farm, own, campaigns } = supplyRewards(view, reserve);
  return {
    reserve: reserve.address,
    config: configOf(view, reserve, inTokens, groupDecimals),
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
    borrowedInGroups: groupsOf(reserve, groupDecimals),
    borrowLimitCrossedAt: liquidity.borrowLimitCrossedTimestamp,
    depositLimitCrossedAt: liquidity.depositLimitCrossedTimestamp,
    rewards: [...farm, ...own, ...campaigns],
  };
}

/**
 * Decimals of the debt of each elevation group, in the order of the counters: amounts against a collateral are base
 * units of what the group lends, not of the collateral. Those of the collateral where the group lends nothing.
 */
function groupDecimalsOf(view: View, { value }: ReserveRecord): readonly bigint[] {
  const groups = view.get('market', value.lendingMarket)?.value.elevationGroups;
  const own = value.liquidity.mintDecimals;
  return value.borrowedAmountsAgainstThisReserveInElevationGroups.map((_, index) => {
    const debt = groups?.[index]?.debtReserve;
    return (debt && view.get('reserve', debt)?.value.liquidity.mintDecimals) ?? own;
  });
}

const debtTokens = (baseUnits: bigint, decimals: bigint | undefined): Rational =>
  baseUnits === 0n || decimals === undefined ? ZERO : toTokens(integer(baseUnits), decimals);

/**
 * Samples by configuration object, which stays the same until it changes: every few weeks, while it is
 * sampled every minute.
 */
const known = new WeakMap<
  ReserveConfig,
  { readonly groupDecimals: readonly bigint[]; readonly config: ReserveConfigSample }
>();

function configOf(
  view: View,
  reserve: ReserveRecord,
  inTokens: (baseUnits: bigint) => Rational,
  groupDecimals: readonly bigint[],
): ReserveConfigSample {
  const last = known.get(reserve.value.config);
  const symbol = tokenSymbolOf(view, reserve);
  if (last?.config.symbol === symbol && isSame(last.groupDecimals, groupDecimals)) return last.config;
  const config = readConfig(reserve, symbol, inTokens, groupDecimals);
  known.set(reserve.value.config, { groupDecimals, config });
  return config;
}

/** Amounts by reserve. Most of the 32 stay zero, and an unchanged list object is encoded only once. */
const knownGroups = new Map<
  Address,
  {
    readonly counters: readonly bigint[];
    readonly groupDecimals: readonly bigint[];
    readonly amounts: readonly Rational[];
  }
>();

function groupsOf({ address, value }: ReserveRecord, groupDecimals: readonly bigint[]): readonly Rational[] {
  const counters = value.borrowedAmountsAgainstThisReserveInElevationGroups;
  const last = knownGroups.get(address);
  if (last !== undefined && isSame(last.counters, counters) && isSame(last.groupDecimals, groupDecimals))
    return last.amounts;
  const amounts = counters.map((counter, index) => debtTokens(counter, groupDecimals[index]));
  knownGroups.set(address, { counters, groupDecimals, amounts });
  return amounts;
}

const isSame = (left: readonly bigint[], right: readonly bigint[]): boolean =>
  left.length === right.length && left.every((each, index) => each === right[index]);

function tokenSymbolOf(view: View, { value }: ReserveRecord): string {
  const { mintPubkey } = value.liquidity;
  return view.get('mint', mintPubkey) === undefined ? '' : tokenSymbol(view, mintPubkey);
}

function readConfig(
  reserve: ReserveRecord,
  symbol: string,
  inTokens: (baseUnits: bigint) => Rational,
  groupDecimals: readonly bigint[],
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
      config.borrowLimitAgainstThisCollateralInElevationGroup.map((limit, index) =>
        toDecimalString(debtTokens(limit, groupDecimals[index])),
      ),
    borrowCurve: borrowCurve(config).map(({ utilization, rate }) => [
      utilization.toNumber(),
      rate.toNumber(),
    ]),
  };
}
