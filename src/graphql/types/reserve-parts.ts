import type { BorrowCurvePoint } from '../../domain/interest.ts';
import type { ReserveRisk } from '../../domain/reserve.ts';
import type { ReserveRecord } from '../../services/records.ts';
import {
  accumulatedProtocolFees,
  type ReserveLimits,
  type ReserveRewards,
  reserveFees,
} from '../../services/reserves.ts';
import { builder } from '../builder.ts';
import { TokenAmountRef } from './amounts.ts';

export const ReserveStatusRef = builder.enumType('ReserveStatus', {
  description: 'Whether a reserve is in use.',
  values: {
    ACTIVE: { description: 'In use.' },
    OBSOLETE: { description: 'Closed for new positions.' },
    HIDDEN: { description: 'In use, not shown by default.' },
    UNKNOWN: { description: 'A status that this version does not know.' },
  } as const,
});

export const CurvePointRef = builder.objectRef<BorrowCurvePoint>('CurvePoint').implement({
  description: 'One point of the borrow curve.',
  fields: (t) => ({
    utilization: t.expose('utilization', {
      type: 'Decimal',
      nullable: false,
      description: 'Utilisation, a fraction.',
    }),
    rate: t.expose('rate', {
      type: 'Decimal',
      nullable: false,
      description: 'Yearly borrow rate as set on chain, a fraction, for slots of 500 ms.',
    }),
  }),
});

export const ReserveRiskRef = builder.objectRef<ReserveRisk>('ReserveRisk').implement({
  description: 'How far a token counts as collateral and as debt, outside elevation groups. Fractions.',
  fields: (t) => ({
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      nullable: false,
      description: 'Share of a deposit\u2019s value that may be borrowed.',
    }),
    liquidationLtv: t.expose('liquidationLtv', {
      type: 'Decimal',
      nullable: false,
      description: 'Share of a deposit\u2019s value at which debt can be liquidated.',
    }),
    borrowFactor: t.expose('borrowFactor', {
      type: 'Decimal',
      nullable: false,
      description: 'What a debt is multiplied by before it is held against limits.',
    }),
    minLiquidationBonus: t.expose('minLiquidationBonus', {
      type: 'Decimal',
      nullable: false,
      description: 'Least bonus of a liquidator.',
    }),
    maxLiquidationBonus: t.expose('maxLiquidationBonus', {
      type: 'Decimal',
      nullable: false,
      description: 'Greatest bonus of a liquidator.',
    }),
  }),
});

export const ReserveLimitsRef = builder.objectRef<ReserveLimits>('ReserveLimits').implement({
  description: 'What may be supplied to and borrowed from a reserve.',
  fields: (t) => ({
    deposit: t.expose('deposit', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Most that may be supplied in all.',
    }),
    borrow: t.expose('borrow', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Most that may be borrowed in all.',
    }),
    borrowOutsideElevationGroup: t.expose('borrowOutsideElevationGroup', {
      type: TokenAmountRef,
      nullable: true,
      description: 'Most that may be borrowed outside elevation groups. Null when there is no such limit.',
    }),
    utilizationBorrowBlock: t.expose('utilizationBorrowBlock', {
      type: 'Decimal',
      nullable: true,
      description: 'Utilisation above which nobody can borrow, a fraction. Null when there is none.',
    }),
    depositRemaining: t.expose('depositRemaining', {
      type: TokenAmountRef,
      nullable: false,
      description: 'What may still be supplied.',
    }),
    borrowRemaining: t.expose('borrowRemaining', {
      type: TokenAmountRef,
      nullable: false,
      description: 'What may still be borrowed by the borrow limit.',
    }),
  }),
});

export const ReserveFeesRef = builder.objectRef<ReserveRecord>('ReserveFees').implement({
  description: 'What a reserve charges. Shares are fractions.',
  fields: (t) => ({
    origination: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Share of a borrow, charged on top of it.',
      resolve: ({ value }) => reserveFees(value).origination,
    }),
    flashLoan: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Share of a flash loan. Null when flash loans are off.',
      resolve: ({ value }) => reserveFees(value).flashLoan,
    }),
    protocolTake: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'The protocol\u2019s share of the interest.',
      resolve: ({ value }) => reserveFees(value).protocolTake,
    }),
    hostFixedRate: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Yearly rate for the host, on top of the curve.',
      resolve: ({ value }) => reserveFees(value).hostFixedRate,
    }),
    accumulatedProtocol: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'What the protocol has earned and not yet taken out.',
      resolve: (reserve, _args, { session }) => accumulatedProtocolFees(session.view, reserve),
    }),
  }),
});

export const ReserveRewardsRef = builder.objectRef<ReserveRewards>('ReserveRewards').implement({
  description: 'Rewards that the program pays straight into a reserve.',
  fields: (t) => ({
    amountPerSlot: t.expose('amountPerSlot', {
      type: 'U64',
      nullable: false,
      description: 'Base units per slot; 0 for none.',
    }),
    available: t.expose('available', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Not yet paid out.',
    }),
  }),
});
