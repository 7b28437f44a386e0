import { expect, test } from 'vitest';
import { ExecutedTransactions } from '../src/world/executed-transactions.ts';
import { pastTransaction, testAddress, testSignature } from './support/chain/fake-chain.ts';

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
    log.append({ signature, slot, error }, body);
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
