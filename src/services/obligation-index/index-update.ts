import type { Address } from '@solana/kit';
import type { ChainAccount } from '../../chain/accounts/account-page.ts';
import {
  ObligationIndexReads,
  type ObligationMark,
  type ScanResult,
} from '../../chain/accounts/obligation-index-reads.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { ObligationTable, ObligationTableBuilder } from './obligation-table.ts';
import { markedSlot, packObligation, ReserveNumbers } from './packed-obligation.ts';

export type ObligationIndexSource = Pick<ObligationIndexReads, 'marks' | 'whole' | 'some'>;

/** All loans of a market at a slot. */
export interface ObligationSnapshot {
  readonly market: Address;
  readonly table: ObligationTable;
  /** The reserves that loans name by number. */
  readonly reserves: ReserveNumbers;
  readonly slot: bigint;
  /** When the chain was last asked for changes. */
  readonly indexedAt: Date;
  /** Accounts with debt that could not be decoded; they are not in the table. */
  readonly unreadable: number;
}

/** From this many changed loans on, one scan costs less than reading them in pages. */
const WHOLE_SCAN_FROM = 1_000;
/** Loans that are read before their accounts are dropped for the compact form: twenty pages. */
const LOANS_AT_ONCE = 1_960;
/** Loans handled between two checks of the time. */
const LOANS_PER_STEP = 256;

/**
 * Brings the loans of a market up to date. A scan of 16 bytes of each tells which are new, changed or gone; only the new
 * and changed ones are read. Every action on a loan refreshes it first, so no change of a position leaves these bytes as
 * they were, except in the slot in which the loan was read last: such a loan is read again.
 */
export class IndexUpdate {
  readonly #market: Address;
  readonly #program: Address;
  readonly #source: ObligationIndexSource;
  readonly #known: ObligationSnapshot | null;
  readonly #table: ObligationTable;
  readonly #reserves: ReserveNumbers;
  #unreadable = 0;
  #rpcRequests = 0;

  constructor(
    market: Address,
    program: Address,
    source: ObligationIndexSource,
    known: ObligationSnapshot | null,
  ) {
    this.#market = market;
    this.#program = program;
    this.#source = source;
    this.#known = known;
    this.#table = known?.table ?? ObligationTable.empty;
    this.#reserves = known?.reserves ?? new ReserveNumbers();
  }

  /** RPC requests so far, those under way included. */
  get rpcRequests(): number {
    return this.#rpcRequests;
  }

  async run(now: () => number, signal: AbortSignal): Promise<ObligationSnapshot> {
    this.#rpcRequests += 1;
    const marks = await this.#source.marks(this.#market, { minSlot: this.#known?.slot ?? 0n, signal });
    const indexedAt = new Date(now());
    const { unchanged, changed } = await this.#compared(marks);
    const head = { market: this.#market, reserves: this.#reserves, slot: marks.slot, indexedAt };
    if (this.#known !== null && changed.length === 0 && unchanged.length === this.#table.size) {
      return { ...head, table: this.#table, unreadable: this.#known.unreadable };
    }
    const builder = new ObligationTableBuilder();
    const isWhole = changed.length >= WHOLE_SCAN_FROM && marks.found.length <= ObligationIndexReads.maxWhole;
    if (isWhole) {
      this.#rpcRequests += 1;
      const whole = await this.#source.whole(this.#market, { minSlot: marks.slot, signal });
      await this.#add(builder, whole);
    } else {
      for (const [i, number] of unchanged.entries()) {
        await this.#pause(i);
        builder.add(this.#table.record(number));
      }
      for (let i = 0; i < changed.length; i += LOANS_AT_ONCE) {
        const some = changed.slice(i, i + LOANS_AT_ONCE);
        this.#rpcRequests += ObligationIndexReads.pagesFor(some.length);
        await this.#add(builder, await this.#source.some(some, { minSlot: marks.slot, signal }));
      }
    }
    return { ...head, table: await builder.build(), unreadable: this.#unreadable };
  }

  /** Numbers of the loans that have not changed, and addresses of those that are new or may have. */
  async #compared({ found }: ScanResult<ObligationMark>) {
    const unchanged: number[] = [];
    const changed: Address[] = [];
    const readAt = this.#known?.slot ?? 0n;
    for (const [i, { address, mark }] of found.entries()) {
      await this.#pause(i);
      const number = this.#table.find(address);
      const isUnchanged =
        number !== undefined && this.#table.hasMark(number, mark) && markedSlot(mark) < readAt;
      if (isUnchanged) unchanged.push(number);
      else changed.push(address);
    }
    return { unchanged, changed };
  }

  async #add(builder: ObligationTableBuilder, { found }: ScanResult<ChainAccount>): Promise<void> {
    for (const [i, account] of found.entries()) {
      await this.#pause(i);
      try {
        const { record, debts } = packObligation(account, this.#program, this.#reserves);
        if (debts > 0) builder.add(record);
      } catch (error) {
        if (!isCodedError(error)) throw error;
        this.#unreadable += 1;
      }
    }
  }

  async #pause(done: number): Promise<void> {
    if (done % LOANS_PER_STEP !== 0) return;
    const pause = scheduler.pause();
    if (pause !== null) await pause;
  }
}
