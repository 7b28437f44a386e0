import { z } from '@hono/zod-openapi';
import type { Address } from '@solana/kit';
import { reservesOfMarket } from '../../services/markets/markets.ts';
import { accountBase64, type ReserveRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { programId } from '../values/program-id.ts';
import { MarketReserveData, markets } from './schemas.ts';

/** Empty for an unknown market and for one of another program: `markets` and `programId` are filters. */
function reservesOf(
  { view }: Session,
  address: Address,
  program: Address | undefined,
): readonly ReserveRecord[] {
  const market = view.get('market', address);
  const wanted = market !== undefined && (program === undefined || market.owner === program);
  return wanted ? reservesOfMarket(view, market) : [];
}

export const RESERVE_ACCOUNT_DATA = operation({
  id: 'listReserveAccountData',
  method: 'get',
  path: '/svc-market/reserves/account-data',
  tag: 'Reserves',
  summary: 'Raw reserve accounts of markets',
  description:
    'One entry per market, in the order of the request and without duplicates. A market that is unknown, or belongs to a program other than `programId`, has no reserves.',
  graph: 'query { market(address) { address reserves { address accountData } } }',
  family: READ_ERRORS,
  holds: 'view',
  query: z.object({ markets, programId }),
  response: z.array(MarketReserveData),
  example: ({ market }) => ({ query: { markets: [market] } }),
  async answer({ session }, { query }) {
    return [...new Set(query.markets)].map((market) => ({
      market,
      reserves: reservesOf(session, market, query.programId).map((reserve) => ({
        pubkey: reserve.address,
        data: accountBase64(reserve),
      })),
    }));
  },
});
