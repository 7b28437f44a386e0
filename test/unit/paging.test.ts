import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountReader } from '../../src/chain/account-reader.ts';
import { decodersFor } from '../../src/chain/kinds.ts';
import { ChainSession } from '../../src/chain/session.ts';
import { type Catalogue, View } from '../../src/chain/view.ts';
import { ViewStore } from '../../src/chain/view-store.ts';
import { integer } from '../../src/numeric/rational.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { type ListQuery, type Page, type PageRequest, paginate } from '../../src/services/paging.ts';
import { fakeRpc } from '../support/rpc/fake-rpc.ts';

interface Item {
  readonly address: string;
  /** Number of the View of the item. */
  readonly of: number;
}

const views = new ViewStore(3);
const rpc = fakeRpc(() => null);
const sources = {
  views,
  rpc,
  reader: new AccountReader(rpc, { commitment: 'confirmed' }),
  decoders: decodersFor(MAINNET_PROGRAMS),
  programs: MAINNET_PROGRAMS,
  commitment: 'confirmed',
} as const;

/** A request on a new View. */
function nextSession(): ChainSession {
  const number = (views.newest?.moment.number ?? 0) + 1;
  const slot = BigInt(number);
  const moment = { number, slot, timestamp: slot, slotDurationMs: integer(400), builtAtMs: 0 };
  const range = { slotMin: slot, slotMax: slot, slotWhole: slot, torn: false };
  views.publish(new View({ ...moment, ...range }, {} as Catalogue, new Map()));
  return new ChainSession(views.current(), sources, new AbortController().signal);
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

  it('expires with its View', () => {
    const after = paginate(nextSession(), listOf(5), { first: 1 }).items[0]?.cursor;
    for (let i = 0; i < 2; i += 1) expect(() => paginate(nextSession(), listOf(5), { after })).not.toThrow();
    expect(() => paginate(nextSession(), listOf(5), { after })).toThrow(code('VIEW_GONE'));
  });

  it('cannot be combined with one of another View', () => {
    const after = paginate(nextSession(), listOf(5), { first: 1 }).items[0]?.cursor;
    const session = nextSession();
    const before = paginate(session, listOf(5), { last: 1 }).items[0]?.cursor;
    expect(() => paginate(session, listOf(5), { after, before })).toThrow(code('CURSOR_INVALID'));
  });

  it('is rejected when it is malformed', () => {
    fc.assert(
      fc.property(fc.string(), (after) => {
        expect(() => paginate(nextSession(), listOf(5), { after })).toThrow(code('CURSOR_INVALID'));
      }),
    );
  });
});
