import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { failures, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp | undefined;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
});
afterEach(async () => {
  localChain.restore();
  await gateway?.stop();
});
afterAll(() => rpc?.close());

describe('a market that is missing', () => {
  it('is an error at each link to it, while reserves and loans return their other fields', async () => {
    const { market, reserve, obligation } = localChain.addresses;
    localChain.place(market, null);
    gateway = await startReadyApp({ rpcUrls: [rpc.url] });
    const answer = await gateway.query<{
      reserve: { supplied: { amount: string }; supplyApr: string; market: unknown };
      obligation: {
        deposits: { reserveAddress: string; amount: unknown }[];
        stats: unknown;
        healthFactor: unknown;
      };
    }>(
      `query ($reserve: Address!, $obligation: Address!, $market: Address!) {
        reserve(address: $reserve) { supplied { amount } supplyApr market { name } }
        obligation(address: $obligation) { deposits { reserveAddress amount { amount } } stats { leverage } healthFactor }
        market(address: $market) { name }
      }`,
      { variables: { reserve, obligation, market } },
    );
    expect(failures(answer).sort()).toEqual([
      'market: ACCOUNT_NOT_FOUND',
      'reserve.market: ACCOUNT_NOT_FOUND',
    ]);
    expect(Number(answer.data.reserve.supplied.amount)).toBeGreaterThan(0);
    expect(Number(answer.data.reserve.supplyApr)).toBeGreaterThan(0);
    expect(answer.data.reserve.market).toBeNull();
    // Without the market's terms nothing can be valued; that is null, not zero.
    expect(answer.data.obligation.deposits.length).toBeGreaterThan(0);
    expect(answer.data.obligation).toMatchObject({ stats: null, healthFactor: null });
  });
});

describe('mints that cannot be read', () => {
  it('leave every token with the decimals of the account that names it, without an error', async () => {
    const { vault, tokenMint, sharesMint } = localChain.addresses;
    const account = accountIn(localChain, tokenMint);
    localChain.place(tokenMint, { ...account, data: account.data.slice(0, 10) });
    localChain.place(sharesMint, null);
    gateway = await startReadyApp({ rpcUrls: [rpc.url] });
    const token = '{ mint symbol name decimals tokenProgram verified price { usd } }';
    interface Token {
      readonly symbol: string;
      readonly name: string;
    }
    const answer = await gateway.query<{
      vault: { name: string; token: Token; sharesToken: Token; idle: { token: Token } };
      tokens: { nodes: { mint: string }[] };
      token: null;
    }>(
      `query ($vault: Address!, $mint: Address!) {
        vault(address: $vault) { name token ${token} sharesToken ${token} idle { token ${token} } }
        tokens(first: 100) { nodes { mint } }
        token(mint: $mint) { mint }
      }`,
      { variables: { vault, mint: sharesMint } },
    );
    const { data } = answer;
    // A mint that is asked for by its address is an error.
    expect(failures(answer)).toEqual(['token: ACCOUNT_NOT_FOUND']);
    expect(data.vault.token).toMatchObject({ mint: tokenMint, decimals: 6, tokenProgram: null });
    expect(data.vault.token.symbol).toMatch(/^[A-Z]/);
    expect(data.vault.idle.token).toEqual(data.vault.token);
    expect(data.vault.sharesToken).toEqual({
      mint: sharesMint,
      symbol: `kv${data.vault.token.symbol}`,
      name: data.vault.name,
      decimals: 6,
      tokenProgram: null,
      verified: false,
      price: null,
    });
    expect(data.tokens.nodes.map(({ mint }) => mint)).not.toContain(tokenMint);
    const { warnings } = answer.extensions as { warnings?: { account: string; path: string[] }[] };
    expect(warnings?.map(({ account, path }) => [account, path.join()]).sort()).toEqual(
      [tokenMint, sharesMint].map((mint) => [mint, 'tokens']).sort(),
    );
  });
});

describe('a vault that is not in the View yet', () => {
  it('names a token without a mint account by the decimals of the vault and a short form of the address', async () => {
    const [address, mint] = [testAddress(78), testAddress(79)];
    gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
    const account = accountIn(localChain, localChain.addresses.vault);
    const fields = { tokenMint: mint, tokenMintDecimals: 7n };
    localChain.place(address, withFields(vaultState, account, fields));
    const answer = await gateway.query<{ vault: object }>(
      'query ($v: Address!) { vault(address: $v) { token { mint symbol name decimals tokenProgram } } }',
      { variables: { v: address } },
    );
    expect(answer.errors).toEqual([]);
    const short = `${mint.slice(0, 4)}…${mint.slice(-4)}`;
    expect(answer.data.vault).toEqual({
      token: { mint, symbol: short, name: short, decimals: 7, tokenProgram: null },
    });
  });
});

describe('a mint that is not one', () => {
  it('is left out of the balances of a wallet and named, with the other balances', async () => {
    const { wallet, tokenMint, vault } = localChain.addresses;
    gateway = await startReadyApp({ rpcUrls: [rpc.url] });
    const answer = await gateway.query<{ wallet: { balances: { token: { mint: string } }[] } }>(
      'query ($w: Address!, $mints: [Address!]) { wallet(address: $w) { balances(mints: $mints) { token { mint } } } }',
      { variables: { w: wallet, mints: [vault, tokenMint] } },
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data.wallet.balances).toEqual([{ token: { mint: tokenMint } }]);
    expect(answer.extensions).toMatchObject({
      warnings: [{ code: 'ACCOUNT_WRONG_OWNER', account: vault, path: ['wallet', 'balances'] }],
    });
  });
});

describe('an obligation of the wrong size', () => {
  it('is an error at its own node only', async () => {
    const { obligation, vault } = localChain.addresses;
    const good = accountIn(localChain, obligation);
    localChain.place(obligation, { ...good, data: good.data.slice(0, 1000) });
    gateway = await startReadyApp({ rpcUrls: [rpc.url] });
    const answer = await gateway.query<{ obligation: unknown; vault: { name: string } }>(
      'query ($obligation: Address!, $vault: Address!) { obligation(address: $obligation) { address } vault(address: $vault) { name } }',
      { variables: { obligation, vault } },
    );
    expect(failures(answer)).toEqual(['obligation: ACCOUNT_TOO_SHORT']);
    expect(answer.data.obligation).toBeNull();
    expect(answer.data.vault.name.length).toBeGreaterThan(0);
  });

  it('is still read when it is longer than expected', async () => {
    const { obligation } = localChain.addresses;
    const good = accountIn(localChain, obligation);
    const grown = new Uint8Array(good.data.length + 256);
    grown.set(good.data);
    localChain.place(obligation, { ...good, data: grown });
    gateway = await startReadyApp({ rpcUrls: [rpc.url] });
    const answer = await gateway.query<{ obligation: { healthFactor: string } }>(
      'query ($obligation: Address!) { obligation(address: $obligation) { healthFactor } }',
      { variables: { obligation } },
    );
    expect(answer.errors).toEqual([]);
    expect(Number(answer.data.obligation.healthFactor)).toBeGreaterThan(1);
  });
});
