import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { NOW } from '../builders/lending-accounts.ts';
import { BorrowOrderBench, DEBT, type OrderArgs, UNTIL } from './borrow-order-bench.ts';

const { klend } = MAINNET_PROGRAMS;
/** The bytes of no order. */
export const EMPTY = '00'.repeat(160);

export const hex = (bytes: ArrayLike<number>) => Buffer.from(Uint8Array.from(bytes)).toString('hex');
export const little = (value: bigint | number, size: number) =>
  BigInt(value)
    .toString(16)
    .padStart(size * 2, '0')
    .match(/../g)
    ?.toReversed()
    .join('') ?? '';
const key = (address: Address) => hex(addressBytes(address));

/** A bench on which an order stands. */
export const placed = (terms: Partial<OrderArgs> = {}, index = 0, bench = new BorrowOrderBench()) => {
  expect(bench.failureOf([bench.setting(terms, index)])).toBeNull();
  return bench;
};

/** The code with which setting an order fails; null when it does not. */
export const set = (terms: Partial<OrderArgs>, bench = new BorrowOrderBench(), index = 0, minExpected = 0n) =>
  bench.failureOf([bench.setting(terms, index, minExpected)]);

/** The events that the transaction records, as hex without tag. */
export function eventsOf(bench: BorrowOrderBench, instructions: readonly EncodedInstruction[]): string[] {
  const { failure, inner } = bench.run(instructions);
  expect(failure).toBeNull();
  return inner
    .flat()
    .filter(({ instruction }) => instruction.programAddress === klend)
    .map(({ instruction }) => hex(instruction.data).slice(16));
}

/** The 160 bytes of an order, written out. */
export function bytesOf(
  bench: BorrowOrderBench,
  order: Partial<OrderArgs> & {
    readonly requested?: bigint;
    readonly placedAt?: bigint;
    readonly updatedAt?: bigint;
  },
): string {
  return [
    key(bench.reserve(DEBT).liquidity.mintPubkey),
    little(order.remainingDebtAmount ?? 100_000_000n, 8),
    key(bench.tokensOf(DEBT)),
    little(order.minDebtTermSeconds ?? 0n, 8),
    little(order.fillableUntilTimestamp ?? UNTIL, 8),
    little(order.placedAt ?? NOW.timestamp, 8),
    little(order.updatedAt ?? NOW.timestamp, 8),
    little(order.requested ?? 100_000_000n, 8),
    little(order.maxBorrowRateBps ?? 5_000, 4),
    '01',
    order.enableAutoRolloverOnFilledBorrows ? '01' : '00',
    '0000',
    '00'.repeat(40),
  ].join('');
}
