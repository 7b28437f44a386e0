import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeById, updatesOf } from '../src/react/merge-by-id.ts';

const merge = <Data>(data: Data, event: unknown) => mergeById(data, updatesOf(event));

const VAULTS = {
  vaults: {
    nodes: [
      { id: 'v1', name: 'One', value: { amount: '1', usd: '10' }, token: { id: 't1', symbol: 'USDC' } },
      { id: 'v2', name: 'Two', value: null, token: { id: 't2', symbol: 'SOL' } },
    ],
  },
};

describe('merging an event into an answer', () => {
  it('changes the object with the same id and keeps everything else', () => {
    const { data, complete } = merge(VAULTS, { vault: { id: 'v1', value: { usd: '11' } } });
    expect(complete).toBe(true);
    expect(data.vaults.nodes[0]).toEqual({
      id: 'v1',
      name: 'One',
      value: { amount: '1', usd: '11' },
      token: { id: 't1', symbol: 'USDC' },
    });
    expect(data.vaults.nodes[0]?.token).toBe(VAULTS.vaults.nodes[0]?.token);
    expect(data.vaults.nodes[1]).toBe(VAULTS.vaults.nodes[1]);
  });

  it('finds objects at any depth of the event and of the answer', () => {
    const { data } = merge(VAULTS, {
      wallet: { positions: [{ vault: { token: { id: 't2', symbol: 'wSOL' } } }] },
    });
    expect(data.vaults.nodes.map(({ token }) => token.symbol)).toEqual(['USDC', 'wSOL']);
  });

  it('does not add fields that the query does not select', () => {
    const { data } = merge(VAULTS, {
      vault: { id: 'v2', name: 'Zwei', holders: 5, token: { id: 't2', decimals: 9 } },
    });
    expect(data.vaults.nodes[1]).toEqual({
      id: 'v2',
      name: 'Zwei',
      value: null,
      token: { id: 't2', symbol: 'SOL' },
    });
  });

  it('writes null where a value is gone', () => {
    const { data, complete } = merge(VAULTS, { vault: { id: 'v1', value: null } });
    expect([data.vaults.nodes[0]?.value, complete]).toEqual([null, true]);
  });

  it('is incomplete where the answer does not show the shape of a new part', () => {
    const before = { wallet: { id: 'w', loans: [], vault: null, name: 'old' } };
    const { data, complete } = merge(before, {
      wallet: { id: 'w', loans: [{ id: 'l', debt: '1' }], vault: { id: 'v' }, name: 'new' },
    });
    expect(complete).toBe(false);
    expect(data).toEqual({ wallet: { id: 'w', loans: [], vault: null, name: 'new' } });
  });

  it('replaces an object by another one only with all fields of the selection', () => {
    const withSymbol = merge(VAULTS, {
      vault: { id: 'v1', token: { id: 't3', symbol: 'JUP', decimals: 6 } },
    });
    expect([withSymbol.data.vaults.nodes[0]?.token, withSymbol.complete]).toEqual([
      { id: 't3', symbol: 'JUP' },
      true,
    ]);
    const without = merge(VAULTS, { vault: { id: 'v1', token: { id: 't3', decimals: 6 } } });
    expect([without.data.vaults.nodes[0]?.token, without.complete]).toEqual([
      { id: 't1', symbol: 'USDC' },
      false,
    ]);
  });

  it('is complete when a part that lacks fields has nothing new', () => {
    const event = { vault: { id: 'v1', name: 'Uno', token: { symbol: 'USDC' } } };
    const { data, complete } = merge(VAULTS, event);
    expect([data.vaults.nodes[0]?.name, data.vaults.nodes[0]?.token, complete]).toEqual([
      'Uno',
      { id: 't1', symbol: 'USDC' },
      true,
    ]);
    expect(merge(VAULTS, { vault: { id: 'v1', token: { symbol: 'PYUSD' } } }).complete).toBe(false);
  });

  it('does not take a union member for another one', () => {
    const before = { e: { id: 'e', result: { __typename: 'A', code: '1' } } };
    const { data, complete } = merge(before, { e: { id: 'e', result: { __typename: 'B', code: '2' } } });
    expect([data, complete]).toEqual([before, false]);
  });

  it('does not search a history again for each event', () => {
    let reads = 0;
    const point = {
      get value() {
        reads += 1;
        return '1';
      },
    };
    const before = { vault: { id: 'v', holders: 1, history: { points: [point] } } };
    const first = merge(before, { vault: { id: 'v', holders: 2 } }).data;
    const readsOfFirst = reads;
    const second = merge(first, { vault: { id: 'v', holders: 3 } }).data;
    expect([second.vault.holders, reads]).toEqual([3, readsOfFirst]);
  });

  describe('a list', () => {
    const LOANS = { wallet: { id: 'w', loans: [loan('a', '1'), loan('b', '2')] } };
    function loan(id: string, debt: string) {
      return { id, debt, market: 'Main' };
    }
    const ids = (data: typeof LOANS) => data.wallet.loans.map(({ id }) => id);

    it('loses, gains and reorders its items', () => {
      const event = { wallet: { id: 'w', loans: [loan('c', '3'), { id: 'b', debt: '5' }] } };
      const { data, complete } = merge(LOANS, event);
      expect([data.wallet.loans, complete]).toEqual([[loan('c', '3'), loan('b', '5')], true]);
      expect(merge(LOANS, { wallet: { id: 'w', loans: [] } }).data.wallet.loans).toEqual([]);
    });

    it('stays as it is when a new item lacks a field', () => {
      const event = {
        wallet: {
          id: 'w',
          loans: [
            { id: 'c', debt: '3' },
            { id: 'b', debt: '5' },
          ],
        },
      };
      const { data, complete } = merge(LOANS, event);
      expect([ids(data), complete]).toEqual([['a', 'b'], false]);
      expect(data.wallet.loans[1]?.debt).toBe('5');
    });

    it('of items without an id is replaced, and keeps the equal ones', () => {
      const before = {
        vault: {
          id: 'v',
          fees: [
            { kind: 'A', bps: 1 },
            { kind: 'B', bps: 2 },
          ],
        },
      };
      const { data } = merge(before, {
        vault: {
          id: 'v',
          fees: [
            { kind: 'A', bps: 1 },
            { kind: 'B', bps: 3 },
          ],
        },
      });
      expect(data.vault.fees).toEqual([
        { kind: 'A', bps: 1 },
        { kind: 'B', bps: 3 },
      ]);
      expect(data.vault.fees[0]).toBe(before.vault.fees[0]);
    });
  });
});

interface Thing {
  readonly id: string;
  readonly n: number;
  readonly s: string | null;
  readonly part: { readonly x: number; readonly y: number };
  readonly children: readonly Thing[];
}

interface Change {
  readonly id: string;
  readonly n?: number;
  readonly s?: string | null;
  readonly part?: { readonly x: number };
}

describe('merging any event', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const small = fc.integer({ min: 0, max: 3 });
  const text = fc.constantFrom('x', 'y', null);
  const { thing } = fc.letrec<{ thing: Thing }>((tie) => ({
    thing: fc.record({
      id,
      n: small,
      s: text,
      part: fc.record({ x: small, y: small }),
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('thing'), { maxLength: 3 })),
    }),
  }));
  const change: fc.Arbitrary<Change> = fc.record(
    { id, n: small, s: text, part: fc.record({ x: small }) },
    { requiredKeys: ['id'] },
  );
  const event = fc.uniqueArray(change, { selector: (one) => one.id });

  /** The same, written as plainly as possible. */
  function expected(before: Thing, changes: readonly Change[]): Thing {
    const { n, s, part } = changes.find((one) => one.id === before.id) ?? {};
    return {
      id: before.id,
      n: n ?? before.n,
      s: s === undefined ? before.s : s,
      part: { x: part?.x ?? before.part.x, y: before.part.y },
      children: before.children.map((child) => expected(child, changes)),
    };
  }

  const things = (root: Thing): Thing[] => [root, ...root.children.flatMap(things)];

  it('changes exactly the fields that the event has', () => {
    fc.assert(
      fc.property(thing, event, (data, changes) => {
        const merged = merge(data, changes);
        expect(merged).toEqual({ data: expected(data, changes), complete: true });
      }),
    );
  });

  it('keeps the identity of every part that stays equal', () => {
    fc.assert(
      fc.property(thing, event, (data, changes) => {
        const after = things(merge(data, changes).data);
        for (const [index, before] of things(data).entries()) {
          const isEqual = JSON.stringify(before) === JSON.stringify(after[index]);
          expect(after[index] === before).toBe(isEqual);
        }
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(thing, event, (data, changes) => {
        const once = merge(data, changes).data;
        expect(merge(once, changes).data).toBe(once);
      }),
    );
  });

  it('leaves the answer that it was given as it was', () => {
    fc.assert(
      fc.property(thing, event, (data, changes) => {
        const text = JSON.stringify(data);
        merge(data, changes);
        expect(JSON.stringify(data)).toBe(text);
      }),
    );
  });
});
