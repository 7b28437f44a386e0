import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart } from '../../domain/arithmetic.ts';
import {
  type ElevationHindrance,
  elevationHindrances,
  type HinderedBy,
} from '../../domain/elevation-request.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { obligationPositions, type PricedReserve, underGroup } from '../../domain/obligation.ts';
import {
  maxLtv,
  type ObligationStats,
  obligationStats,
  storedLoanToValue,
} from '../../domain/obligation-stats.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { changed } from '../changed-account.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { healthAfter, priceWarnings } from '../lending/warnings.ts';
import { change, NO_FIGURES, type Preview } from '../preview.ts';
import { type BuildWarning, type WarningCode, warning } from '../warnings.ts';
import type { ElevationAccounts } from './accounts.ts';

/** Terms of the obligation before and after the move, and what hinders it. */
export function elevationPreview(accounts: ElevationAccounts, moment: Moment): Preview {
  const { market, obligation, request, reserves } = accounts;
  const priced = pricedReserves(accounts, moment);
  const reserveOf = (address: Address) => priced.get(address);
  const positions = obligationPositions(obligation, market, reserveOf);
  const before = obligationStats(positions);
  const after = obligationStats(underGroup(positions, market, reserveOf, request.group));
  const stats = (figure: (stats: ObligationStats) => Rational | null) => change(before, after, figure);
  const moved = changed(obligation, { elevationGroup: request.group });
  const hindrances = elevationHindrances({
    market,
    obligation,
    group: request.group,
    reserveAt: (address) => reserves.get(address),
    before: refreshedObligation(obligation, market, reserveOf),
    after: refreshedObligation(moved, market, reserveOf),
  });
  return {
    ...NO_FIGURES,
    elevationGroup: { before: integer(obligation.elevationGroup), after: integer(request.group) },
    maxLtv: stats(maxLtv),
    liquidationLtv: stats(({ liquidationLtv }) => liquidationLtv),
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    warnings: [
      ...hindrances.map((each) => hindranceWarning(accounts, each)),
      ...priceWarnings(accounts, before !== null && after !== null, true, moment),
      ...healthAfter({ after: { stats: after } }),
    ],
  };
}

/** The obligation's reserves after their refresh. */
export function pricedReserves(
  accounts: ElevationAccounts,
  moment: Moment,
): ReadonlyMap<Address, PricedReserve> {
  return new Map(
    [...accounts.reserves].map(([address, account]) => [
      address,
      {
        accrued: refreshReserve(account, moment, accounts.market),
        priceUsd: priceAtRefresh(accounts, account, moment.timestamp)?.usd ?? null,
      },
    ]),
  );
}

/** `{}` stands for the name of the reserve. */
const MESSAGES: Readonly<Record<ElevationHindrance, readonly [WarningCode, string]>> = {
  MARKET_EMERGENCY: ['ACTION_NOT_ALLOWED', 'The market is in emergency mode and accepts no action.'],
  RESERVE_EMERGENCY: [
    'ACTION_NOT_ALLOWED',
    'Reserve {} is in emergency mode and has no valid price. Wait until that ends.',
  ],
  NO_COLLATERAL: [
    'ACTION_NOT_ALLOWED',
    'The obligation has no deposit of any value. Deposit before requesting a group.',
  ],
  GROUP_ACTIVE: ['ELEVATION_GROUP_ACTIVE', 'The obligation is already in this group.'],
  GROUP_UNKNOWN: ['ELEVATION_GROUP_UNKNOWN', 'The market defines no such elevation group.'],
  NEW_LOANS_DISABLED: ['ELEVATION_GROUP_CLOSED', 'The group accepts no new loans.'],
  NO_DEBT_RESERVE: ['ELEVATION_GROUP_CLOSED', 'The group has no debt reserve, so nobody can use it.'],
  NO_COLLATERAL_RESERVES: ['ELEVATION_GROUP_CLOSED', 'The group allows no collateral, so nobody can use it.'],
  TOO_MANY_DEPOSITS: [
    'ELEVATION_GROUP_COLLATERAL',
    'The obligation has more deposits than the group allows. Withdraw some of them.',
  ],
  DEBT_NOT_IN_GROUP: ['ELEVATION_GROUP_DEBT', 'Reserve {} is not in the group. Repay that debt.'],
  ANOTHER_DEBT_RESERVE: [
    'ELEVATION_GROUP_DEBT',
    'The group lends from another reserve than {}. Repay that debt.',
  ],
  SEVERAL_DEBTS: ['ELEVATION_GROUP_DEBT', 'A group allows one debt. Repay the others.'],
  DEPOSIT_NOT_IN_GROUP: [
    'ELEVATION_GROUP_COLLATERAL',
    'Reserve {} is not in the group. Withdraw that deposit.',
  ],
  DEBT_RESERVE_AS_COLLATERAL: [
    'ELEVATION_GROUP_COLLATERAL',
    'The group lends {}, which therefore cannot be collateral. Withdraw that deposit.',
  ],
  COLLATERAL_TOO_LOW: [
    'COLLATERAL_TOO_LOW',
    'The collateral would not cover the debt under the new terms. Repay, or add collateral.',
  ],
  WORSE_LTV: [
    'ACTION_NOT_ALLOWED',
    'The obligation is being deleveraged, and the move would raise its loan-to-value. Repay first.',
  ],
  BORROW_LIMIT: [
    'BORROW_LIMIT_EXCEEDED',
    'The debt would exceed a borrow limit of reserve {}. Repay some of it.',
  ],
  GROUP_ONLY_COLLATERAL: [
    'ELEVATION_GROUP_NEEDED',
    'Reserve {} backs debts only inside a group. Repay the debt before leaving.',
  ],
};

function hindranceWarning(accounts: ElevationAccounts, { hindrance, reserve }: HinderedBy): BuildWarning {
  const [code, message] = MESSAGES[hindrance];
  const account = reserve === null ? undefined : accounts.reserves.get(reserve);
  const name = account === undefined ? (reserve ?? '') : accounts.symbolOf(account);
  return warning(code, message.replace('{}', name));
}
