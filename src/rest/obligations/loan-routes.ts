import { z } from '@hono/zod-openapi';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { closeFactor } from '../../services/markets/markets.ts';
import * as obligations from '../../services/obligations/obligations.ts';
import { findRecord, type ObligationRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { address } from '../values/address.ts';
import { decimal, double } from '../values/decimal.ts';
import { EnvQuery } from '../values/env.ts';
import { Loan } from './loan-schemas.ts';

/** The fields that deposits and borrows share. */
function tokenOf(view: Session['view'], position: { amount: TokenAmount | null }, price: Rational | null) {
  const { amount } = position;
  return {
    tokenMint: amount?.mint ?? NO_ADDRESS,
    tokenName: amount === null ? '' : tokenSymbol(view, amount.mint),
    tokenAmount: decimal(amount?.amount),
    tokenValue: decimal(amount?.usd),
    tokenPrice: double(price),
  };
}

/** The maximum for a reserve; null when the reserve or a value that it depends on is unknown. */
function maximum(
  valued: obligations.ValuedObligation,
  reserve: Address,
  capacity: typeof obligations.maxBorrow,
): TokenAmount | null {
  const record = valued.view.get('reserve', reserve);
  return record === undefined ? null : capacity(valued, record);
}

function loanOf(session: Session, record: ObligationRecord): AnswerOf<typeof Loan> {
  const { view } = session;
  const valued = obligations.valueObligation(session, record);
  const { market, stats } = valued;
  return {
    loanId: record.address,
    marketId: record.value.lendingMarket,
    user: record.value.owner,
    timestamp: Number(view.moment.timestamp) * 1000,
    solanaSlot: Number(view.moment.slot),
    elevationGroup: record.value.elevationGroup,
    leverage: double(stats?.leverage),
    loanInfo: {
      collateral: {
        deposits: obligations.obligationDeposits(valued).map((deposit) => {
          const { reserve, priceUsd, maxLtv, liquidationLtv } = deposit.position;
          const withdrawable = maximum(valued, reserve, obligations.maxWithdraw);
          return {
            ...tokenOf(view, deposit, priceUsd),
            maxLtv: double(maxLtv),
            liquidationLtv: double(liquidationLtv),
            maxWithdrawableAmount: double(withdrawable?.amount),
            maxWithdrawableValue: decimal(withdrawable?.usd),
          };
        }),
      },
      debt: {
        borrows: obligations.obligationBorrows(valued).map((borrow) => {
          const { reserve, priceUsd, borrowFactor } = borrow.position;
          const borrowable = maximum(valued, reserve, obligations.maxBorrow);
          return {
            ...tokenOf(view, borrow, priceUsd),
            maxBorrowableAmount: double(borrowable?.amount),
            maxBorrowableValue: decimal(borrowable?.usd),
            borrowFactor: double(borrowFactor),
          };
        }),
      },
      currentLtv: double(stats?.loanToValue),
      maxLtv: double(obligations.maxLtv(valued)),
      liquidationLtv: double(stats?.liquidationLtv),
      closeFactor: double(market && closeFactor(market)),
    },
  };
}

export const LOAN = operation({
  id: 'getLoan',
  method: 'get',
  path: '/klend/loans/{pubkey}',
  tag: 'Lending',
  summary: 'A loan with its collateral and debt',
  description:
    'Current state of an obligation, valued at `solanaSlot`. It may have no debt. Values that need an unknown price are 0.',
  graph:
    'query { obligation(address) { address owner { address } marketAddress market { closeFactor } elevationGroup { number } maxLtv stats { leverage loanToValue liquidationLtv } deposits { amount { amount usd token { mint symbol } } maxLtv liquidationLtv reserve { price { usd } } } borrows { amount { amount usd token { mint symbol } } borrowFactor reserve { price { usd } } } maxWithdraw(reserve) { amount usd } maxBorrow(reserve) { amount usd } } }',
  family: LOOKUP_ERRORS,
  holds: 'positions',
  params: z.object({ pubkey: address('Address of the obligation.') }),
  query: EnvQuery,
  response: Loan,
  example: ({ obligation }) => ({ params: { pubkey: obligation } }),
  async answer({ session, platform }, { params, query }) {
    platform.requireCluster(query.env);
    const record = await findRecord(session, 'obligation', params.pubkey);
    if (record === null) throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: params.pubkey });
    return loanOf(session, record);
  },
});
