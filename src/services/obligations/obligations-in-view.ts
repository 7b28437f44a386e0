import { FRACTION_ONE, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Loan } from '../../domain/risk/loan.ts';
import type { LoanOutcome, UnvaluedReason } from '../../domain/risk/loan-outcome.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { marketInView } from '../markets/markets.ts';
import type { MarketObligations } from '../obligation-index/resident-loans.ts';
import { fingerprintOf, type Page, type PageRequest, paginateLive } from '../paging/paging.ts';
import { sortInTurns } from '../paging/sort-in-turns.ts';
import type { Platform } from '../platform/platform.ts';
import { viewCache } from '../request/per-view.ts';
import type { MarketRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { ObligationFilter, ObligationOrderField } from './filter.ts';
import { type RecordedObligationsQuery, recordedObligations } from './recorded-obligations.ts';
import { forEachObligation, riskTermsOf } from './risk-pass.ts';
import { OBLIGATION_TAGS } from './tags.ts';

/** Lists of a View by their key. Filters are few, because a list takes work. */
const listsOf = viewCache<Map<string, readonly Address[]>>();

/**
 * A page of the obligations of a market with any filter and order: at the slot and prices of the View if it has positions,
 * else from the index that the recorder builds every hour. Empty obligations are left out.
 *
 * @throws KLEND_MARKET_NOT_FOUND, CURSOR_INVALID, and the errors of `recordedObligations`
 */
export async function obligationsOfMarket(
  platform: Platform,
  session: Session,
  query: RecordedObligationsQuery,
  request: PageRequest,
): Promise<Page<Address>> {
  const { market, filter, order } = query;
  if (filter.liquidatable === false) {
    const reason = 'For a market, `liquidatable` can only be true. Pass `true`, or omit it.';
    throw new SluiceError('BAD_REQUEST', { reason });
  }
  if (session.view.positions === null) return await recordedObligations(platform, session, query, request);
  const record = marketInView(session.view, market);
  const inView = await platform.obligationsInView(session, market);
  if (inView === null) throw new SluiceError('INTERNAL', {});
  const key = ['market obligations', market, filter, order];
  const page = await paginateLive(
    { key, read: () => listed(session, record, inView, query, key), idOf: (address) => address },
    request,
  );
  return { ...page, indexedAt: inView.loans.indexedAt };
}

async function listed(
  session: Session,
  market: MarketRecord,
  inView: MarketObligations,
  query: RecordedObligationsQuery,
  key: readonly unknown[],
): Promise<readonly Address[]> {
  const { view } = session;
  const lists = listsOf.get(view) ?? new Map<string, readonly Address[]>();
  listsOf.set(view, lists);
  const name = fingerprintOf(key);
  const list = lists.get(name) ?? (await sorted(session, market, inView, query));
  lists.set(name, list);
  return list;
}

interface Listed {
  readonly address: Address;
  /** Null sorts last in either direction. */
  readonly key: bigint | null;
}

async function sorted(
  { work, view }: Session,
  market: MarketRecord,
  { loans, unborrowed }: MarketObligations,
  { filter, order }: RecordedObligationsQuery,
): Promise<readonly Address[]> {
  const { addresses } = loans.reserves;
  const terms = await riskTermsOf(work, view, market, addresses, []);
  const found: Listed[] = [];
  for (const table of [loans.table, unborrowed]) {
    await forEachObligation(work, { table }, terms, (number, loan, [outcome = 'RESERVE_UNREADABLE']) => {
      if (!passes(table.tag(number), loan, outcome, addresses, filter)) return;
      found.push({ address: table.address(number), key: keyOf(outcome, order.field) });
    });
  }
  const sign = order.direction === 'ASC' ? 1 : -1;
  const byAddress = (a: Listed, b: Listed) => (a.address < b.address ? -1 : 1);
  const all = await sortInTurns(work, found, (a, b) =>
    order.field === 'ADDRESS' ? sign * byAddress(a, b) : compareKeys(a.key, b.key, sign) || byAddress(a, b),
  );
  return all.map(({ address }) => address);
}

function compareKeys(a: bigint | null, b: bigint | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -sign : a > b ? sign : 0;
}

function passes(
  tag: number,
  { deposits, debts }: Loan,
  outcome: LoanOutcome | UnvaluedReason,
  addresses: readonly Address[],
  filter: ObligationFilter,
): boolean {
  const { depositReserve, borrowReserve, healthBelow } = filter;
  return (
    (!filter.tag || OBLIGATION_TAGS[tag] === filter.tag) &&
    (!depositReserve || deposits.some(({ reserve }) => addresses[reserve] === depositReserve)) &&
    (!borrowReserve || debts.some(({ reserve }) => addresses[reserve] === borrowReserve)) &&
    (!healthBelow || isBelow(healthSf(outcome), healthBelow))
  );
}

function isBelow(health: bigint | null, limit: Rational): boolean {
  return health !== null && health < toScaledFraction(limit);
}

function keyOf(outcome: LoanOutcome | UnvaluedReason, field: ObligationOrderField): bigint | null {
  if (typeof outcome === 'string') return null;
  switch (field) {
    case 'ADDRESS':
      return 0n;
    case 'HEALTH':
      return healthSf(outcome);
    case 'DEPOSITED':
      return outcome.depositedSf;
    case 'BORROWED':
      return outcome.borrowedSf;
    case 'NET_VALUE':
      return outcome.depositedSf - outcome.borrowedSf;
  }
}

/** Health factor in units of 2^-60; null without debt and for unknown values. */
function healthSf(outcome: LoanOutcome | UnvaluedReason): bigint | null {
  if (typeof outcome === 'string' || outcome.factoredSf === 0n) return null;
  return (outcome.unhealthySf * FRACTION_ONE) / outcome.factoredSf;
}
