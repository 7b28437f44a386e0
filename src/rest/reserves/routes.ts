import { z } from '@hono/zod-openapi';
import { marketInView, reservesOfMarket } from '../../services/markets/markets.ts';
import type { ReserveRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import {
  borrowed,
  borrowYield,
  reserveRisk,
  supplied,
  supplyYield,
} from '../../services/reserves/reserves.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { ONLY_500_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { address } from '../values/address.ts';
import { decimal } from '../values/decimal.ts';
import { EnvQuery } from '../values/env.ts';
import { ReserveMetrics } from './schemas.ts';

function metricsOf({ view }: Session, reserve: ReserveRecord): AnswerOf<typeof ReserveMetrics> {
  const { mintPubkey } = reserve.value.liquidity;
  const [supply, debt] = [supplied(view, reserve), borrowed(view, reserve)];
  return {
    reserve: reserve.address,
    liquidityToken: tokenSymbol(view, mintPubkey),
    liquidityTokenMint: mintPubkey,
    maxLtv: decimal(reserveRisk(reserve.value).maxLtv),
    // Another operation returns rewards, so they are excluded here: a client that adds both must not count them twice.
    borrowApy: decimal(borrowYield(view, reserve).base),
    supplyApy: decimal(supplyYield(view, reserve).base),
    totalSupply: decimal(supply.amount),
    totalBorrow: decimal(debt.amount),
    totalBorrowUsd: decimal(debt.usd),
    totalSupplyUsd: decimal(supply.usd),
  };
}

export const RESERVE_METRICS = operation({
  id: 'listReserveMetrics',
  method: 'get',
  path: '/svc-market/{pubkey}/reserves/metrics',
  tag: 'Reserves',
  summary: 'Current metrics of all reserves of a market',
  description: 'Largest supply first. Every failure is a 500, including an unknown market and invalid input.',
  graph:
    'query { market(address) { reserves { address token { symbol mint } risk { maxLtv } borrowApy { base } supplyApy { base } supplied { amount usd } borrowed { amount usd } } } }',
  family: ONLY_500_ERRORS,
  holds: 'view',
  params: z.object({ pubkey: address('Address of the lending market.') }),
  query: EnvQuery,
  response: z.array(ReserveMetrics),
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ session, platform }, { params, query }) {
    platform.requireCluster(query.env);
    const market = marketInView(session.view, params.pubkey);
    return reservesOfMarket(session.view, market).map((reserve) => metricsOf(session, reserve));
  },
});
