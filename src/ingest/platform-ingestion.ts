import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import { deadlineSignal } from '../chain/rpc/deadline.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import type { Database } from '../store/sql.ts';
import { chainSource } from './chain-source.ts';
import { type EnsureOptions, Ingestion, type IngestJob } from './ingestion.ts';
import type { IngestStatus } from './status.ts';
import { addressesOfVault, type IngestKind, obligationAddressesOf, shareAccountsOf } from './subjects.ts';

export interface PlatformIngestionOptions {
  readonly chain: Chain;
  readonly db: Database;
  /** The node is the whole chain (the embedded one). */
  readonly wholeChain: boolean;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Calls a second to the node, of everything here together. */
  readonly requestsPerSecond: number;
}

const CONCURRENCY = 8;

/** Transactions of vaults, wallets and obligations, read when somebody asks for them. */
export class PlatformIngestion {
  readonly #chain: Chain;
  readonly #db: Database;
  readonly ingestion: Ingestion;

  constructor({ chain, db, wholeChain, onFailure, requestsPerSecond }: PlatformIngestionOptions) {
    this.#chain = chain;
    this.#db = db;
    const source = chainSource({
      chain,
      db,
      wholeChain,
      requestsPerSecond,
      concurrency: CONCURRENCY,
    });
    this.ingestion = new Ingestion({ source, onFailure });
  }

  /**
   * Brings the transactions of a vault, an obligation or a wallet up to date within the deadline. What is left is read
   * in the background, and the status says how much is there. Ask before reading events; then read them.
   *
   * @throws VIEW_NOT_READY and errors of the database
   */
  async ensureIngested(address: Address, kind: IngestKind, options: EnsureOptions): Promise<IngestStatus> {
    const startedAt = performance.now();
    if (kind === 'obligation') return await this.ingestion.ensure([address], options);
    if (kind === 'vault') {
      return await this.ingestion.ensure(addressesOfVault(this.#chain.views.current(), address), options);
    }
    return await this.#ensureWallet(address, kind, options, startedAt);
  }

  /** What belongs to a wallet is partly known from its own transactions: the more of them, the more lists there are. */
  async #ensureWallet(
    wallet: Address,
    kind: 'walletVaults' | 'walletLending',
    { deadlineMs, ...options }: EnsureOptions,
    startedAt: number,
  ): Promise<IngestStatus> {
    const leftMs = () => Math.max(deadlineMs - (performance.now() - startedAt), 0);
    // With less than everything to wait for, its newest transactions lead to the lists that are needed first.
    const newest = options.enough && (() => Promise.resolve(true));
    const own = await this.ingestion.ensure([wallet], { ...options, enough: newest, deadlineMs: leftMs() });
    if ((own.running && newest === undefined) || leftMs() === 0) return { ...own, complete: false };
    for (let known: readonly Address[] = []; ; ) {
      const growing = newest !== undefined && (await this.ingestion.status([wallet])).running;
      const others = await this.#othersOf(wallet, kind, leftMs(), options.signal);
      if (others === null) return { ...(await this.ingestion.status([wallet])), complete: false };
      if (known.length > 0 && others.every((each) => known.includes(each))) {
        return await this.ingestion.status([wallet, ...known]);
      }
      known = [wallet, ...others];
      const status = await this.ingestion.ensure(known, { ...options, deadlineMs: leftMs() });
      if (!growing) return status;
      if (leftMs() === 0) return { ...status, complete: false };
    }
  }

  /** What is being read now. */
  progress(): readonly IngestJob[] {
    return this.ingestion.progress();
  }

  async stop(): Promise<void> {
    await this.ingestion.stop();
  }

  /** Null when they could not be found out in time. */
  async #othersOf(
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
      if (isSluiceError(error) && (error.code.startsWith('RPC_') || deadline.signal.aborted)) return null;
      throw error;
    }
  }
}
