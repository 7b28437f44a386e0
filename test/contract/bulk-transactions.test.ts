import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedWorld, startRecordedWorld } from '../support/contract/recorded-app.ts';

/** Bulk reads beyond their shape: pages, and transactions as the RPC returns them. */

const INSTRUCTION = 'depositReserveLiquidityAndObligationCollateralV2';

interface Row {
  readonly ixs: readonly { readonly transactionName: string }[];
  readonly signature: string;
  readonly obligation: string;
  readonly timestamp: string;
  readonly rawJson?: {
    readonly slot: number;
    readonly blockTime: number;
    readonly transaction: { readonly signatures: readonly string[] };
  };
}
interface Page {
  readonly result: readonly Row[];
  readonly paginationToken?: string;
}

let world: RecordedWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

async function pages(query = '', range: object = {}): Promise<Page[]> {
  const url = `/v2/svc-market/${world.subjects.addresses.market}/transactions${query}`;
  const all: Page[] = [];
  for (let paginationToken: string | undefined, first = true; first || paginationToken; first = false) {
    const body = { instruction: INSTRUCTION, ...range, ...(paginationToken && { paginationToken }) };
    const { status, text } = await world.ask({ url, body });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    const page = JSON.parse(text) as Page;
    all.push(page);
    ({ paginationToken } = page);
  }
  return all;
}

const keyOf = ({ signature, obligation }: Row) => `${signature} ${obligation}`;

describe('all deposits of a market', () => {
  it('are those of the chain, newest first, on at most 1,000 rows a page', async () => {
    const rows = (await pages()).flatMap(({ result }) => {
      expect(result.length).toBeLessThanOrEqual(1_000);
      return result;
    });
    expect(new Set(rows.map(keyOf)).size).toBe(rows.length);
    const times = rows.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
    for (const { ixs } of rows) expect(ixs.map((ix) => ix.transactionName)).toEqual([INSTRUCTION]);
    const { market } = world.subjects.addresses;
    const { worldChain } = world.localChain;
    const happened = new Set(
      worldChain.transactionsOf(market as never).map(({ signature }) => String(signature)),
    );
    expect(rows.filter(({ signature }) => !happened.has(signature))).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('have the transaction of the RPC where it is asked for, on pages of 100', async () => {
    const range = { start: '2026-02-01' };
    const [plain, raw] = [await pages('', range), await pages('?includeRawJson=enabled', range)];
    const rows = raw.flatMap(({ result }) => result);
    expect(raw.length).toBeGreaterThan(1);
    expect(raw.map(({ result }) => result.length <= 100)).toEqual(raw.map(() => true));
    expect(rows.map(keyOf)).toEqual(plain.flatMap(({ result }) => result).map(keyOf));
    for (const { signature, timestamp, rawJson } of rows) {
      expect(rawJson?.transaction.signatures[0]).toBe(signature);
      expect((rawJson?.blockTime ?? 0) * 1_000).toBe(Date.parse(timestamp));
    }
    expect(plain[0]?.result[0]).not.toHaveProperty('rawJson');
  });
});

describe('a transaction of the RPC', () => {
  it('is paid for: a call each, at 90 units of work', async () => {
    const { market } = world.subjects.addresses;
    const body = { instruction: INSTRUCTION, start: '2026-04-01' };
    const ask = async (query: string) => {
      const { headers, text } = await world.ask({
        url: `/v2/svc-market/${market}/transactions${query}`,
        body,
      });
      const left = Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      const { result } = JSON.parse(text) as Page;
      return { left, calls: new Set(result.map(({ signature }) => signature)).size };
    };
    const first = await ask('?includeRawJson=1');
    const second = await ask('?includeRawJson=1');
    expect(second.calls).toBeGreaterThan(10);
    expect(first.left - second.left).toBeGreaterThanOrEqual(Math.floor((second.calls * 90) / 100));
    const third = await ask('');
    expect(second.left - third.left).toBeLessThan((second.calls * 90) / 100);
  });
});

describe('entries into withdraw queues', () => {
  it('are in the list of a market, and in that of the vault while their ticket waits', async () => {
    const { queuedMarket, queuedTicket, vault, emptyWallet } = world.subjects.addresses;
    const { body } = await world.ask({
      url: `/v3/svc-market/${queuedMarket}/transactions`,
      body: { instruction: 'enqueueToWithdraw' },
    });
    const rows = (body as { withdrawQueueTransactions: { withdrawTicket: string }[] })
      .withdrawQueueTransactions;
    expect(rows.map(({ withdrawTicket }) => withdrawTicket)).toEqual([queuedTicket, emptyWallet]);
    // The other ticket, of which a part is not known to be paid, is no longer on the chain.
    const caused = await world.get(`/kvaults/vaults/${vault}/enqueued-withdraw-transactions`);
    expect(caused.body).toMatchObject([{ withdrawTicket: queuedTicket }]);
  });
});
