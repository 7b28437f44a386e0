import type { StoredAccount } from '@sluice/localnet/chain';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { failures, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

interface VaultAnswer {
  readonly vault: {
    readonly name: string;
    readonly idle: { readonly amount: string };
    readonly totalValue: { readonly amount: string } | null;
    readonly allocations: readonly {
      readonly reserveAddress: string;
      readonly reserve: { readonly address: string } | null;
    }[];
  };
}

const DOCUMENT = `query ($address: Address!) { vault(address: $address) {
  name idle { amount } totalValue { amount } allocations { reserveAddress reserve { address } } } }`;

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp;
/** A reserve that the vault has invested in. */
let reserve: Address;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
  const state = vaultState.decode(accountIn(localChain, localChain.addresses.vault), MAINNET_PROGRAMS.kvault);
  const used = state.vaultAllocationStrategy.filter(({ ctokenAllocation }) => ctokenAllocation > 0n);
  reserve = used[0]?.reserve ?? localChain.addresses.reserve;
  expect(used.length).toBeGreaterThan(1);
});

beforeEach(async () => {
  gateway = await startReadyApp({ rpcUrls: [rpc.url] });
});

afterEach(async () => {
  localChain.restore();
  await gateway.stop();
});

afterAll(async () => {
  await rpc?.close();
});

const ask = () =>
  gateway.query<VaultAnswer>(DOCUMENT, { variables: { address: localChain.addresses.vault } });

const BROKEN: readonly (readonly [string, (good: StoredAccount) => StoredAccount | null, string])[] = [
  ['is too short', (good) => ({ ...good, data: good.data.slice(0, 500) }), 'ACCOUNT_TOO_SHORT'],
  [
    'begins with other bytes',
    (good) => ({ ...good, data: good.data.map((b, i) => (i < 8 ? ~b : b)) }),
    'ACCOUNT_WRONG_DISCRIMINATOR',
  ],
  ['belongs to another program', (good) => ({ ...good, owner: TOKEN_PROGRAM }), 'ACCOUNT_WRONG_OWNER'],
  ['is closed', () => null, 'ACCOUNT_NOT_FOUND'],
];

describe('a reserve of a vault', () => {
  it.each(BROKEN)('%s: the vault answers, its value is unknown and not zero', async (_, broken, code) => {
    localChain.place(reserve, broken(accountIn(localChain, reserve)));
    await gateway.view((view) => view.get('reserve', reserve) === undefined);
    const answer = await ask();
    const { vault } = answer.data;
    const at = vault.allocations.findIndex(({ reserveAddress }) => reserveAddress === reserve);
    expect(failures(answer)).toEqual([`vault.allocations.${at}.reserve: ${code}`]);
    expect(vault.allocations[at]?.reserve).toBeNull();
    expect(vault.totalValue).toBeNull();
    expect(vault.name).not.toBe('');
    expect(vault.idle.amount).toMatch(/^\d/);
    const others = vault.allocations.filter(({ reserveAddress }) => reserveAddress !== reserve);
    expect(others.map((each) => each.reserve?.address)).toEqual(others.map((each) => each.reserveAddress));

    localChain.restore();
    await gateway.view((view) => view.get('reserve', reserve) !== undefined);
    const mended = await ask();
    expect(mended.errors).toEqual([]);
    expect(mended.data.vault.totalValue).not.toBeNull();
  });
});

it('a vault that names a mint as its farm does not hide the mint from other vaults', async () => {
  const { vault, tokenMint, sharesMint } = localChain.addresses;
  const imposter = testAddress(77);
  const claims = { vaultFarm: tokenMint, vaultLookupTable: sharesMint };
  localChain.place(imposter, withFields(vaultState, accountIn(localChain, vault), claims));
  const fresh = await startReadyApp({ rpcUrls: [rpc.url] });
  try {
    const answer = await fresh.query<Record<string, unknown>>(`{
      good: vault(address: "${vault}") { token { mint } sharesToken { mint } }
      imposter: vault(address: "${imposter}") { token { mint } farm { address } lookupTable { address } }
    }`);
    expect(failures(answer).sort()).toEqual([
      'imposter.farm: ACCOUNT_WRONG_OWNER',
      'imposter.lookupTable: ACCOUNT_WRONG_OWNER',
    ]);
    expect(answer.data.good).toEqual({ token: { mint: tokenMint }, sharesToken: { mint: sharesMint } });
  } finally {
    await fresh.stop();
  }
});
