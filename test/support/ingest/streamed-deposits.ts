import type { CausedVaultEvent } from '@sluice/protocol/transactions/events';
import type { SlotRange } from '../../../src/store/transactions/slot-ranges.ts';
import type { EventfulTransaction } from '../../../src/store/transactions/write-events.ts';
import { named } from '../history/samples.ts';

export const range = (from: number, to: number): SlotRange => ({ from: BigInt(from), to: BigInt(to) });

/** A transaction with one deposit. */
export function deposit(signature: string, slot: bigint, place?: number): EventfulTransaction {
  const event: CausedVaultEvent = {
    signature,
    slot,
    time: 1_780_000_000,
    index: 0,
    kind: 'deposit',
    vault: named('vault'),
    wallet: named('wallet'),
    tokens: 5n,
    shares: 4n,
    reserve: null,
    reserveTokens: 0n,
    counterparty: null,
    instruction: 'deposit',
  };
  return {
    signature,
    slot,
    ...(place === undefined ? {} : { place }),
    vaultEvents: [event],
    lendingEvents: [],
    farmEvents: [],
    allocationEvents: [],
    queueEvents: [],
    problems: [],
  };
}
