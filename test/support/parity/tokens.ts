import type { ParityRow } from './parity-row.ts';

const TOKEN =
  'mint symbol name decimals logoUrl verified tradingVolume24H: tradingVolume24HUsd marketCapUsd priority';
const PATH = '/tokens-api/tokens';

export const TOKEN_PARITY: readonly ParityRow[] = [
  {
    path: PATH,
    cases: ({ mints, vaults }) => [
      { url: PATH, variables: { first: 20 } },
      { url: `${PATH}?limit=100`, variables: { first: 100 } },
      { url: `${PATH}?limit=7`, variables: { first: 7 } },
      { url: `${PATH}?verified=true&limit=100`, variables: { first: 100, filter: { verified: true } } },
      { url: `${PATH}?verified=false&limit=100`, variables: { first: 100, filter: { verified: false } } },
      { url: `${PATH}?symbol=UsDc`, variables: { first: 20, filter: { symbol: 'usdc' } } },
      ...[...mints, ...vaults.map(({ sharesMint }) => sharesMint)].map((mint) => ({
        url: `${PATH}?mint=${mint}`,
        variables: { first: 20, filter: { mints: [mint] } },
      })),
    ],
    async twin(graph, variables) {
      const { tokens } = await graph<{ tokens: { nodes: object[] } }>(
        `query ($first: Int, $filter: TokenFilter) { tokens(first: $first, filter: $filter) { nodes { ${TOKEN} } } }`,
        variables,
      );
      return tokens.nodes;
    },
  },
];
