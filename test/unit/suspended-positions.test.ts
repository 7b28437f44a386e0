import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { PositionKeeper } from '../../src/chain/positions/position-keeper.ts';
import { changeTo, closing, contentsOf, positionOf } from '../support/feed/feed-positions.ts';

const amounts = (from: number, to: number, amount: bigint, slot: bigint) =>
  Array.from({ length: to - from }, (_, i) => positionOf('obligation', from + i, amount, slot));

async function held() {
  const keeper = new PositionKeeper(MAINNET_PROGRAMS);
  await keeper.load(10n, amounts(0, 10, 1n, 10n));
  const view = keeper.snapshot(10n) ?? expect.fail('there are no positions');
  return { keeper, view, contents: contentsOf(view) };
}

describe('positions that no source vouches for any more', () => {
  it('are in no View, whatever changes, until they are loaded', async () => {
    const { keeper } = await held();
    keeper.suspend();
    keeper.apply(changeTo(positionOf('obligation', 0, 2n, 11n)));
    expect(keeper.snapshot(11n)).toBeNull();
    await keeper.load(12n, amounts(0, 10, 1n, 12n));
    expect(keeper.snapshot(12n)?.count('obligation')).toBe(10);
  });

  it('are then those of the load, and earlier Views know what has changed', async () => {
    const { keeper, view, contents } = await held();
    keeper.suspend();
    const changed = positionOf('obligation', 3, 7n, 12n);
    const created = positionOf('obligation', 20, 1n, 12n);
    const same = [...amounts(0, 3, 1n, 12n), ...amounts(4, 9, 1n, 12n)];
    await keeper.load(12n, [...same, changed, created]);
    const next = keeper.snapshot(12n) ?? expect.fail('there are no positions');
    const closed = positionOf('obligation', 9, 1n, 12n).account.address;
    const changes = next
      .changesSince(view)
      ?.map(({ kind, address }) => [address, next.account(kind, address)]);
    expect(new Map(changes as [string, unknown][])).toEqual(
      new Map<string, unknown>([
        [changed.account.address, changed.account],
        [created.account.address, created.account],
        [closed, null],
      ]),
    );
    expect(next.count('obligation')).toBe(10);
    // The slot is that at which the bytes were first seen.
    expect(next.account('obligation', same[0]?.account.address ?? closed)?.slot).toBe(10n);
    expect(contentsOf(view)).toEqual(contents);
  });

  it('are followed by the changes that arrived while they were loaded', async () => {
    const { keeper } = await held();
    keeper.suspend();
    async function* slowly() {
      yield* amounts(0, 5, 1n, 12n);
      keeper.apply(changeTo(positionOf('obligation', 1, 9n, 13n)));
      keeper.apply(changeTo(positionOf('obligation', 2, 8n, 11n)));
      keeper.apply(closing(positionOf('obligation', 3, 0n, 13n), 13n));
      yield* amounts(5, 10, 1n, 12n);
    }
    await keeper.load(12n, slowly());
    const next = keeper.snapshot(13n);
    const at = (n: number) =>
      next?.account('obligation', positionOf('obligation', n, 0n, 0n).account.address);
    expect([at(1)?.lamports, at(2)?.lamports, at(3)]).toEqual([1_009n, 1_001n, null]);
    expect(next?.count('obligation')).toBe(9);
  });

  it('are as in the newest View again when reading stops in the middle of a load', async () => {
    const { keeper, view, contents } = await held();
    keeper.suspend();
    async function* stopped() {
      yield* amounts(0, 3, 5n, 12n);
      keeper.rollback(view);
      yield* amounts(3, 4, 5n, 12n);
    }
    await keeper.load(12n, stopped());
    expect(contentsOf(keeper.snapshot(10n))).toEqual(contents);
  });

  it('are dropped when reading stops after a View without them', async () => {
    const { keeper } = await held();
    keeper.suspend();
    keeper.rollback(null);
    expect(keeper.snapshot(12n)).toBeNull();
  });
});
