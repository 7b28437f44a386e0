import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { fakeRpc } from '../../packages/rpc-pool/test/support/fake-rpc.ts';
import { AccountReader } from '../../src/chain/accounts/account-reader.ts';
import { ChainSession } from '../../src/chain/session/session.ts';
import { decodersFor } from '../../src/chain/view/kinds.ts';
import { type Catalogue, View } from '../../src/chain/view/view.ts';
import { ViewStore } from '../../src/chain/view/view-store.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';
import {
  type ListQuery,
  type Page,
  type PageRequest,
  paginate,
  paginateLive,
} from '../../src/services/paging/paging.ts';

interface Item {
  readonly address: string;
  /** Number of the View of the item. */
  readonly of: number;
}

/** Number of Views that a gateway retains. */
const VIEWS_KEPT = 3;
const rpc = fakeRpc(() => null);
const gateway = (name: string) => ({
  name,
  views: new ViewStore(VIEWS_KEPT),
  rpc,
  reader: new AccountReader(rpc, { commitment: 'confirmed' }),
  decoders: decodersFor(MAINNET_PROGRAMS),
  programs: MAINNET_PROGRAMS,
  commitment: 'confirmed' as const,
  deployments: { runsAtLeast: () => null },
  padding: { see: () => undefined },
});
const [gatewayA, gatewayB] = [gateway('a'), gateway('b')];

/** A request on a new View. */
function nextSession({ name, views, ...sources } = gatewayA): ChainSession {
  const number = (views.newest?.moment.number ?? 0) + 1;
  const slot = BigInt(number);
  const moment = {
    id: `${name}-${number}`,
    number,
    slot,
    timestamp: slot,
    slotDurationMs: integer(400),
    builtAtMs: 0,
  };
  const range = { slotMin: slot, slotMax: slot, slotWhole: slot, torn: false };
  views.publish(new View({ ...moment, ...range }, {} as Catalogue, new Map()));
  return new ChainSession(views.current(), { ...sources, views }, new WorkBudget());
}

/** A list whose order reverses with each View. */
const listOf = (length: number, key: readonly unknown[] = ['list', length]): ListQuery<Item> => ({
  key,
  list: ({ moment }) => {
    const items = Array.from({ length }, (_, i) => ({ address: `item ${i}`, of: moment.number }));
    return moment.number % 2 === 0 ? items : items.reverse();
  },
});
const namesOf = (page: Page<Item>) => page.items.map(({ item }) => item.address);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('pages of a list', () => {
  it('concatenate to the whole list, forwards and backwards, for any length and page size', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        (length, size, back) => {
          const session = nextSession();
          const query = listOf(length);
          const seen: string[] = [];
          let request: PageRequest = back ? { last: size } : { first: size };
          for (;;) {
            const page = paginate(session, query, request);
            expect(page.totalCount).toBe(length);
            seen.splice(back ? 0 : seen.length, 0, ...namesOf(page));
            if (back ? !page.hasPreviousPage : !page.hasNextPage) break;
            request = back
              ? { last: size, before: page.items[0]?.cursor }
              : { first: size, after: page.items.at(-1)?.cursor };
          }
          expect(seen).toEqual(query.list(session.view).map(({ address }) => address));
        },
      ),
    );
  });

  it('continue in the order of the first page, with items of the request’s View', () => {
    const query = listOf(10);
    const first = nextSession();
    const start = paginate(first, query, { first: 4 });
    const later = nextSession();
    const page = paginate(later, query, { first: 4, after: start.items.at(-1)?.cursor });
    expect(namesOf(page)).toEqual(
      query
        .list(first.view)
        .slice(4, 8)
        .map(({ address }) => address),
    );
    expect(new Set(page.items.map(({ item }) => item.of))).toEqual(new Set([later.view.moment.number]));
    expect([page.hasPreviousPage, page.hasNextPage]).toEqual([true, true]);
  });

  it('can be limited by two cursors', () => {
    const session = nextSession();
    const query = listOf(10);
    const all = paginate(session, query, { first: 10 }).items;
    const between = { after: all[2]?.cursor, before: all[7]?.cursor };
    const wanted = all.slice(3, 7).map(({ item }) => item.address);
    expect(namesOf(paginate(session, query, { first: 10, ...between }))).toEqual(wanted);
    expect(namesOf(paginate(session, query, { last: 2, ...between }))).toEqual(wanted.slice(-2));
  });

  it('have 20 items by default, and at most 100', () => {
    const session = nextSession();
    expect(namesOf(paginate(session, listOf(120), {}))).toHaveLength(20);
    expect(namesOf(paginate(session, listOf(120), { first: 100 }))).toHaveLength(100);
    expect(namesOf(paginate(session, listOf(120), { first: 0 }))).toHaveLength(0);
    for (const request of [{ first: 101 }, { first: -1 }, { last: 101 }]) {
      expect(() => paginate(session, listOf(120), request)).toThrow(code('NUMBER_OUT_OF_RANGE'));
    }
  });
});

describe('a cursor', () => {
  it('belongs to one list, filter and order', () => {
    const session = nextSession();
    const after = paginate(session, listOf(9, ['vaults', { minUsd: 5n }]), { first: 1 }).items[0]?.cursor;
    const otherKeys = [['vaults', { minUsd: 6n }], ['vaults'], ['reserves', { minUsd: 5n }]];
    for (const key of otherKeys) {
      expect(() => paginate(session, listOf(9, key), { after })).toThrow(code('CURSOR_INVALID'));
    }
    expect(namesOf(paginate(session, listOf(9, ['vaults', { minUsd: 5n }]), { after }))).toHaveLength(8);
  });

  it('belongs to the exact numbers of its filter', () => {
    const session = nextSession();
    const above = (minUsd: string) => listOf(9, ['vaults', { minUsd: parseDecimal(minUsd) }]);
    const after = paginate(session, above('1.0'), { first: 1 }).items[0]?.cursor;
    const nearly = `1.${'0'.repeat(40)}1`;
    expect(() => paginate(session, above(nearly), { after })).toThrow(code('CURSOR_INVALID'));
    expect(namesOf(paginate(session, above('1.00'), { after }))).toHaveLength(8);
  });

  it('outlives its View, whose order is used while it is retained', () => {
    const first = nextSession();
    const [start, ...rest] = listOf(5).list(first.view);
    const after = paginate(first, listOf(5), { first: 1 }).items[0]?.cursor;
    const later = () => namesOf(paginate(nextSession(), listOf(5), { after }));
    const names = rest.map(({ address }) => address);
    expect(start?.address).toBe(paginate(first, listOf(5), { first: 1 }).items[0]?.item.address);
    for (let i = 1; i < VIEWS_KEPT; i += 1) expect(later()).toEqual(names);
    // The third View after it has the opposite order, the fourth the same.
    expect(later()).toEqual(names.toReversed());
    expect(later()).toEqual(names);
  });

  it('can be combined with one of another View', () => {
    const query = listOf(7);
    const first = nextSession();
    const [a, b, c, d, e, f, g] = query.list(first.view).map(({ address }) => address);
    const after = paginate(first, query, { first: 2 }).items.at(-1)?.cursor;
    const second = nextSession();
    expect(namesOf(paginate(second, query, { first: 7 }))).toEqual([g, f, e, d, c, b, a]);
    const before = paginate(second, query, { first: 5 }).items.at(-1)?.cursor;
    // After b in one order and before c in the other.
    expect(namesOf(paginate(second, query, { after, before }))).toEqual([d, e, f, g]);
    expect(namesOf(paginate(second, query, { after, before, last: 2 }))).toEqual([e, d]);
  });

  it('is rejected when any character of it is changed, added or removed', () => {
    const session = nextSession();
    const cursor = paginate(session, listOf(9), { first: 4 }).items.at(-1)?.cursor ?? '';
    const changed = [...cursor].map((character, i) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, i)}${other}${cursor.slice(i + 1)}`;
    });
    for (const after of [...changed, `${cursor}=`, `${cursor}A`, ` ${cursor}`, cursor.slice(0, -1)]) {
      expect(() => paginate(session, listOf(9), { after })).toThrow(code('CURSOR_INVALID'));
    }
    expect(namesOf(paginate(session, listOf(9), { after: cursor }))).toHaveLength(5);
  });

  it('is rejected when it is malformed', () => {
    fc.assert(
      fc.property(fc.string(), (after) => {
        expect(() => paginate(nextSession(), listOf(5), { after })).toThrow(code('CURSOR_INVALID'));
      }),
    );
  });
});

/** A list of the given names, in the order of the given numbers. */
const rankedList = (names: readonly string[], rankOf: (name: string) => number): ListQuery<Item> => ({
  key: ['ranked'],
  list: ({ moment }) =>
    names.toSorted((a, b) => rankOf(a) - rankOf(b)).map((address) => ({ address, of: moment.number })),
});

/** Pages until the end, each from a new View of the gateway and of the list that `next` gives. */
function walk(
  back: boolean,
  next: (page: number) => { readonly gateway: typeof gatewayA; readonly list: ListQuery<Item>; size: number },
): string[] {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let number = 0; ; number += 1) {
    const { gateway: at, list, size } = next(number);
    const request = back ? { last: size, before: cursor } : { first: size, after: cursor };
    const page = paginate(nextSession(at), list, request);
    seen.push(...(back ? namesOf(page).reverse() : namesOf(page)));
    cursor = (back ? page.items[0] : page.items.at(-1))?.cursor ?? cursor;
    if (back ? !page.hasPreviousPage : !page.hasNextPage) return seen;
  }
}

describe('a walk over a list whose order changes with each page', () => {
  /** Numbers that are unrelated from one page to the next. */
  const shuffled = (seed: number) => (name: string) => Math.imul(Number(name.slice(5)) + 1, seed) >>> 0;
  const page = fc.record({
    onB: fc.boolean(),
    // Views that pass before the page is requested.
    pause: fc.nat({ max: VIEWS_KEPT + 1 }),
    size: fc.integer({ min: 1, max: 12 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    absent: fc.array(fc.nat({ max: 9 })),
  });

  /** Items that were returned leave while more items are returned than not, and come back later. */
  const LEAVING_AT_THE_MIDDLE = [
    { onB: false, pause: 0, size: 9, seed: 1, absent: [] },
    { onB: false, pause: 2, size: 1, seed: 104_755_300, absent: [] },
    { onB: false, pause: 0, size: 9, seed: 1, absent: [] },
    { onB: false, pause: 1, size: 6, seed: 1, absent: [0, 1, 2, 3] },
    { onB: false, pause: 1, size: 1, seed: 1, absent: [] },
  ];

  it('returns each item once, over any gateways, at any pace, while others come and go', () => {
    const steady = Array.from({ length: 40 }, (_, i) => `item ${i}`);
    const unsteady = Array.from({ length: 10 }, (_, i) => `item ${40 + i}`);
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 12 }), fc.boolean(), (pages, back) => {
        const seen = walk(back, (number) => {
          const { onB, pause, size, seed, absent } = pages[number % pages.length] ?? expect.fail();
          const at = onB ? gatewayB : gatewayA;
          for (let i = 0; i < pause; i += 1) nextSession(at);
          const present = unsteady.filter((_, i) => !absent.includes(i));
          return { gateway: at, size, list: rankedList([...steady, ...present], shuffled(seed | 1)) };
        });
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(steady));
      }),
      { examples: [[LEAVING_AT_THE_MIDDLE, true]] },
    );
  });

  it.each([false, true])('tells apart items that share a digest (backwards: %s)', (back) => {
    // In each of these lists, two items have the same digest under the first salt.
    for (const nth of [7, 17, 27, 33]) {
      const names = Array.from({ length: 2_000 }, (_, i) => `item ${nth * 2_000 + i}`);
      const seen = walk(back, (number) => ({
        gateway: number % 2 === 0 ? gatewayA : gatewayB,
        size: 100,
        list: rankedList(names, shuffled(2 * number + 1)),
      }));
      expect(seen.length).toBe(2_000);
      expect(new Set(seen).size).toBe(2_000);
    }
  });
});

describe('the size of a cursor', () => {
  const addresses = (length: number) => Array.from({ length }, (_, i) => `item ${i}`.padEnd(44, 'x'));
  const longest = (length: number) => {
    const session = nextSession();
    const list = rankedList(addresses(length), () => 0);
    let [most, page] = [0, paginate(session, list, { first: 100 })];
    for (;;) {
      most = Math.max(most, ...page.items.map(({ cursor }) => cursor.length));
      if (!page.hasNextPage) return most;
      page = paginate(session, list, { first: 100, after: page.items.at(-1)?.cursor });
    }
  };

  it('is below 800 characters for 360 items, and about 4 KB at most', () => {
    expect(longest(360)).toBeLessThan(800);
    expect(longest(2_000)).toBeLessThan(4_096);
    expect(longest(2_001)).toBeLessThan(100);
  });

  it('limits those of very long lists to their View', () => {
    const list = rankedList(addresses(2_001), () => 0);
    const after = paginate(nextSession(), list, { first: 2 }).items.at(-1)?.cursor;
    const next = () => namesOf(paginate(nextSession(), list, { first: 1, after }));
    for (let i = 1; i < VIEWS_KEPT; i += 1) expect(next()).toEqual([addresses(3)[2]]);
    expect(next).toThrow(code('VIEW_GONE'));
  });
});

describe('a list that is read live', () => {
  const live = (names: readonly string[], request: PageRequest) =>
    paginateLive({ key: ['live'], read: async () => names, idOf: (name) => name }, request);
  const itemsOf = ({ items }: Page<string>) => items.map(({ item }) => item);

  it('continues after an item that has disappeared, in an order that has changed', async () => {
    const after = (await live(['a', 'b', 'c', 'd', 'e'], { first: 2 })).items.at(-1)?.cursor;
    expect(itemsOf(await live(['e', 'a', 'd', 'c'], { after }))).toEqual(['e', 'd', 'c']);
    const before = (await live(['a', 'b', 'c', 'd', 'e'], { last: 2 })).items[0]?.cursor;
    expect(itemsOf(await live(['e', 'c', 'b', 'a'], { last: 2, before }))).toEqual(['b', 'a']);
  });

  it('does not repeat an item that has come back', async () => {
    const first = await live(['a', 'b', 'c', 'd', 'e', 'f', 'g'], { first: 2 });
    const second = await live(['b', 'c', 'd', 'e', 'f', 'g'], { first: 1, after: first.items[1]?.cursor });
    expect(itemsOf(second)).toEqual(['c']);
    const third = await live(['d', 'a', 'b', 'c', 'e', 'f', 'g'], { after: second.items[0]?.cursor });
    expect(itemsOf(third)).toEqual(['d', 'e', 'f', 'g']);
  });

  it.each([{ after: 'nonsense' }, { first: 101 }])('is not read for %j', async (request) => {
    const read = vi.fn(async () => ['a']);
    const page = paginateLive({ key: ['live'], read, idOf: (name) => name }, request);
    await expect(page).rejects.toThrow();
    expect(read).not.toHaveBeenCalled();
  });
});
