import { presentAddress } from '@sluice/protocol/program-ids';
import { type Clock, systemClock } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { Pacer } from '../node/pacer.ts';
import type { Database } from '../store/sql.ts';
import { ownersOfObligations } from '../store/transactions/read-lending-events.ts';
import { EventDecoder, type PlatformLookups } from './event-decoder.ts';
import { LANES } from './reader.ts';
import type { IngestSource } from './source.ts';

/** After a stall of the process, calls of at most this long are caught up at once. */
const CATCH_UP_MS = 100;

export interface ChainSourceOptions {
  readonly chain: Chain;
  readonly db: Database;
  /** See `IngestSource.wholeChain`. */
  readonly wholeChain: boolean;
  /** Limit on RPC calls per second, for all of ingestion. */
  readonly requestsPerSecond: number;
  readonly concurrency: number;
}

/** Spaces the RPC calls of ingestion, and shares them between the lanes and their callers. */
export function ingestPacer(perSecond: number, clock: Clock = systemClock): Pacer {
  return new Pacer({ perSecond, catchUpMs: CATCH_UP_MS, lanes: LANES, clock });
}

/** Reads transactions from the chain and decodes them with the help of the View and of on-chain accounts. */
export function chainSource(options: ChainSourceOptions): IngestSource {
  const { chain, db, wholeChain, requestsPerSecond, concurrency } = options;
  const pacer = ingestPacer(requestsPerSecond);
  const decoder = new EventDecoder({
    programs: chain.options.programs,
    lookups: () => platformOf(chain.views.current()),
    async ownersOf(obligations, signal) {
      const owners = new Map(await ownersOfObligations(db, obligations));
      const unknown = obligations.filter((obligation) => !owners.has(obligation));
      for (const [obligation, owner] of await readOwners(chain, unknown, signal)) {
        owners.set(obligation, owner);
      }
      return owners;
    },
  });
  return {
    db,
    transactions: chain.transactions,
    cached: (ref) => decoder.cached(ref),
    decode: (transactions, signal) => decoder.decode(transactions, signal),
    turn: (reader, signal) => pacer.turn(reader, signal),
    concurrency,
    wholeChain,
  };
}

const platforms = new WeakMap<View, PlatformLookups>();

function platformOf(view: View): PlatformLookups {
  const known = platforms.get(view);
  if (known !== undefined) return known;
  const vaults = view.all('vault');
  const byFarm = new Map<Address, Address>();
  for (const { address, value } of vaults.values()) {
    if (presentAddress(value.vaultFarm) !== null) byFarm.set(value.vaultFarm, address);
  }
  const lookups: PlatformLookups = {
    edition: vaults.size * 1_000 + byFarm.size,
    vaultOfShares: (mint) => view.vaultOfShares(mint)?.address ?? null,
    vaultOfFarm: (farm) => byFarm.get(farm) ?? null,
    referralFeeBps: (market) => view.get('market', market)?.value.referralFeeBps ?? null,
  };
  platforms.set(view, lookups);
  return lookups;
}

/**
 * Owners of obligations that still exist, as the View or the chain has them now; closed ones are omitted. The View may be older
 * than the event that names an obligation, so one that it does not have is read.
 */
export async function readOwners(
  chain: Chain,
  obligations: readonly Address[],
  signal: AbortSignal,
): Promise<[Address, Address][]> {
  if (obligations.length === 0) return [];
  const session = await chain.openSession({ signal });
  const owners = await Promise.all(
    obligations.map(async (address): Promise<[Address, Address][]> => {
      try {
        const held = session.view.positions === null ? null : await session.find('obligation', address);
        const { value } = held ?? (await session.load('obligation', address, 'CHAIN'));
        return [[address, value.owner]];
      } catch (error) {
        if (isCodedError(error) && error.code.startsWith('ACCOUNT_')) return [];
        throw error;
      }
    }),
  );
  return owners.flat();
}
