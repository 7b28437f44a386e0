import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAddress } from '../support/chain/fake-chain.ts';
import { type SendingClient, SOL, startSendingClient, transferSol } from '../support/rpc/sending-client.ts';

let client: SendingClient;
let payer: KeyPairSigner;

beforeAll(async () => {
  client = await startSendingClient();
  payer = await client.wallet(1);
});
afterAll(() => client.server.close());

const give = async (to: Address, amount: bigint) =>
  await client.rpc
    .sendTransaction(await client.signed([transferSol(payer.address, to, amount)], [payer]), {
      encoding: 'base64',
    })
    .send();
const listed = async (address: Address) =>
  (await client.rpc.getSignaturesForAddress(address).send()).map(({ signature }) => signature);

test('a wallet sees sent transactions before those of the world, newest first', async () => {
  const { wallet } = client.localChain.addresses;
  const past = await listed(wallet);
  expect(past.length).toBeGreaterThan(5);
  const first = await give(wallet, SOL);
  const second = await give(wallet, 2n * SOL);
  client.advance(3);
  const third = await give(wallet, 3n * SOL);
  expect(await listed(wallet)).toEqual([third, second, first, ...past]);
});

test('pages continue from sent transactions into the past', async () => {
  const { wallet } = client.localChain.addresses;
  const all = await listed(wallet);
  const page = async (config: object) =>
    (await client.rpc.getSignaturesForAddress(wallet, config).send()).map(({ signature }) => signature);
  expect(await page({ limit: 2 })).toEqual(all.slice(0, 2));
  expect(await page({ before: all[1], limit: 3 })).toEqual(all.slice(2, 5));
  expect(await page({ until: all[4] })).toEqual(all.slice(0, 4));
});

test('sent transactions and those of the world alternate in the order of their slots', async () => {
  const { localChain } = client;
  const since = localChain.slot;
  for (let i = 0; i < 20; i += 1) {
    await give(testAddress(40), SOL / 100n);
    client.advance(5);
  }
  const signatures: string[] = [];
  const slots: bigint[] = [];
  for (let slot = since; slot <= localChain.slot; slot += 1n) {
    for (const transaction of localChain.block(slot).transactions) {
      signatures.push(transaction.signature);
      slots.push(transaction.slot);
    }
  }
  const sent = (await listed(testAddress(40))).toReversed();
  expect(sent).toHaveLength(20);
  expect(signatures.filter((signature) => sent.includes(signature as (typeof sent)[0]))).toEqual(sent);
  expect(signatures.length).toBeGreaterThan(30);
  expect(slots).toEqual(slots.toSorted((a, b) => Number(a - b)));
});

test('every account that a transaction names lists it, also programs', async () => {
  const signature = await give(testAddress(41), SOL);
  for (const address of [payer.address, testAddress(41), SYSTEM_PROGRAM]) {
    expect((await listed(address))[0]).toBe(signature);
  }
  expect(await listed(testAddress(42))).toEqual([]);
});

test('a transaction is returned in all encodings', async () => {
  const signature = await give(testAddress(43), SOL);
  const config = { maxSupportedTransactionVersion: 0 } as const;
  const json = await client.rpc.getTransaction(signature, { encoding: 'json', ...config }).send();
  expect(json?.transaction.message.accountKeys).toEqual([payer.address, testAddress(43), SYSTEM_PROGRAM]);
  expect(json?.transaction.signatures).toEqual([signature]);
  expect(json?.version).toBe(0);
  const parsed = await client.rpc.getTransaction(signature, { encoding: 'jsonParsed', ...config }).send();
  expect(parsed?.transaction.message.accountKeys).toEqual([
    { pubkey: payer.address, signer: true, source: 'transaction', writable: true },
    { pubkey: testAddress(43), signer: false, source: 'transaction', writable: true },
    { pubkey: SYSTEM_PROGRAM, signer: false, source: 'transaction', writable: false },
  ]);
  expect(parsed?.blockTime).toBe(BigInt(client.localChain.blockTime(client.localChain.slot) ?? 0));
});

test('a transaction stays known after its blockhash has expired', async () => {
  const signature = await give(testAddress(44), SOL);
  client.advance(200);
  const { value } = await client.rpc
    .getSignatureStatuses([signature], { searchTransactionHistory: true })
    .send();
  expect(value[0]).toMatchObject({ err: null, slot: client.localChain.slot - 200n });
});
