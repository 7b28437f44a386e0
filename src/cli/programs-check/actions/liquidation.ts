import type { CheckedAction } from '../checked-action.ts';
import { figure } from '../figures.ts';
import { lendingPosition } from '../read-back.ts';
import type { Subject } from '../subject.ts';

/** Repays a hundredth of a token at most of somebody else's debt. */
export function liquidate({ wallet, liquidatable }: Subject): CheckedAction {
  return {
    kind: 'LIQUIDATE',
    name: 'liquidate',
    prepare: () =>
      liquidatable === null
        ? { skipped: 'no loan of the market can be liquidated' }
        : {
            mutation: 'buildLiquidate',
            inputType: 'LiquidateInput',
            input: {
              wallet,
              obligation: liquidatable.obligation,
              repayReserve: liquidatable.repayReserve,
              withdrawReserve: liquidatable.withdrawReserve,
              amount: { tokens: liquidatable.repayAmount },
            },
          },
    // A price moved, and the loan is healthy again.
    nothingToDo: ['KLEND_OBLIGATION_NOT_FOUND'],
    predicted: (preview) => ({ healthFactor: figure(preview.healthFactor?.after) }),
    readBack: async (ask) =>
      liquidatable === null
        ? {}
        : await lendingPosition(ask, liquidatable.obligation, liquidatable.repayReserve, 'borrows'),
  };
}
