import { describe, expect, it } from 'vitest';
import { parseCatalogue } from '../../src/config/catalogue/catalogue.ts';
import { mainnetCatalogue } from '../../src/config/catalogue/mainnet-catalogue.ts';
import { MAINNET_MARKETS } from '../../src/config/catalogue/mainnet-markets.ts';
import { NEWER_TOKENS, VALIDATED_TOKENS } from '../../src/config/catalogue/mainnet-tokens.ts';

describe('the built-in catalogue of mainnet-beta', () => {
  it('is a valid catalogue file without duplicates', () => {
    const { tokens, markets } = mainnetCatalogue();
    const file = { version: 1 as const, tokens: [...tokens.values()], markets: [...markets.values()] };
    expect(parseCatalogue(file, 'the built-in catalogue')).toEqual({ version: 1, ...mainnetCatalogue() });
    expect(tokens.size).toBe(VALIDATED_TOKENS.length + NEWER_TOKENS.length);
    expect(markets.size).toBe(MAINNET_MARKETS.length);
  });

  it('has one primary market, and a lookup table for one market each', () => {
    const markets = [...mainnetCatalogue().markets.values()];
    expect(markets.filter(({ isPrimary }) => isPrimary).map(({ name }) => name)).toEqual(['Main Market']);
    const tables = markets.flatMap(({ lookupTable }) => lookupTable ?? []);
    expect(new Set(tables).size).toBe(tables.length);
  });

  it('claims nothing that changes: volumes, capitalisation, campaigns', () => {
    const { tokens, vaultCampaigns, lendingCampaigns, currentSource } = mainnetCatalogue();
    for (const token of tokens.values()) {
      expect(token).toMatchObject({ tradingVolume24H: null, marketCapUsd: null });
    }
    expect([vaultCampaigns, lendingCampaigns, currentSource]).toEqual([[], [], null]);
  });
});
