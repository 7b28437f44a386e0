import { z } from '@hono/zod-openapi';
import { repayAndWithdrawAction } from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

/** A repayment with a withdrawal. */
export const REPAY_WITHDRAW_ACTION = ktxAction({
  name: 'repayAndWithdraw',
  id: 'repayAndWithdraw',
  mutation: 'buildRepayAndWithdraw',
  path: '/ktx/klend/repay-and-withdraw',
  purpose: 'repay debt and withdraw collateral in one instruction, also above the maximum loan-to-value',
  body: z
    .object(
      {
        wallet,
        market: address('Address of the lending market.'),
        repayReserve: address('Reserve of the debt to repay. It must belong to `market`.'),
        withdrawReserve: address('Reserve of the deposit to withdraw from. It must belong to `market`.'),
        repay: amount(`Debt to repay, in whole tokens of \`repayReserve\`. ${ALL}`),
        withdraw: amount(`Deposit to withdraw, in whole tokens of \`withdrawReserve\`. ${ALL}`),
        obligation: ObligationChoiceBody.optional(),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi('RepayAndWithdrawBody'),
  example: ({ wallet: owner, market, borrowReserve, depositReserve }) => ({
    wallet: owner,
    market,
    repayReserve: borrowReserve,
    withdrawReserve: depositReserve,
    repay: '1.5',
    withdraw: '0.01',
  }),
  actionOf: (source, given, parsed) =>
    repayAndWithdrawAction(source, {
      wallet: given.wallet,
      market: given.market,
      repayReserve: given.repayReserve,
      withdrawReserve: given.withdrawReserve,
      repay: { tokens: parseAmount(given.repay) },
      withdraw: { tokens: parseAmount(given.withdraw) },
      ...obligationOf(given.obligation),
      ...parsed,
    }),
});
