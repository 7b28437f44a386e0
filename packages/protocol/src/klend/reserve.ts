import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';
import { bigFractionBytes, lastUpdate } from './last-update.ts';
import { ELEVATION_GROUPS } from './lending-market.ts';
import { basisFlaw, reserveConfig } from './reserve-config.ts';

export const reserveLiquidity = struct({
  mintPubkey: publicKey,
  supplyVault: publicKey,
  feeVault: publicKey,
  /** Base units in the supply vault, not lent out. */
  totalAvailableAmount: u64,
  /** Base units, scaled by 2^60; so are the fees below. */
  borrowedAmountSf: u128,
  /** USD per whole token, scaled by 2^60. */
  marketPriceSf: u128,
  /** Unix seconds. */
  marketPriceLastUpdatedTs: u64,
  mintDecimals: u64,
  depositLimitCrossedTimestamp: u64,
  borrowLimitCrossedTimestamp: u64,
  cumulativeBorrowRateBsf: bigFractionBytes,
  accumulatedProtocolFeesSf: u128,
  accumulatedReferrerFeesSf: u128,
  pendingReferrerFeesSf: u128,
  absoluteReferralRateSf: u128,
  tokenProgram: publicKey,
  rewardsAmountAvailable: u64,
  padding2: padding(bytes(50 * 8)),
  padding3: padding(bytes(32 * 16)),
});

/** Decimals of every collateral mint, whatever the token has. */
export const COLLATERAL_DECIMALS = 6;

/** The mint of collateral tokens (cTokens), which are shares of the supply. */
export const reserveCollateral = struct({
  mintPubkey: publicKey,
  mintTotalSupply: u64,
  supplyVault: publicKey,
  padding1: padding(bytes(32 * 16)),
  padding2: padding(bytes(32 * 16)),
});

export const withdrawQueue = struct({
  queuedCollateralAmount: u64,
  nextIssuedTicketSequenceNumber: u64,
  nextWithdrawableTicketSequenceNumber: u64,
});

/**
 * A reserve of a market: the supply, debt and settings of one token. `*Sf` fields are scaled by 2^60.
 *
 * @example
 * const { liquidity } = reserve.decode({ owner, data }, MAINNET_PROGRAMS.klend);
 */
export const reserve = accountLayout(
  'Reserve',
  '2bf2ccca1af73b7f',
  {
    version: u64,
    lastUpdate,
    lendingMarket: publicKey,
    farmCollateral: publicKey,
    farmDebt: publicKey,
    liquidity: reserveLiquidity,
    reserveLiquidityPadding: padding(bytes(150 * 8)),
    collateral: reserveCollateral,
    reserveCollateralPadding: padding(bytes(150 * 8)),
    config: reserveConfig,
    configPadding: padding(bytes(112 * 8)),
    borrowedAmountOutsideElevationGroup: u64,
    /** Indexed by group id minus one. */
    borrowedAmountsAgainstThisReserveInElevationGroups: array(u64, ELEVATION_GROUPS),
    withdrawQueue,
    padding: padding(bytes(204 * 8)),
  },
  ({ config }) => basisFlaw(config),
);

export type Reserve = StructOf<typeof reserve.body.fields>;
