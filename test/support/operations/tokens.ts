import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const PATH = '/tokens-api/tokens';

const TOKEN: Shape = {
  fields: {
    mint: 'address',
    symbol: 'label',
    name: 'label',
    decimals: 'integer',
    logoUrl: { nullable: 'uri' },
    verified: 'boolean',
    tradingVolume24H: { nullable: 'number' },
    marketCapUsd: { nullable: 'number' },
    priority: 'integer',
  },
};

const WRONG: readonly (readonly [string, string])[] = [
  ['limit', '0'],
  ['limit', '1001'],
  ['limit', '-1'],
  ['limit', '1.5'],
  ['limit', 'many'],
  ['limit', ''],
  ['limit', '1e2'],
  ['mint', 'nonsense'],
  ['mint', ''],
  ['verified', 'maybe'],
  ['verified', '1'],
];

const FIELDS =
  'mint symbol name decimals logoUrl verified tradingVolume24H: tradingVolume24HUsd marketCapUsd priority';

export const TOKEN_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: PATH,
    answer: { list: TOKEN },
    requests: ({ mints, vaults }) => [
      { url: PATH, variables: { first: 20 } },
      // A page of GraphQL has at most a hundred.
      { url: `${PATH}?limit=1000` },
      ...[1, 7, 100].map((first) => ({ url: `${PATH}?limit=${first}`, variables: { first } })),
      ...[true, false].flatMap((verified) => [
        { url: `${PATH}?verified=${verified}`, variables: { first: 20, filter: { verified } } },
        { url: `${PATH}?verified=${verified}&limit=100`, variables: { first: 100, filter: { verified } } },
      ]),
      ...['usdc', 'UsDc', 'nothing-has-this'].map((symbol) => ({
        url: `${PATH}?symbol=${symbol}`,
        variables: { first: 20, filter: { symbol: symbol.toLowerCase() } },
      })),
      ...[...mints, ...vaults.map(({ sharesMint }) => sharesMint)].map((mint) => ({
        url: `${PATH}?mint=${mint}`,
        variables: { first: 20, filter: { mints: [mint] } },
      })),
    ],
    refusals: () =>
      WRONG.map(([name, value]) => badRequest(`${name}=${value}`, `${PATH}?${name}=${value}`, name)),
    async twin(graph, variables) {
      const { tokens } = await graph<{ tokens: { nodes: object[] } }>(
        `query ($first: Int, $filter: TokenFilter) { tokens(first: $first, filter: $filter) { nodes { ${FIELDS} } } }`,
        variables,
      );
      return tokens.nodes;
    },
  },
];
