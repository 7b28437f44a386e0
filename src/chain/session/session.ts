import type { ProgramName } from '@sluice/protocol/deployments';
import { parseAddress } from '@sluice/protocol/layout/base58';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { Moment } from '../../domain/moment.ts';
import { type CodedError, isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { WorkBudget } from '../../node/work-budget.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { AccountKey, AccountRead } from '../accounts/account-reader.ts';
import { minContextSlotConfig, readAtMinSlot } from '../accounts/min-slot.ts';
import { isPositionKind } from '../positions/position-kinds.ts';
import { EXPECTED_BYTES, isKind, type LiveKind, type LiveValues, NAMES } from '../view/kinds.ts';
import type { Held, View } from '../view/view.ts';
import { Dependencies, type Dependency } from './dependency.ts';
import { type ChainReport, ReadLog } from './read-log.ts';
import { obligationsIn, withBorrowOrders } from './resident-obligations.ts';
import type {
  Blockhash,
  ReadFrom,
  Scanned,
  SessionSources,
  WalletAccounts,
  WalletScan,
} from './session-reads.ts';
import type { SessionReads } from './shared-reads.ts';
import { type SimulationResult, simulate } from './simulate.ts';
import {
  type AccountScan,
  readBorrowOrders,
  readObligations,
  readReferrerStates,
  readStakes,
  readTicketsOfReserve,
  readTokenAccounts,
  readWithdrawTickets,
  type ScanOptions,
} from './wallet-reads.ts';

/** The chain as one request sees it: one View from start to end, plus live reads, each account at most once. */
export class ChainSession {
  readonly view: View;
  /** The account of the request. */
  readonly work: WorkBudget;
  readonly #sources: SessionSources;
  /** Null: the session reads for itself. */
  readonly #shared: SessionReads | null;
  readonly #reads: DataLoader<AccountKey, Pick<AccountRead, 'account'>, Address>;
  readonly #log: ReadLog;
  readonly #scans = new Map<string, Promise<AccountScan[]>>();
  #blockhash: Promise<Blockhash> | undefined;
  readonly #dependencies = new Dependencies();

  constructor(view: View, sources: SessionSources, work: WorkBudget, shared: SessionReads | null = null) {
    this.view = view;
    this.work = work;
    this.#shared = shared;
    this.#sources = sources;
    this.#log = new ReadLog(view.moment, work);
    this.#reads = new DataLoader((keys) => this.#readBatch(keys), {
      cacheKeyFn: ({ address }) => address,
    });
  }

  /** Aborts when the work of the request must end. */
  get signal(): AbortSignal {
    return this.work.signal;
  }

  /** The payer of the request, a key or a network, for limits per caller. Empty for work of the gateway itself. */
  get caller(): string {
    return this.work.caller;
  }

  /**
   * Records an input of the answer. Called where it is read, also when the read fails or its result is already in memory.
   */
  dependsOn(input: Dependency): void {
    this.#dependencies.add(input);
  }

  get dependencies(): ReadonlySet<Dependency> {
    return this.#dependencies.all;
  }

  /** Whether the answer so far depends only on the request and on what the View determines, so it can be cached. */
  get isFixedByView(): boolean {
    return this.#dependencies.isFixedByView;
  }

  /** RPC calls whose answers this session used. Sessions that share a page count it each. */
  get rpcRequests(): number {
    return this.#log.calls;
  }

  /** Counts calls that were made for this session and read no accounts. */
  noteRpcCalls(calls: number): void {
    this.dependsOn('live');
    this.#log.noteCalls(calls);
  }

  get programs(): ProgramIds {
    return this.#sources.programs;
  }

  /** Whether a deployed program has a version or a later one; null when that is unknown. */
  runsAtLeast(program: ProgramName, version: string): boolean | null {
    return this.#sources.deployments.runsAtLeast(program, version);
  }

  /** The batch function of the loader. The reader merges the batches of all sessions into as few RPC calls as possible. */
  async #readBatch(keys: readonly AccountKey[]): Promise<readonly (AccountRead | Error)[]> {
    const { moment } = this.view;
    const reader = this.#shared ?? this.#sources.reader;
    const reads = await reader.readMany(keys, { minSlot: moment.slot, signal: this.signal });
    for (const read of reads) {
      if (read instanceof Error) continue;
      this.#log.notePage(read.page, 1);
    }
    return reads;
  }

  /** The View's moment, or the clock of the newest accounts that were read after it. */
  get newestMoment(): Moment {
    return this.#log.newestMoment;
  }

  /** Reads an account from the RPC, even if the View has it; null for none. All reads of a level leave in one batch. */
  async account(address: Address, expectedBytes: number): Promise<ChainAccount | null> {
    const account = await this.#account(address, expectedBytes);
    if (account !== null) this.#sources.padding.see(account);
    return account;
  }

  async #account(address: Address, expectedBytes: number): Promise<ChainAccount | null> {
    // An RPC rejects the whole page for one malformed address, and other requests may share the page.
    parseAddress(address);
    this.dependsOn('live');
    return (await this.#reads.load({ address, expectedBytes })).account;
  }

  /** An account of a kind, from the View if it has the kind, else from the RPC. @throws SluiceError when it is missing or wrong */
  async load<K extends LiveKind>(kind: K, address: Address): Promise<Held<LiveValues[K]>> {
    const found = await this.find(kind, address);
    if (found === null) throw new SluiceError('ACCOUNT_NOT_FOUND', { account: NAMES[kind], address });
    return found;
  }

  /** Like `load`, with null for a missing account. */
  async find<K extends LiveKind>(kind: K, address: Address): Promise<Held<LiveValues[K]> | null> {
    const known = this.#inView(kind, address);
    if (isCodedError(known)) throw known;
    if (known !== undefined) return known;
    if (this.view.positions !== null && isPositionKind(kind)) {
      const held = this.view.positions.account(kind, parseAddress(address));
      this.work.record('accounts', 1);
      if (held !== null) return this.#decoded(kind, held);
      // Of token accounts, only those of shares are in the View.
      if (kind !== 'tokenAccount') return null;
    }
    const account = await this.#account(address, EXPECTED_BYTES[kind]);
    return account === null ? null : this.#decoded(kind, account);
  }

  /** All token accounts of a wallet, of both token programs, read from the RPC. */
  async tokenAccountsOf(owner: Address): Promise<Held<LiveValues['tokenAccount']>[]> {
    const { rpc } = this.#sources;
    const { found } = await this.#scan('tokenAccount', tokensKey(owner), {
      read: (signal) => readTokenAccounts(rpc, owner, this.#scanOptions(signal)),
    });
    return found;
  }

  /** The token accounts of a wallet that hold shares of vaults. Others may be among them. */
  async shareAccountsOf(owner: Address): Promise<readonly Held<LiveValues['tokenAccount']>[]> {
    const { positions } = this.view;
    if (positions === null) return await this.tokenAccountsOf(owner);
    return this.#resident('tokenAccount', positions.ofWallet('tokenAccount', owner)).found;
  }

  /** All obligations of a wallet, in one market or in all. The market of an unreadable one is unknown. */
  async obligationsOf(owner: Address, market: Address | null): Promise<Scanned<'obligation'>> {
    const { rpc, programs } = this.#sources;
    if (market !== null && this.#scans.has(obligationsKey(owner, null))) {
      const { found, unreadable } = await this.obligationsOf(owner, null);
      return { found: found.filter(({ value }) => value.lendingMarket === market), unreadable };
    }
    return await this.#scan('obligation', obligationsKey(owner, market), {
      resident: (positions) => obligationsIn(positions.ofWallet('obligation', owner), market),
      read: async (signal) => [
        await readObligations(rpc, programs.klend, owner, market, this.#scanOptions(signal)),
      ],
    });
  }

  /** All farm stakes of a wallet and of its obligations. */
  async stakesOf(owner: Address, from: ReadFrom = 'VIEW'): Promise<Scanned<'farmUser'>> {
    const { rpc, programs } = this.#sources;
    return await this.#scan('farmUser', stakesKey(owner), {
      from,
      resident: (positions) => positions.ofWallet('farmUser', owner),
      read: async (signal) => [await readStakes(rpc, programs.farms, owner, this.#scanOptions(signal))],
    });
  }

  /** All tickets of a wallet in the withdraw queues of reserves. */
  async withdrawTicketsOf(owner: Address): Promise<Scanned<'withdrawTicket'>> {
    const { rpc, programs } = this.#sources;
    return await this.#scan('withdrawTicket', ticketsKey(owner), {
      resident: (positions) => positions.ofWallet('withdrawTicket', owner),
      read: async (signal) => [
        await readWithdrawTickets(rpc, programs.klend, owner, this.#scanOptions(signal)),
      ],
    });
  }

  /** All accounts of a referrer for the fees of reserves. */
  async referrerStatesOf(referrer: Address, from: ReadFrom = 'VIEW'): Promise<Scanned<'referrerTokenState'>> {
    const { rpc, programs } = this.#sources;
    return await this.#scan('referrerTokenState', `fees of referrer ${referrer}`, {
      from,
      resident: (positions) => positions.ofWallet('referrerTokenState', referrer),
      read: async (signal) => [
        await readReferrerStates(rpc, programs.klend, referrer, this.#scanOptions(signal)),
      ],
    });
  }

  /** The obligations of a market with a borrow order, for one token or for any. One may occur twice. */
  async obligationsWithBorrowOrders(market: Address, mint: Address | null): Promise<Scanned<'obligation'>> {
    const { rpc, programs } = this.#sources;
    return await this.#scan('obligation', `borrow orders of ${market} for ${mint}`, {
      resident: (positions) => withBorrowOrders(positions, market, mint, this.work),
      read: (signal) => readBorrowOrders(rpc, programs.klend, market, mint, this.#scanOptions(signal)),
    });
  }

  /** All tickets of a reserve, those whose turn is over included. */
  async ticketsOfReserve(reserve: Address): Promise<Scanned<'withdrawTicket'>> {
    const { rpc, programs } = this.#sources;
    return await this.#scan('withdrawTicket', `tickets of reserve ${reserve}`, {
      resident: (positions) => [...positions.within('withdrawTicket', reserve)],
      read: async (signal) => [
        await readTicketsOfReserve(rpc, programs.klend, reserve, this.#scanOptions(signal)),
      ],
    });
  }

  /**
   * Uses an earlier search for a wallet's accounts instead of searching again: the accounts it found are read again, those
   * it did not find count as absent.
   */
  recall(owner: Address, accounts: WalletAccounts): void {
    const { tokenAccounts, obligations, stakes, withdrawTickets, absent } = accounts;
    for (const address of absent) this.#reads.prime({ address, expectedBytes: 0 }, { account: null });
    this.#scans.set(tokensKey(owner), this.#readAgain('tokenAccount', tokenAccounts));
    this.#scans.set(obligationsKey(owner, null), this.#readAgain('obligation', obligations));
    this.#scans.set(stakesKey(owner), this.#readAgain('farmUser', stakes));
    this.#scans.set(ticketsKey(owner), this.#readAgain('withdrawTicket', withdrawTickets));
  }

  async #readAgain(kind: LiveKind, addresses: readonly Address[]): Promise<AccountScan[]> {
    const read = await Promise.all(addresses.map((address) => this.#account(address, EXPECTED_BYTES[kind])));
    return [{ accounts: read.filter((account) => account !== null), slot: this.view.moment.slot }];
  }

  /** Read once per request. */
  latestBlockhash(): Promise<Blockhash> {
    this.#blockhash ??= this.#readBlockhash();
    return this.#blockhash;
  }

  async #readBlockhash(): Promise<Blockhash> {
    const { rpc, commitment } = this.#sources;
    const options = this.#scanOptions();
    const { context, value } = await readAtMinSlot(
      options,
      (answer) => answer.context.slot,
      () =>
        rpc
          .getLatestBlockhash({ commitment, ...minContextSlotConfig(options.minSlot) })
          .send({ abortSignal: this.signal }),
    );
    this.#log.notePage({ slot: context.slot }, 0);
    return value;
  }

  /** The least price that was enough to write to the accounts, one per recent slot: micro-lamports per compute unit. */
  async recentPriorityFees(accounts: readonly Address[]): Promise<bigint[]> {
    this.noteRpcCalls(1);
    const fees = await this.#sources.rpc
      .getRecentPrioritizationFees([...accounts])
      .send({ abortSignal: this.signal });
    return fees.map(({ prioritizationFee }) => prioritizationFee);
  }

  /** Simulates a transaction and returns the state of the `watched` accounts after it. */
  async simulate(base64: string, watched: readonly Address[]): Promise<SimulationResult> {
    const result = await simulate(this.#sources.rpc, base64, watched, this.#scanOptions());
    this.#log.notePage({ slot: result.slot }, 0);
    return result;
  }

  #scanOptions(signal: AbortSignal = this.signal): ScanOptions {
    this.dependsOn('live');
    return { commitment: this.#sources.commitment, minSlot: this.view.moment.slot, signal };
  }

  /** The accounts that the View has, or a scan, which is made once per request. */
  async #scan<K extends LiveKind>(
    kind: K,
    key: string,
    { from = 'VIEW', resident, read }: WalletScan,
  ): Promise<Scanned<K>> {
    const positions = from === 'VIEW' ? this.view.positions : null;
    if (positions !== null && resident !== undefined) return this.#resident(kind, await resident(positions));
    this.dependsOn('live');
    const known = this.#scans.get(key);
    const scans = known ?? this.#shared?.scan(key, read, this.signal) ?? read(this.signal);
    if (known === undefined) this.#scans.set(key, scans);
    const pages = await scans;
    if (known === undefined) {
      for (const page of pages) this.#log.notePage(page, page.accounts.length);
    }
    return this.#decodedAll(
      kind,
      pages.flatMap(({ accounts }) => accounts),
    );
  }

  /** Accounts that the View has: the work of decoding them is drawn, but nothing is read. */
  #resident<K extends LiveKind>(kind: K, accounts: readonly ChainAccount[]): Scanned<K> {
    this.work.record('accounts', accounts.length);
    return this.#decodedAll(kind, accounts);
  }

  #decodedAll<K extends LiveKind>(kind: K, accounts: readonly ChainAccount[]): Scanned<K> {
    const found: Held<LiveValues[K]>[] = [];
    const unreadable = new Map<Address, CodedError>();
    for (const account of accounts) {
      try {
        found.push(this.#decoded(kind, account));
      } catch (error) {
        if (!isCodedError(error)) throw error;
        unreadable.set(account.address, error);
      }
    }
    return { found, unreadable };
  }

  #decoded<K extends LiveKind>(kind: K, account: ChainAccount): Held<LiveValues[K]> {
    const { address, owner, data, slot } = account;
    return { address, owner, data, slot, value: this.#sources.decoders[kind](account) };
  }

  #inView<K extends LiveKind>(kind: K, address: Address): Held<LiveValues[K]> | CodedError | undefined {
    return isKind(kind)
      ? (this.view.find(kind, address) as Held<LiveValues[K]> | CodedError | undefined)
      : undefined;
  }

  /** Another View by its id, so that a list continues in the order in which it began; undefined when it is gone. */
  retainedView(id: string): View | undefined {
    return id === this.view.moment.id ? this.view : this.#sources.views.find(id);
  }

  report(): ChainReport {
    return this.#log.report();
  }
}

const tokensKey = (owner: Address) => `tokens ${owner}`;
const ticketsKey = (owner: Address) => `withdraw tickets ${owner}`;
const stakesKey = (owner: Address) => `stakes ${owner}`;
const obligationsKey = (owner: Address, market: Address | null) => `obligations ${owner} ${market}`;
