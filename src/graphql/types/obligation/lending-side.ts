import { builder } from '../../builder.ts';

export const LendingSideRef = builder.enumType('LendingSide', {
  description: 'A side of an obligation.',
  values: {
    COLLATERAL: { description: 'Deposits.' },
    DEBT: { description: 'Debts.' },
  } as const,
});
