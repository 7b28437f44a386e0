import { borrowOrderFullFillEvent, borrowOrderPartialFillEvent } from '../klend/events.ts';
import { rolloverFixedTermBorrow } from '../klend/obligation-instructions.ts';
import { fillBorrowOrderV1, fillBorrowOrderV2 } from '../klend/order-instructions.ts';
import type { AccountsOf } from '../layout/instruction.ts';
import { isProtocolError } from '../protocol-error.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { FilledOrder } from './events.ts';
import { findReader, type InstructionReader, instructionReader } from './instruction-reader.ts';
import { borrowed, position } from './lending-changes.ts';

const FILL_EVENTS: readonly InstructionReader<void, FilledOrder>[] = [
  instructionReader(borrowOrderPartialFillEvent, ({ args: { before, after } }) => ({
    placedAt: before.placedAtTimestamp,
    left: after.remainingDebtAmount,
  })),
  instructionReader(borrowOrderFullFillEvent, ({ args: { before } }) => ({
    placedAt: before.placedAtTimestamp,
    left: 0n,
  })),
];

/** The order of a fill. An event that cannot be decoded must not hide the borrow itself. */
function filledOrder({ recorded }: CallContext): { readonly order?: FilledOrder } {
  for (const event of recorded) {
    try {
      const order = findReader(FILL_EVENTS, event.data)?.read(event);
      if (order !== undefined) return { order };
    } catch (error) {
      if (!isProtocolError(error)) throw error;
    }
  }
  return {};
}

/** A borrow for the owner of an order, who also owns the account that receives the tokens. Anyone may sign it. */
function filled(accounts: AccountsOf<typeof fillBorrowOrderV2.accounts>, context: CallContext): Changes {
  const change = borrowed({ ...accounts, owner: accounts.payer }, context);
  if ((change.liquidity ?? 0n) === 0n) return {};
  const { obligation, userDestinationLiquidity } = accounts;
  const owner =
    context.lookups.ownerOfObligation(obligation) ?? context.accounts.ownerOf(userDestinationLiquidity);
  return { lending: [{ ...change, owner, ...filledOrder(context) }] };
}

/**
 * A rollover repays a debt with liquidity of another reserve, to which it is owed from then on. Within one reserve it moves
 * nothing: only the term of the debt starts anew.
 */
function rolledOver(
  accounts: AccountsOf<typeof rolloverFixedTermBorrow.accounts>,
  { flows, lookups }: CallContext,
): Changes {
  const { sourceBorrowReserve, targetBorrowReserve, obligation, lendingMarket, payer } = accounts;
  if (sourceBorrowReserve === targetBorrowReserve) return { lending: [] };
  const liquidity = flows.sent(accounts.targetBorrowReserveLiquidity, accounts.sourceBorrowReserveLiquidity);
  if (liquidity === 0n) return {};
  const head = { owner: payer, obligation, lendingMarket };
  const owner = lookups.ownerOfObligation(obligation);
  return {
    lending: [
      { ...position('repay', 'debt', head, sourceBorrowReserve, lookups), owner, liquidity },
      { ...position('borrow', 'debt', head, targetBorrowReserve, lookups), owner, liquidity },
    ],
  };
}

/** Changes of a debt that its owner has agreed to before, and that anyone may carry out. */
export const TERM_ACTIONS: readonly Action[] = [
  instructionReader(fillBorrowOrderV2, ({ accounts }, context: CallContext) => filled(accounts, context)),
  instructionReader(fillBorrowOrderV1, ({ accounts }, context: CallContext) => filled(accounts, context)),
  instructionReader(rolloverFixedTermBorrow, ({ accounts }, context: CallContext) =>
    rolledOver(accounts, context),
  ),
];
