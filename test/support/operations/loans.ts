import type { Shape } from '../contract/field-shapes.ts';
import type { Amount } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import { FIELDS, type GraphObligation, type GraphPosition } from './obligations.ts';
import type { Graph, OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

const DEPOSIT: Shape = {
  fields: {
    tokenMint: 'address',
    tokenName: 'label',
    tokenAmount: 'decimal',
    tokenValue: 'decimal',
    maxLtv: 'number',
    liquidationLtv: 'number',
    maxWithdrawableAmount: 'number',
    maxWithdrawableValue: 'decimal',
    tokenPrice: 'number',
  },
};

const BORROW: Shape = {
  fields: {
    tokenMint: 'address',
    tokenName: 'label',
    tokenAmount: 'decimal',
    tokenValue: 'decimal',
    maxBorrowableAmount: 'number',
    maxBorrowableValue: 'decimal',
    tokenPrice: 'number',
    borrowFactor: 'number',
  },
};

const LOAN: Shape = {
  fields: {
    loanId: 'address',
    marketId: 'address',
    user: 'address',
    timestamp: 'epochMs',
    solanaSlot: 'integer',
    elevationGroup: 'integer',
    leverage: 'number',
    loanInfo: {
      fields: {
        collateral: { fields: { deposits: { list: DEPOSIT } } },
        debt: { fields: { borrows: { list: BORROW } } },
        currentLtv: 'number',
        maxLtv: 'number',
        liquidationLtv: 'number',
        closeFactor: 'number',
      },
    },
  },
};

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

const of = (obligation: string) => `/klend/loans/${obligation}`;

export const LOAN_ROW: OperationRow = {
  method: 'get',
  path: of('{pubkey}'),
  answer: LOAN,
  requests: ({ obligations, addresses: { obligation } }) => [
    ...obligations.map(({ address }) => ({ url: of(address), variables: { address } })),
    { url: `${of(obligation)}?env=localnet`, variables: { address: obligation } },
  ],
  refusals: ({ addresses: { obligation, vault, emptyWallet, market } }) => [
    badRequest('no address', of('nonsense'), 'pubkey'),
    { name: 'nothing there', ask: { url: of(emptyWallet) }, status: 404 },
    { name: 'a vault', ask: { url: of(vault) }, status: 404 },
    { name: 'a market', ask: { url: of(market) }, status: 404 },
    ...wrongEnv(of(obligation)),
  ],
  async twin(graph, variables, rule) {
    const { obligation, chain } = await graph<{ obligation: GraphObligation; chain: Chain }>(
      `query ($address: Address!) { chain { slot blockTime } obligation(address: $address) { ${FIELDS} } }`,
      variables,
    );
    return restLoan(obligation, chain, await capacities(graph, obligation), rule);
  },
};
