import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import { type GraphTransaction, LENDING_TRANSACTION, restRow as lendingRow } from './lending-transactions.ts';
import type { NullRule } from './null-rule.ts';
import type { Graph, OperationRequest, OperationRow, Refusal, Variables } from './operation-row.ts';
import {
  QUEUE_TRANSACTION_FIELDS,
  type QueueTransaction,
  restRow as queueRow,
} from './queue-transactions.ts';
import { wrong } from './refusals.ts';
import { VAULT_TRANSACTION, type VaultTransaction, restRow as vaultRow } from './vault-transactions.ts';

/** Bulk reads of transactions, which need an API key. */

const {
  createdOn: _c,
  timestamp: _t,
  transactionSignature: _s,
  obligationType: _o,
  ...lendingIx
} = LENDING_TRANSACTION;

const OBLIGATION_ROW: Shape = {
  fields: {
    ixs: { list: { fields: { reserve: 'address', ...lendingIx } } },
    timestamp: 'date',
    signature: 'label',
    obligation: 'address',
    wallet: 'address',
  },
};

const {
  createdOn: _qc,
  timestamp: _qt,
  transactionSignature: _qs,
  reserve: _qr,
  withdrawTicket: _qw,
  ...queueIx
} = QUEUE_TRANSACTION_FIELDS;

const QUEUE_ROW: Shape = {
  fields: {
    ixs: { list: { fields: queueIx } },
    timestamp: 'date',
    signature: 'label',
    wallet: 'address',
    reserve: 'address',
    withdrawTicket: 'address',
  },
};

type Owned = { readonly wallet: { readonly address: string } | null };
type Lending = GraphTransaction & Owned & { readonly reserveAddress: string };

const NO_WALLET = '11111111111111111111111111111111';

const LENDING_FIELDS = `createdAt signature instruction kind side secondPart marketAddress obligationAddress
  obligationTag reserveAddress wallet { address } reserve { token { mint symbol } } liquidity { amount }
  tokenPriceUsd solPriceUsd valueUsd`;

const QUEUE_FIELDS = `createdAt signature instruction kind ticketAddress marketAddress reserveAddress
  wallet { address } reserve { token { mint symbol } } liquidity { amount } tokenPriceUsd solPriceUsd valueUsd`;

const VAULT_FIELDS = `createdAt signature wallet { address } vault { address } reserveAddress
  reserve { marketAddress } tokens { amount } shares sharePriceUsd tokenPriceUsd solPriceUsd`;

const lendingQuery = (name: string, type: string, field: string, fields: string) =>
  `query ($address: Address!, $what: ${type}!, $range: TimeRange, $after: String) { market(address: $address) {
    list: ${field}(${name}: $what, range: $range, first: 100, after: $after) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } complete
    } } }`;

const OF_OBLIGATIONS = lendingQuery('instruction', 'String', 'transactions', LENDING_FIELDS);
const OF_QUEUES = lendingQuery(
  'kind',
  'WithdrawQueueTransactionKind',
  'withdrawQueueTransactions',
  QUEUE_FIELDS,
);
const OF_VAULTS = `query ($what: String!, $range: TimeRange, $after: String) {
  list: vaultTransactions(instruction: $what, range: $range, first: 100, after: $after) {
    nodes { ${VAULT_FIELDS} } pageInfo { hasNextPage endCursor } complete
  } }`;

interface List<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
}

async function everything<T>(
  read: (after: Text) => Promise<List<T>>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const all: T[] = [];
  for (let after: Text = null, more = true; more && all.length < most; ) {
    const { nodes, pageInfo } = await read(after);
    all.push(...nodes);
    ({ hasNextPage: more, endCursor: after } = pageInfo);
  }
  return all.slice(0, most);
}

/** Rows in the order of their first transaction, and in each the instructions as they were executed. */
function grouped<T, R>(
  list: readonly T[],
  keyOf: (each: T) => string,
  rowOf: (group: readonly T[]) => R,
): R[] {
  const keys = [...new Set(list.map(keyOf))];
  return keys.map((key) => rowOf(list.filter((each) => keyOf(each) === key).reverse()));
}

function obligationRows(list: readonly Lending[], rule: NullRule) {
  return grouped(
    list,
    ({ signature, obligationAddress }) => `${signature} ${obligationAddress}`,
    (group) => {
      const [first] = group as [Lending];
      return {
        ixs: group.map((each) => {
          const { createdOn, timestamp, transactionSignature, obligationType, ...ix } = lendingRow(
            each,
            rule,
          );
          return { reserve: each.reserveAddress, ...ix };
        }),
        timestamp: first.createdAt,
        signature: first.signature,
        obligation: first.obligationAddress,
        wallet: first.wallet?.address ?? NO_WALLET,
      };
    },
  );
}

type Queued = QueueTransaction & { readonly wallet: { readonly address: string } };

function queueRows(list: readonly Queued[], rule: NullRule) {
  return grouped(
    list,
    ({ signature, ticketAddress }) => `${signature} ${ticketAddress}`,
    (group) => {
      const [first] = group as [Queued];
      return {
        ixs: group.map((each) => {
          const { createdOn, timestamp, transactionSignature, reserve, withdrawTicket, ...ix } = queueRow(
            each,
            rule,
          );
          return ix;
        }),
        timestamp: first.createdAt,
        signature: first.signature,
        wallet: first.wallet.address,
        reserve: first.reserveAddress,
        withdrawTicket: first.ticketAddress,
      };
    },
  );
}

const obligationsOf = (graph: Graph, variables: Variables) =>
  everything(
    async (after) =>
      (await graph<{ market: { list: List<Lending> } }>(OF_OBLIGATIONS, { ...variables, after })).market.list,
  );

const ofMarket = (version: string, market: string) => `/${version}/svc-market/${market}/transactions`;
const OF_ALL_VAULTS = '/kvaults/transactions';

const [DEPOSIT, BORROW, LIQUIDATE] = [
  'depositReserveLiquidityAndObligationCollateralV2',
  'borrowObligationLiquidityV2',
  'liquidateObligationAndRedeemReserveCollateralV2',
];
const RANGE = { start: '2026-05-30', end: '2026-05-31' };

const marketRequests = (version: string, market: string): OperationRequest[] => [
  ...[DEPOSIT, BORROW, LIQUIDATE].map((instruction) => ({
    url: ofMarket(version, market),
    body: { instruction },
    variables: { address: market, what: instruction },
  })),
  {
    url: `${ofMarket(version, market)}?includeRawJson=off`,
    body: { instruction: DEPOSIT, ...RANGE },
    variables: { address: market, what: DEPOSIT, range: RANGE },
  },
];

/** Inputs that every bulk read refuses, given one that it accepts. */
function refusalsOf(url: string, body: Readonly<Record<string, unknown>>): Refusal[] {
  const bad = (name: string, at: string, sent: object, query = '') => ({
    name,
    ask: { url: `${url}${query}`, body: sent },
    ...wrong,
    at,
  });
  return [
    { name: 'no key', ask: { url, body, withoutKey: true }, status: 401, code: 'UNAUTHENTICATED' },
    bad('no instruction', 'instruction', {}),
    bad('an unknown instruction', 'instruction', { instruction: 'refreshReserve' }),
    bad('reversed', 'start', { ...body, start: '2026-02-01', end: '2026-01-01' }),
    bad('a date that is none', 'start', { ...body, start: true }),
    bad('a token that is none', 'paginationToken', { ...body, paginationToken: 'nonsense' }),
    bad('no switch', 'includeRawJson', body, '?includeRawJson=maybe'),
    bad('no program', 'programId', body, '?programId=nonsense'),
    {
      name: 'another program',
      ask: { url: `${url}?programId=${NO_WALLET}`, body },
      ...wrong,
    },
  ];
}

const marketRefusals = (version: string, market: string, wallet: string): Refusal[] => [
  ...refusalsOf(ofMarket(version, market), { instruction: DEPOSIT }),
  {
    name: 'no address',
    ask: { url: ofMarket(version, 'nonsense'), body: { instruction: DEPOSIT } },
    ...wrong,
    at: 'pubkey',
  },
  {
    name: 'a market that is none',
    ask: { url: ofMarket(version, wallet), body: { instruction: DEPOSIT } },
    status: 400,
    code: 'KLEND_MARKET_NOT_FOUND',
  },
];

export const BULK_TRANSACTION_ROWS: readonly OperationRow[] = [
  {
    method: 'post',
    path: ofMarket('v2', '{pubkey}'),
    answer: { fields: { result: { list: OBLIGATION_ROW }, 'paginationToken?': 'label' } },
    requests: ({ addresses: { market } }) => marketRequests('v2', market),
    refusals: ({ addresses: { market, emptyWallet } }) => [
      ...marketRefusals('v2', market, emptyWallet),
      {
        name: 'an instruction of withdraw queues',
        ask: { url: ofMarket('v2', market), body: { instruction: 'enqueueToWithdraw' } },
        ...wrong,
        at: 'instruction',
      },
    ],
    without: ['paginationToken'],
    async twin(graph, variables, rule) {
      return { result: obligationRows(await obligationsOf(graph, variables), rule) };
    },
  },
  {
    method: 'post',
    path: ofMarket('v3', '{pubkey}'),
    answer: {
      fields: {
        obligationTransactions: { list: OBLIGATION_ROW },
        withdrawQueueTransactions: { list: QUEUE_ROW },
        'paginationToken?': 'label',
      },
    },
    requests: ({ addresses: { market, queuedMarket } }) => [
      ...marketRequests('v3', market).slice(0, 2),
      ...(
        [
          ['enqueueToWithdraw', 'ENQUEUE'],
          ['withdrawQueuedLiquidity', 'WITHDRAW'],
          ['cancelWithdrawTicket', 'CANCEL'],
          ['recoverInvalidTicketCollateral', 'RECOVER'],
        ] as const
      ).map(([instruction, what]) => ({
        url: ofMarket('v3', queuedMarket),
        body: { instruction },
        variables: { address: queuedMarket, what, isQueue: true },
      })),
    ],
    refusals: ({ addresses: { market, emptyWallet } }) => marketRefusals('v3', market, emptyWallet),
    without: ['paginationToken'],
    async twin(graph, { isQueue, ...variables }, rule) {
      if (isQueue !== true) {
        const rows = obligationRows(await obligationsOf(graph, variables), rule);
        return { obligationTransactions: rows, withdrawQueueTransactions: [] };
      }
      const list = await everything(
        async (after) =>
          (await graph<{ market: { list: List<Queued> } }>(OF_QUEUES, { ...variables, after })).market.list,
      );
      return { obligationTransactions: [], withdrawQueueTransactions: queueRows(list, rule) };
    },
  },
  {
    method: 'post',
    path: OF_ALL_VAULTS,
    answer: { fields: { result: { list: VAULT_TRANSACTION }, 'paginationToken?': 'label' } },
    requests: () => [
      { url: OF_ALL_VAULTS, body: { instruction: 'withdraw' }, variables: { what: 'withdraw' } },
      { url: OF_ALL_VAULTS, body: { instruction: 'buy' }, variables: { what: 'buy' } },
      {
        url: `${OF_ALL_VAULTS}?includeRawJson=0`,
        body: { instruction: 'deposit', ...RANGE },
        variables: { what: 'deposit', range: RANGE },
      },
    ],
    refusals: () => refusalsOf(OF_ALL_VAULTS, { instruction: 'buy' }),
    without: ['paginationToken'],
    async twin(graph, variables, rule) {
      const list = await everything(
        async (after) =>
          (await graph<{ list: List<VaultTransaction> }>(OF_VAULTS, { ...variables, after })).list,
        1_000,
      );
      return { result: list.map((each) => vaultRow(each, rule)) };
    },
  },
];
