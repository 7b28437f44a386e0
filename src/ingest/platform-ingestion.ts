import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../node/deadline.ts';
import type { Database } from '../store/sql.ts';
import { readCursors } from '../store/transactions/cursors.ts';
import { readCoverage, type SlotRange, scopeOf } from '../store/transactions/slot-ranges.ts';
import { chainSource } from './chain-source.ts';
import { type EnsureOptions, Ingestion, type IngestJob, type LimitOwner } from './ingestion.ts';
import {
  addressesOfVault,
  type IngestKind,
  obligationAddressesOf,
  shareAccountsOf,
} from './related-addresses.ts';
import type { CallPayments } from './source.ts';
import type { IngestStatus } from './status.ts';

export interface PlatformIngestionOptions {
  readonly chain: Chain;
  readonly db: Database;
  /** The node holds the entire chain (the embedded one). */
  readonly wholeChain: boolean;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onTurnedAway?: ((whose: LimitOwner) => void) | undefined;
  /** Limit on RPC calls per second, for all of ingestion. */
  readonly requestsPerSecond: number;
  readonly payments?: CallPayments | undefined;
}

type ListKind = Exclude<IngestKind, 'walletVaults' | 'walletLending' | 'allVaults'>;

const CONCURRENCY = 8;
/** What the follower has read counts as current: it reads each vault at least once a minute. */
const FOLLOWED_MAX_AGE_MS = 90_000;

/** Ingests the transactions of vaults, wallets and obligations on demand. */
export class PlatformIngestion {
  readonly #chain: Chain;
  readonly #db: Database;
  readonly ingestion: Ingestion;

  constructor(options: PlatformIngestionOptions) {
    const { chain, db, wholeChain, onFailure, onTurnedAway, requestsPerSecond, payments } = options;
    this.#chain = chain;
    this.#db = db;
    const source = chainSource({
      chain,
      db,
      wholeChain,
      requestsPerSecond,
      concurrency: CONCURRENCY,
    });
    this.ingestion = new Ingestion({ source, onFailure, onTurnedAway, payments });
  }

  /**
   * Brings the transactions of a vault, an obligation or a wallet up to date within the deadline. The rest is
   * read in the background; the status says how much is available. Call this before reading events.
   *
   * @throws VIEW_NOT_READY, TRANSACTIONS_BUSY and errors of the database
   */
  async ensureIngested(address: Address, kind: IngestKind, options: EnsureOptions): Promise<IngestStatus> {
    const startedAt = performance.now();
    if (kind === 'walletVaults' || kind === 'walletLending')
      return await this.#ensureWallet(address, kind, options, startedAt);
    if (kind === 'allVaults') return await this.#ensureVaults(options);
    return await this.ingestion.ensure(this.#listsOf(address, kind), options);
  }

  /** The addresses whose lists have all events of the scope. */
  #listsOf(address: Address, kind: ListKind): readonly Address[] {
    switch (kind) {
      case 'vault':
        return addressesOfVault(this.#chain.views.current(), address);
      // The wallet signs all of its transactions with farms, and each one with its tickets names it.
      case 'walletFarms':
      case 'walletQueue':
      case 'market':
      case 'obligation':
      case 'farm':
        return [address];
    }
  }

  /** All vaults. Their lists need not be read as far as a stream has continued them. */
  async #ensureVaults(options: EnsureOptions): Promise<IngestStatus> {
    const vaults = [...this.#chain.views.current().all('vault').keys()];
    const streamed = await this.#streamed();
    const cursors = streamed === null ? null : await readCursors(this.#db, vaults);
    const isContinued = (vault: Address) =>
      streamed !== null && (cursors?.get(vault)?.syncedSlot ?? -1n) >= streamed.from - 1n;
    const due = vaults.filter((vault) => !isContinued(vault));
    await this.ingestion.ensure(due, { ...options, maxAgeMs: FOLLOWED_MAX_AGE_MS });
    return await this.ingestion.status(vaults);
  }

  /** The newest range of slots with all of their transactions; null when none has been written lately. */
  async #streamed(): Promise<SlotRange | null> {
    const { ranges, writtenAt } = await readCoverage(this.#db, scopeOf(this.#chain.options.programs));
    const isCurrent = writtenAt !== null && Date.now() - writtenAt.getTime() < FOLLOWED_MAX_AGE_MS;
    return isCurrent ? (ranges.at(-1) ?? null) : null;
  }

  /**
   * A wallet's accounts are partly discovered from its own transactions, so the set of addresses can grow
   * while they are read.
   */
  async #ensureWallet(
    wallet: Address,
    kind: 'walletVaults' | 'walletLending',
    { deadlineMs, ...options }: EnsureOptions,
    startedAt: number,
  ): Promise<IngestStatus> {
    const leftMs = () => Math.max(deadlineMs - (performance.now() - startedAt), 0);
    // When the caller does not need everything, the newest transactions lead to the addresses needed first.
    const newest = options.enough && (() => Promise.resolve(true));
    const own = await this.ingestion.ensure([wallet], { ...options, enough: newest, deadlineMs: leftMs() });
    if ((own.running && newest === undefined) || leftMs() === 0) return { ...own, complete: false };
    for (let known: readonly Address[] = []; ; ) {
      const growing = newest !== undefined && (await this.ingestion.status([wallet])).running;
      const related = await this.#relatedAddresses(wallet, kind, leftMs(), options.signal);
      if (related === null) return { ...(await this.ingestion.status([wallet])), complete: false };
      if (known.length > 0 && related.every((each) => known.includes(each))) {
        return await this.ingestion.status([wallet, ...known]);
      }
      known = [wallet, ...related];
      const status = await this.ingestion.ensure(known, { ...options, deadlineMs: leftMs() });
      if (!growing) return status;
      if (leftMs() === 0) return { ...status, complete: false };
    }
  }

  /** The addresses being read now. */
  progress(): readonly IngestJob[] {
    return this.ingestion.progress();
  }

  async stop(): Promise<void> {
    await this.ingestion.stop();
  }

  /** Null when they could not be determined in time. */
  async #relatedAddresses(
    wallet: Address,
    kind: 'walletVaults' | 'walletLending',
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<Address[] | null> {
    using deadline = deadlineSignal(ms, 'Finding the accounts of a wallet', signal);
    const find = kind === 'walletVaults' ? shareAccountsOf : obligationAddressesOf;
    try {
      return await find(this.#chain, this.#db, wallet, deadline.signal);
    } catch (error) {
      if (isCodedError(error) && (error.code.startsWith('RPC_') || deadline.signal.aborted)) return null;
      throw error;
    }
  }
}
