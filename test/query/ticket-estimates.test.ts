import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import type { ReserveSample } from '../../src/store/history/samples.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, reserveSample, snapshot } from '../support/history/samples.ts';
import { placeQueue } from '../support/lending/placed-queue.ts';

const WALLET = named('wallet with a ticket');
const HOUR_MS = 3_600_000;
const DAYS = 7 * 24;

let world: HistoryWorld;
let reserve: Address;

beforeAll(async () => {
  const chain = new TestChain();
  // 150 USDC are available; 900 and 300 wait.
  reserve = placeQueue(chain, {
    available: 150n,
    next: 0n,
    issued: 2n,
    tickets: [
      { number: 0n, owner: named('the first'), collateral: 600n },
      { number: 1n, owner: WALLET, collateral: 200n },
    ],
  });
  world = await startHistoryWorld(chain);
});
afterAll(() => world?.stop());
beforeEach(async () => {
  world.mode = 'ready';
  await world.forget();
  await world.nextView();
});

/** The start of the hour, so many hours before the one that has begun. */
const hoursAgo = (hours: number): Date =>
  new Date(Math.floor(world.now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);

/** Writes an hour for each of the last ones that are over, by its age in hours. */
async function record(from: number, until: number, change: (age: number) => Partial<ReserveSample>) {
  const { db, fence } = world.history;
  const still = {
    totalSupply: d('3000'),
    totalBorrows: d('2850'),
    totalLiquidity: d('0'),
    exchangeRate: d('0.5'),
  };
  const ages = Array.from({ length: from - until + 1 }, (_, i) => from - i);
  const snapshots = ages.map((age) =>
    snapshot(new Date(hoursAgo(age).getTime() + HOUR_MS - 60_000), {
      reserves: [
        reserveSample('r', {
          reserve,
          accumulatedProtocolFees: d('0'),
          mintTotalSupply: d('2000'),
          ...still,
          ...change(age),
        }),
      ],
    }),
  );
  await writeHistory(db, fence, HOUR, snapshots);
}

interface Estimate {
  readonly state: string;
  readonly paidAt: string | null;
  readonly missing: { readonly amount: string };
  readonly inflow: {
    readonly from: string;
    readonly until: string;
    readonly perDay: { readonly amount: string };
  } | null;
}

async function estimate(): Promise<Estimate> {
  const { data, errors } = await world.query<{
    wallet: { withdrawTickets: { nodes: readonly { estimate: Estimate }[] } };
  }>(
    `query ($wallet: Address!) { wallet(address: $wallet) { withdrawTickets { nodes { estimate {
      state paidAt missing { amount } inflow { from until perDay { amount } } } } } } }`,
    { wallet: WALLET },
  );
  expect(errors).toEqual([]);
  const [ticket] = data.wallet.withdrawTickets.nodes;
  return ticket?.estimate ?? expect.fail('no ticket');
}

/** 10 are repaid every hour, of which the queue is paid 8 for 4 collateral tokens. */
const repaidHourly = (age: number): Partial<ReserveSample> => {
  const hours = DAYS - age;
  return {
    totalSupply: d(String(3_000 - 8 * hours)),
    totalBorrows: d(String(2_850 - 10 * hours)),
    mintTotalSupply: d(String(2_000 - 4 * hours)),
  };
};

describe('the estimate of a ticket', () => {
  it('divides what is missing by what came in over seven days', async () => {
    await record(DAYS, 1, repaidHourly);
    const found = await estimate();
    expect(found).toMatchObject({
      state: 'ESTIMATED',
      // 900 + 300 - 150, at 24 hours of 10.
      missing: { amount: '1050' },
      inflow: {
        from: hoursAgo(DAYS).toISOString(),
        until: hoursAgo(0).toISOString(),
        perDay: { amount: '240' },
      },
    });
    // 4.375 days are 105 hours, to the end of the hour.
    const exact = world.now.getTime() + 105 * HOUR_MS;
    expect(found.paidAt).toBe(new Date(Math.ceil(exact / HOUR_MS) * HOUR_MS).toISOString());
  });

  it('is the same over REST', async () => {
    await record(DAYS, 1, repaidHourly);
    const { paidAt } = await estimate();
    const { body } = await world.get(`/reserves/${reserve}/withdraw-queue`);
    expect((body as { queue: readonly object[] }).queue[1]).toMatchObject({
      estimate: { state: 'ESTIMATED', paidAt, missingAmount: '1050', inflowPerDay: '240' },
    });
  });

  it('has a reason where nothing came in, or too little', async () => {
    await record(DAYS, 1, () => ({}));
    expect(await estimate()).toMatchObject({
      state: 'NO_INFLOW',
      paidAt: null,
      inflow: { perDay: { amount: '0' } },
    });
    await world.forget();
    await world.nextView();
    // 6 a day: 175 days.
    await record(DAYS, 1, (age) => ({ totalBorrows: d(String(2_850 - 0.25 * (DAYS - age))) }));
    expect(await estimate()).toMatchObject({ state: 'TOO_FAR', inflow: { perDay: { amount: '6' } } });
  });

  it('needs a day of history, up to the last hours', async () => {
    await record(24, 1, repaidHourly);
    expect(await estimate()).toMatchObject({ state: 'HISTORY_TOO_SHORT', paidAt: null, inflow: null });
    await record(25, 25, repaidHourly);
    await world.nextView();
    expect((await estimate()).state).toBe('ESTIMATED');
    await world.forget();
    await world.nextView();
    await record(DAYS, 4, repaidHourly);
    expect((await estimate()).state).toBe('HISTORY_TOO_SHORT');
  });

  it.each(['off', 'starting', 'unavailable'] as const)(
    'says that history is %s, without an error',
    async (mode) => {
      world.mode = mode;
      expect(await estimate()).toMatchObject({ state: 'HISTORY_UNAVAILABLE', missing: { amount: '1050' } });
    },
  );
});
