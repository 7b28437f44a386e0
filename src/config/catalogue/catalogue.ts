import type { Address } from '@solana/kit';
import {
  type CatalogueCurator,
  type CatalogueInput,
  type CatalogueMarket,
  type CatalogueToken,
  catalogueFile,
  type LendingCampaign,
  type PrincipalTokenEntry,
  type VaultCampaign,
} from './format.ts';
import { invalid, issueText, readOperatorFile, repeated } from './operator-file.ts';

/** Off-chain facts: tokens, markets and campaigns. Always complete and validated. */
export interface Catalogue {
  readonly tokens: ReadonlyMap<Address, CatalogueToken>;
  readonly markets: ReadonlyMap<Address, CatalogueMarket>;
  readonly currentSource: string | null;
  readonly vaultCampaigns: readonly VaultCampaign[];
  readonly lendingCampaigns: readonly LendingCampaign[];
  readonly privateCreditVaults: ReadonlySet<Address>;
  readonly principalTokens: readonly PrincipalTokenEntry[];
  /** By admin authority. One with several is there several times. */
  readonly curators: ReadonlyMap<Address, CatalogueCurator>;
}

/**
 * Reads a catalogue file. A file with any error is rejected as a whole, with a coded error that lists what is
 * wrong and where.
 */
export async function readCatalogue(path: string): Promise<Catalogue> {
  const content = await readOperatorFile(path);
  return parseCatalogue(content as CatalogueInput, path);
}

/**
 * Validates a catalogue: its shape, and that nothing is listed twice. `source` names its origin in errors.
 */
export function parseCatalogue(content: CatalogueInput, source: string): Catalogue {
  const parsed = catalogueFile.safeParse(content);
  if (!parsed.success) throw invalid(source, parsed.error.issues.map(issueText));
  const { tokens, markets, privateCreditVaults, curators, ...rest } = parsed.data;
  const problems = [
    ...repeated(
      'tokens',
      'mint',
      tokens.map(({ mint }) => mint),
    ),
    ...repeated(
      'markets',
      'lendingMarket',
      markets.map(({ lendingMarket }) => lendingMarket),
    ),
    ...repeated(
      'principalTokens',
      'mint',
      rest.principalTokens.map(({ mint }) => mint),
    ),
    ...repeatedAuthorities(curators),
    ...repeatedNames(curators),
    ...ending('vaultCampaigns', rest.vaultCampaigns),
    ...ending('lendingCampaigns', rest.lendingCampaigns),
  ];
  if (problems.length > 0) throw invalid(source, problems);
  return {
    ...rest,
    tokens: new Map(tokens.map((token) => [token.mint, token])),
    markets: new Map(markets.map((market) => [market.lendingMarket, market])),
    privateCreditVaults: new Set(privateCreditVaults),
    curators: new Map(
      curators.flatMap((curator) => curator.adminAuthorities.map((each) => [each, curator] as const)),
    ),
  };
}

/** An address has one curator. */
function repeatedAuthorities(curators: readonly CatalogueCurator[]): string[] {
  const first = new Map<Address, string>();
  return curators.flatMap(({ adminAuthorities }, i) =>
    adminAuthorities.flatMap((address, j) => {
      const place = `curators[${i}].adminAuthorities[${j}]`;
      const earlier = first.get(address);
      if (earlier !== undefined) return [`${place}: duplicates ${earlier}`];
      first.set(address, place);
      return [];
    }),
  );
}

/** Two entries of one name would be two curators that nobody can tell apart. */
function repeatedNames(curators: readonly CatalogueCurator[]): string[] {
  const first = new Map<string, number>();
  return curators.flatMap(({ name }, i) => {
    const key = name.toLowerCase();
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, i);
    return earlier === undefined ? [] : [`curators[${i}].name: duplicates curators[${earlier}].name`];
  });
}

function ending(
  list: string,
  campaigns: readonly { readonly startsAt: Date; readonly endsAt: Date | null }[],
): string[] {
  return campaigns.flatMap(({ startsAt, endsAt }, i) =>
    endsAt !== null && endsAt <= startsAt ? [`${list}[${i}].endsAt: must be after startsAt`] : [],
  );
}
