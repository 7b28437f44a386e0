import type { Amount, NullRule, ParityRow } from './parity-row.ts';

interface Token {
  readonly mint: string;
  readonly symbol: string;
}
type GraphAmount = Amount & { readonly token: Token };

interface Position {
  readonly reserveAddress: string;
  readonly amount: GraphAmount;
  readonly reserve: { readonly price: { readonly usd: string } | null };
}

interface Obligation {
  readonly address: string;
  readonly marketAddress: string;
  readonly tag: string;
  readonly maxLtv: string | null;
  readonly stats: Readonly<Record<string, string>> | null;
  readonly deposits: readonly (Position & { maxLtv: string; liquidationLtv: string })[];
  readonly borrows: readonly (Position & { borrowFactor: string; rollover: { windowDays: number | null } })[];
}

interface VaultPosition {
  readonly totalShares: string;
  readonly value: GraphAmount | null;
  readonly vault: {
    readonly address: string;
    readonly name: string;
    readonly isPrivateCredit: boolean;
    readonly token: Token;
  };
}

interface Stake {
  readonly address: string;
  readonly farm: { readonly address: string };
  readonly vault: { readonly address: string } | null;
  readonly reserve: { readonly address: string } | null;
  readonly delegatee: string;
  readonly position: string;
  readonly positionMints: readonly string[];
  readonly activeStake: string;
  readonly amount: GraphAmount | null;
  readonly priceUsd: string | null;
  readonly rewards: readonly {
    readonly amount: GraphAmount;
    readonly index: number;
    readonly type: string;
    readonly tokenProgram: string;
  }[];
}

interface Ticket {
  readonly address: string;
  readonly reserveAddress: string;
  readonly sequenceNumber: string;
  readonly state: string;
  readonly ticketsAhead: string | null;
  readonly createdAt: string;
  readonly collateral: string;
  readonly amount: GraphAmount;
}

interface Answer {
  readonly chain: { readonly blockTime: string };
  readonly wallet: {
    readonly obligations: { readonly nodes: readonly Obligation[] };
    readonly vaultPositions: { readonly nodes: readonly VaultPosition[] };
    readonly stakes: readonly Stake[];
    readonly withdrawTickets: { readonly nodes: readonly Ticket[] };
  };
}

const AMOUNT = 'amount { amount usd token { mint symbol } }';
const POSITION = `reserveAddress ${AMOUNT} reserve { price { usd } }`;
/** What `/portfolio` has, without the state of its sections. */
export const PORTFOLIO_QUERY = `query ($wallet: Address!) { chain { blockTime } wallet(address: $wallet) {
  obligations(first: 100) { nodes {
    address marketAddress tag maxLtv
    stats { netAccountValueUsd userTotalDepositUsd userTotalBorrowUsd loanToValue liquidationLtv leverage }
    deposits { ${POSITION} maxLtv liquidationLtv }
    borrows { ${POSITION} borrowFactor rollover { windowDays } }
  } }
  vaultPositions(first: 100) { nodes {
    totalShares value { amount usd } vault { address name isPrivateCredit token { mint symbol } }
  } }
  stakes { farm { address } vault { address } reserve { address } ${AMOUNT} priceUsd }
  withdrawTickets(first: 100) { nodes {
    address reserveAddress sequenceNumber state ticketsAhead createdAt collateral ${AMOUNT}
  } }
} }`;

const REWARDS_QUERY = `query ($wallet: Address!) { chain { blockTime } wallet(address: $wallet) { stakes {
  address farm { address } delegatee vault { address } position positionMints activeStake
  rewards { ${AMOUNT} index type tokenProgram }
} } }`;

/** LENDING_FIXED_RATE as LendingFixedRate. */
const pascal = (name: string) =>
  name
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

const present = (fields: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const tokenOf = ({ amount, usd, token }: GraphAmount, price: string | null | undefined) => ({
  mint: token.mint,
  symbol: token.symbol,
  amount,
  ...present({ value: usd, price }),
});

function obligationOf({ address, marketAddress, tag, maxLtv, stats, deposits, borrows }: Obligation) {
  return {
    obligation: address,
    market: marketAddress,
    tag: pascal(tag),
    netValue: stats?.netAccountValueUsd ?? null,
    totalDepositValue: stats?.userTotalDepositUsd ?? null,
    totalBorrowValue: stats?.userTotalBorrowUsd ?? null,
    ltv: stats?.loanToValue ?? null,
    maxLtv,
    liquidationLtv: stats?.liquidationLtv ?? null,
    leverage: stats?.leverage ?? null,
    deposits: deposits.map((each) => ({
      ...tokenOf(each.amount, each.reserve.price?.usd),
      reserve: each.reserveAddress,
      maxLtv: each.maxLtv,
      liquidationLtv: each.liquidationLtv,
    })),
    borrows: borrows.map((each) => ({
      ...tokenOf(each.amount, each.reserve.price?.usd),
      reserve: each.reserveAddress,
      borrowFactor: each.borrowFactor,
      ...(each.rollover.windowDays === null ? {} : { rolloverWindowDays: each.rollover.windowDays }),
    })),
  };
}

const leveragedOf = (obligation: Obligation) => ({
  ...obligationOf(obligation),
  ...present({
    depositMint: obligation.deposits[0]?.amount.token.mint,
    borrowMint: obligation.borrows[0]?.amount.token.mint,
  }),
});

const vaultOf = ({ vault, totalShares, value }: VaultPosition, rule: NullRule) => ({
  vault: vault.address,
  tokenMint: vault.token.mint,
  symbol: vault.token.symbol,
  name: vault.name,
  ...present({ netValue: value?.usd }),
  shares: totalShares,
  amount: rule.decimal(value?.amount),
});

const ticketOf = ({ address, reserveAddress, createdAt, collateral, amount, ...ticket }: Ticket) => ({
  ticket: address,
  reserve: reserveAddress,
  createdOn: createdAt,
  collateralAmount: collateral,
  sequenceNumber: ticket.sequenceNumber,
  state: ticket.state,
  ...present({ ticketsAhead: ticket.ticketsAhead }),
  ...tokenOf(amount, null),
});

function portfolioOf({ chain, wallet }: Answer, rule: NullRule) {
  const open = wallet.obligations.nodes.filter(
    ({ deposits, borrows }) => deposits.length + borrows.length > 0,
  );
  const tagged = (word: string) => open.filter(({ tag }) => tag.startsWith(word));
  const [multiply, leverage] = [tagged('MULTIPLY'), tagged('LEVERAGE')];
  const vaults = (credit: boolean) =>
    wallet.vaultPositions.nodes
      .filter(({ vault }) => vault.isPrivateCredit === credit)
      .map((each) => vaultOf(each, rule));
  return {
    timestamp: chain.blockTime,
    lending: open.filter((each) => ![...multiply, ...leverage].includes(each)).map(obligationOf),
    multiply: multiply.map(leveragedOf),
    leverage: leverage.map(leveragedOf),
    liquidity: [],
    earn: vaults(false),
    privateCredit: vaults(true),
    staking: wallet.stakes.flatMap(({ farm, vault, reserve, amount, priceUsd }) =>
      vault !== null || reserve !== null || amount === null || amount.amount === '0'
        ? []
        : [{ ...tokenOf(amount, priceUsd), farm: farm.address }],
    ),
    ...(wallet.withdrawTickets.nodes.length === 0
      ? {}
      : { withdrawTickets: wallet.withdrawTickets.nodes.map(ticketOf) }),
  };
}

/** Queries, and the types that each asks for. */
const REWARD_TYPES = [
  ['', 'PROPORTIONAL', 'CONSTANT'],
  ['?rewardTypes=0', 'PROPORTIONAL'],
  ['?rewardTypes=1', 'CONSTANT'],
] as const;

const POSITION_TYPES: Readonly<Record<string, string>> = { LEND: 'Lend', BORROW_MARKETS: 'Borrow Markets' };

const rewardsOf = ({ chain, wallet }: Answer, types: readonly string[]) => ({
  timestamp: chain.blockTime,
  farms: wallet.stakes.map((stake) => ({
    farm: stake.farm.address,
    userState: stake.address,
    delegatee: stake.delegatee,
    ...present({ vault: stake.vault?.address }),
    positionType: POSITION_TYPES[stake.position] ?? pascal(stake.position),
    activeStakeAmount: stake.activeStake,
    ...(stake.positionMints.length === 0 ? {} : { tokenMints: stake.positionMints }),
    rewards: stake.rewards
      .filter(({ type }) => types.includes(type))
      .map(({ amount, index, type, tokenProgram }) => ({
        mint: amount.token.mint,
        amount: amount.amount,
        index,
        type: type === 'CONSTANT' ? 1 : 0,
        tokenProgram,
      })),
  })),
});

export const PORTFOLIO_PARITY: readonly ParityRow[] = [
  {
    path: '/portfolio/{wallet}',
    // Errors of the graph have a path instead of a section.
    without: ['sections'],
    cases: ({ wallets }) => wallets.map((wallet) => ({ url: `/portfolio/${wallet}`, variables: { wallet } })),
    twin: async (graph, variables, rule) =>
      portfolioOf(await graph<Answer>(PORTFOLIO_QUERY, variables), rule),
  },
  {
    path: '/portfolio/{wallet}/rewards',
    cases: ({ wallets }) =>
      wallets.map((wallet, i) => {
        const [query, ...types] = REWARD_TYPES[i % REWARD_TYPES.length] ?? [];
        return { url: `/portfolio/${wallet}/rewards${query}`, variables: { wallet, types } };
      }),
    twin: async (graph, { wallet, types }) =>
      rewardsOf(await graph<Answer>(REWARDS_QUERY, { wallet }), types as readonly string[]),
  },
];
