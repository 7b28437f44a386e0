import { z } from '@hono/zod-openapi';
import { plainStruct } from '@sluice/protocol/layout/plain';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { marketInView } from '../../services/markets/markets.ts';
import { borrowOrder } from '../../services/obligations/borrow-orders.ts';
import * as obligations from '../../services/obligations/obligations.ts';
import { tagNumber } from '../../services/obligations/tags.ts';
import { obligationsOf } from '../../services/obligations/wallet-obligations.ts';
import type { ObligationRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { address } from '../values/address.ts';
import { decimal } from '../values/decimal.ts';
import { EnvQuery } from '../values/env.ts';
import { userBorrowOrderAnswer } from './borrow-order-answers.ts';
import { type ObligationMarket, obligationMarket } from './obligation-market.ts';
import { refreshedStats } from './refreshed-stats-answers.ts';
import { humanTagOf, UserObligation } from './schemas.ts';

function positionOf({ position, amount }: obligations.ObligationDeposit | obligations.ObligationBorrow) {
  return {
    reserve: position.reserve,
    mintAddress: amount?.mint ?? NO_ADDRESS,
    amount: decimal(amount?.baseUnits),
    marketValueRefreshed: decimal(amount?.usd),
  };
}

function userObligation(
  session: Session,
  record: ObligationRecord,
  market: AnswerOf<typeof ObligationMarket>,
): AnswerOf<typeof UserObligation> {
  const valued = obligations.valueObligation(session, record);
  const state = plainStruct(record.value);
  const tag = tagNumber(record);
  return {
    obligationAddress: record.address,
    market,
    state: { ...state, borrowOrder: state.headBorrowOrder },
    borrowOrder: userBorrowOrderAnswer(borrowOrder(record)),
    deposits: {},
    borrows: {},
    positions: {
      deposits: obligations.obligationDeposits(valued).map(positionOf),
      borrows: obligations.obligationBorrows(valued).map(positionOf),
    },
    refreshedStats: refreshedStats(valued.stats, obligations.potentialGroup(valued)),
    obligationTag: tag,
    humanTag: humanTagOf(tag),
  };
}

export const USER_OBLIGATIONS = operation({
  id: 'listUserObligations',
  method: 'get',
  path: '/svc-market/{marketPubkey}/users/{userPubkey}/obligations',
  tag: 'Lending',
  summary: 'All obligations of a wallet in a market',
  description:
    'Current state, ordered by address, each with the whole account of the market. Empty for a wallet without obligations. Amounts and values of `positions` include interest up to now.',
  graph:
    'query { chain { slotDurationMs } wallet(address) { obligations(market) { nodes { address market { address programId accountData } accountData tagNumber borrowOrder { debtMint remainingAmount requestedAmount destination minTermSeconds maxBorrowRateBps fillableUntil placedAt updatedAt active autoRollover } deposits { reserveAddress amount { baseUnits usd token { mint } } } borrows { reserveAddress amount { baseUnits usd token { mint } } } stats { leverage borrowLimitUsd loanToValue liquidationLtv netAccountValueUsd userTotalBorrowUsd userTotalDepositUsd borrowUtilization borrowLiquidationLimitUsd userTotalCollateralDepositUsd userTotalLiquidatableDepositUsd userTotalBorrowBorrowFactorAdjustedUsd potentialElevationGroupUpdate } } } } }',
  family: READ_ERRORS,
  holds: 'positions',
  params: z.object({
    marketPubkey: address('Address of the lending market.'),
    userPubkey: address('Address of the wallet.'),
  }),
  query: EnvQuery,
  response: z.array(UserObligation),
  example: ({ market, wallet }) => ({ params: { marketPubkey: market, userPubkey: wallet } }),
  async answer({ session, platform }, { params, query }) {
    platform.requireCluster(query.env);
    const market = marketInView(session.view, params.marketPubkey);
    const found = await obligationsOf(session, params.userPubkey, market.address);
    const shown = obligationMarket(session, market);
    return found.map((record) => userObligation(session, record, shown));
  },
});
