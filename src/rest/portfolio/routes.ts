import { z } from '@hono/zod-openapi';
import type { Session } from '../../services/request/session.ts';
import {
  claimableRewardsOf,
  type PositionStake,
  positionMints,
  positionStakes,
  type StakePosition,
  stakedTokens,
  stakePosition,
  strategyOf,
} from '../../services/wallets/farm-stakes.ts';
import { type PortfolioSection, portfolio } from '../../services/wallets/portfolio.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { programId } from '../values/program-id.ts';
import {
  leveragedObligation,
  portfolioObligation,
  portfolioStake,
  portfolioTicket,
  portfolioVault,
} from './answers.ts';
import { type PortfolioFarm, PortfolioRewards, rewardTypes } from './reward-schemas.ts';
import { Portfolio, PortfolioParams } from './schemas.ts';

const common = { method: 'get', tag: 'Portfolio', holds: 'positions', family: READ_ERRORS } as const;

const blockTime = ({ view }: Session) => new Date(Number(view.moment.timestamp) * 1000).toISOString();

const NOT_INDEXED = { indexed: false, positionsRefreshedOn: null, pricesRefreshedOn: null, errors: [] };

function stateOf({ view }: Session, { errors, wasRead }: PortfolioSection<unknown>) {
  const viewRead = new Date(view.moment.builtAtMs).toISOString();
  return {
    indexed: true,
    positionsRefreshedOn: wasRead ? viewRead : null,
    pricesRefreshedOn: viewRead,
    errors: errors.map((code) => ({ code })),
  };
}

const POSITION_TYPES = {
  LEND: 'Lend',
  BORROW_MARKETS: 'Borrow Markets',
  MULTIPLY: 'Multiply',
  LEVERAGE: 'Leverage',
  LIQUIDITY: 'Liquidity',
} as const satisfies Record<StakePosition, string>;

function farmOf(
  { view }: Session,
  stake: PositionStake,
  types: readonly number[],
): AnswerOf<typeof PortfolioFarm> {
  const { farm, user, vault } = stake;
  const mints = positionMints(view, stake);
  const strategy = strategyOf(stake);
  return {
    farm: farm.address,
    userState: user.address,
    delegatee: user.value.delegatee,
    ...(strategy === null ? {} : { strategy }),
    ...(vault === null ? {} : { vault: vault.address }),
    positionType: POSITION_TYPES[stakePosition(stake)],
    activeStakeAmount: decimal(stakedTokens(stake)),
    ...(mints.length === 0 ? {} : { tokenMints: mints }),
    rewards: claimableRewardsOf(view, stake)
      .filter(({ type }) => types.includes(type))
      .map(({ amount, index, type, tokenProgram }) => ({
        mint: amount.mint,
        amount: decimal(amount.amount),
        index,
        type,
        tokenProgram,
      })),
  };
}

/** All positions of a wallet, and their rewards. */
export const PORTFOLIO_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getPortfolio',
    path: '/portfolio/{wallet}',
    summary: 'All positions of a wallet, by product',
    description:
      'Current state. A wallet without positions has empty lists. When a product cannot be read, its section has `errors` and the others are answered; the request fails only when none can be read. Positions are ordered by address; an obligation without deposits and debts is omitted.',
    graph:
      'query { chain { blockTime } wallet(address) { obligations { nodes { address marketAddress tag maxLtv stats { netAccountValueUsd userTotalDepositUsd userTotalBorrowUsd loanToValue liquidationLtv leverage } deposits { amount { amount usd token { mint symbol } } reserveAddress reserve { price { usd } } maxLtv liquidationLtv } borrows { amount { amount usd token { mint symbol } } reserveAddress reserve { price { usd } } borrowFactor rollover { windowDays } } borrowOrders { index debtMint remainingAmount requestedAmount destination minTermSeconds maxBorrowRateBps fillableUntil placedAt updatedAt active autoRollover description isExpired reserves { reserveAddress maxBorrowRateBps misfit fillable { amount } } } orders { index description trigger isTriggered hindrance triggerPrices { reserveAddress currentUsd triggerUsd side reason } } ownershipTransfer { newOwner state canAbort remainingSteps } } } vaultPositions { nodes { totalShares value { amount usd } vault { address name isPrivateCredit token { mint symbol } } } } stakes { farm { address } vault { address } reserve { address } amount { amount usd token { mint symbol } } priceUsd } withdrawTickets { nodes { address reserveAddress reserve { token { mint symbol } } sequenceNumber state createdAt collateral amount { amount usd } ticketsAhead amountAhead { amount } payable { amount } estimate { state paidAt missing { amount } inflow { perDay { amount } } } } } } }',
    params: PortfolioParams,
    query: z.object({ programId }),
    response: Portfolio,
    example: ({ wallet }) => ({ params: { wallet } }),
    async answer(call, { params, query }) {
      const { session, platform } = call;
      platform.requireLendingProgram(query.programId);
      const read = await portfolio(session, params.wallet);
      const { lending, multiply, leverage, earn, privateCredit, staking, withdrawTickets } = read;
      // Clients of the contract know seven sections, and almost no wallet has such withdrawals.
      const hasTickets = withdrawTickets.positions.length + withdrawTickets.errors.length > 0;
      return {
        timestamp: blockTime(session),
        sections: {
          lending: stateOf(session, lending),
          multiply: stateOf(session, multiply),
          leverage: stateOf(session, leverage),
          liquidity: NOT_INDEXED,
          earn: stateOf(session, earn),
          privateCredit: stateOf(session, privateCredit),
          staking: stateOf(session, staking),
          ...(hasTickets ? { withdrawTickets: stateOf(session, withdrawTickets) } : {}),
        },
        lending: lending.positions.map(portfolioObligation),
        multiply: multiply.positions.map(leveragedObligation),
        leverage: leverage.positions.map(leveragedObligation),
        liquidity: [],
        earn: earn.positions.map((position) => portfolioVault(session, position)),
        privateCredit: privateCredit.positions.map((position) => portfolioVault(session, position)),
        staking: await Promise.all(staking.positions.map((staked) => portfolioStake(session, staked))),
        ...(hasTickets
          ? {
              withdrawTickets: await Promise.all(
                withdrawTickets.positions.map((each) => portfolioTicket(call, each)),
              ),
            }
          : {}),
      };
    },
  }),
  operation({
    ...common,
    id: 'getPortfolioRewards',
    path: '/portfolio/{wallet}/rewards',
    summary: 'Farm stakes of a wallet and the rewards that it can claim',
    description:
      'Stakes of the wallet and of its obligations, in all farms. A stake that is empty and has nothing to claim is omitted. So is one that cannot be read, which `partialErrors` names. Empty for a wallet without stakes.',
    graph:
      'query { chain { blockTime } wallet(address) { stakes { address farm { address } delegatee strategyAddress vault { address } position positionMints activeStake rewards { amount { amount token { mint } } index type tokenProgram } } } }',
    params: PortfolioParams,
    query: z.object({ programId, rewardTypes }),
    response: PortfolioRewards,
    example: ({ wallet }) => ({ params: { wallet } }),
    async answer({ session, platform }, { params, query }) {
      platform.requireLendingProgram(query.programId);
      const { stakes, unreadable } = await positionStakes(session, params.wallet);
      const strategies = stakes.map(strategyOf).filter((strategy) => strategy !== null);
      const partialErrors = {
        positionTokenMints: [...new Set(strategies)].sort(),
        seasonFarms: [],
        rewardMetadata: [...unreadable.keys()].sort(),
      };
      const isWhole = Object.values(partialErrors).every((missing) => missing.length === 0);
      return {
        timestamp: blockTime(session),
        farms: stakes.map((stake) => farmOf(session, stake, query.rewardTypes)),
        ...(isWhole ? {} : { partialErrors }),
      };
    },
  }),
];
