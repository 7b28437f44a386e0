import { userState } from '@sluice/protocol/farms/user-state';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainAccount } from '../../src/chain/accounts/account-page.ts';
import {
  POSITION_KEYS,
  POSITION_KINDS,
  type PositionAccount,
} from '../../src/chain/positions/position-kinds.ts';
import { PositionTable } from '../../src/chain/positions/position-table.ts';
import { PositionSnapshot, type Positions } from '../../src/chain/positions/positions.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import '../support/property-seed.ts';

const OWNERS = [MAINNET_PROGRAMS.klend, MAINNET_PROGRAMS.farms, TOKEN_PROGRAM];
const LENGTHS = [0, 8, 33, 64, 72, 100, 165, 500, userState.size, obligation.size];
/** Rounds of the tests that compare many Views. */
const RUNS = { numRuns: 120 };

/** Bytes with runs of zeros of all lengths. */
const sparseBytes = (length: number) =>
  fc.array(fc.tuple(fc.nat(200), fc.uint8Array({ maxLength: 60 })), { maxLength: 20 }).map((runs) => {
    const data = new Uint8Array(length);
    let at = 0;
    for (const [zeros, bytes] of runs) {
      at += zeros;
      data.set(bytes.subarray(0, Math.max(0, length - at)), Math.min(at, length));
      at += bytes.length;
    }
    return data;
  });

/** Few addresses, wallets and groups, so that accounts meet. */
const position: fc.Arbitrary<PositionAccount> = fc
  .record({
    kind: fc.constantFrom(...POSITION_KINDS),
    address: fc.integer({ min: 1, max: 12 }),
    owner: fc.constantFrom(...OWNERS),
    lamports: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    slot: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    data: fc.constantFrom(...LENGTHS).chain(sparseBytes),
    wallet: fc.integer({ min: 100, max: 103 }),
    group: fc.integer({ min: 200, max: 202 }),
    isKeyed: fc.boolean(),
  })
  .map(({ kind, address, wallet, group, isKeyed, data, ...rest }) => {
    const keys = POSITION_KEYS[kind];
    if (isKeyed) {
      setAddress(data, keys.wallet, wallet);
      if (keys.group !== null) setAddress(data, keys.group, group);
    }
    return { kind, account: { address: addressNumber(address), data, ...rest } };
  });

type Step = { readonly put: PositionAccount } | { readonly close: PositionAccount } | 'VIEW' | 'ROLLBACK';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: position.map((put) => ({ put })) },
  { weight: 3, arbitrary: position.map((close) => ({ close })) },
  { weight: 2, arbitrary: fc.constant('VIEW' as const) },
  { weight: 1, arbitrary: fc.constant('ROLLBACK' as const) },
);

type Model = ReadonlyMap<string, PositionAccount>;
const keyOf = ({ kind, account }: PositionAccount) => `${kind} ${account.address}`;

describe('a table of positions', () => {
  it('restores every account byte by byte, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(position, { selector: keyOf }), (positions) => {
        const table = new PositionTable(MAINNET_PROGRAMS);
        for (const each of positions) table.put(each);
        const snapshot = new PositionSnapshot(table, 1n);
        for (const { kind, account } of positions)
          expect(plain(snapshot.account(kind, account.address))).toEqual(plain(account));
      }),
      RUNS,
    );
  });

  it('answers every View as a copy of all accounts would, though it changes after it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const table = new PositionTable(MAINNET_PROGRAMS);
        const model = new Map<string, PositionAccount>();
        const views: { readonly positions: Positions; readonly model: Model }[] = [];
        const view = () => {
          views.push({
            positions: new PositionSnapshot(table, BigInt(views.length)),
            model: new Map(model),
          });
        };
        view();
        for (const each of steps) {
          if (each === 'VIEW') view();
          else if (each === 'ROLLBACK') {
            table.rollback();
            model.clear();
            for (const [key, value] of views.at(-1)?.model ?? []) model.set(key, value);
          } else if ('put' in each) {
            table.put(each.put);
            model.set(keyOf(each.put), each.put);
          } else {
            const { kind, account } = each.close;
            table.apply({ kind, address: account.address, account: null, slot: 0n });
            model.delete(keyOf(each.close));
          }
        }
        views.forEach(({ positions, model: expected }, i) => {
          expectSame(positions, expected);
          const earlier = views[i - 1];
          if (earlier !== undefined) expectChanges(positions, earlier.positions, earlier.model, expected);
        });
      }),
      RUNS,
    );
  });

  it('lists a View as it was when the table changes during the list', () => {
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 1 }),
        fc.array(step, { maxLength: 30 }),
        fc.nat(10),
        (first, later, pauseAt) => {
          const table = new PositionTable(MAINNET_PROGRAMS);
          for (const each of first) table.put(each);
          const model = new Map(first.map((each) => [keyOf(each), each]));
          const positions = new PositionSnapshot(table, 1n);
          const listed: PositionAccount[] = [];
          let changes = 0;
          for (const each of positions.all()) {
            listed.push(each);
            for (const change of listed.length < pauseAt ? [] : later.slice(changes, changes + 3)) {
              applyStep(table, change);
              changes += 1;
            }
          }
          expect(sorted(listed)).toEqual(sorted([...model.values()]));
        },
      ),
      RUNS,
    );
  });

  it('lists a group of a View as it was when the table changes before and during the list', () => {
    fc.assert(
      fc.property(
        fc.array(position, { minLength: 1 }),
        fc.array(step, { maxLength: 40 }),
        fc.nat(10),
        fc.constantFrom(200, 201, 202),
        (first, later, before, number) => {
          const table = new PositionTable(MAINNET_PROGRAMS);
          for (const each of first) table.put(each);
          const group = addressNumber(number);
          const positions = new PositionSnapshot(table, 1n);
          const expected = [...positions.within('tokenAccount', group)];
          for (const change of later.slice(0, before)) applyStep(table, change);
          const listed: ChainAccount[] = [];
          let changes = before;
          for (const each of positions.within('tokenAccount', group)) {
            listed.push(each);
            for (const change of later.slice(changes, changes + 5)) applyStep(table, change);
            changes += 5;
          }
          expect(byAddress(listed)).toEqual(byAddress(expected));
        },
      ),
      RUNS,
    );
  });

  it('names no changes when there are too many to list', () => {
    const table = new PositionTable(MAINNET_PROGRAMS);
    const earlier = new PositionSnapshot(table, 1n);
    const data = new Uint8Array(72);
    const change = (number: number) => {
      const address = addressNumber(number);
      table.put({
        kind: 'tokenAccount',
        account: { address, owner: TOKEN_PROGRAM, data, lamports: 1n, slot: 2n },
      });
    };
    for (let number = 1; number <= 10_000; number += 1) change(number);
    const next = new PositionSnapshot(table, 2n);
    expect(next.changesSince(earlier)).toHaveLength(10_000);
    change(10_001);
    const last = new PositionSnapshot(table, 3n);
    expect([last.changesSince(earlier), last.changedWithin('tokenAccount', earlier)]).toEqual([null, null]);
    expect(last.changesSince(next)).toHaveLength(1);
  });

  it('counts accounts with a wrong owner, discriminator or length, and holds them', () => {
    const table = new PositionTable(MAINNET_PROGRAMS);
    const data = obligation.encode({ owner: addressNumber(7) });
    const good = { address: addressNumber(1), owner: MAINNET_PROGRAMS.klend, data, lamports: 1n, slot: 1n };
    table.put({ kind: 'obligation', account: good });
    table.put({ kind: 'obligation', account: { ...good, address: addressNumber(2), owner: TOKEN_PROGRAM } });
    table.put({
      kind: 'obligation',
      account: { ...good, address: addressNumber(3), data: data.slice(0, 900) },
    });
    const other = data.slice();
    other[0] = 1;
    table.put({ kind: 'obligation', account: { ...good, address: addressNumber(4), data: other } });
    const positions = new PositionSnapshot(table, 1n);
    expect([positions.count('obligation'), positions.unreadable('obligation')]).toEqual([4, 3]);
    expect(positions.ofWallet('obligation', addressNumber(7))).toHaveLength(4);
    table.put({ kind: 'obligation', account: { ...good, address: addressNumber(4) } });
    table.apply({ kind: 'obligation', address: addressNumber(3), account: null, slot: 2n });
    const next = new PositionSnapshot(table, 2n);
    expect([next.count('obligation'), next.unreadable('obligation')]).toEqual([3, 1]);
    expect(positions.unreadable('obligation')).toBe(3);
  });

  it('reuses the memory of what was replaced', () => {
    const table = new PositionTable(MAINNET_PROGRAMS);
    const random = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7_919) % 251);
    const put = (number: number) =>
      table.put({
        kind: 'obligation',
        account: {
          address: addressNumber(number),
          owner: MAINNET_PROGRAMS.klend,
          data: random,
          lamports: 1n,
          slot: 1n,
        },
      });
    for (let i = 1; i <= 1_000; i += 1) put(i);
    const before = table.memoryBytes;
    for (let round = 0; round < 6; round += 1) for (let i = 1; i <= 1_000; i += 1) put(i);
    expect(table.memoryBytes).toBeLessThan(before * 1.7);
    const positions = new PositionSnapshot(table, 1n);
    expect(positions.account('obligation', addressNumber(999))?.data).toEqual(random);
  });
});

function expectSame(positions: Positions, model: Model): void {
  const all = [...model.values()];
  expect(sorted([...positions.all()])).toEqual(sorted(all));
  for (const kind of POSITION_KINDS) {
    const ofKind = all.filter((each) => each.kind === kind).map(({ account }) => account);
    expect(positions.count(kind)).toBe(ofKind.length);
    for (const wallet of [100, 101, 102, 103].map(addressNumber)) {
      const expected = ofKind.filter((account) => holds(account, POSITION_KEYS[kind].wallet, wallet));
      expect(positions.ofWallet(kind, wallet).map(plain)).toEqual(byAddress(expected).map(plain));
    }
    const { group } = POSITION_KEYS[kind];
    for (const address of group === null ? [] : [200, 201, 202].map(addressNumber)) {
      const expected = ofKind.filter((account) => group !== null && holds(account, group, address));
      expect(byAddress([...positions.within(kind, address)]).map(plain)).toEqual(
        byAddress(expected).map(plain),
      );
    }
    for (const address of Array.from({ length: 12 }, (_, i) => addressNumber(i + 1))) {
      const expected = ofKind.find((account) => account.address === address) ?? null;
      expect(plain(positions.account(kind, address))).toEqual(plain(expected));
    }
  }
}

/** The changes lead from one View to the next and name nothing that neither has. */
function expectChanges(positions: Positions, earlier: Positions, before: Model, after: Model): void {
  const inTurn = Array.from(positions.eachInTurn(), ({ kind, account }) => ({
    kind,
    account: { ...account, data: account.data.slice() },
  }));
  expect(sorted(inTurn)).toEqual(sorted([...after.values()]));
  const changes = positions.changesSince(earlier) ?? [];
  const applied = new Map(before);
  for (const { kind, address } of changes) {
    const account = positions.account(kind, address);
    if (account === null) applied.delete(`${kind} ${address}`);
    else applied.set(`${kind} ${address}`, { kind, account });
  }
  expect(sorted([...applied.values()])).toEqual(sorted([...after.values()]));
  expect(positions.changesSince(positions)).toEqual([]);
}

function applyStep(table: PositionTable, each: Step): void {
  if (each === 'VIEW') new PositionSnapshot(table, 2n);
  else if (each === 'ROLLBACK') table.rollback();
  else if ('put' in each) table.put(each.put);
  else {
    const { kind, account } = each.close;
    table.apply({ kind, address: account.address, account: null, slot: 0n });
  }
}

function holds({ data }: ChainAccount, offset: number, address: Address): boolean {
  return data.length >= offset + 32 && addressFromBytes(data.slice(offset, offset + 32)) === address;
}

function setAddress(data: Uint8Array, offset: number, number: number): void {
  if (data.length >= offset + 32) data.set(addressBytes(addressNumber(number)), offset);
}

/** Bytes as text, which is compared much faster. */
const plain = (account: ChainAccount | null) =>
  account && { ...account, data: Buffer.from(account.data).toString('latin1') };

const byAddress = (accounts: readonly ChainAccount[]) =>
  [...accounts].sort((a, b) => (a.address < b.address ? -1 : 1));
const sorted = (positions: readonly PositionAccount[]) =>
  [...positions]
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ kind, account }) => ({ kind, account: plain(account) }));
