import { z } from '@hono/zod-openapi';
import { SluiceError } from '../../errors/sluice-error.ts';
import { listMarkets, marketInView } from '../../services/markets/markets.ts';
import { ONLY_500_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { address } from '../values/address.ts';
import { programId } from '../values/program-id.ts';
import { marketConfig } from './answers.ts';
import { MarketConfig } from './schemas.ts';

const common = { method: 'get', tag: 'Markets', holds: 'view' } as const;
const query = z.object({ programId });

export const MARKET_CONFIGS = operation({
  ...common,
  id: 'listMarketConfigs',
  path: '/v2/svc-market',
  summary: 'Configuration of all lending markets',
  description:
    'Markets of a lending program, largest supply in USD first. Empty for a program that is not served.',
  graph:
    'query { markets { nodes { address name description isPrimary isCurated lookupTable { address } } } }',
  family: READ_ERRORS,
  query,
  response: z.array(MarketConfig),
  example: () => ({}),
  async answer({ session }, { query: { programId: program } }) {
    return listMarkets(session.view)
      .filter(({ owner }) => program === undefined || owner === program)
      .map((market) => marketConfig(session, market));
  },
});

export const MARKET_CONFIG = operation({
  ...common,
  id: 'getMarketConfig',
  path: '/v2/svc-market/{pubkey}',
  summary: 'Configuration of one lending market',
  description:
    'Every failure is a 500, including an unknown market and a market of a program other than `programId`.',
  graph: 'query { market(address) { address name description isPrimary isCurated lookupTable { address } } }',
  family: ONLY_500_ERRORS,
  params: z.object({ pubkey: address('Address of the lending market.') }),
  query,
  response: MarketConfig,
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ session }, { params, query: { programId: program } }) {
    const market = marketInView(session.view, params.pubkey);
    if (program !== undefined && market.owner !== program) {
      const reason = `Market ${market.address} belongs to lending program ${market.owner}, not ${program}. Omit \`programId\`, or pass that one.`;
      throw new SluiceError('BAD_REQUEST', { reason });
    }
    return marketConfig(session, market);
  },
});
