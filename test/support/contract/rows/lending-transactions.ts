import type { Shape } from '../field-shapes.ts';
import type { ContractRow, Refusal } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';

const FIELDS: Readonly<Record<string, Shape>> = {
  createdOn: 'date',
  timestamp: 'epochMs',
  transactionSignature: 'label',
  transactionName: {
    oneOf: [
      'depositReserveLiquidityAndObligationCollateral',
      'borrowObligationLiquidity',
      'repayObligationLiquidity',
      'withdrawObligationCollateralAndRedeemReserveCollateral',
      'depositObligationCollateral',
      'withdrawObligationCollateral',
      'liquidateObligationAndRedeemReserveCollateral',
    ]
      .flatMap((name) => [name, `${name}V2`])
      .concat('repayAndWithdrawAndRedeem', 'depositAndWithdraw'),
  },
  transactionDisplayName: { oneOf: ['Deposit', 'Withdraw', 'Borrow', 'Repay', 'Liquidation'] },
  liquidityToken: 'label',
  liquidityTokenMint: 'address',
  liquidityTokenAmount: 'decimal',
  'liquidityTokenPrice?': 'decimal',
  'solPrice?': 'decimal',
  'liquidityUsdValue?': 'decimal',
  isLiquidationWithdrawal: 'boolean',
  obligationType: {
    oneOf: ['Lending', 'Multiply', 'Leverage']
      .flatMap((tag) => [tag, `${tag}FixedRate`])
      .concat('Vanilla', 'Unknown'),
  },
  'isSecondPartOfCompositeIx?': 'boolean',
};

const BY_OBLIGATION: Shape = { map: { list: { fields: FIELDS } } };

const ofUser = (user: string) => `/v2/svc-market/users/${user}/transactions`;
const inMarket = (market: string, user: string) => `/v2/svc-market/${market}/users/${user}/transactions`;
const ofObligation = (market: string, obligation: string) =>
  `/v2/svc-market/${market}/obligations/${obligation}/transactions`;

const wrong = { status: 400, code: 'BAD_REQUEST' };

const wrongInput = (url: string): Refusal[] => [
  { name: 'no order', ask: { url: `${url}?sort=newest` }, ...wrong, at: 'sort' },
  { name: 'sort twice', ask: { url: `${url}?sort=asc&sort=asc` }, ...wrong, at: 'sort' },
  ...wrongEnv(url),
];

const queries = ['', '?sort=asc', '?sort=desc&env=localnet'];

export const LENDING_TRANSACTION_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: ofUser('{userPubkey}'),
    answer: { list: { fields: { market: 'address', obligations: BY_OBLIGATION } } },
    asks: ({ wallets, addresses: { wallet } }) => [
      ...wallets.map((each) => ({ url: ofUser(each) })),
      ...queries.map((query) => ({ url: `${ofUser(wallet)}${query}` })),
    ],
    refusals: ({ addresses: { wallet } }) => [
      { name: 'no address', ask: { url: ofUser('nonsense') }, ...wrong, at: 'userPubkey' },
      ...wrongInput(ofUser(wallet)),
    ],
  },
  {
    method: 'get',
    path: inMarket('{marketPubkey}', '{userPubkey}'),
    answer: BY_OBLIGATION,
    asks: ({ obligations, addresses: { market, wallet, emptyWallet } }) => [
      { url: inMarket(market, emptyWallet) },
      ...obligations.slice(0, 5).map((each) => ({ url: inMarket(each.market, each.owner) })),
      ...queries.map((query) => ({ url: `${inMarket(market, wallet)}${query}` })),
    ],
    refusals: ({ addresses: { market, wallet, emptyWallet } }) => [
      { name: 'no market', ask: { url: inMarket('nonsense', wallet) }, ...wrong, at: 'marketPubkey' },
      { name: 'no address', ask: { url: inMarket(market, 'nonsense') }, ...wrong, at: 'userPubkey' },
      {
        name: 'a market that is none',
        ask: { url: inMarket(emptyWallet, wallet) },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...wrongInput(inMarket(market, wallet)),
    ],
  },
  {
    method: 'get',
    path: ofObligation('{marketPubkey}', '{obligationPubkey}'),
    answer: {
      fields: { transactions: { list: { fields: { ...FIELDS, obligation: 'address' } } } },
    },
    asks: ({ obligations, addresses: { market, obligation } }) => [
      ...obligations.map((each) => ({ url: ofObligation(each.market, each.address) })),
      ...queries.map((query) => ({ url: `${ofObligation(market, obligation)}${query}` })),
    ],
    refusals: ({ markets, addresses: { market, obligation, emptyWallet, vault } }) => [
      { name: 'no market', ask: { url: ofObligation('nonsense', obligation) }, ...wrong, at: 'marketPubkey' },
      {
        name: 'no obligation',
        ask: { url: ofObligation(market, 'nonsense') },
        ...wrong,
        at: 'obligationPubkey',
      },
      {
        name: 'a market that is none',
        ask: { url: ofObligation(emptyWallet, obligation) },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...[emptyWallet, vault].map((each) => ({
        name: `no obligation at ${each}`,
        ask: { url: ofObligation(market, each) },
        status: 400,
        code: 'KLEND_OBLIGATION_NOT_FOUND',
      })),
      ...markets
        .filter((each) => each !== market)
        .map((each) => ({ name: 'another market', ask: { url: ofObligation(each, obligation) }, ...wrong })),
      ...wrongInput(ofObligation(market, obligation)),
    ],
  },
];
