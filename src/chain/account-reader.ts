import type { Address, Commitment, GetMultipleAccountsApi, Rpc } from '@solana/kit';
import { ACCOUNTS_PER_PAGE, type AccountPage, type ChainAccount, readPage } from './account-page.ts';
import { Abandonment, cancellationError } from './rpc/cancellation.ts';

/** What one read gave, and the page that it came with. */
export interface AccountRead {
  /** Null when there is no such account. */
  readonly account: ChainAccount | null;
  readonly page: AccountPage;
}

export interface ReadOptions {
  /** Bytes that the account is expected to have; pages are cut by bytes as well as by count. */
  readonly expectedBytes: number;
  /** An answer from before this slot is not taken. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
}

/** How much one page asked for and got. */
export interface PageSize {
  readonly accounts: number;
  readonly bytes: number;
}

export interface AccountReaderOptions {
  readonly commitment: Commitment;
  /** Raw bytes that a page may be expected to hold. */
  readonly pageBytes?: number;
  /** Told about every page that came. */
  readonly onPage?: ((page: PageSize) => void) | undefined;
}

/** 2 MB of accounts are 2.7 MB of base64: small enough to decode without a long pause, large enough to be few. */
const PAGE_BYTES = 2_000_000;

interface Waiter {
  readonly resolve: (read: AccountRead) => void;
  readonly reject: (reason: unknown) => void;
}

/** One account that somebody waits for. It lives from the first call until its page has answered. */
interface Want {
  readonly address: Address;
  expectedBytes: number;
  minSlot: bigint;
  readonly waiters: Set<Waiter>;
  page: AbortController | null;
}

/**
 * Reads accounts for the whole process. All reads of one turn of the event loop, from every request, leave together in as
 * few pages as possible; an address that is already on its way is not asked for twice. A page is given up when nobody
 * waits for any of it any more.
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

  read(address: Address, options: ReadOptions): Promise<AccountRead> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const want = this.#want(address, options);
      const leave = () => {
        unlink();
        want.waiters.delete(waiter);
      };
      const waiter: Waiter = {
        resolve: (read) => {
          leave();
          resolve(read);
        },
        reject: (reason) => {
          leave();
          reject(reason);
        },
      };
      want.waiters.add(waiter);
      const unlink = this.#abandonment.on(signal, () => {
        queueMicrotask(() => {
          waiter.reject(cancellationError(signal, 'Reading accounts'));
          this.#abandonIfUnwanted(want);
        });
      });
    });
  }

  #want(address: Address, { expectedBytes, minSlot }: ReadOptions): Want {
    const flying = this.#inFlight.get(address);
    // A page that everybody has left is being given up; who comes now must not share its end.
    const givenUp = flying?.page?.signal.aborted ?? false;
    if (flying !== undefined && !givenUp && flying.minSlot >= minSlot) return flying;
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
    let settle: (want: Want, index: number) => void;
    try {
      const addresses = wants.map((want) => want.address);
      const options = { commitment: this.#commitment, minSlot, signal: controller.signal };
      const page = await readPage(this.#rpc, addresses, options);
      this.#onPage?.(sizeOf(page));
      settle = (want, i) => {
        for (const waiter of want.waiters) waiter.resolve({ account: page.accounts[i] ?? null, page });
      };
    } catch (error) {
      settle = (want) => {
        for (const waiter of want.waiters) waiter.reject(error);
      };
    }
    wants.forEach((want, i) => {
      if (this.#inFlight.get(want.address) === want) this.#inFlight.delete(want.address);
      settle(want, i);
    });
  }

  #abandonIfUnwanted(want: Want): void {
    const { page } = want;
    if (page === null || page.signal.aborted) return;
    for (const other of this.#inFlight.values()) {
      if (other.page === page && other.waiters.size > 0) return;
    }
    page.abort();
  }
}

function sizeOf({ accounts }: AccountPage): PageSize {
  let bytes = 0;
  for (const account of accounts) bytes += account?.data.length ?? 0;
  return { accounts: accounts.length, bytes };
}

/** Cuts the reads into pages by count and by bytes. */
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
