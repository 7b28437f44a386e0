import type { EndangeredLoan, EndangeredLoans, LoanPosition } from '../../../services/risk/scenario-risk.ts';
import { builder } from '../../builder.ts';
import { LiquidationReasonRef } from '../obligation/liquidation-reason.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';

export const EndangeredLoansRef = builder.objectRef<EndangeredLoans>('EndangeredLoans').implement({
  description: 'Loans that can be liquidated, or whose debt exceeds their collateral.',
  fields: (t) => ({
    loans: t.exposeInt('loans', { description: 'Number of loans.' }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description: 'Their debt, in USD. It includes `badDebtUsd`.',
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description: 'The part of it that exceeds the collateral of its loan, in USD.',
    }),
  }),
});

const LoanPositionRef = builder.objectRef<LoanPosition>('EndangeredLoanPosition').implement({
  description: 'What a loan has deposited in, or owes to, one reserve.',
  fields: (t) => ({
    ...presentReserveFields(t),
    valueUsd: t.expose('valueUsd', { type: 'Decimal', description: 'Its value in the scenario, in USD.' }),
  }),
});

export const EndangeredLoanRef = builder.objectRef<EndangeredLoan>('EndangeredLoan').implement({
  description:
    'A loan that can be liquidated in the scenario or has bad debt in it, from the index. All figures are those in the scenario. Read it live before acting on it.',
  fields: (t) => ({
    obligation: t.expose('address', { type: 'Address', description: 'Address of the obligation.' }),
    owner: t.expose('owner', { type: 'Address', description: 'The wallet that owns it.' }),
    reason: t.expose('reason', {
      type: LiquidationReasonRef,
      nullable: true,
      description:
        'Why the program accepts a liquidation. Null when it accepts none: the loan has bad debt and nothing to seize.',
    }),
    debtUsd: t.expose('debtUsd', { type: 'Decimal', description: 'Its debt, in USD.' }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description: 'The part of the debt that exceeds the collateral, in USD. 0 when it is covered.',
    }),
    collateralUsd: t.expose('collateralUsd', { type: 'Decimal', description: 'Its collateral, in USD.' }),
    healthFactor: t.expose('healthFactor', {
      type: 'Decimal',
      description: 'Liquidation limit divided by the debt weighted with borrow factors.',
    }),
    deposits: t.expose('deposits', {
      type: [LoanPositionRef],
      description: 'Its deposits. Their values add up to the collateral.',
    }),
    debts: t.expose('debts', {
      type: [LoanPositionRef],
      description: 'Its debts. Their values add up to the debt.',
    }),
  }),
});
