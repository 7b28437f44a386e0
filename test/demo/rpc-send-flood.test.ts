import { expect, test } from 'vitest';
import { RateLimit } from '../../src/demo/rpc/rate-limit.ts';
import { ExecutedTransactions } from '../../src/demo/world/executed-transactions.ts';
import { pastTransaction, testAddress, testSignature } from '../support/ledger/fake-ledger.ts';
import { SOL, startSendingClient, transferSol } from '../support/rpc/sending-client.ts';

test('a flood of transactions is answered with errors, and reads go on', async () => {
  const client = await startSendingClient({ sends: new RateLimit(100, 0) });
  try {
    const payer = await client.wallet(1);
    const wire = await client.signed([transferSol(payer.address, testAddress(2), SOL)], [payer]);
    const request = {
      jsonrpc: '2.0',
      method: 'sendTransaction',
      params: [wire, { encoding: 'base64', skipPreflight: true }],
    };
    const batch = Array.from({ length: 10_000 }, (_, id) => ({ ...request, id }));
    const answer = await fetch(client.server.url, { method: 'POST', body: JSON.stringify(batch) });
    const answers = (await answer.json()) as { readonly error?: { readonly code: number } }[];
    // The wallet's airdrop was the first of the hundred.
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(99);
    expect(answers.filter(({ error }) => error?.code === 429)).toHaveLength(9_901);
    expect((await client.rpc.getBalance(testAddress(2)).send()).value).toBe(SOL);
    expect(await client.rpc.getSignaturesForAddress(testAddress(2)).send()).toHaveLength(1);
  } finally {
    await client.server.close();
  }
});

test('the limit allows a burst and then a steady rate', () => {
  let nowMs = 0;
  const limit = new RateLimit(3, 2, () => nowMs);
  const taken = () => Array.from({ length: 5 }, () => limit.take());
  expect(taken()).toEqual([true, true, true, false, false]);
  nowMs = 1_000;
  expect(taken()).toEqual([true, true, false, false, false]);
  nowMs = 100_000;
  expect(taken()).toEqual([true, true, true, false, false]);
});

test('the oldest transactions are forgotten, and the others keep their bodies', () => {
  const log = new ExecutedTransactions(1_000);
  for (let i = 0; i < 1_500; i += 1) {
    const {
      signature,
      slot,
      error,
      blockTime: _,
      ...body
    } = pastTransaction({
      signature: `${testSignature(1)}${i}`,
      slot: BigInt(i >> 1),
      wire: Uint8Array.of(i & 255),
      addresses: [testAddress(1), testAddress(i % 2)],
      logs: [`Program log: ${i}`],
      preBalances: [2n ** 60n + BigInt(i)],
    });
    log.append({ signature, slot, error }, body, i);
  }
  expect(log.of(testAddress(1))).toHaveLength(1_000);
  expect(log.of(testAddress(0))).toHaveLength(500);
  expect(log.bySignature(`${testSignature(1)}499`)).toBeUndefined();
  expect(log.inSlot(249n)).toEqual([]);
  expect(log.inSlot(250n)).toHaveLength(2);
  const oldest = log.bySignature(`${testSignature(1)}500`);
  expect(oldest?.transaction).toMatchObject({
    slot: 250n,
    logs: ['Program log: 500'],
    preBalances: [2n ** 60n + 500n],
    addresses: [testAddress(1), testAddress(0)],
  });
  expect(oldest?.transaction.wire).toEqual(Uint8Array.of(500 & 255));
});
