import type { VaultChange, VaultEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressOf, bigintOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  optionalBigintOf,
  positionOf,
  type StoredPosition,
} from './event-order.ts';
import { countEvents, type EventReader, optionalAddressOf, readEvents } from './read-events.ts';

export interface StoredVaultEvent extends VaultChange, StoredPosition {
  /** See `CausedVaultEvent`. Null for one that a version before 0.5 stored. */
  readonly instruction: string | null;
}

/** A wallet in all vaults, a vault with all wallets, one wallet in one vault, or everything. */
export type VaultEventScope =
  | { readonly wallet: Address; readonly vault?: Address | null | undefined }
  | { readonly vault: Address; readonly wallet?: undefined }
  | { readonly vault?: undefined; readonly wallet?: undefined };

export interface VaultEventFilter extends EventRange {
  /**
   * Omit for every kind. An `invest` event belongs to the wallet that paid for it, although it does not
   * change its shares.
   */
  readonly kinds?: readonly VaultEventKind[] | null | undefined;
  /** Name of the instruction. Omit for all. */
  readonly instruction?: string | null | undefined;
}

/** The kinds that change a wallet's position in a vault. */
export const POSITION_KINDS: readonly VaultEventKind[] = [
  'deposit',
  'withdraw',
  'transferIn',
  'transferOut',
  'stake',
  'unstake',
];

export const VAULT_READER: EventReader<StoredVaultEvent> = {
  table: 'vault_event',
  columns: `e.kind, v.address AS vault, w.address AS wallet, e.tokens::text AS tokens,
       e.shares::text AS shares, r.address AS reserve, e.reserve_tokens::text AS reserve_tokens,
       c.address AS counterparty, e.instruction`,
  joins: `JOIN subject v ON v.id = e.vault_id JOIN subject w ON w.id = e.wallet_id
     LEFT JOIN subject r ON r.id = e.reserve_id LEFT JOIN subject c ON c.id = e.counterparty_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as VaultEventKind,
    vault: addressOf(row, 'vault'),
    wallet: addressOf(row, 'wallet'),
    tokens: optionalBigintOf(row, 'tokens'),
    shares: bigintOf(row, 'shares'),
    reserve: optionalAddressOf(row, 'reserve'),
    reserveTokens: bigintOf(row, 'reserve_tokens'),
    counterparty: optionalAddressOf(row, 'counterparty'),
    instruction: row.instruction === null ? null : textOf(row, 'instruction'),
  }),
};

/** See `readEvents`. */
export async function readVaultEvents(
  sql: Sql,
  scope: VaultEventScope,
  filter: VaultEventFilter,
  page: EventPage,
): Promise<StoredVaultEvent[]> {
  return await readEvents(sql, VAULT_READER, conditionsOf(scope, filter), page);
}

/** Tokens that moved between some vaults and their reserves. See `readEvents`. */
export async function readInvestments(
  sql: Sql,
  vaults: readonly Address[],
  range: EventRange,
  page: EventPage,
): Promise<StoredVaultEvent[]> {
  const conditions = new Conditions();
  conditions.addSubjects('vault_id', vaults);
  conditions.addKinds(['invest']);
  conditions.addRange(range);
  return await readEvents(sql, VAULT_READER, conditions, page);
}

/** See `countEvents`. */
export async function countVaultEvents(
  sql: Sql,
  scope: VaultEventScope,
  filter: VaultEventFilter,
): Promise<number> {
  return await countEvents(sql, VAULT_READER, conditionsOf(scope, filter));
}

/** All vaults in which a wallet ever held shares, as far as was read. */
export async function vaultsOfWallet(sql: Sql, wallet: Address): Promise<Address[]> {
  const rows = await sql.rows(
    `SELECT address FROM subject WHERE id IN (
       SELECT vault_id FROM vault_event
       WHERE wallet_id = (SELECT id FROM subject WHERE address = $1::text) AND kind <> 'invest')
     ORDER BY address COLLATE "C"`,
    [wallet],
  );
  return rows.map((row) => addressOf(row, 'address'));
}

function conditionsOf({ wallet, vault }: VaultEventScope, filter: VaultEventFilter): Conditions {
  const conditions = new Conditions();
  conditions.addSubject('wallet_id', wallet);
  conditions.addSubject('vault_id', vault);
  conditions.addKinds(filter.kinds);
  conditions.addInstruction(filter.instruction);
  conditions.addRange(filter);
  return conditions;
}
