import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { readTokenMetadata } from '@sluice/protocol/token/extensions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import {
  JLP_MARKET,
  MAIN_MARKET,
  mainnetShapedChain,
  NAME_ON_CHAIN,
  USDC_MINT,
} from '../support/rpc/mainnet-shaped.ts';

const LOGO = 'https://example.com/logo.svg';

/** A file of the operator, on mainnet-beta. */
describe('a catalogue file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-catalogue-'));
  const localChain = mainnetShapedChain();
  let rpc: LocalnetRpc;
  let gateway: TestApp;
  let named: { readonly mint: string; readonly symbol: string; readonly name: string };

  beforeAll(async () => {
    rpc = await serveChain(localChain);
    const first = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
    const mints = [...(first.app.chain.views.newest?.all('mint').values() ?? [])];
    await first.stop();
    const [mint] = mints.flatMap(({ address, value }) => {
      const metadata = readTokenMetadata(value.extensions);
      return metadata === null ? [] : [{ mint: address, symbol: metadata.symbol, name: metadata.name }];
    });
    if (mint === undefined) throw new Error('no mint of the world has metadata');
    named = mint;
    const file = join(folder, 'catalogue.json');
    const content = {
      version: 1,
      tokens: [{ mint: named.mint, symbol: 'FILE', name: 'From the file', logoUrl: LOGO }],
      markets: [{ lendingMarket: JLP_MARKET, name: 'From the file', isCurated: true }],
    };
    writeFileSync(file, JSON.stringify(content));
    const env = { ...STILL, SOLANA_CLUSTER: 'mainnet-beta', CATALOGUE_FILE: file };
    gateway = await startReadyApp({ rpcUrls: [rpc.url], env });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rpc?.close();
    rmSync(folder, { recursive: true });
  });

  it('does not replace the names in a mint or a market account', async () => {
    const { data } = await gateway.query(`{
      token(mint: "${named.mint}") { symbol name logoUrl }
      market(address: "${JLP_MARKET}") { name isCurated }
    }`);
    expect(data).toEqual({
      token: { symbol: named.symbol, name: named.name, logoUrl: LOGO },
      market: { name: NAME_ON_CHAIN, isCurated: true },
    });
    expect(named.symbol).not.toBe('FILE');
  });

  it('takes the place of the built-in catalogue as a whole', async () => {
    const { data, errors } = await gateway.query(`{
      market(address: "${MAIN_MARKET}") { name isPrimary lookupTable { address } }
      token(mint: "${USDC_MINT}") { logoUrl verified }
    }`);
    expect(errors).toEqual([]);
    expect(data).toEqual({
      market: { name: '', isPrimary: false, lookupTable: null },
      token: { logoUrl: null, verified: false },
    });
  });
});

describe('the built-in catalogue', () => {
  it('is for mainnet-beta alone', async () => {
    const rpc = await serveChain(mainnetShapedChain());
    const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, SOLANA_CLUSTER: 'devnet' } });
    const { data } = await gateway.query(`{ market(address: "${MAIN_MARKET}") { name isPrimary } }`);
    expect(data).toEqual({ market: { name: '', isPrimary: false } });
    await gateway.stop();
    await rpc.close();
  });
});
