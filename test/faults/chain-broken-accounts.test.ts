import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerAccount } from '../../src/demo/ledger.ts';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { failures, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { testAddress } from '../support/ledger/fake-ledger.ts';
import { accountIn, serveLedger, TestLedger, withFields } from '../support/ledger/test-ledger.ts';

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

let ledger: TestLedger;
let rpc: DemoRpcServer;
let gateway: TestApp;
/** A reserve that the vault has invested in. */
let reserve: Address;

beforeAll(async () => {
  ledger = new TestLedger();
  rpc = await serveLedger(ledger);
  const state = vaultState.decode(accountIn(ledger, ledger.addresses.vault), MAINNET_PROGRAMS.kvault);
  const used = state.vaultAllocationStrategy.filter(({ ctokenAllocation }) => ctokenAllocation > 0n);
  reserve = used[0]?.reserve ?? ledger.addresses.reserve;
  expect(used.length).toBeGreaterThan(1);
});

beforeEach(async () => {
  gateway = await startReadyApp({ rpcUrls: [rpc.url] });
});

afterEach(async () => {
  ledger.restore();
  await gateway.stop();
});

afterAll(async () => {
  await rpc?.close();
});

const ask = () => gateway.query<VaultAnswer>(DOCUMENT, { variables: { address: ledger.addresses.vault } });

const BROKEN: readonly (readonly [string, (good: LedgerAccount) => LedgerAccount | null, string])[] = [
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
    ledger.place(reserve, broken(accountIn(ledger, reserve)));
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

    ledger.restore();
    await gateway.view((view) => view.get('reserve', reserve) !== undefined);
    const mended = await ask();
    expect(mended.errors).toEqual([]);
    expect(mended.data.vault.totalValue).not.toBeNull();
  });
});

it('a vault that names a mint as its farm does not hide the mint from other vaults', async () => {
  const { vault, tokenMint, sharesMint } = ledger.addresses;
  const imposter = testAddress(77);
  const claims = { vaultFarm: tokenMint, vaultLookupTable: sharesMint };
  ledger.place(imposter, withFields(vaultState, accountIn(ledger, vault), claims));
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
