import { z } from '@hono/zod-openapi';
import {
  allocationVolume,
  volumeRangeProblem,
} from '../../services/history/vault-positions/allocation-volume.ts';
import { isLatestPosition } from '../../services/history/vault-positions/latest-position.ts';
import { positionHistory, walletHistory } from '../../services/history/vault-positions/position-history.ts';
import { positionPnl, positionPnlHistory } from '../../services/history/vault-positions/position-pnl.ts';
import { depositsAndWithdrawals } from '../../services/history/vault-positions/transaction-pages.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { inclusiveRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import { VaultParams } from '../vaults/schemas.ts';
import {
  historyOfPnl,
  isPricedPoint,
  pnlTotals,
  positionPoint,
  userPoint,
  userTransaction,
} from './history-answers.ts';
import {
  AllocationVolumeDay,
  PositionHistoryPoint,
  PositionPnl,
  PositionPnlHistory,
  RangeQuery,
  UserHistoryPoint,
  UserVaultTransaction,
  VolumeQuery,
} from './history-schemas.ts';
import { UserParams, UserVaultParams } from './schemas.ts';

const common = { method: 'get', tag: 'Vault users', holds: 'never', family: READ_ERRORS } as const;
const BUCKETS =
  'Points in ascending order of time. One per UTC day when the known part of the range is longer than 31 days, otherwise one per hour, including the one that starts at `end` and the current one, which shows the current state. A bucket with an unknown price is omitted.';
const WISH = { interval: null, maxPoints: null } as const;
const POSITION = 'usd sol token';

export const VAULT_POSITION_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listUserVaultTransactions',
    path: '/kvaults/users/{pubkey}/transactions',
    summary: 'Vault transactions of a user',
    description:
      'Every deposit and withdrawal, newest first, valued at the prices recorded at that time. The first request for a wallet reads its transactions from the chain.',
    graph:
      'query { wallet(address) { vaultTransactions(filter: { kinds: [DEPOSIT, WITHDRAW] }) { nodes { createdAt kind tokens { amount token { mint } } shares sharePriceUsd tokenPriceUsd solPriceUsd valueUsd signature latestPosition vault { address } } complete } } }',
    params: UserParams,
    response: z.array(UserVaultTransaction),
    example: ({ wallet }) => ({ params: { pubkey: wallet } }),
    async answer({ platform, session }, { params }) {
      const transactions = await depositsAndWithdrawals(platform, session, params.pubkey);
      return await Promise.all(
        transactions.map(async (each) =>
          userTransaction(each, await isLatestPosition(platform, session, each.event)),
        ),
      );
    },
  }),
  operation({
    ...common,
    id: 'getUserMetricsHistory',
    path: '/kvaults/users/{pubkey}/metrics/history',
    summary: 'All vault positions of a user over time',
    description: `${BUCKETS} Empty for a wallet that never had a position.`,
    graph:
      'query { wallet(address) { metricsHistory(range) { points { timestamp value { usd sol } weightedTotalApy interest { usd sol } interestPerSecond { usd sol } } complete } } }',
    params: UserParams,
    query: RangeQuery,
    response: z.array(UserHistoryPoint),
    example: ({ wallet }) => ({ params: { pubkey: wallet } }),
    async answer({ platform, session }, { params, query }) {
      const asked = inclusiveRange(session, query);
      const { points } = await walletHistory(platform, session, params.pubkey, {
        range: asked,
        resolution: WISH,
      });
      return points.filter(isPricedPoint).map(userPoint);
    },
  }),
  operation({
    ...common,
    id: 'getUserVaultMetricsHistory',
    path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/metrics/history',
    summary: 'One vault position of a user over time',
    description: `${BUCKETS} Empty for a wallet that never had a position in the vault.`,
    graph: `query { wallet(address) { vaultPosition(vault) { metricsHistory(range) { points { timestamp shares value { ${POSITION} } totalApy theoreticalBaseApy baseApy farmRewardsApy reserveRewardsApy incentivesApy interest { ${POSITION} } interestPerSecond { ${POSITION} } } complete } } } }`,
    params: UserVaultParams,
    query: RangeQuery,
    response: z.array(PositionHistoryPoint),
    example: ({ wallet, vault }) => ({ params: { userPubkey: wallet, vaultPubkey: vault } }),
    async answer({ platform, session }, { params: { userPubkey, vaultPubkey }, query }) {
      const asked = inclusiveRange(session, query);
      const vault = await session.load('vault', vaultPubkey);
      const { points } = await positionHistory(platform, session, userPubkey, vault, {
        range: asked,
        resolution: WISH,
      });
      return points.filter(isPricedPoint).map(positionPoint);
    },
  }),
  operation({
    ...common,
    id: 'getUserVaultPnl',
    path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl',
    summary: 'PnL and cost basis of a user in a vault',
    description:
      'Current values, by average cost. Transferred shares count as bought or sold at the share price at that time. "0" for a wallet that never had a position in the vault.',
    graph: `query { wallet(address) { vaultPosition(vault) { pnl { ${POSITION} } costBasis { ${POSITION} } } } }`,
    params: UserVaultParams,
    response: PositionPnl,
    example: ({ wallet, vault }) => ({ params: { userPubkey: wallet, vaultPubkey: vault } }),
    async answer({ platform, session }, { params: { userPubkey, vaultPubkey } }) {
      const vault = await session.load('vault', vaultPubkey);
      return pnlTotals(await positionPnl(platform, session, userPubkey, vault));
    },
  }),
  operation({
    ...common,
    id: 'getUserVaultPnlHistory',
    path: '/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/pnl/history',
    summary: 'PnL and cost basis of a user in a vault over time',
    description:
      'Every buy and sell, a valuation at each UTC midnight and one at the end of the range, which is inclusive. A valuation at midnight with an unknown price is omitted. The totals are those of the last point. Totals are "0" and the history is empty for a wallet that never had a position in the vault.',
    graph: `query { wallet(address) { vaultPosition(vault) { pnlHistory(range) { points { timestamp kind position quantity prices { usd solUsd tokenUsd } sharePrice { ${POSITION} } costBasis { ${POSITION} } realizedPnl { ${POSITION} } pnl { ${POSITION} } positionValue { ${POSITION} } investment { ${POSITION} } } totalPnl { ${POSITION} } totalCostBasis { ${POSITION} } complete priced } } } }`,
    params: UserVaultParams,
    query: RangeQuery,
    response: PositionPnlHistory,
    example: ({ wallet, vault }) => ({ params: { userPubkey: wallet, vaultPubkey: vault } }),
    async answer({ platform, session }, { params: { userPubkey, vaultPubkey }, query }) {
      const asked = inclusiveRange(session, query);
      const vault = await session.load('vault', vaultPubkey);
      return historyOfPnl(await positionPnlHistory(platform, session, userPubkey, vault, asked));
    },
  }),
  operation({
    ...common,
    id: 'getVaultAllocationVolumeHistory',
    path: '/kvaults/vaults/{pubkey}/allocation-volume/history',
    tag: 'Vaults',
    family: LOOKUP_ERRORS,
    summary: 'Allocation volume of an earn vault by day',
    description:
      'Volume between the vault and its reserves, one row per UTC day, in ascending order of time. Counts what moved before `end`. The range is at most one calendar year; `start` defaults to one year before `end`. A day with an unknown price is omitted.',
    graph: 'query { vault(address) { allocationVolume(range) { points { timestamp volumeUsd } complete } } }',
    params: VaultParams,
    query: VolumeQuery,
    response: z.array(AllocationVolumeDay),
    example: ({ vault }) => ({ params: { pubkey: vault } }),
    async answer({ platform, session }, { params, query: { start, end } }) {
      const problem = volumeRangeProblem(session.view, { start, end });
      if (problem !== null) throw new InvalidInput([{ code: 'custom', path: ['start'], message: problem }]);
      const vault = await session.load('vault', params.pubkey);
      const { points } = await allocationVolume(platform, session, vault, { start, end });
      return points.flatMap(({ day, volumeUsd }) =>
        volumeUsd === null
          ? []
          : [{ timestamp: new Date(day * 1_000).toISOString(), volumeUsd: decimal(volumeUsd) }],
      );
    },
  }),
];
