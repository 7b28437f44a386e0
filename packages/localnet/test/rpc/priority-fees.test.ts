import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { setComputeUnitPrice } from '@sluice/protocol/system/instructions';
import { type Address, createSolanaRpc, type Instruction } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SendingClient, startSendingClient, transferSol } from '../support/rpc/sending-client.ts';

/** Answers `getRecentPrioritizationFees` from transactions that were sent. */

let client: SendingClient;
let rpc: ReturnType<typeof createSolanaRpc>;
beforeAll(async () => {
  client = await startSendingClient({ quiet: true });
  rpc = createSolanaRpc(client.server.url as `http://${string}`);
});
afterAll(() => client.server.close());

const price = (microLamports: bigint): Instruction =>
  setComputeUnitPrice.encode(COMPUTE_BUDGET_PROGRAM, {}, { microLamports });

/** The price of the newest slot for these accounts. */
async function newest(...accounts: Address[]): Promise<bigint | undefined> {
  const fees = await rpc.getRecentPrioritizationFees(accounts).send();
  expect(fees).toHaveLength(150);
  expect(fees.at(-1)?.slot).toBe(client.localChain.slot);
  return fees.at(-1)?.prioritizationFee;
}

test('a slot has the lowest price of all, or of those that write to an account if that is higher', async () => {
  const [rich, poor] = [await client.wallet(1), await client.wallet(2)];
  client.advance(200);
  const send = async (wallet: typeof rich, microLamports: bigint, to: Address) => {
    const instructions = [price(microLamports), transferSol(wallet.address, to, 1_000_000n)];
    const wire = await client.signed(instructions, [wallet]);
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
  };
  const shared = (await client.wallet(3)).address;
  client.advance(1);
  expect(await newest(rich.address)).toBe(0n);
  await send(rich, 900n, shared);
  await send(rich, 700n, poor.address);
  await send(poor, 50n, shared);
  expect(await newest()).toBe(50n);
  expect(await newest(rich.address)).toBe(700n);
  expect(await newest(shared)).toBe(50n);
  expect(await newest(shared, rich.address)).toBe(700n);
  // Read, not written.
  expect(await newest(SYSTEM_PROGRAM)).toBe(50n);
  client.advance(1);
  expect(await newest(rich.address)).toBe(0n);
  client.advance(150);
  const fees = await rpc.getRecentPrioritizationFees([rich.address]).send();
  expect(fees.every(({ prioritizationFee }) => prioritizationFee === 0n)).toBe(true);
});

test('takes at most 128 accounts', async () => {
  const many = new Array<Address>(129).fill(SYSTEM_PROGRAM);
  await expect(rpc.getRecentPrioritizationFees(many).send()).rejects.toMatchObject({
    context: { __code: -32602, __serverMessage: 'Too many inputs provided; max 128' },
  });
});
