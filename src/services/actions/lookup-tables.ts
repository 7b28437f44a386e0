import type { Address } from '@solana/kit';
import type { Session } from '../records.ts';
import { Valuation } from '../valuation.ts';

/** Candidate tables of a market. Its own table is not stored on chain; it comes from the catalogue. */
export function marketTables({ view }: Session, market: Address): Address[] {
  const table = Valuation.of(view).catalogue.markets.get(market)?.lookupTable;
  return table ? [table] : [];
}
