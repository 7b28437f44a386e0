import {
  type Action,
  type ActionProgress,
  buildAction,
  createClient,
  Decimal,
  graphql,
  previewAction,
  restInstructions,
  restTransaction,
  runAction,
  type SluiceClient,
  type TransactionSigner,
  walletStandardSigner,
} from '@sluice/client';
import { kitSigner } from '@sluice/client/kit';
import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, signerOf, startActingApp } from '../support/apps/acting-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

const POSITIONS = graphql(`
  query Positions($wallet: Address!, $vault: Address!, $obligation: Address!) {
    vault(address: $vault) { position(wallet: $wallet) { totalShares } }
    obligation(address: $obligation) { borrows { reserve { address } amount { amount } } }
  }
`);

let world: ActingApp;
let site: Site;
let client: SluiceClient;
let signer: TransactionSigner;
let addresses: WorldAddresses;

beforeAll(async () => {
  world = await startActingApp();
  site = await serveSite(world.gateway.app.fetch);
  client = createClient({ url: site.origin });
  signer = kitSigner(await signerOf([...world.localnet.secretKey]));
  addresses = world.localnet.addresses;
  await world.call('localnet_requestTokens', [addresses.wallet, addresses.tokenMint, 1_000_000_000]);
});
afterAll(async () => {
  await site?.close();
  await world?.stop();
});

const chainSlot = async () => String(await world.rpc.getSlot().send());

const deposit = (tokens: string): Action => ({
  vaultDeposit: { wallet: addresses.wallet, vault: addresses.vault, amount: { tokens } },
});
const borrow = (tokens: string): Action => {
  const { wallet, market, borrowReserve: reserve } = addresses;
  return { lendingBorrow: { wallet, market, reserve, amount: { tokens } } };
};

/** Shares of the localnet wallet and its debt, as of now. */
async function positions() {
  const { wallet, vault, obligation, borrowReserve } = addresses;
  const { data } = await client.after(await chainSlot()).query(POSITIONS, { wallet, vault, obligation });
  const debt = data.obligation?.borrows.find(({ reserve }) => reserve?.address === borrowReserve);
  return {
    shares: Decimal.of(data.vault?.position?.totalShares ?? '0'),
    debt: Decimal.of(debt?.amount?.amount ?? '0'),
  };
}

/** A signer that does something before it signs. */
const signerAfter = (before: () => Promise<unknown> | unknown): TransactionSigner => ({
  address: signer.address,
  async signTransactions(transactions) {
    await before();
    return await signer.signTransactions(transactions);
  },
});

describe('an action', () => {
  it('deposits into a vault: the shares grow as the preview said', async () => {
    const before = await positions();
    const preview = await previewAction(client.after(await chainSlot()), deposit('20'));
    const steps: ActionProgress[] = [];
    const result = await runAction(client, deposit('20'), signer, { onProgress: (step) => steps.push(step) });
    const gained = (await positions()).shares.minus(before.shares);
    expect(steps.map(({ step }) => step)).toEqual(['building', 'signing', 'confirming']);
    expect(steps[1]).toMatchObject({ number: 1, of: 1, plan: { preview: { tokens: {} } } });
    expect(result.signatures).toHaveLength(1);
    expect(BigInt(result.slot)).toBeLessThanOrEqual(BigInt(await chainSlot()));
    // A share is worth a little more than a token.
    expect(gained.compare(Decimal.of('10'))).toBe(1);
    expect(gained.compare(Decimal.of('20'))).toBe(-1);
    const { after = null, before: previewed = null } = preview.shares ?? {};
    const promised = Decimal.of(after ?? '0').minus(Decimal.of(previewed ?? '0'));
    expect(gained.minus(promised).abs().compare(Decimal.of('0.001'))).toBe(-1);
  });

  it('borrows: the debt grows by the amount', async () => {
    const before = await positions();
    await runAction(client, borrow('3'), signer);
    const grown = (await positions()).debt.minus(before.debt);
    // The origination fee and a slot of interest come on top.
    expect(grown.compare(Decimal.of('3'))).toBeGreaterThanOrEqual(0);
    expect(grown.compare(Decimal.of('3.1'))).toBe(-1);
  });

  it('is signed by a wallet of the Wallet Standard', async () => {
    const account = { address: signer.address, label: 'Main' };
    const inputs: object[] = [];
    const feature = {
      async signTransaction(...given: { account: object; chain: string; transaction: Uint8Array }[]) {
        inputs.push(...given.map(({ account: asked, chain }) => ({ sameAccount: asked === account, chain })));
        const texts = given.map(({ transaction }) => Buffer.from(transaction).toString('base64'));
        const signed = await signer.signTransactions(texts);
        return signed.map((text) => ({ signedTransaction: new Uint8Array(Buffer.from(text, 'base64')) }));
      },
    };
    const wallet = { name: 'Purse', features: { 'solana:signTransaction': feature } };
    const result = await runAction(
      client,
      deposit('1'),
      walletStandardSigner(wallet, account, 'solana:localnet'),
    );
    expect(result.signatures).toHaveLength(1);
    expect(inputs).toEqual([{ sameAccount: true, chain: 'solana:localnet' }]);
    expect(() => walletStandardSigner({ name: 'Old', features: {} }, account, 'solana:localnet')).toThrow(
      expect.objectContaining({ code: 'WALLET_UNSUPPORTED' }),
    );
  });

  it('is built again once when its blockhash expires while the user decides', async () => {
    let prompts = 0;
    const slow = signerAfter(async () => {
      prompts += 1;
      if (prompts === 1) await world.call('localnet_advanceTime', [70]);
    });
    const before = await positions();
    const steps: string[] = [];
    await runAction(client, deposit('2'), slow, { onProgress: ({ step }) => steps.push(step) });
    const once = ['building', 'signing', 'confirming'];
    expect(steps).toEqual([...once, ...once]);
    expect((await positions()).shares.compare(before.shares)).toBe(1);
  });

  it('gives up with TRANSACTION_EXPIRED when that happens again', async () => {
    const slower = signerAfter(() => world.call('localnet_advanceTime', [70]));
    const before = await positions();
    await expect(runAction(client, deposit('2'), slower)).rejects.toMatchObject({
      code: 'TRANSACTION_EXPIRED',
    });
    expect((await positions()).shares.equals(before.shares)).toBe(true);
  });
});

describe('an action that does not happen', () => {
  async function unchanged(act: () => Promise<unknown>): Promise<void> {
    const slot = await chainSlot();
    await act();
    // The frozen chain advances with each transaction that it executes.
    expect(await chainSlot()).toBe(slot);
  }

  it('is refused with the code and message of the builder', async () => {
    const { wallet, market } = addresses;
    const nowhere: Action = { vaultDeposit: { wallet, vault: market, amount: { tokens: '1' } } };
    const refusal = { name: 'SluiceError', code: 'KVAULT_NOT_FOUND', retryable: false };
    await expect(previewAction(client, nowhere)).rejects.toMatchObject(refusal);
    await expect(buildAction(client, nowhere)).rejects.toMatchObject(refusal);
    await unchanged(() => expect(runAction(client, nowhere, signer)).rejects.toMatchObject(refusal));
    await expect(previewAction(client, deposit('0'))).rejects.toMatchObject({ code: 'AMOUNT_NOT_POSITIVE' });
  });

  it('is not sent when the wallet refuses to sign', async () => {
    const refused = new Error('User rejected the request.');
    const unwilling = signerAfter(() => Promise.reject(refused));
    await unchanged(() =>
      expect(runAction(client, deposit('1'), unwilling)).rejects.toMatchObject({
        code: 'SIGNING_FAILED',
        message: 'The wallet did not sign: User rejected the request.',
        cause: refused,
      }),
    );
  });

  it('is not sent when the page is closed during the prompt', async () => {
    const stop = new AbortController();
    const closing = signerAfter(() => stop.abort(new Error('closed')));
    await unchanged(() =>
      expect(runAction(client, deposit('1'), closing, { signal: stop.signal })).rejects.toThrow('closed'),
    );
  });

  it('is not sent when the wallet returns it unsigned', async () => {
    const lazy: TransactionSigner = { address: signer.address, signTransactions: async (given) => given };
    await unchanged(() =>
      expect(runAction(client, deposit('1'), lazy)).rejects.toMatchObject({ code: 'TRANSACTION_UNSIGNED' }),
    );
  });

  it('is not built for another wallet than the signer', async () => {
    const stranger = { ...signer, address: addresses.emptyWallet };
    await expect(runAction(client, deposit('1'), stranger)).rejects.toMatchObject({
      code: 'SIGNER_MISMATCH',
    });
  });

  it('has the name and message of the program that rejects it', async () => {
    await unchanged(() =>
      expect(runAction(client, borrow('100000000'), signer)).rejects.toMatchObject({
        code: 'TRANSACTION_REJECTED',
        message: expect.stringMatching(/\w{3}/),
        context: { name: expect.stringMatching(/^\w+$/), programAddress: expect.any(String) },
      }),
    );
  });

  it('can be simulated before anyone signs', async () => {
    const good = await buildAction(client, deposit('1'), { simulate: true });
    const bad = await buildAction(client, borrow('100000000'), { simulate: true });
    expect(good.simulation).toMatchObject({ success: true, error: null });
    expect(bad.simulation).toMatchObject({ success: false, error: { name: expect.any(String) } });
    expect((await buildAction(client, deposit('1'))).simulation).toBeUndefined();
  });
});

describe('a builder of the REST API', () => {
  it('returns a transaction that can be signed and sent, or its instructions', async () => {
    const { wallet, vault: kvault } = addresses;
    const body = { wallet, kvault, amount: '1.5' };
    const transaction = await restTransaction(client.after(await chainSlot()), 'kvault/deposit', body);
    expect(Buffer.from(transaction, 'base64').length).toBeGreaterThan(200);
    const { instructions, lutsByAddress } = await restInstructions(client, 'kvault/deposit', body);
    expect(instructions.length).toBeGreaterThan(1);
    expect(Object.keys(lutsByAddress).length).toBeGreaterThan(0);
  });

  it('throws the code of a refusal', async () => {
    const { wallet, market, borrowReserve: reserve } = addresses;
    const refused = restTransaction(client, 'klend/borrow', { wallet, market, reserve, amount: '0' });
    await expect(refused).rejects.toMatchObject({ code: 'AMOUNT_NOT_POSITIVE', retryable: false });
  });
});
