import type { Address } from '@solana/kit';
import { storedReserve } from '../../domain/interest.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { MANAGEMENT_FEE_YEAR, withdrawalPenalty } from '../../domain/vault-fees.ts';
import {
  ceilScaled,
  FRACTION_ONE,
  FULL_BPS,
  multiplyScaled,
  toScaledFraction,
  U64_MAX,
} from '../../numeric/fraction.ts';
import { atLeastZero, ceilDivide, lesser } from '../../numeric/integer.ts';
import type { Reserve } from '../../programs/klend/reserve.ts';
import type { VaultState } from '../../programs/kvault/vault-state.ts';
import { changed } from '../changed-account.ts';
import { refreshedAccount } from '../lending/effects.ts';
import type { VaultAccounts } from './accounts.ts';
import type { ExitPart } from './exit.ts';

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
interface OpenedVault {
  readonly vault: VaultState;
  readonly reserves: ReadonlyMap<Address, ExchangeRate>;
  readonly aumSf: bigint;
}

/** The program values collateral by these two; both are 0 in an empty reserve, which exchanges one to one. */
interface ExchangeRate {
  readonly supplySf: bigint;
  readonly minted: bigint;
}

/**
 * The reserves after the refresh with which every action starts. A later instruction of the same slot does not accrue
 * again, although a redemption has changed the utilisation.
 */
function refreshed(reserves: VaultAccounts['reserves'], slot: bigint): VaultAccounts['reserves'] {
  // The referral fee only splits the fees, so 0 leaves the total supply as it is.
  return new Map(
    [...reserves].map(([address, account]) => [address, refreshedAccount(refreshReserve(account, slot, 0))]),
  );
}

/** Credits rewards and charges fees up to now, in the fixed point and with the rounding of the program. */
function opened(
  { vault: stored, reserves }: Pick<VaultAccounts, 'vault' | 'reserves'>,
  timestamp: bigint,
): OpenedVault {
  const rates = new Map([...reserves].map(([address, account]) => [address, exchangeRate(account)]));
  const rewarded = creditRewards(stored, timestamp);
  const investedSf = usedAllocations(rewarded).reduce((sum, allocation) => {
    const rate = rates.get(allocation.reserve);
    return rate === undefined ? sum : sum + liquiditySf(rate, allocation.ctokenAllocation);
  }, 0n);
  const totalSf = scaled(rewarded.tokenAvailable) + investedSf;
  const vault = chargeFees(rewarded, totalSf, timestamp);
  return { vault, reserves: rates, aumSf: atLeastZero(totalSf - vault.pendingFeesSf) };
}

function exchangeRate(account: Reserve): ExchangeRate {
  const supplySf = toScaledFraction(storedReserve(account, account.lastUpdate.slot).totalSupply);
  const minted = account.collateral.mintTotalSupply;
  return supplySf === 0n || minted === 0n ? { supplySf: 0n, minted: 0n } : { supplySf, minted };
}

const scaled = (units: bigint): bigint => units * FRACTION_ONE;
const fractionOf = (sf: bigint): bigint => sf % FRACTION_ONE;

/** The value of collateral, scaled by 2^60. */
function liquiditySf({ supplySf, minted }: ExchangeRate, collateral: bigint): bigint {
  return minted === 0n ? scaled(collateral) : (collateral * supplySf) / minted;
}

/** Collateral worth at least so many base units. */
function collateralFor({ supplySf, minted }: ExchangeRate, units: bigint): bigint {
  return minted === 0n ? units : ceilDivide(scaled(units) * minted, supplySf);
}

/** Rewards of the vault itself become idle tokens as time passes. */
function creditRewards(vault: VaultState, timestamp: bigint): VaultState {
  const { rewardInfo, tokenAvailable } = vault;
  const { rewardPerSecond, rewardsAvailable, lastIssuanceTs } = rewardInfo;
  if (rewardPerSecond === 0n || rewardsAvailable === 0n) return vault;
  const seconds = lastIssuanceTs === 0n ? 0n : atLeastZero(timestamp - lastIssuanceTs);
  if (seconds === 0n && lastIssuanceTs !== 0n) return vault;
  const credited = lesser(lesser(rewardPerSecond * seconds, U64_MAX), rewardsAvailable);
  return changed(vault, {
    tokenAvailable: tokenAvailable + credited,
    rewardInfo: changed(rewardInfo, {
      rewardsAvailable: rewardsAvailable - credited,
      lastIssuanceTs: timestamp,
    }),
  });
}

/** @param totalSf idle and invested tokens, scaled by 2^60 */
function chargeFees(vault: VaultState, totalSf: bigint, timestamp: bigint): VaultState {
  const { lastFeeChargeTimestamp, prevAumSf, pendingFeesSf, managementFeeBps, performanceFeeBps } = vault;
  if (lastFeeChargeTimestamp === 0n) return changed(vault, { lastFeeChargeTimestamp: timestamp });
  const aumSf = atLeastZero(totalSf - pendingFeesSf);
  const seconds = atLeastZero(timestamp - lastFeeChargeTimestamp);
  const managementRateSf = ((scaled(managementFeeBps) / FULL_BPS) * seconds) / MANAGEMENT_FEE_YEAR;
  const managementSf = multiplyScaled(prevAumSf, managementRateSf);
  const earnedSf = atLeastZero(aumSf - prevAumSf);
  const performanceSf = multiplyScaled(scaled(performanceFeeBps) / FULL_BPS, earnedSf);
  const feesSf = lesser(managementSf + performanceSf, aumSf);
  return changed(vault, {
    pendingFeesSf: pendingFeesSf + feesSf,
    prevAumSf: aumSf - feesSf,
    lastFeeChargeTimestamp: timestamp,
  });
}

/** The crank fee of a deposit: a fixed fee for each reserve that can receive new tokens. */
function crankFeeOf(vault: VaultState): bigint {
  const open = usedAllocations(vault).filter(
    ({ targetAllocationWeight, tokenAllocationCap }) =>
      targetAllocationWeight > 0n && tokenAllocationCap > 0n,
  );
  return BigInt(open.length) * vault.crankFundFeePerReserve;
}

export function vaultDepositEffect(
  accounts: VaultAccounts,
  amount: bigint,
  slot: bigint,
  timestamp: bigint,
): VaultEffect {
  const reserves = refreshed(accounts.reserves, slot);
  const { vault, aumSf } = opened({ vault: accounts.vault, reserves }, timestamp);
  const crankFee = crankFeeOf(vault);
  const offered = amount > crankFee ? amount - crankFee : 0n;
  const issued = vault.sharesIssued;
  const value = ceilScaled(aumSf);
  const shares = issued === 0n ? offered : value === 0n ? 0n : (issued * offered) / value;
  const tokens = issued === 0n ? shares : ceilDivide(aumSf * shares, scaled(issued));
  return {
    vault: changed(vault, {
      tokenAvailable: vault.tokenAvailable + tokens,
      sharesIssued: issued + shares,
      availableCrankFunds: vault.availableCrankFunds + crankFee,
      prevAumSf: aumSf + scaled(tokens),
    }),
    reserves,
    shares,
    tokens: tokens + crankFee,
    penalty: 0n,
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
  slot: bigint,
  timestamp: bigint,
): VaultEffect {
  let effect: VaultEffect = {
    vault: accounts.vault,
    reserves: refreshed(accounts.reserves, slot),
    shares: 0n,
    tokens: 0n,
    penalty: 0n,
    crankFee: 0n,
    refused: false,
  };
  for (const { reserve, shares } of parts) {
    const part = { reserve, shares: lesser(shares, held - effect.shares) };
    effect = withdrawalEffect(accounts, effect, part, timestamp);
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
  const theoreticalSf = scaled(idle + penalty) + left.owedSf;
  const burned = lesser(ceilScaled(ceilDivide(theoreticalSf * scaled(issued), aumSf)), shares);
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
      prevAumSf: atLeastZero(aumSf - theoreticalSf + scaled(penalty)),
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
  /** Of that, sent to the wallet: a rounding unit may stay in the vault. */
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
  const owedSf = lesser(liquiditySf(rate, owned), scaled(wanted));
  if (owedSf === 0n) return NOTHING;
  const collateral = lesser(collateralFor(rate, owedSf / FRACTION_ONE), owned);
  const redeemedSf = liquiditySf(rate, collateral);
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
