import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { PositionAccount } from '../../src/chain/positions/position-kinds.ts';
import { PositionTable } from '../../src/chain/positions/position-table.ts';
import type { View } from '../../src/chain/view/view.ts';
import type { PositionsUpdate, ViewUpdate } from '../../src/chain/view/view-update.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { keeperOver } from '../support/rpc/test-view-keeper.ts';

const WALLET = addressNumber(9);

const held = (number: number, slot: bigint): PositionAccount => ({
  kind: 'obligation',
  account: {
    address: addressNumber(number),
    owner: MAINNET_PROGRAMS.klend,
    data: obligation.encode({ owner: WALLET }),
    lamports: 1n,
    slot,
  },
});
const closing = (number: number) =>
  ({ kind: 'obligation', address: addressNumber(number), account: null, slot: 110n }) as const;

/** Obligations of the wallet; null for a View without positions. */
const countIn = ({ positions }: View) => positions?.ofWallet('obligation', WALLET).length ?? null;

describe('the positions of a View', () => {
  it('are those at its slot, whatever is announced after it', async () => {
    const { keeper } = keeperOver({ slotOf: () => 100n });
    const before = await keeper.read();
    await keeper.positionsLoaded(100n, [held(1, 100n), held(2, 100n)]);
    const first = await keeper.read();
    keeper.positionChanged(closing(1));
    const second = await keeper.read();
    keeper.positionsLost();
    const third = await keeper.read();
    expect([before, first, second, third].map(countIn)).toEqual([null, 2, 1, null]);
    expect(second.positions?.slot).toBe(second.moment.slot);
  });

  it('are dropped with Views of slots that the chain has not reached', async () => {
    const { keeper } = keeperOver({ slotOf: () => 100n });
    await keeper.positionsLoaded(100n, [held(1, 100n)]);
    await keeper.read();
    keeper.discardAfter(50n);
    expect(countIn(await keeper.read())).toBeNull();
  });

  it('are adopted from another process, but not kept once this one reads for itself', async () => {
    const { keeper } = keeperOver({ slotOf: () => 100n });
    const { moment } = await keeper.read();
    const update = (id: string, positions?: PositionsUpdate): ViewUpdate => ({
      moment: { ...moment, id },
      whole: false,
      accounts: [],
      failed: [],
      removed: [],
      ...(positions === undefined ? {} : { positions }),
    });
    const table = await PositionTable.load(MAINNET_PROGRAMS, [held(1, 100n), held(2, 100n)]);
    const views = [
      keeper.adopt(update('a', { state: 'loaded', table })),
      keeper.adopt(update('b', { state: 'changed', changes: [closing(1)] })),
      keeper.adopt(update('c')),
      keeper.adopt(update('d', { state: 'lost' })),
    ];
    expect(views.map(countIn)).toEqual([2, 1, 1, null]);
    keeper.adopt(update('e', { state: 'loaded', table }));
    keeper.start();
    try {
      expect(countIn(await keeper.read())).toBeNull();
    } finally {
      await keeper.stop();
    }
  });
});
