import type { Address } from '@solana/kit';
import { deadlineSignal } from '../../node/deadline.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import type { AccountKey, AccountRead, AccountReader, ReadOptions } from '../accounts/account-reader.ts';
import type { View } from '../view/view.ts';
import type { AccountScan } from './wallet-reads.ts';

export interface SharedReadsOptions {
  /** Resolves when the accounts that were requested so far should be read. */
  readonly collected: () => Promise<void>;
  readonly timeoutMs: number;
  /** Aborts all reads. */
  readonly signal: AbortSignal;
}

/** Sharing of reads between sessions. */
export interface Sharing {
  readonly reads: SharedReads;
  /** Whether it joins only reads that are under way, because finished ones may be older than its request. */
  readonly isFresh: boolean;
  /** Awaited before the session gets what was read, so that not all sessions continue at once. */
  readonly resume: () => Promise<void>;
}

/** The reads of a session that shares them with others. */
export interface SessionReads {
  readMany(keys: readonly AccountKey[], options: ReadOptions): Promise<readonly (AccountRead | Error)[]>;
  /** @param read is called unless the same scan was made or begun */
  scan(
    name: string,
    read: (signal: AbortSignal) => Promise<AccountScan[]>,
    signal: AbortSignal,
  ): Promise<AccountScan[]>;
}

/**
 * Reads for many sessions on the newest View: each account is read and each scan made once per View, whatever the outcome,
 * unless a session needs it fresh.
 * A session that gives up does not abort a read that others may share.
 */
export class SharedReads {
  readonly #options: SharedReadsOptions;
  #newest: { readonly view: View; readonly reads: ViewReads } | null = null;

  constructor(options: SharedReadsOptions) {
    this.#options = options;
  }

  of(view: View, reader: AccountReader, { isFresh, resume }: Omit<Sharing, 'reads'>): SessionReads {
    if (this.#newest?.view !== view) this.#newest = { view, reads: new ViewReads(reader, this.#options) };
    const { reads } = this.#newest;
    return {
      async readMany(keys, { minSlot, signal }) {
        const all = Promise.all(keys.map((key) => reads.account(key, minSlot, isFresh)));
        const read = await unlessAborted(all, signal);
        await resume();
        return read;
      },
      async scan(name, read, signal) {
        const scans = await unlessAborted(reads.scan(name, read, isFresh), signal);
        await resume();
        return scans;
      },
    };
  }
}

/** A read that was begun. */
interface Begun<T> {
  readonly result: Promise<T>;
  isFinished: boolean;
}

interface Wanted {
  readonly key: AccountKey;
  readonly settle: (read: AccountRead | Error) => void;
}

class ViewReads {
  readonly #reader: AccountReader;
  readonly #options: SharedReadsOptions;
  readonly #accounts = new Map<Address, Begun<AccountRead | Error>>();
  readonly #scans = new Map<string, Begun<AccountScan[]>>();
  #wanted: Wanted[] = [];

  constructor(reader: AccountReader, options: SharedReadsOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  account(key: AccountKey, minSlot: bigint, isFresh: boolean): Promise<AccountRead | Error> {
    return begunIn(this.#accounts, key.address, isFresh, () => {
      const read = new Promise<AccountRead | Error>((settle) => this.#wanted.push({ key, settle }));
      if (this.#wanted.length === 1) void this.#readWanted(minSlot);
      return read;
    });
  }

  scan(
    name: string,
    read: (signal: AbortSignal) => Promise<AccountScan[]>,
    isFresh: boolean,
  ): Promise<AccountScan[]> {
    return begunIn(this.#scans, name, isFresh, () => this.#withDeadline(read));
  }

  async #readWanted(minSlot: bigint): Promise<void> {
    await this.#options.collected();
    const wanted = this.#wanted;
    this.#wanted = [];
    const keys = wanted.map(({ key }) => key);
    const reads = await this.#withDeadline((signal) => this.#reader.readMany(keys, { minSlot, signal }));
    wanted.forEach(({ settle, key }, i) => {
      settle(reads[i] ?? new Error(`account ${key.address} was not read`));
    });
  }

  async #withDeadline<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeoutMs, signal } = this.#options;
    using deadline = deadlineSignal(timeoutMs, 'Reading accounts', signal);
    return await read(deadline.signal);
  }
}

function begunIn<K, T>(
  known: Map<K, Begun<T>>,
  key: K,
  isFresh: boolean,
  read: () => Promise<T>,
): Promise<T> {
  const earlier = known.get(key);
  if (earlier !== undefined && !(isFresh && earlier.isFinished)) return earlier.result;
  const begun: Begun<T> = { result: read(), isFinished: false };
  const finish = () => {
    begun.isFinished = true;
  };
  begun.result.then(finish, finish);
  known.set(key, begun);
  return begun.result;
}
