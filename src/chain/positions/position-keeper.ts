import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { PositionAccount, PositionChange } from './position-kinds.ts';
import { PositionTable } from './position-table.ts';
import { PositionSnapshot, type Positions } from './positions.ts';

/** Accounts of all wallets on their way from a source into Views. */
export class PositionKeeper {
  readonly #programs: ProgramIds;
  #table: PositionTable | null = null;
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
      const table = await PositionTable.load(this.#programs, accounts);
      if (this.#load !== load) return;
      for (const change of waiting) if (change.slot >= slot) table.apply(change);
      this.#table = table;
    } finally {
      if (this.#load === load) this.#waiting = null;
    }
  }

  /** Ignored while nothing is held. */
  apply(change: PositionChange): void {
    this.#waiting?.push(change);
    this.#table?.apply(change);
  }

  /** Takes a table that is complete. */
  adopt(table: PositionTable): void {
    this.#load = {};
    this.#waiting = null;
    this.#table = table;
  }

  lose(): void {
    this.#load = {};
    this.#waiting = null;
    this.#table = null;
  }

  /** Undoes the changes after the newest View, and drops what is being loaded. */
  rollback(): void {
    this.#load = {};
    this.#waiting = null;
    this.#table?.rollback();
  }

  /** For a View of the slot; null when nothing is held. */
  snapshot(slot: bigint): Positions | null {
    return this.#table === null ? null : new PositionSnapshot(this.#table, slot);
  }
}
