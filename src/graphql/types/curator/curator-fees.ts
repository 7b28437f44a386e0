import {
  type CuratorFeePoint,
  curatorFeesHistory,
  type VaultFeesEarned,
} from '../../../services/curators/fees-history.ts';
import { builder } from '../../builder.ts';
import { CuratorRef, VaultRef } from '../../node-refs.ts';
import { BUCKET, historyArgs, historyOf, NO_HISTORY, seriesRequest } from '../history/history-fields.ts';

const UNKNOWN =
  'Null when it is unknown: without a record before, where fees were not recorded yet or were imported';

const VaultFeesEarnedRef = builder.objectRef<VaultFeesEarned>('VaultFeesEarned').implement({
  description: 'Fees that one vault charged since its record before.',
  fields: (t) => ({
    vault: t.expose('vault', { type: VaultRef, description: 'The vault.' }),
    performance: t.expose('performance', {
      type: 'Decimal',
      nullable: true,
      description: `Performance fees, in whole tokens of the vault. ${UNKNOWN}.`,
    }),
    management: t.expose('management', {
      type: 'Decimal',
      nullable: true,
      description: `Management fees, in whole tokens of the vault. ${UNKNOWN}.`,
    }),
    performanceUsd: t.expose('performanceUsd', {
      type: 'Decimal',
      nullable: true,
      description: `Performance fees in USD, at the last price of the bucket. ${UNKNOWN}, and without a price.`,
    }),
    managementUsd: t.expose('managementUsd', {
      type: 'Decimal',
      nullable: true,
      description: `Management fees in USD, at the last price of the bucket. ${UNKNOWN}, and without a price.`,
    }),
  }),
});

const CuratorFeePointRef = builder.objectRef<CuratorFeePoint>('CuratorFeePoint').implement({
  description:
    'Fees that the vaults of a curator charged in one bucket. A vault without a record in it is left out: its fees are in its next bucket.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ at }) => new Date(at) }),
    performanceUsd: t.expose('performanceUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Performance fees of all its vaults, in USD. Null when a part is unknown.',
    }),
    managementUsd: t.expose('managementUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Management fees of all its vaults, in USD. Null when a part is unknown.',
    }),
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Both together, in USD. Null when a part is unknown.',
    }),
    vaults: t.field({
      type: [VaultFeesEarnedRef],
      description: 'The fees by vault, most valuable vault first.',
      resolve: ({ vaults }) => [...vaults],
    }),
  }),
});

const CuratorFeesHistoryRef = historyOf('CuratorFees', CuratorFeePointRef, 'curator');

builder.objectField(CuratorRef, 'feesHistory', (t) =>
  t.field({
    type: CuratorFeesHistoryRef,
    nullable: true,
    description: `Fees that its present vaults charged over time, whoever ran them then. Without \`interval\`, one point per day. ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: (curator, args, { platform, session }) => {
      const { range, resolution } = seriesRequest(session, args);
      const { interval, maxPoints } = resolution;
      return curatorFeesHistory(platform, session, curator, {
        range,
        interval: interval ?? 'DAY',
        maxPoints,
      });
    },
  }),
);
