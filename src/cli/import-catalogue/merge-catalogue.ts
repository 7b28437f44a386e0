import type { Catalogue } from '../../config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../config/catalogue/format.ts';
import type { DeploymentFacts } from './read-facts.ts';

/** A file's content, and how it differs from the one before. */
export interface MergedCatalogue {
  readonly content: CatalogueInput;
  /** One line for each market and token that is new, changed, or only in the file. Volumes do not count as a change. */
  readonly differences: readonly string[];
}

const MARKET_FIELDS = ['name', 'description', 'isPrimary', 'isCurated', 'lookupTable'] as const;
const TOKEN_FIELDS = ['symbol', 'name', 'logoUrl', 'verified', 'priority'] as const;

/**
 * Replaces markets and tokens of a file by those of a deployment. What the contract does not have stays as it is: campaigns,
 * private credit vaults, curators, which tokens are stablecoins, proofs of reserves, and entries that the deployment does not list.
 *
 * @param file the file as it is, unvalidated fields included; null when there is none
 * @param before the same after validation; the built-in catalogue when there is none
 */
export function mergeCatalogue(
  file: CatalogueInput | null,
  before: Catalogue,
  facts: DeploymentFacts,
): MergedCatalogue {
  const tokens = new Map((file?.tokens ?? []).map((token) => [String(token.mint), token]));
  const markets = new Map((file?.markets ?? []).map((market) => [String(market.lendingMarket), market]));
  const differences = [
    ...facts.tokens.flatMap((token) =>
      differencesOf('token', token.mint, TOKEN_FIELDS, token, before.tokens.get(token.mint)),
    ),
    ...facts.markets.flatMap((market) =>
      differencesOf(
        'market',
        market.lendingMarket,
        MARKET_FIELDS,
        market,
        before.markets.get(market.lendingMarket),
      ),
    ),
    ...onlyInFile(
      'token',
      tokens,
      facts.tokens.map(({ mint }) => mint),
    ),
    ...onlyInFile(
      'market',
      markets,
      facts.markets.map(({ lendingMarket }) => lendingMarket),
    ),
  ];
  for (const token of facts.tokens) {
    const known = before.tokens.get(token.mint);
    tokens.set(token.mint, {
      ...token,
      ...(known?.stablecoin === true ? { stablecoin: true } : {}),
      ...(known?.proofOfReserves ? { proofOfReserves: known.proofOfReserves } : {}),
    });
  }
  for (const market of facts.markets) markets.set(market.lendingMarket, market);
  const content = {
    ...(file ?? {}),
    version: 1 as const,
    tokens: [...tokens.values()],
    markets: [...markets.values()],
  };
  return { content, differences };
}

/** Values by field, of a token or a market. */
type Named = Readonly<Record<string, unknown>>;

function differencesOf(
  kind: string,
  address: string,
  fields: readonly string[],
  now: Named,
  old: Named | undefined,
): string[] {
  if (old === undefined) return [`${kind} ${address}: new, ${JSON.stringify(now.name)}`];
  const changed = fields.filter((field) => now[field] !== undefined && now[field] !== old[field]);
  if (changed.length === 0) return [];
  const parts = changed.map(
    (field) => `${field} ${JSON.stringify(old[field])} -> ${JSON.stringify(now[field])}`,
  );
  return [`${kind} ${address}: ${parts.join(', ')}`];
}

function onlyInFile(kind: string, inFile: ReadonlyMap<string, unknown>, given: readonly string[]): string[] {
  const listed = new Set(given);
  return [...inFile.keys()]
    .filter((address) => !listed.has(address))
    .map((address) => `${kind} ${address}: only in the file, kept`);
}
