import { integer } from '../../numeric/rational.ts';
import { denominationOf, tokenAmount } from '../../services/amounts.ts';
import type { BuildWarning, Change, Preview, PreviewFee } from '../../services/build-results.ts';
import { builder } from '../builder.ts';
import { TokenAmountRef } from './amounts.ts';

const WarningLevelRef = builder.enumType('WarningLevel', {
  description: 'How serious a warning is.',
  values: {
    INFO: { description: 'Good to know.' },
    WARNING: { description: 'It would pass and may be regretted.' },
    ERROR: { description: 'The program would refuse it as things stand now.' },
  } as const,
});

export const BuildWarningRef = builder.objectRef<BuildWarning>('BuildWarning').implement({
  description: 'Something to know before signing. Warnings do not stop a build unless it is strict.',
  fields: (t) => ({
    level: t.field({
      type: WarningLevelRef,
      nullable: false,
      description: 'How serious it is.',
      resolve: ({ level }) => level,
    }),
    code: t.exposeString('code', { nullable: false, description: 'What it is about; never renamed.' }),
    message: t.exposeString('message', { nullable: false, description: 'What it is here, and what to do.' }),
  }),
});

const ChangeRef = builder.objectRef<Change>('Change').implement({
  description: 'A figure before and after an action.',
  fields: (t) => ({
    before: t.expose('before', {
      type: 'Decimal',
      nullable: true,
      description: 'Before. Null when it does not apply or cannot be told.',
    }),
    after: t.expose('after', {
      type: 'Decimal',
      nullable: true,
      description: 'After. Null when it does not apply or cannot be told.',
    }),
  }),
});

const PreviewFeeKindRef = builder.enumType('PreviewFeeKind', {
  description: 'What a fee is for.',
  values: {
    ORIGINATION: { description: 'For borrowing.' },
    WITHDRAWAL_PENALTY: { description: 'For leaving a vault.' },
    CRANK: { description: 'For investing what is deposited.' },
  } as const,
});

const PreviewFeeRef = builder.objectRef<PreviewFee>('PreviewFee').implement({
  description: 'What an action costs beside its amount.',
  fields: (t) => ({
    kind: t.field({
      type: PreviewFeeKindRef,
      nullable: false,
      description: 'What it is for.',
      resolve: ({ kind }) => kind,
    }),
    amount: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'How much.',
      resolve: ({ mint, decimals, amount }, _args, { session }) =>
        tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount)),
    }),
  }),
});

export const PreviewRef = builder.objectRef<Preview>('Preview').implement({
  description:
    'What an action would do to the position, by the same maths as the rest of the graph. Figures that an action has nothing to do with are null.',
  isTypeOf: (value) =>
    typeof value === 'object' && value !== null && 'fees' in value && 'healthFactor' in value,
  fields: (t) => {
    type Figure = { [K in keyof Preview]: Preview[K] extends Change | null ? K : never }[keyof Preview];
    const figure = (name: Figure, description: string) =>
      t.field({ type: ChangeRef, nullable: true, description, resolve: (preview) => preview[name] });
    return {
      healthFactor: figure('healthFactor', 'Health factor of the obligation.'),
      loanToValue: figure('loanToValue', 'Loan to value of the obligation, a fraction.'),
      borrowLimitUsd: figure('borrowLimitUsd', 'USD up to which the obligation may borrow.'),
      netValueUsd: figure('netValueUsd', 'Deposits less debts, USD.'),
      supplyApy: figure(
        'supplyApy',
        'What the reserve, or the vault after fees, pays in a year, rewards not counted.',
      ),
      borrowApy: figure('borrowApy', 'What a debt to the reserve costs in a year, rewards not counted.'),
      utilization: figure('utilization', 'Utilisation of the reserve, a fraction.'),
      shares: figure('shares', 'Whole shares of the vault.'),
      tokens: figure(
        'tokens',
        'Whole tokens of the position: the deposit, the debt, or what the shares are worth.',
      ),
      maxBorrowUsd: figure('maxBorrowUsd', 'USD that could still be borrowed.'),
      fees: t.field({
        type: [PreviewFeeRef],
        nullable: false,
        description: 'What it costs beside its amount.',
        resolve: ({ fees }) => [...fees],
      }),
      warnings: t.field({
        type: [BuildWarningRef],
        nullable: false,
        description: 'What to know before signing.',
        resolve: ({ warnings }) => [...warnings],
      }),
    };
  },
});
