import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { PositionKeeper } from '../../src/chain/positions/position-keeper.ts';
import type { PositionAccount, PositionChange } from '../../src/chain/positions/position-kinds.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';

const WALLET = addressNumber(9);

const held = (number: number, slot: bigint): PositionAccount => ({
  kind: 'obligation',
  account: {
    address: addressNumber(number),
    owner: MAINNET_PROGRAMS.klend,
    data: obligation.encode({ owner: WALLET, tag: slot }),
    lamports: 1n,
    slot,
  },
});

const changed = (number: number, slot: bigint): PositionChange => {
  const { kind, account } = held(number, slot);
  return { kind, address: account.address, account, slot };
};

/** Numbers and slots of the obligations of the wallet. */
const slotsOf = (keeper: PositionKeeper) =>
  keeper
    .snapshot(1n)
    ?.ofWallet('obligation', WALLET)
    .map(({ slot }) => slot)
    .toSorted() ?? null;

describe('positions on their way into Views', () => {
  it('are none before they are loaded, and after they are lost', async () => {
    const keeper = new PositionKeeper(MAINNET_PROGRAMS);
    keeper.apply(changed(1, 5n));
    expect(keeper.snapshot(5n)).toBeNull();
    await keeper.load(5n, [held(1, 5n)]);
    expect(slotsOf(keeper)).toEqual([5n]);
    keeper.lose();
    expect(keeper.snapshot(6n)).toBeNull();
  });

  it('include what changes while they are loaded, but nothing from before the load', async () => {
    const keeper = new PositionKeeper(MAINNET_PROGRAMS);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slowly() {
      yield held(1, 5n);
      await gate;
      yield held(2, 5n);
    }
    const loading = keeper.load(5n, slowly());
    keeper.apply(changed(1, 7n));
    keeper.apply(changed(2, 4n));
    keeper.apply(changed(3, 6n));
    expect(keeper.snapshot(7n)).toBeNull();
    release();
    await loading;
    expect(slotsOf(keeper)).toEqual([5n, 6n, 7n]);
  });

  it('are not those of a load that was overtaken by a loss or another load', async () => {
    const keeper = new PositionKeeper(MAINNET_PROGRAMS);
    const first = keeper.load(5n, [held(1, 5n)]);
    keeper.lose();
    await first;
    expect(keeper.snapshot(5n)).toBeNull();
    await Promise.all([keeper.load(6n, [held(1, 6n)]), keeper.load(7n, [held(1, 7n)])]);
    expect(slotsOf(keeper)).toEqual([7n]);
  });

  it('go back to the newest View when reading stops', async () => {
    const keeper = new PositionKeeper(MAINNET_PROGRAMS);
    await keeper.load(5n, [held(1, 5n), held(2, 5n)]);
    const view = keeper.snapshot(5n);
    keeper.apply(changed(1, 6n));
    keeper.apply({ kind: 'obligation', address: addressNumber(2), account: null, slot: 6n });
    keeper.apply(changed(3, 6n));
    keeper.rollback(view);
    expect(slotsOf(keeper)).toEqual([5n, 5n]);
    expect(view?.ofWallet('obligation', WALLET)).toHaveLength(2);
  });

  it('keep those held when a load fails', async () => {
    const keeper = new PositionKeeper(MAINNET_PROGRAMS);
    await keeper.load(5n, [held(1, 5n)]);
    async function* failing() {
      yield held(2, 6n);
      throw new Error('the scan failed');
    }
    await expect(keeper.load(6n, failing())).rejects.toThrow('the scan failed');
    keeper.apply(changed(1, 7n));
    expect(slotsOf(keeper)).toEqual([7n]);
  });
});
