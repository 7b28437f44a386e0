import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import {
  BORROW_ORDER_GRAPH,
  BORROW_ORDER_OUTLOOK,
  type GraphBorrowOrder,
  restBorrowOrder,
} from './borrow-orders.ts';
import { type Amount, pascal, present } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import { TAGS } from './obligations.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrong } from './refusals.ts';
import { type GraphTicket, restTicket, TICKET, TICKET_FIELDS } from './withdraw-queues.ts';

const SECTION: Shape = {
  fields: {
    indexed: 'boolean',
    positionsRefreshedOn: { nullable: 'date' },
    pricesRefreshedOn: { nullable: 'date' },
    errors: { list: { fields: { code: 'label' } } },
  },
};

const TOKEN = {
  mint: 'address',
  symbol: 'label',
  amount: 'decimal',
  'value?': 'decimal',
  'price?': 'decimal',
} as const;

const OBLIGATION = {
  obligation: 'address',
  market: 'address',
  tag: { oneOf: TAGS },
  netValue: { nullable: 'decimal' },
  totalDepositValue: { nullable: 'decimal' },
  totalBorrowValue: { nullable: 'decimal' },
  ltv: { nullable: 'decimal' },
  maxLtv: { nullable: 'decimal' },
  liquidationLtv: { nullable: 'decimal' },
  leverage: { nullable: 'decimal' },
  deposits: {
    list: { fields: { ...TOKEN, reserve: 'address', maxLtv: 'decimal', liquidationLtv: 'decimal' } },
  },
  borrows: { list: { fields: { ...TOKEN, reserve: 'address', borrowFactor: 'decimal' } } },
  'borrowOrders?': { list: { fields: BORROW_ORDER_OUTLOOK } },
} as const satisfies Record<string, Shape>;

const LEVERAGED: Shape = {
  list: { fields: { ...OBLIGATION, 'depositMint?': 'address', 'borrowMint?': 'address' } },
};

const VAULTS: Shape = {
  list: {
    fields: {
      vault: 'address',
      tokenMint: 'address',
      symbol: 'label',
      name: 'string',
      nameVerified: 'boolean',
      'netValue?': 'decimal',
      shares: 'decimal',
      amount: 'decimal',
    },
  },
};

const PORTFOLIO: Shape = {
  fields: {
    timestamp: 'date',
    sections: {
      fields: {
        lending: SECTION,
        multiply: SECTION,
        leverage: SECTION,
        liquidity: SECTION,
        earn: SECTION,
        privateCredit: SECTION,
        staking: SECTION,
        'withdrawTickets?': SECTION,
      },
    },
    lending: { list: { fields: OBLIGATION } },
    multiply: LEVERAGED,
    leverage: LEVERAGED,
    liquidity: { list: 'anything', length: 0 },
    earn: VAULTS,
    privateCredit: VAULTS,
    staking: { list: { fields: { ...TOKEN, farm: 'address' } } },
    'withdrawTickets?': {
      list: { fields: { ...TICKET, reserve: 'address', mint: 'address', symbol: 'label' } },
    },
  },
};

export interface GraphToken {
  readonly mint: string;
  readonly symbol: string;
}

export type GraphAmount = Amount & { readonly token: GraphToken };

interface GraphPosition {
  readonly reserveAddress: string;
  readonly amount: GraphAmount;
  readonly reserve: { readonly price: { readonly usd: string } | null };
}

interface GraphObligation {
  readonly address: string;
  readonly marketAddress: string;
  readonly tag: string;
  readonly maxLtv: string | null;
  readonly stats: Readonly<Record<string, string>> | null;
  readonly deposits: readonly (GraphPosition & { maxLtv: string; liquidationLtv: string })[];
  readonly borrows: readonly (GraphPosition & {
    borrowFactor: string;
    rollover: { windowDays: number | null };
  })[];
  readonly borrowOrders: readonly GraphBorrowOrder[];
}

interface GraphVaultPosition {
  readonly totalShares: string;
  readonly value: GraphAmount | null;
  readonly vault: {
    readonly address: string;
    readonly name: string;
    readonly nameVerified: boolean;
    readonly isPrivateCredit: boolean;
    readonly token: GraphToken;
  };
}

interface GraphStake {
  readonly farm: { readonly address: string };
  readonly vault: { readonly address: string } | null;
  readonly reserve: { readonly address: string } | null;
  readonly amount: GraphAmount | null;
  readonly priceUsd: string | null;
}

type WalletTicket = GraphTicket & {
  readonly reserveAddress: string;
  readonly reserve: { readonly token: GraphToken };
};

interface GraphAnswer {
  readonly chain: { readonly blockTime: string };
  readonly wallet: {
    readonly obligations: { readonly nodes: readonly GraphObligation[] };
    readonly vaultPositions: { readonly nodes: readonly GraphVaultPosition[] };
    readonly stakes: readonly GraphStake[];
    readonly withdrawTickets: { readonly nodes: readonly WalletTicket[] };
  };
}

export const AMOUNT_FIELDS = 'amount { amount usd token { mint symbol } }';

const POSITION_FIELDS = `reserveAddress ${AMOUNT_FIELDS} reserve { price { usd } }`;

/** Content of `/portfolio` without the state of its sections. */
export const PORTFOLIO_QUERY = `query ($wallet: Address!) { chain { blockTime } wallet(address: $wallet) {
  obligations(first: 100) { nodes {
    address marketAddress tag maxLtv
    stats { netAccountValueUsd userTotalDepositUsd userTotalBorrowUsd loanToValue liquidationLtv leverage }
    deposits { ${POSITION_FIELDS} maxLtv liquidationLtv }
    borrows { ${POSITION_FIELDS} borrowFactor rollover { windowDays } }
    borrowOrders { ${BORROW_ORDER_GRAPH} }
  } }
  vaultPositions(first: 100) { nodes {
    totalShares value { amount usd } vault { address name nameVerified isPrivateCredit token { mint symbol } }
  } }
  stakes { farm { address } vault { address } reserve { address } ${AMOUNT_FIELDS} priceUsd }
  withdrawTickets(first: 100) { nodes {
    ${TICKET_FIELDS} reserveAddress reserve { token { mint symbol } }
  } }
} }`;

const tokenOf = ({ amount, usd, token }: GraphAmount, price: string | null | undefined) => ({
  mint: token.mint,
  symbol: token.symbol,
  amount,
  ...present({ value: usd, price }),
});

function obligationOf(obligation: GraphObligation) {
  const { address, marketAddress, tag, maxLtv, stats, deposits, borrows, borrowOrders } = obligation;
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
    ...(borrowOrders.length === 0 ? {} : { borrowOrders: borrowOrders.map(restBorrowOrder) }),
  };
}

const leveragedOf = (obligation: GraphObligation) => ({
  ...obligationOf(obligation),
  ...present({
    depositMint: obligation.deposits[0]?.amount.token.mint,
    borrowMint: obligation.borrows[0]?.amount.token.mint,
  }),
});

const vaultOf = ({ vault, totalShares, value }: GraphVaultPosition, rule: NullRule) => ({
  vault: vault.address,
  tokenMint: vault.token.mint,
  symbol: vault.token.symbol,
  name: vault.name,
  nameVerified: vault.nameVerified,
  ...present({ netValue: value?.usd }),
  shares: totalShares,
  amount: rule.decimal(value?.amount),
});

const ticketOf = ({ reserveAddress, reserve: { token }, ...ticket }: WalletTicket) => ({
  ...restTicket(ticket),
  reserve: reserveAddress,
  mint: token.mint,
  symbol: token.symbol,
});

function portfolioOf({ chain, wallet }: GraphAnswer, rule: NullRule) {
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

const STAGING_PROGRAM = 'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh';
const of = (wallet: string) => `/portfolio/${wallet}`;

export const wrongPortfolio = (url: (wallet: string) => string, wallet: string) => [
  badRequest('no address', url('nonsense'), 'wallet'),
  badRequest('no program', `${url(wallet)}?programId=nonsense`, 'programId'),
  { name: 'another program', ask: { url: `${url(wallet)}?programId=${STAGING_PROGRAM}` }, ...wrong },
];

export const PORTFOLIO_ROW: OperationRow = {
  method: 'get',
  path: of('{wallet}'),
  answer: PORTFOLIO,
  requests: ({ wallets, addresses: { wallet: own, queuedWallet } }) => [
    ...[...wallets, queuedWallet].map((wallet) => ({ url: of(wallet), variables: { wallet } })),
    { url: `${of(own)}?programId=${MAINNET_PROGRAMS.klend}`, variables: { wallet: own } },
  ],
  refusals: ({ addresses: { wallet } }) => wrongPortfolio(of, wallet),
  // Errors of the graph have a path instead of a section.
  without: ['sections'],
  twin: async (graph, variables, rule) =>
    portfolioOf(await graph<GraphAnswer>(PORTFOLIO_QUERY, variables), rule),
};
