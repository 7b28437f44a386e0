import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';

const PATH = '/tokens-api/tokens';

export const TOKEN: Shape = {
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

export const TOKEN_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: PATH,
    answer: { list: TOKEN },
    asks: ({ mints, vaults }) => [
      { url: PATH },
      { url: `${PATH}?limit=1000` },
      { url: `${PATH}?limit=1` },
      { url: `${PATH}?verified=true` },
      { url: `${PATH}?verified=false` },
      { url: `${PATH}?symbol=usdc` },
      { url: `${PATH}?symbol=nothing-has-this` },
      ...mints.map((mint) => ({ url: `${PATH}?mint=${mint}` })),
      ...vaults.slice(0, 3).map(({ sharesMint }) => ({ url: `${PATH}?mint=${sharesMint}` })),
    ],
    refusals: () =>
      WRONG.map(([name, value]) => ({
        name: `${name}=${value}`,
        ask: { url: `${PATH}?${name}=${value}` },
        status: 400,
        code: 'BAD_REQUEST',
        at: name,
      })),
  },
];
