import { readText } from '@sluice/protocol/layout/codec';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { borrowOrders } from '../../services/obligations/borrow-orders.ts';
import { leverageOrders, type PlacedOrder } from '../../services/obligations/leverage-orders.ts';
import * as obligations from '../../services/obligations/obligations.ts';
import {
  isAbortable,
  type OwnershipTransfer,
  ownershipTransfer,
  remainingSteps,
} from '../../services/obligations/ownership-transfer.ts';
import { tagNumber } from '../../services/obligations/tags.ts';
import type { Session } from '../../services/request/session.ts';
import type { TicketRecord } from '../../services/reserves/withdraw-tickets.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import { tokenNamed, tokenSymbol } from '../../services/tokens/tokens.ts';
import { isNameVerified } from '../../services/tokens/verified-name.ts';
import type { StakedTokens } from '../../services/wallets/portfolio.ts';
import type { VaultPosition } from '../../services/wallets/wallets.ts';
import { borrowOrderAnswer, borrowOrderOutlookAnswer } from '../obligations/borrow-order-answers.ts';
import { humanTagOf } from '../obligations/schemas.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { ticketAnswer } from '../withdraw-queues/answers.ts';
import type {
  LeveragedObligation,
  PortfolioObligation,
  PortfolioOrder,
  PortfolioStake,
  PortfolioTicket,
  PortfolioTransfer,
  PortfolioVault,
} from './schemas.ts';

/** Null where the contract allows it. */
const nullable = (value: Rational | null | undefined) => (value ? decimal(value) : null);

/** Value and price in USD; an unknown one is absent. */
const priced = (valueUsd: Rational | null | undefined, priceUsd: Rational | null) => ({
  ...(valueUsd ? { value: decimal(valueUsd) } : {}),
  ...(priceUsd ? { price: decimal(priceUsd) } : {}),
});

function tokenOf(
  view: Session['view'],
  { amount }: { readonly amount: TokenAmount | null },
  priceUsd: Rational | null,
) {
  return {
    mint: amount?.mint ?? NO_ADDRESS,
    symbol: amount === null ? '' : tokenSymbol(view, amount.mint),
    amount: decimal(amount?.amount),
    ...priced(amount?.usd, priceUsd),
  };
}

export function portfolioObligation(
  valued: obligations.ValuedObligation,
): AnswerOf<typeof PortfolioObligation> {
  const { record, view, stats } = valued;
  const toBorrow = borrowOrders(record);
  const orders = leverageOrders(valued);
  const transfer = ownershipTransfer(record.value);
  return {
    obligation: record.address,
    market: record.value.lendingMarket,
    tag: humanTagOf(tagNumber(record)),
    netValue: nullable(stats?.netAccountValue),
    totalDepositValue: nullable(stats?.userTotalDeposit),
    totalBorrowValue: nullable(stats?.userTotalBorrow),
    ltv: nullable(stats?.loanToValue),
    maxLtv: nullable(obligations.maxLtv(valued)),
    liquidationLtv: nullable(stats?.liquidationLtv),
    leverage: nullable(stats?.leverage),
    deposits: obligations.obligationDeposits(valued).map((deposit) => {
      const { reserve, priceUsd, maxLtv, liquidationLtv } = deposit.position;
      return {
        ...tokenOf(view, deposit, priceUsd),
        reserve,
        maxLtv: decimal(maxLtv),
        liquidationLtv: decimal(liquidationLtv),
      };
    }),
    borrows: obligations.obligationBorrows(valued).map((borrow) => {
      const { reserve, priceUsd, borrowFactor } = borrow.position;
      const { fixedTermRolloverWindowDurationDays: days } = borrow.stored.fixedTermBorrowRolloverConfig;
      return {
        ...tokenOf(view, borrow, priceUsd),
        reserve,
        borrowFactor: decimal(borrowFactor),
        ...(days === 0 ? {} : { rolloverWindowDays: days }),
      };
    }),
    ...(toBorrow.length === 0
      ? {}
      : {
          borrowOrders: toBorrow.map((each) => ({
            index: each.index,
            ...borrowOrderAnswer(each),
            ...borrowOrderOutlookAnswer(valued, each),
          })),
        }),
    ...(orders.length === 0 ? {} : { orders: orders.map(orderAnswer) }),
    ...(transfer === null ? {} : { ownershipTransfer: transferAnswer(transfer) }),
  };
}

function orderAnswer(order: PlacedOrder): AnswerOf<typeof PortfolioOrder> {
  const { index, description, trigger, outlook } = order;
  return {
    index,
    description,
    trigger,
    isTriggered: outlook?.isMet ?? null,
    hindrance: outlook?.hindrance ?? null,
    triggerPrices: (outlook?.prices ?? []).map(({ reserve, currentUsd, triggerUsd, side, reason }) => ({
      reserve,
      currentUsd: nullable(currentUsd),
      triggerUsd: nullable(triggerUsd),
      side,
      reason,
    })),
  };
}

const transferAnswer = (transfer: OwnershipTransfer): AnswerOf<typeof PortfolioTransfer> => ({
  ...transfer,
  canAbort: isAbortable(transfer),
  remainingSteps: remainingSteps(transfer),
});

export function leveragedObligation(
  valued: obligations.ValuedObligation,
): AnswerOf<typeof LeveragedObligation> {
  const { depositMint, borrowMint } = obligations.positionPair(valued.view, valued.record);
  return {
    ...portfolioObligation(valued),
    ...(depositMint === null ? {} : { depositMint }),
    ...(borrowMint === null ? {} : { borrowMint }),
  };
}

export function portfolioVault(
  { view }: Session,
  { vault, totalShares, value }: VaultPosition,
): AnswerOf<typeof PortfolioVault> {
  const { tokenMint, name } = vault.value;
  return {
    vault: vault.address,
    tokenMint,
    symbol: tokenSymbol(view, tokenMint),
    name: readText(name),
    nameVerified: isNameVerified(view, vault),
    ...(value?.usd ? { netValue: decimal(value.usd) } : {}),
    shares: decimal(totalShares),
    amount: decimal(value?.amount),
  };
}

/** Reads the mint of a token that the platform does not use otherwise, for its ticker. */
export async function portfolioStake(
  session: Session,
  { farm, amount: staked }: StakedTokens,
): Promise<AnswerOf<typeof PortfolioStake>> {
  const { mint, decimals, amount, usd, priceUsd } = staked;
  const { symbol } = await tokenNamed(session, mint, decimals);
  return { mint, symbol, farm, amount: decimal(amount), ...priced(usd, priceUsd) };
}

export async function portfolioTicket(
  call: Pick<Call, 'session' | 'platform'>,
  ticket: TicketRecord,
): Promise<AnswerOf<typeof PortfolioTicket>> {
  const { view } = call.session;
  const { reserve } = ticket.value;
  const mint = view.get('reserve', reserve)?.value.liquidity.mintPubkey;
  return {
    ...(await ticketAnswer(call, ticket)),
    reserve,
    mint: mint ?? NO_ADDRESS,
    symbol: mint === undefined ? '' : tokenSymbol(view, mint),
  };
}
