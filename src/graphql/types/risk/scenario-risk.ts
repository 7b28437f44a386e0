import type { UnvaluedReason } from '../../../domain/risk/loan-outcome.ts';
import { SluiceError } from '../../../errors/sluice-error.ts';
import type {
  CollateralRisk,
  DebtRisk,
  HealthBucket,
  LiquidatableLoans,
  LoanAtRisk,
  ScenarioRisk,
} from '../../../services/risk/scenario-risk.ts';
import { builder } from '../../builder.ts';
import { LiquidationReasonRef } from '../obligation/liquidation-reason.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { EndangeredLoanRef, EndangeredLoansRef } from './endangered-loan.ts';

const MAX_NAMED = 1_000;

/** @throws NUMBER_OUT_OF_RANGE */
export function checkedFirst(first: number, max: number): number {
  if (first >= 0 && first <= max) return first;
  throw new SluiceError('NUMBER_OUT_OF_RANGE', {
    what: 'first',
    value: String(first),
    min: '0',
    max: String(max),
  });
}

const UnvaluedReasonRef = builder.enumType('UnvaluedReason', {
  description: 'Why a loan cannot be valued.',
  values: {
    RESERVE_UNREADABLE: { description: 'A reserve of the loan cannot be read.' },
    PRICE_UNKNOWN: { description: 'A token of the loan has no price, and the shock names none.' },
  } as const satisfies Record<UnvaluedReason, unknown>,
});

const UnvaluedLoansRef = builder
  .objectRef<{ readonly reason: UnvaluedReason; readonly loans: number }>('UnvaluedLoans')
  .implement({
    description: 'Loans that cannot be valued. No other number of the scenario includes them.',
    fields: (t) => ({
      reason: t.expose('reason', { type: UnvaluedReasonRef, description: 'The reason.' }),
      loans: t.exposeInt('loans', { description: 'Number of loans.' }),
    }),
  });

const LiquidatableRiskRef = builder.objectRef<LiquidatableLoans>('LiquidatableRisk').implement({
  description: 'Loans that the program lets a liquidator act on.',
  fields: (t) => ({
    loans: t.exposeInt('loans', { description: 'Number of loans.' }),
    debtUsd: t.expose('debtUsd', { type: 'Decimal', description: 'Their debt, in USD.' }),
    collateralUsd: t.expose('collateralUsd', { type: 'Decimal', description: 'Their collateral, in USD.' }),
  }),
});

const CollateralRiskRef = builder.objectRef<CollateralRisk>('CollateralRisk').implement({
  description: 'Liquidatable loans by the reserve that backs them.',
  fields: (t) => ({
    ...presentReserveFields(t),
    loans: t.exposeInt('loans', {
      description:
        'Number of liquidatable loans with a deposit in the reserve. A loan counts in each of its reserves.',
    }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description: 'Their debt in USD, divided among the deposits of a loan by value. Adds up to the total.',
    }),
    collateralUsd: t.expose('collateralUsd', {
      type: 'Decimal',
      description: 'Their deposits in the reserve, in USD.',
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description:
        'Bad debt in USD, divided in the same way. Bad debt of loans without collateral is in the total only.',
    }),
  }),
});

const DebtRiskRef = builder.objectRef<DebtRisk>('DebtRisk').implement({
  description: 'Debts to one reserve that are at risk.',
  fields: (t) => ({
    ...presentReserveFields(t),
    loans: t.exposeInt('loans', {
      description:
        'Number of liquidatable loans that owe to the reserve. A loan counts in each of its reserves.',
    }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description: 'Their debts to the reserve, in USD.',
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description:
        'Bad debt in USD: that of a loan with several debts is divided among them by value. Adds up to the total.',
    }),
  }),
});

const HealthBucketRef = builder.objectRef<HealthBucket>('HealthBucket').implement({
  description: 'Loans with a health factor in a range. A loan is liquidatable at 1 and below.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'Decimal',
      nullable: true,
      description: 'Lowest health factor of the range. Null for no bound.',
    }),
    to: t.expose('to', {
      type: 'Decimal',
      nullable: true,
      description: 'Health factor at which the range ends, exclusive. Null for no bound.',
    }),
    loans: t.exposeInt('loans', { description: 'Number of loans.' }),
    debtUsd: t.expose('debtUsd', { type: 'Decimal', description: 'Their debt, in USD.' }),
  }),
});

const LoanAtRiskRef = builder.objectRef<LoanAtRisk>('LoanAtRisk').implement({
  description:
    'A loan that can be liquidated in the scenario, from the index. Read it live before acting on it.',
  fields: (t) => ({
    obligation: t.expose('address', { type: 'Address', description: 'Address of the obligation.' }),
    owner: t.expose('owner', { type: 'Address', description: 'The wallet that owns it.' }),
    reason: t.expose('reason', {
      type: LiquidationReasonRef,
      description:
        'Why the program accepts a liquidation. Only the debt that has ended can be repaid for an end.',
    }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description: 'Its debt in USD. All figures of the loan are those in the scenario.',
    }),
    collateralUsd: t.expose('collateralUsd', { type: 'Decimal', description: 'Its collateral, in USD.' }),
    healthFactor: t.expose('healthFactor', {
      type: 'Decimal',
      description: 'Liquidation limit divided by the debt weighted with borrow factors.',
    }),
  }),
});

/** A scenario beside the present. */
interface ScenarioBesideNow {
  readonly risk: ScenarioRisk;
  readonly now: ScenarioRisk;
}

export const ScenarioRiskRef = builder.objectRef<ScenarioBesideNow>('ScenarioRisk').implement({
  description: 'All loans of a market in one scenario: at present prices, or under a shock.',
  fields: (t) => ({
    label: t.string({
      nullable: true,
      description: 'Name of the shock. Null for the present.',
      resolve: ({ risk }) => risk.label,
    }),
    loans: t.int({ description: 'Number of loans that could be valued.', resolve: ({ risk }) => risk.loans }),
    debtUsd: t.field({
      type: 'Decimal',
      description: 'Debt of these loans, in USD.',
      resolve: ({ risk }) => risk.debtUsd,
    }),
    collateralUsd: t.field({
      type: 'Decimal',
      description: 'Collateral of these loans, in USD.',
      resolve: ({ risk }) => risk.collateralUsd,
    }),
    unvalued: t.field({
      type: [UnvaluedLoansRef],
      description: 'Loans that could not be valued, by reason. Empty when all could.',
      resolve: ({ risk }) => [...risk.unvalued],
    }),
    liquidatable: t.field({
      type: LiquidatableRiskRef,
      description: 'Loans that can be liquidated.',
      resolve: ({ risk }) => risk.liquidatable,
    }),
    endedLiquidatable: t.field({
      type: LiquidatableRiskRef,
      description:
        'Those of `liquidatable` that are healthy, but have a debt whose term or reserve has ended, in a market that lets anyone liquidate it.',
      resolve: ({ risk }) => risk.endedOnly,
    }),
    addedLiquidatableDebtUsd: t.field({
      type: 'Decimal',
      description:
        'Liquidatable debt less that at present prices, in USD. Negative where a shock makes loans healthy again.',
      resolve: ({ risk, now }) => risk.liquidatable.debtUsd.sub(now.liquidatable.debtUsd),
    }),
    badDebtUsd: t.field({
      type: 'Decimal',
      description: 'Sum over all loans of the debt that exceeds their collateral, in USD.',
      resolve: ({ risk }) => risk.liquidatable.badDebtUsd,
    }),
    badDebtLoans: t.int({
      description: 'Number of loans with such debt.',
      resolve: ({ risk }) => risk.badDebtLoans,
    }),
    atRisk: t.field({
      type: EndangeredLoansRef,
      description:
        'Loans that can be liquidated or have bad debt. Their debt includes the bad debt, so that it does not fall when a loan has lost all of its collateral.',
      resolve: ({ risk }) => risk.atRisk,
    }),
    loansAtRisk: t.field({
      type: [EndangeredLoanRef],
      description: 'The loans of `atRisk`, largest debt first.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 20,
          description: `Number of loans, at most ${MAX_NAMED}.`,
        }),
      },
      resolve: ({ risk }, { first }) => risk.endangered(checkedFirst(first, MAX_NAMED)),
    }),
    byCollateral: t.field({
      type: [CollateralRiskRef],
      description: 'Liquidatable loans and bad debt by the reserve of the collateral, largest debt first.',
      resolve: ({ risk }) => [...risk.byCollateral],
    }),
    byDebt: t.field({
      type: [DebtRiskRef],
      description: 'Liquidatable debt and bad debt by the reserve that lent it, largest bad debt first.',
      resolve: ({ risk }) => [...risk.byDebt],
    }),
    health: t.field({
      type: [HealthBucketRef],
      description: 'Distribution of the health factor over the valued loans, lowest first.',
      resolve: ({ risk }) => [...risk.health],
    }),
    liquidatableLoans: t.field({
      type: [LoanAtRiskRef],
      description: 'Loans that can be liquidated, largest debt first.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 20,
          description: `Number of loans, at most ${MAX_NAMED}.`,
        }),
      },
      resolve: ({ risk }, { first }) => risk.named(checkedFirst(first, MAX_NAMED)),
    }),
  }),
});
