import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { marketFacts } from '../../services/markets/markets.ts';
import type { MarketRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import type { MarketConfig } from './schemas.ts';

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
