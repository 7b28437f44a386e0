import type { Address } from '@solana/kit';
import {
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
  const { tokens, markets, privateCreditVaults, ...rest } = parsed.data;
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
    ...ending('vaultCampaigns', rest.vaultCampaigns),
    ...ending('lendingCampaigns', rest.lendingCampaigns),
  ];
  if (problems.length > 0) throw invalid(source, problems);
  return {
    ...rest,
    tokens: new Map(tokens.map((token) => [token.mint, token])),
    markets: new Map(markets.map((market) => [market.lendingMarket, market])),
    privateCreditVaults: new Set(privateCreditVaults),
  };
}

function ending(
  list: string,
  campaigns: readonly { readonly startsAt: Date; readonly endsAt: Date | null }[],
): string[] {
  return campaigns.flatMap(({ startsAt, endsAt }, i) =>
    endsAt !== null && endsAt <= startsAt ? [`${list}[${i}].endsAt: must be after startsAt`] : [],
  );
}
