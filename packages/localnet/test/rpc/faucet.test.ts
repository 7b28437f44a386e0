import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { type Address, type KeyPairSigner, lamports } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRpcServer } from '../../src/rpc/server.ts';
import { FakeChain, testAddress } from '../support/chain/fake-chain.ts';
import { type SendingClient, SOL, startSendingClient } from '../support/rpc/sending-client.ts';

let client: SendingClient;
let wallet: KeyPairSigner;

beforeAll(async () => {
  client = await startSendingClient();
  wallet = await client.wallet(1);
});
afterAll(() => client.server.close());

const tokenOf = (symbol: string) => {
  const token = client.localChain.world.tokens.find((each) => each.symbol === symbol);
  if (token === undefined) throw new Error(`the world has no ${symbol}`);
  return token.mint;
};
const supplyOf = async (mint: Address) => BigInt((await client.rpc.getTokenSupply(mint).send()).value.amount);
const heldBy = async (owner: Address, mint: Address) => {
  const config = { encoding: 'jsonParsed' } as const;
  const { value } = await client.rpc.getTokenAccountsByOwner(owner, { mint }, config).send();
  return value.map(({ pubkey, account }) => ({
    address: pubkey,
    amount: BigInt(account.data.parsed.info.tokenAmount.amount),
  }));
};
const request = (...params: readonly unknown[]) => client.call('localnet_requestTokens', params);

test('an airdrop is a transaction of the faucet', async () => {
  const to = testAddress(10);
  const first = await client.rpc.requestAirdrop(to, lamports(3n * SOL)).send();
  const second = await client.rpc.requestAirdrop(to, lamports(3n * SOL)).send();
  expect(first).not.toBe(second);
  expect((await client.rpc.getBalance(to).send()).value).toBe(6n * SOL);
  const listed = await client.rpc.getSignaturesForAddress(to).send();
  expect(listed.map(({ signature }) => signature)).toEqual([second, first]);
  const found = await client.rpc
    .getTransaction(first, { encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send();
  const keys: readonly Address[] = found?.transaction.message.accountKeys ?? [];
  const at = keys.indexOf(to);
  expect(found?.meta?.preBalances[at]).toBe(0n);
  expect(found?.meta?.postBalances[at]).toBe(3n * SOL);
  expect(keys).toContain(SYSTEM_PROGRAM);
});

test('an airdrop is capped and checked', async () => {
  const codes = async (...params: readonly unknown[]) =>
    (await client.call('requestAirdrop', params)).error?.code;
  expect(await codes(testAddress(11), 1_000_000_000_001)).toBe(-32602);
  expect(await codes(testAddress(11), -1)).toBe(-32602);
  expect(await codes('nowhere', 1)).toBe(-32602);
  expect(await codes(testAddress(11))).toBe(-32602);
  expect((await client.rpc.getBalance(testAddress(11)).send()).value).toBe(0n);
});

test.each(['USDC', 'EURK', 'TOLL'])('%s is minted to the associated account of its owner', async (symbol) => {
  const mint = tokenOf(symbol);
  const owner = testAddress(20);
  const supply = await supplyOf(mint.address);
  const { result } = await request(owner, mint.address, 5_000_000);
  expect(result).toEqual(expect.any(String));
  const again = await request(owner, mint.address, '7000000');
  expect(again.error).toBeUndefined();
  const { address } = associatedTokenAddress(owner, mint.program, mint.address);
  expect(await heldBy(owner, mint.address)).toEqual([{ address, amount: 12_000_000n }]);
  expect(await supplyOf(mint.address)).toBe(supply + 12_000_000n);
  const [newest] = await client.rpc.getSignaturesForAddress(address).send();
  expect(newest).toMatchObject({ signature: again.result, err: null });
});

test('wrapped SOL is backed by lamports', async () => {
  await request(wallet.address, WRAPPED_SOL_MINT, Number(2n * SOL));
  const [account] = await heldBy(wallet.address, WRAPPED_SOL_MINT);
  expect(account?.amount).toBe(2n * SOL);
  const rent = (128n + 165n) * 6_960n;
  const address = account?.address ?? testAddress(1);
  expect((await client.rpc.getBalance(address).send()).value).toBe(2n * SOL + rent);
});

test('a wallet of the world can use it, and the world goes on', async () => {
  const mint = tokenOf('USDC');
  const owner = client.localChain.addresses.wallet;
  const [before] = await heldBy(owner, mint.address);
  await request(owner, mint.address, 1_000_000);
  client.advance(50);
  expect(await heldBy(owner, mint.address)).toEqual([
    { address: expect.any(String), amount: (before?.amount ?? 0n) + 1_000_000n },
  ]);
});

test('a request for tokens is capped and checked', async () => {
  const { address } = tokenOf('USDC');
  const codes = async (...params: readonly unknown[]) => (await request(...params)).error?.code;
  expect(await codes(wallet.address, address, '1000000000000001')).toBe(-32602);
  expect(await codes(wallet.address, testAddress(5), 1)).toBe(-32602);
  expect(await codes(wallet.address, address, -1)).toBe(-32602);
  expect(await codes(wallet.address, address, 'many')).toBe(-32602);
  expect(await codes(wallet.address)).toBe(-32602);
});

test('a chain without a faucet does not know the methods', async () => {
  const server = await startRpcServer(new FakeChain());
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'requestAirdrop',
    params: [testAddress(1), 1],
  });
  const answer = await fetch(server.url, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ error: { code: -32601 } });
  await server.close();
});
