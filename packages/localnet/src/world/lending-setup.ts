import { changeStake, farmUserOf } from './farm-engine.ts';
import type { Draft } from './journal.ts';
import type { Farm, Obligation } from './model.ts';
import { addObligation } from './obligations.ts';
import { timeOf } from './time.ts';
import { addUserMetadata } from './wallets.ts';
import type { World } from './world.ts';
import type { LendAction, LendSetup } from './world-actions.ts';

export const OBLIGATION_BYTES = 3344;

/**
 * Creates what is missing: the wallet's metadata, the obligation, and its user state in the reserve's farm.
 */
export function prepare(
  world: World,
  draft: Draft,
  obligation: Obligation,
  farm: Farm | null,
  group: number,
): LendSetup {
  const { slot } = draft;
  const metadata = !obligation.owner.hasMetadata;
  if (metadata) {
    addUserMetadata(world.store, obligation.owner);
    draft.rent(1032);
  }
  const first = !obligation.exists;
  if (first) {
    obligation.lastSlot = slot;
    addObligation(world.store, obligation);
    world.obligations.push(obligation);
    draft.rent(OBLIGATION_BYTES);
  }
  const firstStake = farm !== null && farmUserOf(world, farm, obligation, timeOf(slot))[1];
  if (firstStake) draft.rent(920);
  return { metadata, obligation: first, farm: firstStake, referrer: false, group };
}

export function reservesOf(obligation: Obligation): Pick<LendAction, 'deposits' | 'borrows' | 'group'> {
  return {
    deposits: obligation.deposits.flatMap((deposit) => (deposit === null ? [] : [deposit.reserve])),
    borrows: obligation.borrows.flatMap((debt) => (debt === null ? [] : [debt.reserve])),
    group: obligation.group,
  };
}

/** Reports the position to the reserve's farm, as the lending program does. */
export function setStake(
  world: World,
  obligation: Obligation,
  farm: Farm | null,
  stake: bigint,
  slot: bigint,
): void {
  if (farm === null) return;
  const [user] = farmUserOf(world, farm, obligation, timeOf(slot));
  if (user.stake !== stake) changeStake(world, user, stake - user.stake, timeOf(slot));
}
