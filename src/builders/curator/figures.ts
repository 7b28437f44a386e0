import { COLLATERAL_DECIMALS, type Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { fromScaledFraction, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../domain/arithmetic.ts';
import { storedReserve } from '../../domain/interest.ts';
import type { Instant } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { collateralRate } from '../../domain/vault-assets.ts';
import { collateralCap } from '../../domain/vault-cap.ts';
import { type VaultTargets, vaultTargets } from '../../domain/vault-targets.ts';
import {
  type Change,
  change,
  NO_FIGURES,
  type Preview,
  type PreviewAllocation,
  type PreviewAmount,
  type PreviewSetting,
  type VaultFigures,
} from '../preview.ts';
import { opened } from '../vault/effects.ts';
import type { BuildWarning } from '../warnings.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorEffect, openedVault } from './effect.ts';
import { allocationAt } from './refusals.ts';

/** What the preview of an action shows besides the vault before and after it. */
export interface Notes {
  readonly settings?: readonly PreviewSetting[];
  readonly rent?: PreviewAmount | null;
  readonly warnings?: readonly BuildWarning[];
}

/** A vault as the program would see it. */
interface Side {
  readonly vault: VaultState;
  readonly targets: VaultTargets;
}

function sideOf(vault: VaultState, reserves: ReadonlyMap<Address, Reserve>): Side {
  const rates = new Map(
    [...reserves].map(([address, account]) => [
      address,
      collateralRate(storedReserve(account).totalSupply, account.collateral.mintTotalSupply),
    ]),
  );
  return { vault, targets: vaultTargets(vault, (address) => rates.get(address)) };
}

/**
 * The vault before and after an action, both with rewards and fees up to now. `newReserves`: those that the action adds.
 */
export function curatorPreview(
  accounts: CuratorAccounts,
  effect: CuratorEffect,
  at: Instant,
  notes: Notes = {},
  newReserves: ReadonlyMap<Address, Reserve> = new Map(),
): Preview {
  const { request } = accounts;
  const before = openedVault(accounts, at);
  const reserves = new Map([...newReserves, ...before.refreshed, ...effect.reserves]);
  const after =
    effect.reserves.size > 0 ? effect.vault : opened({ vault: effect.vault, reserves }, at.timestamp).vault;
  const sides = [sideOf(before.vault, before.refreshed), sideOf(after, reserves)] as const;
  const figures: VaultFigures = {
    vault: request.vault,
    ...assetsOf(...sides),
    settings: notes.settings ?? [],
    ...movedTokens(accounts.vault, effect.received),
    rent: notes.rent ?? null,
  };
  return { ...NO_FIGURES, vault: figures, warnings: notes.warnings ?? [] };
}

/** Allocations and amounts of a vault before and after. */
export type VaultAssetsChange = Pick<
  VaultFigures,
  'allocations' | 'idleTokens' | 'targetIdleTokens' | 'pendingFees' | 'rewardsAvailable'
>;

/** The vault before and after several actions at one moment, with rewards and fees up to then. */
export function assetsChange(
  before: CuratorAccounts,
  after: CuratorAccounts,
  at: Instant,
): VaultAssetsChange {
  const [first, last] = [openedVault(before, at), openedVault(after, at)];
  return assetsOf(sideOf(first.vault, first.refreshed), sideOf(last.vault, last.refreshed));
}

function assetsOf(before: Side, after: Side): VaultAssetsChange {
  const addresses = [before, after].flatMap(({ vault }) =>
    usedAllocations(vault).map(({ reserve }) => reserve),
  );
  const figure = (units: (side: Side) => Rational): Change =>
    change(before, after, (side) => toTokens(units(side), side.vault.tokenMintDecimals));
  return {
    allocations: [...new Set(addresses)].map((address) => allocationOf(address, before, after)),
    idleTokens: figure(({ vault }) => integer(vault.tokenAvailable)),
    targetIdleTokens: figure(({ targets }) => fromScaledFraction(targets.idleSf)),
    pendingFees: figure(({ vault }) => fromScaledFraction(vault.pendingFeesSf)),
    rewardsAvailable: figure(({ vault }) => integer(vault.rewardInfo.rewardsAvailable)),
  };
}

function allocationOf(reserve: Address, before: Side, after: Side): PreviewAllocation {
  const figure = (
    value: (allocation: NonNullable<ReturnType<typeof allocationAt>>, side: Side) => Rational | null,
  ): Change =>
    change(before, after, (side) => {
      const allocation = allocationAt(side.vault, reserve);
      return allocation === undefined ? null : value(allocation, side);
    });
  const inTokens = (units: Rational, { vault }: Side) => toTokens(units, vault.tokenMintDecimals);
  return {
    reserve,
    weight: figure(({ targetAllocationWeight }) => integer(targetAllocationWeight)),
    cap: figure(({ tokenAllocationCap: cap }, side) =>
      cap === U64_MAX ? null : inTokens(integer(cap), side),
    ),
    collateralCap: figure((allocation) => {
      const cap = collateralCap(allocation);
      return cap === null ? null : toTokens(integer(cap), BigInt(COLLATERAL_DECIMALS));
    }),
    tokens: figure((_, side) =>
      inTokens(fromScaledFraction(side.targets.investedSf.get(reserve) ?? 0n), side),
    ),
    targetTokens: figure((_, side) =>
      inTokens(fromScaledFraction(side.targets.targetSf.get(reserve) ?? 0n), side),
    ),
  };
}

function movedTokens(
  { tokenMint, tokenMintDecimals }: VaultState,
  received: bigint | null,
): Pick<VaultFigures, 'paid' | 'received'> {
  const amountOf = (amount: bigint): PreviewAmount | null =>
    amount > 0n ? { mint: tokenMint, decimals: Number(tokenMintDecimals), amount } : null;
  return { paid: amountOf(-(received ?? 0n)), received: amountOf(received ?? 0n) };
}
