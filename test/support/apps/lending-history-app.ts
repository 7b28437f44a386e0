import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { CausedLendingEvent, LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressIds } from '../../../src/store/history/address-ids.ts';
import type { PriceSample, ReserveSample, Snapshot } from '../../../src/store/history/samples.ts';
import type { Step } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { type IngestCursor, moveCursor, NEW_CURSOR } from '../../../src/store/transactions/cursors.ts';
import { writeLendingEvents } from '../history/lending-events.ts';
import { d, named, reserveConfig, reserveSample, snapshot } from '../history/samples.ts';
import { eventsOf } from '../ingest/world-events.ts';
import { type HistoryWorld, startHistoryWorld } from './history-app.ts';

/** A wallet outside the generated world, and its closed obligation. */
export const SOMEONE = named('someone');
export const CLOSED = named('closed obligation');

/** Recorded values of a reserve, as decimal strings. */
export interface ReserveThen {
  readonly price: string | null;
  /** Collateral per liquidity. */
  readonly exchangeRate?: string;
  readonly borrowRate?: string | null;
  readonly changes?: Partial<ReserveSample>;
}

export interface LendingMoment {
  readonly at: Date;
  /** USD per SOL; null when it was unknown. */
  readonly solUsd: string | null;
  readonly reserves: Readonly<Record<string, ReserveThen>>;
  readonly stakeRates?: Readonly<Record<string, string>>;
}

export type Happened = Partial<CausedLendingEvent> & Pick<LendingEvent, 'kind' | 'side' | 'reserve' | 'time'>;

/** A world whose history the test writes: events and reserve values. */
export interface LendingWorld extends HistoryWorld {
  readonly market: Address;
  /** The time some seconds before the View's time, which is a midnight. */
  ago(seconds: number): Date;
  secondsAgo(seconds: number): number;
  record(step: Step, moments: readonly LendingMoment[]): Promise<void>;
  /** Stored in the given order, one slot each. */
  happened(events: readonly Happened[]): Promise<void>;
  /** All obligation events of the localnet, as ingestion reads them. */
  ingestAll(): Promise<readonly LendingEvent[]>;
  /** Marks the transaction lists of these addresses as complete or not. */
  read(addresses: readonly Address[], reachedStart?: boolean): Promise<void>;
  forgetEvents(): Promise<void>;
}

export async function startLendingWorld(): Promise<LendingWorld> {
  const world = await startHistoryWorld();
  const { market } = world.localChain.addresses;
  const { db, fence } = world.history;
  const configOf = (reserve: Address) => {
    const held = world.view.get('reserve', reserve);
    if (held === undefined) return reserveConfig({ market });
    const { mintPubkey, mintDecimals } = held.value.liquidity;
    return reserveConfig({ market, mintAddress: mintPubkey, decimals: Number(mintDecimals) });
  };
  const sampleOf = (reserve: Address, then: ReserveThen): ReserveSample =>
    reserveSample('r', {
      reserve,
      config: configOf(reserve),
      priceUsd: then.price === null ? null : d(then.price),
      exchangeRate: d(then.exchangeRate ?? '1'),
      cumulativeBorrowRate: then.borrowRate === null ? null : d(then.borrowRate ?? '1'),
      ...then.changes,
    });
  let slot = 1_000n;
  return Object.assign(Object.create(world) as HistoryWorld, {
    market,
    ago: (seconds: number) => new Date(world.now.getTime() - seconds * 1_000),
    secondsAgo: (seconds: number) => world.now.getTime() / 1_000 - seconds,
    async record(step: Step, moments: readonly LendingMoment[]) {
      const snapshots = moments.map(({ at, solUsd, reserves, stakeRates = {} }): Snapshot => {
        const prices: PriceSample[] = Object.entries(stakeRates).map(([mint, rate]) => ({
          mint: mint as Address,
          priceUsd: d('1'),
          stakeRateSol: d(rate),
        }));
        if (solUsd !== null) prices.push({ mint: WRAPPED_SOL_MINT, priceUsd: d(solUsd), stakeRateSol: null });
        return snapshot(at, {
          prices,
          reserves: Object.entries(reserves).map(([reserve, then]) => sampleOf(reserve as Address, then)),
        });
      });
      await writeHistory(db, fence, step, snapshots);
    },
    async happened(events: readonly Happened[]) {
      await writeLendingEvents(
        db,
        events.map((event) => {
          slot += 1n;
          return {
            obligation: CLOSED,
            market,
            owner: SOMEONE,
            signer: SOMEONE,
            liquidity: 0n,
            collateral: 0n,
            fee: 0n,
            instruction: `made${event.kind}`,
            signature: `made${event.kind}${slot}`.replaceAll('0', 'z').padEnd(40, 'x'),
            slot,
            index: 0,
            ...event,
          };
        }),
      );
    },
    async ingestAll() {
      const { lendingEvents } = eventsOf(world.localChain.worldChain);
      await writeLendingEvents(db, lendingEvents);
      return lendingEvents;
    },
    async read(addresses: readonly Address[], reachedStart = true) {
      const ids = await addressIds(db, addresses);
      const to: IngestCursor = { ...NEW_CURSOR, reachedStart, syncedSlot: world.view.moment.slot };
      for (const id of addresses.map((address) => ids.get(address) ?? 0)) {
        await db.run('DELETE FROM ingest_cursor WHERE address_id = $1::integer', [id]);
        await moveCursor(db, id, NEW_CURSOR, to);
      }
    },
    async forgetEvents() {
      await db.run('TRUNCATE lending_event, ingest_cursor');
    },
  });
}
