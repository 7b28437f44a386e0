import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IMPORT_CATALOGUE } from '../../src/cli/import-catalogue/arguments.ts';
import { runImportCatalogue } from '../../src/cli/import-catalogue/run.ts';
import { parseCatalogue, readCatalogue } from '../../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../src/config/catalogue/format.ts';
import { requestListener } from '../../src/http/server.ts';
import { startContractWorld } from '../support/contract/contract-app.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const OTHER = 'DxXdAyU3kCjnyggvHmY5nAwg5cRbbmdyX3npfDMjjMek';
const NAMELESS = 'ByYiZxp8QrdN9qbdtaAiePN8AAr3qvTPppNJDpf5DVJ5';
const TABLE = 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const UNLISTED = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';
const NO_TABLE = '11111111111111111111111111111111';

const market = { description: '', isPrimary: false, isCurated: false, lookupTable: NO_TABLE };
/** The answers of a deployment whose segment is `live-market`. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/v2/live-market': [
    { ...market, lendingMarket: MARKET, name: 'Main Market', isPrimary: true, lookupTable: TABLE },
    { ...market, lendingMarket: OTHER, name: 'JLP Market', description: 'Isolated' },
    { ...market, lendingMarket: NAMELESS, name: '' },
  ],
  [`/live-market/${MARKET}/reserves/metrics`]: [
    { reserve: MARKET, liquidityToken: 'USDC', liquidityTokenMint: USDC },
    { reserve: MARKET, liquidityToken: 'JITOSOL', liquidityTokenMint: UNLISTED },
  ],
  [`/live-market/${OTHER}/reserves/metrics`]: [{ reserve: OTHER, liquidityTokenMint: SOL }],
  [`/live-market/${NAMELESS}/reserves/metrics`]: [],
  '/tokens-api/tokens?limit=1000': [
    {
      mint: USDC,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      logoUrl: 'https://x.test/u.svg',
      verified: true,
      tradingVolume24H: 1.5e9,
      priority: 1,
    },
    { mint: OTHER, symbol: 'MEME', name: 'Of no reserve', decimals: 6, verified: false, priority: 9 },
  ],
  [`/tokens-api/tokens?mint=${SOL}`]: [
    {
      mint: SOL,
      symbol: 'SOL',
      name: '',
      decimals: 9,
      logoUrl: null,
      verified: true,
      marketCapUsd: 7e10,
      priority: 0,
    },
  ],
  [`/tokens-api/tokens?mint=${UNLISTED}`]: [],
};

let folder: string;
let file: string;
let server: Server;
let answers: Record<string, unknown>;
let requests: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-import-'));
  file = join(folder, 'catalogue.json');
  answers = { ...ANSWERS };
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const body = answers[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { error: 'no' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const urlOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

async function run(args: readonly string[] = ['--segment', 'live-market'], from = urlOf(server)) {
  const command = IMPORT_CATALOGUE.read(['--from', from, '--out', file, '--rate', '1000', ...args]);
  if (command === null) throw new Error('the arguments are invalid');
  const lines: string[] = [];
  const ok = await runImportCatalogue(command, (line) => lines.push(line), new AbortController().signal, 2);
  return { ok, lines };
}

describe('npm run import-catalogue', () => {
  it('writes the markets of a deployment and the tokens of their reserves', async () => {
    const { ok, lines } = await run();
    expect(ok).toBe(true);
    const { markets, tokens } = await readCatalogue(file);
    expect([...markets.values()]).toEqual([
      {
        lendingMarket: MARKET,
        name: 'Main Market',
        description: '',
        isPrimary: true,
        isCurated: false,
        lookupTable: TABLE,
      },
      {
        lendingMarket: OTHER,
        name: 'JLP Market',
        description: 'Isolated',
        isPrimary: false,
        isCurated: false,
        lookupTable: null,
      },
    ]);
    expect([...tokens.values()]).toMatchObject([
      // The contract does not say which tokens are stablecoins: the built-in catalogue does.
      {
        mint: USDC,
        symbol: 'USDC',
        logoUrl: 'https://x.test/u.svg',
        stablecoin: true,
        tradingVolume24H: 1.5e9,
      },
      { mint: SOL, symbol: 'SOL', name: 'SOL', logoUrl: null, stablecoin: false, marketCapUsd: 7e10 },
    ]);
    expect(lines).toContain(`left out: market ${NAMELESS}: it has no name`);
    expect(lines).toContain(`left out: token ${UNLISTED}: it is not in the list`);
    expect(lines.at(-1)).toContain('2 markets and 2 tokens');
    // Differences are those to the built-in catalogue, which a file takes the place of.
    expect(lines.find((line) => line.startsWith(`market ${OTHER}`))).toContain(
      'description "" -> "Isolated"',
    );
    expect(await readdir(folder)).toEqual(['catalogue.json']);
  });

  it('keeps what the contract does not have, and reports what changed', async () => {
    const campaign = {
      source: 'S1',
      vault: OTHER,
      rewardToken: USDC,
      tokensPerSecond: '0.5',
      startsAt: '2026-01-01T00:00:00Z',
    };
    const proofOfReserves = { address: TABLE as never, verified: true };
    const before: CatalogueInput = {
      version: 1,
      currentSource: 'S1',
      tokens: [
        { mint: USDC as never, symbol: 'USDC', name: 'Old name', stablecoin: true, proofOfReserves },
        { mint: UNLISTED as never, symbol: 'JitoSOL', name: 'Jito Staked SOL' },
      ],
      markets: [
        { lendingMarket: MARKET as never, name: 'Main Market', isPrimary: true, lookupTable: TABLE as never },
      ],
      vaultCampaigns: [campaign as never],
      privateCreditVaults: [OTHER as never],
    };
    await writeFile(file, JSON.stringify(before));
    const { lines } = await run();
    const after = await readCatalogue(file);
    const { vaultCampaigns, privateCreditVaults, currentSource } = parseCatalogue(before, 'the test');
    expect(after).toMatchObject({ vaultCampaigns, privateCreditVaults, currentSource });
    expect(after.tokens.get(USDC as never)).toMatchObject({
      name: 'USD Coin',
      stablecoin: true,
      proofOfReserves,
    });
    expect(after.tokens.get(UNLISTED as never)?.symbol).toBe('JitoSOL');
    expect(lines.find((line) => line.startsWith(`token ${USDC}`))).toContain('name "Old name" -> "USD Coin"');
    expect(lines).toContain(`token ${SOL}: new, "SOL"`);
    expect(lines).toContain(`token ${UNLISTED}: only in the file, kept`);
    expect(lines.some((line) => line.startsWith(`market ${MARKET}`))).toBe(false);
    const [again] = [await run()];
    expect(again.lines.filter((line) => line.includes(' -> ') || line.includes(': new'))).toEqual([]);
  });

  it('writes nothing with --dry-run', async () => {
    const { ok, lines } = await run(['--segment', 'live-market', '--dry-run']);
    expect([ok, lines.at(-1)?.endsWith('Nothing was written.')]).toEqual([true, true]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['a request fails', () => delete answers[`/live-market/${OTHER}/reserves/metrics`], 'status 404'],
    [
      'an answer is malformed',
      () => (answers['/v2/live-market'] = [{ lendingMarket: 'x' }]),
      '0.lendingMarket must be an address',
    ],
    ['the segment is another one', () => (answers = {}), '/v2/live-market: status 404'],
  ])('leaves the file as it was when %s', async (_, spoil, says) => {
    await writeFile(file, '{"version":1}');
    spoil();
    const { ok, lines } = await run();
    expect(ok).toBe(false);
    expect(lines.at(-1)).toContain(says);
    expect(await readFile(file, 'utf8')).toBe('{"version":1}');
    expect(await readdir(folder)).toEqual(['catalogue.json']);
  });

  it('refuses a present file that is no catalogue, and an answer that makes no valid one', async () => {
    await writeFile(file, '{"version":1,"tokens":[{}]}');
    await expect(run()).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
    expect(requests).toEqual([]);
    await rm(file);
    answers['/v2/live-market'] = [{ ...market, lendingMarket: MARKET, name: 'x'.repeat(200) }];
    await expect(run()).rejects.toMatchObject({ code: 'CATALOGUE_INVALID' });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([[[]], [['--from', 'https://a.test']], [['--from', 'ftp://a.test', '--out', 'f']]])(
    'refuses the arguments %j',
    (args) => {
      expect(IMPORT_CATALOGUE.read(args)).toBeNull();
    },
  );

  it('reads another gateway of ours', async () => {
    const world = await startContractWorld();
    const gateway = createServer(requestListener(world.gateway.app.fetch));
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { ok } = await run([], urlOf(gateway));
    expect(ok).toBe(true);
    const { markets, tokens } = await readCatalogue(file);
    const served = (await world.get('/v2/svc-market')).body as {
      lendingMarket: string;
      isPrimary: boolean;
    }[];
    expect([...markets.keys()].sort()).toEqual(served.map(({ lendingMarket }) => lendingMarket).sort());
    expect([...markets.values()].filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
    const mints = new Set(world.subjects.reserves.map(({ mint }) => mint));
    expect(new Set(tokens.keys())).toEqual(mints);
    await new Promise((resolve) => {
      gateway.closeAllConnections();
      gateway.close(resolve);
    });
    await world.stop();
  });
});
