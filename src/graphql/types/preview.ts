import { integer } from '../../numeric/rational.ts';
import { denominationOf, tokenAmount } from '../../services/amounts.ts';
import type { BuildWarning, Change, Preview, PreviewFee } from '../../services/build-results.ts';
import { builder } from '../builder.ts';
import { TokenAmountRef } from './amounts.ts';

const WarningLevelRef = builder.enumType('WarningLevel', {
  description: 'Severity of a warning.',
  values: {
    INFO: { description: 'Information only.' },
    WARNING: { description: 'The transaction would succeed, but may have an unwanted effect.' },
    ERROR: { description: 'The program would currently reject the transaction.' },
  } as const,
});

export const BuildWarningRef = builder.objectRef<BuildWarning>('BuildWarning').implement({
  description: 'A warning to show before signing. Warnings do not prevent a build, unless it is strict.',
  fields: (t) => ({
    level: t.field({
      type: WarningLevelRef,
      nullable: false,
      description: 'Severity.',
      resolve: ({ level }) => level,
    }),
    code: t.exposeString('code', { nullable: false, description: 'Stable warning code.' }),
    message: t.exposeString('message', {
      nullable: false,
      description: 'Message that says what the problem is and what to do.',
    }),
  }),
});

const ChangeRef = builder.objectRef<Change>('Change').implement({
  description: 'A value before and after an action.',
  fields: (t) => ({
    before: t.expose('before', {
      type: 'Decimal',
      nullable: true,
      description: 'Value before the action. Null when it does not apply or is unknown.',
    }),
    after: t.expose('after', {
      type: 'Decimal',
      nullable: true,
      description: 'Value after the action. Null when it does not apply or is unknown.',
    }),
  }),
});

const PreviewFeeKindRef = builder.enumType('PreviewFeeKind', {
  description: 'Kind of a fee.',
  values: {
    ORIGINATION: { description: 'Origination fee of a borrow.' },
    WITHDRAWAL_PENALTY: { description: 'Penalty on a vault withdrawal.' },
    CRANK: { description: 'Fee that funds the investment of a vault deposit.' },
  } as const,
});

const PreviewFeeRef = builder.objectRef<PreviewFee>('PreviewFee').implement({
  description: 'A fee that an action charges on top of its amount.',
  fields: (t) => ({
    kind: t.field({
      type: PreviewFeeKindRef,
      nullable: false,
      description: 'Kind of the fee.',
      resolve: ({ kind }) => kind,
    }),
    amount: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'Amount of the fee.',
      resolve: ({ mint, decimals, amount }, _args, { session }) =>
        tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount)),
    }),
  }),
});

export const PreviewRef = builder.objectRef<Preview>('Preview').implement({
  description:
    'Effect of an action on the position, computed with the same formulas as the rest of the API. Values that do not apply to the action are null.',
  isTypeOf: (value) =>
    typeof value === 'object' && value !== null && 'fees' in value && 'healthFactor' in value,
  fields: (t) => {
    type Figure = { [K in keyof Preview]: Preview[K] extends Change | null ? K : never }[keyof Preview];
    const figure = (name: Figure, description: string) =>
      t.field({ type: ChangeRef, nullable: true, description, resolve: (preview) => preview[name] });
    return {
      healthFactor: figure('healthFactor', 'Health factor of the obligation.'),
      loanToValue: figure('loanToValue', 'Loan-to-value of the obligation, as a fraction.'),
      borrowLimitUsd: figure('borrowLimitUsd', 'Borrow limit of the obligation, in USD.'),
      netValueUsd: figure('netValueUsd', 'Deposits less debts, in USD.'),
      supplyInterestApy: figure(
        'supplyApy',
        'Supply APY of the reserve, or APY of the vault after fees, as a fraction, without rewards.',
      ),
      borrowInterestApy: figure('borrowApy', 'Borrow APY of the reserve, as a fraction, without rewards.'),
      utilization: figure('utilization', 'Utilization of the reserve, as a fraction.'),
      shares: figure('shares', 'Shares of the vault, in whole shares.'),
      tokens: figure(
        'tokens',
        'Tokens of the position, in whole tokens: the deposit, the debt, or the value of the shares.',
      ),
      maxBorrowUsd: figure('maxBorrowUsd', 'Amount that can still be borrowed, in USD.'),
      fees: t.field({
        type: [PreviewFeeRef],
        nullable: false,
        description: 'Fees on top of the amount.',
        resolve: ({ fees }) => [...fees],
      }),
      warnings: t.field({
        type: [BuildWarningRef],
        nullable: false,
        description: 'Warnings to show before signing.',
        resolve: ({ warnings }) => [...warnings],
      }),
    };
  },
});
