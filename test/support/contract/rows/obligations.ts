import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';
import { BORROW_ORDER, OBLIGATION_STATE } from './obligation-state.ts';

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

const POSITION: Shape = {
  fields: {
    reserve: 'address',
    mintAddress: 'address',
    amount: 'decimal',
    marketValueRefreshed: 'decimal',
  },
};

const TAGS = [
  'Vanilla',
  'Multiply',
  'Lending',
  'Leverage',
  'LendingFixedRate',
  'MultiplyFixedRate',
  'LeverageFixedRate',
];

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

const loan = (address: string) => `/klend/loans/${address}`;
const user = (market: string, wallet: string) => `/svc-market/${market}/users/${wallet}/obligations`;
const wrong = { status: 400, code: 'BAD_REQUEST' };
const missing = { status: 404 };

export const OBLIGATION_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: '/klend/loans/{pubkey}',
    answer: LOAN,
    asks: ({ obligations, addresses }) => [
      ...obligations.map(({ address }) => ({ url: loan(address) })),
      { url: `${loan(addresses.obligation)}?env=localnet` },
    ],
    refusals: ({ addresses: { obligation, vault, emptyWallet, market } }) => [
      { name: 'no address', ask: { url: loan('nonsense') }, ...wrong, at: 'pubkey' },
      { name: 'nothing there', ask: { url: loan(emptyWallet) }, ...missing },
      { name: 'a vault', ask: { url: loan(vault) }, ...missing },
      { name: 'a market', ask: { url: loan(market) }, ...missing },
      ...wrongEnv(loan(obligation)),
    ],
  },
  {
    method: 'get',
    path: '/svc-market/{marketPubkey}/users/{userPubkey}/obligations',
    answer: { list: OBLIGATION },
    asks: ({ obligations, addresses: { market, emptyWallet } }) => [
      ...obligations.map((each) => ({ url: user(each.market, each.owner) })),
      { url: user(market, emptyWallet) },
    ],
    refusals: ({ addresses: { market, wallet } }) => [
      { name: 'no market', ask: { url: user('nonsense', wallet) }, ...wrong, at: 'marketPubkey' },
      { name: 'no user', ask: { url: user(market, 'nonsense') }, ...wrong, at: 'userPubkey' },
      ...wrongEnv(user(market, wallet)),
    ],
  },
];
