import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { View } from '../../src/chain/view/view.ts';
import { FeedSeal } from '../../src/feed/feed-seal.ts';
import { differences } from '../../src/feed/view-differences.ts';
import {
  decodeMessage,
  encodeMessage,
  type MessagePlace,
  UnauthenticMessage,
  UnreadableMessage,
} from '../../src/feed/view-message.ts';
import { sealOf } from '../support/feed/fed-chain.ts';
import { momentOf, VAULTS, vaultCatalogue, vaultIn } from '../support/feed/feed-views.ts';

const [A, B, C] = VAULTS;
const TOKEN = 1_700_000_000_000_000n;
const SEAL = sealOf('test');

async function messageFor(earlier: View | null, later: View, sequence = 1): Promise<Buffer> {
  const { number: _, ...moment } = later.moment;
  return await encodeMessage(
    {
      token: TOKEN,
      sequence,
      previous: earlier?.moment.id ?? null,
      highestSlot: 900n,
      discardAfter: null,
      intervalMs: 2_000,
      positions: null,
      moment,
    },
    differences(earlier, later),
    SEAL,
  );
}

const WHOLE: MessagePlace = { kind: 'whole', entry: `${TOKEN}-1` };
const CHANGES: MessagePlace = { kind: 'changes', entry: `${TOKEN}-2` };

const decode = (bytes: Uint8Array, base: View | undefined, place = WHOLE) =>
  decodeMessage(bytes, base, SEAL, place);

/** Two Views of a reader and what a follower holds after the first. */
async function readerAndFollower() {
  const reader = vaultCatalogue();
  reader.put(A, 10n, 100n);
  reader.put(B, 20n, 101n);
  reader.put(C, null, 102n);
  const first = reader.view(1, 103n);
  const follower = vaultCatalogue();
  const { update } = await decode(await messageFor(null, first), undefined);
  follower.builder.adopt(update);
  return { reader, first, follower, followed: follower.view(1, 103n) };
}

describe('a View in a message', () => {
  it('arrives whole: accounts, their slots and their errors', async () => {
    const { followed } = await readerAndFollower();
    expect(VAULTS.map((vault) => vaultIn(followed, vault))).toEqual([
      [10n, 100n],
      [20n, 101n],
      'ACCOUNT_NOT_FOUND',
    ]);
  });

  it('keeps its moment to the last digit', async () => {
    const reader = vaultCatalogue();
    const { message, update } = await decode(await messageFor(null, reader.view(7, 104n)), undefined);
    const { number: _, slotDurationMs, ...rest } = momentOf(7, 104n);
    expect(update.moment).toMatchObject(rest);
    expect([update.moment.slotDurationMs.n, update.moment.slotDurationMs.d]).toEqual([1234n, 3n]);
    expect(slotDurationMs.n).toBe(1234n);
    expect(message).toMatchObject({ token: TOKEN, sequence: 1, highestSlot: 900n, discardAfter: null });
  });

  it('arrives as changes: changed, failed, restored and removed accounts, and no other', async () => {
    const { reader, first, follower, followed } = await readerAndFollower();
    reader.put(A, 11n, 110n);
    reader.put(B, 20n, 110n, SYSTEM_PROGRAM);
    reader.builder.retain('vault', new Set([A, B]));
    const second = reader.view(2, 111n);
    const { update } = await decode(await messageFor(first, second, 2), followed, CHANGES);
    expect(update.accounts.map(({ address }) => address)).toEqual([A]);
    expect(update.failed.map(({ address }) => address)).toEqual([B]);
    expect(update.removed).toEqual([{ kind: 'vault', address: C }]);
    follower.builder.adopt(update);
    const now = follower.view(2, 111n);
    expect(VAULTS.map((vault) => vaultIn(now, vault))).toEqual([
      [11n, 110n],
      'ACCOUNT_WRONG_OWNER',
      undefined,
    ]);
  });

  it('says nothing about an account that fails in the same way again', async () => {
    const { reader, first } = await readerAndFollower();
    reader.put(C, null, 120n);
    expect(differences(first, reader.view(2, 121n))).toEqual({ accounts: [], failed: [], removed: [] });
  });

  it('replaces everything when it is whole, whatever was held', async () => {
    const { reader, follower } = await readerAndFollower();
    follower.put(A, 99n, 500n);
    reader.builder.retain('vault', new Set([A]));
    const { update } = await decode(await messageFor(null, reader.view(3, 130n)), undefined);
    follower.builder.adopt(update);
    const now = follower.view(3, 130n);
    expect(VAULTS.map((vault) => vaultIn(now, vault))).toEqual([[10n, 100n], undefined, undefined]);
  });

  it('is refused when it is cut at any byte', async () => {
    const { first } = await readerAndFollower();
    const bytes = await messageFor(null, first);
    for (let length = 0; length < bytes.length; length += 1)
      await expect(decode(bytes.subarray(0, length), undefined)).rejects.toThrow(UnauthenticMessage);
  });

  it('is refused when any byte differs or follows', async () => {
    const { first } = await readerAndFollower();
    const bytes = await messageFor(null, first);
    for (let at = 0; at < bytes.length; at += 1) {
      const wrong = Buffer.from(bytes);
      wrong.writeUInt8(wrong.readUInt8(at) ^ 1, at);
      await expect(decode(wrong, undefined)).rejects.toThrow(UnauthenticMessage);
    }
    await expect(decode(Buffer.concat([bytes, bytes]), undefined)).rejects.toThrow(UnauthenticMessage);
  });

  it.each([
    ['another sequence', { kind: 'whole', entry: `${TOKEN}-2` }, 'test', undefined],
    ['a later reader', { kind: 'whole', entry: `${TOKEN + 1n}-1` }, 'test', undefined],
    ['the stream', { kind: 'changes', entry: `${TOKEN}-1` }, 'test', undefined],
    ['another feed', WHOLE, 'other', undefined],
    ['gateways of another secret', WHOLE, 'test', 'another secret of 32 characters..'],
  ] as const)('is refused by a follower that finds it in the place of %s', async (_, place, feed, secret) => {
    const { first } = await readerAndFollower();
    const bytes = await messageFor(null, first);
    const seal = secret === undefined ? sealOf(feed) : new FeedSeal(secret, feed);
    await expect(decodeMessage(bytes, undefined, seal, place)).rejects.toThrow(UnauthenticMessage);
  });

  it('is refused on a View that it does not change', async () => {
    const { reader, first, follower } = await readerAndFollower();
    reader.put(A, 11n, 110n);
    const bytes = await messageFor(first, reader.view(2, 111n), 2);
    await expect(decode(bytes, undefined, CHANGES)).rejects.toThrow(UnreadableMessage);
    await expect(decode(bytes, follower.view(5, 103n), CHANGES)).rejects.toThrow(UnreadableMessage);
    follower.put(A, 77n, 105n);
    // The id is right and the bytes are not.
    await expect(decode(bytes, follower.view(1, 103n), CHANGES)).rejects.toThrow(
      'an account has other bytes',
    );
  });
});

describe('a catalogue that goes back to a View', () => {
  it('forgets what was read after it', () => {
    const { builder, put, view } = vaultCatalogue();
    put(A, 10n, 100n);
    put(C, null, 100n);
    const served = view(1, 100n);
    put(A, 11n, 110n);
    put(B, 20n, 110n);
    put(C, 30n, 110n);
    builder.reset(served);
    const now = view(2, 101n);
    expect(VAULTS.map((vault) => vaultIn(now, vault))).toEqual([[10n, 100n], undefined, 'ACCOUNT_NOT_FOUND']);
    builder.reset(undefined);
    expect(view(3, 102n).all('vault').size).toBe(0);
  });
});
