import {
  type ReservePoint,
  type VaultHistoryFields,
  type VaultHistoryPoint,
  type VaultPoint,
  type VaultReservePoint,
  vaultHistory,
  YIELD_FIELDS,
} from '../../../services/history/vault-history.ts';
import { holderCount } from '../../../services/vaults/holders.ts';
import { builder } from '../../builder.ts';
import { VaultRef } from '../../node-refs.ts';
import { reads, type Selection, selectionOf } from '../../selection.ts';
import { BUCKET, historyArgs, historyOf, seriesRequest } from '../history/history-fields.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { ApyBreakdownRef, RewardApyRef } from '../values/amounts.ts';

const read = reads<keyof VaultPoint>;
const readOfReserve = reads<keyof ReservePoint>;

const VaultReservePointRef = builder.objectRef<VaultReservePoint>('VaultReservePoint').implement({
  description: 'A reserve that a vault allocated to, in one bucket.',
  fields: (t) => ({
    ...reserveFields(t),
    share: t.field({
      type: 'Decimal',
      description:
        'Fraction of the vault\u2019s total value invested in the reserve. Last value of the bucket.',
      resolve: ({ ratio }) => ratio,
    }),
    supplyInterestApy: t.expose('supplyApy', {
      ...readOfReserve('supplyApy'),
      type: 'Decimal',
      nullable: true,
      description:
        'Supply APY of the reserve from interest, without rewards, as a fraction. Mean over the bucket. Null when the reserve has no record in this bucket.',
    }),
    rewardsApy: t.expose('rewardsApy', {
      ...readOfReserve('rewards'),
      type: 'Decimal',
      nullable: true,
      description:
        'Supply APY of the reserve from rewards, as a fraction. Last value of the bucket. Null when the reserve has no record in this bucket.',
    }),
    rewards: t.field({
      ...readOfReserve('rewards'),
      type: [RewardApyRef],
      description: 'The reward tokens and the yield that each contributed.',
      resolve: ({ rewards }) => [...rewards],
    }),
  }),
});

const VaultPointRef = builder.objectRef<VaultHistoryPoint>('VaultPoint').implement({
  description:
    'One bucket of a vault\u2019s history. Yields are means over the bucket; other values are the last of the bucket.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ sample }) => sample.bucket }),
    totalValue: t.field({
      ...read('tvlTokens'),
      type: 'Decimal',
      nullable: true,
      description:
        'Total value that belonged to the shareholders, in whole tokens. Null in imported history.',
      resolve: ({ sample }) => sample.tvlTokens,
    }),
    totalValueUsd: t.field({
      ...read('tvlUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'Total value in USD. Null when the token had no price.',
      resolve: ({ sample }) => sample.tvlUsd,
    }),
    totalValueSol: t.field({
      ...read('tvlSol'),
      type: 'Decimal',
      nullable: true,
      description: 'Total value in SOL. Null when a price was unknown.',
      resolve: ({ sample }) => sample.tvlSol,
    }),
    tokensPerShare: t.field({
      ...read('tokensPerShare'),
      type: 'Decimal',
      nullable: true,
      description:
        'Value of one share in whole tokens. 0 when no shares were issued. Null in imported history.',
      resolve: ({ sample }) => sample.tokensPerShare,
    }),
    sharePriceUsd: t.field({
      ...read('sharePriceUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'Value of one share in USD. Null when the token had no price.',
      resolve: ({ sample }) => sample.sharePriceUsd,
    }),
    tokenPriceUsd: t.field({
      ...read('tokenPriceUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'Price of the deposit token in USD. Null when it had none.',
      resolve: ({ sample }) => sample.tokenPriceUsd,
    }),
    sharesIssued: t.field({
      ...read('sharesIssued'),
      type: 'Decimal',
      nullable: true,
      description: 'Shares issued, in whole shares. Null in imported history.',
      resolve: ({ sample }) => sample.sharesIssued,
    }),
    apy: t.field({
      ...read(...YIELD_FIELDS),
      type: ApyBreakdownRef,
      description:
        'Yield of shareholders after fees, with all rewards, at the allocation and rates of that time. Each part is the mean over the bucket.',
      resolve: (point) => point.apy(),
    }),
    theoreticalBaseApy: t.field({
      ...read('apyTheoretical'),
      type: 'Decimal',
      nullable: true,
      description:
        'Yield after fees from interest alone, if every token were invested at the target weights, as a fraction. Mean over the bucket. Null when it was unknown throughout the bucket.',
      resolve: ({ sample }) => sample.apyTheoretical,
    }),
    interest: t.field({
      ...read('interest'),
      type: 'Decimal',
      description: 'Interest earned since the vault was created, before fees, in whole tokens.',
      resolve: ({ sample }) => sample.interest,
    }),
    interestUsd: t.field({
      ...read('interestUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'The same interest in USD, at the price at that time. Null when the token had no price.',
      resolve: ({ sample }) => sample.interestUsd,
    }),
    interestSol: t.field({
      ...read('interestSol'),
      type: 'Decimal',
      nullable: true,
      description: 'The same interest in SOL, at the prices at that time. Null when a price was unknown.',
      resolve: ({ sample }) => sample.interestSol,
    }),
    interestPerSecond: t.field({
      ...read('interestPerSecond'),
      type: 'Decimal',
      nullable: true,
      description: 'Interest per second, before fees, in whole tokens. Null when unknown.',
      resolve: ({ sample }) => sample.interestPerSecond,
    }),
    holders: t.int({
      ...read('holders'),
      nullable: true,
      description: 'Number of wallets that held shares. Null when they were not counted.',
      resolve: ({ sample }) => sample.holders,
    }),
    reserves: t.field({
      ...read('allocations'),
      type: [VaultReservePointRef],
      description: 'The reserves that the vault allocated to, with their yields in the same bucket.',
      resolve: async (point) => [...(await point.reserves())],
    }),
  }),
});

function fieldsOf(points: Selection): VaultHistoryFields {
  const rewards = points.into('apy').has('rewards') ? (['rewards'] as const) : [];
  return {
    vault: [...(points.reads as (keyof VaultPoint)[]), ...rewards],
    reserve: points.into('reserves').reads as (keyof ReservePoint)[],
  };
}

const VaultHistoryRef = historyOf('Vault', VaultPointRef, 'vault');

builder.objectFields(VaultRef, (t) => ({
  holders: t.int({
    nullable: true,
    description:
      'Number of wallets that hold shares, according to the latest hourly count. Null when they were never counted or this deployment records no history.',
    resolve: (vault, _args, { platform, session }) => holderCount(platform, session, vault),
  }),
  metricsHistory: t.field({
    type: VaultHistoryRef,
    nullable: true,
    description:
      'Recorded history of the vault. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) =>
      vaultHistory(
        platform,
        session,
        address,
        seriesRequest(session, args),
        fieldsOf(selectionOf(info).into('points')),
      ),
  }),
}));
