import type { z } from '@hono/zod-openapi';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { farmEventList } from '../../services/history/vault-positions/farm-events.ts';
import {
  type FarmManagementEvent,
  type FarmTransaction,
  farmManagement,
  farmTransactions,
} from '../../services/history/vault-positions/farm-transactions.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { UserParams } from '../vault-positions/schemas.ts';
import {
  FarmManagementHistory,
  FarmManagementParams,
  FarmManagementQuery,
  FarmParams,
  FarmTransactionQuery,
  FarmTransactions,
  MAX_UNPAGED,
  UserFarmTransactionQuery,
  UserFarmTransactions,
} from './schemas.ts';

const INSTRUCTIONS = {
  stake: 'deposit',
  unstake: 'pending-withdraw',
  withdraw: 'withdraw',
  harvest: 'claim',
} as const;

const rowOf = ({ event, amount }: FarmTransaction) => ({
  createdOn: new Date(event.time * 1_000).toISOString(),
  transactionSignature: event.signature,
  instruction: INSTRUCTIONS[event.kind],
  tokenAmount: decimal(amount?.amount),
  usdAmount: decimal(amount?.usd),
});

const managementRow = ({
  event,
  mint,
  amount,
}: FarmManagementEvent): AnswerOf<typeof FarmManagementHistory>['result'][number] => ({
  createdOn: new Date(event.time * 1_000).toISOString(),
  transactionSignature: event.signature,
  instruction: event.management.instruction,
  farm: event.farm,
  signer: event.wallet,
  tokenAmount: amount && decimal(amount.amount),
  usdAmount: amount?.usd ? decimal(amount.usd) : null,
  token: mint,
  rewardIndex: event.management.rewardIndex,
  configMode: event.management.configMode,
  details: event.management.details,
});

const requestOf = ({
  sort,
  limit,
  paginationToken,
}: z.output<typeof FarmTransactionQuery | typeof FarmManagementQuery>) => ({
  sort: sort ?? 'desc',
  limit,
  after: paginationToken,
});

const tokenOf = (next: string | null) => (next === null ? {} : { paginationToken: next });

const common = { method: 'get', tag: 'Farms', holds: 'never', family: READ_ERRORS } as const;
const READ =
  'Stakes, withdrawals and harvested rewards, in pages. Valued at the prices recorded at that time. The first request reads the transactions from the chain: the newest first, the older ones meanwhile; `X-Complete: false` says that some are missing.';
const ROW = 'createdAt signature kind amount { amount usd }';

export const FARM_TRANSACTION_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listUserFarmTransactions',
    path: '/farms/users/{pubkey}/transactions',
    summary: 'Farm transactions of a wallet',
    description: `${READ} Empty for a wallet without transactions.`,
    graph: `query { wallet(address) { farmTransactions(first after) { nodes { ${ROW} farmAddress tokenMint } complete } } }`,
    params: UserParams,
    query: UserFarmTransactionQuery,
    response: UserFarmTransactions,
    example: ({ wallet }) => ({ params: { pubkey: wallet } }),
    async answer({ platform, session }, { params, query }) {
      const list = farmTransactions({ wallet: params.pubkey });
      const request = { ...requestOf(query), ...(query.noPagination && { limit: MAX_UNPAGED }) };
      const { items, next } = await farmEventList(platform, session, list, request);
      return {
        result: items.map((item) => ({
          ...rowOf(item),
          farm: item.event.farm,
          token: item.mint ?? NO_ADDRESS,
        })),
        ...tokenOf(next),
      };
    },
  }),
  operation({
    ...common,
    id: 'listFarmTransactions',
    path: '/farms/{pubkey}/transactions',
    summary: 'Transactions of a farm',
    description: READ,
    graph: `query { vault(address) { farm { transactions(first after) { nodes { ${ROW} } complete } } } }`,
    params: FarmParams,
    query: FarmTransactionQuery,
    response: FarmTransactions,
    example: ({ farm }) => ({ params: { pubkey: farm } }),
    async answer({ platform, session }, { params, query }) {
      const { address: farm } = await session.load('farm', params.pubkey);
      const list = farmTransactions({ farm });
      const { items, next } = await farmEventList(platform, session, list, requestOf(query));
      return { result: items.map(rowOf), ...tokenOf(next) };
    },
  }),
  operation({
    ...common,
    id: 'listFarmManagementHistory',
    path: '/farms/{farmPubkey}/management-history',
    summary: 'Changes by the administration of a farm',
    description:
      'Set-up, settings, admins, and rewards and tokens that were added or withdrawn, with the decoded arguments of each instruction, in pages. Valued at the prices recorded at that time. The first request reads the transactions of the farm from the chain: the newest first, the older ones meanwhile; `X-Complete: false` says that some are missing.',
    graph:
      'query { vault(address) { farm { managementHistory(first after) { nodes { createdAt signature instruction farmAddress signer { address } amount { amount usd } tokenMint rewardIndex configMode details } complete } } } }',
    params: FarmManagementParams,
    query: FarmManagementQuery,
    response: FarmManagementHistory,
    example: ({ farm }) => ({ params: { farmPubkey: farm } }),
    async answer({ platform, session }, { params, query }) {
      const { address } = await session.load('farm', params.farmPubkey);
      const list = farmManagement(address);
      const { items, next } = await farmEventList(platform, session, list, requestOf(query));
      return { result: items.map(managementRow), ...tokenOf(next) };
    },
  }),
];
