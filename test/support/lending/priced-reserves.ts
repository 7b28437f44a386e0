import { type LendingAccounts, priceAtRefresh } from '../../../src/builders/lending/accounts.ts';
import type { PricedReserves } from '../../../src/domain/obligation.ts';
import { refreshReserve } from '../../../src/domain/refreshed-reserve.ts';
import { NOW } from '../builders/lending-accounts.ts';

/** The reserves of a lending action as the program refreshes them, with their prices. */
export function pricedReserves(accounts: LendingAccounts): PricedReserves {
  return (address) => {
    const account = accounts.reserves.get(address);
    if (account === undefined) return undefined;
    const accrued = refreshReserve(account, NOW, accounts.market);
    return { accrued, priceUsd: priceAtRefresh(accounts, account, NOW.timestamp)?.usd ?? null };
  };
}
