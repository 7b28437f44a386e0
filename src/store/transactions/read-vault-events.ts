import type { VaultChange, VaultEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { addressOf, bigintOf, integerOf, type Row, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  limitOf,
  optionalBigintOf,
  orderBy,
  PLACE_COLUMNS,
  positionOf,
  type StoredPosition,
} from './event-order.ts';

export type StoredVaultEvent = VaultChange & StoredPosition;

/** A wallet in all vaults, a vault with all wallets, or one wallet in one vault. */
export type VaultEventScope =
  | { readonly wallet: Address; readonly vault?: Address | null | undefined }
  | { readonly vault: Address; readonly wallet?: undefined };

export interface VaultEventFilter extends EventRange {
  /**
   * Omit for every kind. An `invest` event belongs to the wallet that paid for it, although it does not
   * change its shares.
   */
  readonly kinds?: readonly VaultEventKind[] | null | undefined;
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

/** Events in chain order. One statement. Events not ingested yet are not included: see `ingestStatus`. */
export async function readVaultEvents(
  sql: Sql,
  scope: VaultEventScope,
  filter: VaultEventFilter,
  page: EventPage,
): Promise<StoredVaultEvent[]> {
  const conditions = conditionsOf(scope, filter);
  conditions.addPage(page);
  const limit = limitOf(page, conditions);
  const rows = await sql.rows(
    `SELECT ${PLACE_COLUMNS}, e.kind, v.address AS vault, w.address AS wallet, e.tokens::text AS tokens,
       e.shares::text AS shares, r.address AS reserve, e.reserve_tokens::text AS reserve_tokens,
       c.address AS counterparty
     FROM (SELECT * FROM vault_event e ${conditions.where} ${orderBy(page)} ${limit}) e
     JOIN subject v ON v.id = e.vault_id JOIN subject w ON w.id = e.wallet_id
     LEFT JOIN subject r ON r.id = e.reserve_id LEFT JOIN subject c ON c.id = e.counterparty_id
     ${orderBy(page)}`,
    conditions.params,
  );
  return await scheduler.map(rows, vaultEventOf);
}

/** The number of matching events, across all pages. */
export async function countVaultEvents(
  sql: Sql,
  scope: VaultEventScope,
  filter: VaultEventFilter,
): Promise<number> {
  const conditions = conditionsOf(scope, filter);
  const [row = {}] = await sql.rows(
    `SELECT count(*)::integer AS count FROM vault_event ${conditions.where}`,
    conditions.params,
  );
  return integerOf(row, 'count');
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

function conditionsOf(scope: VaultEventScope, filter: VaultEventFilter): Conditions {
  const conditions = new Conditions();
  const { wallet, vault } = scope;
  const idOf = (address: Address) =>
    `(SELECT id FROM subject WHERE address = ${conditions.param(address)}::text)`;
  if (wallet) conditions.add(`wallet_id = ${idOf(wallet)}`);
  if (vault) conditions.add(`vault_id = ${idOf(vault)}`);
  conditions.addKinds(filter.kinds);
  conditions.addRange(filter);
  return conditions;
}

function vaultEventOf(row: Row): StoredVaultEvent {
  return {
    ...positionOf(row),
    kind: textOf(row, 'kind') as VaultEventKind,
    vault: addressOf(row, 'vault'),
    wallet: addressOf(row, 'wallet'),
    tokens: optionalBigintOf(row, 'tokens'),
    shares: bigintOf(row, 'shares'),
    reserve: row.reserve === null ? null : addressOf(row, 'reserve'),
    reserveTokens: bigintOf(row, 'reserve_tokens'),
    counterparty: row.counterparty === null ? null : addressOf(row, 'counterparty'),
  };
}
