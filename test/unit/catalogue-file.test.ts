import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCatalogue, readCatalogue } from '../../src/config/catalogue/catalogue.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import type { CatalogueInput } from '../../src/config/catalogue/format.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';

function problems(content: unknown): readonly string[] {
  try {
    parseCatalogue(content as CatalogueInput, 'a test');
    return [];
  } catch (error) {
    if (!isCodedError(error, 'CATALOGUE_INVALID')) throw error;
    expect(error.message).toContain('a test');
    return error.context.problems;
  }
}

const token = { mint: USDC, symbol: 'USDC', name: 'USD Coin' };
const principal = { mint: SOL, underlyingMint: USDC, maturity: '2026-09-30T00:00:00Z' };
const campaign = { source: 'S', rewardToken: USDC, tokensPerSecond: '0.5', startsAt: '2026-01-01T00:00:00Z' };

const curator = {
  name: 'Us',
  adminAuthorities: [USDC, SOL],
  source: 'https://us.example',
  checkedAt: '2026-11-01',
};

describe('parseCatalogue', () => {
  it('returns the empty catalogue for an empty file', () => {
    expect(parseCatalogue({ version: 1 }, 'a test')).toMatchObject(EMPTY_CATALOGUE);
  });

  it('accepts the example in the documentation', async () => {
    const text = await readFile(new URL('../../docs/catalogue.md', import.meta.url), 'utf8');
    const example = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const catalogue = parseCatalogue(JSON.parse(example), 'docs/catalogue.md');
    expect(catalogue.tokens.get(USDC as never)).toMatchObject({
      symbol: 'USDC',
      verified: true,
      marketCapUsd: null,
    });
    expect(catalogue.markets.size).toBe(1);
    expect(catalogue.vaultCampaigns[0]?.endsAt).toEqual(new Date('2026-07-01T00:00:00Z'));
  });

  it('finds a curator by each of its admin authorities', () => {
    const { curators } = parseCatalogue({ version: 1, curators: [curator] } as CatalogueInput, 'a test');
    expect([...curators.keys()]).toEqual([USDC, SOL]);
    expect(curators.get(SOL as never)).toMatchObject({
      name: 'Us',
      website: null,
      checkedAt: new Date('2026-11-01T00:00:00Z'),
    });
  });

  it('fills in defaults', () => {
    const { tokens, currentSource } = parseCatalogue(
      { version: 1, tokens: [token] } as CatalogueInput,
      'a test',
    );
    expect(tokens.get(USDC as never)).toMatchObject({ logoUrl: null, verified: false, priority: 1_000_000 });
    expect(currentSource).toBeNull();
  });

  it.each([
    [{ version: 2 }, 'version: '],
    [{}, 'version: '],
    [[], 'the file: '],
    [{ version: 1, tokns: [] }, 'the file: '],
    [{ version: 1, tokens: [token, { ...token, mint: SOL.slice(1) }] }, 'tokens[1].mint: must be base58'],
    [{ version: 1, tokens: [token, { ...token, symbol: 'X' }] }, 'tokens[1].mint: duplicates tokens[0].mint'],
    [
      { version: 1, principalTokens: [principal, principal] },
      'principalTokens[1].mint: duplicates principalTokens[0].mint',
    ],
    [
      { version: 1, principalTokens: [{ ...principal, price: '0' }] },
      'principalTokens[0].price: must be above',
    ],
    [{ version: 1, principalTokens: [{ ...principal, mint: USDC }] }, 'principalTokens[0]: must name two'],
    [{ version: 1, tokens: [{ ...token, logoUrl: 'javascript:alert(1)' }] }, 'tokens[0].logoUrl: '],
    [{ version: 1, tokens: [{ ...token, priority: -1 }] }, 'tokens[0].priority: '],
    [{ version: 1, tokens: [{ ...token, tradingVolume24H: -5 }] }, 'tokens[0].tradingVolume24H: '],
    [
      { version: 1, tokens: [{ ...token, proofOfReserves: { address: SOL } }] },
      'tokens[0].proofOfReserves.verified: ',
    ],
    [{ version: 1, markets: [{ lendingMarket: USDC }] }, 'markets[0].name: '],
    [{ version: 1, curators: [{ ...curator, source: undefined }] }, 'curators[0].source: '],
    [{ version: 1, curators: [{ ...curator, checkedAt: 'lately' }] }, 'curators[0].checkedAt: '],
    [{ version: 1, curators: [{ ...curator, adminAuthorities: [] }] }, 'curators[0].adminAuthorities: '],
    [
      { version: 1, curators: [curator, { ...curator, name: 'You', adminAuthorities: [SOL] }] },
      'curators[1].adminAuthorities[0]: duplicates curators[0].adminAuthorities[1]',
    ],
    [
      {
        version: 1,
        curators: [
          { ...curator, adminAuthorities: [USDC] },
          { ...curator, name: 'US', adminAuthorities: [SOL] },
        ],
      },
      'curators[1].name: duplicates curators[0].name',
    ],
    [
      { version: 1, vaultCampaigns: [{ ...campaign, vault: SOL, tokensPerSecond: '1e5' }] },
      'vaultCampaigns[0].tokensPerSecond: must be a decimal',
    ],
    [
      { version: 1, vaultCampaigns: [{ ...campaign, vault: SOL, tokensPerSecond: '-1' }] },
      'vaultCampaigns[0].tokensPerSecond: must be a decimal',
    ],
    [
      { version: 1, vaultCampaigns: [{ ...campaign, vault: SOL, startsAt: 'soon' }] },
      'vaultCampaigns[0].startsAt: ',
    ],
    [
      { version: 1, vaultCampaigns: [{ ...campaign, vault: SOL, endsAt: '2025-01-01T00:00:00Z' }] },
      'vaultCampaigns[0].endsAt: must be after startsAt',
    ],
    [
      { version: 1, lendingCampaigns: [{ ...campaign, market: SOL }] },
      'lendingCampaigns[0]: must name a depositReserve',
    ],
  ])('refuses %j and says where', (content, where) => {
    expect(problems(content).join('\n')).toContain(where);
  });

  it('reports all problems at once', () => {
    const found = problems({ version: 1, tokens: [{ mint: 'x' }], markets: [{ name: '' }] });
    expect(found.length).toBeGreaterThanOrEqual(4);
  });
});

describe('readCatalogue', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads a file', async () => {
    const file = join(folder, 'good.json');
    await writeFile(file, JSON.stringify({ version: 1, tokens: [token] }));
    expect((await readCatalogue(file)).tokens.size).toBe(1);
  });

  it('rejects a missing or malformed file with a coded error', async () => {
    await writeFile(join(folder, 'bad.json'), '{');
    for (const name of ['bad.json', 'absent.json']) {
      await expect(readCatalogue(join(folder, name))).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
    }
  });
});
