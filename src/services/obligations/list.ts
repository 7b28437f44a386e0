import type { Address } from '@solana/kit';
import { type Page, pageEnds } from '../paging/paging.ts';
import { type SortKey, sortedBy } from '../paging/sorting.ts';
import { type ObligationRecord, readableRecords, type UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { ObligationFilter, ObligationOrder, ObligationOrderField } from './filter.ts';
import { isLiquidatableNow } from './liquidatable-list.ts';
import { health, valueObligation } from './obligations.ts';
import { obligationTag } from './tags.ts';
import { scannedObligations } from './wallet-obligations.ts';

/** Which obligations to list: exactly one of these is set. */
export interface ObligationScope {
  readonly owner?: Address | null | undefined;
  readonly addresses?: readonly Address[] | null | undefined;
}

export const DEFAULT_OBLIGATION_ORDER: ObligationOrder = { field: 'ADDRESS', direction: 'ASC' };

/** Obligations read live; `unreadable` may include some that the filter would leave out. */
export async function listObligations(
  session: Session,
  scope: ObligationScope,
  filter: ObligationFilter,
  order: ObligationOrder,
): Promise<{ readonly records: ObligationRecord[]; readonly unreadable: UnreadableAccounts }> {
  const { owner, addresses } = scope;
  const { records, unreadable } = await (owner
    ? scannedObligations(session, owner, null)
    : readableRecords(session, 'obligation', [...new Set(addresses ?? [])]));
  const passing = records.filter((record) => passes(session, record, filter));
  return {
    records: sortedBy(passing, (record) => sortKey(session, record, order.field), order.direction),
    unreadable,
  };
}

/**
 * A page of an index with its obligations read live. `items` is empty when `wanted` is false.
 *
 * @param isShown leaves out those that have changed since the index was made
 */
export async function readIndexedPage(
  session: Session,
  page: Page<Address>,
  wanted: boolean,
  isShown: (record: ObligationRecord) => boolean = () => true,
): Promise<{ readonly page: Page<ObligationRecord>; readonly unreadable: UnreadableAccounts }> {
  const addresses = wanted ? page.items.map(({ item }) => item) : [];
  const { records, unreadable } = await readableRecords(session, 'obligation', addresses);
  const read = new Map(records.map((record) => [record.address, record]));
  const items = page.items.flatMap(({ cursor, item }) => {
    const record = read.get(item);
    return record === undefined || !isShown(record) ? [] : [{ cursor, item: record }];
  });
  return { page: { ...page, items, ends: pageEnds(page) }, unreadable };
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
    (!healthBelow || (health(valueObligation(session, record))?.compare(healthBelow) ?? 1) < 0) &&
    ((filter.liquidatable ?? null) === null || isLiquidatableNow(session, record) === filter.liquidatable)
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
