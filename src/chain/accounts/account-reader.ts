import { cancellationError } from '@sluice/rpc-pool/abort';
import type { Address, Commitment, GetMultipleAccountsApi, Rpc } from '@solana/kit';
import { Abandonment } from './abandonment.ts';
import {
  ACCOUNTS_PER_PAGE,
  type AccountPage,
  type ChainAccount,
  readPage,
  readSlice,
  type Slice,
} from './account-page.ts';

/** One account and the page in which it arrived. */
export interface AccountRead {
  /** Null when there is no such account. */
  readonly account: ChainAccount | null;
  readonly page: AccountPage;
}

/** The first bytes of an account. */
export interface HeadRead extends AccountRead {
  readonly address: Address;
}

/** Some bytes of an account. */
export interface SliceRead {
  /** Null when there is no such account. */
  readonly account: ChainAccount | null;
  readonly slot: bigint;
}

export interface AccountKey {
  readonly address: Address;
  /** Size that the account is expected to have: pages are bounded by bytes as well as by count. */
  readonly expectedBytes: number;
}

export interface ReadOptions {
  /** Answers from before this slot are rejected. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** Accounts and bytes of one page. */
export interface PageSize {
  readonly accounts: number;
  readonly bytes: number;
}

export interface AccountReaderOptions {
  readonly commitment: Commitment;
  /** Most bytes of account data that a page is expected to hold. */
  readonly pageBytes?: number;
  /** Called for every page that arrives. */
  readonly onPage?: ((page: PageSize) => void) | undefined;
}

/** 2 MB of accounts are 2.7 MB of base64: small enough to decode without a long pause, large enough to need few calls. */
const PAGE_BYTES = 2_000_000;

type Waiter = (result: AccountRead | Error) => void;

/** An account with at least one waiter. It exists from the first read until its page has arrived. */
interface Want {
  readonly address: Address;
  expectedBytes: number;
  minSlot: bigint;
  readonly waiters: Set<Waiter>;
  page: AbortController | null;
}

/**
 * Reads accounts for the whole process. All batches of one turn of the event loop, from every session, are merged into as
 * few getMultipleAccounts calls as possible. A read of an address that is already in flight joins that call. A call is
 * aborted when nothing waits for any of its accounts any more.
 */
export class AccountReader {
  readonly #rpc: Rpc<GetMultipleAccountsApi>;
  readonly #commitment: Commitment;
  readonly #pageBytes: number;
  readonly #onPage: ((page: PageSize) => void) | undefined;
  #queue = new Map<Address, Want>();
  readonly #inFlight = new Map<Address, Want>();
  readonly #abandonment = new Abandonment();
  #scheduled = false;

  constructor(
    rpc: Rpc<GetMultipleAccountsApi>,
    { commitment, pageBytes = PAGE_BYTES, onPage }: AccountReaderOptions,
  ) {
    this.#rpc = rpc;
    this.#commitment = commitment;
    this.#pageBytes = pageBytes;
    this.#onPage = onPage;
  }

  /**
   * Reads a batch of accounts. The results are in the order of the keys; a key that failed has its error in its place, as
   * a DataLoader wants it.
   */
  readMany(
    keys: readonly AccountKey[],
    { minSlot, signal }: ReadOptions,
  ): Promise<readonly (AccountRead | Error)[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const results = new Array<AccountRead | Error>(keys.length);
      let pending = keys.length;
      const reads = keys.map((key, i) => {
        const want = this.#want(key, minSlot);
        const waiter: Waiter = (result) => {
          if (!want.waiters.delete(waiter)) return;
          results[i] = result;
          pending -= 1;
          if (pending > 0) return;
          unlink();
          resolve(results);
        };
        want.waiters.add(waiter);
        return { want, waiter };
      });
      const unlink = this.#abandonment.on(signal, () => {
        queueMicrotask(() => {
          const error = cancellationError(signal, 'Reading accounts');
          for (const { waiter } of reads) waiter(error);
          for (const { want } of reads) this.#abortIfUnwanted(want);
        });
      });
    });
  }

  /** Reads one account. It shares its page with the batches of the same turn. */
  async read(key: AccountKey, options: ReadOptions): Promise<AccountRead> {
    const [result] = await this.readMany([key], options);
    if (result === undefined || result instanceof Error) throw result;
    return result;
  }

  /** Reads the clock of the chain alone: a page without accounts. */
  async readClock({ minSlot, signal }: ReadOptions): Promise<AccountPage> {
    return await readPage(this.#rpc, [], { commitment: this.#commitment, minSlot, signal });
  }

  /** Reads the first bytes of accounts, in pages of their own. Results are in the order of the addresses. */
  async readHeads(
    addresses: readonly Address[],
    headBytes: number,
    { minSlot, signal }: ReadOptions,
  ): Promise<readonly HeadRead[]> {
    const reads = await Promise.all(
      inPages(addresses).map(async (some) => {
        const options = { commitment: this.#commitment, headBytes, minSlot, signal };
        const page = await readPage(this.#rpc, some, options);
        this.#onPage?.(sizeOf(page));
        return some.map((address, i) => ({ address, account: page.accounts[i] ?? null, page }));
      }),
    );
    return reads.flat();
  }

  /** Reads the same bytes of accounts, in pages of their own. Results are in the order of the addresses. */
  async readSlices(
    addresses: readonly Address[],
    slice: Slice,
    { minSlot, signal }: ReadOptions,
  ): Promise<readonly SliceRead[]> {
    const reads = await Promise.all(
      inPages(addresses).map(async (some) => {
        const options = { commitment: this.#commitment, minSlot, signal };
        const page = await readSlice(this.#rpc, some, slice, options);
        this.#onPage?.(sizeOf(page));
        return page.accounts.map((account) => ({ account, slot: page.slot }));
      }),
    );
    return reads.flat();
  }

  #want({ address, expectedBytes }: AccountKey, minSlot: bigint): Want {
    const inFlight = this.#inFlight.get(address);
    // An aborted page is about to fail: a new read must not join it.
    const aborted = inFlight?.page?.signal.aborted ?? false;
    if (inFlight !== undefined && !aborted && inFlight.minSlot >= minSlot) return inFlight;
    const queued = this.#queue.get(address);
    if (queued !== undefined) {
      queued.expectedBytes = Math.max(queued.expectedBytes, expectedBytes);
      queued.minSlot = queued.minSlot > minSlot ? queued.minSlot : minSlot;
      return queued;
    }
    const want: Want = { address, expectedBytes, minSlot, waiters: new Set(), page: null };
    this.#queue.set(address, want);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#send());
    }
    return want;
  }

  #send(): void {
    this.#scheduled = false;
    const wants = [...this.#queue.values()].filter((want) => want.waiters.size > 0);
    this.#queue = new Map();
    for (const page of pagesOf(wants, this.#pageBytes)) void this.#fetch(page);
  }

  async #fetch(wants: readonly Want[]): Promise<void> {
    const controller = new AbortController();
    let minSlot = 0n;
    for (const want of wants) {
      want.page = controller;
      if (want.minSlot > minSlot) minSlot = want.minSlot;
      this.#inFlight.set(want.address, want);
    }
    let resultAt: (index: number) => AccountRead | Error;
    try {
      const addresses = wants.map((want) => want.address);
      const options = { commitment: this.#commitment, minSlot, signal: controller.signal };
      const page = await readPage(this.#rpc, addresses, options);
      this.#onPage?.(sizeOf(page));
      resultAt = (i) => ({ account: page.accounts[i] ?? null, page });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      resultAt = () => failure;
    }
    wants.forEach((want, i) => {
      if (this.#inFlight.get(want.address) === want) this.#inFlight.delete(want.address);
      const result = resultAt(i);
      for (const waiter of want.waiters) waiter(result);
    });
  }

  #abortIfUnwanted({ page }: Want): void {
    if (page === null || page.signal.aborted) return;
    for (const other of this.#inFlight.values()) {
      if (other.page === page && other.waiters.size > 0) return;
    }
    page.abort();
  }
}

function inPages(addresses: readonly Address[]): readonly (readonly Address[])[] {
  return Array.from({ length: Math.ceil(addresses.length / ACCOUNTS_PER_PAGE) }, (_, i) =>
    addresses.slice(i * ACCOUNTS_PER_PAGE, (i + 1) * ACCOUNTS_PER_PAGE),
  );
}

function sizeOf({ accounts }: Pick<AccountPage, 'accounts'>): PageSize {
  let bytes = 0;
  for (const account of accounts) bytes += account?.data.length ?? 0;
  return { accounts: accounts.length, bytes };
}

/** Divides the wants into pages, bounded by count and by bytes. */
function pagesOf(wants: readonly Want[], pageBytes: number): Want[][] {
  const pages: Want[][] = [];
  let bytes = 0;
  let open: Want[] | undefined;
  for (const want of [...wants].sort((a, b) =>
    a.minSlot < b.minSlot ? -1 : a.minSlot > b.minSlot ? 1 : 0,
  )) {
    const full =
      open === undefined || open.length === ACCOUNTS_PER_PAGE || bytes + want.expectedBytes > pageBytes;
    if (full || open === undefined) {
      open = [];
      pages.push(open);
      bytes = 0;
    }
    open.push(want);
    bytes += want.expectedBytes;
  }
  return pages;
}
