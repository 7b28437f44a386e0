import type { PositionPoint } from '../../../domain/pnl/position-series.ts';
import type { WalletPoint } from '../../../domain/pnl/wallet-series.ts';
import {
  allocationVolume,
  type DayVolume,
} from '../../../services/history/vault-positions/allocation-volume.ts';
import {
  type FoldedPoint,
  positionHistory,
  walletHistory,
} from '../../../services/history/vault-positions/position-history.ts';
import { builder } from '../../builder.ts';
import { VaultPositionRef, VaultRef, WalletRef } from '../../node-refs.ts';
import { BUCKET, historyArgs, historyOf, NO_HISTORY, seriesRequest } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { ValueRef } from '../wallet/wallet.ts';
import { DenominatedRef } from './denominated.ts';

const TRANSACTIONS =
  'It is `complete` only when, in addition, all transactions of the wallet have been read from the chain and every price is known.';
const AS_OF = 'at its last sample; the current bucket, as of now';

const YIELD = { type: 'Decimal', nullable: true } as const;
const MEAN = 'As a fraction, mean over the bucket. Null before the first record of the vault.';

const VaultPositionPointRef = builder.objectRef<FoldedPoint<PositionPoint>>('VaultPositionPoint').implement({
  description: `A vault position in one bucket, ${AS_OF}.`,
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    shares: t.field({
      type: 'Decimal',
      description: 'Staked and unstaked shares, in whole shares.',
      resolve: ({ state }) => state.shares,
    }),
    value: t.field({
      type: DenominatedRef,
      description: 'Value of the shares.',
      resolve: ({ state }) => state.value,
    }),
    totalApy: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'APY of the vault with all rewards, as a fraction. Mean over the bucket. Null before the first record of the vault.',
      resolve: ({ state }) => state.apy?.total ?? null,
    }),
    theoreticalBaseApy: t.field({
      ...YIELD,
      description: `APY of the vault from interest after fees, if every token were invested at the target weights. ${MEAN}`,
      resolve: ({ state }) => state.theoreticalApy,
    }),
    baseApy: t.field({
      ...YIELD,
      description: `The part of \`totalApy\` from interest, after fees. ${MEAN}`,
      resolve: ({ state }) => state.apy?.base ?? null,
    }),
    farmRewardsApy: t.field({
      ...YIELD,
      description: `The part of \`totalApy\` from the vault\u2019s farm, for staked shares. ${MEAN}`,
      resolve: ({ state }) => state.apy?.farmRewards ?? null,
    }),
    reserveRewardsApy: t.field({
      ...YIELD,
      description: `The part of \`totalApy\` from reward campaigns of the vault\u2019s reserves. ${MEAN}`,
      resolve: ({ state }) => state.apy?.reserveRewards ?? null,
    }),
    incentivesApy: t.field({
      ...YIELD,
      description: `The part of \`totalApy\` from reward campaigns of the vault. ${MEAN}`,
      resolve: ({ state }) => state.apy?.incentives ?? null,
    }),
    interest: t.field({
      type: DenominatedRef,
      description:
        'Interest earned since the first share through growth of the share price, valued at the prices of the days on which it was earned.',
      resolve: ({ state }) => state.interest,
    }),
    interestPerSecond: t.field({
      type: DenominatedRef,
      nullable: true,
      description:
        'The position\u2019s part, by shares, of the interest that the vault earned per second, before fees. Null when unknown.',
      resolve: ({ state }) => state.interestPerSecond,
    }),
  }),
});

const WalletPointRef = builder.objectRef<FoldedPoint<WalletPoint>>('WalletPoint').implement({
  description: `All vault positions of a wallet in one bucket, ${AS_OF}.`,
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    value: t.field({
      type: ValueRef,
      description: 'Total value of the positions.',
      resolve: ({ state }) => state.value,
    }),
    weightedTotalApy: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Mean APY of the vaults with all rewards, as a fraction, weighted by USD value. 0 without a position. Null when a price or a yield was unknown.',
      resolve: ({ state }) => state.weightedApy,
    }),
    interest: t.field({
      type: ValueRef,
      description: 'Total interest earned since the first share, including closed positions.',
      resolve: ({ state }) => state.interest,
    }),
    interestPerSecond: t.field({
      type: ValueRef,
      description:
        'The positions\u2019 parts of the interest that the vaults earned per second, before fees. Null when unknown.',
      resolve: ({ state }) => state.interestPerSecond,
    }),
  }),
});

const VolumePointRef = builder.objectRef<DayVolume>('VolumePoint').implement({
  description: 'Allocation volume of a vault on one UTC day.',
  fields: (t) => ({
    timestamp: t.field({
      type: 'DateTime',
      description: 'Start of the day, UTC midnight.',
      resolve: ({ day }) => new Date(day * 1_000),
    }),
    volumeUsd: t.expose('volumeUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Volume in USD between the vault and its reserves, in both directions, at the prices at that time. Null when a price was unknown.',
    }),
  }),
});

const VaultPositionHistoryRef = historyOf('VaultPosition', VaultPositionPointRef, 'position');
const WalletHistoryRef = historyOf('Wallet', WalletPointRef, 'wallet\u2019s vault positions');
const VolumeHistoryRef = historyOf('Volume', VolumePointRef, 'vault\u2019s allocation volume');

builder.objectField(VaultPositionRef, 'metricsHistory', (t) =>
  t.field({
    type: VaultPositionHistoryRef,
    nullable: true,
    description: `History of the position since its first share. ${TRANSACTIONS} ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ wallet, vault }, args, { platform, session }) =>
      positionHistory(platform, session, wallet, vault, seriesRequest(session, args)),
  }),
);

builder.objectField(WalletRef, 'metricsHistory', (t) =>
  t.field({
    type: WalletHistoryRef,
    nullable: true,
    description: `History of all vault positions of the wallet since its first share. ${TRANSACTIONS} ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }) =>
      walletHistory(platform, session, address, seriesRequest(session, args)),
  }),
);

builder.objectField(VaultRef, 'allocationVolume', (t) =>
  t.field({
    type: VolumeHistoryRef,
    nullable: true,
    description: `Volume between the vault and its reserves, per day. It is \`complete\` when all transactions of the vault have been read from the chain and every price is known. ${NO_HISTORY}`,
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description:
          'Time range, at most one calendar year. The start defaults to one year before the end, and the end to now.',
      }),
    },
    resolve: (vault, { range }, { platform, session }) =>
      allocationVolume(platform, session, vault, range ?? {}),
  }),
);
