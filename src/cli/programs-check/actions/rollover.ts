import type { Address } from '@solana/kit';
import type { CheckedAction } from '../checked-action.ts';
import { figure } from '../figures.ts';
import { lendingPosition, rolloverOf, rolloverText } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const MAX_BORROW_RATE_BPS = 10_000;
const DAY_SECONDS = '86400';

/**
 * Lets the debt roll over, and starts its term anew. Most debts have no term, and some markets have rollovers switched off: the
 * program must then refuse as foreseen.
 */
export function rollover(
  { wallet, market, borrowReserve: reserve }: Subject,
  obligation: Address,
): readonly CheckedAction[] {
  return [
    {
      kind: 'SET_ROLLOVER_SETTINGS',
      name: 'rollover settings',
      prepare: () => ({
        mutation: 'buildSetRolloverSettings',
        inputType: 'SetRolloverSettingsInput',
        input: {
          wallet,
          market,
          reserve,
          enabled: true,
          maxBorrowRateBps: MAX_BORROW_RATE_BPS,
          minTermSeconds: DAY_SECONDS,
          openTermAllowed: true,
        },
      }),
      predicted: ({ rollover: settings }) => ({ rollover: rolloverText(settings?.after) }),
      readBack: async (ask) => await rolloverOf(ask, obligation, reserve),
    },
    {
      kind: 'ROLL_OVER_BORROW',
      name: 'roll over',
      prepare: () => ({
        mutation: 'buildRollOverBorrow',
        inputType: 'RollOverBorrowInput',
        input: { wallet, obligation, reserve, targetReserve: reserve },
      }),
      predicted: ({ positions }) => ({
        tokens: figure(positions.find((each) => each.reserve === reserve)?.tokens.after),
      }),
      readBack: async (ask) => await lendingPosition(ask, obligation, reserve, 'borrows'),
    },
  ];
}
