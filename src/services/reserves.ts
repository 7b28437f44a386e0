import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { type ApyBreakdown, apyBreakdown, borrowApyBreakdown } from '../domain/apy.ts';
import { toTokens } from '../domain/arithmetic.ts';
import { borrowCurve } from '../domain/interest.ts';
import type { PriceUsd } from '../domain/price.ts';
import { borrowApr, borrowApy, supplyApr, supplyApy } from '../domain/rates.ts';
import {
  borrowedUsd,
  borrowRemaining,
  collateralExchangeRate,
  depositRemaining,
  freelyAvailable,
  reserveFees,
  reserveRisk,
  reserveStatus,
  statusWord,
  suppliedUsd,
  utilizationBorrowBlock,
} from '../domain/reserve.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { roundToPublished } from '../numeric/decimal.ts';
import { U64_MAX } from '../numeric/fraction.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import { type Denomination, type Rounding, type TokenAmount, tokenAmount } from './amounts.ts';
import { campaignApysOfReserve } from './campaigns.ts';
import { farmAt, type RewardApy, rewardApys, totalRewardApy } from './farms.ts';
import { perView } from './per-view.ts';
import type { ReserveRecord } from './records.ts';
import { Valuation } from './valuation.ts';

export { borrowCurve, reserveFees, reserveRisk, reserveStatus, statusWord };

/** A reserve of the View. Throws a coded error when it does not exist or could not be read. */
export function reserveInView(view: View, address: Address): ReserveRecord {
  const found = view.find('reserve', address);
  if (found === undefined) throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: address });
  if (found instanceof SluiceError) throw found;
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

/** Rewards that the program pays directly into a reserve, as stored in the account. Not part of any yield. */
export interface ReserveRewards {
  /** Base units. */
  readonly amountPerSlot: bigint;
  readonly available: TokenAmount;
}

export function reserveRewards(view: View, reserve: ReserveRecord): ReserveRewards {
  const { config, liquidity } = reserve.value;
  return {
    amountPerSlot: config.rewardsAmountPerSlot,
    available: reserveAmount(view, reserve, liquidity.rewardsAmountAvailable),
  };
}

/** Decimals of every collateral mint; used when the mint could not be read. */
const COLLATERAL_DECIMALS = 6;

/** The collateral token (cToken) of a reserve. Its decimals differ from the reserve token's. */
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

export const supplyYield = perView((view: View, reserve: ReserveRecord): Yield => {
  const { farm, campaigns } = supplyRewards(view, reserve);
  const parts = apyBreakdown(supplyBaseApy(view, reserve), {
    farmRewards: totalRewardApy(farm),
    incentives: totalRewardApy(campaigns),
  });
  return { ...parts, basis: 'CURRENT', rewards: [...farm, ...campaigns] };
});

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
    campaigns: campaignApysOfReserve(view, reserve.address, 'deposit'),
  };
}

/** Cost of a debt without rewards. */
export function borrowBaseApy(view: View, reserve: ReserveRecord): Rational {
  return roundToPublished(borrowApy(accrued(view, reserve), view.moment));
}

/** Cost of a debt. Rewards lower it, so their parts are negative. */
export const borrowYield = perView((view: View, reserve: ReserveRecord): Yield => {
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
