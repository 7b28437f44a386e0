import type { BorrowOrder, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Address } from '@solana/kit';
import { activeBorrows } from '../../domain/obligation.ts';
import type { StepContext } from '../action.ts';
import { accountsAround, type LendingAccounts } from '../lending/accounts.ts';
import { marketAt } from '../lending/request.ts';
import { type ReadAccounts, walletToken } from '../read-accounts.ts';
import { borrowOf, type FillRequest, fillOutline } from './fill-request.ts';

/** All inputs of a fill. */
export interface FillAccounts {
  readonly request: FillRequest;
  readonly order: BorrowOrder;
  /** The fill as a borrow of the owner, whose token account is the destination of the order. */
  readonly borrow: LendingAccounts;
  /** The owner's own account for the token, which a fill can open. */
  readonly ownToken: Address;
}

/** Decodes the accounts. */
export function fillAccounts(request: FillRequest, read: ReadAccounts, at: StepContext): FillAccounts {
  const { obligation, order, reserve, userMetadata } = fillOutline(request, read);
  const market = marketAt(read, obligation.lendingMarket, request.programs.klend);
  const outline = { market, reserve, obligation, obligationAddress: request.obligation, userMetadata };
  const borrow = accountsAround(outline, borrowOf(request, obligation), read, at);
  const token = walletToken(read, order.filledDebtDestination);
  return { request, order, borrow: { ...borrow, token }, ownToken: borrow.token.address };
}

/** The debt in the reserve before the fill; undefined for none. */
export function debtBefore({ borrow }: FillAccounts): ObligationLiquidity | undefined {
  const debts = borrow.obligation === null ? [] : activeBorrows(borrow.obligation);
  return debts.find(({ borrowReserve }) => borrowReserve === borrow.request.reserve);
}
