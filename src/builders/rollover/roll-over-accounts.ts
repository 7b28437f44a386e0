import type { Obligation, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { activeBorrows } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { StepContext } from '../action.ts';
import { accountsAround, type LendingAccounts } from '../lending/accounts.ts';
import { marketAt } from '../lending/request.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { type RollOverRequest, rollOverOutline, sideOf } from './roll-over-request.ts';

/** All inputs of a rollover. */
export interface RollOverAccounts {
  readonly request: RollOverRequest;
  readonly obligation: Obligation;
  /** The debt before it. */
  readonly debt: ObligationLiquidity;
  /** The reserve of the debt, as a repayment to it. */
  readonly source: LendingAccounts;
  /** The reserve that the debt moves to, as a borrow from it. Its `reserves` are those of the obligation, too. */
  readonly target: LendingAccounts;
}

/** Decodes the accounts. */
export function rollOverAccounts(
  request: RollOverRequest,
  read: ReadAccounts,
  at: StepContext,
): RollOverAccounts {
  const { obligation, source, target, userMetadata } = rollOverOutline(request, read);
  const { lendingMarket } = obligation;
  const market = marketAt(read, lendingMarket, request.programs.klend);
  const shared = { market, obligation, obligationAddress: request.obligation, userMetadata };
  const debt = activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === request.reserve);
  if (debt === undefined) {
    const context = { obligation: request.obligation, reserve: request.reserve, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  return {
    request,
    obligation,
    debt,
    source: accountsAround({ ...shared, reserve: source }, sideOf(request, lendingMarket, 'repay'), read, at),
    target: accountsAround(
      { ...shared, reserve: target },
      sideOf(request, lendingMarket, 'borrow'),
      read,
      at,
    ),
  };
}

/** Whether the term of the debt only starts anew. */
export const isSameReserve = ({ request }: Pick<RollOverAccounts, 'request'>): boolean =>
  request.reserve === request.targetReserve;
