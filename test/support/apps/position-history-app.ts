import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { VaultEvent, VaultEventKind } from '@sluice/protocol/transactions/events';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { addressIds } from '../../../src/store/history/address-ids.ts';
import type { PriceSample, Snapshot, VaultSample } from '../../../src/store/history/samples.ts';
import { DAY, HOUR, type Step } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { refuse } from '../../../src/store/rows.ts';
import { type IngestCursor, moveCursor, NEW_CURSOR } from '../../../src/store/transactions/cursors.ts';
import { insertEvents, VAULT_EVENTS } from '../../../src/store/transactions/event-rows.ts';
import { d, named, snapshot, vaultSample } from '../history/samples.ts';
import { platformOf } from '../ingest/world-events.ts';
import { confirmed } from '../localnet/confirmed-transactions.ts';
import { type HistoryWorld, startHistoryWorld } from './history-app.ts';

/** A wallet outside the generated world. */
export const SOMEONE = named('someone');

export interface Moment {
  readonly at: Date;
  /** Decimal strings; null where unknown. */
  readonly tokenUsd: string | null;
  readonly solUsd: string | null;
  readonly tokensPerShare?: string;
  readonly vault?: Partial<VaultSample>;
}

/** A world in which the test writes the history of the example vault. */
export interface PositionWorld extends HistoryWorld {
  readonly vault: Address;
  readonly tokenMint: Address;
  readonly decimals: number;
  /** The time some seconds before the View's time, which is a midnight. */
  ago(seconds: number): Date;
  record(step: Step, moments: readonly Moment[]): Promise<void>;
  /** Stores events in the given order, one slot each. */
  happened(events: readonly Happening[]): Promise<void>;
  /** Stores the localnet's events of these addresses, as ingestion reads them. */
  ingest(addresses: readonly Address[]): Promise<readonly VaultEvent[]>;
  /** Marks the transaction list of an address as complete or not. */
  read(address: Address, reachedStart: boolean): Promise<void>;
  forgetEvents(): Promise<void>;
}

export interface Happening {
  readonly kind: VaultEventKind;
  readonly at: Date;
  /** Whole tokens; null where none moved. */
  readonly tokens: number | null;
  readonly shares: number;
  readonly reserveTokens?: number;
  readonly wallet?: Address;
  readonly vault?: Address;
}

export async function startPositionWorld(
  transactionsOver?: Parameters<typeof startHistoryWorld>[1],
): Promise<PositionWorld> {
  const world = await startHistoryWorld(undefined, transactionsOver);
  const { vault } = world.localChain.addresses;
  const { tokenMint, tokenMintDecimals } =
    world.view.get('vault', vault)?.value ?? refuse({ vault }, 'vault', 'a vault');
  const decimals = Number(tokenMintDecimals);
  const { db, fence } = world.history;
  const units = (whole: number) => BigInt(Math.round(whole * 1_000)) * 10n ** BigInt(decimals - 3);
  const insert = async (events: readonly VaultEvent[]) => {
    const ids = await addressIds(
      db,
      events.flatMap((event) =>
        VAULT_EVENTS.addressesIn({ ...event, instruction: event.kind }).filter((each) => each !== null),
      ),
    );
    await insertEvents(
      db,
      VAULT_EVENTS,
      events.map((event) => ({ ...event, instruction: event.kind })),
      (each) => ids.get(each) ?? refuse({ each }, 'each', 'an id'),
      null,
    );
  };
  let slot = 1_000n;
  const reader = createTransactionReader(MAINNET_PROGRAMS);
  const lookups = { ...platformOf(world.localChain.worldChain.world), ownerOfObligation: () => null };
  return Object.assign(Object.create(world) as HistoryWorld, {
    vault,
    tokenMint,
    decimals,
    ago: (seconds: number) => new Date(world.now.getTime() - seconds * 1_000),
    async record(step: Step, moments: readonly Moment[]) {
      const price = (mint: Address, priceUsd: string | null): PriceSample[] =>
        priceUsd === null ? [] : [{ mint, priceUsd: d(priceUsd), stakeRateSol: null }];
      const snapshots = moments.map(
        ({ at, tokenUsd, solUsd, tokensPerShare = '1', vault: changes = {} }): Snapshot =>
          snapshot(at, {
            vaults: [vaultSample('v', { vault, tokensPerShare: d(tokensPerShare), ...changes })],
            prices: [
              ...(tokenMint === WRAPPED_SOL_MINT ? [] : price(tokenMint, tokenUsd)),
              ...price(WRAPPED_SOL_MINT, solUsd),
            ],
          }),
      );
      await writeHistory(db, fence, step, snapshots);
    },
    async happened(happenings: readonly Happening[]) {
      await insert(
        happenings.map(({ kind, at, tokens, shares, reserveTokens = 0, ...whose }, index): VaultEvent => {
          slot += 1n;
          return {
            kind,
            vault: whose.vault ?? vault,
            wallet: whose.wallet ?? SOMEONE,
            tokens: tokens === null ? null : units(tokens),
            shares: units(shares),
            reserve: null,
            reserveTokens: units(reserveTokens),
            counterparty: null,
            signature: `made${slot}`.replaceAll('0', 'z'),
            slot,
            time: at.getTime() / 1_000,
            index: index % 2,
          };
        }),
      );
    },
    async ingest(addresses: readonly Address[]) {
      const transactions = new Map(
        addresses.flatMap((address) =>
          world.localChain.transactionsOf(address).map((each) => [each.signature, each] as const),
        ),
      );
      const events = [...transactions.values()].flatMap(
        (transaction) => reader(confirmed(transaction), lookups).vaultEvents,
      );
      await insert(events);
      return events;
    },
    async read(address: Address, reachedStart: boolean) {
      const ids = await addressIds(db, [address]);
      const to: IngestCursor = { ...NEW_CURSOR, reachedStart, syncedSlot: world.view.moment.slot };
      await db.run('DELETE FROM ingest_cursor WHERE address_id = $1::integer', [ids.get(address) ?? 0]);
      await moveCursor(db, ids.get(address) ?? 0, NEW_CURSOR, to);
    },
    async forgetEvents() {
      await db.run('TRUNCATE vault_event, ingest_cursor');
    },
  });
}

export { DAY, HOUR };
