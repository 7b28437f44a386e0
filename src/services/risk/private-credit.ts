import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { Largest } from '../../domain/risk/largest.ts';
import type { LoanOutcome } from '../../domain/risk/loan-outcome.ts';
import {
  type LoanStatus,
  LoanTally,
  type LoanTotals,
  loanStatus,
  ofDeposits,
} from '../../domain/risk/loan-quality.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import { marketObligations } from '../obligations/market-obligations.ts';
import { forEachObligation, riskTermsOf } from '../obligations/risk-pass.ts';
import type { Platform } from '../platform/platform.ts';
import { oncePerSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';
import { privateCreditMarkets } from '../vaults/private-credit.ts';

export {
  averageLtv,
  LOAN_STATUSES,
  type LoanStatus,
  weightedLtv,
} from '../../domain/risk/loan-quality.ts';

/** A loan of a market that vaults of private credit lend to, at the prices of the View. */
export interface PrivateCreditLoan {
  readonly address: Address;
  readonly market: Address;
  readonly depositedUsd: Rational;
  readonly borrowedUsd: Rational;
  /** Factored debt / all deposits. Null without deposits, as is `maxLtv`. */
  readonly ltv: Rational | null;
  /** The LTV up to which it may borrow. */
  readonly maxLtv: Rational | null;
  readonly status: LoanStatus;
  /** The reserve of its most valuable deposit; null without deposits. */
  readonly collateral: Address | null;
  /** When the loans of its market were read. */
  readonly readAt: Date;
}

/** The loans behind private credit. */
export interface PrivateCredit {
  readonly markets: readonly Address[];
  readonly totals: LoanTotals;
  /** At most `MAX_PRIVATE_LOANS`, largest debt first. */
  readonly loans: readonly PrivateCreditLoan[];
  /** When the loans of the market that was read first were read; the time of the View without markets. */
  readonly updatedAt: Date;
}

export const MAX_PRIVATE_LOANS = 1_000;

const ofRequest = oncePerSession<PrivateCredit>();

/**
 * The loans of all markets that vaults of private credit lend to.
 *
 * @throws errors of the RPC while the loans were never read
 */
export const privateCredit = (platform: Platform, session: Session): Promise<PrivateCredit> =>
  ofRequest(session, '', () => readPrivateCredit(platform, session));

interface NamedLoan {
  readonly market: Address;
  readonly address: Address;
  readonly readAt: Date;
  readonly outcome: LoanOutcome;
}

async function readPrivateCredit(platform: Platform, session: Session): Promise<PrivateCredit> {
  const { view } = session;
  const markets = privateCreditMarkets(view);
  const tally = new LoanTally();
  const largest = new Largest<NamedLoan>(MAX_PRIVATE_LOANS, ({ outcome }) => outcome.borrowedSf);
  const readAt: Date[] = [];
  for (const market of markets) {
    const index = await marketObligations(platform, session, market);
    readAt.push(index.indexedAt);
    await takeLoans(session, market, index, (named) => largest.add(named), tally);
  }
  const [oldest = viewTime(view)] = readAt.sort((a, b) => a.getTime() - b.getTime());
  return { markets, totals: tally.totals, loans: largest.sorted().map(loanOf), updatedAt: oldest };
}

async function takeLoans(
  { work, view }: Session,
  address: Address,
  index: ObligationSnapshot,
  take: (loan: NamedLoan) => void,
  tally: LoanTally,
): Promise<void> {
  const market = view.get('market', address);
  if (market === undefined) return;
  const terms = await riskTermsOf(work, view, market, index.reserves.addresses, []);
  await forEachObligation(work, index, terms, (number, _loan, [outcome = 'RESERVE_UNREADABLE']) => {
    tally.add(outcome);
    if (typeof outcome !== 'string')
      take({ market: address, address: index.table.address(number), readAt: index.indexedAt, outcome });
  });
}

function loanOf({ market, address, readAt, outcome }: NamedLoan): PrivateCreditLoan {
  const { deposits, allowedSf } = outcome.refreshed();
  const [largest] = deposits.toSorted((a, b) => (a.valueSf < b.valueSf ? 1 : a.valueSf > b.valueSf ? -1 : 0));
  return {
    address,
    market,
    depositedUsd: fromScaledFraction(outcome.depositedSf),
    borrowedUsd: fromScaledFraction(outcome.borrowedSf),
    ltv: ofDeposits(outcome, outcome.factoredSf),
    maxLtv: ofDeposits(outcome, allowedSf),
    status: loanStatus(outcome, allowedSf),
    collateral: largest?.reserve ?? null,
    readAt,
  };
}
