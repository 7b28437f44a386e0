import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { SlotAssembly } from '../../src/chain/sources/geyser/slot-assembly.ts';
import { StreamFault } from '../../src/chain/sources/geyser/stream-fault.ts';

type Update =
  | { readonly type: 'account'; readonly slot: bigint; readonly address: Address; readonly version: bigint }
  | { readonly type: 'block'; readonly slot: bigint; readonly parent: bigint }
  | { readonly type: 'confirmed'; readonly slot: bigint }
  | { readonly type: 'dead'; readonly slot: bigint };

const hashOf = (slot: bigint, node = 'a') => `${node}${slot}`;

function feed(assembly: SlotAssembly, update: Update, node = 'a'): void {
  const { slot } = update;
  if (update.type === 'confirmed') assembly.confirm(slot);
  else if (update.type === 'dead') assembly.drop(slot);
  else if (update.type === 'block')
    assembly.addBlock({
      slot,
      blockhash: hashOf(slot, node),
      parentSlot: update.parent,
      parentBlockhash: hashOf(update.parent, node),
    });
  else
    assembly.addChange({
      writeVersion: update.version,
      account: {
        address: update.address,
        owner: SYSTEM_PROGRAM,
        data: Uint8Array.of(Number(update.version)),
        lamports: 1n,
        slot,
      },
    });
}

/** The state of a consumer: the last change applied of each account, as text. */
class State {
  readonly accounts = new Map<Address, string>();
  readonly slots: bigint[] = [];

  take(assembly: SlotAssembly): void {
    for (const { slot, changes } of assembly.take()) {
      if (slot !== this.slots.at(-1)) this.slots.push(slot);
      for (const { address, slot: at, data } of changes) {
        const [before = '-1'] = this.accounts.get(address)?.split(':') ?? [];
        if (BigInt(before) <= at) this.accounts.set(address, `${at}:${data[0]}`);
      }
    }
  }
}

const START = 100n;

/** A chain of blocks after START, some with a sibling that is never confirmed, and the changes in each. */
interface World {
  readonly updates: readonly Update[];
  /** By account, as `State` has it. */
  readonly expected: ReadonlyMap<Address, string>;
  readonly chain: readonly bigint[];
}

const worlds: fc.Arbitrary<World> = fc
  .array(
    fc.record({
      skips: fc.integer({ min: 0, max: 2 }),
      hasSibling: fc.boolean(),
      siblingDies: fc.boolean(),
      changes: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((blocks) => {
    const updates: Update[] = [];
    const expected = new Map<Address, string>();
    const chain: bigint[] = [];
    let [slot, parent, version] = [START, START, 0n];
    for (const { skips, hasSibling, siblingDies, changes } of blocks) {
      const add = (on: boolean) => {
        for (const account of changes) {
          version += 1n;
          const address = testAddress(account);
          updates.push({ type: 'account', slot, address, version });
          if (on) expected.set(address, `${slot}:${version}`);
        }
        updates.push({ type: 'block', slot, parent });
        if (on) updates.push({ type: 'confirmed', slot });
      };
      slot += 1n + BigInt(skips);
      if (hasSibling) {
        add(false);
        if (siblingDies) updates.push({ type: 'dead', slot });
        slot += 1n;
      }
      add(true);
      chain.push(slot);
      parent = slot;
    }
    return { updates, expected, chain };
  });

function started(): SlotAssembly {
  const assembly = new SlotAssembly();
  feed(assembly, { type: 'block', slot: START, parent: START - 1n });
  feed(assembly, { type: 'confirmed', slot: START });
  expect(assembly.take().map(({ slot }) => slot)).toEqual([START]);
  return assembly;
}

const shuffled = (world: World) =>
  fc.shuffledSubarray([...world.updates], { minLength: world.updates.length });

describe('slots of a stream', () => {
  it('are applied in the order of the chain, whatever the order and repetition of the updates', () => {
    const cases = worlds.chain((world) =>
      fc.tuple(fc.constant(world), shuffled(world), shuffled(world), fc.boolean()),
    );
    fc.assert(
      fc.property(cases, ([{ expected, chain }, once, again, repeats]) => {
        const [assembly, state] = [started(), new State()];
        for (const update of repeats ? [...once, ...again] : once) {
          feed(assembly, update);
          state.take(assembly);
        }
        expect(state.slots).toEqual(chain);
        expect(state.accounts).toEqual(expected);
      }),
    );
  });

  it('are the same after reconnects that replay from the last one applied', () => {
    const cases = worlds.chain((world) =>
      fc.tuple(fc.constant(world), fc.array(fc.nat({ max: world.updates.length }), { maxLength: 4 })),
    );
    fc.assert(
      fc.property(cases, ([{ updates, expected, chain }, cuts]) => {
        const [assembly, state] = [started(), new State()];
        for (const cut of [...cuts, updates.length]) {
          const from = assembly.tip ?? START;
          assembly.reconnected();
          for (const update of updates.slice(0, cut)) if (update.slot >= from) feed(assembly, update);
          state.take(assembly);
        }
        expect(state.slots).toEqual(chain);
        expect(state.accounts).toEqual(expected);
      }),
    );
  });

  it('wait for a missing one', () => {
    const assembly = started();
    for (const slot of [102n, 103n]) {
      feed(assembly, { type: 'block', slot, parent: slot - 1n });
      feed(assembly, { type: 'confirmed', slot });
    }
    expect(assembly.take()).toEqual([]);
    feed(assembly, { type: 'block', slot: 101n, parent: 100n });
    feed(assembly, { type: 'confirmed', slot: 101n });
    expect(assembly.take().map(({ slot }) => slot)).toEqual([101n, 102n, 103n]);
  });

  const faulty: readonly (readonly [string, StreamFault['reason'], (assembly: SlotAssembly) => void])[] = [
    [
      'another block of an applied slot',
      'EQUIVOCATION',
      (assembly) => feed(assembly, { type: 'block', slot: START, parent: 99n }, 'b'),
    ],
    [
      'a block that continues another one of the last slot',
      'EQUIVOCATION',
      (assembly) => {
        feed(assembly, { type: 'block', slot: 101n, parent: START }, 'b');
        feed(assembly, { type: 'confirmed', slot: 101n });
      },
    ],
    [
      'a confirmed block beside the last slot',
      'FORK',
      (assembly) => {
        feed(assembly, { type: 'block', slot: 101n, parent: 99n });
        feed(assembly, { type: 'confirmed', slot: 101n });
      },
    ],
    ['the end of an applied slot', 'FORK', (assembly) => feed(assembly, { type: 'dead', slot: START })],
    [
      'more slots without a block than any cluster has in flight',
      'FLOOD',
      (assembly) => {
        for (let slot = 101n; slot < 2_000n; slot += 1n) feed(assembly, { type: 'confirmed', slot });
      },
    ],
  ];

  it.each(faulty)('cannot be continued after %s', (_, reason, cause) => {
    const assembly = started();
    const follow = () => {
      cause(assembly);
      assembly.take();
    };
    expect(follow).toThrow(expect.objectContaining({ reason }));
  });

  it('of a replay by another node are not mixed with what was applied', () => {
    const assembly = started();
    feed(assembly, { type: 'account', slot: 101n, address: testAddress(1), version: 7n });
    feed(assembly, { type: 'block', slot: 101n, parent: START });
    feed(assembly, { type: 'confirmed', slot: 101n });
    assembly.take();
    assembly.reconnected();
    feed(assembly, { type: 'account', slot: 101n, address: testAddress(1), version: 9n });
    expect(assembly.take()).toEqual([]);
    expect(() => feed(assembly, { type: 'block', slot: 101n, parent: START }, 'b')).toThrow(StreamFault);
  });
});
