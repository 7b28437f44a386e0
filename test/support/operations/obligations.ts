import type { Shape } from '../contract/field-shapes.ts';
import { type Amount, pascal, roundedPositions } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import { BORROW_ORDER, OBLIGATION_STATE } from './obligation-state.ts';
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

const OBLIGATION: Shape = {
  fields: {
    obligationAddress: 'address',
    market: 'address',
    state: OBLIGATION_STATE,
    borrowOrder: { nullable: BORROW_ORDER },
    deposits: { list: POSITION },
    borrows: { list: POSITION },
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

function restObligation(obligation: GraphObligation, rule: NullRule) {
  const position = ({ reserveAddress, amount }: GraphPosition) => ({
    reserve: reserveAddress,
    mintAddress: amount.token.mint,
    amount: amount.baseUnits,
    marketValueRefreshed: rule.decimal(amount.usd),
  });
  return {
    obligationAddress: obligation.address,
    market: obligation.marketAddress,
    borrowOrder: obligation.borrowOrder && restOrder(obligation.borrowOrder),
    deposits: obligation.deposits.map(position),
    borrows: obligation.borrows.map(position),
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
  rounded: (body) => (body as Parameters<typeof roundedPositions>[0][]).map(roundedPositions),
  async twin(graph, variables, rule) {
    const { wallet } = await graph<{ wallet: { obligations: { nodes: GraphObligation[] } } }>(
      `query ($market: Address!, $owner: Address!) { wallet(address: $owner) {
          obligations(market: $market, first: 100) { nodes { ${FIELDS} } }
        } }`,
      variables,
    );
    return wallet.obligations.nodes.map((obligation) => restObligation(obligation, rule));
  },
};
