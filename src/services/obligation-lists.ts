import type { Address } from '@solana/kit';
import type { Rational } from '../numeric/rational.ts';
import { type ObligationTag, obligationTag } from './obligation-tags.ts';
import { health, valueObligation } from './obligations.ts';
import { type Direction, type SortKey, sortedBy } from './order.ts';
import { loadRecords, type ObligationRecord, type Session } from './records.ts';
import { obligationsOf } from './wallets.ts';

/** Which obligations to list: exactly one of these is set. */
export interface ObligationScope {
  readonly owner?: Address | null | undefined;
  readonly addresses?: readonly Address[] | null | undefined;
}

export interface ObligationFilter {
  readonly tag?: ObligationTag | null | undefined;
  readonly depositReserve?: Address | null | undefined;
  readonly borrowReserve?: Address | null | undefined;
  /** Only obligations with debt and a health factor below this. */
  readonly healthBelow?: Rational | null | undefined;
}

export type ObligationOrderField = 'ADDRESS' | 'HEALTH' | 'DEPOSITED' | 'BORROWED' | 'NET_VALUE';

export interface ObligationOrder {
  readonly field: ObligationOrderField;
  readonly direction: Direction;
}

export const DEFAULT_OBLIGATION_ORDER: ObligationOrder = { field: 'ADDRESS', direction: 'ASC' };

/** Obligations read live. Throws a coded error when a given address could not be read. */
export async function listObligations(
  session: Session,
  scope: ObligationScope,
  filter: ObligationFilter,
  order: ObligationOrder,
): Promise<ObligationRecord[]> {
  const records = await inScope(session, scope);
  const passing = records.filter((record) => passes(session, record, filter));
  return sortedBy(passing, (record) => sortKey(session, record, order.field), order.direction);
}

async function inScope(session: Session, { owner, addresses }: ObligationScope): Promise<ObligationRecord[]> {
  if (owner) return await obligationsOf(session, owner, null);
  const loaded = await loadRecords(session, 'obligation', [...new Set(addresses ?? [])]);
  return loaded.map((record) => {
    if (record instanceof Error) throw record;
    return record;
  });
}

function passes(session: Session, record: ObligationRecord, filter: ObligationFilter): boolean {
  const { value } = record;
  const { healthBelow } = filter;
  return (
    (!filter.tag || obligationTag(record) === filter.tag) &&
    (!filter.depositReserve ||
      value.deposits.some(({ depositReserve }) => depositReserve === filter.depositReserve)) &&
    (!filter.borrowReserve ||
      value.borrows.some(({ borrowReserve }) => borrowReserve === filter.borrowReserve)) &&
    (!healthBelow || (health(valueObligation(session, record))?.compare(healthBelow) ?? 1) < 0)
  );
}

function sortKey(session: Session, record: ObligationRecord, field: ObligationOrderField): SortKey {
  const valued = valueObligation(session, record);
  switch (field) {
    case 'ADDRESS':
      return record.address;
    case 'HEALTH':
      return health(valued);
    case 'DEPOSITED':
      return valued.stats?.userTotalDeposit ?? null;
    case 'BORROWED':
      return valued.stats?.userTotalBorrow ?? null;
    case 'NET_VALUE':
      return valued.stats?.netAccountValue ?? null;
  }
}
