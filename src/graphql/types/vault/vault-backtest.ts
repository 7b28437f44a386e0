import { BACKTEST_LIMITS, type BacktestLimit } from '../../../services/history/backtest/limits.ts';
import type {
  Growth,
  RecordGap,
  ReserveOutcome,
  UnknownGrowth,
  WeightsOutcome,
} from '../../../services/history/backtest/outcome.ts';
import {
  type RecordedShare,
  type VaultBacktest,
  vaultBacktest,
} from '../../../services/history/backtest/vault-backtest.ts';
import { rangeOrLast } from '../../../services/request/time-range.ts';
import { builder } from '../../builder.ts';
import { VaultRef } from '../../node-refs.ts';
import { NO_HISTORY } from '../history/history-fields.ts';
import { IntervalRef, PeriodRef, TimeRangeInput } from '../history/time.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';

const VaultWeightInput = builder.inputType('VaultWeightInput', {
  description: 'The weight of a reserve in a vault.',
  fields: (t) => ({
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
    weight: t.field({
      type: 'U64',
      required: true,
      description: 'Target weight, relative to the other reserves. With 0 it gets nothing.',
    }),
  }),
});

const UnknownGrowthRef = builder.enumType('UnknownGrowth', {
  description: 'Why a growth is unknown.',
  values: {
    RESERVE_NOT_RECORDED: { description: 'A reserve with a weight has no record in the range.' },
    TOO_FEW_RECORDS: { description: 'The reserves with a weight share fewer than two records in the range.' },
    NOT_RECORDED_THEN: { description: 'There is no record at one end of the compared period.' },
    NOTHING_COMPARED: { description: 'The given weights have no result, so there is no compared period.' },
    NO_SHARES: { description: 'The vault had no shares at one end of the compared period.' },
  } as const satisfies Record<UnknownGrowth, object>,
});

const BacktestLimitRef = builder.enumType('BacktestLimit', {
  description: 'Something that a backtest cannot know.',
  values: {
    OWN_SIZE: { description: 'The effect of the vault on the rates of its reserves.' },
    CAPS: { description: 'Caps, deposit limits and missing liquidity.' },
    REBALANCING: { description: 'When tokens really move between reserves.' },
    REWARDS: { description: 'Rewards of farms and campaigns.' },
    FEES: { description: 'Fee rates of the past.' },
  } as const satisfies Record<BacktestLimit, object>,
});

const VaultBacktestLimitRef = builder.objectRef<BacktestLimit>('VaultBacktestLimit').implement({
  description: 'Something that a backtest cannot know.',
  fields: (t) => ({
    code: t.field({ type: BacktestLimitRef, description: 'Name of the limit.', resolve: (code) => code }),
    message: t.string({
      description: 'What is left out or supposed instead.',
      resolve: (code) => BACKTEST_LIMITS[code],
    }),
  }),
});

const GrowthRef = builder.objectRef<Growth>('BacktestGrowth').implement({
  description: 'Growth of one token over the compared period.',
  fields: (t) => ({
    growth: t.expose('growth', { type: 'Decimal', description: 'Growth as a fraction.' }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description: 'The same per year, compounded. Null when nothing is left of the token.',
    }),
  }),
});

const RecordGapRef = builder.objectRef<RecordGap>('RecordGap').implement({
  description: 'A part of the range without a record, in whole buckets.',
  fields: (t) => ({
    from: t.expose('start', { type: 'DateTime', description: 'Start of the first missing bucket.' }),
    to: t.expose('end', { type: 'DateTime', description: 'End of the last missing bucket.' }),
    bridged: t.exposeBoolean('bridged', {
      description:
        'True within the compared period: the growth over the gap is that between the rates recorded on both sides, and the vault keeps what it has meanwhile. False outside, where it counts for nothing.',
    }),
  }),
});

const VaultBacktestReserveRef = builder.objectRef<ReserveOutcome>('VaultBacktestReserve').implement({
  description: 'A reserve in a backtest of a vault.',
  fields: (t) => ({
    ...presentReserveFields(t),
    weight: t.expose('weight', { type: 'U64', description: 'Its weight.' }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Fraction of the vault: this weight / (all weights + unallocated weight).',
    }),
    own: t.expose('own', {
      type: GrowthRef,
      nullable: true,
      description:
        'Growth of one token in this reserve alone, by its exchange rate. Null when there is no record at one end of the compared period.',
    }),
    contribution: t.expose('contribution', {
      type: 'Decimal',
      nullable: true,
      description:
        'Its part in the growth of the vault before fees, as a fraction of the first token. The parts add up to that growth. Null when that is unknown.',
    }),
    recordedSince: t.expose('recordedSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of the first bucket ever recorded. Null when nothing is recorded.',
    }),
    gaps: t.field({
      type: [RecordGapRef],
      description: 'Parts of the range in which it has no record, in ascending order.',
      resolve: ({ gaps }) => [...gaps],
    }),
  }),
});

const UNKNOWN = 'Null when unknown: see `unknown`.';

const VaultBacktestOutcomeRef = builder.objectRef<WeightsOutcome>('VaultBacktestOutcome').implement({
  description: 'Growth of a vault that keeps some weights over the compared period.',
  fields: (t) => ({
    beforeFees: t.expose('beforeFees', {
      type: GrowthRef,
      nullable: true,
      description: `Growth before fees of the vault. ${UNKNOWN}`,
    }),
    afterFees: t.expose('afterFees', {
      type: GrowthRef,
      nullable: true,
      description: `Growth after the performance and management fee at their current rates. ${UNKNOWN}`,
    }),
    unallocatedWeight: t.expose('unallocatedWeight', {
      type: 'U64',
      description: 'Weight of what stays idle.',
    }),
    unallocatedShare: t.expose('unallocatedShare', {
      type: 'Decimal',
      description: 'Fraction of the vault that stays idle and earns nothing. 1 without weights.',
    }),
    reserves: t.field({
      type: [VaultBacktestReserveRef],
      description: 'The reserves that were named, in their order.',
      resolve: ({ reserves }) => [...reserves],
    }),
    unknown: t.expose('unknown', {
      type: UnknownGrowthRef,
      nullable: true,
      description: 'Why the growth is null. Null when it is known.',
    }),
    unknownReserveAddress: t.expose('unknownReserve', {
      type: 'Address',
      nullable: true,
      description: 'The first reserve that lacks a record. Null when `unknown` is null or not of a reserve.',
    }),
  }),
});

const RecordedShareRef = builder.objectRef<RecordedShare>('VaultBacktestRecorded').implement({
  description: 'Growth of a share of the vault over the compared period, as recorded.',
  fields: (t) => ({
    growth: t.expose('growth', {
      type: GrowthRef,
      nullable: true,
      description: `Growth of tokens per share, after the fees that were charged. ${UNKNOWN}`,
    }),
    tokensPerShareFrom: t.expose('tokensPerShareFrom', {
      type: 'Decimal',
      nullable: true,
      description: 'Value of one share in whole tokens at the start. Null when it is not recorded.',
    }),
    tokensPerShareTo: t.expose('tokensPerShareTo', {
      type: 'Decimal',
      nullable: true,
      description: 'Value of one share in whole tokens at the end. Null when it is not recorded.',
    }),
    unknown: t.expose('unknown', {
      type: UnknownGrowthRef,
      nullable: true,
      description: 'Why the growth is null. Null when it is known.',
    }),
  }),
});

const VaultBacktestRef = builder.objectRef<VaultBacktest>('VaultBacktest').implement({
  description:
    'What a vault would have earned over a past range with other weights, next to what it would have earned with its current ones and what it earned. All between the same two samples, from recorded exchange rates alone.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      nullable: true,
      description:
        'Start of the compared period: the last time at or before the start of the range, or the first one in it, at which every reserve with a weight has a record. Null when nothing can be compared.',
    }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description:
        'End of the compared period: the last such time in the range. Null when nothing can be compared.',
    }),
    interval: t.expose('interval', {
      type: IntervalRef,
      description:
        'Width of the buckets that were read: hours for up to 31 days where they are retained, otherwise days.',
    }),
    given: t.expose('given', {
      type: VaultBacktestOutcomeRef,
      description: 'Growth with the given weights.',
    }),
    current: t.expose('current', {
      type: VaultBacktestOutcomeRef,
      description: 'Growth with the weights that the vault has now.',
    }),
    recorded: t.expose('recorded', {
      type: RecordedShareRef,
      description: 'Growth of a share, as recorded.',
    }),
    limits: t.field({
      type: [VaultBacktestLimitRef],
      description: 'What the result cannot know.',
      resolve: () => Object.keys(BACKTEST_LIMITS) as BacktestLimit[],
    }),
  }),
});

builder.objectFields(VaultRef, (t) => ({
  backtest: t.field({
    type: VaultBacktestRef,
    nullable: true,
    description: `What the vault would have earned over a past range with other weights. Null, with an error, when the input makes no sense (KLEND_RESERVE_NOT_FOUND, WEIGHT_INVALID, NUMBER_OUT_OF_RANGE, BAD_REQUEST). ${NO_HISTORY}`,
    args: {
      weights: t.arg({
        type: [VaultWeightInput],
        required: true,
        description:
          'Weights of reserves that lend the token of the vault, at most as many as a vault can have. Name each reserve once. A reserve that is not named gets nothing.',
      }),
      unallocatedWeight: t.arg({
        type: 'U64',
        description: 'Weight of what stays idle. Defaults to that of the vault.',
      }),
      range: t.arg({
        type: TimeRangeInput,
        description:
          'Time range of at most 1096 days. Its start defaults to 30 days before its end. Cannot be combined with `last`.',
      }),
      last: t.arg({
        type: PeriodRef,
        description: 'The period up to now. Defaults to 30 days. Cannot be combined with `range`.',
      }),
    },
    resolve: (vault, { weights, unallocatedWeight, range, last }, { platform, session }) =>
      vaultBacktest(platform, session, vault, {
        weights,
        unallocatedWeight,
        range: rangeOrLast(session.view, range, last),
      }),
  }),
}));
