import { describe, expect, it } from 'vitest';
import { POSITION_KINDS, type PositionAccount } from '../../src/chain/positions/position-kinds.ts';
import {
  encodeChanges,
  type FindPosition,
  PositionChanges,
  type PositionDifference,
  stateAfter,
} from '../../src/feed/position-changes.ts';
import {
  decodeManifest,
  encodeManifest,
  openPart,
  type PartPlace,
  PartWriter,
} from '../../src/feed/position-parts.ts';
import { NO_POSITIONS, type PositionsState, withPosition } from '../../src/feed/positions-state.ts';
import { RetainedEntries } from '../../src/feed/retained-entries.ts';
import { UnauthenticMessage, UnreadableMessage } from '../../src/feed/view-message.ts';
import { sealOf } from '../support/feed/fed-chain.ts';
import { positionOf } from '../support/feed/feed-positions.ts';

const SEAL = sealOf('test');
const ENTRY = '1700000000000000-7';
const PLACE: PartPlace = { entry: ENTRY, index: 3, parts: 9 };

const held = POSITION_KINDS.flatMap((kind) => [1, 2, 3].map((n) => positionOf(kind, n, BigInt(n), 100n)));
const heldState = held.reduce<PositionsState>(withPosition, NO_POSITIONS);

const findIn =
  (positions: readonly PositionAccount[]): FindPosition =>
  (kind, address) =>
    positions.find((each) => each.kind === kind && each.account.address === address)?.account ?? null;

function difference(before: PositionAccount | null, after: PositionAccount | null): PositionDifference {
  const { kind, account } = after ?? before ?? expect.fail('neither');
  return { kind, address: account.address, before: before?.account ?? null, after: after?.account ?? null };
}

/** Changes an account of every kind, closes one, creates one, and lets one grow. */
function differences(): PositionDifference[] {
  const changed = POSITION_KINDS.map((kind) =>
    difference(
      held.find((each) => each.kind === kind) ?? null,
      positionOf(kind, 1, 2n ** 64n - 2_000n, 2n ** 63n),
    ),
  );
  const [, closed, grown] = held.filter(({ kind }) => kind === 'tokenAccount');
  const larger = grown && { ...grown, account: { ...grown.account, data: new Uint8Array(300).fill(7) } };
  return [
    ...changed,
    difference(closed ?? null, null),
    difference(grown ?? null, larger ?? null),
    difference(null, positionOf('obligation', 50, 5n, 101n)),
  ];
}

async function encoded() {
  const made = differences();
  const to = await stateAfter(heldState, made);
  return { made, to, bytes: await encodeChanges({ from: heldState, to }, made, SEAL, ENTRY) };
}

describe('changes of positions in a message', () => {
  it('arrive byte by byte, and are small', async () => {
    const { made, to, bytes } = await encoded();
    const changes = await PositionChanges.open(bytes, SEAL, ENTRY);
    expect([changes.from, changes.to]).toEqual([heldState, to]);
    const arrived = await changes.against(findIn(held));
    expect(arrived.map(({ after }) => after)).toEqual(made.map(({ after }) => after));
    expect(arrived.map(({ address }) => address)).toEqual(made.map(({ address }) => address));
    const whole = made.reduce((sum, { after }) => sum + (after?.data.length ?? 0), 0);
    expect(bytes.length).toBeLessThan(whole / 10);
  });

  it('are refused when they are cut or differ in any byte, before anything of them is read', async () => {
    const { bytes } = await encoded();
    for (let length = 0; length < bytes.length; length += 1)
      await expect(PositionChanges.open(bytes.subarray(0, length), SEAL, ENTRY)).rejects.toThrow(
        UnauthenticMessage,
      );
    for (let at = 0; at < bytes.length; at += 1) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      await expect(PositionChanges.open(other, SEAL, ENTRY)).rejects.toThrow(UnauthenticMessage);
    }
  });

  it.each([
    ['another place', SEAL, '1700000000000000-8'],
    ['another feed', sealOf('other'), ENTRY],
  ])('are refused at %s', async (_, seal, entry) => {
    const { bytes } = await encoded();
    await expect(PositionChanges.open(bytes, seal, entry)).rejects.toThrow(UnauthenticMessage);
  });

  it('are refused when they apply to other accounts than those at hand', async () => {
    const { bytes } = await encoded();
    const changes = await PositionChanges.open(bytes, SEAL, ENTRY);
    const [first, ...rest] = held;
    const other = first && {
      ...first,
      account: { ...first.account, data: first.account.data.map((b) => b ^ 1) },
    };
    for (const wrong of [rest, [other ?? expect.fail('no account'), ...rest], []])
      await expect(changes.against(findIn(wrong))).rejects.toThrow(UnreadableMessage);
  });

  it('are refused when they lead to another state than they say', async () => {
    const { made, to } = await encoded();
    for (const wrong of [
      { ...to, count: to.count + 1 },
      { ...to, checksum: to.checksum ^ 1 },
    ]) {
      const bytes = await encodeChanges({ from: heldState, to: wrong }, made, SEAL, ENTRY);
      const changes = await PositionChanges.open(bytes, SEAL, ENTRY);
      await expect(changes.against(findIn(held))).rejects.toThrow(UnreadableMessage);
    }
  });
});

describe('a snapshot of positions', () => {
  async function part(): Promise<Buffer> {
    const writer = new PartWriter();
    for (const each of held) writer.add(each);
    return await writer.finish(PLACE, SEAL);
  }

  /** The next account reuses the memory of one. */
  const copied = (accounts: Iterable<PositionAccount>) =>
    Array.from(accounts, ({ kind, account }) => ({
      kind,
      account: { ...account, data: account.data.slice() },
    }));

  it('has every account byte by byte', async () => {
    expect(copied(await openPart(await part(), SEAL, PLACE))).toEqual(held);
  });

  it('has a part that is empty again after it was finished', async () => {
    const writer = new PartWriter();
    const [first, second] = held;
    if (first === undefined || second === undefined) throw new Error('no accounts');
    writer.add(first);
    await writer.finish(PLACE, SEAL);
    writer.add(second);
    expect([...(await openPart(await writer.finish(PLACE, SEAL), SEAL, PLACE))]).toEqual([second]);
  });

  it.each([
    ['of another View', { ...PLACE, entry: '1700000000000000-8' }],
    ['with another number', { ...PLACE, index: 4 }],
    ['of more parts', { ...PLACE, parts: 10 }],
  ])('refuses a part %s', async (_, place) => {
    await expect(openPart(await part(), SEAL, place)).rejects.toThrow(UnauthenticMessage);
  });

  it('refuses a part that is cut or differs in a byte', async () => {
    const bytes = await part();
    for (let at = 0; at < bytes.length; at += 17) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      await expect(openPart(other, SEAL, PLACE)).rejects.toThrow(UnauthenticMessage);
      await expect(openPart(bytes.subarray(0, at), SEAL, PLACE)).rejects.toThrow(UnauthenticMessage);
    }
  });

  it('has a manifest for its place alone', () => {
    const manifest = { state: heldState, parts: 9 };
    const bytes = encodeManifest(manifest, SEAL, ENTRY);
    expect(decodeManifest(bytes, SEAL, ENTRY)).toEqual(manifest);
    expect(() => decodeManifest(bytes, SEAL, '1-1')).toThrow(UnauthenticMessage);
    expect(() => decodeManifest(bytes.subarray(1), SEAL, ENTRY)).toThrow(UnauthenticMessage);
    const endless = encodeManifest({ ...manifest, parts: 2 ** 40 }, SEAL, ENTRY);
    expect(() => decodeManifest(endless, SEAL, ENTRY)).toThrow(UnreadableMessage);
  });
});

describe('the state of positions', () => {
  it('depends on what they are, not on their order', () => {
    const backwards = held.toReversed().reduce<PositionsState>(withPosition, NO_POSITIONS);
    expect(backwards).toEqual(heldState);
    expect(backwards.count).toBe(held.length);
  });

  it('is another one when any field of an account is', () => {
    const [first] = held;
    if (first === undefined) throw new Error('no account');
    const { account } = first;
    const others: PositionAccount[] = [
      { ...first, kind: 'farmUser' },
      { ...first, account: { ...account, slot: account.slot + 1n } },
      { ...first, account: { ...account, lamports: account.lamports + 1n } },
      { ...first, account: { ...account, owner: account.address } },
      { ...first, account: { ...account, data: account.data.map((byte, i) => (i === 99 ? 1 : byte)) } },
    ];
    const states = [first, ...others].map((each) => withPosition(NO_POSITIONS, each).checksum);
    expect(new Set(states).size).toBe(states.length);
  });
});

describe('the entries that a stream retains', () => {
  it('are the fewest without a snapshot, and those since the snapshot with one', () => {
    const retained = new RetainedEntries(2, 1_000);
    const add = (bytes: number) => {
      const kept = retained.keepWith(bytes);
      retained.added(bytes, kept);
      return kept;
    };
    expect([10, 10, 10].map(add)).toEqual([1, 2, 2]);
    retained.beginSnapshot();
    expect([10, 10, 10, 10].map(add)).toEqual([2, 2, 3, 4]);
  });

  it('are bounded in bytes, after which the snapshot cannot be used', () => {
    const retained = new RetainedEntries(2, 100);
    const add = (bytes: number) => {
      const kept = retained.keepWith(bytes);
      retained.added(bytes, kept);
      return [kept, retained.isSnapshotFresh];
    };
    retained.beginSnapshot();
    expect([30, 20, 30, 30, 200, 10].map(add)).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [3, false],
      [1, false],
      [1, false],
    ]);
    retained.beginSnapshot();
    expect(retained.isSnapshotFresh).toBe(true);
  });
});
