import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { type Address, getAddressDecoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { startFileRpc } from '../support/localnet/file-chain.ts';
import { published } from '../support/localnet/file-chain-arithmetic.ts';
import { REAL_SET } from '../support/real-bytes/account-sets.ts';
import { ABSENT } from '../support/vectors/shared-fixtures.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
const SOL = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q' as Address;
const USDC = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const OBLIGATION = '4w1qUuYbXpwYkqWzuovJFvP3TRt9EgEzYQv7kYY1nM3J' as Address;

/** Offsets in a reserve, with its 8-byte discriminator. */
const RESERVE = {
  market: 32,
  mint: 128,
  available: 224,
  borrowedSf: 232,
  priceSf: 248,
  decimals: 272,
} as const;
const RESERVE_FEES_SF = [344, 360, 376] as const;
const LOAN = { market: 32, owner: 64, deposits: 96, depositBytes: 136, depositedAmount: 32 } as const;
const DEPOSIT_SLOTS = [0, 1, 2, 3, 4, 5, 6, 7];
const MINT_DECIMALS = 44;

/** Expectations are read from the files at the documented offsets, without our decoders. */
describe.skipIf(REAL_SET === null)(`figures of REST answers about real accounts${ABSENT}`, () => {
  let rpc: LocalnetRpc;
  let gateway: TestApp;

  beforeAll(async () => {
    if (REAL_SET === null) return;
    rpc = await startFileRpc(REAL_SET.accounts, REAL_SET.moment);
    gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, SOLANA_CLUSTER: 'mainnet-beta' } });
  });
  afterAll(async () => {
    await gateway?.stop();
    await rpc?.close();
  });

  const get = async (path: string): Promise<unknown> => await (await gateway.get(path)).json();
  const bytes = (address: Address): Buffer => {
    const data = REAL_SET?.accounts.get(address)?.data;
    if (data === undefined) throw new Error(`no file for ${address}`);
    return Buffer.from(data);
  };
  const addressAt = (account: Address, offset: number) => getAddressDecoder().decode(bytes(account), offset);
  const u64 = (account: Address, offset: number) => bytes(account).readBigUInt64LE(offset);
  const u128 = (account: Address, offset: number) => u64(account, offset) + (u64(account, offset + 8) << 64n);

  it('the metrics of a reserve that was refreshed in the slot of the View', async () => {
    const rows = (await get(`/svc-market/${MARKET}/reserves/metrics`)) as Record<string, unknown>[];
    expect(rows.map(({ reserve }) => reserve).sort()).toEqual([USDC, SOL].sort());
    const decimals = Number(u64(USDC, RESERVE.decimals));
    const borrowed = u128(USDC, RESERVE.borrowedSf);
    const fees = RESERVE_FEES_SF.reduce((sum, offset) => sum + u128(USDC, offset), 0n);
    const supplied = (u64(USDC, RESERVE.available) << 60n) + borrowed - fees;
    expect(rows.find(({ reserve }) => reserve === USDC)).toMatchObject({
      liquidityToken: 'USDC',
      liquidityTokenMint: addressAt(USDC, RESERVE.mint),
      totalBorrow: published(borrowed, decimals),
      totalSupply: published(supplied, decimals),
      totalSupplyUsd: published(supplied * u128(USDC, RESERVE.priceSf), decimals, 120),
    });
  });

  it('account data is the bytes of the files', async () => {
    const [row] = (await get(`/svc-market/reserves/account-data?markets=${MARKET}`)) as {
      reserves: { pubkey: Address; data: string }[];
    }[];
    expect(new Map(row?.reserves.map(({ pubkey, data }) => [pubkey, data]))).toEqual(
      new Map([SOL, USDC].map((address) => [address, bytes(address).toString('base64')])),
    );
    expect([SOL, USDC].map((address) => addressAt(address, RESERVE.market))).toEqual([MARKET, MARKET]);
  });

  it('the token has the decimals of its mint and the price that its reserve stores', async () => {
    const tokens = await get(`/tokens-api/tokens?mint=${USDC_MINT}`);
    expect(tokens).toMatchObject([{ mint: USDC_MINT, decimals: bytes(USDC_MINT)[MINT_DECIMALS] }]);
    const prices = (await get('/oracles/prices?markets=main')) as { mint: string; price: string }[];
    expect(prices.find(({ mint }) => mint === USDC_MINT)?.price).toBe(
      published(u128(USDC, RESERVE.priceSf), 0),
    );
  });

  it('the loan belongs to its owner, whose deposit is that of the file', async () => {
    const owner = addressAt(OBLIGATION, LOAN.owner);
    expect(await get(`/klend/loans/${OBLIGATION}`)).toMatchObject({
      user: owner,
      marketId: addressAt(OBLIGATION, LOAN.market),
    });
    const loans = await get(`/svc-market/${MARKET}/users/${owner}/obligations`);
    const offset = DEPOSIT_SLOTS.map((slot) => LOAN.deposits + slot * LOAN.depositBytes).find(
      (start) => addressAt(OBLIGATION, start) === USDC,
    );
    expect(offset).toBeDefined();
    const deposited = u64(OBLIGATION, (offset ?? 0) + LOAN.depositedAmount);
    expect(deposited).toBeGreaterThan(0n);
    expect(loans).toMatchObject([
      { obligationAddress: OBLIGATION, positions: { deposits: [{ reserve: USDC, mintAddress: USDC_MINT }] } },
    ]);
    const [{ state }] = loans as [{ state: { deposits: { depositedAmount: string }[] } }];
    expect(state.deposits.map(({ depositedAmount }) => depositedAmount)).toContain(String(deposited));
  });
});
