import type { Rational } from '@sluice/protocol/numeric/rational';
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
import { BUCKET, type ColumnOf, historyArgs, historyOf, seriesRequest } from '../history/history-fields.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { ApyBreakdownRef, RewardApyRef } from '../values/amounts.ts';

const read = reads<keyof VaultPoint>;
const readOfReserve = reads<keyof ReservePoint>;

const VaultReservePointRef = builder.objectRef<VaultReservePoint>('VaultReservePoint').implement({
  description: 'A reserve that a vault allocated to, in one bucket.',
  fields: (t) => ({
    ...presentReserveFields(t),
    share: t.expose('ratio', {
      type: 'Decimal',
      description:
        'Fraction of the vault\u2019s total value invested in the reserve. Last value of the bucket.',
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
  fields: (t) => {
    const figureOrNull = (name: ColumnOf<VaultPoint, Rational | null>, description: string) =>
      t.field({
        ...read(name),
        type: 'Decimal',
        nullable: true,
        description,
        resolve: ({ sample }) => sample[name],
      });
    return {
      timestamp: t.field({ ...BUCKET, resolve: ({ sample }) => sample.bucket }),
      totalValue: figureOrNull(
        'tvlTokens',
        'Total value that belonged to the shareholders, in whole tokens. Null in imported history.',
      ),
      totalValueUsd: figureOrNull('tvlUsd', 'Total value in USD. Null when the token had no price.'),
      totalValueSol: figureOrNull('tvlSol', 'Total value in SOL. Null when a price was unknown.'),
      tokensPerShare: figureOrNull(
        'tokensPerShare',
        'Value of one share in whole tokens. 0 when no shares were issued. Null in imported history.',
      ),
      sharePriceUsd: figureOrNull(
        'sharePriceUsd',
        'Value of one share in USD. Null when the token had no price.',
      ),
      tokenPriceUsd: figureOrNull(
        'tokenPriceUsd',
        'Price of the deposit token in USD. Null when it had none.',
      ),
      sharesIssued: figureOrNull('sharesIssued', 'Shares issued, in whole shares. Null in imported history.'),
      apy: t.field({
        ...read(...YIELD_FIELDS),
        type: ApyBreakdownRef,
        description:
          'Yield of shareholders after fees, with all rewards, at the allocation and rates of that time. Each part is the mean over the bucket.',
        resolve: (point) => point.apy(),
      }),
      theoreticalBaseApy: figureOrNull(
        'apyTheoretical',
        'Yield after fees from interest alone, if every token were invested at the target weights, as a fraction. Mean over the bucket. Null when it was unknown throughout the bucket.',
      ),
      interest: t.field({
        ...read('interest'),
        type: 'Decimal',
        description: 'Interest earned since the vault was created, before fees, in whole tokens.',
        resolve: ({ sample }) => sample.interest,
      }),
      interestUsd: figureOrNull(
        'interestUsd',
        'The same interest in USD, at the price at that time. Null when the token had no price.',
      ),
      interestSol: figureOrNull(
        'interestSol',
        'The same interest in SOL, at the prices at that time. Null when a price was unknown.',
      ),
      interestPerSecond: figureOrNull(
        'interestPerSecond',
        'Interest per second, before fees, in whole tokens. Null when unknown.',
      ),
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
    };
  },
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
      'Number of wallets that hold shares: in the View if it has the positions of wallets, else according to the latest hourly count. Null when they were never counted or this deployment records no history.',
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
