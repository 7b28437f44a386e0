import type { PositionPoint } from '../../domain/pnl/position-series.ts';
import type { WalletPoint } from '../../domain/pnl/wallet-series.ts';
import { allocationVolume, type DayVolume } from '../../services/positions-over-time/allocation-volume.ts';
import {
  type FoldedPoint,
  positionHistory,
  walletHistory,
} from '../../services/positions-over-time/position-history.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { VaultPositionRef, VaultRef, WalletRef } from '../node-refs.ts';
import { DenominatedRef } from './denominated.ts';
import { TimeRangeInput } from './time.ts';
import { ValueRef } from './wallet.ts';

const NO_HISTORY =
  'Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).';
const TRANSACTIONS =
  'It is `complete` only when every transaction of the wallet was read from the chain and every price is known, too.';
const AS_OF = 'as of the last sample of the bucket, of the running one as of now';

const VaultPositionPointRef = builder.objectRef<FoldedPoint<PositionPoint>>('VaultPositionPoint').implement({
  description: `A position in one bucket, ${AS_OF}.`,
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    shares: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Whole shares, staked and unstaked.',
      resolve: ({ told }) => told.shares,
    }),
    value: t.field({
      type: DenominatedRef,
      nullable: false,
      description: 'What they were worth.',
      resolve: ({ told }) => told.value,
    }),
    apy: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'What the vault paid in a year with all rewards, a fraction; mean over the bucket. Null when nothing was recorded of it yet.',
      resolve: ({ told }) => told.apy,
    }),
    interest: t.field({
      type: DenominatedRef,
      nullable: false,
      description:
        'Gained since the first share by the growth of the share price, at the prices of the days when it was gained.',
      resolve: ({ told }) => told.interest,
    }),
    interestPerSecond: t.field({
      type: DenominatedRef,
      nullable: true,
      description:
        'The position\u2019s part, by shares, of what the vault earned per second, before fees. Null when that was unknown.',
      resolve: ({ told }) => told.interestPerSecond,
    }),
  }),
});

const WalletPointRef = builder.objectRef<FoldedPoint<WalletPoint>>('WalletPoint').implement({
  description: `All vault positions of a wallet in one bucket, ${AS_OF}.`,
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    value: t.field({
      type: ValueRef,
      nullable: false,
      description: 'What they were worth together.',
      resolve: ({ told }) => told.value,
    }),
    weightedApy: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'What their vaults paid in a year, a fraction, weighted by USD; 0 without a position. Null when a price or a yield was unknown.',
      resolve: ({ told }) => told.weightedApy,
    }),
    interest: t.field({
      type: ValueRef,
      nullable: false,
      description: 'What they gained together since the first share, positions that are gone included.',
      resolve: ({ told }) => told.interest,
    }),
    interestPerSecond: t.field({
      type: ValueRef,
      nullable: false,
      description: 'Their parts of what the vaults earned per second, before fees.',
      resolve: ({ told }) => told.interestPerSecond,
    }),
  }),
});

const VolumePointRef = builder.objectRef<DayVolume>('VolumePoint').implement({
  description: 'A UTC day of a vault.',
  fields: (t) => ({
    timestamp: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Midnight at which the day begins.',
      resolve: ({ day }) => new Date(day * 1_000),
    }),
    volumeUsd: t.expose('volumeUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'USD that moved between the vault and its reserves, either way, at the prices of then. Null when a price was unknown.',
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
    description: `The position over time, from its first share on. ${TRANSACTIONS} ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ wallet, vault }, args, { platform, session }) =>
      positionHistory(platform, session, wallet, vault, ...asked(args)),
  }),
);

builder.objectField(WalletRef, 'metricsHistory', (t) =>
  t.field({
    type: WalletHistoryRef,
    nullable: true,
    description: `All its vault positions over time, from its first share on. ${TRANSACTIONS} ${NO_HISTORY}`,
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }) =>
      walletHistory(platform, session, address, ...asked(args)),
  }),
);

builder.objectField(VaultRef, 'allocationVolume', (t) =>
  t.field({
    type: VolumeHistoryRef,
    nullable: true,
    description: `What moved between the vault and its reserves, day by day. It is \`complete\` when every transaction of the vault was read from the chain and every price is known. ${NO_HISTORY}`,
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description: 'At most one calendar year. The year up to its end, or up to now, when left out.',
      }),
    },
    resolve: (vault, { range }, { platform, session }) =>
      allocationVolume(platform, session, vault, range ?? {}),
  }),
);
