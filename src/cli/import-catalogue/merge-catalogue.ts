import type { Catalogue } from '../../store/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../store/catalogue/format.ts';
import type { DeploymentFacts, MarketInput, TokenInput } from './read-facts.ts';

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
 * private credit vaults, which tokens are stablecoins, and entries that the deployment does not list.
 *
 * @param file the file as it is, unvalidated fields included; null when there is none
 * @param before the same after validation; the built-in catalogue when there is none
 */
export function mergeCatalogue(
  file: CatalogueInput | null,
  before: Catalogue,
  facts: DeploymentFacts,
): MergedCatalogue {
  const differences: string[] = [];
  const tokens = new Map(file === null ? [] : (file.tokens ?? []).map((token) => [token.mint, token]));
  for (const token of facts.tokens) {
    const known = before.tokens.get(token.mint);
    differences.push(...differencesOf('token', token.mint, TOKEN_FIELDS, token, known));
    tokens.set(token.mint, { ...token, ...(known?.stablecoin ? { stablecoin: true } : {}) });
  }
  const markets = new Map(
    file === null ? [] : (file.markets ?? []).map((each) => [each.lendingMarket, each]),
  );
  for (const market of facts.markets) {
    const { lendingMarket } = market;
    const known = before.markets.get(lendingMarket);
    differences.push(...differencesOf('market', lendingMarket, MARKET_FIELDS, market, known));
    markets.set(lendingMarket, market);
  }
  const given = new Set<string>([
    ...facts.tokens.map(({ mint }) => mint),
    ...facts.markets.map(({ lendingMarket }) => lendingMarket),
  ]);
  for (const mint of tokens.keys())
    if (!given.has(mint)) differences.push(`token ${mint}: only in the file, kept`);
  for (const at of markets.keys())
    if (!given.has(at)) differences.push(`market ${at}: only in the file, kept`);
  const content = {
    ...(file ?? {}),
    version: 1 as const,
    tokens: [...tokens.values()],
    markets: [...markets.values()],
  };
  return { content, differences };
}

function differencesOf<F extends string>(
  kind: string,
  address: string,
  fields: readonly F[],
  given: TokenInput | MarketInput,
  known: object | undefined,
): string[] {
  const now = given as Readonly<Partial<Record<F, unknown>>>;
  const old = (known ?? {}) as Readonly<Partial<Record<F, unknown>>>;
  if (known === undefined) return [`${kind} ${address}: new, ${JSON.stringify(now.name)}`];
  const changed = fields.filter((field) => now[field] !== undefined && now[field] !== old[field]);
  if (changed.length === 0) return [];
  const parts = changed.map(
    (field) => `${field} ${JSON.stringify(old[field])} -> ${JSON.stringify(now[field])}`,
  );
  return [`${kind} ${address}: ${parts.join(', ')}`];
}
