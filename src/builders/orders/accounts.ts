import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { obligationPositions, type Positions } from '../../domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../domain/obligation-stats.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { oraclesOf, priceAtRefresh } from '../lending/accounts.ts';
import { existingObligation, marketAt, obligationReserves, priceFeedOf } from '../lending/request.ts';
import { type ReadAccounts, readableAccount } from '../read-accounts.ts';
import { shortened } from '../shortened.ts';
import { type SymbolOf, symbolsFrom } from '../token-symbol.ts';
import type { OrderRequest } from './request.ts';

/** All inputs of a change of an order. */
export interface OrderAccounts {
  readonly request: OrderRequest;
  readonly market: LendingMarket;
  readonly obligationAddress: Address;
  readonly obligation: Obligation;
  /** The obligation's reserves. The program does not need them, so one that cannot be read is missing. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** The oracles of those reserves, by address. One that cannot be read is missing. */
  readonly oracles: ReadonlyMap<Address, OraclePrices>;
  readonly symbolOf: SymbolOf;
}

/** Decodes the accounts. */
export function orderAccounts(request: OrderRequest, read: ReadAccounts): OrderAccounts {
  const { klend } = request.programs;
  const market = marketAt(read, request.market, klend);
  const { obligation, obligationAddress } = existingObligation(request, read);
  const reserves = new Map(
    obligationReserves(obligation).flatMap((address) => {
      const account = readableAccount(read, address, reserveLayout, klend);
      return account === null ? [] : [[address, account] as const];
    }),
  );
  const feeds = [...request.oracles, ...[...reserves.values()].map(priceFeedOf)];
  const oracles = oraclesOf(feeds, read);
  const symbolOf = symbolsFrom(read);
  return { request, market, obligationAddress, obligation, reserves, oracles, symbolOf };
}

/** The obligation as a refresh would value it. */
export interface ValuedPositions {
  readonly positions: Positions;
  /** Null when a value is unknown. */
  readonly stats: ObligationStats | null;
}

export function valuedPositions(accounts: OrderAccounts, moment: Moment): ValuedPositions {
  const { obligation, market, reserves } = accounts;
  const positions = obligationPositions(obligation, market, (address) => {
    const account = reserves.get(address);
    if (account === undefined) return undefined;
    const priceUsd = priceAtRefresh(accounts, account, moment.timestamp)?.usd ?? null;
    return { accrued: refreshReserve(account, moment, market), priceUsd };
  });
  return { positions, stats: obligationStats(positions) };
}

/** Ticker of the token in a reserve of the obligation. */
export function symbolAt({ reserves, symbolOf }: OrderAccounts, address: Address): string {
  const account = reserves.get(address);
  return account === undefined ? shortened(address) : symbolOf(account);
}
