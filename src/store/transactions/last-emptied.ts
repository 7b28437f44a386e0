import type { Address } from '@solana/kit';
import { bigintOf, integerOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { EventKey } from './event-order.ts';

/** One wallet's shares of one vault. */
export interface WalletVault {
  readonly wallet: Address;
  readonly vault: Address;
}

/**
 * The last event that left each wallet without shares of the vault, as far as was read; null if the wallet
 * has held shares ever since its first event. One statement, however many pairs.
 */
export async function lastEmptied(sql: Sql, pairs: readonly WalletVault[]): Promise<(EventKey | null)[]> {
  const found: (EventKey | null)[] = pairs.map(() => null);
  if (pairs.length === 0) return found;
  const rows = await sql.rows(STATEMENT, [
    pairs.map(({ wallet }) => wallet),
    pairs.map(({ vault }) => vault),
  ]);
  for (const row of rows) {
    found[integerOf(row, 'input_index') - 1] = {
      slot: bigintOf(row, 'slot'),
      place: integerOf(row, 'place'),
      signature: textOf(row, 'signature'),
      index: integerOf(row, 'event_index'),
    };
  }
  return found;
}

const STATEMENT = `SELECT a.input_index::integer AS input_index, t.*
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a(wallet, vault, input_index)
  JOIN subject w ON w.address = a.wallet
  JOIN subject v ON v.address = a.vault
  CROSS JOIN LATERAL (
    SELECT slot::text AS slot, COALESCE(place, 0) AS place, signature, event_index
    FROM (
      SELECT e.slot, e.place, e.signature, e.event_index,
        sum(CASE WHEN e.kind IN ('deposit', 'transferIn') THEN e.shares ELSE -e.shares END)
          OVER (ORDER BY e.slot, COALESCE(e.place, 0), e.signature COLLATE "C", e.event_index) AS held
      FROM vault_event e
      WHERE e.wallet_id = w.id AND e.vault_id = v.id
        AND e.kind IN ('deposit', 'withdraw', 'transferIn', 'transferOut')
    ) r
    WHERE held <= 0
    ORDER BY r.slot DESC, COALESCE(r.place, 0) DESC, r.signature COLLATE "C" DESC, r.event_index DESC LIMIT 1
  ) t`;
