import {
  createSolanaRpc,
  devnet,
  generateKeyPairSigner,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type KeyPairSigner,
  lamports,
  type SignatureBytes,
  signTransaction,
  verifySignature,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BuildError,
  type BuiltTransaction,
  callBuilder,
  type InstructionBundle,
} from '../../docs/signing/call-builder.ts';
import { instructionsOf, transactionOf } from '../../docs/signing/from-bundle.ts';
import { confirmed, decodeTransaction, send, signWithKey } from '../../docs/signing/with-kit.ts';
import { type SignTransactionFeature, signWithWallet } from '../../docs/signing/with-wallet.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

let gateway: TestEmbeddedApp;
let site: Site;
let signer: KeyPairSigner;
let rpc: ReturnType<typeof createSolanaRpc<ReturnType<typeof devnet>>>;

/** A method of the localnet's faucet, which kit does not know. */
async function requestTokens(owner: string, mint: string, units: number): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'localnet_requestTokens',
    params: [owner, mint, units],
  });
  const headers = { 'content-type': 'application/json' };
  expect(await (await fetch(gateway.rpc.url, { method: 'POST', headers, body })).json()).toHaveProperty(
    'result',
  );
}

beforeAll(async () => {
  gateway = await startEmbeddedApp();
  site = await serveSite(gateway.app.fetch);
  signer = await generateKeyPairSigner();
  rpc = createSolanaRpc(devnet(gateway.rpc.url));
  await rpc.requestAirdrop(signer.address, lamports(1_000_000_000n)).send();
  await requestTokens(signer.address, gateway.addresses.tokenMint, 10_000_000);
});
afterAll(async () => {
  await site?.close();
  await gateway?.app.stop();
});

const BUDGET = { units: 400_000, microLamportsPerUnit: 10_000n };
const body = (path: string) => {
  const { vault, market, depositReserve } = gateway.addresses;
  const place = path.includes('kvault') ? { kvault: vault } : { market, reserve: depositReserve };
  return { wallet: signer.address, ...place, amount: '1.5' };
};
/** A new wallet can make these without a position. */
const FIRST_ACTIONS = ['/ktx/kvault/deposit', '/ktx/kvault/withdraw', '/ktx/klend/deposit'] as const;

async function expectSigned(base64: string): Promise<void> {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  expect(Object.keys(signatures)).toEqual([signer.address]);
  const signature = signatures[signer.address] as SignatureBytes;
  expect(await verifySignature(signer.keyPair.publicKey, signature, messageBytes)).toBe(true);
}

/** A wallet as the Wallet Standard has it: bytes in, bytes out. */
const wallet: SignTransactionFeature<{ readonly address: string }> = {
  signTransaction: (...inputs) =>
    Promise.all(
      inputs.map(async ({ transaction }) => {
        const signed = await signTransaction([signer.keyPair], getTransactionDecoder().decode(transaction));
        return { signedTransaction: new Uint8Array(getTransactionEncoder().encode(signed)) };
      }),
    ),
};

describe.each(FIRST_ACTIONS)('the documented way to sign %s', (path) => {
  it('works from a whole transaction, with a key and with a wallet', async () => {
    const { transaction } = await callBuilder<BuiltTransaction>(site.origin, path, body(path));
    await expectSigned(await signWithKey(decodeTransaction(transaction), signer));
    const account = { address: signer.address };
    await expectSigned(
      await signWithWallet(decodeTransaction(transaction), account, wallet, 'solana:localnet'),
    );
  });

  it('works from instructions, with its own blockhash and compute budget', async () => {
    const bundle = await callBuilder<InstructionBundle>(site.origin, `${path}-instructions`, body(path));
    const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
    const unsigned = transactionOf(bundle, signer.address, lifetime, BUDGET);
    const message = getCompiledTransactionMessageDecoder().decode(unsigned.messageBytes);
    expect(message.staticAccounts[0]).toBe(signer.address);
    if (message.version !== 0) throw new Error('another version');
    expect(message.lifetimeToken).toBe(lifetime.blockhash);
    expect(message.instructions).toHaveLength(bundle.instructions.length + 2);
    expect(message.addressTableLookups?.length).toBeGreaterThan(0);
    expect(getTransactionEncoder().encode(unsigned).length).toBeLessThanOrEqual(1232);
    await expectSigned(await signWithKey(unsigned, signer));
    await expectSigned(await signWithWallet(unsigned, { address: signer.address }, wallet));
  });

  it('returns the same instructions in both forms', async () => {
    const bundle = await callBuilder<InstructionBundle>(site.origin, `${path}-instructions`, body(path));
    const { transaction } = await callBuilder<BuiltTransaction>(site.origin, path, body(path));
    const { messageBytes } = decodeTransaction(transaction);
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
    if (message.version !== 0) throw new Error('another version');
    expect(message.instructions.map(({ data }) => Buffer.from(data ?? []).toString('hex'))).toEqual(
      instructionsOf(bundle).map(({ data }) => Buffer.from(data ?? []).toString('hex')),
    );
  });
});

it('an error response is thrown with its code', async () => {
  const asked = callBuilder(site.origin, '/ktx/kvault/deposit', { ...body('/ktx/kvault'), amount: '0' });
  await expect(asked).rejects.toBeInstanceOf(BuildError);
  await expect(asked).rejects.toMatchObject({ code: 'AMOUNT_NOT_POSITIVE' });
});

it('a signed transaction lands on the localnet and is confirmed', async () => {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const { transaction } = await callBuilder<BuiltTransaction>(
    site.origin,
    '/ktx/kvault/deposit',
    body('/ktx/kvault'),
  );
  const signature = await send(rpc, await signWithKey(decodeTransaction(transaction), signer));
  expect(await confirmed(rpc, signature, lifetime.lastValidBlockHeight, 100)).toBe(true);
});

it('a transaction that the wallet cannot pay for is refused by the preflight', async () => {
  const poor = await generateKeyPairSigner();
  const { transaction } = await callBuilder<BuiltTransaction>(site.origin, '/ktx/kvault/deposit', {
    ...body('/ktx/kvault'),
    wallet: poor.address,
  });
  await expect(send(rpc, await signWithKey(decodeTransaction(transaction), poor))).rejects.toThrow();
});
