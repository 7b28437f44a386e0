import type { BorrowCurvePoint } from '../../../domain/interest.ts';
import type { ReserveRisk } from '../../../domain/reserve.ts';
import type { ReserveRecord } from '../../../services/request/records.ts';
import {
  accumulatedProtocolFees,
  type ReserveLimits,
  type ReserveRewards,
  reserveFees,
} from '../../../services/reserves/reserves.ts';
import { builder } from '../../builder.ts';
import { TokenAmountRef } from '../values/amounts.ts';

export const ReserveStatusRef = builder.enumType('ReserveStatus', {
  description: 'Status of a reserve.',
  values: {
    ACTIVE: { description: 'Open for use.' },
    OBSOLETE: { description: 'Closed for new positions.' },
    HIDDEN: { description: 'Open for use, but not listed by default.' },
    UNKNOWN: { description: 'A status that this version of the gateway does not know.' },
  } as const,
});

export const InterestRateBasisRef = builder.enumType('InterestRateBasis', {
  description: 'Unit of time in which a reserve accrues interest, and for which its rates are set.',
  values: {
    PER_SLOT: {
      description:
        'Rates are set for slots of 500 ms. Real slots are shorter, so a year costs more than the curve says: displayed rates are scaled by the measured slot duration.',
    },
    PER_SECOND: {
      description: 'Rates are true yearly rates, accrued every second, whatever the length of slots.',
    },
  } as const,
});

export const CurvePointRef = builder.objectRef<BorrowCurvePoint>('CurvePoint').implement({
  description: 'One point of the borrow rate curve.',
  fields: (t) => ({
    utilization: t.expose('utilization', { type: 'Decimal', description: 'Utilization, as a fraction.' }),
    rate: t.expose('rate', {
      type: 'Decimal',
      description:
        'Borrow rate per year as a fraction, as set on chain. The program assumes slots of 500 ms.',
    }),
  }),
});

export const ReserveRiskRef = builder.objectRef<ReserveRisk>('ReserveRisk').implement({
  description: 'Risk parameters of a reserve outside elevation groups.',
  fields: (t) => ({
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      description: 'Maximum loan-to-value: the fraction of a deposit\u2019s value that can be borrowed.',
    }),
    liquidationLtv: t.expose('liquidationLtv', {
      type: 'Decimal',
      description:
        'Liquidation threshold: the fraction of a deposit\u2019s value at which debt can be liquidated.',
    }),
    borrowFactor: t.expose('borrowFactor', {
      type: 'Decimal',
      description: 'Factor by which a debt is multiplied before it is compared with the limits.',
    }),
    minLiquidationBonus: t.expose('minLiquidationBonus', {
      type: 'Decimal',
      description: 'Minimum liquidation bonus, as a fraction.',
    }),
    maxLiquidationBonus: t.expose('maxLiquidationBonus', {
      type: 'Decimal',
      description: 'Maximum liquidation bonus, as a fraction.',
    }),
  }),
});

export const ReserveLimitsRef = builder.objectRef<ReserveLimits>('ReserveLimits').implement({
  description: 'Supply and borrow limits of a reserve.',
  fields: (t) => ({
    deposit: t.expose('deposit', { type: TokenAmountRef, description: 'Maximum total supply.' }),
    borrow: t.expose('borrow', { type: TokenAmountRef, description: 'Maximum total borrow.' }),
    borrowOutsideElevationGroup: t.expose('borrowOutsideElevationGroup', {
      type: TokenAmountRef,
      nullable: true,
      description: 'Maximum total borrow outside elevation groups. Null when there is no such limit.',
    }),
    utilizationBorrowBlock: t.expose('utilizationBorrowBlock', {
      type: 'Decimal',
      nullable: true,
      description:
        'Utilization above which borrowing is blocked, as a fraction. Null when there is no such limit.',
    }),
    depositRemaining: t.expose('depositRemaining', {
      type: TokenAmountRef,
      description: 'Amount that can still be supplied.',
    }),
    borrowRemaining: t.expose('borrowRemaining', {
      type: TokenAmountRef,
      description: 'Amount that can still be borrowed under the borrow limit.',
    }),
  }),
});

export const ReserveFeesRef = builder.objectRef<ReserveRecord>('ReserveFees').implement({
  description: 'Fees of a reserve.',
  fields: (t) => ({
    origination: t.field({
      type: 'Decimal',
      description: 'Origination fee as a fraction of the borrowed amount, charged on top of it.',
      resolve: ({ value }) => reserveFees(value).origination,
    }),
    flashLoan: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Flash loan fee as a fraction of the loan. Null when flash loans are disabled.',
      resolve: ({ value }) => reserveFees(value).flashLoan,
    }),
    protocolTake: t.field({
      type: 'Decimal',
      description: 'Fraction of the interest that the protocol takes.',
      resolve: ({ value }) => reserveFees(value).protocolTake,
    }),
    hostFixedRate: t.field({
      type: 'Decimal',
      description: 'Rate per year for the host as a fraction, on top of the borrow curve.',
      resolve: ({ value }) => reserveFees(value).hostFixedRate,
    }),
    earlyRepayRemainingInterest: t.field({
      type: 'Decimal',
      description:
        'Penalty of repaying a fixed-term debt early, as a fraction of the interest that the repaid part would bear until the end of its term. 0 when repaying early is free.',
      resolve: ({ value }) => reserveFees(value).earlyRepayRemainingInterest,
    }),
    accumulatedProtocol: t.field({
      type: TokenAmountRef,
      description: 'Protocol fees that are earned but not yet withdrawn.',
      resolve: (reserve, _args, { session }) => accumulatedProtocolFees(session.view, reserve),
    }),
  }),
});

export const ReserveRewardsRef = builder.objectRef<ReserveRewards>('ReserveRewards').implement({
  description:
    "Rewards of the reserve's own token that the lending program adds to its supply as time passes. They raise the value of deposits; nothing is claimed.",
  fields: (t) => ({
    amountPerUnit: t.expose('amountPerUnit', {
      type: 'U64',
      description:
        'Rewards in base units per slot or second, by `interestRateBasis` of the reserve. 0 when there are none. The market limits their yearly rate (`reserveRewardsMaxAprBps`).',
    }),
    apr: t.expose('apr', {
      type: 'Decimal',
      description:
        'Rate for suppliers per year as a fraction, not compounded, after the limit of the market. 0 when the rewards are used up, when the market has turned them off, and when it cannot be read.',
    }),
    available: t.expose('available', {
      type: TokenAmountRef,
      description: 'Rewards that have not been paid out yet.',
    }),
  }),
});
