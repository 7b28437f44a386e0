import { type AverageRates, averageRates } from '../../../services/history/average-rates.ts';
import { type StakingYield, stakingYieldOf } from '../../../services/history/staking-yields.ts';
import {
  type BorrowCaps,
  borrowable,
  borrowCaps,
  type CollateralDebtCap,
  type DebtCap,
} from '../../../services/markets/borrow-caps.ts';
import { builder } from '../../builder.ts';
import { ReserveRef, TokenRef, tokenLink } from '../../node-refs.ts';
import { PeriodRef } from '../history/time.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const AverageInterestApyRef = builder.objectRef<AverageRates>('AverageInterestApy').implement({
  description: 'Mean interest yields of a reserve over a period, without rewards.',
  fields: (t) => ({
    supply: t.expose('supplyApy', {
      type: 'Decimal',
      description: 'Mean yield of suppliers per year, as a fraction.',
    }),
    borrow: t.expose('borrowApy', {
      type: 'Decimal',
      description: 'Mean cost for borrowers per year, as a fraction.',
    }),
  }),
});

const UnderlyingApyRef = builder.objectRef<StakingYield>('UnderlyingApy').implement({
  description: 'Yield of holding the token of a reserve: staking rewards of a liquid-staking token.',
  fields: (t) => ({
    apy: t.field({
      type: 'Decimal',
      description: 'Yield per year in the last completed epoch, as a fraction, compounded every epoch.',
      resolve: ({ latest }) => latest.apy,
    }),
    observedAt: t.field({
      type: 'DateTime',
      description: 'When the stake rate at the end of that epoch was recorded.',
      resolve: ({ latest }) => latest.sampledAt,
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that yields it. Null, with an error, when its mint cannot be read.',
      resolve: ({ mint }, _args, { session }) => tokenLink(session, mint),
    }),
  }),
});

const CAPACITY = 'Maximum of this debt. Null when there is no such limit.';
const CURRENT_TOTAL =
  'The debt that the lending program counts towards the limit. Interest is counted when a loan is refreshed.';

const DebtCapRef = builder.objectRef<DebtCap>('DebtCap').implement({
  description: 'A limit on a part of a reserve\u2019s debt.',
  fields: (t) => ({
    capacity: t.expose('capacity', { type: TokenAmountRef, nullable: true, description: CAPACITY }),
    currentTotal: t.expose('currentTotal', { type: TokenAmountRef, description: CURRENT_TOTAL }),
  }),
});

const CollateralDebtCapRef = builder.objectRef<CollateralDebtCap>('CollateralDebtCap').implement({
  description: 'A limit on debt against one collateral in an elevation group.',
  fields: (t) => ({
    collateralReserve: t.expose('collateral', {
      type: ReserveRef,
      description: 'The reserve of the collateral.',
    }),
    elevationGroup: t.exposeInt('elevationGroup', {
      description: 'Number of the elevation group in its market.',
    }),
    capacity: t.expose('capacity', { type: TokenAmountRef, nullable: true, description: CAPACITY }),
    currentTotal: t.expose('currentTotal', {
      type: TokenAmountRef,
      description: `${CURRENT_TOTAL} A loan with several collaterals counts in full towards each.`,
    }),
  }),
});

const BorrowCapsRef = builder.objectRef<BorrowCaps>('BorrowCaps').implement({
  description: 'Limits on the debt of a reserve outside and inside elevation groups.',
  fields: (t) => ({
    outsideElevationGroups: t.expose('outsideElevationGroups', {
      type: DebtCapRef,
      description: 'Debt outside elevation groups.',
    }),
    againstCollateral: t.expose('againstCollateral', {
      type: [CollateralDebtCapRef],
      description:
        'Debt in each elevation group that lends this reserve, by collateral. Empty when no group does, and when the market cannot be read.',
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  averageInterestApy: t.field({
    type: AverageInterestApyRef,
    nullable: true,
    description:
      'Interest yields averaged over all recorded samples of a period. Compare them with `supplyApy.base` and `borrowApy.base`. Null when the reserve has been recorded for less than the period; null with an error when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: {
      over: t.arg({
        type: PeriodRef,
        required: true,
        description: 'The period up to now: whole hours for up to 7 days, whole UTC days for a longer one.',
      }),
    },
    resolve: (reserve, { over }, { platform, session }) => averageRates(platform, session, reserve, over),
  }),
  averageUtilization: t.field({
    type: 'Decimal',
    nullable: true,
    description:
      'Mean borrowed / mean supplied over all recorded samples of a period, as a fraction. Compare it with `utilization`. Null as `averageInterestApy` is.',
    args: {
      over: t.arg({
        type: PeriodRef,
        required: true,
        description: 'The period up to now: whole hours for up to 7 days, whole UTC days for a longer one.',
      }),
    },
    resolve: async (reserve, { over }, { platform, session }) =>
      (await averageRates(platform, session, reserve, over))?.utilization ?? null,
  }),
  underlyingApy: t.field({
    type: UnderlyingApyRef,
    nullable: true,
    description:
      'Yield of holding the token, from its recorded stake rate. No APY of the reserve includes it. Null for a token that is not a liquid-staking token and until two epochs have been recorded; null with an error when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    resolve: ({ value }, _args, { platform, session }) =>
      stakingYieldOf(platform, session, value.liquidity.mintPubkey),
  }),
  borrowable: t.field({
    type: TokenAmountRef,
    description:
      'Amount that anyone with enough collateral can borrow now, fees included: the least of free liquidity, borrow limit, utilization limit and outflow cap. 0 when the lending program lends nothing. `borrowCaps` limit it further.',
    resolve: (reserve, _args, { session }) => borrowable(session.view, reserve),
  }),
  borrowCaps: t.field({
    type: BorrowCapsRef,
    description: 'Limits on the debt outside and inside elevation groups, and how far they are used.',
    resolve: (reserve, _args, { session }) => borrowCaps(session.view, reserve),
  }),
}));
