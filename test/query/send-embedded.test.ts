import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  createSolanaRpc,
  generateKeyPairSigner,
  type KeyPairSigner,
  lamports,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BundleRole, InstructionBundle } from '../../docs/signing/call-builder.ts';
import { transactionOf } from '../../docs/signing/from-bundle.ts';
import { sendThroughGateway } from '../../docs/signing/through-gateway.ts';
import { signWithKey } from '../../docs/signing/with-kit.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

const SOL = 1_000_000_000n;
const BUDGET = { units: 10_000, microLamportsPerUnit: 0n };

let gateway: TestEmbeddedApp;
let site: Site;
let rpc: Rpc<SolanaRpcApi>;
let payer: KeyPairSigner;
let receiver: KeyPairSigner;

beforeAll(async () => {
  gateway = await startEmbeddedApp();
  site = await serveSite(gateway.app.fetch);
  rpc = createSolanaRpc(gateway.rpc.url);
  [payer, receiver] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  await rpc.requestAirdrop(payer.address, lamports(2n * SOL)).send();
});
afterAll(async () => {
  await site?.close();
  await gateway?.app.stop();
});

/** A signed transfer of SOL. */
async function transfer(amount: bigint): Promise<string> {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2, 0);
  data.writeBigUInt64LE(amount, 4);
  const account = (address: string, role: BundleRole) => ({ address, role });
  const bundle: InstructionBundle = {
    instructions: [
      {
        programAddress: SYSTEM_PROGRAM,
        accounts: [account(payer.address, 'WRITABLE_SIGNER'), account(receiver.address, 'WRITABLE')],
        data: data.toString('base64'),
      },
    ],
    lutsByAddress: {},
  };
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  return await signWithKey(transactionOf(bundle, payer.address, lifetime, BUDGET), payer);
}

const balance = async () => (await rpc.getBalance(receiver.address).send()).value;

it('the localnet takes a signed transaction without a setting, once', async () => {
  const signed = await transfer(SOL);
  const sent = await sendThroughGateway(site.origin, signed);
  expect(sent).toMatchObject({ error: null, slot: expect.stringMatching(/^\d+$/) });
  expect(['CONFIRMED', 'FINALIZED']).toContain(sent.status);
  expect(await balance()).toBe(SOL);
  const again = await sendThroughGateway(site.origin, signed);
  expect([again.signature, again.slot, again.error]).toEqual([sent.signature, sent.slot, null]);
  expect(await balance()).toBe(SOL);
});

it('the localnet rejects what the wallet cannot pay, by the name of the error', async () => {
  expect(await sendThroughGateway(site.origin, await transfer(50n * SOL))).toMatchObject({
    status: 'REJECTED',
    slot: null,
    error: { programAddress: SYSTEM_PROGRAM, code: 1, name: 'ResultWithNegativeLamports' },
  });
});
