import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { SluiceError } from '../errors/sluice-error.ts';
import type { AccountPage, ChainAccount } from './account-page.ts';
import type { AccountRead, AccountReader } from './account-reader.ts';
import { type Decoders, EXPECTED_BYTES, isKind, type LiveKind, type LiveValues, NAMES } from './kinds.ts';
import type { Held, View } from './view.ts';
import type { ViewStore } from './view-store.ts';

/** What an answer was made of: the View, and the range of slots of what was read beside it. */
export interface ChainReport {
  readonly view: number;
  /** The View's slot, at which everything in it is evaluated. */
  readonly slot: string;
  /** Over live reads; the View's slot when there were none. */
  readonly slotMin: string;
  readonly slotMax: string;
  /** Reading many accounts is not atomic. A tear that is seen is told; that none is seen does not prove that there is none. */
  readonly tearing: 'DETECTED' | 'NOT_DETECTED';
  readonly rpcRequests: number;
  readonly accountsRead: number;
  /** Age of the View in milliseconds. */
  readonly ageMs: number;
}

interface AccountKey {
  readonly address: Address;
  readonly expectedBytes: number;
}

/** Where a session takes what it reads from. */
export interface SessionSources {
  readonly reader: AccountReader;
  readonly decoders: Decoders;
  readonly views: ViewStore;
}

/** The chain as one request sees it: one View from start to end, and live reads beside it, each account once. */
export class ChainSession {
  readonly view: View;
  readonly signal: AbortSignal;
  readonly #decoders: Decoders;
  readonly #views: ViewStore;
  readonly #reads: DataLoader<AccountKey, AccountRead, Address>;
  readonly #pages = new Set<AccountPage>();
  #accountsRead = 0;

  constructor(view: View, { reader, decoders, views }: SessionSources, signal: AbortSignal) {
    this.view = view;
    this.#views = views;
    this.signal = signal;
    this.#decoders = decoders;
    const minSlot = view.moment.slot;
    const read = async ({ address, expectedBytes }: AccountKey): Promise<AccountRead | Error> => {
      try {
        return this.#noted(await reader.read(address, { expectedBytes, minSlot, signal }));
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    };
    this.#reads = new DataLoader((keys) => Promise.all(keys.map(read)), {
      cacheKeyFn: ({ address }) => address,
    });
  }

  /** An account as it is now, null when there is none. All reads of a level leave in one batch. */
  async account(address: Address, expectedBytes: number): Promise<ChainAccount | null> {
    return (await this.#reads.load({ address, expectedBytes })).account;
  }

  /** An account of a kind: from the View when it is there, otherwise as it is now. Throws a coded error. */
  async load<K extends LiveKind>(kind: K, address: Address): Promise<Held<LiveValues[K]>> {
    const known = this.#inView(kind, address);
    if (known instanceof SluiceError) throw known;
    if (known !== undefined) return known;
    const account = await this.account(address, EXPECTED_BYTES[kind]);
    if (account === null) throw new SluiceError('ACCOUNT_NOT_FOUND', { account: NAMES[kind], address });
    const { owner, data, slot } = account;
    return { address, owner, data, slot, value: this.#decoders[kind](account) };
  }

  #inView<K extends LiveKind>(kind: K, address: Address): Held<LiveValues[K]> | SluiceError | undefined {
    return isKind(kind)
      ? (this.view.find(kind, address) as Held<LiveValues[K]> | SluiceError | undefined)
      : undefined;
  }

  /** Another View that is still kept, by its number: a list goes on in the order in which it began. */
  viewNumbered(number: number): View {
    return number === this.view.moment.number ? this.view : this.#views.numbered(number);
  }

  report(): ChainReport {
    const { moment } = this.view;
    let [low, high] = [moment.slot, moment.slot];
    let torn = moment.torn;
    let first = true;
    for (const page of this.#pages) {
      low = first || page.slot < low ? page.slot : low;
      high = first || page.slot > high ? page.slot : high;
      torn ||= page.torn;
      first = false;
    }
    return {
      view: moment.number,
      slot: String(moment.slot),
      slotMin: String(low),
      slotMax: String(high),
      tearing: torn ? 'DETECTED' : 'NOT_DETECTED',
      rpcRequests: this.#pages.size,
      accountsRead: this.#accountsRead,
      ageMs: Math.max(0, Date.now() - moment.builtAtMs),
    };
  }

  #noted(read: AccountRead): AccountRead {
    this.#pages.add(read.page);
    this.#accountsRead += 1;
    return read;
  }
}
