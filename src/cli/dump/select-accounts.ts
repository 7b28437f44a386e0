import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Address } from '@solana/kit';
import { farmPoints, reservePoints, vaultPoints, type Want } from '../../chain/view/catalogue.ts';
import { EXPECTED_BYTES, KINDS, type Kind } from '../../chain/view/kinds.ts';
import type { View } from '../../chain/view/view.ts';
import { usedAllocations } from '../../domain/vault.ts';

/** Where a selection begins. */
export interface Roots {
  readonly markets: readonly Address[];
  readonly vaults: readonly Address[];
  /** Their reserves are selected. */
  readonly obligations: readonly Obligation[];
}

/** The accounts of a View that the roots lead to, with the size that each is expected to have. */
export function selectAccounts(view: View, roots: Roots): ReadonlyMap<Address, number> {
  const selected = new Map<Address, number>();
  const select: Want = (kind, address) => {
    if (view.get(kind, address) !== undefined) selected.set(address, EXPECTED_BYTES[kind]);
  };
  for (const vault of roots.vaults) selectVault(view, vault, select);
  for (const market of roots.markets) selectMarket(view, market, select);
  for (const { deposits, borrows } of roots.obligations) {
    for (const { depositReserve } of deposits) selectReserve(view, depositReserve, select);
    for (const { borrowReserve } of borrows) selectReserve(view, borrowReserve, select);
  }
  return selected;
}

/** Everything that a View holds. */
export function allAccounts(view: View): ReadonlyMap<Address, number> {
  const ofKind = (kind: Kind) => [...view.all(kind).keys()].map((at) => [at, EXPECTED_BYTES[kind]] as const);
  return new Map(KINDS.flatMap(ofKind));
}

function selectVault(view: View, address: Address, select: Want): void {
  const vault = view.get('vault', address);
  if (vault === undefined) return;
  select('vault', address);
  vaultPoints(vault.value, select);
  selectFarm(view, vault.value.vaultFarm, select);
  for (const { reserve } of usedAllocations(vault.value)) selectReserve(view, reserve, select);
}

function selectMarket(view: View, address: Address, select: Want): void {
  select('market', address);
  for (const reserve of view.reservesOfMarket(address)) selectReserve(view, reserve.address, select);
}

function selectReserve(view: View, address: Address, select: Want): void {
  const reserve = view.get('reserve', address);
  if (reserve === undefined) return;
  select('reserve', address);
  select('market', reserve.value.lendingMarket);
  reservePoints(reserve.value, select);
  selectFarm(view, reserve.value.farmCollateral, select);
  selectFarm(view, reserve.value.farmDebt, select);
}

function selectFarm(view: View, address: Address, select: Want): void {
  const farm = view.get('farm', address);
  if (farm !== undefined) farmPoints(farm.value, select);
}
