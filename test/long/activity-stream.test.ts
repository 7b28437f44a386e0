import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestListener } from '../../src/http/server.ts';
import { DAY } from '../../src/store/history/time-buckets.ts';
import {
  CLOSED,
  type LendingWorld,
  SOMEONE,
  startLendingWorld,
} from '../support/apps/lending-history-app.ts';

/** A year of an active wallet. */
const EVENTS = 50_000;
const YEAR = 365 * DAY;
/** About 5,000 rows. */
const HEAP_GROWTH = 12_000_000;
const SETTLE_MS = 1_500;

let world: LendingWorld;
let server: Server;
let url: string;

beforeAll(async () => {
  world = await startLendingWorld();
  const reserve = world.view
    .reservesOfMarket(world.market)
    .find(({ value }) => value.liquidity.mintPubkey === WRAPPED_SOL_MINT);
  if (reserve === undefined) throw new Error('the market has no reserve of SOL');
  const days = Array.from({ length: 365 }, (_, i) => 365 - i);
  await world.record(
    DAY,
    days.map((daysAgo) => ({
      at: world.ago(daysAgo * DAY - 60),
      solUsd: String(100 + (daysAgo % 50)),
      reserves: { [reserve.address]: { price: String(100 + (daysAgo % 50)), exchangeRate: '1' } },
    })),
  );
  await world.happened([
    {
      ...{ kind: 'deposit', side: 'collateral', reserve: reserve.address, time: world.secondsAgo(YEAR) },
      ...{ liquidity: 1_000_000n, collateral: 1_000_000n },
    },
  ]);
  await multiply(reserve.address);
  await world.read([SOMEONE, CLOSED]);
  server = createServer(
    requestListener((request) => {
      const { pathname, search } = new URL(request.url);
      return world.fetch(`${pathname}${search}`);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/portfolio/${SOMEONE}/activity.csv`;
}, 600_000);
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await world?.stop();
});

/** Repeats the one event over the year, as deposits and withdrawals in turn. */
async function multiply(reserve: Address): Promise<void> {
  await world.history.db.run(
    `INSERT INTO lending_event (signature, event_index, slot, block_time, kind, side, obligation_id, market_id, reserve_id,
       owner_id, signer_id, liquidity, collateral, fee, instruction)
     SELECT rpad('many' || translate(n::text, '0', 'z'), 60, 'x'), 0, 2000 + n,
       block_time + floor(n * ($1::float8 / $2::integer)) * interval '1 second',
       CASE WHEN n % 2 = 0 THEN 'deposit' ELSE 'withdraw' END, side, obligation_id, market_id, reserve_id, owner_id,
       signer_id, liquidity + n, collateral + n, 0, instruction
     FROM lending_event, generate_series(1, $2::integer - 1) n
     WHERE reserve_id = (SELECT id FROM subject WHERE address = $3::text)`,
    [YEAR - 1, EVENTS, reserve],
  );
}

const open = (from: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(from, { agent: false }, resolve).on('error', reject);
  });

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe(`${EVENTS} events as CSV`, () => {
  it('are sent once each, newest first, in memory that does not grow with them', async () => {
    const answer = await open(url);
    expect(answer.statusCode).toBe(200);
    let [rows, bytes, peak, start, rest] = [-1, 0, 0, 0, ''];
    let lastSlot = Number.POSITIVE_INFINITY;
    let measuredAt = 0;
    for await (const chunk of answer.setEncoding('utf8')) {
      const text = `${rest}${chunk as string}`;
      const lines = text.split('\r\n');
      rest = lines.pop() ?? '';
      bytes += (chunk as string).length;
      world.statements.length = 0;
      for (const line of lines) {
        rows += 1;
        if (rows === 0) continue;
        const slot = Number(/,"yes",(\d+),/.exec(line)?.[1]);
        expect(slot).toBeLessThan(lastSlot);
        lastSlot = slot;
      }
      if (rows - measuredAt < 5_000) continue;
      measuredAt = rows;
      const now = heapUsed();
      if (start === 0) start = now;
      peak = Math.max(peak, now);
    }
    expect([rows, rest]).toEqual([EVENTS, '']);
    process.stdout.write(
      `${rows} rows, ${(bytes / 1e6).toFixed(1)} MB; heap ${(start / 1e6).toFixed(1)} MB after 5,000 rows, at most ${(peak / 1e6).toFixed(1)} MB\n`,
    );
    expect(peak - start).toBeLessThan(HEAP_GROWTH);
  });

  it('wait for a client that reads slowly', async () => {
    const answer = await open(url);
    answer.pause();
    await untilQuiet();
    const read = world.statements.length;
    await sleep(SETTLE_MS);
    expect(world.statements.length).toBe(read);
    let rows = -1;
    for await (const chunk of answer.setEncoding('utf8')) rows += (chunk as string).split('\r\n').length - 1;
    expect(rows).toBe(EVENTS);
  });

  it('are read no more once the client is gone', async () => {
    const answer = await open(url);
    await new Promise((resolve) => answer.once('data', resolve));
    answer.destroy();
    await untilQuiet();
    const read = world.statements.length;
    await sleep(SETTLE_MS);
    expect(world.statements.length).toBe(read);
  });

  it('are continued after the row at which the connection broke', async () => {
    const answer = await open(url);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk as string;
      if (text.length > 3_000_000) break;
    }
    answer.destroy();
    const whole = text.slice(0, text.lastIndexOf('\r\n') + 2);
    const cursor = /"([\w-]+)"\r\n$/.exec(whole)?.[1];
    const more = await open(`${url}?header=false&cursor=${cursor}`);
    let rest = '';
    for await (const chunk of more.setEncoding('utf8')) rest += chunk as string;
    const signatures = [...`${whole}${rest}`.matchAll(/"(many\w+|made\w+)",/g)].map(
      ([, signature]) => signature,
    );
    expect([signatures.length, new Set(signatures).size]).toEqual([EVENTS, EVENTS]);
  });
});

/** Until no statement was sent for half a second. */
async function untilQuiet(): Promise<void> {
  for (let before = -1; before !== world.statements.length; ) {
    before = world.statements.length;
    await sleep(500);
  }
}
