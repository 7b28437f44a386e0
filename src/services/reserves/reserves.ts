import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { type ApyBreakdown, apyBreakdown, borrowApyBreakdown, type RewardApys } from '../../domain/apy.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import { borrowCurve, NO_TERMS } from '../../domain/interest.ts';
import { SECONDS_PER_YEAR } from '../../domain/moment.ts';
import type { PricedReserve } from '../../domain/obligation.ts';
import type { PriceUsd } from '../../domain/price.ts';
import { displayScale, interestRateBasis } from '../../domain/rate-basis.ts';
import { borrowApr, borrowApy, lendingApy, supplyApr, supplyApy } from '../../domain/rates.ts';
import {
  borrowedUsd,
  borrowRemaining,
  collateralExchangeRate,
  depositRemaining,
  freelyAvailable,
  isInEmergency,
  reserveFees,
  reserveRisk,
  reserveStatus,
  statusWord,
  suppliedUsd,
  utilizationBorrowBlock,
} from '../../domain/reserve.ts';
import { rewardsApr } from '../../domain/reserve-rewards.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { campaignApysOfReserve, campaignApysOn } from '../farms/campaigns.ts';
import { farmAt, type PaidRewardApy, type RewardApy, rewardApys, totalRewardApy } from '../farms/farms.ts';
import { perView } from '../request/per-view.ts';
import type { ReserveRecord } from '../request/records.ts';
import { type Denomination, type Rounding, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

export { borrowCurve, interestRateBasis, isInEmergency, reserveFees, reserveRisk, reserveStatus, statusWord };

/** A reserve of the View. Throws a coded error when it does not exist or could not be read. */
export function reserveInView(view: View, address: Address): ReserveRecord {
  const found = view.find('reserve', address);
  if (found === undefined) throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: address });
  if (isCodedError(found)) throw found;
  return found;
}

/** Amounts in a reserve are valued at the price that a refresh of that reserve would store. */
export const reserveDenomination = perView((view: View, { value }: ReserveRecord): Denomination => {
  const { mintPubkey, mintDecimals } = value.liquidity;
  return { mint: mintPubkey, decimals: mintDecimals, priceUsd: priceUsd(view, value) };
});

function priceUsd(view: View, value: ReserveRecord['value']): Rational | null {
  return Valuation.of(view).priceOf(value)?.usd ?? null;
}

export const reservePrice = perView((view: View, reserve: ReserveRecord): PriceUsd | null => {
  return Valuation.of(view).priceOf(reserve.value);
});

/** The price that the lending program stored at the last refresh of the reserve. */
export const storedPrice = perView((view: View, reserve: ReserveRecord): PriceUsd | null => {
  return Valuation.of(view).storedPriceOf(reserve.value);
});

/** Rewards of the reserve's own token that a refresh adds to its supply. */
export interface ReserveRewards {
  /** Base units per slot or second, by the rate basis of the reserve. */
  readonly amountPerUnit: bigint;
  readonly available: TokenAmount;
  /** Yearly rate for suppliers, not compounded. */
  readonly apr: Rational;
}

export function reserveRewards(view: View, reserve: ReserveRecord): ReserveRewards {
  return {
    amountPerUnit: reserve.value.config.rewardsAmountPerAccrualUnit,
    available: reserveAmount(view, reserve, accrued(view, reserve).rewardsAvailable),
    apr: rewardsRate(view, reserve),
  };
}

/** The basis of a reserve's rates, for users. */
export function rateBasisText(view: View, config: ReserveRecord['value']['config']): string {
  if (interestRateBasis(config) === 'PER_SECOND') return 'True yearly rates, accrued every second.';
  const { slotDurationMs } = view.moment;
  const [ms, scale] = [slotDurationMs.toNumber(), displayScale(config, view.moment).toNumber()];
  return `Rates set for slots of 500 ms. Slots take about ${Math.round(ms)} ms now, so displayed rates are ${scale.toFixed(2)} times those of the curve.`;
}

/** Time of the last refresh; null when a program before klend 1.25 wrote it. */
export function lastRefreshedAt({ lastUpdate }: ReserveRecord['value']): Date | null {
  return lastUpdate.timestamp === 0 ? null : new Date(lastUpdate.timestamp * 1000);
}

/** Yearly rate of the reserve's own rewards, not compounded. 0 when the market cannot be read. */
export const rewardsRate = perView((view: View, reserve: ReserveRecord): Rational => {
  return rewardsRateOf(view, accrued(view, reserve));
});

/** The same in another state than the View's. */
export function rewardsRateOf(view: View, state: AccruedReserve): Rational {
  const market = view.get('market', state.account.lendingMarket)?.value ?? NO_TERMS;
  return rewardsApr(state, market, view.moment);
}

/** The collateral token (cToken) of a reserve. Its decimals differ from the reserve token's; those of its mint count. */
export function collateralToken(view: View, { value }: ReserveRecord) {
  const mint = value.collateral.mintPubkey;
  return { mint, decimals: view.get('mint', mint)?.value.decimals ?? COLLATERAL_DECIMALS };
}

/** Whole collateral tokens from base units. */
export function wholeCollateral(view: View, reserve: ReserveRecord | undefined, baseUnits: bigint): Rational {
  const decimals = reserve === undefined ? COLLATERAL_DECIMALS : collateralToken(view, reserve).decimals;
  return toTokens(integer(baseUnits), decimals);
}

const accrued = (view: View, reserve: ReserveRecord) => Valuation.of(view).accrued(reserve);

/** An amount of the token of a reserve. */
export function reserveAmount(
  view: View,
  reserve: ReserveRecord,
  baseUnits: Rational | bigint,
  rounding?: Rounding,
): TokenAmount {
  return tokenAmount(view, reserveDenomination(view, reserve), baseUnits, rounding);
}

/** The suppliers' assets, with interest up to the View's slot. */
export const supplied = perView((view: View, reserve: ReserveRecord): TokenAmount => {
  return reserveAmount(view, reserve, accrued(view, reserve).totalSupply);
});

export const borrowed = perView((view: View, reserve: ReserveRecord): TokenAmount => {
  return reserveAmount(view, reserve, accrued(view, reserve).borrowed, 'up');
});

/** Available liquidity minus the withdraw queue. */
export const available = perView((view: View, reserve: ReserveRecord): TokenAmount => {
  return reserveAmount(view, reserve, freelyAvailable(accrued(view, reserve)));
});

export function utilization(view: View, reserve: ReserveRecord): Rational {
  return accrued(view, reserve).utilization;
}

export const exchangeRate = perView((view: View, reserve: ReserveRecord): Rational => {
  return collateralExchangeRate(accrued(view, reserve));
});

export function cumulativeBorrowRate(view: View, reserve: ReserveRecord): Rational {
  return accrued(view, reserve).cumulativeBorrowRate;
}

export const supplyRate = perView((view: View, reserve: ReserveRecord): Rational => {
  return supplyApr(accrued(view, reserve), view.moment);
});

export const borrowRate = perView((view: View, reserve: ReserveRecord): Rational => {
  return borrowApr(accrued(view, reserve), view.moment);
});

/** A yield with its reward tokens. */
export interface Yield extends ApyBreakdown {
  readonly basis: 'CURRENT' | 'THEORETICAL';
  readonly rewards: readonly RewardApy[];
}

/** A yield of a reserve now, with what its rewards pay. */
export interface ReserveYield extends Yield {
  readonly rewards: readonly PaidRewardApy[];
}

export const supplyYield = perView((view: View, reserve: ReserveRecord): ReserveYield => {
  const { farm, own, campaigns } = supplyRewards(view, reserve);
  const parts = apyBreakdown(supplyBaseApy(view, reserve), {
    farmRewards: totalRewardApy(farm),
    reserveRewards: totalRewardApy(own),
    incentives: totalRewardApy(campaigns),
  });
  return { ...parts, basis: 'CURRENT', rewards: [...farm, ...own, ...campaigns] };
});

/** Yield at which the value of collateral tokens grows: interest and the reserve's own rewards. */
export function collateralGrowthApy(view: View, reserve: ReserveRecord): Rational {
  return lendingApy(supplyRate(view, reserve).add(rewardsRate(view, reserve)));
}

/** Suppliers' APY without rewards. */
export function supplyBaseApy(view: View, reserve: ReserveRecord): Rational {
  return roundToPublished(supplyApy(accrued(view, reserve), view.moment));
}

/** Suppliers' reward APYs. */
export function supplyRewards(view: View, reserve: ReserveRecord) {
  const present = farmAt(view, reserve.value.farmCollateral);
  const price = present && priceUsd(view, reserve.value);
  return {
    farm: rewardApys(view, present, price ? suppliedUsd(accrued(view, reserve), price) : null),
    own: ownRewards(accrued(view, reserve), rewardsRate(view, reserve)),
    campaigns: campaignApysOfReserve(view, reserve.address, 'deposit'),
  };
}

/** Rewards of the reserve itself. They raise the value of collateral tokens, so they compound as interest does. */
function ownRewards({ account, totalSupply }: AccruedReserve, apr: Rational): PaidRewardApy[] {
  if (apr.isZero) return [];
  const { mintPubkey, mintDecimals } = account.liquidity;
  const perYear = toTokens(totalSupply, mintDecimals).mul(apr);
  const tokensPerSecond = roundToPublished(perYear.div(integer(SECONDS_PER_YEAR)));
  return [{ mint: mintPubkey, apy: lendingApy(apr), farm: null, tokensPerSecond }];
}

/** Reward APYs of a reserve in another state than the View's, such as after an action. */
export function rewardApysAt(
  view: View,
  reserve: Address,
  { accrued: state, priceUsd: price }: PricedReserve,
): { readonly supply: RewardApys; readonly borrow: RewardApys } {
  const { account } = state;
  const [supplied, owed] = [price && suppliedUsd(state, price), price && borrowedUsd(state, price)];
  return {
    supply: {
      farmRewards: totalRewardApy(rewardApys(view, farmAt(view, account.farmCollateral), supplied)),
      reserveRewards: totalRewardApy(ownRewards(state, rewardsRateOf(view, state))),
      incentives: totalRewardApy(campaignApysOn(view, reserve, 'deposit', supplied)),
    },
    borrow: {
      farmRewards: totalRewardApy(rewardApys(view, farmAt(view, account.farmDebt), owed)),
      incentives: totalRewardApy(campaignApysOn(view, reserve, 'borrow', owed)),
    },
  };
}

/** Cost of a debt without rewards. */
export function borrowBaseApy(view: View, reserve: ReserveRecord): Rational {
  return roundToPublished(borrowApy(accrued(view, reserve), view.moment));
}

/** Cost of a debt. Rewards lower it, so their parts are negative. */
export const borrowYield = perView((view: View, reserve: ReserveRecord): ReserveYield => {
  const state = accrued(view, reserve);
  const price = priceUsd(view, reserve.value);
  const farm = rewardApys(view, farmAt(view, reserve.value.farmDebt), price && borrowedUsd(state, price));
  const campaigns = campaignApysOfReserve(view, reserve.address, 'borrow');
  const parts = borrowApyBreakdown(borrowBaseApy(view, reserve), {
    farmRewards: totalRewardApy(farm),
    incentives: totalRewardApy(campaigns),
  });
  return { ...parts, basis: 'CURRENT', rewards: [...farm, ...campaigns] };
});

/** Deposit and borrow limits, and the remaining amounts. */
export interface ReserveLimits {
  readonly deposit: TokenAmount;
  readonly borrow: TokenAmount;
  /** Null without a separate limit outside elevation groups. */
  readonly borrowOutsideElevationGroup: TokenAmount | null;
  /** Null without a limit. */
  readonly utilizationBorrowBlock: Rational | null;
  readonly depositRemaining: TokenAmount;
  readonly borrowRemaining: TokenAmount;
}

export const reserveLimits = perView((view: View, reserve: ReserveRecord): ReserveLimits => {
  const { config } = reserve.value;
  const state = accrued(view, reserve);
  const outside = config.borrowLimitOutsideElevationGroup;
  return {
    deposit: reserveAmount(view, reserve, config.depositLimit),
    borrow: reserveAmount(view, reserve, config.borrowLimit),
    borrowOutsideElevationGroup: outside === U64_MAX ? null : reserveAmount(view, reserve, outside),
    utilizationBorrowBlock: utilizationBorrowBlock(config),
    depositRemaining: reserveAmount(view, reserve, depositRemaining(state)),
    borrowRemaining: reserveAmount(view, reserve, borrowRemaining(state)),
  };
});

/** Fees that the protocol has earned and not yet withdrawn. */
export const accumulatedProtocolFees = perView((view: View, reserve: ReserveRecord): TokenAmount => {
  return reserveAmount(view, reserve, accrued(view, reserve).protocolFees);
});
