import { ELEVATION_GROUPS } from '@sluice/protocol/klend/lending-market';
import {
  COLLATERAL_DECIMALS,
  reserve as layout,
  reserveCollateral,
  reserveLiquidity,
} from '@sluice/protocol/klend/reserve';
import { reserveConfig, tokenInfo } from '@sluice/protocol/klend/reserve-config';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { textBytes } from '@sluice/protocol/layout/codec';
import { derive } from '@sluice/protocol/layout/pda';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { bpsScaled, FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { putAddresses } from './address-bytes.ts';
import { BONUS_BPS, PROTOCOL_LIQUIDATION_FEE_PCT } from './liquidation-terms.ts';
import type { Market, OutflowCap, Reserve, Token } from './model.ts';
import { labelledAddress } from './prng.ts';
import { absoluteReferralRateSf, availableOf } from './program-maths.ts';
import type { ReserveSpec } from './reserve-specs.ts';
import { timeOf } from './time.ts';
import { newHolding, newMint } from './token-accounts.ts';

const { klend } = MAINNET_PROGRAMS;
const END_OF_CHAIN = 0xffff;
const ALL_PRICE_CHECKS_PASSED = 0b111111;
/** Deposit that the creator permanently leaves in a new reserve. */
const SEED_DEPOSIT = 100_000n;

export function createReserve(
  seed: string,
  market: Market,
  spec: ReserveSpec,
  token: Token,
  { slot, priceSf }: { readonly slot: bigint; readonly priceSf: bigint },
): Reserve {
  const address = labelledAddress(seed, 'reserve', market.name, spec.label ?? spec.token);
  const key = addressBytes(address);
  const derived = (label: string) => derive(klend, label, key).address;
  const collateralMint = newMint(
    derived('reserve_coll_mint'),
    COLLATERAL_DECIMALS,
    TOKEN_PROGRAM,
    market.authority,
  );
  const limitUnits = unitsOfUsd(token, spec.supplyKiloUsd * 4000, priceSf);
  const isClosed = spec.status !== undefined;
  const outflowCap = (): OutflowCap => ({
    capacity: spec.outflowCaps ? limitUnits / 4n : 0n,
    intervalSeconds: spec.outflowCaps ? 86_400n : 0n,
    total: 0n,
    intervalStart: 0,
  });
  const reserve: Reserve = {
    address,
    market,
    token,
    spec,
    liquidityVault: newHolding(derived('reserve_liq_supply'), token.mint, market.authority),
    feeVault: newHolding(derived('fee_receiver'), token.mint, market.authority),
    collateralMint,
    collateralVault: newHolding(derived('reserve_coll_supply'), collateralMint, market.authority),
    borrowedSf: 0n,
    cumulativeRateSf: FRACTION_ONE,
    protocolFeesSf: 0n,
    referrerFeesSf: 0n,
    pendingReferrerFeesSf: 0n,
    priceSf,
    rewardsAvailable: spec.rewards?.total ?? 0n,
    lastSlot: slot,
    collateralFarm: null,
    debtFarm: null,
    borrowedOutsideGroups: 0n,
    borrowedInGroups: new Array<bigint>(ELEVATION_GROUPS).fill(0n),
    depositLimit: isClosed ? 0n : limitUnits,
    borrowLimit: isClosed ? 0n : (limitUnits * 9n) / 10n,
    depositLimitSince: 0,
    borrowLimitSince: 0,
    depositCap: outflowCap(),
    debtCap: outflowCap(),
    queuedCtokens: 0n,
    ticketsIssued: 0n,
    vaults: [],
  };
  reserve.liquidityVault.amount = SEED_DEPOSIT + reserve.rewardsAvailable;
  reserve.collateralVault.amount = SEED_DEPOSIT;
  collateralMint.supply = SEED_DEPOSIT;
  market.reserves.push(reserve);
  return reserve;
}

/** Base units of a token worth this many USD. */
export function unitsOfUsd(token: Token, usd: number, priceSf: bigint): bigint {
  const cents = BigInt(Math.round(usd * 100));
  return (cents * 10n ** BigInt(token.mint.decimals) * FRACTION_ONE) / (100n * priceSf);
}

export function addReserve(store: AccountStore, reserve: Reserve, priceFeed: Address): void {
  store.add({
    address: reserve.address,
    owner: klend,
    encode(previous) {
      if (previous === undefined) {
        const data = layout.encode({
          ...movingFields(reserve),
          version: 1n,
          config: configOf(reserve),
        });
        putAddresses(data, addressesOf(reserve, priceFeed));
        return data;
      }
      const data = previous.slice();
      layout.body.write(viewOf(data), 8, movingFields(reserve));
      return data;
    },
  });
}

/** The fields that actions and refreshes change. */
function movingFields(reserve: Reserve): StructInput<typeof layout.body.fields> {
  const rate = reserve.cumulativeRateSf;
  return {
    lastUpdate: {
      slot: reserve.lastSlot,
      stale: 0,
      priceStatus: ALL_PRICE_CHECKS_PASSED,
      timestamp: timeOf(reserve.lastSlot),
    },
    liquidity: {
      totalAvailableAmount: availableOf(reserve),
      rewardsAmountAvailable: reserve.rewardsAvailable,
      borrowedAmountSf: reserve.borrowedSf,
      marketPriceSf: reserve.priceSf,
      marketPriceLastUpdatedTs: BigInt(timeOf(reserve.lastSlot)),
      mintDecimals: BigInt(reserve.token.mint.decimals),
      cumulativeBorrowRateBsf: { value: [rate & U64_MAX, (rate >> 64n) & U64_MAX, rate >> 128n] },
      accumulatedProtocolFeesSf: reserve.protocolFeesSf,
      accumulatedReferrerFeesSf: reserve.referrerFeesSf,
      pendingReferrerFeesSf: reserve.pendingReferrerFeesSf,
      absoluteReferralRateSf: absoluteReferralRateSf(reserve),
      depositLimitCrossedTimestamp: BigInt(reserve.depositLimitSince),
      borrowLimitCrossedTimestamp: BigInt(reserve.borrowLimitSince),
    },
    collateral: { mintTotalSupply: reserve.collateralMint.supply },
    config: {
      depositWithdrawalCap: counted(reserve.depositCap),
      debtWithdrawalCap: counted(reserve.debtCap),
    },
    borrowedAmountOutsideElevationGroup: reserve.borrowedOutsideGroups,
    borrowedAmountsAgainstThisReserveInElevationGroups: reserve.borrowedInGroups,
    withdrawQueue: {
      queuedCollateralAmount: reserve.queuedCtokens,
      nextIssuedTicketSequenceNumber: reserve.ticketsIssued,
    },
  };
}

const counted = ({ total, intervalStart }: OutflowCap) => ({
  currentTotal: total,
  lastIntervalStartTimestamp: BigInt(intervalStart),
});

const capFields = (cap: OutflowCap) => ({
  ...counted(cap),
  configCapacity: cap.capacity,
  configIntervalLengthSeconds: cap.intervalSeconds,
});

function configOf(reserve: Reserve): StructInput<typeof reserveConfig.fields> {
  const { spec, token, market } = reserve;
  const groups = spec.groups ?? [];
  const last = spec.curve.at(-1) ?? [10_000, 0];
  const curve = [...spec.curve, ...new Array<typeof last>(11 - spec.curve.length).fill(last)];
  const chain: number[] = [];
  for (let part: Token | null = token; part !== null; part = part.base) chain.push(part.feed.index);
  while (chain.length < 4) chain.push(END_OF_CHAIN);
  return {
    status: spec.status ?? 0,
    hostFixedInterestRateBps: spec.hostRateBps ?? 0,
    minDeleveragingBonusBps: 100,
    earlyRepayRemainingInterestPct: spec.earlyRepayPct ?? 0,
    interestRateBasis: spec.perSecond === true ? 1 : 0,
    protocolOrderExecutionFeePct: 10,
    protocolTakeRatePct: spec.takeRatePct,
    protocolLiquidationFeePct: PROTOCOL_LIQUIDATION_FEE_PCT,
    loanToValuePct: spec.ltvPct,
    liquidationThresholdPct: spec.liquidationPct,
    minLiquidationBonusBps: BONUS_BPS.least,
    maxLiquidationBonusBps: BONUS_BPS.most,
    badDebtLiquidationBonusBps: BONUS_BPS.badDebt,
    deleveragingMarginCallPeriodSecs: 259_200n,
    deleveragingThresholdDecreaseBpsPerDay: 24n,
    fees: {
      originationFeeSf: bpsScaled(spec.originationFeeBps),
      flashLoanFeeSf: spec.flashLoans === false ? U64_MAX : FRACTION_ONE / 100_000n,
    },
    borrowRateCurve: {
      points: curve.map(([utilizationRateBps, borrowRateBps]) => ({ utilizationRateBps, borrowRateBps })),
    },
    borrowFactorPct: BigInt(spec.borrowFactorPct),
    depositLimit: reserve.depositLimit,
    borrowLimit: reserve.borrowLimit,
    tokenInfo: {
      name: textBytes(spec.label ?? spec.token),
      maxTwapDivergenceBps: 0n,
      maxAgePriceSeconds: 180n,
      scopeConfiguration: { priceChain: chain, twapChain: new Array<number>(4).fill(END_OF_CHAIN) },
    },
    depositWithdrawalCap: capFields(reserve.depositCap),
    debtWithdrawalCap: capFields(reserve.debtCap),
    elevationGroups: Uint8Array.from(groups),
    disableUsageAsCollOutsideEmode: spec.groupCollateralOnly ? 1 : 0,
    utilizationLimitBlockBorrowingAbovePct: spec.utilizationBlockPct ?? 0,
    autodeleverageEnabled: spec.status === 1 ? 1 : 0,
    borrowLimitOutsideElevationGroup: spec.groupCollateralOnly ? 0n : U64_MAX,
    borrowLimitAgainstThisCollateralInElevationGroup: market.groups.map(({ id, debt }) =>
      groups.includes(id) && debt !== token.symbol ? reserve.depositLimit : 0n,
    ),
    deleveragingBonusIncreaseBpsPerDay: 10n,
    debtTermSeconds: BigInt((spec.termDays ?? 0) * 86_400),
    rewardsAmountPerAccrualUnit: spec.rewards?.perUnit ?? 0n,
    permissionedOps: spec.permissionedDeposits === true ? 1n : 0n,
  };
}

function* addressesOf(reserve: Reserve, priceFeed: Address): Iterable<readonly [number, Address]> {
  const liquidity = layout.offsetOf('liquidity');
  const collateral = layout.offsetOf('collateral');
  const scope =
    layout.offsetOf('config') + reserveConfig.offsets.tokenInfo + tokenInfo.offsets.scopeConfiguration;
  yield [layout.offsetOf('lendingMarket'), reserve.market.address];
  if (reserve.collateralFarm !== null)
    yield [layout.offsetOf('farmCollateral'), reserve.collateralFarm.address];
  if (reserve.debtFarm !== null) yield [layout.offsetOf('farmDebt'), reserve.debtFarm.address];
  yield [liquidity + reserveLiquidity.offsets.mintPubkey, reserve.token.mint.address];
  yield [liquidity + reserveLiquidity.offsets.supplyVault, reserve.liquidityVault.address];
  yield [liquidity + reserveLiquidity.offsets.feeVault, reserve.feeVault.address];
  yield [liquidity + reserveLiquidity.offsets.tokenProgram, reserve.token.mint.program];
  yield [collateral + reserveCollateral.offsets.mintPubkey, reserve.collateralMint.address];
  yield [collateral + reserveCollateral.offsets.supplyVault, reserve.collateralVault.address];
  yield [scope, priceFeed];
}
