import type { Address } from '@solana/kit';
import type { CodedError } from '../../errors/sluice-error.ts';
import type { PositionChange } from '../positions/position-kinds.ts';
import type { PositionTable } from '../positions/position-table.ts';
import type { WantedAccount } from './kinds.ts';
import type { ViewMoment } from './view.ts';

/** An account of a View, as another process read it. */
export interface AccountUpdate extends WantedAccount {
  readonly owner: Address;
  readonly data: Uint8Array;
  /** The slot at which these bytes were first seen. */
  readonly slot: bigint;
}

/** An account that is missing or cannot be decoded. */
export interface FailedAccount extends WantedAccount {
  readonly error: CodedError;
}

/** Positions of a View that another process built: all of them, what changed since the View before it, or none any more. */
export type PositionsUpdate =
  | { readonly state: 'loaded'; readonly table: PositionTable }
  | { readonly state: 'changed'; readonly changes: readonly PositionChange[] }
  /** None, but a later View may continue the last ones. */
  | { readonly state: 'suspended' }
  | { readonly state: 'lost' };

/** The moment of a View without its number, which differs between processes. */
export type SharedMoment = Omit<ViewMoment, 'number'>;

/** A View that another process built: all its accounts, or those that differ from the View before it. */
export interface ViewUpdate {
  readonly moment: SharedMoment;
  /** Whether it lists all accounts, so that accounts that it does not list are removed. */
  readonly whole: boolean;
  readonly accounts: readonly AccountUpdate[];
  readonly failed: readonly FailedAccount[];
  readonly removed: readonly WantedAccount[];
  /** Absent: as in the View before it. */
  readonly positions?: PositionsUpdate;
}
