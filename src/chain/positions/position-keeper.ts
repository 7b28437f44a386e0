import type { ProgramIds } from '@sluice/protocol/program-ids';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { EntrySet } from './entry-set.ts';
import type { PositionAccount, PositionChange } from './position-kinds.ts';
import { PositionTable } from './position-table.ts';
import { PositionSnapshot, type Positions } from './positions.ts';

/** After a longer time without a source, too much has changed to note each change for earlier Views. */
const MAX_SUSPENDED_MS = 60_000;

/** Accounts of all wallets on their way from a source into Views. */
export class PositionKeeper {
  readonly #programs: ProgramIds;
  #table: PositionTable | null = null;
  /** When the last source stopped vouching for the table; null while one does. */
  #suspendedAt: number | null = null;
  /** Changes that arrive while a table is loaded. Null: none is. */
  #waiting: PositionChange[] | null = null;
  /** Identifies the newest load; one that another has overtaken is dropped. */
  #load = {};

  constructor(programs: ProgramIds) {
    this.#programs = programs;
  }

  /** The positions held are served, with all changes, until the new ones are loaded. */
  async load(
    slot: bigint,
    accounts: Iterable<PositionAccount> | AsyncIterable<PositionAccount>,
  ): Promise<void> {
    const load = {};
    this.#load = load;
    const waiting: PositionChange[] = [];
    this.#waiting = waiting;
    try {
      const table = await this.#loaded(accounts, () => this.#load === load);
      if (this.#load !== load) return;
      // More changes may arrive while these are applied.
      for (const change of waiting) {
        const pause = scheduler.pause();
        if (pause !== null) await pause;
        if (this.#load !== load) return;
        if (change.slot >= slot) table.apply(change);
      }
      this.#table = table;
      this.#suspendedAt = null;
    } finally {
      if (this.#load === load) this.#waiting = null;
    }
  }

  /**
   * A table that no source vouches for any more is brought up to date in place: Views before and after it know what has changed,
   * so that processes that follow need not load everything.
   */
  async #loaded(
    accounts: Iterable<PositionAccount> | AsyncIterable<PositionAccount>,
    isWanted: () => boolean,
  ): Promise<PositionTable> {
    const [table, since] = [this.#table, this.#suspendedAt];
    const isFresh = since !== null && performance.now() - since <= MAX_SUSPENDED_MS;
    if (since !== null && !isFresh) this.#table = null;
    if (table === null || !isFresh) return await PositionTable.load(this.#programs, accounts);
    const entries = new EntrySet();
    for await (const account of accounts) {
      const pause = scheduler.pause();
      if (pause !== null) await pause;
      if (!isWanted()) return table;
      entries.add(table.putChanged(account));
    }
    await table.retain(entries, isWanted);
    return table;
  }

  /** Ignored while nothing is held. */
  apply(change: PositionChange): void {
    this.#waiting?.push(change);
    if (this.#suspendedAt === null) this.#table?.apply(change);
  }

  /** No source vouches for them until they are loaded: Views have none, but the next load may continue them. */
  suspend(): void {
    this.#load = {};
    this.#waiting = null;
    this.#suspendedAt ??= performance.now();
  }

  /** The next changes of what is held, also after it was suspended. */
  continue(changes: readonly PositionChange[]): void {
    this.#suspendedAt = null;
    for (const change of changes) this.apply(change);
  }

  /** Takes a table that is complete. */
  adopt(table: PositionTable): void {
    this.#load = {};
    this.#waiting = null;
    this.#table = table;
    this.#suspendedAt = null;
  }

  lose(): void {
    this.#load = {};
    this.#waiting = null;
    this.#table = null;
    this.#suspendedAt = null;
  }

  /** Undoes the changes after the newest View, and drops what is being loaded. */
  rollback(newest: Positions | null): void {
    this.#load = {};
    this.#waiting = null;
    if (newest === null) this.#table = null;
    this.#table?.rollback();
    this.#suspendedAt = null;
  }

  /** Whether the next View would have other positions than the last one. */
  get isChanged(): boolean {
    return this.#suspendedAt === null && (this.#table?.isChanged ?? false);
  }

  /** For a View of the slot; null when nothing is held. */
  snapshot(slot: bigint): Positions | null {
    return this.#table === null || this.#suspendedAt !== null
      ? null
      : new PositionSnapshot(this.#table, slot);
  }
}
