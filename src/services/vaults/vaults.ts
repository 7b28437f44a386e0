import { fromScaledFraction, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { inSol } from '../../domain/price.ts';
import {
  type AllocationHolding,
  actualShare,
  allocationHoldings,
  interestPerSecond,
  sharePrice,
  sharesToTokens,
  targetShare,
  tokensPerShare as tokensForOneShare,
  unallocatedShare as unallocated,
  usedAllocations,
  vaultUtilization as utilizationOf,
  type VaultHoldings,
  withdrawableNow as withdrawable,
} from '../../domain/vault.ts';
import { allocationCap, collateralCap } from '../../domain/vault-cap.ts';
import {
  interestEarned,
  managementFees,
  pendingFees,
  performanceFees,
  unchargedFees,
} from '../../domain/vault-fees.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { stakedInFarm } from '../farms/farms.ts';
import { perView } from '../request/per-view.ts';
import type { FarmRecord, VaultRecord } from '../request/records.ts';
import { wholeCollateral } from '../reserves/reserves.ts';
import { type Denomination, denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

export { usedAllocations };

/** Amounts of a vault are valued at the token's price in the View. */
export const vaultDenomination = perView((view: View, { value }: VaultRecord): Denomination => {
  return denominationOf(view, value.tokenMint, value.tokenMintDecimals);
});

export function vaultAmount(view: View, vault: VaultRecord, baseUnits: Rational | bigint): TokenAmount {
  return tokenAmount(view, vaultDenomination(view, vault), baseUnits);
}

/** Whether the operator's catalogue lists the vault among those that lend to private credit. */
export function isPrivateCredit(view: View, vault: Address): boolean {
  return Valuation.of(view).catalogue.privateCreditVaults.has(vault);
}

const holdingsOf = (view: View, vault: VaultRecord) => Valuation.of(view).holdings(vault);

/** Null when a reserve with invested tokens could not be read; likewise in all functions below. */
export function fromHoldings<T>(
  view: View,
  vault: VaultRecord,
  compute: (holdings: VaultHoldings) => T,
): T | null {
  const holdings = holdingsOf(view, vault);
  return holdings === null ? null : compute(holdings);
}

/**
 * For answers that have no null: a reserve of the vault that exists and cannot be interpreted is an error instead of zeros.
 *
 * @throws ACCOUNT_MALFORMED of the first reserve that the vault has invested in or aims at
 */
export function requireReadableReserves(view: View, { value }: VaultRecord): void {
  for (const { reserve, ctokenAllocation, targetAllocationWeight } of usedAllocations(value)) {
    if (ctokenAllocation === 0n && targetAllocationWeight === 0n) continue;
    const found = view.find('reserve', reserve);
    if (isCodedError(found, 'ACCOUNT_MALFORMED')) throw found;
  }
}

/** Tokens that are not invested. */
export const idle = perView((view: View, vault: VaultRecord): TokenAmount => {
  return vaultAmount(view, vault, vault.value.tokenAvailable);
});

export const invested = perView((view: View, vault: VaultRecord): TokenAmount | null => {
  return fromHoldings(view, vault, (holdings) => vaultAmount(view, vault, holdings.invested));
});

/** The shareholders' assets: idle plus invested, minus pending fees. */
export const totalValue = perView((view: View, vault: VaultRecord): TokenAmount | null => {
  return fromHoldings(view, vault, (holdings) => vaultAmount(view, vault, holdings.aum));
});

export const withdrawableNow = perView((view: View, vault: VaultRecord): TokenAmount | null => {
  return fromHoldings(view, vault, (holdings) => vaultAmount(view, vault, withdrawable(holdings)));
});

/** Whole shares. */
export function sharesIssued({ value }: VaultRecord): Rational {
  return Rational.of(value.sharesIssued, 10n ** value.sharesMintDecimals);
}

export const tokensPerShare = perView((view: View, vault: VaultRecord): Rational | null => {
  return fromHoldings(view, vault, (holdings) => tokensForOneShare(vault.value, holdings));
});

/** Null when the token has no price. */
export const sharePriceUsd = perView((view: View, vault: VaultRecord): Rational | null => {
  const { priceUsd } = vaultDenomination(view, vault);
  const tokens = tokensPerShare(view, vault);
  return tokens === null || priceUsd === null ? null : sharePrice(tokens, priceUsd);
});

/** The denomination of a wallet's balance: shares of a vault at their share price, any other token at its price. */
export function balanceDenomination(view: View, mint: Address, decimals: bigint | number): Denomination {
  const vault = view.vaultOfShares(mint);
  return vault === undefined
    ? denominationOf(view, mint, decimals)
    : { mint, decimals, priceUsd: sharePriceUsd(view, vault) };
}

export const sharePriceSol = perView((view: View, vault: VaultRecord): Rational | null => {
  return inSol(sharePriceUsd(view, vault), Valuation.of(view).solPriceUsd);
});

export const vaultUtilization = perView((view: View, vault: VaultRecord): Rational | null => {
  return fromHoldings(view, vault, utilizationOf);
});

/** USD value of the vault's shares staked in its farm; null when unknown. */
export function stakedSharesUsd(view: View, vault: VaultRecord, farm: FarmRecord): Rational | null {
  return fromHoldings(
    view,
    vault,
    (holdings) => vaultAmount(view, vault, sharesToTokens(vault.value, holdings, stakedInFarm(farm))).usd,
  );
}

export interface VaultInterest {
  /** Since the vault's creation, before fees, up to the View. */
  readonly earned: TokenAmount;
  /** Before fees; null when a reserve could not be read. */
  readonly perSecond: TokenAmount | null;
}

export const vaultInterest = perView((view: View, vault: VaultRecord): VaultInterest => {
  const { value } = vault;
  const holdings = holdingsOf(view, vault);
  if (holdings === null) {
    return {
      earned: vaultAmount(view, vault, fromScaledFraction(value.cumulativeEarnedInterestSf)),
      perSecond: null,
    };
  }
  const uncharged = unchargedFees(value, holdings, view.moment.timestamp);
  return {
    earned: vaultAmount(view, vault, interestEarned(value, uncharged)),
    perSecond: vaultAmount(view, vault, interestPerSecond(holdings, view.moment)),
  };
});

export interface VaultFees {
  readonly performanceBps: number;
  readonly managementBps: number;
  readonly cumulativePerformance: TokenAmount;
  readonly cumulativeManagement: TokenAmount;
  readonly pending: TokenAmount;
  /** Null when fees were never charged. */
  readonly lastChargedAt: Date | null;
  readonly withdrawalPenaltyBps: number;
}

/** Fees up to the View; as last stored when a reserve could not be read. */
export const vaultFees = perView((view: View, vault: VaultRecord): VaultFees => {
  const { value } = vault;
  const amount = (baseUnits: Rational) => vaultAmount(view, vault, baseUnits);
  const holdings = holdingsOf(view, vault);
  const uncharged = holdings && unchargedFees(value, holdings, view.moment.timestamp);
  const stored = fromScaledFraction;
  return {
    performanceBps: smallNumber(value.performanceFeeBps),
    managementBps: smallNumber(value.managementFeeBps),
    cumulativePerformance: amount(
      uncharged ? performanceFees(value, uncharged) : stored(value.cumulativePerfFeesSf),
    ),
    cumulativeManagement: amount(
      uncharged ? managementFees(value, uncharged) : stored(value.cumulativeMgmtFeesSf),
    ),
    pending: amount(holdings && uncharged ? pendingFees(holdings, uncharged) : stored(value.pendingFeesSf)),
    lastChargedAt:
      value.lastFeeChargeTimestamp === 0n ? null : new Date(smallNumber(value.lastFeeChargeTimestamp) * 1000),
    withdrawalPenaltyBps: smallNumber(value.withdrawalPenaltyBps),
  };
});

/** One used slot of the allocation strategy. */
export interface VaultAllocation {
  readonly holding: AllocationHolding;
  readonly targetShare: Rational;
  /** Null when a reserve of the vault cannot be read. */
  readonly actualShare: Rational | null;
  /** By both caps, the one in collateral tokens at their present price. */
  readonly cap: TokenAmount;
  /** Whole collateral tokens; null for no such cap. */
  readonly collateralCap: Rational | null;
  readonly target: TokenAmount;
  /** Null when the reserve cannot be read. */
  readonly invested: TokenAmount | null;
  /** Whole collateral tokens. */
  readonly collateral: Rational;
}

export const vaultAllocations = perView((view: View, vault: VaultRecord): VaultAllocation[] => {
  const { value } = vault;
  const holdings = holdingsOf(view, vault);
  const priced = (address: VaultRecord['address']) => Valuation.of(view).priced(address)?.accrued;
  return (holdings?.allocations ?? allocationHoldings(value, priced)).map((holding) => {
    const { allocation, invested } = holding;
    const collateral = (baseUnits: bigint) =>
      wholeCollateral(view, view.get('reserve', allocation.reserve), baseUnits);
    const capInCollateral = collateralCap(allocation);
    return {
      holding,
      targetShare: targetShare(value, allocation),
      actualShare: holdings && actualShare(holdings, holding),
      cap: vaultAmount(view, vault, allocationCap(allocation, holding.reserve)),
      collateralCap: capInCollateral === null ? null : collateral(capInCollateral),
      target: vaultAmount(view, vault, fromScaledFraction(allocation.tokenTargetAllocationSf)),
      invested: invested && vaultAmount(view, vault, invested),
      collateral: collateral(allocation.ctokenAllocation),
    };
  });
});

/** The fraction of the vault's value that is not invested. */
export const unallocatedShare = perView((view: View, vault: VaultRecord): Rational | null => {
  return fromHoldings(view, vault, unallocated);
});

/** Each reserve's fraction of the vault's value. Null when a reserve of the vault could not be read. */
export function allocationShares(
  view: View,
  vault: VaultRecord,
): { readonly reserve: VaultRecord['address']; readonly ratio: Rational }[] | null {
  return fromHoldings(view, vault, (holdings) =>
    holdings.allocations.flatMap((holding) => {
      const ratio = actualShare(holdings, holding);
      return ratio === null ? [] : [{ reserve: holding.allocation.reserve, ratio }];
    }),
  );
}

/** Converts a u64 that is small in any valid account; capped at the largest safe integer. */
export function smallNumber(value: bigint): number {
  return Number(value > U64_MAX >> 11n ? U64_MAX >> 11n : value);
}
