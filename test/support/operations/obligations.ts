import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { plainStruct } from '@sluice/protocol/layout/plain';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Shape } from '../contract/field-shapes.ts';
import { type Amount, pascal, roundedPositions } from './graph-values.ts';
import { MARKET_STATE } from './market-state.ts';
import type { NullRule } from './null-rule.ts';
import { OBLIGATION_STATE } from './obligation-state.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

export const STATS: Shape = {
  fields: {
    leverage: 'decimal',
    borrowLimit: 'decimal',
    loanToValue: 'decimal',
    liquidationLtv: 'decimal',
    netAccountValue: 'decimal',
    userTotalBorrow: 'decimal',
    userTotalDeposit: 'decimal',
    borrowUtilization: 'decimal',
    borrowLiquidationLimit: 'decimal',
    userTotalCollateralDeposit: 'decimal',
    userTotalLiquidatableDeposit: 'decimal',
    userTotalBorrowBorrowFactorAdjusted: 'decimal',
    potentialElevationGroupUpdate: 'integer',
  },
};

export const TAGS = [
  'Vanilla',
  'Multiply',
  'Lending',
  'Leverage',
  'LendingFixedRate',
  'MultiplyFixedRate',
  'LeverageFixedRate',
];

const POSITION: Shape = {
  fields: {
    reserve: 'address',
    mintAddress: 'address',
    amount: 'decimal',
    marketValueRefreshed: 'decimal',
  },
};

const EMPTY: Shape = { fields: {} };

/** Also without an order, whose numbers are then "00". */
const USER_BORROW_ORDER: Shape = {
  fields: {
    debtLiquidityMint: 'address',
    remainingDebtAmount: 'twoDigits',
    filledDebtDestination: 'address',
    minDebtTermSeconds: 'twoDigits',
    fillableUntilTimestamp: 'twoDigits',
    placedAtTimestamp: 'twoDigits',
    lastUpdatedAtTimestamp: 'twoDigits',
    requestedDebtAmount: 'twoDigits',
    maxBorrowRateBps: 'integer',
    enableAutoRolloverOnFilledBorrows: 'boolean',
  },
};

const OBLIGATION: Shape = {
  fields: {
    obligationAddress: 'address',
    market: {
      fields: {
        address: 'address',
        programId: 'address',
        farmsProgramId: 'address',
        recentSlotDurationMs: 'integer',
        state: MARKET_STATE,
        rpc: EMPTY,
        reserves: EMPTY,
        reservesActive: EMPTY,
        scopeFeeds: EMPTY,
      },
    },
    state: OBLIGATION_STATE,
    borrowOrder: USER_BORROW_ORDER,
    deposits: EMPTY,
    borrows: EMPTY,
    positions: { fields: { deposits: { list: POSITION }, borrows: { list: POSITION } } },
    refreshedStats: STATS,
    obligationTag: 'integer',
    humanTag: { oneOf: TAGS },
  },
};

type GraphAmount = Amount & { readonly token: { readonly mint: string; readonly symbol: string } };

export interface GraphPosition {
  readonly reserveAddress: string;
  readonly amount: GraphAmount;
  readonly reserve: { readonly price: { readonly usd: string } | null };
  readonly maxLtv: string;
  readonly liquidationLtv: string;
  readonly borrowFactor: string;
}

export interface GraphObligation {
  readonly address: string;
  readonly accountData: string;
  readonly tag: string;
  readonly tagNumber: number;
  readonly marketAddress: string;
  readonly market: { readonly closeFactor: string };
  readonly owner: { readonly address: string };
  readonly elevationGroup: { readonly number: number } | null;
  readonly maxLtv: string | null;
  readonly borrowOrder: GraphOrder | null;
  readonly stats: (Readonly<Record<string, string>> & { potentialElevationGroupUpdate: number }) | null;
  readonly deposits: readonly GraphPosition[];
  readonly borrows: readonly GraphPosition[];
}

const AMOUNT =
  'reserveAddress amount { amount baseUnits usd token { mint symbol } } reserve { price { usd } }';

/** Names on REST, and in the graph, where values in USD say so. */
export const FIGURES: readonly (readonly [rest: string, graph: string])[] = [
  ['leverage', 'leverage'],
  ['borrowLimit', 'borrowLimitUsd'],
  ['loanToValue', 'loanToValue'],
  ['liquidationLtv', 'liquidationLtv'],
  ['netAccountValue', 'netAccountValueUsd'],
  ['userTotalBorrow', 'userTotalBorrowUsd'],
  ['userTotalDeposit', 'userTotalDepositUsd'],
  ['borrowUtilization', 'borrowUtilization'],
  ['borrowLiquidationLimit', 'borrowLiquidationLimitUsd'],
  ['userTotalCollateralDeposit', 'userTotalCollateralDepositUsd'],
  ['userTotalLiquidatableDeposit', 'userTotalLiquidatableDepositUsd'],
  ['userTotalBorrowBorrowFactorAdjusted', 'userTotalBorrowBorrowFactorAdjustedUsd'],
];

export interface GraphOrder {
  readonly debtMint: string;
  readonly requestedAmount: string;
  readonly remainingAmount: string;
  readonly destination: string;
  readonly maxBorrowRateBps: string;
  readonly minTermSeconds: string;
  readonly fillableUntil: string;
  readonly placedAt: string;
  readonly updatedAt: string;
  readonly active: boolean;
  readonly autoRollover: boolean;
}

interface GraphMarket {
  readonly programId: Address;
  readonly accountData: string;
}

interface InMarket {
  readonly market: GraphMarket;
}

export const ORDER = `debtMint requestedAmount remainingAmount destination maxBorrowRateBps minTermSeconds fillableUntil
  placedAt updatedAt active autoRollover`;

export const restOrder = (order: GraphOrder) => ({
  debtLiquidityMint: order.debtMint,
  remainingDebtAmount: order.remainingAmount,
  filledDebtDestination: order.destination,
  minDebtTermSeconds: order.minTermSeconds,
  fillableUntilTimestamp: order.fillableUntil,
  placedAtTimestamp: order.placedAt,
  lastUpdatedAtTimestamp: order.updatedAt,
  requestedDebtAmount: order.requestedAmount,
  maxBorrowRateBps: Number(order.maxBorrowRateBps),
  active: Number(order.active),
  enableAutoRolloverOnFilledBorrows: Number(order.autoRollover),
});

export const FIELDS = `address tag tagNumber marketAddress market { closeFactor } owner { address }
  elevationGroup { number } maxLtv borrowOrder { ${ORDER} }
  stats { ${FIGURES.map(([, name]) => name).join(' ')} potentialElevationGroupUpdate }
  deposits { ${AMOUNT} maxLtv liquidationLtv } borrows { ${AMOUNT} borrowFactor }`;

function userOrder(order: GraphOrder | null) {
  const twoDigits = (amount: string | undefined) => (amount === undefined || amount === '0' ? '00' : amount);
  return {
    debtLiquidityMint: order?.debtMint ?? NO_ADDRESS,
    remainingDebtAmount: twoDigits(order?.remainingAmount),
    filledDebtDestination: order?.destination ?? NO_ADDRESS,
    minDebtTermSeconds: twoDigits(order?.minTermSeconds),
    fillableUntilTimestamp: twoDigits(order?.fillableUntil),
    placedAtTimestamp: twoDigits(order?.placedAt),
    lastUpdatedAtTimestamp: twoDigits(order?.updatedAt),
    requestedDebtAmount: twoDigits(order?.requestedAmount),
    maxBorrowRateBps: Number(order?.maxBorrowRateBps ?? 0),
    enableAutoRolloverOnFilledBorrows: order?.autoRollover ?? false,
  };
}

/** The account of the graph, which has it as bytes. */
function decodedMarket({ programId, accountData }: GraphMarket) {
  const data = new Uint8Array(Buffer.from(accountData, 'base64'));
  return plainStruct(lendingMarket.decode({ owner: programId, data }, programId));
}

function restObligation(obligation: GraphObligation & InMarket, slotDurationMs: string, rule: NullRule) {
  const position = ({ reserveAddress, amount }: GraphPosition) => ({
    reserve: reserveAddress,
    mintAddress: amount.token.mint,
    amount: amount.baseUnits,
    marketValueRefreshed: rule.decimal(amount.usd),
  });
  return {
    obligationAddress: obligation.address,
    market: {
      address: obligation.marketAddress,
      programId: obligation.market.programId,
      farmsProgramId: MAINNET_PROGRAMS.farms,
      recentSlotDurationMs: Math.round(Number(slotDurationMs)),
      state: decodedMarket(obligation.market),
      rpc: {},
      reserves: {},
      reservesActive: {},
      scopeFeeds: {},
    },
    borrowOrder: userOrder(obligation.borrowOrder),
    deposits: {},
    borrows: {},
    positions: { deposits: obligation.deposits.map(position), borrows: obligation.borrows.map(position) },
    refreshedStats: {
      ...Object.fromEntries(FIGURES.map(([rest, graph]) => [rest, rule.decimal(obligation.stats?.[graph])])),
      potentialElevationGroupUpdate: rule.count(obligation.stats?.potentialElevationGroupUpdate),
    },
    obligationTag: obligation.tagNumber,
    humanTag: pascal(obligation.tag),
  };
}

const of = (market: string, wallet: string) => `/svc-market/${market}/users/${wallet}/obligations`;

export const OBLIGATION_ROW: OperationRow = {
  method: 'get',
  path: of('{marketPubkey}', '{userPubkey}'),
  answer: { list: OBLIGATION },
  requests: ({ obligations, addresses: { market, emptyWallet } }) =>
    [...obligations, { market, owner: emptyWallet }].map((each) => ({
      url: of(each.market, each.owner),
      variables: { market: each.market, owner: each.owner },
    })),
  refusals: ({ addresses: { market, wallet } }) => [
    badRequest('no market', of('nonsense', wallet), 'marketPubkey'),
    badRequest('no user', of(market, 'nonsense'), 'userPubkey'),
    ...wrongEnv(of(market, wallet)),
  ],
  // The graph has the account as bytes; the relations decode them.
  without: ['state'],
  sortBy: 'obligationAddress',
  rounded: (body) =>
    (body as { positions: Parameters<typeof roundedPositions>[0] }[]).map((each) => ({
      ...each,
      positions: roundedPositions(each.positions),
    })),
  async twin(graph, variables, rule) {
    const { chain, wallet } = await graph<{
      chain: { slotDurationMs: string };
      wallet: { obligations: { nodes: (GraphObligation & InMarket)[] } };
    }>(
      `query ($market: Address!, $owner: Address!) { chain { slotDurationMs } wallet(address: $owner) {
          obligations(market: $market, first: 100) { nodes { ${FIELDS} market { programId accountData } } }
        } }`,
      variables,
    );
    return wallet.obligations.nodes.map((each) => restObligation(each, chain.slotDurationMs, rule));
  },
};
