import { type Amount, type Graph, type NullRule, type ParityRow, roundedPositions } from './parity-row.ts';

type GraphAmount = Amount & { readonly token: { readonly mint: string; readonly symbol: string } };

interface GraphPosition {
  readonly reserveAddress: string;
  readonly amount: GraphAmount;
  readonly reserve: { readonly price: { readonly usd: string } | null };
  readonly maxLtv: string;
  readonly liquidationLtv: string;
  readonly borrowFactor: string;
}

interface GraphObligation {
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
interface GraphOrder {
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
const ORDER = `debtMint requestedAmount remainingAmount destination maxBorrowRateBps minTermSeconds fillableUntil
  placedAt updatedAt active autoRollover`;

const restOrder = (order: GraphOrder) => ({
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

const OBLIGATION = `address tag tagNumber marketAddress market { closeFactor } owner { address }
  elevationGroup { number } maxLtv borrowOrder { ${ORDER} }
  stats { ${FIGURES.map(([, name]) => name).join(' ')} potentialElevationGroupUpdate }
  deposits { ${AMOUNT} maxLtv liquidationLtv } borrows { ${AMOUNT} borrowFactor }`;

/** `LENDING_FIXED_RATE` as REST writes it: `LendingFixedRate`. */
const humanTag = (tag: string) =>
  tag
    .split('_')
    .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
    .join('');

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
    humanTag: humanTag(obligation.tag),
  };
}

type Capacities = Readonly<Record<string, Amount | null>>;

/** The maximum amounts of each reserve, in a second query because the first does not know the reserves. */
async function capacities(
  graph: Graph,
  { address, deposits, borrows }: GraphObligation,
): Promise<Capacities> {
  const asked = [
    ...deposits.map(({ reserveAddress }) => ['maxWithdraw', reserveAddress] as const),
    ...borrows.map(({ reserveAddress }) => ['maxBorrow', reserveAddress] as const),
  ].map(([field, reserve]) => `${field}${reserve}: ${field}(reserve: "${reserve}") { amount usd }`);
  if (asked.length === 0) return {};
  const { obligation } = await graph<{ obligation: Capacities }>(
    `query ($address: Address!) { obligation(address: $address) { ${asked.join('\n')} } }`,
    { address },
  );
  return obligation;
}

interface Chain {
  readonly slot: string;
  readonly blockTime: string;
}

function restLoan(obligation: GraphObligation, chain: Chain, most: Capacities, rule: NullRule) {
  const { stats } = obligation;
  const token = ({ amount, reserve }: GraphPosition) => ({
    tokenMint: amount.token.mint,
    tokenName: amount.token.symbol,
    tokenAmount: amount.amount,
    tokenValue: rule.decimal(amount.usd),
    tokenPrice: rule.number(reserve.price?.usd),
  });
  return {
    loanId: obligation.address,
    marketId: obligation.marketAddress,
    user: obligation.owner.address,
    timestamp: Date.parse(chain.blockTime),
    solanaSlot: Number(chain.slot),
    elevationGroup: obligation.elevationGroup?.number ?? 0,
    leverage: rule.number(stats?.leverage),
    loanInfo: {
      collateral: {
        deposits: obligation.deposits.map((deposit) => {
          const free = most[`maxWithdraw${deposit.reserveAddress}`];
          return {
            ...token(deposit),
            maxLtv: Number(deposit.maxLtv),
            liquidationLtv: Number(deposit.liquidationLtv),
            maxWithdrawableAmount: rule.number(free?.amount),
            maxWithdrawableValue: rule.decimal(free?.usd),
          };
        }),
      },
      debt: {
        borrows: obligation.borrows.map((borrow) => {
          const free = most[`maxBorrow${borrow.reserveAddress}`];
          return {
            ...token(borrow),
            borrowFactor: Number(borrow.borrowFactor),
            maxBorrowableAmount: rule.number(free?.amount),
            maxBorrowableValue: rule.decimal(free?.usd),
          };
        }),
      },
      currentLtv: rule.number(stats?.loanToValue),
      maxLtv: rule.number(obligation.maxLtv),
      liquidationLtv: rule.number(stats?.liquidationLtv),
      closeFactor: Number(obligation.market.closeFactor),
    },
  };
}

export const OBLIGATION_PARITY: readonly ParityRow[] = [
  {
    path: '/klend/loans/{pubkey}',
    cases: ({ obligations }) =>
      obligations.map(({ address }) => ({ url: `/klend/loans/${address}`, variables: { address } })),
    async twin(graph, variables, rule) {
      const { obligation, chain } = await graph<{ obligation: GraphObligation; chain: Chain }>(
        `query ($address: Address!) { chain { slot blockTime } obligation(address: $address) { ${OBLIGATION} } }`,
        variables,
      );
      return restLoan(obligation, chain, await capacities(graph, obligation), rule);
    },
  },
  {
    path: '/svc-market/{marketPubkey}/users/{userPubkey}/obligations',
    // The graph has the account as bytes; the relations decode them.
    without: ['state'],
    sortBy: 'obligationAddress',
    rounded: (body) => (body as Parameters<typeof roundedPositions>[0][]).map(roundedPositions),
    cases: ({ obligations, addresses: { market, emptyWallet } }) =>
      [...obligations, { market, owner: emptyWallet }].map(({ market, owner }) => ({
        url: `/svc-market/${market}/users/${owner}/obligations`,
        variables: { market, owner },
      })),
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{ wallet: { obligations: { nodes: GraphObligation[] } } }>(
        `query ($market: Address!, $owner: Address!) { wallet(address: $owner) {
          obligations(market: $market, first: 100) { nodes { ${OBLIGATION} } }
        } }`,
        variables,
      );
      return wallet.obligations.nodes.map((obligation) => restObligation(obligation, rule));
    },
  },
];
