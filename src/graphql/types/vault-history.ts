import { holderCount } from '../../services/history/holders.ts';
import {
  type ReservePoint,
  type VaultHistoryFields,
  type VaultHistoryPoint,
  type VaultPoint,
  type VaultReservePoint,
  vaultHistory,
  YIELD_FIELDS,
} from '../../services/history/vault-history.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { ReserveRef, reserveLink, VaultRef } from '../node-refs.ts';
import { reads, type Selection, selectionOf } from '../selection.ts';
import { ApyBreakdownRef, RewardApyRef } from './amounts.ts';

const read = reads<keyof VaultPoint>;
const readOfReserve = reads<keyof ReservePoint>;

const VaultReservePointRef = builder.objectRef<VaultReservePoint>('VaultReservePoint').implement({
  description: 'A reserve that a vault lent in, in one bucket.',
  fields: (t) => ({
    reserveAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of the reserve.',
      resolve: ({ reserve }) => reserve,
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null, with an error, when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => reserveLink(session, reserve),
    }),
    share: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Share of the vault\u2019s value that was invested in it, a fraction; last value.',
      resolve: ({ ratio }) => ratio,
    }),
    supplyApy: t.expose('supplyApy', {
      ...readOfReserve('supplyApy'),
      type: 'Decimal',
      nullable: true,
      description:
        'Interest that suppliers earned in a year, a fraction; mean over the bucket. Null when nothing is recorded of the reserve there.',
    }),
    rewardsApy: t.expose('rewardsApy', {
      ...readOfReserve('rewards'),
      type: 'Decimal',
      nullable: true,
      description:
        'What rewards added for suppliers, a fraction; last value. Null when nothing is recorded of the reserve there.',
    }),
    rewards: t.field({
      ...readOfReserve('rewards'),
      type: [RewardApyRef],
      nullable: false,
      description: 'Which tokens paid those rewards.',
      resolve: ({ rewards }) => [...rewards],
    }),
  }),
});

const VaultPointRef = builder.objectRef<VaultHistoryPoint>('VaultPoint').implement({
  description: 'A bucket of a vault: yields are means over it, everything else is its last value.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ sample }) => sample.bucket }),
    totalValue: t.field({
      ...read('tvlTokens'),
      type: 'Decimal',
      nullable: true,
      description: 'What belonged to the holders of shares, whole tokens. Null in history that was imported.',
      resolve: ({ sample }) => sample.tvlTokens,
    }),
    totalValueUsd: t.field({
      ...read('tvlUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'The same in USD. Null when the token had no price.',
      resolve: ({ sample }) => sample.tvlUsd,
    }),
    totalValueSol: t.field({
      ...read('tvlSol'),
      type: 'Decimal',
      nullable: true,
      description: 'The same in SOL. Null when a price was unknown.',
      resolve: ({ sample }) => sample.tvlSol,
    }),
    tokensPerShare: t.field({
      ...read('tokensPerShare'),
      type: 'Decimal',
      nullable: true,
      description: 'Tokens that one share was worth; 0 without shares. Null in history that was imported.',
      resolve: ({ sample }) => sample.tokensPerShare,
    }),
    sharePriceUsd: t.field({
      ...read('sharePriceUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'USD that one share was worth. Null when the token had no price.',
      resolve: ({ sample }) => sample.sharePriceUsd,
    }),
    tokenPriceUsd: t.field({
      ...read('tokenPriceUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'USD for one deposit token. Null when it had no price.',
      resolve: ({ sample }) => sample.tokenPriceUsd,
    }),
    sharesIssued: t.field({
      ...read('sharesIssued'),
      type: 'Decimal',
      nullable: true,
      description: 'Whole shares. Null in history that was imported.',
      resolve: ({ sample }) => sample.sharesIssued,
    }),
    apy: t.field({
      ...read(...YIELD_FIELDS),
      type: ApyBreakdownRef,
      nullable: false,
      description: 'What holders earned in a year as the vault was invested, after fees; means.',
      resolve: (point) => point.apy(),
    }),
    theoreticalBaseApy: t.field({
      ...read('apyTheoretical'),
      type: 'Decimal',
      nullable: true,
      description:
        'Interest alone at target weights, every token invested, after fees, a fraction; mean. Null when it was unknown all along.',
      resolve: ({ sample }) => sample.apyTheoretical,
    }),
    interest: t.field({
      ...read('interest'),
      type: 'Decimal',
      nullable: false,
      description: 'Interest since the vault began, before fees, whole tokens.',
      resolve: ({ sample }) => sample.interest,
    }),
    interestUsd: t.field({
      ...read('interestUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'The same in USD at the price of then. Null when the token had no price.',
      resolve: ({ sample }) => sample.interestUsd,
    }),
    interestSol: t.field({
      ...read('interestSol'),
      type: 'Decimal',
      nullable: true,
      description: 'The same in SOL at the prices of then. Null when a price was unknown.',
      resolve: ({ sample }) => sample.interestSol,
    }),
    interestPerSecond: t.field({
      ...read('interestPerSecond'),
      type: 'Decimal',
      nullable: true,
      description: 'Interest per second, before fees, whole tokens. Null when it was unknown.',
      resolve: ({ sample }) => sample.interestPerSecond,
    }),
    holders: t.int({
      ...read('holders'),
      nullable: true,
      description: 'Wallets that held shares. Null when they had not been counted.',
      resolve: ({ sample }) => sample.holders,
    }),
    reserves: t.field({
      ...read('allocations'),
      type: [VaultReservePointRef],
      nullable: false,
      description: 'The reserves that it lent in, with what they paid in the same bucket.',
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
      'Wallets that hold shares, by the newest hourly count. Null when they were never counted, and where no history is kept.',
    resolve: (vault, _args, { platform, session }) => holderCount(platform, session.view, vault),
  }),
  metricsHistory: t.field({
    type: VaultHistoryRef,
    nullable: true,
    description:
      'Its past. Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) =>
      vaultHistory(platform, session, address, ...asked(args), fieldsOf(selectionOf(info).into('points'))),
  }),
}));
