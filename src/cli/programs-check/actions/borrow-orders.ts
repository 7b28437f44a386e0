import type { Address } from '@solana/kit';
import type { BuildRequest, PreviewAnswer } from '../build.ts';
import type { CheckedAction } from '../checked-action.ts';
import { NONE } from '../figures.ts';
import type { Ask } from '../gateway.ts';
import { borrowOrderOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const RATE_BPS = 10_000;
const DAY_MS = 86_400_000;

/** Places an order twice: it is filled once and cancelled once. */
export function borrowOrders(subject: Subject, obligation: Address): readonly CheckedAction[] {
  const { wallet, market, borrowReserve, borrowMint, borrowAmount } = subject;
  const action = (kind: CheckedAction['kind'], name: string, request: BuildRequest): CheckedAction => ({
    kind,
    name,
    prepare: () => request,
    // The amount is below the minimum of the market, which takes no such orders, or nothing is left of the order.
    nothingToDo: ['BUILD_REFUSED'],
    predicted: ({ borrowOrder }: PreviewAnswer) => ({ order: borrowOrder?.after ?? NONE }),
    readBack: async (ask: Ask) => await borrowOrderOf(ask, obligation),
  });
  const place = (name: string) =>
    action('SET_BORROW_ORDER', name, {
      mutation: 'buildSetBorrowOrder',
      inputType: 'SetBorrowOrderInput',
      input: {
        wallet,
        market,
        index: 0,
        mint: borrowMint,
        amount: { tokens: borrowAmount },
        maxBorrowRateBps: RATE_BPS,
        fillableUntil: new Date(Date.now() + DAY_MS).toISOString(),
      },
    });
  return [
    place('place borrow order'),
    action('FILL_BORROW_ORDER', 'fill borrow order', {
      mutation: 'buildFillBorrowOrder',
      inputType: 'FillBorrowOrderInput',
      input: { wallet, obligation, index: 0, reserve: borrowReserve },
    }),
    place('place another borrow order'),
    action('CANCEL_BORROW_ORDER', 'cancel borrow order', {
      mutation: 'buildCancelBorrowOrder',
      inputType: 'CancelBorrowOrderInput',
      input: { wallet, market, index: 0 },
    }),
  ];
}
