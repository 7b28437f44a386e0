import { z } from '@hono/zod-openapi';
import { curatorInView, listCurators } from '../../services/curators/curators.ts';
import { curatorFeesHistory } from '../../services/curators/fees-history.ts';
import { MAX_POINTS } from '../../services/history/series.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { curatorDetails, curatorSummary, feesPoint } from './answers.ts';
import {
  CuratorDetails,
  CuratorFeesPoint,
  CuratorFeesQuery,
  CuratorParams,
  CuratorSummary,
  CuratorsQuery,
} from './schemas.ts';

const SUMMARY =
  'address authorities verified name website logoUrl source checkedAt value { usd sol } fees { performance { usd sol } management { usd sol } pending { usd sol } } vaults(first) { nodes { address name nameVerified totalValue { usd } } }';

export const CURATOR_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'listCurators',
    method: 'get',
    path: '/kvaults/curators',
    tag: 'Curators',
    summary: 'All curators of earn vaults',
    description:
      'Every admin authority of a vault, and every curator of the catalogue, largest value first. A curator is known by its admin authorities, never by the names of its vaults.',
    graph: `query { curators(filter) { nodes { ${SUMMARY} } } }`,
    family: READ_ERRORS,
    holds: 'view',
    query: CuratorsQuery,
    response: z.array(CuratorSummary),
    example: () => ({ query: { verified: 'true' as const } }),
    answer: async ({ session: { view, work } }, { query: { verified } }) =>
      await work.map(listCurators(view, { verified }), 1, (curator) => curatorSummary(view, curator)),
  }),
  operation({
    id: 'getCurator',
    method: 'get',
    path: '/kvaults/curators/{address}',
    tag: 'Curators',
    summary: 'One curator by an admin authority',
    description:
      'Value, fees, allocations across markets, exposures by collateral token and incidents, over all its vaults. An address that controls no vault and that the catalogue does not name is a 404.',
    graph: `query { curator(address) { ${SUMMARY} allocations { marketAddress usd share } exposures { kind mint usd share } incidents { kind evidence vault { address } reserveAddress market { address } since ongoing badDebtUsd vaultBadDebtUsd fall } } }`,
    family: LOOKUP_ERRORS,
    holds: 'never',
    params: CuratorParams,
    response: CuratorDetails,
    example: ({ vaultAdmin }) => ({ params: { address: vaultAdmin } }),
    answer: (call, { params }) => curatorDetails(call, curatorInView(call.session.view, params.address)),
  }),
  operation({
    id: 'getCuratorFeesHistory',
    method: 'get',
    path: '/kvaults/curators/{address}/fees/history',
    tag: 'Curators',
    summary: 'Fees that the vaults of a curator charged over time',
    description:
      'Performance and management fees by bucket in ascending order of time, including the current one: the change of the fees since each vault was created. At most the newest 5,000 points. A vault without a record in a bucket is left out: its fees are in its next bucket.',
    graph:
      'query { curator(address) { feesHistory(range interval maxPoints) { points { timestamp performanceUsd managementUsd usd vaults { vault { address } performance management performanceUsd managementUsd } } } } }',
    family: LOOKUP_ERRORS,
    holds: 'never',
    params: CuratorParams,
    query: CuratorFeesQuery,
    response: z.array(CuratorFeesPoint),
    example: ({ vaultAdmin }) => ({ params: { address: vaultAdmin } }),
    async answer({ platform, session }, { params, query }) {
      const range = checkedRange(session, query);
      const curator = curatorInView(session.view, params.address);
      const interval = query.frequency === 'hour' ? 'HOUR' : 'DAY';
      const request = { range, interval, maxPoints: MAX_POINTS } as const;
      const { points } = await curatorFeesHistory(platform, session, curator, request);
      return await session.work.map(points, 1, feesPoint);
    },
  }),
];
