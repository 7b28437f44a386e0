import { NO_ADDRESS } from '../../programs/program-ids.ts';
import { marketFacts } from '../../services/markets.ts';
import type { MarketRecord, Session } from '../../services/records.ts';
import type { MarketConfig } from '../schemas/market-config.ts';
import type { AnswerOf } from '../unknown.ts';

/** The configuration of a market, with the field names of the REST contract. */
export function marketConfig({ view }: Session, market: MarketRecord): AnswerOf<typeof MarketConfig> {
  const { name, description, isPrimary, isCurated, lookupTable } = marketFacts(view, market);
  return {
    lendingMarket: market.address,
    name,
    description,
    isPrimary,
    isCurated,
    lookupTable: lookupTable ?? NO_ADDRESS,
  };
}
