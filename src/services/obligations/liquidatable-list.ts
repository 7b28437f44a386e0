import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { type LoanOutcome, loanOutcomes } from '../../domain/risk/loan-outcome.ts';
import { marketInView } from '../markets/markets.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import { ReserveNumbers, riskInputOf } from '../obligation-index/packed-obligation.ts';
import { type Page, type PageRequest, paginateLive } from '../paging/paging.ts';
import { type SortKey, sortedBy } from '../paging/sorting.ts';
import type { Platform } from '../platform/platform.ts';
import type { MarketRecord, ObligationRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { ObligationFilter, ObligationOrder, ObligationOrderField } from './filter.ts';
import { marketObligations } from './market-obligations.ts';
import { forEachObligation, presentTermsOf, riskTermsOf } from './risk-pass.ts';
import { OBLIGATION_TAGS } from './tags.ts';

/** A loan of the index that can be liquidated. */
interface Opportunity {
  readonly address: Address;
  readonly outcome: LoanOutcome;
}

export interface OpportunityQuery {
  readonly market: Address;
  readonly filter: ObligationFilter;
  readonly order: ObligationOrder;
}

/**
 * A page of the obligations of a market that the program lets a liquidator act on, at the prices of the View. Filter and
 * order use the loan index; the obligations themselves are read live.
 *
 * @throws KLEND_MARKET_NOT_FOUND, CURSOR_INVALID, and errors of the RPC while the loans were never read
 */
export async function liquidatableObligations(
  platform: Platform,
  session: Session,
  query: OpportunityQuery,
  request: PageRequest,
): Promise<Page<Address>> {
  const { market, filter, order } = query;
  const record = marketInView(session.view, market);
  const index = await marketObligations(platform, session, market);
  const page = await paginateLive(
    {
      key: ['liquidatable', market, filter, order],
      read: () => opportunities(session, record, index, query),
      idOf: (address) => address,
    },
    request,
  );
  return { ...page, indexedAt: index.indexedAt };
}

async function opportunities(
  session: Session,
  market: MarketRecord,
  index: ObligationSnapshot,
  { filter, order }: OpportunityQuery,
): Promise<Address[]> {
  const terms = await riskTermsOf(session.work, session.view, market, index.reserves.addresses, []);
  const found: Opportunity[] = [];
  await forEachObligation(session.work, index, terms, (number, _loan, [outcome]) => {
    if (outcome === undefined || typeof outcome === 'string' || !outcome.isLiquidatable) return;
    if (passes(index, number, outcome, filter)) found.push({ address: index.table.address(number), outcome });
  });
  const sorted = sortedBy(
    found,
    ({ address, outcome }) => sortKey(address, outcome, order.field),
    order.direction,
  );
  return sorted.map((each) => each.address);
}

/** Whether the program lets a liquidator act on an obligation, at the slot and the prices of the View. */
export function isLiquidatableNow(session: Pick<Session, 'view'>, { value }: ObligationRecord): boolean {
  const market = session.view.get('market', value.lendingMarket);
  if (market === undefined) return false;
  const reserves = new ReserveNumbers();
  const loan = riskInputOf(value, reserves);
  const [outcome] = loanOutcomes(loan, presentTermsOf(session.view, market, reserves.addresses));
  return outcome !== undefined && typeof outcome !== 'string' && outcome.isLiquidatable;
}

function passes(
  { table }: ObligationSnapshot,
  number: number,
  outcome: LoanOutcome,
  { tag, depositReserve, borrowReserve, healthBelow }: ObligationFilter,
): boolean {
  const { deposits, debts } = outcome.refreshed();
  return (
    (!tag || OBLIGATION_TAGS[table.tag(number)] === tag) &&
    (!depositReserve || deposits.some(({ reserve }) => reserve === depositReserve)) &&
    (!borrowReserve || debts.some(({ reserve }) => reserve === borrowReserve)) &&
    (!healthBelow || healthOf(outcome).compare(healthBelow) < 0)
  );
}

/** A loan that can be liquidated has debt of some value. */
function healthOf({ unhealthySf, factoredSf }: LoanOutcome): Rational {
  return fromScaledFraction(unhealthySf).div(fromScaledFraction(factoredSf));
}

function sortKey(address: Address, outcome: LoanOutcome, field: ObligationOrderField): SortKey {
  switch (field) {
    case 'ADDRESS':
      return address;
    case 'HEALTH':
      return healthOf(outcome);
    case 'DEPOSITED':
      return outcome.depositedSf;
    case 'BORROWED':
      return outcome.borrowedSf;
    case 'NET_VALUE':
      return outcome.depositedSf - outcome.borrowedSf;
  }
}
