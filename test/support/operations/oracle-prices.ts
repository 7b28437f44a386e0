import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import { MARKET_CONFIG } from './markets.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const PRICE: Shape = {
  fields: {
    price: 'decimal',
    mint: 'address',
    maxAgeInSeconds: 'integerString',
    timestamp: 'integerString',
    name: 'label',
  },
};

interface GraphPrice {
  readonly token: { readonly mint: string; readonly symbol: string };
  readonly price: { readonly usd: string; readonly asOf: string };
  readonly maxAgeSeconds: string;
}

interface GraphMarket {
  readonly address: string;
  readonly lookupTable: { readonly address: string } | null;
  readonly prices: readonly GraphPrice[];
}

const PRICES = `prices { token { mint symbol } price { usd asOf } maxAgeSeconds }`;

const restPrices = (prices: readonly GraphPrice[]) =>
  prices.map(({ token, price, maxAgeSeconds }) => ({
    price: price.usd,
    mint: token.mint,
    maxAgeInSeconds: maxAgeSeconds,
    timestamp: String(Date.parse(price.asOf) / 1_000),
    name: token.symbol,
  }));

const PATH = '/oracles/prices';

export const ORACLE_PRICE_ROW: OperationRow = {
  method: 'get',
  path: PATH,
  answer: { list: PRICE },
  requests: () => [
    { url: PATH, variables: {} },
    { url: `${PATH}?markets=main`, variables: {} },
    {
      url: `${PATH}?markets=all`,
      variables: { all: true },
      answer: { list: { fields: { ...MARKET_CONFIG.fields, prices: { list: PRICE } } } },
    },
  ],
  refusals: () => [badRequest('another word', `${PATH}?markets=some`, 'markets')],
  async twin(graph, { all }) {
    const filter = all ? '' : ', filter: { primary: true }';
    const { markets } = await graph<{ markets: { nodes: readonly GraphMarket[] } }>(
      `{ markets(first: ${all ? 100 : 1}${filter}) { nodes {
          address name description isPrimary isCurated lookupTable { address } ${PRICES}
        } } }`,
    );
    if (!all) return markets.nodes.flatMap(({ prices }) => restPrices(prices));
    return markets.nodes.map(({ address, lookupTable, prices, ...facts }) => ({
      lendingMarket: address,
      ...facts,
      lookupTable: lookupTable?.address ?? NO_ADDRESS,
      prices: restPrices(prices),
    }));
  },
};
