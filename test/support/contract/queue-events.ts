import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import type { QueueEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';

/**
 * Transactions of the world's queued wallet. Its tickets are in the generated state, without transactions of their own. The
 * newest entry has the ticket that waits, with collateral tokens of the first vault; another ticket is no longer there.
 *
 * @param now Unix seconds
 */
export function queueEventsOf(
  { queuedWallet, queuedReserve, queuedMarket, queuedTicket, vault, emptyWallet }: WorldAddresses,
  now: number,
): QueueEvent[] {
  const at = (daysAgo: number, name: string) => ({
    signature: name.padEnd(64, '1'),
    slot: 1_000n - BigInt(daysAgo),
    time: now - daysAgo * 86_400,
    index: 0,
    reserve: queuedReserve as Address,
    market: queuedMarket as Address,
    wallet: queuedWallet as Address,
    signer: queuedWallet as Address,
    obligation: null,
  });
  const paid = { ticket: emptyWallet as Address, vault: vault as Address };
  const waiting = { ticket: queuedTicket as Address, vault: vault as Address };
  return [
    { ...at(9, 'enqueued'), ...paid, kind: 'enqueue', collateral: 9_000_000n, liquidity: null },
    { ...at(8, 'taken'), ...paid, kind: 'cancel', collateral: 2_000_000n, liquidity: null },
    { ...at(7, 'paid'), ...paid, kind: 'withdraw', collateral: 6_000_000n, liquidity: 6_100_000n },
    { ...at(6, 'recovered'), ...paid, kind: 'recover', collateral: 500_000n, liquidity: null },
    { ...at(5, 'waiting'), ...waiting, kind: 'enqueue', collateral: 8_000_000n, liquidity: null },
  ];
}
