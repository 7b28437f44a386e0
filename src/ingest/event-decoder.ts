import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import type { EventLookups } from '@sluice/protocol/transactions/events';
import {
  createTransactionReader,
  type TransactionReader,
} from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { scheduler } from '../node/cooperative-scheduler.ts';
import { growingLru } from '../node/growing-lru.ts';
import type { TransactionRef } from '../store/transactions/cursors.ts';
import type { EventfulTransaction } from '../store/transactions/write-events.ts';

/** The vaults, reserves and farms known from the newest View. */
export interface PlatformLookups extends Omit<EventLookups, 'ownerOfObligation'> {
  /** Changes when more is known: decoding again may then yield more events. */
  readonly edition: number;
}

export interface DecoderOptions {
  readonly programs: ProgramIds;
  /** @throws VIEW_NOT_READY */
  lookups(): PlatformLookups;
  /** The owners of obligations, as far as they are known. */
  ownersOf(obligations: readonly Address[], signal: AbortSignal): Promise<ReadonlyMap<Address, Address>>;
}

const CACHED_TRANSACTIONS = 20_000;
const CACHED_OWNERS = 50_000;

/** Decodes transactions into events, completing them with data from on-chain accounts. */
export class EventDecoder {
  readonly #options: DecoderOptions;
  readonly #read: TransactionReader;
  readonly #recent = growingLru<string, EventfulTransaction>(CACHED_TRANSACTIONS);
  readonly #owners = growingLru<Address, Address>(CACHED_OWNERS);

  constructor(options: DecoderOptions) {
    this.#options = options;
    this.#read = createTransactionReader(options.programs);
  }

  cached({ signature, slot }: TransactionRef): EventfulTransaction | undefined {
    return this.#recent.get(`${signature} ${slot} ${this.#options.lookups().edition}`);
  }

  async decode(
    transactions: readonly ConfirmedTransaction[],
    signal: AbortSignal,
  ): Promise<EventfulTransaction[]> {
    const platform = this.#options.lookups();
    const lookups: EventLookups = {
      vaultOfShares: (mint) => platform.vaultOfShares(mint),
      vaultOfFarm: (farm) => platform.vaultOfFarm(farm),
      referralFeeBps: (market) => platform.referralFeeBps(market),
      ownerOfObligation: (obligation) => this.#owners.get(obligation) ?? null,
    };
    let decoded = await this.#readAll(transactions, lookups);
    const unowned = unownedIn(decoded);
    if (unowned.size > 0) {
      const owners = await this.#options.ownersOf([...unowned], signal);
      for (const [obligation, owner] of owners) this.#owners.set(obligation, owner);
      if (owners.size > 0) decoded = await this.#readAll(transactions, lookups);
    }
    for (const each of decoded) {
      this.#recent.set(`${each.signature} ${each.slot} ${platform.edition}`, each);
    }
    return decoded;
  }

  /** A page of transactions takes tens of milliseconds, so requests get their turn in between. */
  async #readAll(
    transactions: readonly ConfirmedTransaction[],
    lookups: EventLookups,
  ): Promise<EventfulTransaction[]> {
    return await scheduler.map(transactions, (transaction) => {
      const { signature, slot } = transaction;
      return { signature, slot, ...this.#read(transaction, lookups) };
    });
  }
}

/** Repayments and liquidations do not name the owner of the obligation. */
function unownedIn(decoded: readonly EventfulTransaction[]): Set<Address> {
  const unowned = new Set<Address>();
  for (const { lendingEvents } of decoded) {
    for (const { owner, obligation } of lendingEvents) if (owner === null) unowned.add(obligation);
  }
  return unowned;
}
