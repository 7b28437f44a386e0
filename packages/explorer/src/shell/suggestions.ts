import { graphql, type ResultOf } from '@sluice/client';

/** Everything that has a name. The gateway answers it from memory. */
export const NAMES = graphql(`
  query Names {
    vaults(first: 100) {
      nodes { id address name totalValue { amount usd } currentApy { total } token { id symbol name } curator { id name } }
    }
    markets(first: 50) { nodes { id address name totals { suppliedUsd reserves } } }
    curators(first: 100) { nodes { id address name verified value { usd } vaults(first: 1) { totalCount } } }
  }
`);

type Names = ResultOf<typeof NAMES>;

export interface Suggestion {
  readonly kind: 'vault' | 'market' | 'curator' | 'token';
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  readonly route: string;
  /** Symbol of the token of a vault. */
  readonly token?: string;
  /** Exact figure beside it. */
  readonly figure: { readonly unit: 'usd' | 'rate'; readonly value: string } | null;
  /** Searched besides the name. */
  readonly also: string;
  /** Orders suggestions that match equally well. */
  readonly weight: number;
}

const MOST_OF_A_KIND = 4;

const usdOf = (usd: string | null | undefined): Suggestion['figure'] =>
  usd === null || usd === undefined ? null : { unit: 'usd', value: usd };

/** All that can be suggested. A token leads to the vaults that take it. */
export function suggestionsOf({ vaults, markets, curators }: Names): readonly Suggestion[] {
  const tokens = new Map<string, { readonly name: string; vaults: number; weight: number }>();
  for (const { token, totalValue } of vaults.nodes) {
    const known = tokens.get(token.symbol) ?? { name: token.name, vaults: 0, weight: 0 };
    known.vaults += 1;
    known.weight += Number(totalValue?.usd ?? 0);
    tokens.set(token.symbol, known);
  }
  return [
    ...vaults.nodes.map(
      (vault): Suggestion => ({
        kind: 'vault',
        key: vault.address,
        name: vault.name === '' ? vault.address : vault.name,
        detail: `Vault of ${vault.token.symbol}`,
        route: `/vaults/${vault.address}`,
        token: vault.token.symbol,
        figure: vault.currentApy === null ? null : { unit: 'rate', value: vault.currentApy.total },
        also: `${vault.token.symbol} ${vault.curator.name ?? ''}`,
        weight: Number(vault.totalValue?.usd ?? 0),
      }),
    ),
    ...markets.nodes.map(
      (market): Suggestion => ({
        kind: 'market',
        key: market.address,
        name: market.name === '' ? market.address : market.name,
        detail: `Market${market.totals === null ? '' : ` of ${market.totals.reserves} reserves`}`,
        route: `/markets/${market.address}`,
        figure: usdOf(market.totals?.suppliedUsd),
        also: '',
        weight: Number(market.totals?.suppliedUsd ?? 0),
      }),
    ),
    ...curators.nodes.flatMap((curator): Suggestion[] =>
      curator.name === null
        ? []
        : [
            {
              kind: 'curator',
              key: curator.address,
              name: curator.name,
              detail: `Curator, ${curator.verified ? 'verified' : 'not verified'}, ${curator.vaults.totalCount ?? 0} vaults`,
              route: `/curators/${curator.address}`,
              figure: usdOf(curator.value?.usd),
              also: '',
              weight: Number(curator.value?.usd ?? 0),
            },
          ],
    ),
    ...[...tokens].map(
      ([symbol, { name, vaults: taking, weight }]): Suggestion => ({
        kind: 'token',
        key: symbol,
        name: symbol,
        detail: `${name}, ${taking === 1 ? 'one vault' : `${taking} vaults`}`,
        route: `/vaults?vaults.find=${encodeURIComponent(symbol)}`,
        figure: null,
        also: name,
        weight,
      }),
    ),
  ];
}

/** Those that match what was typed: names that begin with it first, then words that do, then the rest; larger ones first. */
export function matching(all: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [];
  const counts = new Map<Suggestion['kind'], number>();
  return all
    .map((suggestion) => ({ suggestion, rank: rankOf(suggestion, text) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || b.suggestion.weight - a.suggestion.weight)
    .flatMap(({ suggestion }) => {
      const count = (counts.get(suggestion.kind) ?? 0) + 1;
      counts.set(suggestion.kind, count);
      return count <= MOST_OF_A_KIND ? [suggestion] : [];
    });
}

const NO_MATCH = 4;

function rankOf({ name, also }: Suggestion, text: string): number {
  const lower = name.toLowerCase();
  if (lower.startsWith(text)) return 0;
  if (lower.split(/\s+/).some((word) => word.startsWith(text))) return 1;
  if (also.toLowerCase().includes(text)) return 2;
  return lower.includes(text) ? 3 : NO_MATCH;
}
