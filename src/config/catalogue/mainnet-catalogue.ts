import type { Address } from '@solana/kit';
import type { Catalogue } from './catalogue.ts';
import { EMPTY_CATALOGUE } from './empty-catalogue.ts';
import type { CatalogueMarket, CatalogueToken } from './format.ts';
import { MAINNET_MARKETS, type MarketRow } from './mainnet-markets.ts';
import { NEWER_TOKENS, type TokenRow, VALIDATED_TOKENS } from './mainnet-tokens.ts';

function tokensOf(rows: readonly TokenRow[], verified: boolean, firstPriority: number): CatalogueToken[] {
  return rows.map(([mint, symbol, name, logoUrl = null, kind], i) => ({
    mint: mint as Address,
    symbol,
    name,
    logoUrl,
    verified,
    stablecoin: kind === 'stablecoin',
    proofOfReserves: null,
    priority: firstPriority + i,
    tradingVolume24H: null,
    marketCapUsd: null,
  }));
}

function marketOf({ lendingMarket, name, lookupTable, isPrimary }: MarketRow): CatalogueMarket {
  return {
    lendingMarket: lendingMarket as Address,
    name,
    description: '',
    isPrimary: isPrimary ?? false,
    isCurated: false,
    lookupTable: (lookupTable ?? null) as Address | null,
  };
}

/**
 * Public facts about mainnet-beta that are not on chain, for a gateway without a catalogue file. It has no campaigns, and
 * nothing that was not found in a public source: `docs/catalogue.md` names them. A test validates it as a file, so that the
 * validation library need not be loaded at start-up.
 */
export function mainnetCatalogue(): Catalogue {
  const tokens = [
    ...tokensOf(VALIDATED_TOKENS, true, 0),
    ...tokensOf(NEWER_TOKENS, false, VALIDATED_TOKENS.length),
  ];
  return {
    ...EMPTY_CATALOGUE,
    tokens: new Map(tokens.map((token) => [token.mint, token])),
    markets: new Map(MAINNET_MARKETS.map(marketOf).map((market) => [market.lendingMarket, market])),
  };
}
