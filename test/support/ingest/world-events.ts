import type { ChainTransaction } from '@sluice/localnet/chain';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { LendingEvent, TransactionEvents, VaultEvent } from '@sluice/protocol/transactions/events';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { createEndpointPool, type EndpointPool, type RpcCall } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import { ChainTransactions } from '../../../src/chain/transactions/transactions.ts';
import { EventDecoder, type PlatformLookups } from '../../../src/ingest/event-decoder.ts';
import type { IngestSource } from '../../../src/ingest/source.ts';
import type { Database } from '../../../src/store/sql.ts';
import { allTransactions, confirmed } from '../localnet/confirmed-transactions.ts';

type World = WorldChain['world'];

/** Lookups of vaults and markets, taken from the world. */
export function platformOf(world: World): PlatformLookups {
  const byShares = new Map(world.vaults.map(({ sharesMint, address }) => [sharesMint.address, address]));
  const byFarm = new Map(
    world.vaults.flatMap(({ farm, address }) => (farm === null ? [] : [[farm.address, address]])),
  );
  const referral = new Map(world.markets.map(({ address, referralFeeBps }) => [address, referralFeeBps]));
  return {
    edition: 1,
    vaultOfShares: (mint) => byShares.get(mint) ?? null,
    vaultOfFarm: (farm) => byFarm.get(farm) ?? null,
    referralFeeBps: (market) => referral.get(market) ?? null,
  };
}

export function ownersOf(world: World): ReadonlyMap<Address, Address> {
  return new Map(
    world.wallets.flatMap(({ address, obligations }) => obligations.map((each) => [each.address, address])),
  );
}

/** Cached per transaction: decoding a world takes seconds, and worlds grow. */
const decoded = new WeakMap<ChainTransaction, TransactionEvents>();

/** The events of every transaction of the world, decoded without RPC, store or ingestion. */
export function eventsOf(localChain: WorldChain): TransactionEvents & { readonly transactions: number } {
  const read = createTransactionReader(MAINNET_PROGRAMS);
  const owners = ownersOf(localChain.world);
  const lookups = {
    ...platformOf(localChain.world),
    ownerOfObligation: (address: Address) => owners.get(address) ?? null,
  };
  const all = allTransactions(localChain).map((transaction) => {
    const known = decoded.get(transaction);
    const events = known ?? read(confirmed(transaction), lookups);
    decoded.set(transaction, events);
    return events;
  });
  return {
    transactions: all.length,
    vaultEvents: all.flatMap(({ vaultEvents }) => vaultEvents),
    lendingEvents: all.flatMap(({ lendingEvents }) => lendingEvents),
    farmEvents: all.flatMap(({ farmEvents }) => farmEvents),
    allocationEvents: all.flatMap(({ allocationEvents }) => allocationEvents),
    queueEvents: all.flatMap(({ queueEvents }) => queueEvents),
    problems: all.flatMap(({ problems }) => problems),
  };
}

export interface TestSource extends IngestSource {
  readonly pool: EndpointPool;
  readonly calls: RpcCall[];
}

/** Ingestion over a test RPC, without a View. */
export function sourceOver(
  url: string,
  db: Database,
  {
    platform,
    owners = new Map(),
    wholeChain = true,
  }: {
    readonly platform: PlatformLookups;
    readonly owners?: ReadonlyMap<Address, Address>;
    readonly wholeChain?: boolean;
  },
): TestSource {
  const calls: RpcCall[] = [];
  const pool = createEndpointPool({
    urls: [url],
    timeoutMs: 10_000,
    maxAttempts: 3,
    maxConcurrencyPerEndpoint: 16,
    onCall: (call) => calls.push(call),
  });
  const decoder = new EventDecoder({
    programs: MAINNET_PROGRAMS,
    lookups: () => platform,
    ownersOf: async (obligations) =>
      new Map(obligations.flatMap((each) => (owners.has(each) ? [[each, owners.get(each) as Address]] : []))),
  });
  return {
    db,
    transactions: new ChainTransactions(pool.rpc),
    cached: (mark) => decoder.cached(mark),
    decode: (transactions, signal) => decoder.decode(transactions, signal),
    turn: async () => {},
    concurrency: 8,
    wholeChain,
    pool,
    calls,
  };
}

/** An event without the fields that the store adds, for comparison. */
export function bare<E extends VaultEvent | LendingEvent>(event: E & object): Record<string, unknown> {
  const { place: _place, final: _final, ...rest } = event as E & { place?: number; final?: boolean };
  return rest;
}

export const nameOf = ({ signature, index }: { readonly signature: string; readonly index: number }) =>
  `${signature}/${index}`;

/** Sorts by name, for lists whose order does not matter. */
export function byName<E extends VaultEvent | LendingEvent>(events: readonly E[]): Record<string, unknown>[] {
  return events.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).map((event) => bare(event));
}
