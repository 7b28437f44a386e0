import type { AllocationChange, AllocationEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  optionalBigintOf,
  positionOf,
  type StoredPosition,
} from './event-order.ts';
import { type EventReader, optionalAddressOf, readEvents } from './read-events.ts';

/** The terms of a reserve, or of what stays in the vault, before a change. Null where none were read. */
export interface TermsBefore {
  readonly weight: bigint | null;
  readonly cap: bigint | null;
  readonly collateralCap: bigint | null;
}

export type StoredAllocationEvent = AllocationChange & StoredPosition & { readonly before: TermsBefore };

/** The weight and the cap of what stays in the vault are set by instructions of their own: each follows its last one. */
const WITH_TERMS_BEFORE = `(SELECT a.*, lag(weight) OVER before AS weight_before, lag(cap) OVER before AS cap_before,
    lag(collateral_cap) OVER before AS collateral_cap_before
  FROM allocation_event a
  WINDOW before AS (PARTITION BY vault_id, reserve_id, weight IS NULL
    ORDER BY slot, COALESCE(place, 0), signature COLLATE "C", event_index))`;

const READER: EventReader<StoredAllocationEvent> = {
  table: WITH_TERMS_BEFORE,
  columns: `e.kind, v.address AS vault, s.address AS signer, r.address AS reserve, e.weight::text AS weight,
    e.cap::text AS cap, e.collateral_cap::text AS collateral_cap, e.weight_before::text AS weight_before,
    e.cap_before::text AS cap_before, e.collateral_cap_before::text AS collateral_cap_before`,
  joins: `JOIN subject v ON v.id = e.vault_id JOIN subject s ON s.id = e.signer_id
     LEFT JOIN subject r ON r.id = e.reserve_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as AllocationEventKind,
    vault: addressOf(row, 'vault'),
    signer: addressOf(row, 'signer'),
    reserve: optionalAddressOf(row, 'reserve'),
    weight: optionalBigintOf(row, 'weight'),
    cap: optionalBigintOf(row, 'cap'),
    collateralCap: optionalBigintOf(row, 'collateral_cap'),
    before: {
      weight: optionalBigintOf(row, 'weight_before'),
      cap: optionalBigintOf(row, 'cap_before'),
      collateralCap: optionalBigintOf(row, 'collateral_cap_before'),
    },
  }),
};

export interface AllocationEventFilter extends EventRange {
  readonly kinds: readonly AllocationEventKind[];
}

/** Changes of the targets of some vaults. See `readEvents`. */
export async function readAllocationEvents(
  sql: Sql,
  vaults: readonly Address[],
  filter: AllocationEventFilter,
  page: EventPage,
): Promise<StoredAllocationEvent[]> {
  const conditions = new Conditions();
  conditions.addSubjects('vault_id', vaults);
  conditions.addKinds(filter.kinds);
  conditions.addRange(filter);
  return await readEvents(sql, READER, conditions, page);
}
