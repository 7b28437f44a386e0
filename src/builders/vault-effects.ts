import type { Address } from '@solana/kit';
import { accrueReserve } from '../domain/interest.ts';
import { collateralToLiquidity, liquidityToCollateral } from '../domain/reserve.ts';
import { usedAllocations, type VaultHoldings } from '../domain/vault.ts';
import { unchargedFees, withdrawalPenalty } from '../domain/vault-fees.ts';
import { toScaledFraction } from '../numeric/fraction.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { VaultState } from '../programs/kvault/vault-state.ts';
import { changed } from './changed-account.ts';
import type { VaultAccounts } from './vault-accounts.ts';
import { type ExitPart, holdingsAt } from './vault-exit.ts';

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
}

/** The vault after charging fees up to now, the first step of every action, and its assets after that. */
function charged(
  vault: VaultState,
  holdings: VaultHoldings,
  timestamp: bigint,
): { vault: VaultState; aum: Rational } {
  const fees = unchargedFees(vault, holdings, timestamp);
  const aum = holdings.aum.sub(fees.total);
  return {
    aum,
    vault: changed(vault, {
      pendingFeesSf: vault.pendingFeesSf + toScaledFraction(fees.total),
      prevAumSf: toScaledFraction(aum),
      lastFeeChargeTimestamp:
        timestamp > vault.lastFeeChargeTimestamp ? timestamp : vault.lastFeeChargeTimestamp,
    }),
  };
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
  const { vault, aum } = charged(accounts.vault, holdingsAt(accounts, slot), timestamp);
  const crankFee = crankFeeOf(vault);
  const offered = amount > crankFee ? amount - crankFee : 0n;
  const issued = vault.sharesIssued;
  const value = aum.ceil();
  const shares = issued === 0n ? offered : value === 0n ? 0n : (issued * offered) / value;
  const tokens = issued === 0n ? shares : aum.mul(integer(shares)).div(integer(issued)).ceil();
  return {
    vault: changed(vault, {
      tokenAvailable: vault.tokenAvailable + tokens,
      sharesIssued: issued + shares,
      availableCrankFunds: vault.availableCrankFunds + crankFee,
      prevAumSf: toScaledFraction(aum.add(integer(tokens))),
    }),
    reserves: accounts.reserves,
    shares,
    tokens: tokens + crankFee,
    penalty: 0n,
    crankFee,
  };
}

/** Applies the parts of a withdrawal in order. */
export function vaultWithdrawEffect(
  accounts: VaultAccounts,
  parts: readonly ExitPart[],
  slot: bigint,
  timestamp: bigint,
): VaultEffect {
  const start = { ...charged(accounts.vault, holdingsAt(accounts, slot), timestamp) };
  let effect: VaultEffect = {
    vault: start.vault,
    reserves: accounts.reserves,
    shares: 0n,
    tokens: 0n,
    penalty: 0n,
    crankFee: 0n,
  };
  for (const part of parts) effect = partEffect(accounts, effect, part, slot);
  return effect;
}

function partEffect(accounts: VaultAccounts, before: VaultEffect, part: ExitPart, slot: bigint): VaultEffect {
  const { vault, reserves } = before;
  if (vault.sharesIssued === 0n) return before;
  const shares = part.shares < vault.sharesIssued ? part.shares : vault.sharesIssued;
  const { aum } = holdingsAt({ ...accounts, vault, reserves }, slot);
  const gross = aum.mul(integer(shares)).div(integer(vault.sharesIssued)).floor();
  const penalty = withdrawalPenalty(vault, accounts.globalConfig, gross);
  if (penalty >= gross) return before;
  const owed = gross - penalty;
  const idle = vault.tokenAvailable < owed ? vault.tokenAvailable : owed;
  const left = redeem(vault, reserves, part.reserve, owed - idle, slot);
  return {
    ...before,
    vault: changed(vault, {
      tokenAvailable: vault.tokenAvailable - idle,
      sharesIssued: vault.sharesIssued - shares,
      vaultAllocationStrategy: left.allocations,
      prevAumSf: toScaledFraction(aum.sub(integer(owed))),
    }),
    reserves: left.reserves,
    shares: before.shares + shares,
    tokens: before.tokens + idle + left.received,
    penalty: before.penalty + penalty,
  };
}

/** Redeems collateral from one reserve, rounded up to whole base units and capped at the vault's holdings. */
function redeem(
  vault: VaultState,
  reserves: ReadonlyMap<Address, Reserve>,
  address: Address | null,
  tokens: bigint,
  slot: bigint,
) {
  const allocations = vault.vaultAllocationStrategy;
  const account = address === null ? undefined : reserves.get(address);
  const index = allocations.findIndex(({ reserve }) => reserve === address);
  const allocation = allocations[index];
  if (address === null || account === undefined || allocation === undefined || tokens === 0n) {
    return { allocations, reserves, received: 0n };
  }
  const accrued = accrueReserve(account, slot, 0);
  const wanted = liquidityToCollateral(accrued, integer(tokens)).ceil();
  const redeemed = wanted < allocation.ctokenAllocation ? wanted : allocation.ctokenAllocation;
  const value = collateralToLiquidity(accrued, redeemed).floor();
  const received = value < tokens ? value : tokens;
  const { liquidity, collateral } = account;
  const available = liquidity.totalAvailableAmount - received;
  const after = changed(account, {
    liquidity: changed(liquidity, { totalAvailableAmount: available > 0n ? available : 0n }),
    collateral: changed(collateral, {
      mintTotalSupply: collateral.mintTotalSupply > redeemed ? collateral.mintTotalSupply - redeemed : 0n,
    }),
  });
  const changedAllocation = changed(allocation, { ctokenAllocation: allocation.ctokenAllocation - redeemed });
  return {
    allocations: allocations.map((each, i) => (i === index ? changedAllocation : each)),
    reserves: new Map(reserves).set(address, after),
    received,
  };
}
