import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import type { Moment } from '../../domain/moment.ts';
import { obligationPositions, type PricedReserve } from '../../domain/obligation.ts';
import { obligationStats } from '../../domain/obligation-stats.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { acceptsPrice, type Rollover, rollover } from '../../domain/rollover.ts';
import { type RolloverTerms, termsAfterRollover } from '../../domain/rollover-terms.ts';
import { changed } from '../changed-account.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { debtIn, refreshedAccount, withDebt } from '../lending/effects.ts';
import type { ObligationView } from '../preview-position.ts';
import { isSameReserve, type RollOverAccounts } from './roll-over-accounts.ts';

/** The obligation before or after a rollover. */
export interface RollOverSide extends ObligationView {
  readonly obligation: Obligation;
}

export interface RollOverOutcome {
  readonly before: RollOverSide;
  /** The effect under the program's rules, even if the program would reject it. */
  readonly after: RollOverSide;
  readonly rollover: Rollover;
  /** Both reserves as the rollover leaves them; none within one reserve, which it does not change. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** Rollover terms of the debt in the target afterwards. */
  readonly terms: RolloverTerms;
}

export function rollOverOutcome(accounts: RollOverAccounts, moment: Moment): RollOverOutcome {
  const { request, obligation, debt, source, target } = accounts;
  const before = sideWith(accounts, obligation, new Map(), moment);
  const [from, to] = [source, target].map(({ reserve, market }) => refreshReserve(reserve, moment, market));
  if (from === undefined || to === undefined) throw new RangeError('a rollover has two reserves');
  const price = priceAtRefresh(target, target.reserve, moment.timestamp);
  const done = rollover({
    market: target.market,
    obligation,
    refreshed: refreshedObligation(obligation, target.market, before.reserves),
    debt,
    source: from,
    targetAddress: request.targetReserve,
    target: to,
    targetPriceSf: price && toScaledFraction(price.usd),
    reserveAt: (address) => target.reserves.get(address),
    isPriceAccepted: (address) => isPriceAccepted(accounts, address, moment),
    timestamp: moment.timestamp,
  });
  const terms = termsAfterRollover(debt.fixedTermBorrowRolloverConfig, target.reserve.config);
  const reserves = isSameReserve(accounts) ? new Map() : movedReserves(accounts, from, to, done);
  const rolled = rolledObligation(accounts, from, to, done, terms, moment);
  const after = sideWith(accounts, rolled, reserves, moment);
  return { before, after, rollover: done, reserves, terms };
}

function sideWith(
  { target }: RollOverAccounts,
  obligation: Obligation,
  moved: ReadonlyMap<Address, Reserve>,
  moment: Moment,
): RollOverSide {
  const priced = new Map<Address, PricedReserve>();
  for (const [address, account] of target.reserves) {
    const used = moved.get(address) ?? account;
    priced.set(address, {
      accrued: refreshReserve(used, moment, target.market),
      priceUsd: priceAtRefresh(target, used, moment.timestamp)?.usd ?? null,
    });
  }
  const reserves = (address: Address) => priced.get(address);
  const positions = obligationPositions(obligation, target.market, reserves);
  return { obligation, reserves, positions, stats: obligationStats(positions) };
}

function isPriceAccepted({ target }: RollOverAccounts, address: Address, { timestamp }: Moment): boolean {
  const reserve = target.reserves.get(address);
  return reserve !== undefined && acceptsPrice(reserve, priceAtRefresh(target, reserve, timestamp));
}

/** The target pays the source. Neither fee nor penalty is due. */
function movedReserves(
  { request }: RollOverAccounts,
  from: AccruedReserve,
  to: AccruedReserve,
  { moved, settledSf }: Rollover,
): ReadonlyMap<Address, Reserve> {
  const settled = fromScaledFraction(settledSf);
  return new Map([
    [request.reserve, refreshedAccount(from, { available: moved, borrowed: settled.neg() })],
    [request.targetReserve, refreshedAccount(to, { available: -moved, borrowed: integer(moved) })],
  ]);
}

/** The debt in the target starts its term now, under the terms of the debt that moves. */
function rolledObligation(
  { request, obligation }: RollOverAccounts,
  from: AccruedReserve,
  to: AccruedReserve,
  { moved, settledSf }: Rollover,
  terms: RolloverTerms,
  { timestamp }: Moment,
): Obligation {
  const { reserve, targetReserve } = request;
  const settled = fromScaledFraction(settledSf);
  const left = debtIn(obligation, reserve, from).sub(settled);
  const repaid = withDebt(obligation, reserve, left, from.cumulativeBorrowRate);
  // A slot that the debt leaves may be taken by the new one.
  const emptied = repaid.borrows.map((each) =>
    each.borrowReserve === NO_ADDRESS ? changed(each, { borrowedAmountOutsideElevationGroups: 0n }) : each,
  );
  const owed = debtIn(repaid, targetReserve, to).add(integer(moved));
  const borrowed = withDebt(
    changed(repaid, { borrows: emptied }),
    targetReserve,
    owed,
    to.cumulativeBorrowRate,
  );
  const borrows = borrowed.borrows.map((each) =>
    each.borrowReserve === targetReserve
      ? changed(each, {
          lastBorrowedAtTimestamp: timestamp,
          borrowedAmountAtExpiration: 0n,
          fixedTermBorrowRolloverConfig: terms,
        })
      : each,
  );
  return changed(borrowed, { borrows });
}
