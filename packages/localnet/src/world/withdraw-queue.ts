import {
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { rentLamports } from '../runtime/account-store.ts';
import type { Reserve, Wallet } from './model.ts';
import type { QueuedTicketSpec } from './reserve-specs.ts';
import { timeOf } from './time.ts';
import { addHolding, newHolding } from './token-accounts.ts';
import { addWallet, createWallet, holdingOf, walletAddress } from './wallets.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const { klend } = MAINNET_PROGRAMS;
/** Balance of a wallet that waits in a queue. */
const LAMPORTS = 2_000_000_000n;
/** A ticket holds its own rent, and that of the largest account that its destination could become. */
const TICKET_LAMPORTS = rentLamports(withdrawTicket.size) + rentLamports(1_000);

/**
 * Plans the tickets of a reserve. Their wallets supplied it from the start and have done nothing else since, so they are not
 * among the world's wallets, which act.
 */
export function planWithdrawQueue(world: World, plan: WorldPlan, reserve: Reserve): void {
  (reserve.spec.queue ?? []).forEach((ticket, number) => {
    const owner = createWallet(ticketOwner(world, reserve, number), {
      cell: reserve.market.cell,
      referrer: null,
      lookupTable: null,
      reserved: true,
    });
    owner.lamports = LAMPORTS;
    addWallet(world.store, owner);
    const units = plan.units(reserve.token, ticket.usd);
    const [collateral] = holdingOf(world.store, owner, reserve.collateralMint);
    holdingOf(world.store, owner, reserve.token.mint);
    // The reserve is new: a collateral token is worth one unit of liquidity.
    reserve.liquidityVault.amount += units;
    reserve.collateralMint.supply += units;
    collateral.amount += units;
    plan.add(ticket.daysAgo, (slot) => issueTicket(world, reserve, owner, ticket, slot));
  });
}

/** The wallet with a ticket of the plan. */
export function ticketOwner(
  { seed }: Pick<World, 'seed'>,
  { market, address }: Reserve,
  number: number,
): Address {
  return walletAddress(seed, `${market.cell} queue ${address} ${number}`);
}

/** Moves all collateral tokens of the wallet to the queue, for a ticket. */
function issueTicket(
  { store }: World,
  reserve: Reserve,
  owner: Wallet,
  { isCancelled = false }: QueuedTicketSpec,
  slot: bigint,
): void {
  const { token, collateralMint, market } = reserve;
  const [collateral] = holdingOf(store, owner, collateralMint);
  const [destination] = holdingOf(store, owner, token.mint);
  const address = ownerQueuedCollateralVault(klend, reserve.address, owner.address).address;
  const vault = newHolding(address, collateralMint, market.authority);
  addHolding(store, vault);
  const sequenceNumber = reserve.ticketsIssued;
  reserve.ticketsIssued += 1n;
  if (!isCancelled) {
    vault.amount = collateral.amount;
    collateral.amount = 0n;
    reserve.queuedCtokens += vault.amount;
    store.touch(collateral.address);
  }
  store.add({
    address: ticketAddress(klend, reserve.address, sequenceNumber).address,
    owner: klend,
    lamports: () => TICKET_LAMPORTS,
    encode: () =>
      withdrawTicket.encode({
        sequenceNumber,
        owner: owner.address,
        reserve: reserve.address,
        userDestinationLiquidityTa: destination.address,
        queuedCollateralAmount: vault.amount,
        createdAtTimestamp: BigInt(timeOf(slot)),
      }),
  });
  store.touch(reserve.address);
}
