import type { PreviewPosition } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { ChangeRef } from '../../values/change.ts';

const PositionSideRef = builder.enumType('PositionSide', {
  description: 'Side of a position in a reserve.',
  values: {
    DEPOSIT: { description: 'A deposit, which secures debts.' },
    DEBT: { description: 'A debt.' },
  } as const,
});

export const PreviewPositionRef = builder.objectRef<PreviewPosition>('PreviewPosition').implement({
  description: 'A deposit or a debt in one reserve, before and after an action that changes two positions.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    mint: t.expose('mint', { type: 'Address', description: 'Mint of its token.' }),
    side: t.expose('side', { type: PositionSideRef, description: 'Deposit or debt.' }),
    tokens: t.expose('tokens', {
      type: ChangeRef,
      description: 'Tokens deposited or owed, in whole tokens; 0 for no position.',
    }),
    interestApy: t.expose('interestApy', {
      type: ChangeRef,
      description: 'Supply APY of the reserve, or borrow APY for a debt, as a fraction, without rewards.',
    }),
    liquidationPriceUsd: t.expose('liquidationPriceUsd', {
      type: ChangeRef,
      description:
        'Price of the token at which the obligation can be liquidated, in USD, all other prices unchanged. Null without such a price.',
    }),
  }),
});
