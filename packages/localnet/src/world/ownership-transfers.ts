import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { WorldAddresses } from '../world-addresses.ts';
import { reserveOf } from './markets.ts';
import type { Market } from './model.ts';
import { createObligation } from './obligations.ts';
import { addQuietWallet, planSupply, quietWallet } from './quiet-wallets.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const { klend } = MAINNET_PROGRAMS;
/** Deposits in USD: the first is offered, the transfer of the second is approved. */
const DEPOSITS = [1_500, 3_000];
const OFFERING = 'transfer offering';
const NEW_OWNER = 'transfer new owner';

/** Plans a wallet that has offered its obligations to another one. */
export function planOwnershipTransfers(world: World, plan: WorldPlan, market: Market): void {
  const [owner, newOwner] = [addQuietWallet(world, OFFERING), addQuietWallet(world, NEW_OWNER)];
  DEPOSITS.forEach((usd, id) => {
    const transfer = { newOwner: newOwner.address, isApproved: id === 1 };
    const obligation = createObligation(owner, market, { ...VANILLA_OBLIGATION, id }, transfer);
    planSupply(world, plan, obligation, reserveOf(market, 'SOL'), usd);
  });
}

export function transferAddresses(
  world: World,
  market: Market,
): Pick<WorldAddresses, 'offeringWallet' | 'newOwner' | 'offeredObligation' | 'approvedObligation'> {
  const offeringWallet = quietWallet(world, OFFERING);
  const addressOf = (id: number) =>
    obligationAddress(klend, offeringWallet, market.address, { ...VANILLA_OBLIGATION, id }).address;
  return {
    offeringWallet,
    newOwner: quietWallet(world, NEW_OWNER),
    offeredObligation: addressOf(0),
    approvedObligation: addressOf(1),
  };
}
