import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { ceilScaled, FRACTION_ONE, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, ceilDivide, lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { storedReserve } from '../../domain/interest.ts';
import type { Instant } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import {
  type CollateralRate,
  collateralRate,
  collateralValueSf,
  vaultAssets,
} from '../../domain/vault-assets.ts';
import { crankFeeOf, type DepositTerms, depositTerms } from '../../domain/vault-deposit.ts';
import { withdrawalPenalty } from '../../domain/vault-fees.ts';
import { changed } from '../changed-account.ts';
import { refreshedAccount } from '../lending/effects.ts';
import type { VaultAccounts } from './accounts.ts';
import { type ExitPart, refreshedReserves } from './exit.ts';

/** The state after an action, with the program's rounding. */
export interface VaultEffect {
  readonly vault: VaultState;
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** Shares minted or burned, base units. */
  readonly shares: bigint;
  /** Tokens that the wallet pays (crank fee included) or receives, base units. */
  readonly tokens: bigint;
  /** Withheld for the other shareholders, base units. */
  readonly penalty: bigint;
  /** Part of a deposit that pays for cranking, base units. */
  readonly crankFee: bigint;
  /** Whether the program would refuse one of the instructions, for example because it pays out too little. */
  readonly refused: boolean;
}

/** The vault as the program sees it after the first steps of every action, and its assets, scaled by 2^60. */
export interface OpenedVault {
  readonly vault: VaultState;
  readonly reserves: ReadonlyMap<Address, CollateralRate>;
  readonly aumSf: bigint;
}

/**
 * The reserves after the refresh with which every action starts. A later instruction of the same slot does not accrue
 * again, although a redemption has changed the utilization.
 */
export function refreshed(
  accounts: Pick<VaultAccounts, 'reserves' | 'markets'>,
  at: Instant,
): VaultAccounts['reserves'] {
  return new Map(
    [...refreshedReserves(accounts, at)].map(([address, each]) => [address, refreshedAccount(each)]),
  );
}

/** Credits rewards and charges fees up to now. */
export function opened(
  { vault, reserves }: Pick<VaultAccounts, 'vault' | 'reserves'>,
  timestamp: bigint,
): OpenedVault {
  const rates = new Map(
    [...reserves].map(([address, account]) => [
      address,
      collateralRate(storedReserve(account).totalSupply, account.collateral.mintTotalSupply),
    ]),
  );
  const { aumSf, rewardsAvailable, lastIssuanceTs, ...numbers } = vaultAssets(
    vault,
    (reserve) => rates.get(reserve),
    timestamp,
  );
  const rewardInfo = changed(vault.rewardInfo, { rewardsAvailable, lastIssuanceTs });
  return { vault: changed(vault, { ...numbers, rewardInfo }), reserves: rates, aumSf };
}

/** Assets of the shareholders when an action runs, scaled by 2^60. */
export function vaultAumSf(accounts: VaultAccounts, at: Instant): bigint {
  return opened({ vault: accounts.vault, reserves: refreshed(accounts, at) }, at.timestamp).aumSf;
}

const fractionOf = (sf: bigint): bigint => sf % FRACTION_ONE;

/** Collateral worth at least so many base units. */
function collateralFor({ supplySf, minted }: CollateralRate, units: bigint): bigint {
  return minted === 0n ? units : ceilDivide(wholeScaled(units) * minted, supplySf);
}

/** The effect of a deposit, with the terms that the program applies to it. */
export interface VaultDepositEffect extends VaultEffect {
  readonly terms: DepositTerms;
}

/** @param minShares fewer shares are refused, and then nothing moves */
export function vaultDepositEffect(
  accounts: VaultAccounts,
  amount: bigint,
  at: Instant,
  minShares = 0n,
): VaultDepositEffect {
  const reserves = refreshed(accounts, at);
  const { vault, aumSf } = opened({ vault: accounts.vault, reserves }, at.timestamp);
  const terms = depositTerms(vault, aumSf, amount, crankFeeOf(vault), minShares);
  const { shares, tokens, crankFee, refusal } = terms;
  const common = { reserves, penalty: 0n, terms };
  if (refusal !== null) {
    return { ...common, vault: accounts.vault, shares: 0n, tokens: 0n, crankFee: 0n, refused: true };
  }
  return {
    ...common,
    vault: changed(vault, {
      tokenAvailable: vault.tokenAvailable + tokens,
      sharesIssued: vault.sharesIssued + shares,
      availableCrankFunds: vault.availableCrankFunds + crankFee,
      prevAumSf: aumSf + wholeScaled(tokens),
    }),
    shares,
    tokens: tokens + crankFee,
    crankFee,
    refused: false,
  };
}

/**
 * Applies the instructions of a withdrawal in order.
 * @param parts the shares of each instruction, as they are encoded
 * @param held the wallet's shares, the most that an instruction burns
 */
export function vaultWithdrawEffect(
  accounts: VaultAccounts,
  parts: readonly ExitPart[],
  held: bigint,
  at: Instant,
): VaultEffect {
  let effect: VaultEffect = {
    vault: accounts.vault,
    reserves: refreshed(accounts, at),
    shares: 0n,
    tokens: 0n,
    penalty: 0n,
    crankFee: 0n,
    refused: false,
  };
  for (const { reserve, shares } of parts) {
    const part = { reserve, shares: lesser(shares, held - effect.shares) };
    effect = withdrawalEffect(accounts, effect, part, at.timestamp);
    if (effect.refused) break;
  }
  return effect;
}

function withdrawalEffect(
  { globalConfig }: VaultAccounts,
  before: VaultEffect,
  { reserve, shares }: ExitPart,
  timestamp: bigint,
): VaultEffect {
  const { vault, reserves: rates, aumSf } = opened(before, timestamp);
  const issued = vault.sharesIssued;
  const refused = { ...before, refused: true };
  if (shares === 0n || issued === 0n || aumSf === 0n) return refused;
  const gross = (shares === issued ? aumSf : (aumSf * shares) / issued) / FRACTION_ONE;
  const penalty = withdrawalPenalty(vault, globalConfig, gross);
  if (penalty >= gross) return refused;
  const owed = gross - penalty;
  const idle = lesser(vault.tokenAvailable, owed);
  const left = disinvested(vault, rates, reserve, owed - idle);
  const theoreticalSf = wholeScaled(idle + penalty) + left.owedSf;
  const burned = lesser(ceilScaled(ceilDivide(theoreticalSf * wholeScaled(issued), aumSf)), shares);
  if (burned === 0n || idle + left.owedSf / FRACTION_ONE <= vault.minWithdrawAmount) return refused;
  return {
    ...before,
    vault: changed(vault, {
      tokenAvailable: vault.tokenAvailable - idle + left.liquidity - left.sent,
      sharesIssued: issued - burned,
      vaultAllocationStrategy: vault.vaultAllocationStrategy.map((each) =>
        left.collateral > 0n && each.reserve === reserve
          ? changed(each, { ctokenAllocation: each.ctokenAllocation - left.collateral })
          : each,
      ),
      prevAumSf: atLeastZero(aumSf - theoreticalSf + wholeScaled(penalty)),
    }),
    reserves: redeemed(before.reserves, reserve, left),
    shares: before.shares + burned,
    tokens: before.tokens + idle + left.sent,
    penalty: before.penalty + penalty,
  };
}

/** The part of a withdrawal that comes from a reserve. Base units, but for `owedSf`. */
interface Disinvestment {
  /** The wallet's claim on the reserve, scaled by 2^60. */
  readonly owedSf: bigint;
  readonly collateral: bigint;
  /** Redeemed for the collateral. */
  readonly liquidity: bigint;
  /** Part of that sent to the wallet: a rounding unit may stay in the vault. */
  readonly sent: bigint;
}

const NOTHING: Disinvestment = { owedSf: 0n, collateral: 0n, liquidity: 0n, sent: 0n };

function disinvested(
  vault: VaultState,
  rates: OpenedVault['reserves'],
  address: Address | null,
  wanted: bigint,
): Disinvestment {
  const rate = address === null ? undefined : rates.get(address);
  const allocation = usedAllocations(vault).find(({ reserve }) => reserve === address);
  if (rate === undefined || allocation === undefined) return NOTHING;
  const owned = allocation.ctokenAllocation;
  const owedSf = lesser(collateralValueSf(rate, owned), wholeScaled(wanted));
  if (owedSf === 0n) return NOTHING;
  const collateral = lesser(collateralFor(rate, owedSf / FRACTION_ONE), owned);
  const redeemedSf = collateralValueSf(rate, collateral);
  const lost = fractionOf(redeemedSf) > fractionOf(owedSf) ? 1n : 0n;
  return {
    owedSf,
    collateral,
    liquidity: redeemedSf / FRACTION_ONE,
    sent: owedSf / FRACTION_ONE - lost,
  };
}

function redeemed(
  reserves: VaultEffect['reserves'],
  address: Address | null,
  { collateral: burned, liquidity: paid }: Disinvestment,
): VaultEffect['reserves'] {
  const account = address === null ? undefined : reserves.get(address);
  if (address === null || account === undefined || burned === 0n) return reserves;
  const { liquidity, collateral } = account;
  return new Map(reserves).set(
    address,
    changed(account, {
      liquidity: changed(liquidity, {
        totalAvailableAmount: atLeastZero(liquidity.totalAvailableAmount - paid),
      }),
      collateral: changed(collateral, { mintTotalSupply: atLeastZero(collateral.mintTotalSupply - burned) }),
    }),
  );
}
