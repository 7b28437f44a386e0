import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activity, activityFile, createClient, income, SluiceError } from '../src/index.ts';
import {
  failure,
  json,
  type Reply,
  type ScriptedGateway,
  startScriptedGateway,
} from './support/scripted-gateway.ts';

const WALLET = '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq';
const HEAD = '"Time (UTC)","Cursor"\r\n';

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startScriptedGateway();
});
afterAll(() => gateway?.close());

const client = () => createClient({ url: gateway.url, retry: { firstDelayMs: 1, maxDelayMs: 50 } });

const page = (kinds: readonly string[], endCursor: string | null): Reply =>
  json(200, {
    data: {
      wallet: {
        activity: {
          complete: true,
          pageInfo: { hasNextPage: endCursor !== null, endCursor },
          nodes: kinds.map((kind) => ({ __typename: 'FarmActivity', kind })),
        },
      },
    },
  });

/** A CSV file that ends, or breaks off. */
const csv =
  (text: string, then: 'end' | 'break'): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    response.write(text, () => (then === 'end' ? response.end() : response.destroy()));
  };

const queryOf = (index: number) =>
  Object.fromEntries(new URL(gateway.requests[index]?.path ?? '', gateway.url).searchParams);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('activity', () => {
  it('reads page after page, by the cursor of the one before', async () => {
    gateway.reply(page(['STAKE', 'REWARD'], 'two'), page(['UNSTAKE'], null));
    const entries = await all(activity(client(), WALLET, { pageSize: 2, filter: { products: ['FARM'] } }));
    expect(entries.map(({ kind }) => kind)).toEqual(['STAKE', 'REWARD', 'UNSTAKE']);
    const asked = gateway.requests.map(({ body }) => (JSON.parse(body) as { variables: object }).variables);
    const filter = { products: ['FARM'] };
    expect(asked).toEqual([
      { wallet: WALLET, first: 2, after: null, filter },
      { wallet: WALLET, first: 2, after: 'two', filter },
    ]);
  });

  it('reads no page that the loop does not get to', async () => {
    gateway.reply(page(['STAKE'], 'two'), page(['REWARD'], null));
    for await (const { kind } of activity(client(), WALLET)) if (kind === 'STAKE') break;
    expect(gateway.requests).toHaveLength(1);
  });

  it('throws why there is none', async () => {
    const errors = [
      { message: 'None.', path: ['wallet', 'activity'], extensions: { code: 'HISTORY_DISABLED' } },
    ];
    gateway.reply(json(200, { data: { wallet: { activity: null } }, errors }));
    await expect(all(activity(client(), WALLET))).rejects.toMatchObject({ code: 'HISTORY_DISABLED' });
  });
});

describe('income', () => {
  it('is by month and first in, first out, unless you say otherwise', async () => {
    gateway.reply(json(200, { data: { wallet: { income: { complete: true } } } }));
    expect(await income(client(), WALLET)).toEqual({ complete: true });
    expect(JSON.parse(gateway.requests[0]?.body ?? '')).toMatchObject({
      variables: { wallet: WALLET, by: 'MONTH', method: 'FIFO' },
    });
  });
});

describe('a file', () => {
  it('that breaks off is continued after its last complete row', async () => {
    gateway.reply(csv(`${HEAD}"a","c1"\r\n"b","c2"\r\n"half`, 'break'), csv('"c","c3"\r\n', 'end'));
    const text = (await all(activityFile(client(), WALLET, { start: '2026-01-01' }))).join('');
    expect(text).toBe(`${HEAD}"a","c1"\r\n"b","c2"\r\n"c","c3"\r\n`);
    expect(queryOf(0)).toEqual({ start: '2026-01-01' });
    expect(queryOf(1)).toEqual({ start: '2026-01-01', header: 'false', cursor: 'c2' });
  });

  it('without cursors is not continued', async () => {
    gateway.reply(csv('"Date"\r\n"a"\r\n', 'break'), csv('"b"\r\n', 'end'));
    await expect(all(activityFile(client(), WALLET, { format: 'koinly' }))).rejects.toBeInstanceOf(
      SluiceError,
    );
    expect(gateway.requests).toHaveLength(1);
  });

  it('is asked for again while it cannot begin', async () => {
    gateway.reply(failure('HISTORY_STARTING', { retryable: true }, 500, '0'), csv(HEAD, 'end'));
    const retried = (await all(activityFile(client(), WALLET))).join('');
    expect([retried, gateway.requests.length]).toEqual([HEAD, 2]);
  });
});
