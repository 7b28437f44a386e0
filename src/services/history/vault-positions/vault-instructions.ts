import type { Address } from '@solana/kit';
import { readVaultEvents } from '../../../store/transactions/read-vault-events.ts';
import { fingerprintOf } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  ensureIngested,
  ensureIngestedUntil,
  isPageKnown,
  type KnownPart,
} from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import { readEventCursor, writeEventCursor } from '../transaction-cursor.ts';
import {
  eventKinds,
  transactionsOf,
  type VaultTransaction,
  type VaultTransactionKind,
} from './vault-transactions.ts';

/** The kinds that are instructions of the vault program. Shares are transferred by the token program. */
export const VAULT_INSTRUCTIONS = ['DEPOSIT', 'WITHDRAW', 'INVEST'] as const satisfies VaultTransactionKind[];

const MAX_ROWS = 1_000;
/** The first page is answered as soon as this many rows are known: reading a whole page from the chain takes long. */
const ENOUGH_ROWS = 100;

export interface VaultInstructionQuery {
  /** Undefined for all. */
  readonly kind: (typeof VAULT_INSTRUCTIONS)[number] | undefined;
  readonly range: RangeInput;
  /** By time. */
  readonly direction: 'asc' | 'desc';
}

export interface VaultInstructions {
  readonly transactions: readonly VaultTransaction[];
  /** Leads to the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * A page of a vault's deposits, withdrawals and investments: at most 1,000, fewer while older ones are being read from the
 * chain. Nothing is repeated or missed when transactions arrive between two pages.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function vaultInstructions(
  platform: Platform,
  session: Session,
  vault: Address,
  query: VaultInstructionQuery,
  token: string | undefined,
): Promise<VaultInstructions> {
  const db = platform.historyFor(session, 'Vault transactions');
  const fingerprint = fingerprintOf(['vault instructions', vault, query]);
  const after = readEventCursor(token, fingerprint);
  const { kind, range, direction } = query;
  const { start, end } = resolveRange(session.view, range);
  const filter = { kinds: eventKinds(kind === undefined ? VAULT_INSTRUCTIONS : [kind]), start, end };
  const order = direction === 'asc' ? 'oldestFirst' : 'newestFirst';
  const read = (limit: number) => readVaultEvents(db, { vault }, filter, { order, limit, after });
  const backToSlot = await ingestedBackTo(platform, session, vault, direction, () => read(ENOUGH_ROWS));
  const found = await read(MAX_ROWS + 1);
  const known = backToSlot === null ? found : found.filter(({ slot }) => slot > backToSlot);
  const events = known.slice(0, MAX_ROWS);
  const last = events.at(-1);
  const hasMore = last !== undefined && (known.length > MAX_ROWS || backToSlot !== null);
  const transactions = await transactionsOf(platform, session, events);
  return {
    transactions: transactions.flatMap((each) => (each instanceof Error ? [] : each)),
    next: hasMore ? writeEventCursor(last, fingerprint) : null,
  };
}

/**
 * Ingests the vault's transactions: all of them if the oldest are asked for, otherwise until there are enough for an answer.
 * Returns the slot down to which they are known without a gap; null when all of them are, and when it is not known.
 */
async function ingestedBackTo(
  platform: Platform,
  session: Session,
  vault: Address,
  direction: VaultInstructionQuery['direction'],
  read: () => Promise<readonly { readonly slot: bigint }[]>,
): Promise<bigint | null> {
  if (direction === 'asc') {
    await ensureIngested(platform, session, vault, 'vault');
    return null;
  }
  let known: KnownPart | undefined;
  const { complete } = await ensureIngestedUntil(platform, session, vault, 'vault', (part) => {
    known = part;
    return isPageKnown(part, ENOUGH_ROWS, read);
  });
  return complete ? null : (known?.backToSlot ?? null);
}
